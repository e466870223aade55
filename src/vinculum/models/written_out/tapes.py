"""The tapes of a model, by name."""

from collections.abc import Callable, Mapping

import numpy as np

from vinculum.bonds.efforts import quantities_of
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.equations.constraints import closures
from vinculum.equations.constraints.conditions import condition_names, condition_sizes, conditions
from vinculum.equations.constraints.projection import on_unit_spheres, project_state
from vinculum.equations.contact.shape_places import shape_places
from vinculum.equations.contact.unilateral_rows import unilateral_rows
from vinculum.equations.forms import hamilton
from vinculum.equations.given_impulses import given_impulse
from vinculum.equations.integrals.first_integrals import first_integrals
from vinculum.equations.observables.accelerations import motion, plain_motion
from vinculum.equations.observables.bond_loads import bonds
from vinculum.equations.observables.drives import drives
from vinculum.equations.observables.exchanges import exchanges
from vinculum.equations.observables.joint_impulses import Impulses, impulse_exchanges
from vinculum.equations.observables.loads import balance, hamel, reactions
from vinculum.equations.observables.virtual_powers import virtual_powers
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.coordinate_rates import rates, with_mass_rates
from vinculum.scalars import ldl_solve, symbol, symbols
from vinculum.systems import Tree, body_view, placements
from vinculum.upward import without_collection


def state(tree: Tree):
    return symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")


def _tape_maker(outputs: Callable) -> Callable[[Tree, Mapping[str, float]], Tape]:
    @without_collection
    def make(tree: Tree, given: Mapping[str, float]) -> Tape:
        q, v, t = state(tree)
        return trace({"q": q, "v": v, "t": np.array([t])}, outputs(tree.at(t, q), q, v, t), given)

    return make


def _rates(tree: Tree, q, v, t) -> dict:
    defects = [link.joint.kind.coordinates.chart_defect(q[link.q]) for link in tree.links if link.joint.nq]
    rows = conditions(tree, q, v, biases=False)
    return {"q_dot": rates(tree, q, v), "defects": [d for d in defects if d is not None], "gaps": rows.values,
            "gap_rates": rows.rates}  # fmt: skip


def _bodies(tree: Tree, q, v, t) -> dict:
    groups = {}
    for link, placed in zip(tree.links, placements(tree, q, v), strict=True):
        view = body_view(link, placed)
        for what, numbers in quantities_of(view).items():
            groups[f"{link.body.name}/{what}"] = numbers
        groups[f"{link.body.name}/mass"] = [link.mass]
    return groups


def _closures(tree: Tree, q, v, t) -> dict:
    rows = conditions(tree, q, v, biases=False)
    sides = [x for c in tree.closures for x in c.joint.kind.sides(closures.relative_pose(tree, c, q))]
    return {"gaps": rows.values, "jacobians": rows.jacobians, "gap_rates": rows.rates, "gap_drifts": rows.drifts,
            "along": rows.along, "mass_matrix": mass_matrix(tree, q), "sides": sides, "sizes": condition_sizes(tree)}  # fmt: skip


def _unilaterals(tree: Tree, q, v, t) -> dict:
    rows, kept = unilateral_rows(tree, q, v), conditions(tree, q, v, biases=False)
    return {"gaps": rows.gaps, "drifts": rows.drifts, "jacobians": rows.jacobians, "mass_matrix": mass_matrix(tree, q),
            "bilateral": kept.jacobians, "bilateral_drifts": kept.drifts,
            "q_dot": with_mass_rates(tree, rates(tree, q, v), q, v)}  # fmt: skip


def _distances(tree: Tree, q, v, t) -> dict:
    rows = unilateral_rows(tree, q, v)
    return {"gaps": rows.gaps, "speeds": rows.jacobians @ v + rows.drifts}


def _impulses(tree: Tree, q, v, t) -> dict:
    """Every given impulse along all velocities, and as it acts."""
    placed, groups = placements(tree, q, v), {}
    for one in tree.impulses:
        along, wrench = given_impulse(tree, one, placed, q, v, t)
        groups |= {f"{one.impulse.name}/along": along, f"{one.impulse.name}/wrench": wrench}
    return groups


def _virtual(tree: Tree, q, v, t) -> dict:
    return vars(virtual_powers(tree, q, v, t))


def _contacts(tree: Tree, q, v, t) -> dict:
    """Data for the active set: as `unilaterals`, with the rates of their velocities."""
    rows, kept = unilateral_rows(tree, q, v), conditions(tree, q, v, biases=False)
    return {"gaps": rows.gaps, "drifts": rows.drifts, "biases": rows.biases, "jacobians": rows.jacobians,
            "mass_matrix": mass_matrix(tree, q), "bilateral": kept.jacobians}  # fmt: skip


def _shapes(tree: Tree, q, v, t) -> dict:
    return vars(shape_places(tree, q, v))


