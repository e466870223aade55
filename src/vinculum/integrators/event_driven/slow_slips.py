"""Sliding so slow that its direction turns faster than a method can follow: phases end there with a message."""

from typing import final

import numpy as np

from vinculum.integrators.event_driven.touching import Touching
from vinculum.tolerances.event_driven import (
    DRIVEN,
    FEWER_HITS,
    HITS_IN_NO_TIME,
    MODELS_IN_NO_TIME,
    NO_TIME,
    NO_TIME_OF_HITS,
    PHASES_IN_NO_TIME,
    SLOW_SLIP,
    STEPS_IN_NO_TIME,
)

USE_STEPS = "use time stepping: method='moreau' with a step"


@final
class SlipWatch:
    """Counts steps and phases since a run last advanced by a ten-thousandth of its span [s], and hits and derived equations since it
    last advanced by a hundredth. ``most``: hits that are not too many.
    """

    def __init__(self, begin: float, span: float, models: int = 0, most: float | None = None):
        self._begin, self._span, self._models = begin, span, models
        self._most = HITS_IN_NO_TIME if most is None else most
        self._since = self._hits_since = self._models_since = begin
        self._steps = self._phases = self._hits = 0

    def changes_often(self, t: float, models: int) -> str | None:
        """A message that too many of the ``models`` derived for phases up to t are recent; None if not.

        Then contacts change so often that time stepping is faster.
        """
        if t - self._models_since > NO_TIME_OF_HITS * self._span:
            self._models_since, self._models = t, models
        if models - self._models <= MODELS_IN_NO_TIME:
            return None
        return f"near t = {t:.9g} s contacts open and close so often that each set of them would need equations of its own; {USE_STEPS}"

    def gets_nowhere(self, t: float, steps: int = 0, phases: int = 0, hits: int = 0) -> bool:
        """Whether the run has taken too many steps, phases or hits up to t, including the ones passed here.

        Phases that begin with ``hits`` count as hits only.
        """
        if t - self._hits_since > NO_TIME_OF_HITS * self._span:
            self._hits_since, self._hits = t, 0
        self._hits += hits
        if t - self._since > NO_TIME * self._span:
            self._since, self._steps, self._phases = t, 0, 0
            return self._hits > self._most
        self._steps += steps
        self._phases += 0 if hits else phases
        return self._steps > STEPS_IN_NO_TIME or self._phases > PHASES_IN_NO_TIME or self._hits > self._most

    @property
    def chatters_on(self) -> bool:
        """Whether there are too many hits again, soon after time stepping took over because of hits."""
        return self._hits > self._most and self._most < HITS_IN_NO_TIME and self._hits_since == self._begin

    def after_time_stepping(self, t: float, models: int) -> "SlipWatch":
        """The watch of the run from t on, where time stepping hands it back."""
        return SlipWatch(t, self._span, models, FEWER_HITS * self._most if self._hits > self._most else self._most)


def time_to_rest(touching: Touching, t: float, state: np.ndarray, sliding: list[str]) -> tuple[float, float] | None:
    """Time [s] until the first driven slow slip stops, and the shortest time in which such a slip turns toward its force; None without
    one.

    A slow slip is driven if a force f acts on it against friction. Its direction approaches that of f at the rate f/(m |u|), and it
    comes to rest at the rate (μN − f)/(m |u|). If the first rate is not small compared to the second, steps as long as the stopping time
    are unstable.
    """
    here = touching.at(t, state)
    force = touching.forces(here)[0]
    pressed = np.where(np.arange(len(force)) % 3 == 0, force, 0.0)
    rates = np.column_stack([here.rates + here.K @ (here.jacobians.T @ one) for one in (force, pressed)])
    coming, driven = ((here.jacobians @ rates).T + here.biases).reshape(2, -1, 3)[:, :, 1:]
    found = []
    for c in (touching.names.index(name) for name in sliding):
        u = here.speeds[3 * c + 1 : 3 * c + 3]
        size = float(np.hypot(*u))
        loss, drive = (-float(coming[c] @ u) / size if size > touching.still else 0.0), float(np.hypot(*driven[c]))
        if loss > 0.0 and size < SLOW_SLIP * touching.speed and drive > DRIVEN * loss:
            found.append((size / loss, size / drive))
    return (min(stop for stop, _ in found), min(turn for _, turn in found)) if found else None


def too_slow(name: str, slip: float, t: float, why: str | None) -> str:
    """Message that the slow slip [m/s] of a unilateral constraint ends the phases; ``why``: the message of the method, if it gave one."""
    told = why or f"steps make no progress near t = {t:.9g} s"
    return (
        f"{told}; unilateral constraint '{name}' slips at {slip:.2g} m/s at t = {t:.9g} s, where the direction of such a slow slip "
        f"turns faster than this "
        f"method can follow; {USE_STEPS}"
    )
