"""Gaps that touch zero without changing sign: their gradient vanishes or jumps there, so no reaction prevents penetration."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups, groups_of_rows
from vinculum.integrators.event_driven.touching import Touching, steepness
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.event_driven import (
    NEAR_A_TOUCH,
    RATE_JUMPS,
    SEEN,
    TANGENT_TOUCH,
    TOUCH_NEWTON_STEPS,
    TOUCH_PARTS,
    TOUCH_ROUNDS,
    TOUCHING,
)
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.samples import PLACES_OF_SERIES, PLACES_OF_TIME_STEPS

FAR = 1, 4
"""Distances, in samples, of the neighbors that a local minimum of a gap is compared with.

Near the minimum of a gap as flat as z⁴, the nearest samples are practically zero.
"""


@final
class GapTouches:
    """Samples the steps of a run for minima of gaps that are zero without an impulse."""

    def __init__(self, problem: Problem):
        self._problem, self._model = problem, problem.model
        self._names = list(problem.model.layout.unilaterals)
        self._closed: frozenset[str] = frozenset()
        self._known: set[int] = set()
        self._last: tuple[np.ndarray, np.ndarray] | None = None
        self._pressed = np.zeros((0, 2))
        self._places = PLACES_OF_TIME_STEPS if problem.method.claims.name == "moreau" else PLACES_OF_SERIES

    def check_steps(self, steps: Steps) -> Steps:
        """The steps; if a gap touches zero where it has no normal, the steps up to there with a failure message."""
        if not self._names:
            return steps
        if steps.phase is not None:
            self._closed = frozenset(name for name, _ in steps.phase.closed)
        if not len(steps.coefficients):
            self._last = None
            return steps
        times, coefficients = np.asarray(steps.times), np.asarray(steps.coefficients)
        added = self._last is not None and self._last[1].shape[1:] == coefficients.shape[1:]
        if added:
            assert self._last is not None
            times, coefficients = (
                np.concatenate([self._last[0], times[1:]]),
                np.concatenate([self._last[1], coefficients]),
            )
        self._last = np.asarray(steps.times)[-2:], np.asarray(steps.coefficients)[-1:]
        before, self._pressed = self._pressed, _contact_times(steps)
        found = self._impulse_without_normal(steps) or self._touch(
            times, coefficients, np.concatenate([before, self._pressed])
        )
        if found is None:
            return steps
        t, told = found
        whole = np.asarray(steps.times)
        k = min(max(0, int(np.searchsorted(whole, t)) - 1), len(steps.coefficients) - 1)
        atoms = None if steps.atoms is None else steps.atoms.until(t)
        crossings = [one for one in steps.crossings if one.time <= t]
        cut = (
            (whole[: k + 1], steps.coefficients[:k])
            if t <= whole[k]
            else (np.append(whole[: k + 1], t), steps.coefficients[: k + 1])
        )
        return replace(
            steps, times=cut[0], coefficients=cut[1], crossings=crossings, atoms=atoms, failure=told, stopped=False
        )

    def _impulse_without_normal(self, steps: Steps) -> tuple[float, str] | None:
        """The first impulse at a gap whose gradient vanishes where it is zero, and a message; only one impulse of each contact is
        checked.
        """
        if steps.atoms is None or not len(steps.atoms):
            return None
        hit = steps.atoms.contact_impulses[:, : 3 * len(self._names) : 3] > 0.0
        for c in np.flatnonzero(hit.any(axis=0)).tolist():
            if c in self._known:
                continue
            self._known.add(c)
            t = float(steps.atoms.times[int(np.argmax(hit[:, c]))])
            state = self._rows(np.array([t]), np.asarray(steps.times), np.asarray(steps.coefficients))[0]
            if self._vanishes(c, t, state[: self._model.nq + self._model.nv]):
                return t, (
                    f"the gap of unilateral constraint '{self._names[c]}' closes at t = {t:.9g} s where its gradient vanishes, so it "
                    f"has no normal there "
                    "and no reaction keeps it open; write it as a distance, whose gradient is nowhere zero"
                )
        return None

    def _vanishes(self, c: int, t: float, state: np.ndarray) -> bool:
        """Whether the gradient of a gap vanishes as Newton steps −g M⁻¹∇g/|∇g|² approach its zero."""
        touching, nq = Touching(self._model, self._problem.parameters), self._model.nq
        q, first, steep, gap = state[:nq].copy(), None, 0.0, np.inf
        for _ in range(TOUCH_NEWTON_STEPS):
            here = touching.at(t, np.concatenate([q, state[nq:]]))
            steep, before, gap = float(steepness(here)[c]), gap, float(here.gaps[c])
            first = steep if first is None else first
            if not 0.0 < steep < np.inf or not abs(gap) < 0.9 * abs(before):
                break
            move = -gap / steep**2 * (here.K @ here.jacobians[3 * c])
            row = self._problem.rows(np.concatenate([q, move])[None], np.array([t]))
            q = q + evaluate_groups(self._model.tape("rates"), row)["q_dot"][0]
        return first is not None and steep <= TANGENT_TOUCH * first

    def _touch(self, edges, coefficients, pressed: np.ndarray) -> tuple[float, str] | None:
        """The first instant outside all ``pressed`` times at which a gap touches zero without a normal, and a message."""
        parts = np.arange(self._places) / self._places
        time = np.append((edges[:-1, None] + np.diff(edges)[:, None] * parts).ravel(), edges[-1])
        gaps = self._gaps(time, edges, coefficients)
        size = max(1.0, float(np.abs(coefficients[:, : self._model.nq, 0]).max(initial=0.0)))
        for far in FAR:
            low = gaps[far:-far]
            fall, rise = gaps[: -2 * far] - low, gaps[2 * far :] - low
            seen = np.minimum(fall, rise) > SEEN * TOUCHING * size
            least = seen & (low - np.maximum(fall, rise) <= TOUCHING * size)
            for j, c in zip(*np.nonzero(least), strict=True):
                begin, end = float(time[j]), float(time[j + 2 * far])
                if self._names[c] in self._closed or np.any((pressed[:, 1] >= begin) & (pressed[:, 0] <= end)):
                    continue
                t, gap = self._least(c, begin, end, edges, coefficients)
                if abs(gap) <= TOUCHING * size:
                    told = self._touch_message(c, t, begin, end, edges, coefficients)
                    if told is not None:
                        return t, told
        return None

    def _gaps(self, time, edges, coefficients) -> np.ndarray:
        rows = self._rows(time, edges, coefficients)
        return groups_of_rows(self._model.tape("distances"), rows)["gaps"]

    def _rows(self, time, edges, coefficients) -> np.ndarray:
        piece = np.clip(np.searchsorted(edges, time, side="right") - 1, 0, len(coefficients) - 1)
        states = horner(coefficients[piece], time - edges[piece])[:, : self._model.nq + self._model.nv]
        return self._problem.rows(states, time)

    def _least(self, c: int, begin: float, end: float, edges, coefficients) -> tuple[float, float]:
        """The instant between two others at which a gap is smallest, and its value."""
        t, least = begin, np.inf
        for _ in range(TOUCH_ROUNDS):
            time = np.linspace(begin, end, TOUCH_PARTS)
            gap = self._gaps(time, edges, coefficients)[:, c]
            k = int(np.argmin(gap))
            t, least = float(time[k]), float(gap[k])
            begin, end = time[max(0, k - 1)], time[min(TOUCH_PARTS - 1, k + 1)]
        return t, least

    def _touch_message(self, c: int, t: float, begin: float, end: float, edges, coefficients) -> str | None:
        """Message for a gap that is zero at t without a normal; None if it has a normal and the motion only grazes it."""
        touching = Touching(self._model, self._problem.parameters)
        instants = np.array([begin, t, end])
        rows = self._rows(instants, edges, coefficients)
        count = self._model.nq + self._model.nv
        steep = np.array([steepness(touching.at(at, row[:count]))[c] for at, row in zip(instants, rows, strict=True)])
        left, right = (abs(t - begin), abs(end - t))
        near = np.array([begin, t - NEAR_A_TOUCH * left, t, t + NEAR_A_TOUCH * right, end])
        gap = self._gaps(near, edges, coefficients)[:, c]
        falls = (
            (gap[1] - gap[2]) / max(NEAR_A_TOUCH * left, NEXT_TO_ZERO),
            (gap[3] - gap[2]) / max(NEAR_A_TOUCH * right, NEXT_TO_ZERO),
        )
        mean = (gap[0] - gap[2]) / max(left, NEXT_TO_ZERO), (gap[4] - gap[2]) / max(right, NEXT_TO_ZERO)
        jumps = all(own > RATE_JUMPS * whole > 0.0 for own, whole in zip(falls, mean, strict=True))
        if not (jumps or steep[1] <= TANGENT_TOUCH * steep[[0, 2]].max()):
            return None
        why = "jumps" if jumps else "vanishes"
        return (
            f"the gap of unilateral constraint '{self._names[c]}' touches zero at t = {t:.9g} s and does not change its sign, as "
            f"its gradient {why} there: "
            "it has no normal, and bodies would pass through; write a distance with a sign, negative on the other side"
        )


def _contact_times(steps: Steps) -> np.ndarray:
    """Beginnings and ends (K, 2) of the times with contact forces: instants of impacts, and steps with a closed gap."""
    if steps.atoms is None:
        return np.zeros((0, 2))
    half = 0.5 * steps.atoms.durations
    return np.column_stack([steps.atoms.times - half, steps.atoms.times + half])
