"""Singular positions along the steps of a run: rows of conditions vanish or become dependent there.

The measure is the smallest relevant singular value of the Jacobian, with each row divided by its largest norm in the run, and rotations
measured in arms of the system, so that units do not matter. On both sides of a position that can be passed, it grows in proportion to the
time.
"""

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple, final

import numpy as np

from vinculum.integrators.watch.troubled_conditions import list_names, state_told
from vinculum.integrators.watched_rows import WatchedRows
from vinculum.models.conditions.closed_loops import clearance_of
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.samples import FINEST_ZOOM, PLACES_AHEAD, SAMPLES_OF_MEASURE, ZOOMS
from vinculum.tolerances.watch import (
    AHEAD_BY_LOW_ORDERS,
    CURVE_AHEAD,
    CURVE_FEWEST,
    CURVE_STEP,
    CURVE_WIDTH,
    EARLIER,
    ENDED,
    FORGET,
    LOOK_AHEAD,
    LOW_ORDERS,
    MEASURE_SMALL,
    ONWARD,
    ONWARD_DOUBLE,
    ONWARD_PARTS,
    REACH_OF_SERIES,
    REMEMBERED,
    SIMPLE_ZERO,
    SINGULAR_MEASURE,
    SINGULAR_ROOTS,
    STEEPEST,
    UNKNOWN_TOLERANCE,
)

POWERS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
"""Powers of the remaining time that represent the coordinates before a cusp or a locked position."""


@final
@dataclass(frozen=True, eq=False)
class Encounter:
    """A singular position: the step that detects it, its instant, the state there, and a length [s] over which the motion is smooth.

    ``regular``: a series begun before it reaches it. ``near``: it is within the reach of that series, so that the instant is accurate to
    all digits. ``simple``: the measure vanishes in proportion to the remaining time.
    """

    step: int
    instant: float
    state: np.ndarray
    length: float
    regular: bool
    near: bool = True
    simple: bool = True


