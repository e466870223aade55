"""The kinetic metric of bodies and joints."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vinculum.derivations.coordinates import Coordinates, chosen_coordinates
from vinculum.equations.constraints.conditions import condition_levels, condition_names, condition_sizes, conditions
from vinculum.equations.forms.hamilton import momentum_matrix
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.errors import MethodError, StartError
from vinculum.geometry.sources.kinetic import KineticGraph
from vinculum.models.model_cache import model_for
from vinculum.scalars import jacobian, replay, substitute, symbol, symbols
from vinculum.scalars.math import NUMERIC
from vinculum.systems import Tree
from vinculum.systems.jets import array_name, derivative_name
from vinculum.systems.state_names import q_names
from vinculum.tolerances.functions import VANISHED
from vinculum.tolerances.samples import RESTRICTION_SAMPLES
from vinculum.tolerances.sizes import HIGHEST_DERIVATIVE

REMEDY = "give coordinates= as a function of free coordinates that returns those of the joints"


def metric_of_bodies(system: Any, coordinates: Callable | None) -> KineticGraph:
    r"""The mass matrix of a tree in coordinates and their rates.

    .. math:: g = W^T M W,\qquad v = W(q)\,\dot q

    With ``coordinates`` q = f(x) it is pulled back to x. Moreau, (8.1); Gołubowska (28)–(31).
    """
    model = model_for(system)
    model.check_written_out("metrics")
    tree = model.tree
    if tree is None:
        raise StartError(f"'{model.name}' is a loaded run, which has no description; give the vc.System")
    _check(tree)
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
            f"system '{tree.name}' has {tree.conditioned_by}, so that its coordinates depend on each other; {REMEDY}"
        )
    for link in tree.links:
        if link.joint.nq != link.joint.nv:
            raise MethodError(
                f"system '{tree.name}': joint '{link.joint.name}' has {link.joint.nq} coordinates for {link.joint.nv} velocities, "
                "as a quaternion has, and no chart of the configuration space has that; give the joint another chart, as "
                "chart='zyx', or " + REMEDY
            )  # fmt: skip


def _check_conditions(tree: Tree, chosen: Coordinates) -> None:
    """Refuse coordinates that leave a constraint, and constraints that no coordinates can satisfy."""
    if not tree.is_conditioned:
        return
    levels, names = condition_levels(tree), condition_names(tree)
    moving = next((name for level, name in zip(levels, names, strict=True) if level > 0), None)
    if moving is not None:
        raise MethodError(
            f"system '{tree.name}': constraint '{moving[0]}' binds velocities and not positions, so that no coordinates satisfy it; "
            "a metric is for holonomic constraints"
        )
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
                f"{found[bad[0]]:.3g} at {place}; {REMEDY} and satisfies it everywhere"
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
