"""Dependent rows of constraints of a Lagrangian system: omitted and named."""

from dataclasses import replace

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.lagrangian.numbers import LagrangianNumbers
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.derivations.starts.assembly import independent_rows
from vinculum.systems.jets import JetFunction
from vinculum.tolerances.constraints import LAGRANGIAN_SAMPLE_CLOSED
from vinculum.tolerances.functions import NEARBY_FOR_RANK
from vinculum.tolerances.iterations import RANK_ROUNDS
from vinculum.tolerances.rank import DEPENDENT_COLUMNS
from vinculum.tolerances.samples import RANK_SAMPLES


def without_redundant_rows(
    system: LagrangianSystem, state: np.ndarray, t: float, values: np.ndarray
) -> tuple[LagrangianSystem, list[str]]:
    """The system without rows that follow from others at a state and around it, and remarks that name them.

    Rows whose multipliers are part of the state stay: without them it is another state.
    """
    numbers, idle = (
        system.numbers,
        [f"row {i} of '{name}'" for name, count in system.principle.idle for i in range(count)],
    )
    gone = _dependent(numbers, state, t, values)
    labels = [
        (rows.name, i) for rows in (*system.principle.stationary, *system.principle.ideal) for i in range(len(rows.F))
    ]
    lost = [labels[k] for k in gone]
    told = [*idle, *(f"row {i} of '{name}'" for name, i in lost)]
    remarks = [f"constraints: redundant constraints: {', '.join(told)}"] if told else []
    if not lost:
        return system, remarks
    constraints = {}
    for name, (function, realization) in dict(system.constraints or {}).items():
        assert isinstance(function, JetFunction)  # those of a system that is made
        own = [i for other, i in labels if other == name]
        kept = [i for i in own if (name, i) not in lost]
        if kept:
            constraints[name] = (function if len(kept) == len(own) else _part(function, kept), realization)
        elif not own:
            constraints[name] = (function, realization)
    return replace(system, constraints=constraints), remarks


def _part(function: JetFunction, kept: list[int]) -> JetFunction:
    return JetFunction(function.where, function.order, lambda levels, t: function.row(levels, t)[kept])


def _dependent(numbers: LagrangianNumbers, state: np.ndarray, t: float, values: np.ndarray) -> list[int]:
    """Numbers of the rows that can be left out; none if they are independent nearby."""
    principle = numbers.principle
    first = sum(len(rows.F) for rows in principle.stationary)
    if not principle.ideal:
        return []
    here = _rows(numbers, state, t, values)
    if independent_rows(here) == len(here):
        return []
    near = [_moved_nearby(numbers, state, t, values, np.random.default_rng(k)) for k in range(RANK_SAMPLES)]
    around = [_rows(numbers, one, t, values) for one in near if one is not None]
    anywhere = np.array([_rows(numbers, one, t, values) for one in _nearby_states(numbers, state, RANK_SAMPLES)])
    vanishes = ~np.any(here, axis=1) & np.any(anywhere, axis=(0, 2))
    ranks = [independent_rows(J) for J in [here, *around]]
    apart = independent_rows(here[:first]) == first and independent_rows(here) == first + independent_rows(here[first:])
    if not around or max(ranks) > ranks[0] or vanishes.any() or not apart:
        return []
    kept: list[int] = []
    for i in range(first, len(here)):
        if independent_rows(here[[*kept, i]]) == len(kept) + 1:
            kept.append(i)
    return [i for i in range(first, len(here)) if i not in kept]


def _rows(numbers: LagrangianNumbers, state: np.ndarray, t: float, values: np.ndarray) -> np.ndarray:
    found = evaluate_groups(numbers.conditions, np.concatenate([state, [t], values])[None])
    return found["rows"][0].reshape(-1, len(numbers.coordinates))


def _nearby_states(numbers: LagrangianNumbers, state: np.ndarray, count: int, rng=None) -> np.ndarray:
    width = (numbers.principle.order + 1) * len(numbers.coordinates)
    found = np.repeat(state[None], count, axis=0)
    found[:, :width] += NEARBY_FOR_RANK * (rng or np.random.default_rng(1)).normal(size=(count, width))
    return found


def _moved_nearby(
    numbers: LagrangianNumbers, state: np.ndarray, t: float, values: np.ndarray, rng
) -> np.ndarray | None:
    """A state nearby that keeps all constraints, None if none is found."""
    near = _nearby_states(numbers, state, 1, rng)[0]
    for _ in range(RANK_ROUNDS):
        at = evaluate_groups(numbers.conditions, np.concatenate([near, [t], values])[None])
        F, G = at["residuals"][0], at["gradients"][0].reshape(len(at["residuals"][0]), -1)
        if np.abs(F).max() < LAGRANGIAN_SAMPLE_CLOSED:
            return near
        near[: G.shape[1]] -= np.linalg.pinv(G, rcond=DEPENDENT_COLUMNS) @ F
    return None