@final
class SingularWatch:
    """Searches steps for singular positions."""

    def __init__(self, problem: Problem, rows: WatchedRows):
        self.rows, self._until = rows, problem.until
        self._turns, self._norms, self._length = rows.turns(), np.zeros((2, len(rows.own))), 0.0
        self._tail: Steps | None = None
        self.limit = max(SINGULAR_MEASURE, SINGULAR_ROOTS * np.sqrt(problem.method.tolerance or UNKNOWN_TOLERANCE))
        self.passed_until, self.barred_until = -np.inf, -np.inf

    def along(self, steps: Steps) -> np.ndarray:
        """Jacobians (3 S, k, n) as `find_encounter` takes them."""
        h, parts = np.diff(steps.times), (0.0, LOOK_AHEAD, 1.0)
        states = np.concatenate([horner(np.asarray(steps.coefficients), part * h) for part in parts])
        return self.rows.jacobians(states, np.concatenate([steps.times[:-1] + part * h for part in parts]))

    def _include(self, J: np.ndarray) -> None:
        """Remember the largest norms (2, k) of the rows in Jacobians (B, k, n): of their displacements and of their rotations."""
        squares = np.where(np.isfinite(J), J, 0.0) ** 2
        norms = [np.sqrt(squares[:, :, own].sum(axis=2).max(axis=0)) for own in (~self._turns, self._turns)]
        self._norms = np.maximum(self._norms, norms)

    def _scales(self) -> tuple[np.ndarray, np.ndarray]:
        """Factors (n,) that count turns as displacements at the arm of the system, and the largest norms (k,) of the rows then.

        Rows are fractions of the size of what they close, so displacements have the unit 1/m in all of them, and rotations have none. The
        arm is the largest of these over the largest of those, whichever row has them: in one row either may be round-off.
        """
        ways, turns = self._norms.max(axis=1, initial=0.0)
        per_arm = ways / turns if ways > 0.0 and turns > 0.0 else 1.0
        usual = np.hypot(self._norms[0], per_arm * self._norms[1])
        return np.where(self._turns, per_arm, 1.0), np.where(usual > 0.0, usual, 1.0)

    def _in_one_unit(self, J: np.ndarray) -> np.ndarray:
        """Jacobians (B, k, n) with one unit for all velocities, and with rows divided by their largest norms."""
        columns, usual = self._scales()
        return J * columns / usual[:, None]

    def find_encounter(self, steps: Steps, J: np.ndarray) -> Encounter | None:
        """The first singular position in steps or right after them.

        ``J`` (3 S, k, n): Jacobians at the beginning of each step, at a fraction `LOOK_AHEAD` of it, and at its end.
        """
        self._include(J)
        J, count, h = self._in_one_unit(J), len(steps.coefficients), np.diff(steps.times)
        here, ahead, end = clearance_of(J, self.rows.rank).reshape(3, count)
        lengths = self._lengths(h)
        with np.errstate(all="ignore"):
            fall, rise = LOOK_AHEAD * h * here / (here - ahead), LOOK_AHEAD * h * here / (ahead - here)
        near = (ahead < here) & ((fall < self._reach(steps, h, lengths)) | (here < MEASURE_SMALL)) | (end < self.limit)
        near[:-1] |= (ahead > here)[1:] & (rise[1:] < REACH_OF_SERIES * h[:-1])
        near |= self._orientation_changes(J.reshape(3, count, *J.shape[1:]))
        for i in np.flatnonzero(near & (steps.times[:-1] >= self.passed_until)).tolist():
            found = self._inside(steps, i, float(lengths[i])) or self._before(steps, i, here[i])
            if found is not None and found.instant < self._until:
                return found
        self._tail = _last(self._with_tail(steps))
        return None

    def _with_tail(self, steps: Steps) -> Steps:
        """The steps, preceded by the stored steps right before them if these are known."""
        tail = self._tail
        if tail is None or tail.times[-1] != steps.times[0]:
            return steps
        return Steps(np.append(tail.times, steps.times[1:]), np.concatenate([tail.coefficients, steps.coefficients]))

    def _reach(self, steps: Steps, h, lengths):
        """How far [s] from their beginning steps are searched for singular positions."""
        far = steps.coefficients.shape[2] > 2 * LOW_ORDERS and steps.times[0] >= self.barred_until
        return np.maximum(REACH_OF_SERIES * h, AHEAD_BY_LOW_ORDERS * lengths) if far else REACH_OF_SERIES * h

    def _lengths(self, h: np.ndarray) -> np.ndarray:
        """Typical lengths of the steps so far: the longest one, reduced a little with every step."""
        found = list(accumulate(h.tolist(), lambda before, own: max(own, FORGET * before), initial=self._length))
        self._length = found[-1]
        return np.array(found[1:])

    def measure_at(self, states: np.ndarray, times) -> np.ndarray:
        """Distances (B,) of states from singular positions."""
        return clearance_of(self._in_one_unit(self.rows.jacobians(states, times)), self.rows.rank)

    def measure_along(self, states: np.ndarray, times) -> np.ndarray:
        """The same for states that show how large the rows become."""
        self._include(self.rows.jacobians(states, times))
        return self.measure_at(states, times)

    def _orientation_changes(self, J: np.ndarray) -> np.ndarray:
        """Steps across which the Jacobians change orientation, as they do across a singular position."""
        if J.shape[2] != self.rows.rank:
            return np.zeros(J.shape[1], dtype=bool)
        inner = np.where(np.isfinite(J[0]), J[0], 0.0) @ np.swapaxes(np.where(np.isfinite(J[2]), J[2], 0.0), 1, 2)
        return inner[:, 0, 0] < 0.0 if inner.shape[1] == 1 else np.linalg.det(inner) < 0.0

    def _inside(self, steps: Steps, i: int, length: float) -> Encounter | None:
        """The singular position in a step, or right after it on its series."""
        piece, begin, h = steps.coefficients[i], float(steps.times[i]), float(steps.times[i + 1] - steps.times[i])
        low = piece[:, : LOW_ORDERS + 1]

        def state(s: np.ndarray) -> np.ndarray:
            near = s <= REACH_OF_SERIES * h
            if near.all():
                return _values(piece, s)
            return np.where(near[:, None], _values(piece, s), _values(low, s))

        def measure(s: np.ndarray) -> np.ndarray:
            found = self.measure_at(state(s), begin + s)
            return np.where(np.isfinite(found), found, np.inf)

        s = np.linspace(0.0, float(self._reach(steps, h, length)), PLACES_AHEAD)
        c = measure(s)
        for k in range(PLACES_AHEAD - 1):
            if c[k] <= c[max(k - 1, 0)] and c[k] <= c[k + 1]:
                at, least = _least(measure, s, c, k, (s[k + 1] - s[max(k - 1, 0)]) * FINEST_ZOOM)
                if least < self.limit:
                    near = bool(at <= REACH_OF_SERIES * h)
                    there = horner((piece if near else low)[None], np.array([at]))[0]
                    return Encounter(i, begin + at, there, length, True, near)
        return None

    def _before(self, steps: Steps, i: int, here: float) -> Encounter | None:
        """The singular position that steps approach ever more closely without reaching it."""
        begin, end = float(steps.times[i]), float(steps.times[i + 1])
        if here > EARLIER * self.limit:
            return None
        steps = self._with_tail(steps)
        left = 2.0 * self._left(steps, np.array([begin]), 0.1 * (end - begin))[0]
        if not left > 0.0:
            return None
        since, curve = np.zeros(1), np.polynomial.Polynomial([0.0])
        for _ in range(3):
            first = max(float(steps.times[0]), begin - CURVE_WIDTH * left)
            if end - first < CURVE_FEWEST * left:
                return None
            since = np.geomspace(left + begin - end, left + begin - first, SAMPLES_OF_MEASURE + 2)[1:-1] - left
            away = self._left(steps, begin - since, CURVE_STEP * (left + since))
            curve = np.polynomial.Polynomial.fit(-since, away, 3).convert()
            if not -curve.coef[1] * STEEPEST > 1.0:
                return None
            left = _root(curve, left)
            if not 0.0 < left + begin - end < CURVE_AHEAD * (end - first):
                return None
        basis = ((left + since) / (left + since[0]))[:, None] ** np.array(POWERS)
        state = np.linalg.lstsq(basis, _states(steps, np.asarray(begin - since)), rcond=None)[0][0]
        return Encounter(
            i,
            begin + left,
            state,
            (begin + left - end) / ENDED,
            False,
            simple=bool(-SIMPLE_ZERO < curve.deriv()(left) < -1.0 / SIMPLE_ZERO),
        )

    def _left(self, steps: Steps, times: np.ndarray, dt) -> np.ndarray:
        """Times [s] until the measures at some instants would vanish, extrapolated from dt before and dt after."""
        before, after = (self.measure_at(_states(steps, times + x), times + x) for x in (-dt, dt))
        with np.errstate(all="ignore"):
            return 2.0 * dt / np.log(before / after)

    def refine(self, met: Encounter, begin: float, series: np.ndarray) -> Encounter:
        """The same singular position, located on a series (n, order + 1) that begins at the instant ``begin`` and reaches beyond it."""

        def measure(s: np.ndarray) -> np.ndarray:
            return self.measure_at(_values(series, s), begin + s)

        away = met.instant - begin
        s = np.linspace(0.9, 1.1, 17) * away
        c = measure(s)
        at = _least(measure, s, c, int(np.argmin(c)), 0.2 * away * FINEST_ZOOM).at
        return replace(met, instant=begin + at, state=horner(series[None], np.array([at]))[0])

    def level(self, met: Encounter, values: np.ndarray) -> np.ndarray:
        """The part of the row values (k,) at a singular position along the left singular vectors that vanish there.

        The numbers of a model are rounded, so no motion through the position keeps all rows at zero to the last digit. A motion that
        keeps this part does pass.
        """
        J, usual = self._in_one_unit(self.rows.jacobians(met.state[None], met.instant))[0], self._scales()[1]
        U, s, _ = np.linalg.svd(J)
        U = U[:, np.append(s, np.zeros(len(U) - len(s))) < self.limit]
        return usual * (U @ (U.T @ (values / usual)))

    def continues(self, met: Encounter) -> bool:
        """Whether position and velocities at a singular position determine the motion after it.

        They do if the vanishing part of the Jacobian grows in proportion to the distance traveled with these velocities.
        """
        d = ONWARD * max(met.length, self._length)
        for s in (-d, d):
            lines = self.rows.drift(met.state, np.array([s / ONWARD_PARTS, s]))
            near, far = self.measure_at(lines, met.instant + np.array([s / ONWARD_PARTS, s]))
            if not (far < ONWARD_DOUBLE * near and far > self.limit):
                return False
        return True

    def remark(self, met: Encounter) -> str:
        """Log line that says what was passed, when and where."""
        if self._vanishing_rows(met).any():
            return f"passed: {self.text(met)}"
        names = self.rows.model.layout.q_names
        where = ", ".join(f"{name} = {x:.6g}" for name, x in zip(names, met.state[: len(names)], strict=True))
        return f"passed a singular position at t = {met.instant:.9g} s: {where}"

    def _vanishing_rows(self, met: Encounter) -> np.ndarray:
        """Which rows of constraints vanish, (k,)."""
        J = self._in_one_unit(self.rows.jacobians(met.state[None], met.instant))[0]
        return (np.linalg.norm(J, axis=1) < MEASURE_SMALL) & self.rows.of_constraints()

    def text(self, met: Encounter) -> str:
        """Message that says what is singular, when and where."""
        place = state_told(self.rows.model, met.state)
        gone = self._vanishing_rows(met)
        if gone.any():
            names = list_names([name for name, lost in zip(self.rows.names(), gone, strict=True) if lost])
            have = "has no gradient and constrains" if gone.sum() == 1 else "have no derivatives and constrain"
            return f"at t = {met.instant:.9g} s {names} {have} nothing, so the rank is singular there, at {place}"
        who = self.rows.subject(met.state, met.instant)
        return f"at t = {met.instant:.9g} s {who} reach{'es' * who.startswith('the constraint ')} a singular position, {place}"


