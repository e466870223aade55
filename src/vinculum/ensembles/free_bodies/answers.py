"""Many runs of free bodies in contact: each is an island, stepped as a run alone is, in one compiled loop over all of them."""

from collections.abc import Callable, Iterator
from typing import final

import numpy as np

from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.many_runs import Course, Kept
from vinculum.contact.free_bodies.steps import DONE
from vinculum.ensembles.by_type import Taken, TogetherOfType
from vinculum.ensembles.runs import shared_work
from vinculum.integrators.free_bodies.flights import half_flights
from vinculum.integrators.free_bodies.passages import Passages
from vinculum.integrators.free_bodies.steps import edges_of_steps, free_bodies_work, starts_of, steps_at_once
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem
from vinculum.tolerances.contact import DEEP_START
from vinculum.tolerances.sizes import NUMBERS_OF_RUNS_AT_ONCE
from vinculum.tolerances.time_stepping import FREE_BODIES_SWEEPS


@final
class FreeBodiesTogether(TogetherOfType):
    """The loop takes runs whose steps meet the tolerance and in which no body is so fast that it may pass through another. Others are
    left: they are taken one by one, with halved steps and all checks."""

    def take(
        self, first: Problem, states: np.ndarray, instants: np.ndarray, threads: int, check: Callable[[int], object]
    ) -> Taken:
        model, free_bodies = first.model, free_bodies_of(first.model)
        later = instants[instants > first.begin]
        result = np.full((len(states), len(later), states.shape[1]), np.nan)
        every, passages = np.arange(len(states)), Passages(free_bodies)
        if passages.unchecked == 0.0:
            for k in every:
                check(int(k))
            return Taken(result, np.zeros(len(states), dtype=np.int64), every, False)
        _check_starts(free_bodies, states, threads, check)
        assert first.method.step is not None and first.method.tolerance is not None
        durations = np.diff(edges_of_steps(first.begin, first.until, first.method.step))
        chunk, tolerance = steps_at_once(free_bodies), first.method.tolerance
        edges = _edges(first, durations, chunk)
        place = np.clip(np.searchsorted(edges, later, side="right") - 1, 0, 2 * len(durations) - 1)
        wanted, which = np.unique(place // 2, return_inverse=True)
        off = float(np.linalg.norm(free_bodies.offsets, axis=1).max(initial=0.0))
        course = Course(durations, chunk, wanted, passages.unchecked, off)
        how = np.full(len(states), -2)

        def job(begin: int, end: int, halt: np.ndarray) -> None:
            work = free_bodies_work(free_bodies, states[begin])
            for own in _pieces(free_bodies, begin, end):
                k, count, starts = own.start, own.stop - own.start, starts_of(free_bodies, states[own])
                ends = np.empty((count, len(wanted), 2, free_bodies.count, 13))
                work.take_runs(0, count, starts, course, tolerance, FREE_BODIES_SWEEPS, Kept(ends, how[own], halt))
                done = np.flatnonzero(how[own] == DONE)
                for j in range(len(later)):
                    d, dt = float(durations[wanted[which[j]]]), later[j] - edges[place[j]]
                    result[k + done, j] = _states(model, free_bodies, ends[done, which[j]], d, place[j] % 2, dt)

        halted = shared_work(len(states), threads, job)
        left = np.zeros(0, dtype=np.int64) if halted else np.flatnonzero(how != DONE)
        return Taken(result, np.where(how == DONE, 2 * len(durations), 0), left, halted)


def _check_starts(free_bodies: FreeBodies, states: np.ndarray, threads: int, check: Callable[[int], object]) -> None:
    """Check those that may be refused, by numbers that are not finite or by a penetration."""
    doubtful = np.logical_not(np.isfinite(states).all(axis=1))
    deep = DEEP_START * float(free_bodies.reaches[: free_bodies.count].min())

    def job(begin: int, end: int, halt: np.ndarray) -> None:
        for own in _pieces(free_bodies, begin, end):
            sound = own.start + np.flatnonzero(np.logical_not(doubtful[own]))
            if halt[0] or not len(sound):
                continue
            work = free_bodies_work(free_bodies, states[sound[0]])
            doubtful[sound] = work.depths_of(starts_of(free_bodies, states[sound])) > deep

    if shared_work(len(states), threads, job):
        raise KeyboardInterrupt
    for k in np.flatnonzero(doubtful):
        check(int(k))


def _pieces(free_bodies: FreeBodies, begin: int, end: int) -> Iterator[slice]:
    """Parts of the runs ``begin`` … ``end`` − 1 whose states stay in a fast cache."""
    size = max(1, NUMBERS_OF_RUNS_AT_ONCE // (13 * free_bodies.count))
    for k in range(begin, end, size):
        yield slice(k, min(k + size, end))


def _edges(first: Problem, durations: np.ndarray, chunk: int) -> np.ndarray:
    """Beginnings and middles of all steps, and the end of the last one, rounded as those of a single run."""
    t, found = first.begin, []
    for begin in range(0, len(durations), chunk):
        own = durations[begin : begin + chunk]
        edges = t + np.concatenate([[0.0], np.cumsum(own)])
        found.append(np.stack([edges[:-1], edges[:-1] + 0.5 * own], axis=1).ravel())
        t = edges[-1]
    return np.concatenate([*found, [first.until]])


def _states(model, free_bodies: FreeBodies, ends: np.ndarray, duration: float, half: int, dt: float) -> np.ndarray:
    """States (B, n) at a time ``dt`` after the beginning of a half of one step, from the records (B, 2, n, 13) at its ends."""
    second = np.full(len(ends), half == 1)
    coefficients = half_flights(free_bodies, np.full(len(ends), duration), ends[:, 0], ends[:, 1], second)
    return model.on_charts(horner(coefficients, np.full(len(ends), dt)))
