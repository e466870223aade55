"""Dense output of free bodies: the two halves of every time step, computed from the states at its ends."""

from typing import final

import numpy as np

from vinculum.compile.recent import Recent
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.observables import matrices
from vinculum.tolerances.sizes import NUMBERS_IN_STRETCH, STRETCHES_IN_MIND
from vinculum.tolerances.time_stepping import IMPACT


@final
class Flights:
    """Coefficients (2 k, 13 n, 3) of the states in the halves of k steps: quadratics through beginning, middle and end of a half.

    ``durations`` (k,) [s]; ``records`` (k + 1, n, 13): mass centers, attitudes, velocities and angular velocities between the steps, in
    world axes.
    """

    dtype, ndim = np.dtype(float), 3

    def __init__(self, free_bodies: FreeBodies, durations: np.ndarray, records: np.ndarray):
        self._free_bodies, self._durations, self._records = free_bodies, durations, records
        self.shape = (2 * len(durations), 13 * free_bodies.count, 3)
        self._stretch = max(1, NUMBERS_IN_STRETCH // max(1, 39 * free_bodies.count))
        self._recent: Recent[np.ndarray] = Recent(STRETCHES_IN_MIND)

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def nbytes(self) -> int:
        return self._records.nbytes

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return self[:].astype(dtype or self.dtype, copy=False)

    def __getitem__(self, key) -> np.ndarray:
        chosen = np.arange(len(self))[key]
        if np.ndim(chosen) == 0:
            return self._found(np.array([chosen]))[0]
        return self._found(chosen)

    def _found(self, halves: np.ndarray) -> np.ndarray:
        """Coefficients of the chosen halves. If all of them are in one stretch of the run, the whole stretch is computed, since its other
        halves are mostly asked for next."""
        stretch = np.unique(halves // self._stretch)
        if len(stretch) != 1:
            return self._coefficients(halves)
        first, key = int(stretch[0]) * self._stretch, str(stretch[0])
        found = self._recent.get(key)
        if found is None:
            found = self._recent.keep(key, self._coefficients(np.arange(first, min(first + self._stretch, len(self)))))
        return found[halves - first]

    def _coefficients(self, halves: np.ndarray) -> np.ndarray:
        """Coefficients of the chosen halves."""
        step = halves // 2
        return half_flights(
            self._free_bodies, self._durations[step], self._records[step], self._records[step + 1], halves % 2 == 1
        )


def half_flights(
    free_bodies: FreeBodies, durations: np.ndarray, here: np.ndarray, there: np.ndarray, second: np.ndarray
) -> np.ndarray:
    """Coefficients (k, 13 n, 3) of the states in halves of k steps, from the records at both ends of each (k, n, 13); those that are
    ``second`` (k,) are computed backwards from the end of the step."""
    d, late = durations[:, None, None], second[:, None, None]
    rate = (there[..., 7:] - here[..., 7:]) / d
    rate = np.where(was_struck(free_bodies, rate[..., :3]), np.concatenate([free_bodies.gravity, np.zeros(3)]), rate)
    known = np.where(late, there, here)
    times = np.concatenate([(part - late) * 0.5 * d for part in (0.0, 0.5, 1.0)])
    states = _states(free_bodies, np.tile(known, (3, 1, 1)), np.tile(rate, (3, 1, 1)), times)
    begin, middle, end = np.split(states, 3)
    h = 0.5 * durations[:, None]
    return np.stack(
        [begin, (4.0 * middle - 3.0 * begin - end) / h, 2.0 * (begin - 2.0 * middle + end) / (h * h)], axis=2
    )


def _states(free_bodies: FreeBodies, known, rate, s) -> np.ndarray:
    """States (k, 13 n) at a time s after known ones: origins, attitudes, and twists in the bodies' axes."""
    motion = known[..., 7:] + s * rate
    x = known[..., :3] + s * known[..., 7:10] + 0.5 * s * s * rate[..., :3]
    Q = turn_quaternions(known[..., 3:7], s * known[..., 10:] + 0.5 * s * s * rate[..., 3:])
    R = matrices(Q)
    spin = np.einsum("knji,knj->kni", R, motion[..., 3:])
    velocity = np.einsum("knji,knj->kni", R, motion[..., :3]) - np.cross(spin, free_bodies.centers)
    origin = x - np.einsum("knij,nj->kni", R, free_bodies.centers)
    q = np.concatenate([origin, Q], axis=-1).reshape(len(x), -1)
    return np.concatenate([q, np.concatenate([velocity, spin], axis=-1).reshape(len(x), -1)], axis=1)


def was_struck(free_bodies: FreeBodies, rate: np.ndarray) -> np.ndarray:
    """Whether bodies were hit in a step, (…, 1), from the mean ``rate`` (…, 3) [m/s²] of their velocities."""
    return np.linalg.norm(rate, axis=-1, keepdims=True) > IMPACT * np.linalg.norm(free_bodies.gravity)


def turn_quaternions(Q: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Quaternions (…, 4) after rotations by the vectors ``angle`` (…, 3) in world axes."""
    size = np.linalg.norm(angle, axis=-1, keepdims=True)
    c, s = np.cos(0.5 * size), 0.5 * np.sinc(0.5 * size / np.pi) * angle
    w, u = Q[..., :1], Q[..., 1:]
    return np.concatenate([c * w - (s * u).sum(-1, keepdims=True), c * u + w * s + np.cross(s, u)], axis=-1)
