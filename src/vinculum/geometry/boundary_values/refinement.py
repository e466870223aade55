"""Meshes refined until the curve does not change."""

from collections.abc import Callable

import numpy as np

from vinculum.errors import RunError
from vinculum.geometry.boundary_values.curve import CurveNodes, StationaryCurve
from vinculum.geometry.boundary_values.discrete import Conditions, Discrete, discretize
from vinculum.geometry.boundary_values.infeasible import unmet_condition
from vinculum.geometry.boundary_values.mesh import Mesh
from vinculum.geometry.boundary_values.second_variation import descend_to_least, steepest_descent
from vinculum.geometry.boundary_values.solution import Solution, solve_least, solve_stationary
from vinculum.tolerances.boundary_values import (
    DEGREE,
    FIRST_ELEMENTS,
    MOST_ELEMENTS,
    MOST_UNKNOWNS_OF_A_VARIATION,
    REFINEMENTS,
)


def solve_to(where: str, conditions: Conditions, guess: Callable, least: bool, tolerance: float) -> StationaryCurve:
    """The curve on meshes that are refined where it changes, until it changes by less than the tolerance."""
    mesh = Mesh(np.linspace(0.0, 1.0, FIRST_ELEMENTS + 1), DEGREE)
    discrete, moving = discretize(conditions, mesh), conditions.moving
    start = discrete.pack(guess(mesh.nodes)[:, moving], guess(mesh.points)[:, ~moving], 0.5 * sum(conditions.until))
    found = _solve(discrete, start, least)
    if not found.is_solved:
        raise _failure(where, discrete, start, found, least)
    found = descend_to_least(discrete, found) if least else found
    examined = discrete, found
    log, wanted = [_summary(discrete, found)], np.ones(mesh.count, dtype=bool)
    error, of_controls, ended = np.inf, np.inf, ""
    for _ in range(REFINEMENTS):
        finer = discretize(conditions, mesh.split(wanted))
        states, controls, until = discrete.unpack(found.x)
        start = finer.pack(mesh.at(finer.mesh.nodes, states), mesh.between(finer.mesh.points, controls), until)
        better = _solve(finer, start, least)
        if not better.is_solved:
            ended = f" (on a finer one IPOPT ended with {better.status})"
            break
        changes, whole, of_controls = _changes(discrete, found, finer, better)
        error = max(whole, float(changes.max()))
        log.append(f"{_summary(finer, better)}, changed by {error:.1e}")
        discrete, found, mesh = finer, better, finer.mesh
        examined = (finer, better) if finer.x.shape[0] <= MOST_UNKNOWNS_OF_A_VARIATION else examined
        if error <= tolerance:
            curve = _curve(where, discrete, found, error, of_controls, log)
            if least:
                _check_least(where, *examined, curve)
            return curve
        # All elements where only the end time or the action changes.
        wanted = changes > tolerance if changes.max() > tolerance else np.ones(mesh.count, dtype=bool)
        if mesh.count + wanted.sum() > MOST_ELEMENTS:
            break
    known = f"known to {error:.1e} only" if np.isfinite(error) else "not compared with a finer mesh"
    raise RunError(
        f"{where}: with {mesh.count} elements{ended} the curve is {known}, and {tolerance:.1e} was asked for; take a larger tolerance; a "
        "curve with corners has large errors beside them",
        _curve(where, discrete, found, error, of_controls, log),
    )


def _solve(discrete: Discrete, start: np.ndarray, least: bool) -> Solution:
    return solve_least(discrete, start) if least else solve_stationary(discrete, start)


def _failure(where: str, discrete: Discrete, start: np.ndarray, found: Solution, least: bool) -> RunError:
    """The message about a problem that IPOPT does not solve: the condition that cannot be met, or what may help."""
    unmet = unmet_condition(
        discrete, start
    )  # an action without a least value may diverge before IPOPT sees that rows cannot be met
    if unmet is not None:
        return RunError(f"{where}: {unmet}; change it, or another condition")
    remedy = "give a guess nearer to the curve"
    if least:
        remedy += "; or the action has no least value"
        remedy += "" if discrete.conditions.unilaterals else ": try kind='stationary'"
    return RunError(f"{where}: IPOPT ended with {found.status}; {remedy}")


def _check_least(where: str, discrete: Discrete, found: Solution, curve: StationaryCurve) -> None:
    """Refuse a curve along some variation of which the action falls."""
    descent = steepest_descent(discrete, found, curve.error)
    if descent is None:
        return
    other = "" if discrete.conditions.unilaterals else ", or try kind='stationary'"
    raise RunError(
        f"{where}: the action {curve.action:.6g} of the curve that was found is stationary, and falls beside it (its second variation is "
        f"{descent.curvature:.1e} of its largest part); near the guess the action has no least value: give another guess{other}",
        curve,
    )


def _changes(before: Discrete, old: Solution, after: Discrete, new: Solution) -> tuple[np.ndarray, float, float]:
    """Of states on each element of the finer mesh, of end time and action, and of controls."""
    (states, controls, until), (states_, controls_, until_) = before.unpack(old.x), after.unpack(new.x)
    mesh, scale = after.mesh, np.maximum(1.0, np.abs(states_).max(axis=0, initial=0.0))
    apart = np.abs(before.mesh.at(mesh.nodes, states) - states_) / scale
    inner = apart[:-1].reshape(mesh.count, mesh.degree, -1).max(axis=(1, 2), initial=0.0)
    last = apart[mesh.degree :: mesh.degree].max(axis=1, initial=0.0)
    control = float(np.abs(before.mesh.between(mesh.points, controls) - controls_).max(initial=0.0))
    whole = max(abs(until - until_) / max(1.0, abs(until_)), abs(old.action - new.action) / max(1.0, abs(new.action)))
    return np.maximum(inner, last), float(whole), control


def _summary(discrete: Discrete, found: Solution) -> str:
    return f"{discrete.mesh.count} elements, {discrete.x.shape[0]} unknowns: action {found.action:.12g}"


def _curve(
    where: str, discrete: Discrete, found: Solution, error: float, control_error: float, log: list[str]
) -> StationaryCurve:
    conditions, mesh = discrete.conditions, discrete.mesh
    states, controls, until = discrete.unpack(found.x)
    span, moving = until - conditions.begin, conditions.moving
    q = np.empty((len(mesh.nodes), len(moving)))
    q[:, moving], q[:, ~moving] = states, mesh.between(mesh.nodes, controls)
    multipliers, of_integrals = {}, {}
    for group in discrete.groups:
        values = found.multipliers[group.rows]
        if group.kind == "integral":
            of_integrals[group.name] = float(values[0])
        elif group.kind in ("constraint", "unilateral"):
            kept = group.nodes
            weights = mesh.weights if kept is None else mesh.node_weights[kept]
            rows = values.reshape(-1, len(weights)).T / (weights * span)[:, None]
            multipliers[group.name] = rows if kept is None else mesh.outward(rows, kept)
    time = conditions.begin + span * mesh.nodes
    return StationaryCurve(where, tuple(conditions.action.coordinates), conditions.begin, until, time, q, found.action, error,
                           control_error, of_integrals, CurveNodes(mesh, moving, multipliers, controls), tuple(log))  # fmt: skip
