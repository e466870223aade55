"""Steps of blocks in contact that are cut at impacts."""

from typing import Any, final

import numpy as np

from vinculum.contact.sparse.arrays import Settings
from vinculum.integrators.blocks_in_contact.step import Steps, Taken, room_for
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.integrators.located_impacts import Closing, Stepper
from vinculum.integrators.located_impacts import Taken as TakenStep


@final
class BlocksStepper(Stepper):
    """Steps from a ``state``; ``number``: that under which the contacts of the next step are recorded. ``h``: the steps of the run [s]."""

    def __init__(self, work: BlocksWork, settings: Settings, h: float):
        self._work, self._settings, self._h = work, settings, h
        self.state, self.number = np.zeros(0), 0

    def at(self, number: int, state: np.ndarray) -> None:
        """Begin from a state."""
        self.number, self.state = number, state

    def keep(self) -> Any:
        return self.state, self.number, self._work.contacts.near.recorded

    def restore(self, kept: Any) -> None:
        self.state, self.number, recorded = kept
        self._work.contacts.near.keep_records(recorded)

    def take_all(self, t: float, lengths: np.ndarray, after: float, impacts: int) -> tuple[int, Taken]:
        """Take steps of some lengths one after the other, the last of which one of length ``after`` follows; a status, and those that were
        taken, with the one that was not."""
        made = self._room(len(lengths))
        steps = Steps(t, lengths, after, self.number, impacts, np.inf, self._h)
        status, done = self._work.take(steps, self._settings, made)
        self.state, self.number = made.states[done], self.number + done
        return status, made.part(min(done + 1, len(lengths)))

    def take(self, t: float, d: float, after: float, impacts: int, swift: float) -> TakenStep:
        made = self._room(1)
        steps = Steps(t, np.array([d]), after, self.number, impacts, swift, self._h)
        status, _done = self._work.take(steps, self._settings, made)
        self.state, self.number = made.states[1], self.number + 1
        return TakenStep(status, d, made)

    def path_of(self, kept: Any, taken: TakenStep, t: float) -> Closing:
        d, made, nq = taken.length, taken.result, self._work.tables.tabled.nq
        (begin, end), middle = made.states, made.middles[0]
        q, v, q_end, v_end = *np.split(begin, [nq]), *np.split(end, [nq])

        def at(s: float) -> tuple[np.ndarray, np.ndarray]:
            x = s / d
            there = q + x * (4.0 * middle - 3.0 * q - q_end) + 2.0 * x * x * (q - 2.0 * middle + q_end)
            return self._work.closing(self._work.tables.on_charts(there), v + x * (v_end - v), t + s, d)

        return at

    def flight(self, t: float, ahead: float) -> Closing:
        tables, (q, v) = self._work.tables, np.split(self.state, [self._work.tables.tabled.nq])
        a = tables.accelerations(q, v, t)

        def at(s: float) -> tuple[np.ndarray, np.ndarray]:
            there = tables.on_charts(q + s * tables.coordinate_rates(q, v + 0.5 * s * a, t))
            return self._work.closing(there, v + s * a, t + s, ahead)

        return at

    def forget_impulses(self) -> None:
        self._work.contacts.forget_impulses()

    def _room(self, count: int) -> Taken:
        return room_for(count, self.state, self._work.tables.tabled.nq, self._work.shapes.moving)
