"""Sliding so slow that its direction turns faster than a method can follow: the run stops with a message."""

from typing import final

import numpy as np

from vinculum.integrators.event_driven.touching import Touching
from vinculum.tolerances.event_driven import (
    DRIVEN,
    HITS_IN_NO_TIME,
    MODELS_IN_NO_TIME,
    NO_TIME,
    NO_TIME_OF_HITS,
    PHASES_IN_NO_TIME,
    SLOW_SLIP,
    STEPS_IN_NO_TIME,
)

REMEDY = "use time stepping: method='moreau' with a step"


@final
class SlipWatch:
    """Counts steps and phases since a run last moved on by a ten-thousandth of its span [s], and hits and equations made since it did so
    by a hundredth."""

    def __init__(self, begin: float, span: float, models: int = 0):
        self._span, self._models = span, models
        self._since = self._hits_since = begin
        self._steps = self._phases = self._hits = 0

    def makes_too_many(self, t: float, models: int) -> bool:
        """Whether too many of the ``models`` that were made for single phases until t are recent: contacts change so often that time
        stepping is quicker."""
        if t - self._hits_since > NO_TIME_OF_HITS * self._span:
            self._hits_since, self._hits, self._models = t, 0, models
        return models - self._models > MODELS_IN_NO_TIME

    def gets_nowhere(self, t: float, steps: int = 0, phases: int = 0, hits: int = 0) -> bool:
        """Whether there have been too many of them, these included, until t; phases that begin with ``hits`` are counted as such."""
        self._hits += hits
        if t - self._since > NO_TIME * self._span:
            self._since, self._steps, self._phases = t, 0, 0
            return self._hits > HITS_IN_NO_TIME
        self._steps += steps
        self._phases += 0 if hits else phases
        return self._steps > STEPS_IN_NO_TIME or self._phases > PHASES_IN_NO_TIME or self._hits > HITS_IN_NO_TIME


def time_to_rest(touching: Touching, t: float, state: np.ndarray, sliding: list[str]) -> tuple[float, float] | None:
    """The time [s] in which the first of the slow slips stops, of those that forces f drive on against friction, and the least in which
    one of them turns to its force; None without such.

    They come to the direction of f at the rate f/(m |u|), and to rest at (μN − f)/(m |u|): where the one is not small against the other,
    steps as long as that time are unstable.
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
    """That the slip of a unilateral constraint, in size [m/s], ends a run; ``why``: what the method said, if it did."""
    told = why or f"steps make no progress near t = {t:.9g} s"
    return (
        f"{told}; unilateral constraint '{name}' slips at {slip:.2g} m/s at t = {t:.9g} s, where the direction of so slow a slip "
        f"turns faster than this "
        f"method follows; {REMEDY}"
    )
