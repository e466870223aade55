"""Impacts that the events of a phase missed, found on its steps: a gap closes and opens within a step or at its beginning."""

from collections.abc import Mapping
from dataclasses import replace
from typing import final

import numpy as np

from vinculum.integrators.event_driven.touching import Touching
from vinculum.integrators.watch.loops import cut
from vinculum.motion.impulses.dips import instants_of_dips
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Steps
from vinculum.tolerances.event_driven import MISSED
from vinculum.tolerances.iterations import EVENT_HALVINGS
from vinculum.tolerances.samples import LOOKS_FOR_HITS, LOOKS_NEAR_BEGIN


@final
class MissedHits:
    """Samples the steps of a phase for negative gaps of unilateral constraints that are open in it."""

    def __init__(self, touching: Touching):
        self._touching = touching

    @property
    def _least(self) -> float:
        """Lowest value that a gap may have by round-off."""
        return -MISSED * self._touching.size

    def until_first(self, steps: Steps, closed: Mapping[str, str]) -> tuple[Steps, str]:
        """The steps until the first such gap is zero, and the name of its unilateral constraint; an empty name if there is none."""
        watched = np.array([name not in closed for name in self._touching.names], dtype=bool)
        if not len(steps.coefficients) or not watched.any():
            return steps, ""
        edges, parts = np.asarray(steps.times), np.arange(LOOKS_FOR_HITS) / LOOKS_FOR_HITS
        time = np.append((edges[:-1, None] + np.diff(edges)[:, None] * parts).ravel(), edges[-1])
        gaps = self._gaps(steps, time)
        dips = instants_of_dips(lambda t: self._gaps(steps, t)[:, watched], time, gaps[:, watched], -self._least)
        if len(dips):
            time = np.union1d(time, dips)
            gaps = self._gaps(steps, time)
        deep = (gaps < self._least) & watched
        if not deep.any():
            return steps, ""
        first = int(np.argmax(deep.any(axis=1)))
        c = int(np.argmax(deep[first]))
        end = self._closing(steps, c, time[: first + 1], gaps[: first + 1, c])
        k = int(np.searchsorted(edges, end))
        crossings = [one for one in steps.crossings if one.time <= end]
        return replace(cut(steps, k), times=np.append(edges[:k], end), crossings=crossings), self._touching.names[c]

    def _closing(self, steps: Steps, c: int, time: np.ndarray, gaps: np.ndarray) -> float:
        """Instant at which a gap last falls below zero.

        If the gap is negative at first, by round-off, the instant at which it last falls below that first value.
        """
        level = min(0.0, float(gaps[0]))
        before = np.flatnonzero(gaps[:-1] >= level)
        if not len(before):
            return float(time[0])
        low, high = time[before[-1]], time[before[-1] + 1]
        inside = np.unique(np.append(low + (high - low) * 2.0 ** -np.arange(LOOKS_NEAR_BEGIN), low))
        k = int(np.flatnonzero(self._gaps(steps, inside[:-1])[:, c] >= level)[-1])
        low, high = inside[k], inside[k + 1]
        for _ in range(EVENT_HALVINGS):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            low, high = (low, middle) if self._gaps(steps, np.array([middle]))[0, c] < level else (middle, high)
        jumps = self._gaps(steps, np.array([low]))[0, c] > -self._least
        return float(high if jumps else low)

    def reason(self, name: str, t: float, begin: float) -> str | None:
        """Message if a phase from ``begin`` has zero length because this hit ends it at once; otherwise None."""
        if t > begin:
            return None
        return (
            f"the gap of unilateral constraint '{name}' closes at once at t = {t:.9g} s, although no force presses it"
        )

    def _gaps(self, steps: Steps, time: np.ndarray) -> np.ndarray:
        """Gaps (T, m) along the steps."""
        piece = np.clip(np.searchsorted(steps.times, time, side="right") - 1, 0, len(steps.coefficients) - 1)
        states = horner(np.asarray(steps.coefficients)[piece], time - np.asarray(steps.times)[piece])
        states = states[:, : self._touching.model.nq + self._touching.model.nv]
        return self._touching.gaps(time, states)
