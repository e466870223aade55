"""Conserved quantities of a system, from its structure and checked at random states."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from vinculum.bonds.joints.joint import compliance_of
from vinculum.equations.applied import applied_forces
from vinculum.equations.constraints import constrained
from vinculum.equations.constraints.conditions import condition_levels, conditions
from vinculum.equations.constraints.constrained import least_multipliers
from vinculum.equations.energies import kinetic_energy, potential_energy
from vinculum.equations.integrals.action_loads import ActionLoad, action_loads
from vinculum.equations.integrals.admissible_fields import Joints, field_integrals
from vinculum.equations.integrals.cyclic import cyclic_integrals
from vinculum.equations.integrals.free_twists import common_twists, free_twists, is_driven, point_turns, world_subspaces
from vinculum.equations.integrals.gauges import forced_part, gauge_integrals
from vinculum.equations.integrals.integral import Integral
from vinculum.equations.integrals.material import material_integrals
from vinculum.equations.integrals.momentum import center_integrals, momentum_integrals
from vinculum.equations.recursions import articulated
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.coordinate_rates import rates, with_mass_rates
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.equations.recursions.speed_sizes import at_least, kinetic_size
from vinculum.equations.sampling.frame_dependence import notices_frame
from vinculum.equations.sampling.states import Sampling, on_charts, sampling
from vinculum.scalars import gradient
from vinculum.scalars.graph import nodes
from vinculum.scalars.math import abs as absolute
from vinculum.systems import Constrained, Placement, Tree, placements, subsystem
from vinculum.tolerances.functions import CONSERVED, CONSERVED_EACH, NO_POWER, PER_SECOND, SAMPLES_CLOSED
from vinculum.tolerances.iterations import SAMPLE_NEWTON_STEPS
from vinculum.tolerances.rank import INDEPENDENT_INTEGRALS, LEFT_OUT_OF_STEPS
from vinculum.tolerances.samples import FEWEST_SAMPLES_OF_INTEGRALS

ALGEBRAIC = frozenset({"add", "sub", "mul", "neg", "div", "symbol", "parameter"})


def first_integrals(
    tree: Tree,
    q,
    v,
    t,
    values: Mapping[str, float],
    vary: bool = False,
    accelerations: Callable[[np.ndarray], np.ndarray] | None = None,
    whole: bool = False,
) -> list[Integral]:
    """Independent conserved quantities as graphs over the symbols ``q``, ``v``, ``t``.

    ``values``: those of all parameters; with ``vary`` only what holds for every value of them. ``accelerations``: v̇ at
    rows (q, v, t, parameters) by another route, with which the result is checked again. ``whole``: also
    places of mass centers, momenta along admissible fields of constraints, and moments of gauge type. Telegin 2014, after (25).

    Certificates do not ask for the ``whole``. They contain positions and the time, whose errors grow where a motion is handed over to
    time steps, or restarts after impacts, and right motions with these break them. Smooth motions do not, but the tape of integrals belongs
    to a tree, and the tree of a phase between impacts has no unilateral constraints either: it cannot tell which of both it is for.
    Besides, a mass center that does not follow its momentum breaks the line of the rates already.
    """
    if not tree.nv:
        return []
    at = sampling(tree, q, v, t, values, vary)
    if tree.is_conditioned or tree.varied:
        drawn, accelerations = at, None
        at, a = with_closed_loops(tree, drawn)
        if at.count < FEWEST_SAMPLES_OF_INTEGRALS:
            return []
        closed, a = _closed_samples(tree, drawn) or (at, a)
    else:
        closed, a = at, at.of(articulated.accelerations(tree, q, v, applied_forces(tree, t, q, v)))
    allowed, turns = world_subspaces(tree, at), point_turns(tree, at)
    twists = [free_twists(*each, at) for each in zip(tree.links, allowed, turns, strict=True)]
    placed = placements(tree, q, v)
    loads = action_loads(tree, placed, at)
    candidates, centers = energy_integrals(tree, twists, placed, loads, at), []
    for carriers in [*([link.index] for link in tree.links), *coupled_roots(tree)]:
        links = sorted(i for index in carriers for i in subsystem(tree, index))
        if not _is_constrained_from_outside(tree, links):
            free = common_twists([twists[i] for i in carriers])
            acting = [load for load in loads if load.on(links)]
            for load in acting:
                free = load.restrict(free, links) if len(free) else free
            candidates += momentum_integrals(tree, carriers, free, placed, at, bool(acting))
            centers += center_integrals(tree, carriers, free, placed, at) if whole else []
    if whole and tree.is_conditioned and not tree.varied and all(one.holds for one in tree.constraints):
        candidates += _field_candidates(tree, placed, [at] if closed is at else [at, closed])
    candidates += material_integrals(tree, placed, t)
    if not tree.is_conditioned and not tree.varied:
        candidates += cyclic_integrals(tree, a, allowed, at)
    if whole and not tree.varied and all(one.holds for one in tree.constraints):
        parts = (forced_part(tree, roots, loads, placed, at) for roots in root_groups(tree))
        for part in (one for one in parts if one is not None):
            many = sampling(tree, q, v, t, values, vary, fewest=part.samples)
            many = with_closed_loops(tree, many)[0] if tree.is_conditioned else many
            if 3 * many.count > 2 * part.samples:
                joints = Joints(world_subspaces(tree, many), point_turns(tree, many))
                candidates += gauge_integrals(tree, part, joints, placed, many)
    candidates += centers
    routes = [a] if accelerations is None else [a, accelerations(at.rows())]
    return independent([one for one in candidates if all(is_conserved(one, tree, x, closed) for x in routes)], closed)


def _field_candidates(tree: Tree, placed: list[Placement], samples: Sequence[Sampling]) -> list[Integral]:
    """Momenta along admissible fields. Those that are admissible also where gaps are open come first: where they are closed, mass centers
    may stay in a plane, and a field has many forms."""
    found = []
    for at in samples:
        joints, loads = Joints(world_subspaces(tree, at), point_turns(tree, at)), action_loads(tree, placed, at)
        for roots in root_groups(tree):
            if _is_tied_to_others(tree, sorted(i for index in roots for i in subsystem(tree, index))):
                found += field_integrals(tree, roots, joints, loads, placed, at)
    return found


def _closed_samples(tree: Tree, drawn: Sampling) -> tuple[Sampling, np.ndarray] | None:
    """`with_closed_loops` of samples at closed positions; None if there are no conditions on positions, or too few samples meet them."""
    if all(condition_levels(tree)) or tree.varied:
        return None
    at = with_closed_positions(tree, drawn)
    at, a = with_closed_loops(tree, at) if at.count else (at, np.zeros((0, tree.nv)))
    return (at, a) if at.count >= FEWEST_SAMPLES_OF_INTEGRALS else None


def with_closed_loops(tree: Tree, at: Sampling) -> tuple[Sampling, np.ndarray]:
    """The samples with velocities that do not open any gap further, where all conditions are defined, and the accelerations there.

    The coordinates need not be closed: reactions of gaps that stay as they are do no work either.
    """
    rows = conditions(tree, at.q, at.v)
    moving = np.stack([at.columns[id(x)] for x in at.v], axis=1)
    for _ in range(SAMPLE_NEWTON_STEPS if any(condition_levels(tree)) else 1):
        J, drift = (np.nan_to_num(at.of(x), posinf=0.0, neginf=0.0) for x in (rows.jacobians, rows.rates))
        moving = moving - np.einsum("bnm,bm->bn", np.linalg.pinv(J, rcond=LEFT_OUT_OF_STEPS), drift)
        at = replace(at, columns={**at.columns, **{id(x): moving[:, i] for i, x in enumerate(at.v)}})
    applied = applied_forces(tree, at.t, at.q, at.v)
    force = applied - inverse_dynamics(tree, at.q, at.v, np.zeros(tree.nv))[0]
    along = rows.along if tree.is_directed else np.empty(0)
    terms = at.of(np.concatenate([rows.rates, rows.biases, rows.jacobians.ravel(), force, along.ravel()]))
    at = at.only(np.all(np.isfinite(terms), axis=1))
    if tree.varied:
        return at, at.of(constrained.accelerations(tree, at.q, at.v, applied)[0])
    J, M = at.of(rows.jacobians), at.of(mass_matrix(tree, at.q))
    B = at.of(along) if tree.is_directed else None
    return at, least_multipliers(M, at.of(force), J, at.of(rows.biases), B=B)[0]


def with_closed_positions(tree: Tree, at: Sampling) -> Sampling:
    """The samples that Newton's method brings to positions where all conditions on positions hold.

    Where a gap is open, opposite reactions act at two points, with a moment that no motion knows.
    """
    on_positions = np.flatnonzero(np.array(condition_levels(tree)) == 0)
    rows = conditions(tree, at.q, at.v)
    gaps, J = rows.values[on_positions], rows.jacobians[on_positions]
    q_dot, moved, closed = rates(tree, at.q, at.v), at, np.zeros(at.count, dtype=bool)
    for _ in range(SAMPLE_NEWTON_STEPS):
        open_by, Q = moved.of(gaps), np.stack([moved.columns[id(x)] for x in at.q], axis=1)
        closed = np.abs(open_by).max(axis=1) <= SAMPLES_CLOSED * np.maximum(1.0, np.abs(Q).max(axis=1))
        if closed.all():
            break
        slopes, open_by = (np.nan_to_num(x, posinf=0.0, neginf=0.0) for x in (moved.of(J), open_by))
        step = -np.einsum("bnm,bm->bn", np.linalg.pinv(slopes, rcond=LEFT_OUT_OF_STEPS), open_by)
        turned = replace(moved, columns={**moved.columns, **{id(x): step[:, i] for i, x in enumerate(at.v)}}).of(q_dot)
        Q = on_charts(tree, at.q, Q + turned)
        moved = replace(moved, columns={**moved.columns, **{id(x): Q[:, i] for i, x in enumerate(at.q)}})
    return moved.only(closed)


def coupled_roots(tree: Tree) -> list[list[int]]:
    """Groups of two or more roots whose bodies act on each other, directly or through others."""
    return [part for part in root_groups(tree) if len(part) > 1]


def root_groups(tree: Tree) -> list[list[int]]:
    """Groups of roots whose bodies act on each other, directly or through others.

    A root is the innermost link on a way from the ground that can move; what is fixed or driven below it acts as the ground does.
    """
    root: dict[int, int] = {}
    for link in tree.links:
        moving = [i for i in tree.path(link.index) if tree.links[i].joint.nv]
        root |= {link.index: moving[0]} if moving else {}
    ties = [[root[i] for i in acting.links if i in root] for acting in tree.actions]
    ties += [[root[i] for i in (c.parent, c.child) if i in root] for c in tree.closures]
    ties += [[root[i] for i in _constrained_links(tree, one) if i in root] for one in tree.constraints]
    return _unite({i: i for i in root.values()}, ties)


def _unite(names: dict[int, int], ties: Iterable[Sequence[int]]) -> list[list[int]]:
    """The parts of a set, given as a mapping to the name of a part, that are left when ties join some of them."""
    for tie in ties:
        for one in tie[1:]:
            old, new = names[one], names[tie[0]]
            names = {i: new if part == old else part for i, part in names.items()}
    return [[i for i in names if names[i] == part] for part in dict.fromkeys(names.values())]


def _is_constrained_from_outside(tree: Tree, links: list[int]) -> bool:
    """Whether a closing joint or a constraint ties some of the links to others or to the ground."""
    ties = [(c.parent, c.child) for c in tree.closures]
    ties += [_constrained_links(tree, one) or [-1] for one in tree.constraints if not _is_inner(tree, one)]
    return any(0 < sum(i in links for i in tie) < len(tie) or (len(tie) == 1 and tie[0] in links) for tie in ties)


def _is_tied_to_others(tree: Tree, links: list[int]) -> bool:
    """Whether something besides its joints ties a part to the rest, or a constraint inside it changes when it moves rigidly."""
    inside = [one for one in tree.constraints if any(i in links for i in _constrained_links(tree, one))]
    return _is_constrained_from_outside(tree, links) or any(notices_frame(tree, one) for one in inside)


def _is_inner(tree: Tree, held: Constrained) -> bool:
    """Whether a constraint is on the deformation of one body, and does not change when that moves rigidly."""
    alone = [tree.links[i] for kind, i in held.ends if kind == "body" and i >= 0]
    return len(held.ends) == len(alone) == 1 and alone[0].joint.kind.inner > 0 and not notices_frame(tree, held)


def _constrained_links(tree: Tree, held: Constrained) -> list[int]:
    """Links on which the efforts of a constraint act, −1 for the ground; those along a joint act on both of its bodies."""
    return [i for kind, k in held.ends for i in ((k, tree.links[k].parent) if kind == "joint" else (k,))]


def energy_integrals(
    tree: Tree, twists: list[np.ndarray], placed: list[Placement], loads: list[ActionLoad], at: Sampling
) -> list[Integral]:
    """The energy of every part of the system that does not interact with the rest and has no damper or drive that does
    work.

    Nothing passes through a joint that is free along all six ``twists``; bodies that act on each other are in one part.
    """
    names = {link.index: link.index for link in tree.links}
    for link in tree.links:
        if link.parent >= 0 and len(twists[link.index]) < 6:
            names[link.index] = names[link.parent]
    ties = [[c.parent, c.child] for c in tree.closures if c.parent >= 0]
    ties += [[i for i in _constrained_links(tree, one) if i >= 0] for one in tree.constraints]
    parts = _unite(names, [*ties, *([i for i in load.links if i >= 0] for load in loads)])
    found = []
    for part in parts:
        idle = not any(tree.links[i].joint.nv for i in part)
        if idle or any(works(tree.links[i], at) for i in part) or any(load.works and load.on(part) for load in loads):
            continue
        T, U = kinetic_energy(tree, placed, part), potential_energy(tree, at.t, at.q, placed, part)
        first = tree.links[part[0]].body.name
        carried = all(i in subsystem(tree, part[0]) for i in part)
        rest = "" if len(part) == 1 else " and what it carries" if carried else " and what it is coupled to"
        name = "energy" if len(parts) == 1 else f"energy of '{first}'{rest}"
        reason = (
            "no damper, and no drive"
            + (" or action" if any(load.on(part) for load in loads) else "")
            + " that does work"
        )
        found.append(
            Integral(name, "T + U", "J", reason, T + U, at_least(T, kinetic_size(tree, at.q, at.v, part)) + absolute(U))
        )
    return found


def works(link, at: Sampling) -> bool:
    """Whether a joint's dampers or drives may change the energy."""
    if not link.joint.nv or not is_driven(link, at).any():
        return False
    if np.any(at.of(link.joint.damping) != 0.0):
        return True
    force = np.asarray(compliance_of(link.joint).drive_force(at.t, at.q[link.q], at.v[link.v]), dtype=object)
    if any(node.op not in ALGEBRAIC for node in nodes(force)):
        return True
    force, v = at.of(force), at.of(at.v[link.v])
    return bool(np.abs((force * v).sum(axis=1)).max() > NO_POWER * np.abs(force * v).max())


