"""The start of a Lagrangian system: derivatives from the user, derivatives from the constraints, multipliers."""

from collections.abc import Mapping, Sequence

import numpy as np

from vinculum.bonds import Reaching, Vakonomic
from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.lagrangian.numbers import LagrangianNumbers
from vinculum.derivations.starts.repairs import sizes, warn_user
from vinculum.errors import StartError
from vinculum.scalars import value
from vinculum.screws.entries import entries, shorten
from vinculum.systems import At, nearest
from vinculum.systems.jets import array_name
from vinculum.tolerances.constraints import CONSTRAINT_MET, WARNED
from vinculum.tolerances.iterations import LAGRANGIAN_START_CLOSED, LAGRANGIAN_START_DONE, LAGRANGIAN_START_ROUNDS
from vinculum.tolerances.rank import LEFT_OUT_OF_STEPS


def lagrangian_state(
    numbers: LagrangianNumbers, start, t: float, values: np.ndarray, repair: bool = False
) -> tuple[np.ndarray, list[str]]:
    """The state (q, …, q^{(N)}, π, λ) of a start, whose missing derivatives are found from the constraints, and remarks.

    ``repair``: whether those that are given may move as well.
    """
    principle = numbers.principle
    order, n = principle.order, principle.n
    multipliers = start_multipliers(numbers, values)
    given = given_levels(numbers, start, values)
    levels = np.zeros((2 * order, n))
    levels[: len(given)] = given
    free = np.zeros(levels.shape, dtype=bool)
    free[len(given) :] = True
    asked = levels
    levels, log = _consistent(numbers, levels, free, multipliers, t, values, repair)
    _warn_of_changes(numbers, start, asked[: len(given)], levels[: len(given)])
    row = np.concatenate([levels.ravel(), multipliers.ravel(), [t], values])
    momenta = evaluate_groups(numbers.start_momenta, row[None])["pi"][0]
    return np.concatenate([levels[: order + 1].ravel(), momenta, multipliers[0]]), log


def _warn_of_changes(numbers: LagrangianNumbers, start, asked: np.ndarray, made: np.ndarray) -> None:
    """Warn of coordinates and derivatives that were given and changed much."""
    named = set(start) if isinstance(start, Mapping) else set(numbers.coordinates)
    lines = []
    for k, (before, after) in enumerate(zip(asked, made, strict=True)):
        size = float(sizes(before, after))
        for name, one, other in zip(numbers.coordinates, before, after, strict=True):
            if name in named and abs(other - one) > WARNED * size:
                lines.append(f"{array_name(k)} of '{name}' from {one:.6g} to {other:.6g}")
    if lines:
        warn_user(
            f"system '{numbers.name}': repair=True changed what the start gave: {'; '.join(lines)}; give values that meet the constraints "
            "to keep them"
        )


def given_levels(numbers: LagrangianNumbers, start, values: np.ndarray) -> np.ndarray:
    """The derivatives (k, n) that a start gives, from the coordinates on."""
    names, most = numbers.coordinates, 2 * numbers.principle.order
    named = dict(zip(sorted(numbers.parameters), values.tolist(), strict=True))
    if isinstance(start, Mapping):
        rows = {name: _derivatives(numbers, name, given, named, most) for name, given in start.items()}
        count = max([2, *map(len, rows.values())])
        levels = np.zeros((count, len(names)))
        for name, row in rows.items():
            levels[: len(row), names.index(name)] = row
        return levels
    if not isinstance(start, (tuple, list)) or not 1 <= len(start) <= most:
        raise StartError(
            f"start of '{numbers.name}' is {shorten(start)}; give ({', '.join(array_name(k) for k in range(most))}), each with "
            f"{len(names)} numbers, or a mapping such as {{'{names[0]}': vc.At(1.0, rate=0.5)}}"
        )
    return np.array(
        [numbers.vector(f"start: {array_name(k)}", value(x, named)) for k, x in enumerate(map(_array, start))]
    )


def _array(x):
    return x if isinstance(x, np.ndarray) else np.array(entries("start", x, refusal=StartError))


def _derivatives(numbers: LagrangianNumbers, name: str, given, named, most: int) -> np.ndarray:
    if name not in numbers.coordinates:
        raise StartError(
            f"start: there is no coordinate '{name}' in system '{numbers.name}'{nearest(name, numbers.coordinates)}"
        )
    if isinstance(given, At):
        given = [0.0 if given.position is None else given.position, 0.0 if given.rate is None else given.rate]
    row = np.atleast_1d(value(np.array(entries(f"start of '{name}'", given, refusal=StartError)), named))
    if row.ndim != 1 or not 1 <= len(row) <= most:
        raise StartError(f"start of '{name}' has shape {row.shape}; give its value and at most {most - 1} derivatives")
    return row


