"""Passages through singular positions by a series that extends beyond them.

On the motion itself the accelerations have a limit at a singular position, so a series begun before it stays valid beyond it.
"""

from dataclasses import replace

import numpy as np

from vinculum.compile.evaluate import evaluate_one, evaluate_rows
from vinculum.integrators.watch.exact_series import exact_residuals, exact_series
from vinculum.integrators.watch.loops import LoopWatch, cut, cut_steps, end_state
from vinculum.integrators.watch.singular_positions import Encounter, SingularWatch
from vinculum.integrators.watched_rows import WatchedRows
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.steps import FEWEST_ORDERS_OF_PASSAGE
from vinculum.tolerances.watch import PASSAGE_ACCEPTED, PASSAGE_FOLLOWS, PASSAGE_FOLLOWS_WELL

BEYOND = 1.23  # keeps the singular instant away from the nodes of a Gauss–Kronrod rule, where reactions are evaluated
BEFORE = (0.2, 0.05)
"""Distances before the singular position, in usual step lengths, at which a series begins.

Far away, the rates are accurate. Nearby, round-off in the model has less effect.
"""


def pass_singular(
    problem: Problem, loops: LoopWatch, steps: Steps, met: Encounter, numbers: np.ndarray
) -> tuple[Steps, float, np.ndarray]:
    """Steps over a singular position, the instant after them and the state there.

    If the motion cannot pass, the steps before the position, with the reason why they are the last; without a reason if the position is
    still too far away to decide. ``numbers``: modes and parameters as the integrator has them.
    """
    watch = loops.singular
    assert watch is not None
    made = _across(problem, watch, steps, met, numbers) if met.regular and watch.continues(met) else None
    if made is None:
        watch.barred_until = met.instant
        last = loops.end_before(steps, met) if met.near else cut(steps, met.step + 1)
        return last, float(last.times[-1]), end_state(last) if len(last.coefficients) else steps.coefficients[0, :, 0]
    begin, end = made.times[-2:].tolist()
    watch.passed_until = end
    made.log.append(watch.remark(watch.refine(met, begin, made.coefficients[-1])))
    return made, end, _on_conditions(problem, watch.rows, end, end_state(made))


def _across(problem: Problem, watch: SingularWatch, steps: Steps, met: Encounter, numbers: np.ndarray) -> Steps | None:
    """The steps until before a singular position and one more over it, by the series that satisfies the equations best there."""
    rows, best, least = watch.rows, None, PASSAGE_FOLLOWS
    found = exact_residuals(rows, met.instant, met.state, problem.parameters).astype(float)
    left = np.zeros(len(found))
    left[rows.own] = watch.level(met, found[rows.own])
    if np.abs(left).max(initial=0.0) > PASSAGE_ACCEPTED:
        return None
    order = max(steps.coefficients.shape[2] - 1, FEWEST_ORDERS_OF_PASSAGE)
    well = max(PASSAGE_FOLLOWS_WELL, min(problem.method.tolerance or 0.0, PASSAGE_FOLLOWS))
    for part in BEFORE:
        away = min(part * met.length, (problem.until - met.instant) / BEYOND, met.instant - float(steps.times[0]))
        before = cut_steps(steps, met.step, met.instant - away)
        state = end_state(before) if len(before.coefficients) else steps.coefficients[0, :, 0]
        begin = float(before.times[-1])
        end = min(met.instant + BEYOND * (met.instant - begin), problem.until)
        exact = exact_series(problem, rows, begin, state, numbers, left, order)
        series, missed = _truncate_series(problem, exact, begin, end)
        beyond = horner(series[None], np.array([end - begin]))[0]
        opened = np.abs(_residuals(problem, rows, end, beyond)).max() / max(1.0, np.abs(beyond).max())
        if missed < least and opened < PASSAGE_ACCEPTED:
            best, least = (before, series, end), missed
        if least < well:
            break
    if best is None:
        return None
    before, series, end = best
    width = steps.coefficients.shape[2]
    series = series[:, :width] if series.shape[1] >= width else np.pad(series, ((0, 0), (0, width - series.shape[1])))
    return replace(before, times=np.append(before.times, end),
                   coefficients=np.concatenate([before.coefficients, series[None]]), failure=None)  # fmt: skip


def _truncate_series(problem: Problem, series: np.ndarray, begin: float, end: float) -> tuple[np.ndarray, float]:
    """The series truncated at the order that satisfies the equations best at ``end``, and its defect relative to the rates."""
    powers = np.arange(series.shape[1])
    orders = np.arange(FEWEST_ORDERS_OF_PASSAGE, series.shape[1])
    kept = np.where(powers <= orders[:, None, None], series, 0.0)
    length = np.full(len(orders), end - begin)
    with np.errstate(all="ignore"):
        rates = evaluate_rows(problem.tape, problem.rows(horner(kept, length), begin + length))
        missed = np.abs(horner(kept[:, :, 1:] * powers[1:], length) - rates).max(axis=1)
    missed = np.where(np.isfinite(missed), missed, np.inf) / max(
        float(np.abs(series[:, 1]).max()), np.finfo(float).tiny
    )
    best = int(np.argmin(missed))
    return kept[best], float(missed[best])


def _residuals(problem: Problem, rows: WatchedRows, t: float, state: np.ndarray) -> np.ndarray:
    return evaluate_one(rows.tape, problem.row(state, t))[rows.residuals]


def _on_conditions(problem: Problem, rows: WatchedRows, t: float, state: np.ndarray) -> np.ndarray:
    change = rows.corrections(state, t)
    for _ in range(2):
        state = state + change(_residuals(problem, rows, t, state))
    return problem.model.on_charts(state[None])[0]