def is_conserved(one: Integral, tree: Tree, accelerations: np.ndarray, at: Sampling) -> bool:
    """Whether dI/dt = ∂I/∂q q̇ + ∂I/∂v v̇ + ∂I/∂t vanishes at every random state, to the round-off of the largest, and within a
    margin for cancellation at each of them: forces at one may dwarf those at all others."""
    jacobians = at.of(gradient(one.value, np.array([*at.q, *at.v, at.t], dtype=object)))
    q_dot = at.of(with_mass_rates(tree, rates(tree, at.q, at.v), at.q, at.v))
    terms = jacobians * np.concatenate([q_dot, accelerations, np.ones((at.count, 1))], axis=1)
    floor = PER_SECOND * np.abs(at.of([one.size])).max()
    rate, size = np.abs(terms.sum(axis=1)), np.maximum(np.abs(terms).sum(axis=1), floor)
    steady = rate.max() <= CONSERVED * size.max() and np.all(rate <= CONSERVED_EACH * size)
    return bool(np.all(np.isfinite(terms)) and steady)


def independent(integrals: list[Integral], at: Sampling) -> list[Integral]:
    """Those that are not constants, nor linear combinations of the ones before them."""
    kept, columns = [], [np.ones(at.count)]
    for one in integrals:
        values, size = at.of([one.value])[:, 0], np.abs(at.of([one.size])).max()
        if not size > 0.0:
            continue
        column = values / size
        known = np.stack(columns, axis=1)
        left = column - known @ np.linalg.lstsq(known, column, rcond=None)[0]
        if np.abs(left).max() > INDEPENDENT_INTEGRALS:
            kept.append(_with_own_name(one, kept))
            columns.append(column / np.abs(column).max())
    return kept


def _with_own_name(one: Integral, others: list[Integral]) -> Integral:
    """With a number after its name if another has that name already."""
    alike = sum(other.name.partition(" #")[0] == one.name for other in others)
    return replace(one, name=f"{one.name} #{alike + 1}") if alike else one
