"""The kinetic metric of bodies and joints."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vinculum.derivations.coordinates import Coordinates, chosen_coordinates
from vinculum.derivations.starts.assembly import assemble
from vinculum.equations.constraints.conditions import condition_levels, condition_names, condition_sizes, conditions
from vinculum.equations.forms.hamilton import momentum_matrix
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.coordinate_rates import velocities
from vinculum.errors import MethodError, StartError
from vinculum.geometry.sources.kinetic import KineticGraph
from vinculum.geometry.sources.local import on_surface, turned_quaternion
from vinculum.models.model import Model
from vinculum.models.model_cache import model_for
from vinculum.scalars import directional, jacobian, replay, substitute, symbol, symbols
from vinculum.scalars.math import NUMERIC
from vinculum.systems import Tree, named_in_start, start_state
from vinculum.systems.jets import array_name, derivative_name
from vinculum.systems.state_names import q_names
from vinculum.tolerances.functions import VANISHED
from vinculum.tolerances.samples import RESTRICTION_SAMPLES
from vinculum.tolerances.sizes import HIGHEST_DERIVATIVE

GIVE_COORDINATES = "give coordinates= as a function of free coordinates that returns those of the joints"
PLACE = ", or at= a place, about which some are chosen"


def metric_of_bodies(system: Any, coordinates: Callable | None, at: Any) -> KineticGraph:
    r"""The mass matrix of a tree in coordinates and their rates.

    .. math:: g = W^T M W,\qquad v = W(q)\,\dot q

    With ``coordinates`` q = f(x) it is pulled back to x. About a place ``at`` quaternions have local coordinates, and constraints leave
    some of all coordinates. Moreau, (8.1); Gołubowska (28)–(31).
    """
    model = model_for(system)
    model.check_written_out("metrics")
    tree = model.tree
    if tree is None:
        raise StartError(f"'{model.name}' is a loaded run, which has no description; give the vc.System")
    _check(tree)
    if at is not None:
        if coordinates is not None:
            raise MethodError(f"system '{tree.name}': coordinates= and at= both choose coordinates; give one of them")
        return _about_place(model, tree, at)
    if coordinates is None:
        _check_free(tree)
        q = symbols("q", tree.nq)
        names = identifiers(q_names(tree))
        g = momentum_matrix(tree, q)
    else:
        chosen = chosen_coordinates(tree, coordinates)
        _check_conditions(tree, chosen)
        q, names = chosen.x, identifiers(chosen.names)
        own = symbols("q", tree.nq)
        M = substitute(np.asarray(mass_matrix(tree, own), dtype=object), own, chosen.q)
        N = jacobian(chosen.v, chosen.x_dot)
        g = N.T @ (M @ N)
    named = np.array([*(symbol(name) for name in names), None], dtype=object)[:-1]
    g = substitute(np.asarray(g, dtype=object), q, named)
    return KineticGraph(tree.name, names, named, g)


def _about_place(model: Model, tree: Tree, at: Any) -> KineticGraph:
    """The metric on local coordinates about a place, written as the start of a run."""
    where, values = f"system '{tree.name}'", model.parameter_values(None)
    q, v = start_state(tree, at, dict(zip(model.parameter_names, values.tolist(), strict=True)))
    if tree.is_conditioned:
        _check_levels(tree)
        made = assemble(model, q, np.zeros_like(v), values, *named_in_start(at))
        if made.singular:
            raise StartError(
                f"{where}: {(np.round(made.q, 6) + 0.0).tolist()} is a singular position, where bonds leave more degrees of freedom than "
                "nearby, and no surface; choose a place beside it"
            )
        q = made.q
    local, place = _local_coordinates(model, tree, q)
    own = symbols("q", tree.nq)
    M = substitute(np.asarray(mass_matrix(tree, own), dtype=object), own, local.q)
    N = jacobian(local.v, local.x_dot)
    names = identifiers(local.names)
    named = np.array([*(symbol(name) for name in names), None], dtype=object)[:-1]
    g = substitute(np.asarray(N.T @ (M @ N), dtype=object), local.x, named)
    full = KineticGraph(tree.name, names, named, g)
    if not tree.is_conditioned:
        return full
    gaps = conditions(tree, own, symbols("v", tree.nv), biases=False).values / condition_sizes(tree)
    gaps = substitute(substitute(np.asarray(gaps, dtype=object), own, local.q), local.x, named)
    given, _ = named_in_start(at)
    wanted = [k for k, name in enumerate(local.names) if name in given or name.rpartition(".")[0] in given]
    return on_surface(full, gaps, place, f"{where}: its constraints", wanted)


def _local_coordinates(model: Model, tree: Tree, q: np.ndarray) -> tuple[Coordinates, np.ndarray]:
    """Coordinates about a place q (nq,), those of quaternions three for each, and their values there."""
    names, places, x, parts, last = [], [], [], [], 0
    own = q_names(tree)
    for first, end in [*((int(a), int(b)) for a, b in model.layout.quaternions), (tree.nq, tree.nq)]:
        plain = [symbol(name) for name in own[last:first]]
        names, places, x, parts = [*names, *own[last:first]], [*places, *q[last:first]], [*x, *plain], [*parts, *plain]
        if end > first:
            joint, r = own[first].rpartition(".")[0], symbols("r", 3)
            names, places, x = [*names, *(f"{joint}.r{axis}" for axis in "xyz")], [*places, 0.0, 0.0, 0.0], [*x, *r]
            parts += list(turned_quaternion(q[first:end], r))
        last = end
    found, made = (np.array([*some, None], dtype=object)[:-1] for some in (x, parts))
    rates = symbols("x_dot", len(found))
    v = velocities(tree, made, directional(made, found, rates))
    return Coordinates(tuple(names), found, rates, made, np.asarray(v, dtype=object)), np.array(places)


def _check_levels(tree: Tree) -> None:
    """Refuse constraints that no coordinates can satisfy."""
    levels, names = condition_levels(tree), condition_names(tree)
    moving = next((name for level, name in zip(levels, names, strict=True) if level > 0), None)
    if moving is not None:
        raise MethodError(
            f"system '{tree.name}': constraint '{moving[0]}' binds velocities and not positions, so that no coordinates satisfy it; "
            "a metric is for holonomic constraints"
        )


def _check(tree: Tree) -> None:
    if not tree.links or not tree.nv:
        raise MethodError(f"system '{tree.name}' cannot move, so that it has no configuration space; add joints")
    if tree.prescribed:
        names = [link.body.name for link in tree.prescribed]
        raise MethodError(
            f"system '{tree.name}': bodies {names} are prescribed, and its kinetic energy is no square of velocities; "
            "a metric needs one: leave them out"
        )
    if tree.varied:
        raise MethodError(
            f"system '{tree.name}' has {tree.conditioned_by}, whose realization adds to the Lagrangian; a metric is that of "
            "bodies alone: leave it out"
        )


def _check_free(tree: Tree) -> None:
    if tree.is_conditioned:
        raise MethodError(
            f"system '{tree.name}' has {tree.conditioned_by}, so that its coordinates depend on each other; {GIVE_COORDINATES}{PLACE}"
        )
    for link in tree.links:
        if link.joint.nq != link.joint.nv:
            raise MethodError(
                f"system '{tree.name}': joint '{link.joint.name}' has {link.joint.nq} coordinates for {link.joint.nv} velocities, "
                "as a quaternion has, and no chart of the configuration space has that; give the joint another chart, as "
                "chart='zyx', or " + GIVE_COORDINATES + PLACE
            )  # fmt: skip


def _check_conditions(tree: Tree, chosen: Coordinates) -> None:
    """Refuse coordinates that leave a constraint, and constraints that no coordinates can satisfy."""
    if not tree.is_conditioned:
        return
    _check_levels(tree)
    names = condition_names(tree)
    gaps = conditions(tree, chosen.q, chosen.v, biases=False).values / condition_sizes(tree)
    draw = np.random.default_rng(2)
    for _ in range(RESTRICTION_SAMPLES):
        at = {id(x): draw.uniform(-1.0, 1.0) for x in chosen.x}
        with np.errstate(all="ignore"):
            found = replay(gaps, lambda leaf, at=at: at.get(id(leaf), leaf.args[-1]), NUMERIC).astype(float)
        bad = np.flatnonzero(~(np.abs(found) <= VANISHED))
        if len(bad):
            place = [round(at[id(x)], 4) for x in chosen.x]
            raise MethodError(
                f"system '{tree.name}': the coordinates {list(chosen.names)} do not satisfy '{names[bad[0]][0]}': its gap is "
                f"{found[bad[0]]:.3g} at {place}; {GIVE_COORDINATES} and satisfies it everywhere"
            )


def identifiers(names: Sequence[str]) -> tuple[str, ...]:
    """The names as arguments of functions: 'ball.x' is ball_x; those that stand for arrays or the time get an underscore."""
    taken, result = {"t", *(array_name(k) for k in range(HIGHEST_DERIVATIVE + 1))}, []
    for name in names:
        one = re.sub(r"\W", "_", name)
        one = one if one.isidentifier() else f"q_{one}"
        while one in taken:
            one += "_"
        taken |= {derivative_name(one, k) for k in range(HIGHEST_DERIVATIVE + 1)}
        result.append(one)
    return tuple(result)
