"""Closed loops during a run: gaps kept shut, dependent gaps mixed anew, singular positions found and passed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.equations.closures import STIFFNESS, mixing_name
from vinculum.kernels.closed_loops import clearances, closed, mixed
from vinculum.kernels.evaluate import compile_for_again
from vinculum.kernels.gaps import gap_places, gaps_at
from vinculum.motion.lost_slopes import lost_slope
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps
from vinculum.motion.seen_conditions import Seen, seen_along, watching
from vinculum.motion.troubled_conditions import SHARE, dependent_ones, listed, row_told, rows_without_slope, state_told

SINGULAR = 1e-6
OPEN, SLIGHTLY_OPEN, NOISE = 1e-4, 1e-8, 1e4
"""Gaps that end a run: a multiple of the tolerance of an adaptive method, within bounds."""
ACCEPTED = 1e-10
JUMP_ORDER = 5
LOOK = 0.05
NEAR = 0.01
BEYOND = 1.23  # keeps the singular instant away from the nodes of a Gauss–Kronrod rule, where reactions are asked for
FORGET = 0.98
SHORT = 1e-4
STALE = 0.3
REACH = 2.0
DECAY = {"taylor": 1.0, "rk4": 0.0, "verlet": 0.0, "midpoint": 0.0}
"""Round-off in the gaps decays by this part in a step; fixed steps end where all conditions hold."""
USUAL_DECAY = 0.1
OTHERWISE = " by this method; method='taylor' passes those that can be passed"


@final
@dataclass(frozen=True, eq=False)
class Encounter:
    """A step that meets a singular position: its number, the instant, and the state there."""

    step: int
    instant: float
    state: np.ndarray


@final
class LoopWatch:
    """What has to be done about loops between the chunks of a run."""

    def __init__(self, problem: Problem):
        self._problem = problem
        self._model = problem.model
        self.needed = bool(problem.model.layout["gaps"]) and problem.model.layout["rank"] > 0
        self.of_places = self.needed and 0 in problem.model.layout["levels"]
        self._names = problem.model.parameter_names
        self._passed, self._usual, self._longest = -np.inf, 0.0, 0.0
        self._stiffness = self._names.index(STIFFNESS) if self.needed else -1
        self._open = min(max(NOISE * (problem.method.claimed or 1.0), SLIGHTLY_OPEN), OPEN)
        self._decay = DECAY.get(problem.method.claims.name, USUAL_DECAY)
        if self.needed and problem.thorough:
            compile_for_again(gap_places(problem.model).tape)
        self._seen: tuple[Steps, Seen] | None = None

    def settle(self, steps: Steps) -> None:
        """Parameters for the next chunk: a decay of round-off as quick as the steps, and gaps mixed for the present position."""
        if not self.needed or not len(steps.coefficients):
            return
        problem, layout = self._problem, self._model.layout
        self._longest = max(self._longest, self._look(steps).longest)
        if self._longest == 0.0:
            return
        problem.parameters[self._stiffness] = min(self._decay / self._longest, problem.quickest)
        if layout["rank"] == len(layout["kept"]):
            return
        state = self._look(steps).ends[-1:]
        if np.all(np.isfinite(state)):
            problem.parameters[:] = mixed(self._model, state, steps.times[-1], problem.parameters)[0]

    def fresh(self, steps: Steps) -> int:
        """How many of the steps were taken with gaps that were still well mixed for their positions."""
        layout = self._model.layout
        kept, rank = layout["kept"], layout["rank"]
        if not self.needed or rank == len(kept) or len(steps.coefficients) < 2:
            return len(steps.coefficients)
        places = [self._names.index(mixing_name(i, j)) for i in range(rank) for j in range(len(kept))]
        P = self._problem.parameters[places].reshape(rank, len(kept))
        at = gaps_at(
            self._model, steps.coefficients[:, :, 0], steps.times[:-1], self._problem.parameters, watching=True
        )
        J = at.slopes[:, kept]
        mixed_now = np.linalg.svd((P * at.sizes[:, None, kept]) @ J, compute_uv=False)[:, -1]
        stale = mixed_now < STALE * np.linalg.svd(J, compute_uv=False)[:, rank - 1]
        return max(int(np.argmax(stale)), 1) if stale.any() else len(stale)

    def sound(self, steps: Steps) -> Steps:
        """The steps before loops open (a mechanism that is locked, or torn apart by large steps), or, where steps become ever
        shorter, before conditions lose their slopes; with the reason, if that ends the run."""
        if not self.needed or not len(steps.coefficients):
            return steps
        seen = self._look(steps)
        if seen.worst > self._open:
            k = watching().first_above(seen.violations, self._open)
            kept = cut(steps, k if k or steps.times[0] > self._problem.begin else 1)
            told = self._opening(seen.violations[k], float(steps.times[k + 1]))
            return replace(kept, failure=told, expanded=steps.expanded)
        lost = lost_slope(self._model, steps, seen, self._problem.parameters)
        if lost is not None and self._problem.method.claims.name == "taylor":
            steps.log.append(f"passed: {lost.remark(self._model)}")
        elif lost is not None:
            why = f"{lost.remark(self._model)}; the velocities do not continue uniquely{OTHERWISE}"
            return replace(cut(steps, max(lost.step, 1)), failure=why)
        if seen.longest < SHORT * self._longest:
            told = rows_without_slope(self._model, seen.ends[-1], float(steps.times[-1]), self._problem.parameters)
            if told:
                return replace(steps, failure=f"the steps become ever shorter near t = {steps.times[-1]:.9g} s{told}")
        return steps

    def _opening(self, gaps: np.ndarray, t: float) -> str:
        worst = int(np.argmax(gaps))
        what = "the loops opened by {:.2g} of their length"
        if self._model.layout["gaps"][worst][0] in self._model.layout["constraints"]:
            rows = np.flatnonzero(gaps > SHARE * gaps[worst]).tolist()
            what = f"{listed([row_told(self._model, i) for i in rows])} came to be violated by {{:.2g}}"
        return (
            f"{what.format(gaps[worst])} near t = {t:.9g} s: the mechanism is locked there, conditions contradict each other, or the steps "
            "are too long; use a smaller tolerance or step"
        )

    def checked(self, steps: Steps) -> Steps:
        """The steps of a method without series: a singular position ends them, as do loops that have opened."""
        met = self._met(steps)
        before = self.sound(steps if met is None else cut(steps, met.step))
        if met is None or before.failure is not None:
            return replace(before, failure=before.failure or steps.failure)
        return replace(cut(steps, max(met.step, 1)), failure=self.refusal(met))

    def _met(self, steps: Steps) -> Encounter | None:
        """The first step across which the direction in which the gaps are nearly dependent turns over."""
        if not len(steps.coefficients):
            return None
        layout = self._model.layout
        states = np.concatenate([steps.coefficients[:, :, 0], _ends(steps)[-1:]])
        J = gaps_at(self._model, states, steps.times, self._problem.parameters, watching=True).slopes[:, layout["kept"]]
        U, s, Vt = np.linalg.svd(J, full_matrices=False)
        last = layout["rank"] - 1
        u, w = U[:, :, last], Vt[:, last]
        turned = np.einsum("bm,bm->b", u[1:], u[:-1]) * np.einsum("bn,bn->b", w[1:], w[:-1]) < 0.0
        h = np.diff(steps.times)
        ahead = self._clearance(horner(steps.coefficients, LOOK * h), steps.times[:-1] + LOOK * h)
        here = s[:-1, last] / np.maximum(s[:-1, 0], np.finfo(float).tiny)
        reaches = (ahead < here) & (LOOK * here < REACH * (here - ahead))
        for i in np.flatnonzero((turned & reaches) | (s[1:, last] < SINGULAR * s[1:, 0])):
            return Encounter(int(i), float(steps.times[i + 1]), states[i + 1])
        return None

    def encounter(self, steps: Steps) -> Encounter | None:
        """The first step that stands right before a position where the gaps become dependent.

        Division by small numbers has shortened the steps by then; "right before" is measured by the length they had.
        """
        if not self.needed or not len(steps.coefficients):
            return None
        seen, k, next_near = self._look(steps), 0, watching().next_near
        while True:
            i, self._usual, away = next_near(
                k, seen.here, seen.ahead, steps.times, self._passed, self._usual, LOOK, NEAR, SINGULAR, FORGET
            )
            found = None if i < 0 else self._least_clearance(steps, i, 2.0 * away)
            if i < 0 or found is not None:
                return found
            k = i + 1

    def _look(self, steps: Steps) -> Seen:
        """What is to be seen of the conditions along some steps, evaluated once."""
        if self._seen is None or self._seen[0] is not steps:
            self._seen = steps, seen_along(self._model, steps, self._problem.parameters, LOOK)
        return self._seen[1]

    def _clearance(self, states: np.ndarray, times: np.ndarray) -> np.ndarray:
        return clearances(self._model, states, times, self._problem.parameters)

    def _least_clearance(self, steps: Steps, i: int, reach: float) -> Encounter | None:
        low, high, piece = 0.0, reach, _low_orders(steps.coefficients[i : i + 1])
        for _ in range(8):
            places = np.linspace(low, high, 17)
            clearance = self._clearance(horner(np.repeat(piece, 17, axis=0), places), steps.times[i] + places)
            k = int(np.argmin(clearance))
            low, high = places[max(k - 1, 0)], places[min(k + 1, 16)]
        if clearance[k] > SINGULAR:
            return None
        return Encounter(i, float(steps.times[i] + places[k]), horner(piece, places[k : k + 1])[0])

    def passed(self, steps: Steps, met: Encounter, series: Callable) -> tuple[Steps, float, np.ndarray]:
        """Steps that reach over a singular position, the instant beyond and the state there.

        On the motion itself the accelerations have a limit at the singular position, so a series begun right before it stays valid
        beyond; its low orders are free of the division by small numbers that spoils the high ones. ``series(t, state)``: its
        coefficients (n, order + 1).
        """
        i, begin = met.step, float(steps.times[met.step])
        end = min(met.instant + BEYOND * (met.instant - begin), self._problem.until)
        before = closed(self._model, steps.coefficients[i : i + 1, :, 0], begin, self._problem.parameters, tight=True)
        jump = _low_orders(series(begin, before[0])[None])
        raw = horner(jump, np.array([end - begin]))
        beyond = closed(self._model, raw, end, self._problem.parameters, tight=True)
        made = Steps(np.append(steps.times[: i + 1], end), np.concatenate([steps.coefficients[:i], jump]),
                     [c for c in steps.crossings if c.time <= begin])  # fmt: skip
        self._passed = end
        opened = np.abs(gaps_at(self._model, raw, end, self._problem.parameters).values).max(initial=0.0)
        if not opened < ACCEPTED * max(1.0, np.abs(raw).max()):
            return self._ended(steps, i), end, beyond[0]
        made.log.append(f"passed a singular position at t = {met.instant:.9g} s: {self._where(met)}")
        return made, end, beyond[0]

    def _ended(self, steps: Steps, before: int) -> Steps:
        """The steps up to the last one that ends with closed loops, of those before a singular position."""
        ends = _ends(steps)[:before]
        gaps = np.abs(gaps_at(self._model, ends, steps.times[1 : before + 1], self._problem.parameters).values)
        opened = np.flatnonzero(gaps.max(axis=1, initial=0.0) > ACCEPTED)
        last = int(opened[0]) if len(opened) else before
        met = Encounter(last, float(steps.times[last]), steps.coefficients[last, :, 0])
        return replace(cut(steps, last), failure=self.refusal(met))

    def refusal(self, met: Encounter) -> str:
        """That the motion ends at a singular position."""
        return (
            f"at t = {met.instant:.9g} s {self._subject(met)} reach a singular position, {state_told(self._model, met.state)}, from "
            f"which the velocities do not continue uniquely{OTHERWISE * (self._problem.method.claims.name != 'taylor')}"
        )

    def _subject(self, met: Encounter) -> str:
        return dependent_ones(self._model, met.state, met.instant, self._problem.parameters)

    def _where(self, met: Encounter) -> str:
        q_names = self._model.layout["q_names"]
        return ", ".join(f"{n} = {x:.6g}" for n, x in zip(q_names, met.state[: len(q_names)], strict=True))


def _low_orders(pieces: np.ndarray) -> np.ndarray:
    low = pieces.copy()
    low[:, :, JUMP_ORDER + 1 :] = 0.0
    return low


def cut(steps: Steps, count: int) -> Steps:
    """The first steps of a chunk and what happened in them."""
    times = steps.times[: count + 1]
    return Steps(times, steps.coefficients[:count], [c for c in steps.crossings if c.time <= times[-1]], steps.log)


def end_state(steps: Steps) -> np.ndarray:
    """The state after the last step, (n,)."""
    return horner(steps.coefficients[-1:], np.diff(steps.times[-2:]))[0]


def _ends(steps: Steps) -> np.ndarray:
    return horner(steps.coefficients, np.diff(steps.times))