class Least(NamedTuple):
    """The least value of a measure and where it is."""

    at: float
    value: float


def _least(measure, s: np.ndarray, c: np.ndarray, k: int, finest: float) -> Least:
    """The least of a measure between the neighbors of sample ``k``; ``s``, ``c``: samples, ``finest``: distance of the last ones.

    The interval around the least sample is subdivided. The square of a measure is smooth over the samples, so a parabola through three of
    them predicts where it is least, and the next samples lie close to there. If the least of them is the first or last, this failed and
    is not tried again.
    """
    scale, best, around, smooth = float(s[-1] - s[0]), Least(float(s[k]), float(c[k])), None, True
    for _ in range(ZOOMS):
        if c[k] < best.value:
            best = Least(float(s[k]), float(c[k]))
        edge = k in (0, len(s) - 1)
        smooth = smooth and not (edge and around)
        low, high = around if edge and around else (float(s[max(k - 1, 0)]), float(s[min(k + 1, len(s) - 1)]))
        around, width = None, 0.5 * (high - low)
        if width <= finest:
            break
        if smooth and not edge:
            before, here, after = ((c[k - 1 : k + 2] / c[k - 1 : k + 2].max()) ** 2).tolist()
            bend = before - 2.0 * here + after
            ahead = float(s[k]) + (0.5 * width * (before - after) / bend if bend > 0.0 else np.inf)
            near = max(width * width / scale, 4.0 * finest)
            if near < width and low < ahead < high:
                around, low, high = (low, high), max(low, ahead - near), min(high, ahead + near)
        s = np.linspace(low, high, 17)
        c = measure(s)
        k = int(np.argmin(c))
    return best


def _values(series: np.ndarray, s: np.ndarray) -> np.ndarray:
    """A polynomial (n, order + 1) at local times (T,), to a few units of round-off: (T, n)."""
    return np.vander(s, series.shape[1], increasing=True) @ series.T


def _last(steps: Steps) -> Steps:
    return Steps(steps.times[-REMEMBERED - 1 :], steps.coefficients[-REMEMBERED:])


def _root(curve: np.polynomial.Polynomial, x: float) -> float:
    """The root of a polynomial next to x, by Newton's method."""
    for _ in range(20):
        x -= curve(x) / curve.deriv()(x)
    return float(x)


def _states(steps: Steps, times: np.ndarray) -> np.ndarray:
    """States (T, n) of steps at instants."""
    k = np.clip(np.searchsorted(steps.times, times, side="right") - 1, 0, len(steps.coefficients) - 1)
    return horner(steps.coefficients[k], times - steps.times[k])
