"""How long contacts with a non-unique load distribution can balance the load."""

from collections.abc import Mapping
from dataclasses import replace
from typing import final

import numpy as np

from vinculum.bonds.unilaterals import SLIDES
from vinculum.integrators.event_driven.contacts import Contacts
from vinculum.integrators.event_driven.touching import Touching
from vinculum.integrators.watch.loops import cut
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Steps
from vinculum.tolerances.event_driven import AMPLE, RELEASED
from vinculum.tolerances.iterations import EVENT_HALVINGS
from vinculum.tolerances.samples import LOOKS_AT_LOADS, OFTEN


@final
class Hold:
    """The closed contacts of a phase, those among them with non-unique forces, and the last known forces inside the friction cones.

    ``span`` [s]: length of the run.
    """

    def __init__(self, touching: Touching, t: float, state: np.ndarray, closed: Mapping[str, str], span: float):
        numbers = [touching.names.index(name) for name in closed]
        self._touching, self._closed, self._often = touching, np.array(numbers, dtype=int), OFTEN * span
        self._slipping = np.array([closed.get(name) == SLIDES for name in touching.names], dtype=bool)
        shares = touching.shares(touching.at(t, state), self._closed, self._slipping)
        self._among = shares.shared if shares.balanced else shares.shared[:0]
        self._forces = shares.best(self._among) if len(self._among) else None

    @property
    def shared(self) -> frozenset[str]:
        """Names of the unilateral constraints whose forces are not unique."""
        return frozenset(self._touching.names[c] for c in self._closed[self._among])

    def lasting(self, steps: Steps) -> tuple[Steps, bool]:
        """The steps until no forces inside the friction cones balance the load, and whether that happens within them."""
        if self._forces is None or not len(steps.coefficients):
            return steps, False
        counts = np.maximum(LOOKS_AT_LOADS, np.ceil(np.diff(steps.times) / self._often).astype(int))
        place = np.repeat(np.arange(len(counts)), counts)
        part = np.concatenate([np.arange(1, n + 1) / n for n in counts])
        times = np.where(part < 1.0, steps.times[place] + part * np.diff(steps.times)[place], steps.times[place + 1])
        before = float(steps.times[0])
        for k, t, here in zip(place.tolist(), times, self._along(steps, place, times), strict=True):
            if not self._room(here) > -RELEASED:
                last = self._last(steps, k, max(before, float(steps.times[k])), float(t))
                kept = cut(steps, k + 1)
                crossings = [c for c in kept.crossings if c.time <= last]
                return replace(kept, times=np.append(kept.times[:-1], last), crossings=crossings), True
            before = float(t)
        return steps, False

    def _along(self, steps: Steps, place: np.ndarray, times: np.ndarray) -> list[Contacts]:
        states = horner(steps.coefficients[place], times - steps.times[place])
        return self._touching.along(times, states[:, : self._touching.model.nq + self._touching.model.nv])

    def _room(self, here: Contacts) -> float:
        """Distance of the forces to the edge of the friction cones.

        The forces are those nearest to the last known ones if their distance is ample, and otherwise those with the largest distance.
        """
        shares = self._touching.shares(here, self._closed, self._slipping)
        if not shares.balanced:
            return -np.inf
        assert self._forces is not None
        near = shares.nearest(self._forces)
        if not shares.room(near, self._among) > AMPLE:
            near = shares.best(self._among)
        self._forces = near
        return shares.room(near, self._among)

    def _last(self, steps: Steps, k: int, low: float, high: float) -> float:
        """The instant between ``low`` and ``high`` at which the forces leave the cones."""
        for _ in range(EVENT_HALVINGS):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            room = self._room(self._along(steps, np.array([k]), np.array([middle]))[0])
            low, high = (middle, high) if room > -RELEASED else (low, middle)
        return high
