"""Steps of free bodies in chunks, cut at impacts where these are located."""

from typing import Any, NamedTuple, final

import numpy as np

from vinculum.contact.free_bodies import steps as codes
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.closings import WATCHED
from vinculum.contact.free_bodies.workspace import FreeBodiesWork
from vinculum.integrators.free_bodies.flights import turn_quaternions, was_struck
from vinculum.integrators.located_impacts import Closing, Cutter, Located, Stepper, Taken, least_impact_speed
from vinculum.motion.method import LOCATED, Method
from vinculum.tolerances.sizes import FREE_BODIES_RECORD
from vinculum.tolerances.time_stepping import FREE_BODIES_SWEEPS


class Chunk(NamedTuple):
    """Steps that were taken: a status, their lengths, and those that are left; records, reports and pressing contacts as those of
    `FreeBodiesWork`."""

    status: int
    own: np.ndarray
    left: np.ndarray
    records: np.ndarray
    report: np.ndarray
    pressing: np.ndarray


@final
class ChunksOfSteps:
    """Chunks of at most ``size`` steps of a run, with h and the tolerance of its method."""

    def __init__(self, work: FreeBodiesWork, method: Method, size: int):
        assert method.step is not None and method.tolerance is not None
        self._work, self._size, self._h, self._tolerance = work, size, method.step, method.tolerance
        self._cutter = Cutter(_FreeBodiesStepper(work, method.tolerance), method.step, codes.DONE)
        self._locates, self.located = method.impacts == LOCATED, Located()

    def next(self, t: float, left: np.ndarray) -> Chunk:
        """The next steps from t on, of the lengths that are ``left``."""
        if not self._locates:
            status, records, report = self._work.steps(left[: self._size], self._tolerance, FREE_BODIES_SWEEPS)
            taken = len(records)
            return Chunk(status, left[:taken], left[taken:], records, report, self._work.pressing_contacts())
        return self._with_cuts(t, left)

    def _with_cuts(self, t: float, left: np.ndarray) -> Chunk:
        work, n = self._work, self._work.free_bodies.count
        own, records, reports = [np.zeros(0)], [np.zeros((0, n, 13))], [np.zeros((0, 8))]
        pressing, count, status, swift = [np.zeros((0, FREE_BODIES_RECORD))], 0, codes.DONE, self._swift()

        def add(lengths, made, report, pressed) -> None:
            nonlocal count, t
            pressed[:, 0] += count
            count, t = count + len(made), t + float(lengths.sum())
            for one, new in zip((own, records, reports, pressing), (lengths, made, report, pressed), strict=True):
                one.append(new)

        while len(left) and count < self._size and status == codes.DONE:
            room = left[: self._size - count]
            after = left[len(room)] if len(left) > len(room) else 0.0
            status, made, report = work.steps(room, self._tolerance, FREE_BODIES_SWEEPS, WATCHED, swift, after)
            add(room[: len(made)], made, report, work.pressing_contacts())
            left = left[len(made) :]
            if status == codes.HIT:
                cut = self._cutter.cut(t, float(left[0]), float(left[min(1, len(left) - 1)]), swift)
                self.located.note(cut)
                for part in cut.parts:
                    add(np.array([part.length]), *part.result)
                status = codes.DONE if cut.failed is None else cut.failed.status
                if cut.failed is None:
                    left, swift = left[1:], self._swift()
                else:
                    reports.append(cut.failed.result[1])
        return Chunk(
            status, np.concatenate(own), left, *(np.concatenate(parts) for parts in (records, reports, pressing))
        )

    def _swift(self) -> float:
        work = self._work
        fastest = float(np.sqrt((work.state.v**2).sum(axis=1).max(initial=0.0)))
        return least_impact_speed(float(np.linalg.norm(work.free_bodies.gravity)), self._h, fastest)


@final
class _FreeBodiesStepper(Stepper):
    def __init__(self, work: FreeBodiesWork, tolerance: float):
        self._work, self._tolerance = work, tolerance

    def keep(self) -> Any:
        return tuple(part.copy() for part in self._work.state), self._work.record()

    def restore(self, kept: Any) -> None:
        for part, known in zip(self._work.state, kept[0], strict=True):
            part[:] = known

    def take(self, t: float, d: float, after: float, impacts: int, swift: float) -> Taken:
        work = self._work
        status, records, report = work.steps(np.array([d]), self._tolerance, FREE_BODIES_SWEEPS, impacts, swift, after)
        return Taken(status, d, (records, report, work.pressing_contacts()))

    def path_of(self, kept: Any, taken: Taken, t: float) -> Closing:
        begin, end, d, bodies = kept[1], taken.result[0][0], taken.length, self._work.free_bodies
        rate = (end[:, 7:] - begin[:, 7:]) / d
        rate = np.where(was_struck(bodies, rate[:, :3]), _falling(bodies), rate)
        return lambda s: self._work.closing(
            _later_states(begin, rate, s) if s <= 0.5 * d else _later_states(end, rate, s - d), d
        )

    def flight(self, t: float, ahead: float) -> Closing:
        begin, rate = self._work.record(), _falling(self._work.free_bodies)
        return lambda s: self._work.closing(_later_states(begin, rate, s), ahead)

    def forget_impulses(self) -> None:
        self._work.forget_impulses()


def _falling(bodies: FreeBodies) -> np.ndarray:
    """Rates (6,) of the velocities and angular velocities of bodies in flight."""
    return np.concatenate([bodies.gravity, np.zeros(3)])


def _later_states(states: np.ndarray, rate: np.ndarray, s: float) -> np.ndarray:
    """States (n, 13) a time s later, with constant rates of the velocities."""
    way = s * states[:, 7:] + 0.5 * s * s * np.broadcast_to(rate, states[:, 7:].shape)
    Q = turn_quaternions(states[:, 3:7], way[:, 3:])
    return np.concatenate([states[:, :3] + way[:, :3], Q, states[:, 7:] + s * rate], axis=1)
