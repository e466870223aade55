"""The Hamiltonian of bodies and joints."""

from collections.abc import Callable
from typing import Any

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.trace import trace
from vinculum.derivations.coordinates import chosen_coordinates
from vinculum.equations.constraints.conditions import condition_levels, condition_names, condition_sizes, conditions
from vinculum.equations.contact.unilateral_rows import unilateral_rows
from vinculum.equations.forms.hamilton import lagrangian_parts, momentum_matrix
from vinculum.errors import MethodError, StartError
from vinculum.geometry.hamiltonian.functions import momentum_names
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace, UnilateralGraph
from vinculum.geometry.hamiltonian.sources.legendre import check_regular, name_symbols
from vinculum.geometry.sources.bodies import identifiers
from vinculum.models.model_cache import model_for
from vinculum.scalars import directional, jacobian, parameters, replay, substitute, symbol, symbols
from vinculum.scalars.math import NUMERIC
from vinculum.systems import Tree
from vinculum.systems.state_names import q_names
from vinculum.tolerances.functions import VANISHED
from vinculum.tolerances.rank import DEPENDENT_ROWS
from vinculum.tolerances.samples import METRIC_BOX, RANK_SAMPLES, RESTRICTION_SAMPLES

CHART = "give the joint another chart, as chart='zyx'"


def transform_bodies(system: Any, coordinates: Callable | None) -> tuple[PhaseSpace, tuple[tuple[str, Any], ...]]:
    r"""The Hamiltonian of a tree in coordinates and their momenta.

    .. math:: H = p\cdot\dot q - T(q, \dot q, t) + U(q, t),\qquad p = M(q)\,\dot q + b

    With ``coordinates`` q = f(x) all is pulled back to x. Closing conditions and holonomic constraints that remain are returned.
    """
    model = model_for(system)
    model.check_written_out("Hamiltonians")
    model.check_unbounded("Hamiltonians", meets_gaps=True)
    tree = model.tree
    if tree is None:
        raise StartError(f"'{model.name}' is a loaded run, which has no description; give the vc.System")
    _check(tree)
    t = symbol("t")
    tree = tree.at(t)
    q, v = symbols("q", tree.nq), symbols("v", tree.nq)
    kinetic, potential, force = lagrangian_parts(tree, t, q, v)
    if any(not (isinstance(x, (int, float)) and x == 0.0) for x in np.ravel(force)) and not _vanish(force, q, v, t):
        raise MethodError(
            f"system '{tree.name}': dampers, drives or forces act that no potential gives, and a Hamiltonian has none; leave them out, "
            'or derive(system, form="hamilton") adds them to ṗ'
        )
    gaps, bounds = _gaps(tree, q), _unilateral_gaps(tree, q, t)
    if coordinates is None:
        names, old, new, new_dot = identifiers(q_names(tree)), q, q, v
        M = momentum_matrix(tree, q)
    else:
        chosen = chosen_coordinates(tree, coordinates)
        names, new, new_dot = identifiers(chosen.names), chosen.x, chosen.x_dot
        N = jacobian(chosen.q, chosen.x)
        rate = directional(chosen.q, chosen.x, chosen.x_dot)
        M = N.T @ (substitute(np.asarray(momentum_matrix(tree, q), dtype=object), q, chosen.q) @ N)
        every, old = np.concatenate([q, v]), np.concatenate([chosen.q, rate])
        kinetic, potential = substitute(np.array([kinetic, potential], dtype=object), every, old)
        bounds = substitute(bounds, q, chosen.q)
        gaps = tuple((name, substitute(np.array([x], dtype=object), q, chosen.q)[0]) for name, x in gaps)
        gaps = tuple((name, x) for name, x in gaps if not _vanish([x], new, new_dot, t))
    own, w, p = (
        name_symbols(names),
        name_symbols([f"{name}_dot" for name in names]),
        name_symbols(momentum_names(names)),
    )
    graphs = np.array([kinetic, potential, *np.ravel(M), *bounds, *(x for _, x in gaps)], dtype=object)
    graphs = substitute(graphs, np.concatenate([new, new_dot]), np.concatenate([own, w]))
    n, m = len(names), len(bounds)
    hessian, own_bounds, own_gaps = (
        graphs[2 : 2 + n * n].reshape(n, n),
        graphs[2 + n * n :][:m],
        graphs[2 + n * n + m :],
    )
    check_regular(f"system '{tree.name}'", hessian, own, [f"{name}_dot" for name in names])
    unilaterals = tuple(
        UnilateralGraph(f"'{one.unilateral.name}'", gap, float(one.unilateral.impact.restitution))
        for one, gap in zip(tree.unilaterals, own_bounds, strict=True)
    )
    space = PhaseSpace(
        tree.name, names, momentum_names(names), own, p, t, p @ w - graphs[0] + graphs[1], w, hessian, np.zeros(0, dtype=object),
        unilaterals=unilaterals,
    )  # fmt: skip
    return space, tuple((gaps[k][0], own_gaps[k]) for k in _independent(own_gaps, own))


