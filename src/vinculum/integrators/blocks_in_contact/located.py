"""Steps of blocks in contact that are cut at impacts."""

from typing import Any, NamedTuple, final

import numpy as np

from vinculum.contact.sparse.arrays import Settings
from vinculum.integrators.blocks_in_contact.step import Step, StepResult
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.integrators.located_impacts import Closing, Stepper, Taken


class BlocksTaken(NamedTuple):
    """A step of blocks, and where the shapes were in its middle."""

    step: StepResult
    centers: np.ndarray
    axes: np.ndarray


@final
class BlocksStepper(Stepper):
    """Steps from the coordinates ``q`` and velocities ``v``; ``number``: that under which the contacts of the next step are recorded."""

    def __init__(self, work: BlocksWork, settings: Settings):
        self._work, self._settings = work, settings
        self.q, self.v, self.number = np.zeros(0), np.zeros(0), 0

    def at(self, number: int, q: np.ndarray, v: np.ndarray) -> None:
        """Begin from a state."""
        self.number, self.q, self.v = number, q, v

    def keep(self) -> Any:
        return self.q, self.v, self.number, self._work.contacts.near.recorded

    def restore(self, kept: Any) -> None:
        self.q, self.v, self.number, recorded = kept
        self._work.contacts.near.keep_records(recorded)

    def take(self, t: float, d: float, after: float, impacts: int, swift: float) -> Taken:
        step = Step(t, d, 0.5 * (d + after if after > 0.0 else 2.0 * d), self.q, self.v, impacts, swift)
        made = self._work.step(self.number, step, self._settings)
        self.q, self.v, self.number = made.q, made.v, self.number + 1
        return Taken(made.status, d, BlocksTaken(made, self._work.centers.copy(), self._work.axes.copy()))

    def path_of(self, kept: Any, taken: Taken, t: float) -> Closing:
        (q, v, _number, _recorded), d, made = kept, taken.length, taken.result.step

        def at(s: float) -> tuple[np.ndarray, np.ndarray]:
            x = s / d
            there = q + x * (4.0 * made.middle - 3.0 * q - made.q) + 2.0 * x * x * (q - 2.0 * made.middle + made.q)
            return self._work.closing(self._work.on_charts(there), v + x * (made.v - v), t + s, d)

        return at

    def flight(self, t: float, ahead: float) -> Closing:
        tables, q, v = self._work.tables, self.q, self.v
        a = tables.accelerations(q, v, t)

        def at(s: float) -> tuple[np.ndarray, np.ndarray]:
            there = self._work.on_charts(q + s * tables.coordinate_rates(q, v + 0.5 * s * a, t))
            return self._work.closing(there, v + s * a, t + s, ahead)

        return at

    def forget_impulses(self) -> None:
        self._work.contacts.near.list_anew()