def start_multipliers(numbers: LagrangianNumbers, values: np.ndarray) -> np.ndarray:
    """Vakonomic multipliers and their derivatives (N, m)."""
    principle = numbers.principle
    order, parts = principle.order, []
    named = dict(zip(sorted(numbers.parameters), values.tolist(), strict=True))
    for rows in principle.stationary:
        assert isinstance(rows.realization, Vakonomic)
        k, given, rule = len(rows.F), rows.realization.multipliers, rows.realization.rule
        if rule == "dalembert" or (isinstance(rule, Reaching) and order > 1):
            raise StartError(
                f"constraint '{rows.name}' of '{numbers.name}': its multipliers start by the rule {rule}, which is worked out for systems "
                "of bodies"
                + ("" if rule == "dalembert" else " and Lagrangians of first order")
                + "; give their values, as vc.Vakonomic(multipliers=0.0)"
            )
        given = rows.realization.start(rows.name, k) if rule is not None else given
        given = np.zeros(order * k) if rule == "zero" else given
        found = np.zeros(0) if given is None else np.ravel(value(np.asarray(given), named))
        found = np.repeat(found, k) if order == 1 and len(found) == 1 else found
        if len(found) != order * k:
            raise StartError(
                f"constraint '{rows.name}' of '{numbers.name}' has {k} row{'s' * (k > 1)} of order {order} and the multipliers "
                f"{shorten(given)}; give vc.Vakonomic(multipliers=…) with {order * k} numbers: λ"
                + (f" and then its first {order - 1} derivatives" if order > 1 else "")
            )
        parts.append(found.reshape(order, k))
    return np.concatenate([np.zeros((order, 0)), *parts], axis=1)


def _consistent(numbers: LagrangianNumbers, levels, free, multipliers, t, values, repair: bool) -> tuple:
    """The levels with the free ones as small as the constraints allow, and remarks; a start that breaks them is refused."""

    def rows(levels):
        return _rows(numbers, levels, multipliers, t, values)

    made = _project_levels(rows, levels, np.flatnonzero(free.ravel()))
    F, J = rows(made)
    size = 1.0 + np.abs(J) @ np.abs(made.ravel()) if len(F) else np.ones(1)
    if not len(F) or np.all(np.abs(F) <= CONSTRAINT_MET * size):
        return made, []
    worst = int(np.argmax(np.abs(F) / size))
    broken = f"breaks the constraint {row_labels(numbers)[worst]}, which is {F[worst]:.6g} and should be zero"
    near = _project_levels(rows, levels, np.arange(levels.size))
    if not np.all(np.abs(rows(near)[0]) <= CONSTRAINT_MET):
        raise StartError(f"the start of '{numbers.name}' {broken}; no start near it keeps all constraints")
    shown = ", ".join(f"{array_name(k)} = {(np.round(x, 9) + 0.0).tolist()}" for k, x in enumerate(near))
    if repair:
        return near, [f"the start {broken}: it was moved to {shown}"]
    raise StartError(
        f"the start of '{numbers.name}' {broken}; a start near it that keeps all constraints is {shown}, and repair=True goes there"
    )


def _project_levels(rows, levels: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Levels of which the chosen ones are moved, each time as little as possible, until the rows vanish."""
    levels = levels.copy()
    for _ in range(LAGRANGIAN_START_ROUNDS):
        F, J = rows(levels)
        if (
            not len(F)
            or not len(chosen)
            or np.abs(F).max() <= CONSTRAINT_MET * LAGRANGIAN_START_CLOSED
            or not np.all(np.isfinite(J))
        ):
            break
        step = np.linalg.lstsq(J[:, chosen], -F, rcond=LEFT_OUT_OF_STEPS)[0]
        levels.ravel()[chosen] += step
        if np.abs(step).max() <= LAGRANGIAN_START_DONE:
            break
    return levels


def _rows(numbers: LagrangianNumbers, levels, multipliers, t, values) -> tuple[np.ndarray, np.ndarray]:
    row = np.concatenate([levels.ravel(), multipliers.ravel(), [t], values])
    found = evaluate_groups(numbers.start_rows, row[None])
    return found["F"][0], found["jacobians"][0].reshape(len(found["F"][0]), levels.size)


def row_labels(numbers: LagrangianNumbers) -> Sequence[str]:
    """What each row of a start's conditions is."""
    principle, labels = numbers.principle, []
    counted = [*((r, principle.order) for r in principle.stationary), *((r, 2 - r.level) for r in principle.ideal)]
    for rows, more in counted:
        for k in range(more):
            told = "" if k == 0 else f", derivative {k}"
            labels += [f"'{rows.name}'{f' (row {i})' if len(rows.F) > 1 else ''}{told}" for i in range(len(rows.F))]
    return labels
