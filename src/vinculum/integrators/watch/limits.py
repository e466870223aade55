"""Limits of actions during a run: springs of zero length, half turns."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.errors import StartError
from vinculum.integrators.watch.limit_rooms import rooms_of
from vinculum.integrators.watch.troubled_conditions import state_told
from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.iterations import LIMIT_GROWTHS, LIMIT_HALVINGS
from vinculum.tolerances.samples import FEWEST_STEPS_SCREENED, LOOKS_AT_LIMITS
from vinculum.tolerances.watch import CHANGES_TO_LIMIT, DIP, DIP_ROOM, LIMIT_CHANGE, LIMIT_FIRST_STEP, NEARLY_MET

ADAPTIVE = ("taylor", "series", "dop853")
GOLDEN = 0.5 * (5.0**0.5 - 1.0)


@final
class LimitWatch:
    """Checks how far the state is from every limit of an action, and cuts steps off where a limit is reached.

    The distance (room) to a limit may touch zero and grow again within a step, as the square of a length does. Such dips between samples
    are searched for.
    """

    def __init__(self, problem: Problem):
        self._problem = problem
        self._limited = rooms_of(problem.model, problem.method.claims.name in ADAPTIVE)
        self._scales: np.ndarray | float = 1.0
        if self._limited.of_actions < len(self._limited.reasons):
            here = self._values(problem.state[None], np.array([problem.begin]))[0, 0::2]
            self._scales = self._limited.scales(here)

    def check_start(self) -> None:
        """Refuse a start beyond a limit."""
        problem, limited = self._problem, self._limited
        if limited.values is None:
            return
        rooms = self._rooms(problem.state[None], np.array([problem.begin]))[0]
        used = np.flatnonzero(~((rooms > 0.0) | limited.passable))
        if len(used):
            why = limited.reasons[int(used[0])]
            raise StartError(f"system '{problem.model.name}': at the start {why}; start elsewhere")

    def nearly_met(self, t: float, state: np.ndarray) -> str:
        """The limit that is nearly met at a state where steps failed, for a message; empty if there is none."""
        limited, problem = self._limited, self._problem
        if limited.values is None or not np.all(np.isfinite(state)):
            return ""
        first, last = self._values(np.stack([problem.state, state]), np.array([problem.begin, t]))[:, 0::2]
        left = np.abs(last) <= NEARLY_MET * np.abs(first)
        left &= ~limited.passable & (np.arange(len(left)) < limited.of_actions)
        return f"; {limited.reasons[int(np.argmax(left))]}" if left.any() else ""

    def time_to(self, which: int, t: float, state: np.ndarray, rates: np.ndarray) -> float:
        """Time [s] until the squared distance to a passable limit is smallest, for motion along a straight line."""
        margin = self._values(state[None], np.array([t]))[0, 2 * which + 1]
        step = LIMIT_FIRST_STEP * np.sqrt(margin) / max(float(np.abs(rates).max()), np.finfo(float).tiny)
        for _ in range(LIMIT_GROWTHS):
            times = t + step * np.array([0.0, 1.0, 2.0])
            a, b, c = self._rooms(state + step * np.outer([0.0, 1.0, 2.0], rates), times)[:, which] + margin
            slope, bend = (4.0 * b - 3.0 * a - c) / (2.0 * step), (a - 2.0 * b + c) / (step * step)
            if abs(b - a) > LIMIT_CHANGE * abs(a) and bend > 0.0:
                return max(-slope / bend, 0.0)
            step *= 4.0
        return step

    def check_steps(self, steps: Steps) -> tuple[Steps, int | None]:
        """The steps up to the first instant at which a limit is reached, and the number of that limit if the motion can pass it.

        The steps carry the reason why they end there.
        """
        if self._limited.values is None or not len(steps.coefficients):
            return steps, None
        pieces = Pieces(steps.times, steps.coefficients)
        first, last = self._near_limits(pieces, steps.times)
        if first == last:
            return steps, None
        edges, fractions = steps.times[first : last + 1], np.arange(LOOKS_AT_LIMITS) / LOOKS_AT_LIMITS
        times = np.append((edges[:-1, None] + np.diff(edges)[:, None] * fractions).ravel(), edges[-1])
        rooms = self._rooms(pieces.state(times), times)
        near = np.flatnonzero((rooms <= 0.0).any(axis=0) | _dips(times, rooms).any(axis=0))
        met = [self._first(pieces, times, rooms[:, k], int(k)) for k in near]
        first = min(met, default=np.inf)
        if not np.isfinite(first):
            return steps, None
        which = int(near[int(np.argmin(met))])
        kept = int(np.searchsorted(steps.times, first))
        why = self._limited.reasons[which] + self._state_told(pieces, first, which)
        cut = replace(steps, times=np.append(steps.times[:kept], first), coefficients=steps.coefficients[:kept], stopped=False,
                      crossings=[c for c in steps.crossings if c.time <= first],
                      failure=f"at t = {first:.9g} s {why}")  # fmt: skip
        return cut, which if self._limited.passable[which] else None

    def _near_limits(self, pieces: Pieces, edges: np.ndarray) -> tuple[int, int]:
        """The first step in which a limit may be met and the one after the last; none of them if both are the same. Steps of a given
        length are many and short, and most of them are seen to be far from all limits at their ends alone."""
        count = len(edges) - 1
        if self._problem.method.claims.name in ADAPTIVE or count < FEWEST_STEPS_SCREENED:
            return 0, count
        rooms = self._rooms(pieces.state(edges), edges)
        changes = np.pad(np.abs(np.diff(rooms, axis=0)), ((1, 1), (0, 0)), mode="edge")
        most = np.maximum(np.maximum(changes[:-2], changes[1:-1]), changes[2:])
        near = np.flatnonzero((np.minimum(rooms[:-1], rooms[1:]) <= CHANGES_TO_LIMIT * most).any(axis=1))
        return (max(int(near[0]) - 1, 0), min(int(near[-1]) + 2, count)) if len(near) else (0, 0)

    def _state_told(self, pieces: Pieces, t: float, which: int) -> str:
        """The state in words, if the limit is one of multipliers."""
        if which < self._limited.of_actions:
            return ""
        return f", at {state_told(self._problem.model, pieces.state(np.array([t]))[0])}"

    def _first(self, pieces: Pieces, times: np.ndarray, room: np.ndarray, k: int) -> float:
        """The first instant at which room k reaches zero; infinite if it does not."""
        below = np.flatnonzero(room <= 0.0)
        last = int(below[0]) if len(below) else len(times) - 1
        for i in np.flatnonzero(_dips(times[: last + 1], room[: last + 1, None])[:, 0]):
            lowest = self._least(pieces, times[i], times[i + 2], k)
            if self._at(pieces, lowest, k) <= 0.0:
                return self._root(pieces, times[i], lowest, k)
        return self._root(pieces, times[max(last - 1, 0)], times[last], k) if len(below) else np.inf

    def _least(self, pieces: Pieces, low: float, high: float, k: int) -> float:
        for _ in range(LIMIT_HALVINGS):
            a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            low, high = (low, b) if self._at(pieces, a, k) < self._at(pieces, b, k) else (a, high)
        return 0.5 * (low + high)

    def _root(self, pieces: Pieces, low: float, high: float, k: int) -> float:
        for _ in range(LIMIT_HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._at(pieces, middle, k) > 0.0 else (low, middle)
        return float(high)

    def _at(self, pieces: Pieces, t: float, k: int) -> float:
        return float(self._rooms(pieces.state(np.array([t])), np.array([t]))[0, k])

    def _rooms(self, states: np.ndarray, times: np.ndarray) -> np.ndarray:
        return self._values(states, times)[:, 0::2] / self._scales - self._limited.least

    def _values(self, states: np.ndarray, times: np.ndarray) -> np.ndarray:
        assert self._limited.values is not None
        return self._limited.values(self._problem.rows(states, times))


def _dips(times: np.ndarray, room: np.ndarray) -> np.ndarray:
    """Which three samples of rooms (n, k) begin a parabola that has a minimum far below them, (n − 2, k)."""
    t0, t1, t2 = (times[i : len(times) - 2 + i, None] for i in range(3)) if len(times) > 2 else np.zeros((3, 0, 1))
    f0, f1, f2 = (room[i : len(room) - 2 + i] for i in range(3)) if len(room) > 2 else np.zeros((3, 0, room.shape[1]))
    with np.errstate(all="ignore"):
        left, right = (f1 - f0) / (t1 - t0), (f2 - f1) / (t2 - t1)
        bend = (right - left) / (t2 - t0)
        vertex = 0.5 * (t0 + t1) - 0.5 * left / bend
        value = f0 + left * (vertex - t0) + bend * (vertex - t0) * (vertex - t1)
    inside = (bend > 0.0) & (vertex >= t0) & (vertex <= t2)
    return inside & (value <= DIP * np.minimum(np.minimum(f0, f1), f2) + DIP_ROOM * np.maximum(f0, f2))
