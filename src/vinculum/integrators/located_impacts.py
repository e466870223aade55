r"""Impacts between shapes located in a step: the step is cut where a gap closes fast.

Let the first such gap close at t + τ. The step then is one of length τ − δ, a short one of length 2δ with the impact in its middle, and the
rest, which may be cut again. All of them are steps of the same scheme. The first is found by Newton's method on the gaps along the path of
the whole step, without the impact, and then along its own path, because other contacts press in it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.contact.free_bodies.closings import PLAIN, STRUCK, WITHHELD
from vinculum.tolerances.time_stepping import (
    CLOSING_ROUNDS,
    HALF_WIDTH,
    HIT_TOGETHER,
    LEAST_WIDTH,
    LOCATED_CUTS,
    REFINED,
    SLOWEST_HIT,
    STILL_SWIFT,
    SWIFT,
    TIME_FOUND,
)

Closing = Callable[[float], tuple[np.ndarray, np.ndarray]]
"""Gaps and separation velocities (m,) of the contacts at a time [s] along a path."""


class Taken(NamedTuple):
    """A step that was taken: its status, its length [s], and what it gives to the record of the run; none if it failed."""

    status: int
    length: float
    result: Any


class CutStep(NamedTuple):
    """The steps into which one was cut; how many impacts were located, and whether some were left to the middle of a step. ``failed``: the
    step that could not be taken."""

    parts: list[Taken]
    located: int
    left: bool
    failed: Taken | None = None


@final
@dataclass
class Located:
    """How many impacts a run has located, and in how many steps some were not."""

    impacts: int = 0
    steps_left: int = 0

    def note(self, cut: CutStep) -> None:
        """Count those of a step."""
        self.impacts, self.steps_left = self.impacts + cut.located, self.steps_left + cut.left

    def remarks(self) -> list[str]:
        """What is to be said at the end of a run."""
        if not self.impacts and not self.steps_left:
            return []
        times = f"{self.impacts} time{'s' * (self.impacts != 1)}"
        told = f"{times} a step was cut at the instant of an impact; slow ones act in the middles of steps"
        if self.steps_left:
            told += f"; in {self.steps_left} step{'s' * (self.steps_left != 1)} some fast ones did too"
        return [told]


class Stepper(ABC):
    """Steps of one run that can be taken again."""

    @abstractmethod
    def keep(self) -> Any:
        """The present state, to which `restore` returns."""

    @abstractmethod
    def restore(self, kept: Any) -> None:
        """Return to a state."""

    @abstractmethod
    def take(self, t: float, d: float, after: float, impacts: int, swift: float) -> Taken:
        """Take a step of length d from t on, which one of length ``after`` follows; ``impacts`` and ``swift`` as in `closings`."""

    @abstractmethod
    def path_of(self, kept: Any, taken: Taken, t: float) -> Closing:
        """The contacts along a step that was taken from a state at t."""

    @abstractmethod
    def flight(self, t: float, ahead: float) -> Closing:
        """The contacts along the flight from the present state at t without impulses, up to a time ``ahead`` [s]."""

    @abstractmethod
    def forget_impulses(self) -> None:
        """Begin the next step without the impulses of the last one, which were those of an impact."""


def least_impact_speed(pull: float, h: float, fastest: float) -> float:
    """The speed [m/s] above which an approach is an impact of its own, in steps of h [s] under an acceleration ``pull``."""
    return max(SWIFT * pull * h, SLOWEST_HIT * fastest)


def is_short(d, h: float):
    """Whether steps of length d are those that hold a located impact, in a run with steps of h."""
    return d <= 2.5 * HALF_WIDTH * h


@final
class Cutter:
    """Cuts steps of a run at impacts."""

    def __init__(self, stepper: Stepper, h: float, done: int):
        """``done``: the status of a step that succeeded; ``h``: the step of the run [s]."""
        self._stepper, self._done, self._width = stepper, done, HALF_WIDTH * h

    def cut(self, t: float, d: float, after: float, swift: float) -> CutStep:
        """The parts of the step of length d from t on, which one of length ``after`` follows."""
        stepper, parts, end, located = self._stepper, [], t + d, 0
        begun = stepper.keep()
        while True:
            rest = end - t
            most = located >= LOCATED_CUTS
            kept = stepper.keep()
            whole = stepper.take(t, rest, after, PLAIN if most else WITHHELD, swift)
            if whole.status != self._done:
                return self._plain(begun, end - d, d, after, whole)
            found = None if most else first_closing(stepper.path_of(kept, whole, t), rest, swift)
            if found is None or rest - found < LEAST_WIDTH * self._width:
                return CutStep([*parts, whole], located, most)
            own = self._before(kept, t, rest, found, swift)
            if own and own[-1].status != self._done:
                return self._plain(begun, end - d, d, after, own[-1])
            before = own[0].length if own else 0.0
            if not own:
                stepper.restore(kept)
            half = self._half_width(found if not own else np.inf, rest - before)
            struck = stepper.take(t + before, 2.0 * half, rest - before - 2.0 * half, STRUCK, swift)
            if struck.status != self._done:
                return self._plain(begun, end - d, d, after, struck)
            stepper.forget_impulses()
            parts, located = [*parts, *own, struck], located + 1
            t += before + 2.0 * half
            if not end - t > LEAST_WIDTH * self._width:
                return CutStep(parts, located, False)

    def _half_width(self, since: float, left: float) -> float:
        """Half the length of the short step of an impact at a time ``since`` [s] from its beginning, with so much time ``left`` for it."""
        return min(max(min(self._width, since), LEAST_WIDTH * self._width), 0.5 * left)

    def _before(self, kept: Any, t: float, rest: float, found: float, swift: float) -> list[Taken]:
        """The step up to an impact, which is found again along it; none if the impact is at once."""
        for k in range(REFINED + 1):
            half = min(self._width, rest - found)
            d = found - half
            if not d > LEAST_WIDTH * self._width:
                return []
            self._stepper.restore(kept)
            taken = self._stepper.take(t, d, rest - d, WITHHELD, swift)
            if taken.status != self._done or k == REFINED:
                return [taken]
            late = _earliest(self._stepper.flight(t + d, 2.0 * half)(half), swift)
            if not abs(late) > TIME_FOUND * abs(t + found) + HIT_TOGETHER * rest:
                return [taken]
            latest = rest - LEAST_WIDTH * self._width
            found = min(max(found + late, 0.0), latest) if np.isfinite(late) else found
        raise AssertionError("the last round returns")

    def _plain(self, begun: Any, t: float, d: float, after: float, failed: Taken) -> CutStep:
        """The step without cuts, because a part ``failed``."""
        self._stepper.restore(begun)
        self._stepper.forget_impulses()
        whole = self._stepper.take(t, d, after, PLAIN, np.inf)
        if whole.status != self._done:
            return CutStep([], 0, True, whole)
        return CutStep([whole], 0, True)


def first_closing(closing: Closing, d: float, swift: float) -> float | None:
    """The time [s] of the first fast closing along a path of length d; None if there is none.

    Newton's method begins in the middle of the path and, if nothing closes by then, at its end.
    """
    at, at_end = 0.5 * d, False
    for _ in range(CLOSING_ROUNDS):
        new = at + _earliest(closing(at), swift)
        if new >= d:
            if at_end:
                return None
            at, at_end = d, True
            continue
        new = max(new, 0.0)
        if abs(new - at) <= HIT_TOGETHER * d or (new == 0.0 and at == 0.0):
            return new
        at, at_end = new, False
    return at


def _earliest(met: tuple[np.ndarray, np.ndarray], swift: float) -> float:
    """The time [s] until the first of some contacts closes fast; infinite if none does."""
    gaps, speeds = met
    fast = speeds < -STILL_SWIFT * swift
    return float((gaps[fast] / -speeds[fast]).min(initial=np.inf))
