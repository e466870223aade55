"""`derive`: the equations of motion of a system in one of four forms."""

from collections.abc import Callable
from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from vinculum.derivations.coordinates import chosen_coordinates
from vinculum.derivations.equations.equations import Equations
from vinculum.derivations.equations.graphs import Graphs
from vinculum.derivations.equations.loops import loops_of
from vinculum.derivations.equations.state import State
from vinculum.derivations.forms import IN_RATES, check_form, form_module
from vinculum.derivations.printing.letters import letter, mass_letters, mu_letters, q_letters, unique, v_letters
from vinculum.equations.constraints.variational import added_inertia_and_force
from vinculum.equations.forms import lagrange, newton_euler_blocks
from vinculum.equations.forms.hamilton import at_rest, canonical_form, lagrangian_parts, momentum_matrix
from vinculum.equations.forms.reduction import reduce_equations
from vinculum.equations.recursions.coordinate_rates import mass_rates, rates_are_velocities, velocities
from vinculum.errors import MethodError, StartError
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model_cache import model_for
from vinculum.models.types import model_of
from vinculum.scalars import directional, gradient, jacobian, substitute, symbol, symbols
from vinculum.systems import Tree
from vinculum.systems.state_names import q_names, v_names


def derive(system, form: str = "lagrange", *, coordinates: Callable | None = None) -> Equations:
    """The equations of motion M v̇ + h = τ of a system.

    ``form``: "newton-euler" (Cheremensky (22)–(26)), "lagrange" (his (36)), "telegin" (Telegin 2014) or "hamilton".
    Lagrange's and Hamilton's forms use coordinates and their rates, v = q̇; the others use the joints' own velocities.
    ``coordinates``: a function from new coordinates x to those of the joints, as ``lambda a, b: {"shoulder": a,
    "elbow": b - a}``; every form then uses x and ẋ.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> equations = vc.derive(system)
    >>> equations.mass_matrix([0.0]).round(6).tolist()
    [[0.045]]
    """
    form_module(form)
    return equations_of(system, form, coordinates)


@singledispatch
def equations_of(system: Any, form: str, coordinates: Callable | None) -> Equations:
    """The equations of what is described: bodies, where nothing else is registered for its class."""
    module, model = form_module(form), model_for(system)
    model.check_written_out("derived equations")
    model.check_unbounded("derived equations")
    tree = model.tree
    if tree is None:
        raise StartError(
            f"'{model.name}' comes from a stored run, which has no description to derive from; give the vc.System"
        )
    check_form(tree, form)
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    tree = tree.at(t, q)
    loops = loops_of(tree, form, form in IN_RATES, q, v)
    if loops is not None:
        if coordinates is not None:
            raise MethodError(
                f"system '{tree.name}' has closed loops; equations in other coordinates are derived for trees only: leave "
                "coordinates= out"
            )
        model = replace(model, layout=replace(model.layout, parameters=visible(model.parameters)))
    M, h = module.standard_form(tree, q[: tree.placed], v, t)
    if tree.varied:
        M, h = _with_added(tree, M, h, q, v, form in IN_RATES)
    parts = {"mass_matrix": M, "bias": h}
    if form == "hamilton":
        kinetic, potential, force = lagrangian_parts(tree, t, q, v)
        parts |= {
            "kinetic": [kinetic],
            "potential": [potential],
            "force": force,
            "momentum_matrix": momentum_matrix(tree, q),
        }
    multipliers = () if loops is None else (one.plain for one in loops.letters)
    taken = (*model.parameters, "t", *(("H",) if form == "hamilton" else ()), *multipliers)
    if tree.varying and coordinates is not None:
        raise MethodError(
            f"system '{tree.name}': the mass of '{tree.varying[0].body.name}' varies; equations in other coordinates are derived for "
            "masses that stay: leave coordinates= out"
        )
    if coordinates is None:
        names, heads = q_names(tree), unique([*q_letters(tree), *mass_letters(tree), *mu_letters(tree)], taken)
        placed = tree.placed
        rates = unique([one.dot() for one in heads[:placed]] if form in IN_RATES else v_letters(tree, heads))
        rate_names = names[:placed] if form in IN_RATES else v_names(tree)
        state = State(q, v, t, tuple(names), tuple(rate_names), tuple(heads), tuple(rates))
    else:
        chosen = chosen_coordinates(tree, coordinates)
        parts = _in_other_coordinates(parts, tree, form, q, v, chosen)
        heads = unique([letter(name) for name in chosen.names], taken)
        state = State(
            chosen.x, chosen.x_dot, t, chosen.names, chosen.names, tuple(heads), tuple(h.dot() for h in heads)
        )
    extra = _canonical(parts, state) if form == "hamilton" else {}
    blocks = None if coordinates is not None or tree.prescribed or tree.varied or tree.varying else _BLOCKS.get(form)
    return Equations(Graphs(tree.name, form, state, parts["mass_matrix"], parts["bias"], model, extra,
                            None if blocks is None else (lambda: blocks(tree, state)), loops,
                            (derive_again, (model.tree, form, coordinates)),
                            mass_rates(tree, q, velocities(tree, q, v) if form in IN_RATES else v)))  # fmt: skip


def derive_again(tree: Tree, form: str, coordinates: Callable | None) -> Equations:
    """The equations of a tree that comes from another process."""
    return derive(model_of(tree), form, coordinates=coordinates)


def _with_added(tree: Tree, M, h, q, v, in_rates: bool) -> tuple[np.ndarray, np.ndarray]:
    """M and h with what constraints add to the Lagrangian, (M + S) v̇ + h − f. Gołubowska (52), (72)."""
    if not in_rates or rates_are_velocities(tree):
        S, f = added_inertia_and_force(tree, q, v)
        return M + S, h - f
    speed = velocities(tree, q, v)
    S, f = added_inertia_and_force(tree, q, speed)
    S, left = reduce_equations(S, -f, speed, q[: len(v)], v)
    return M + S, h + left


def _in_other_coordinates(parts: dict, tree: Tree, form: str, q, v, chosen) -> dict:
    """Every part over x and ẋ: M and h reduced, energies substituted, forces and momenta projected."""
    speed = directional(chosen.q, chosen.x, chosen.x_dot) if form in IN_RATES else chosen.v
    old, new = np.concatenate([q, v]), np.concatenate([chosen.q, speed])
    moved = {name: substitute(np.asarray(part, dtype=object), old, new) for name, part in parts.items()}
    moved["mass_matrix"], moved["bias"] = reduce_equations(
        moved["mass_matrix"], moved["bias"], speed, chosen.x, chosen.x_dot
    )
    if form == "hamilton":
        N = jacobian(speed, chosen.x_dot)
        moved["force"], moved["momentum_matrix"] = N.T @ moved["force"], N.T @ moved["momentum_matrix"] @ N
    return moved


def _canonical(parts: dict, state: State) -> dict:
    p = symbols("p", len(state.v))
    given = (parts["kinetic"][0], parts["potential"][0], parts["force"])
    H, velocity, p_dot = canonical_form(given, parts["momentum_matrix"], state.q, state.v, p)
    return {"p": p, "hamiltonian": np.array([H], dtype=object), "velocities": velocity, "momenta_rates": p_dot,
            "momentum_matrix": parts["momentum_matrix"], "parts": given,
            "momentum_drift": at_rest(gradient(parts["kinetic"][0], state.v), state.v)}  # fmt: skip


_BLOCKS = {
    "newton-euler": lambda tree, state: newton_euler_blocks.block_form(tree, state.q, state.v),
    "lagrange": lambda tree, state: lagrange.block_form(tree, state.q, state.v, state.t),
}
