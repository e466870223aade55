"""Closed loops in numbers: projection of states onto closed loops, and the distance of gaps from dependence."""

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from vinculum.compile.evaluate import evaluate_again, evaluate_rows
from vinculum.compile.tape import Tape
from vinculum.equations.constraints.closures import mixing_name
from vinculum.models.conditions.gaps import gap_places, gaps_at
from vinculum.models.model import Model
from vinculum.tolerances.constraints import CLOSED
from vinculum.tolerances.iterations import OUTPUT_ROUNDS
from vinculum.tolerances.rank import BEYOND_SQUARES, DEPENDENT_CLOSING, LEAST_RATIO
from vinculum.tolerances.round_off import LARGEST_SQUARED

T = TypeVar("T")
FEW_DECOMPOSED = 20
"""Jacobians whose singular values take less time than their squares and then some of the singular values."""


def move(model: Model, states: np.ndarray, change: np.ndarray, values: np.ndarray) -> np.ndarray:
    """States whose coordinates have moved by N(q) times a change (B, nv); velocities stay."""
    result = states.copy()
    result[:, : model.nq] += changed_coordinates(model, states, change, values)
    return model.on_charts(result)


def changed_coordinates(model: Model, states: np.ndarray, change: np.ndarray, values: np.ndarray) -> np.ndarray:
    """N(q) times a change (B, nv): by what coordinates move, (B, nq)."""
    B = len(states)
    rows = np.concatenate(
        [states[:, : model.nq], change, np.zeros((B, 1)), np.broadcast_to(values, (B, len(model.parameters)))], axis=1
    )
    return _rates(model.tape("rates"), rows)


def _rates(tape: Tape, rows: np.ndarray) -> np.ndarray:
    return evaluate_rows(tape, rows)[:, tape.slices(tape.outputs)["q_dot"]]


def close(model: Model, states: np.ndarray, times, values: np.ndarray, tight: bool = False) -> np.ndarray:
    """States (B, nq + nv) moved as little as the mass matrix measures it until all loops are closed, velocities included.

    Prescribed bodies stay where they are at the ``times``, one or (B,). Gaps below 1e-13 are kept, unless ``tight``. So are
    their rates, relative to the size of velocities and rotations, not to that of positions, which may be far away.
    """
    states = model.on_charts(states)
    if not model.layout.gaps or not len(states):
        return states
    rank, values = model.layout.rank, np.broadcast_to(values, (len(states), len(model.parameters)))
    times = np.broadcast_to(times, len(states))
    limit = 0.0 if tight else CLOSED
    levels = np.array(model.layout.levels)
    on_places, on_speeds = np.flatnonzero(levels == 0), np.flatnonzero(levels < 2)
    sized = [i for i, unit in enumerate([*model.layout.q_units, *model.layout.v_units]) if unit != "m"]
    for _ in range(2 if tight else OUTPUT_ROUNDS):
        at = gaps_at(model, states, times, values)
        open_ones = np.abs(at.values).max(axis=1, initial=0.0) > limit
        if not open_ones.any():
            break
        J, F = at.jacobians[open_ones][:, on_places], at.values[open_ones][:, on_places]
        change = -least_changes(J, at.mass[open_ones], F, rank)
        states[open_ones] = move(model, states[open_ones], change, values[open_ones])
    for _ in range(OUTPUT_ROUNDS if len(on_places) < len(model.layout.levels) else 1):
        at = gaps_at(model, states, times, values)
        open_ones = np.abs(at.rates).max(axis=1, initial=0.0) > limit * np.maximum(
            1.0, np.abs(states[:, sized]).max(axis=1, initial=0.0)
        )
        if not open_ones.any():
            break
        J, rates = at.jacobians[open_ones][:, on_speeds], at.rates[open_ones][:, on_speeds]
        states[open_ones, model.nq :] -= least_changes(J, at.mass[open_ones], rates, rank)
    return states


def least_changes(J: np.ndarray, M: np.ndarray, F: np.ndarray, rank: int) -> np.ndarray:
    """The changes δ (B, nv), least in the metric M, with J δ = F; only ``rank`` directions of J are taken for independent.

    Nothing is changed where derivatives are not finite.
    """
    known = np.asarray(np.isfinite(J).all(axis=(1, 2)) & np.isfinite(F).all(axis=1))
    J, F = np.where(known[:, None, None], J, 0.0), np.where(known[:, None], F, 0.0)
    C, U, s, Vt = _factors(J, M, rank)
    inner = np.einsum("brn,br->bn", Vt, np.einsum("bmr,bm->br", U, F) / s)
    return np.linalg.solve(np.swapaxes(C, 1, 2), inner[:, :, None])[:, :, 0]


def least_changes_per_unit(J: np.ndarray, M: np.ndarray, rank: int) -> np.ndarray:
    """The matrices (B, nv, m) with which `least_changes` multiplies F; zero where derivatives are not finite."""
    known = np.asarray(np.isfinite(J).all(axis=(1, 2)))
    C, U, s, Vt = _factors(np.where(known[:, None, None], J, 0.0), M, rank)
    return np.linalg.solve(np.swapaxes(C, 1, 2), np.swapaxes(Vt, 1, 2) @ (np.swapaxes(U, 1, 2) / s[:, :, None]))