def _check(tree: Tree) -> None:
    if not tree.links or not tree.nv:
        raise MethodError(f"system '{tree.name}' cannot move, so that it has no phase space; add joints")
    if tree.varied or tree.varying:
        what = tree.conditioned_by if tree.varied else f"the mass of '{tree.varying[0].body.name}', which varies"
        raise MethodError(
            f"system '{tree.name}' has {what}; Hamiltonians of bodies are for masses that stay and for holonomic constraints; "
            "write it as a vc.LagrangianSystem"
        )
    for link in tree.links:
        if link.joint.nq != link.joint.nv:
            raise MethodError(
                f"system '{tree.name}': joint '{link.joint.name}' has {link.joint.nq} coordinates for {link.joint.nv} velocities, as a "
                f"quaternion has, and no canonical momenta; {CHART}"
            )


def _unilateral_gaps(tree: Tree, q: np.ndarray, t) -> np.ndarray:
    """Gaps of the unilateral constraints; those that have friction, or no restitution, are refused."""
    for one in (bounded.unilateral for bounded in tree.unilaterals):
        if one.friction is not None:
            raise MethodError(
                f"system '{tree.name}': {one.called} has friction, which no Hamiltonian gives; leave friction= out, or vc.simulate it"
            )
        if one.impact.restitution == 0.0:
            raise MethodError(
                f"system '{tree.name}': the impacts of {one.called} are inelastic, so that motions stay there with fewer degrees of "
                f"freedom and no momenta go back; give impact= an e above 0, or leave it out with system.with_contacts({{}})"
            )
    return unilateral_rows(tree, q, symbols("v", tree.nv)).gaps


def _gaps(tree: Tree, q: np.ndarray) -> tuple[tuple[str, Any], ...]:
    if not tree.is_conditioned:
        return ()
    names = condition_names(tree)
    moving = [name for level, name in zip(condition_levels(tree), names, strict=True) if level > 0]
    if moving:
        raise MethodError(
            f"system '{tree.name}': constraint '{moving[0][0]}' binds velocities and not positions; its motions have no Hamiltonian"
        )
    values = conditions(tree, q, symbols("v", tree.nv), biases=False).values / condition_sizes(tree)
    return tuple((name[0], x) for name, x in zip(names, values, strict=True))


def _vanish(graphs, *leaves) -> bool:
    """Whether graphs vanish at random values of all leaves."""
    draw, every = np.random.default_rng(2), [x for group in leaves for x in np.ravel(group)]
    for _ in range(RESTRICTION_SAMPLES):
        at = {id(x): draw.uniform(-1.0, 1.0) for x in every}
        with np.errstate(all="ignore"):
            found = replay(
                np.asarray(graphs, dtype=object), lambda leaf, at=at: at.get(id(leaf), leaf.args[-1]), NUMERIC
            )
        if not np.all(np.abs(found.astype(float)) <= VANISHED):
            return False
    return True


def _independent(gaps: np.ndarray, q: np.ndarray) -> list[int]:
    """Numbers of the rows that do not follow from those before them: their gradients at random places are independent."""
    if not len(gaps):
        return []
    J, known = jacobian(gaps, q), parameters(gaps)
    places = np.random.default_rng(7).uniform(-METRIC_BOX, METRIC_BOX, (RANK_SAMPLES, len(q)))
    values = np.broadcast_to([known[name] for name in sorted(known)], (len(places), len(known)))
    found = evaluate(trace({"q": q}, {"J": J}, known), np.concatenate([places, values], axis=1))
    found = found.reshape(len(places), len(gaps), len(q))
    kept: list[int] = []
    for k in range(len(gaps)):
        rows = found[:, [*kept, k]]
        sizes = np.linalg.svd(rows, compute_uv=False)
        if rows.shape[1] <= len(q) and np.any(sizes[:, -1] > DEPENDENT_ROWS * np.maximum(1.0, sizes[:, 0])):
            kept.append(k)
    return kept