def _projection(tree: Tree, q, v, t) -> dict:
    """The rates of a state, the state one step nearer to all conditions, and squares of how far from them it is and how large."""
    turning = [
        link for link in tree.links if link.joint.nq and link.joint.kind.coordinates.chart_defect(q[link.q]) is not None
    ]
    q = on_unit_spheres(q, [(link.q.stop - 4, link.q.stop) for link in turning])
    near = project_state(tree, q, v)
    return {**plain_motion(tree, q, v, t), "q": near.q, "v": near.v, "gap": [near.gap], "gap_rate": [near.gap_rate],
            "reach": [1.0 + sum(x * x for x in near.q)], "speed": [1.0 + sum(x * x for x in near.v)],
            "independence": [near.independence]}  # fmt: skip


def _momenta(tree: Tree, q, v, t) -> dict:
    return {"p": mass_matrix(tree, q) @ v + hamilton.momentum_drift(tree, q)}


@without_collection
def _canonical(tree: Tree, given: Mapping[str, float]) -> Tape:
    """Hamilton's equations over (q, p, t), for velocities that are rates of coordinates."""
    q, _, t = state(tree)
    p = symbols("p", tree.nv)
    q_dot, p_dot = hamilton.canonical_rates(tree.at(t, q), q, p, t)
    return trace({"q": q, "p": p, "t": np.array([t])}, {"q_dot": q_dot, "p_dot": p_dot}, given)


@without_collection
def _velocities(tree: Tree, given: Mapping[str, float]) -> Tape:
    q, _, t = state(tree)
    p = symbols("p", tree.nv)
    tree = tree.at(t, q)
    v = ldl_solve(hamilton.momentum_matrix(tree, q), p - hamilton.momentum_drift(tree, q))
    return trace({"q": q, "p": p, "t": np.array([t])}, {"v": v}, given)


@without_collection
def _hamel(tree: Tree, given: Mapping[str, float]) -> Tape:
    q, v, t = state(tree)
    a = symbols("a", tree.nv)
    return trace({"q": q, "v": v, "t": np.array([t]), "a": a}, hamel(tree.at(t, q), q, v, t, a), given)


@without_collection
def _strikes(tree: Tree, given: Mapping[str, float]) -> Tape:
    """Exchanges of everything that strikes with every body, over states before impacts, jumps of the velocities, which given impulses act,
    multipliers, impulses of unilateral constraints, and those of contacts of shapes on every link."""
    return strike_tape(tree, given, impulse_exchanges)


def strike_tape(tree: Tree, given: Mapping[str, float], outputs: Callable[..., dict]) -> Tape:
    """What a function of a state, its jump and the `Impulses` there gives."""
    q, v, t = state(tree)
    jump, acting = symbols("jump", tree.nv), symbols("acting", len(tree.impulses))
    lam, P = symbols("lam", len(condition_names(tree))), symbols("P", 3 * len(tree.unilaterals))
    width = strike_width(tree)
    pressed = symbols("pressed", width * len(tree.links) if tree.contacts else 0)
    inputs = {
        "q": q,
        "v": v,
        "t": np.array([t]),
        "jump": jump,
        "acting": acting,
        "lam": lam,
        "P": P,
        "pressed": pressed,
    }
    impulses = Impulses(acting, lam, P, pressed.reshape(-1, width))
    return trace(inputs, outputs(tree.at(t, q), q, v, t, jump, impulses), given)


def strike_width(tree: Tree) -> int:
    """How many numbers an impulse of contacts of shapes on a link has: force and moment, and nine more where a body deforms."""
    return 15 if any(link.body.mechanics.kinematics.deforms for link in tree.links) else 6


@without_collection
def _integrals(tree: Tree, given: Mapping[str, float]) -> Tape:
    """Value and size of every first integral that holds for all values of the parameters."""
    q, v, t = state(tree)
    found = first_integrals(tree.at(t, q), q, v, t, given, vary=True)
    return trace({"q": q, "v": v, "t": np.array([t])}, {one.name: [one.value, one.size] for one in found}, given)


TAPES: dict[str, Callable[[Tree, Mapping[str, float]], Tape]] = {
    "motion": _tape_maker(motion),
    "rates": _tape_maker(_rates),
    "bodies": _tape_maker(_bodies),
    "balance": _tape_maker(balance),
    "reactions": _tape_maker(reactions),
    "bonds": _tape_maker(bonds),
    "exchanges": _tape_maker(exchanges),
    "closures": _tape_maker(_closures),
    "unilaterals": _tape_maker(_unilaterals),
    "distances": _tape_maker(_distances),
    "virtual": _tape_maker(_virtual),
    "contacts": _tape_maker(_contacts),
    "impulses": _tape_maker(_impulses),
    "shapes": _tape_maker(_shapes),
    "projection": _tape_maker(_projection),
    "plain": _tape_maker(plain_motion),
    "drives": _tape_maker(drives),
    "hamel": _hamel,
    "strikes": _strikes,
    "integrals": _integrals,
    "momenta": _tape_maker(_momenta),
    "canonical": _canonical,
    "velocities": _velocities,
}
WORKING = ("projection", "plain")
"""Tapes used only by integrators: they are not stored with a run."""
CANONICAL = ("momenta", "canonical", "velocities")
BOUNDED = ("unilaterals", "contacts", "distances", "virtual")