def _factors(J: np.ndarray, M: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """C with M = C Cᵀ, and the singular value decomposition of J C⁻ᵀ; singular values that count as zero are infinite."""
    C = np.linalg.cholesky(M)
    U, s, Vt = np.linalg.svd(np.linalg.solve(C, np.swapaxes(J, 1, 2)).swapaxes(1, 2), full_matrices=False)
    s = s[:, :rank]
    return C, U[:, :, :rank], np.where(s > DEPENDENT_CLOSING * s[:, :1], s, np.inf), Vt[:, :rank]


def violations(model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
    """|F| (B, m) of all conditions, as `gap_watch.put_violations` measures them."""
    from vinculum.models.conditions.watch import put_violations

    places = gap_places(model)
    X = places.rows(states, times, values)
    found = np.empty((len(X), len(places.levels)))
    put_violations(X, evaluate_again(places.tape, X), places.levels, places.begins, model.nq, model.nv, found)
    return found


def clearance_of(J: np.ndarray, rank: int) -> np.ndarray:
    """How far from dependence rows with Jacobians (B, m, nv) are, (B,): the smallest singular value of the ``rank`` that count; infinite
    where there is no Jacobian, or none whose squares are numbers."""
    known = np.asarray((np.abs(J) < LARGEST_SQUARED).all(axis=(1, 2)))
    if not known.all():
        J = np.where(known[:, None, None], J, 0.0)
    if J.shape[1] == 1:
        return np.where(known, np.linalg.norm(J[:, 0], axis=1), np.inf)
    if len(J) <= FEW_DECOMPOSED:
        return np.where(known, np.linalg.svd(J, compute_uv=False)[:, rank - 1], np.inf)
    squares = np.linalg.eigvalsh(J @ np.swapaxes(J, 1, 2))
    clear = np.sqrt(np.maximum(squares[:, -rank], 0.0))
    unsure = clear < BEYOND_SQUARES * np.sqrt(squares[:, -1])
    clear[unsure] = np.linalg.svd(J[unsure], compute_uv=False)[:, rank - 1]
    return np.where(known, clear, np.inf)


def loop_conditions(model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
    """By what round-off grows in the reactions of closed loops, (B, 1): the condition of J M⁻¹ Jᵀ; one without loops.

    Rows may vanish at some states, so the largest singular value of all states counts.
    Where servos name their efforts, it is larger as these move less of what they are to keep than reactions along the rows do. Efforts
    without a direction, such as the friction of a slip that has just come to rest, keep nothing.
    """
    if not model.layout.gaps or not model.layout.rank:
        return np.ones((len(states), 1))
    at, rank, kept = gaps_at(model, states, times, values), model.layout.rank, model.layout.kept
    C = np.linalg.cholesky(at.mass)
    inner = np.linalg.solve(C, np.swapaxes(at.jacobians[:, kept], 1, 2))
    U, s, _ = np.linalg.svd(inner, full_matrices=False)
    largest = max(float(np.nanmax(s[:, 0], initial=0.0)), np.finfo(float).tiny)
    grown = np.maximum(s[:, rank - 1 : rank] / largest, LEAST_RATIO) ** -2.0
    if not any(entry.directed for entry in model.layout.constraints.values()):
        return grown
    directed = np.asarray(np.isfinite(at.along).all(axis=(1, 2), keepdims=True))
    efforts = np.linalg.solve(C, np.swapaxes(np.where(directed, at.along, 0.0)[:, kept], 1, 2))
    onto = np.swapaxes(U[:, :, :rank], 1, 2)
    by_rows, by_efforts = (np.linalg.svd(onto @ _unit_columns(X), compute_uv=False)[:, -1:] for X in (inner, efforts))
    return grown * np.maximum(by_rows / np.maximum(by_efforts, LEAST_RATIO), 1.0)


def _unit_columns(X: np.ndarray) -> np.ndarray:
    return X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), np.finfo(float).tiny)


def independent(J: np.ndarray, rank: int) -> np.ndarray:
    """Orthonormal rows (B, rank, m) that span the gaps' independent combinations where the derivatives are J (B, m, nv)."""
    return np.swapaxes(np.linalg.svd(J, full_matrices=False)[0][:, :, :rank], 1, 2)


def mix_parameters(model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
    """Rows of parameters (B, p) with the hidden ones of redundant loops set for each state."""
    rows = np.array(np.broadcast_to(values, (len(states), len(model.parameters))))
    kept, rank = model.layout.kept, model.layout.rank
    if mixing_name(0, 0) not in model.layout.parameters:
        return rows
    at = gaps_at(model, states, times, values)
    P = independent(at.jacobians[:, kept], rank) / at.sizes[:, None, kept]
    names = model.parameter_names
    places = [names.index(mixing_name(i, j)) for i in range(rank) for j in range(len(kept))]
    rows[:, places] = P.reshape(len(states), len(places))
    return rows


def visible(parameters: Mapping[str, T]) -> dict[str, T]:
    """Parameters without the hidden ones that integrators set."""
    return {name: value for name, value in parameters.items() if not name.startswith("~")}
