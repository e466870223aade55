"""Singular positions on a motion: velocities are continuous there."""

from typing import Any

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.compile.evaluate import evaluate
from vinculum.integrators.by_type import STEPS
from vinculum.integrators.watch.singular_positions import SingularWatch
from vinculum.motion.problem import Problem, Steps
from vinculum.motion.states import parameters_at, tape_rows
from vinculum.tolerances.certificates import PASSAGE_APART
from vinculum.tolerances.rank import LEAST_RATIO
from vinculum.tolerances.samples import INSTANTS_OF_SINGULARITY
from vinculum.tolerances.sizes import PASSAGES_LISTED
from vinculum.tolerances.time import FARTHEST_AWAY, FIRST_AWAY

LOBATTO_PLACES = 0.5 + 0.5 * np.array([-1.0, -np.sqrt(0.2), np.sqrt(0.2), 1.0])
LOBATTO_WEIGHTS = np.array([1.0, 5.0, 5.0, 1.0]) / 12.0


def singular_lines(motion: Any) -> list[Line]:
    """The jump of velocities at singular positions, relative to the velocities. No line if the motion passes none."""
    watch = _watch(motion)
    if watch is None:
        return []
    apart = max(PASSAGE_APART, 10.0 * watch.limit)
    passed, worst, where = [], 0.0, ""
    for edges, coefficients in motion.pieces.blocks():
        steps = Steps(np.asarray(edges), np.asarray(coefficients))
        J = watch.along(steps)
        while (met := watch.find_encounter(steps, J)) is not None:
            if not met.regular:
                watch.passed_until = np.nextafter(steps.times[met.step], np.inf)
                continue
            low, high = (_apart(motion, watch, met.instant, side, apart) for side in (-1.0, 1.0))
            jump = _jump(motion, low, high)
            passed.append(f"{met.instant:.6g}")
            if not jump <= worst:
                worst, where = jump, f"velocities jump at the singular position at t = {met.instant:.9g}"
            watch.passed_until = max(high, np.nextafter(met.instant, np.inf))
    if not passed:
        return []
    told = ", ".join(passed[:PASSAGES_LISTED]) + ", …" * (len(passed) > PASSAGES_LISTED)
    return [
        Line(
            "velocities at singular positions",
            worst,
            apart**2,
            f"passed at t = {told}",
            where if worst > apart**2 else "",
        )
    ]


def round_off_growth(motion: Any) -> float:
    """Factor by which round-off in velocities grows where rows of conditions vanish or become dependent: the mean over all steps."""
    watch = _watch(motion)
    if watch is None:
        return 1.0
    edges = np.asarray(motion.pieces.times)
    edges = edges[np.unique(np.linspace(0, len(edges) - 1, INSTANTS_OF_SINGULARITY).astype(int))]
    measure = watch.measure_along(motion.pieces.state(edges), edges)
    return (
        float(np.mean(measure.max() / np.maximum(measure, LEAST_RATIO * measure.max())))
        if 0.0 < measure.max() < np.inf
        else 1.0
    )


def _watch(motion: Any) -> SingularWatch | None:
    begin, end = motion.pieces.begin, motion.pieces.end
    problem = Problem(motion.model, motion.method, begin, end, motion.pieces.state(np.array([begin]))[0], motion.values)
    given = (lambda times: parameters_at(motion, times)) if motion.changes else None
    rows = STEPS.of(motion.model).watched_rows(problem, given)
    if rows is None:
        return None
    watch = SingularWatch(problem, rows)
    watch.barred_until = np.inf  # a singular position ahead of a step may never be reached
    return watch


def _apart(motion: Any, watch: SingularWatch, t: float, side: float, apart: float) -> float:
    """The nearest instant before or after a singular position at which the motion is well away from it."""
    begin, end = motion.pieces.begin, motion.pieces.end
    away = FIRST_AWAY * (end - begin)
    while away < FARTHEST_AWAY * (end - begin):
        at = np.array([min(max(t + side * away, begin), end)])
        if watch.measure_at(motion.pieces.state(at), at)[0] >= apart:
            return float(at[0])
        away *= 1.5
    return min(max(t + side * away, begin), end)


def _jump(motion: Any, low: float, high: float) -> float:
    """Relative change of the velocities that the accelerations before and after do not explain.

    Their integral is that of Lobatto with four instants, two on each side: the trapezoidal rule is wrong by the cube of a distance that
    is long where the measure grows slowly.
    """
    of = motion.model.type.velocities(motion.model)
    time = low + (high - low) * LOBATTO_PLACES
    states = motion.pieces.state(time)
    v, a = states[:, of], evaluate(motion.model.tape("motion"), tape_rows(motion, time, states))[:, of]
    left = np.abs(v[-1] - v[0] - (high - low) * (LOBATTO_WEIGHTS @ a)).max()
    found = left / max(float(np.abs(v).max()), np.finfo(float).tiny)
    return float(found) if np.isfinite(found) else np.inf
