"""Dense output of a pile: free flights between impulses, kept as one place and one velocity of every body a flight."""

from typing import final

import numpy as np

from vinculum.kernels.pile import Pile
from vinculum.kernels.pile_tape import matrices


@final
class Flights:
    """Coefficients (k, 13 n, 3) of the states of k flights, worked out when asked for: quadratics through begin, middle and end of a flight.

    ``durations`` (k,) [s]; ``records`` (k, n, 13): mass centers and attitudes at the begin, mean velocities and mean angular velocities;
    ``momenta`` (k, n, 3): angular momenta, (k, 0, 3) of bodies that are round.
    """

    dtype, ndim = np.dtype(float), 3

    def __init__(self, pile: Pile, durations: np.ndarray, records: np.ndarray, momenta: np.ndarray):
        self._pile, self._durations, self._records, self._momenta = pile, durations, records, momenta
        self.shape = (len(durations), 13 * pile.count, 3)

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def nbytes(self) -> int:
        return self._records.nbytes + self._momenta.nbytes

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return self._coefficients(slice(None)).astype(dtype or self.dtype, copy=False)

    def __getitem__(self, key) -> np.ndarray:
        if isinstance(key, (int, np.integer)):
            return self._coefficients(np.array([key]))[0]
        return self._coefficients(key)

    def _coefficients(self, key) -> np.ndarray:
        d = self._durations[key]
        begin, middle, end = (self._states(key, s) for s in (0.0, 0.5, 1.0))
        h = d[:, None]
        return np.stack([begin, (4.0 * middle - 3.0 * begin - end) / h, 2.0 * (begin - 2.0 * middle + end) / (h * h)], axis=2)

    def _states(self, key, part: float) -> np.ndarray:
        """States (k, 13 n) at a part of the flights: origins, attitudes, and twists in the bodies' axes."""
        pile, d, r = self._pile, self._durations[key][:, None, None], self._records[key]
        x, Q, V, w = r[..., :3], r[..., 3:7], r[..., 7:10], r[..., 10:]
        s = part * d
        away = s - 0.5 * d
        v = V + away * pile.gravity
        x = x + s * V - 0.5 * s * (d - s) * pile.gravity
        Q = turned(Q, s * w)
        R = matrices(Q)
        if self._momenta.shape[1]:
            inverse = np.linalg.inv(pile.inertias)
            spin = np.einsum("nij,knj->kni", inverse, np.einsum("knji,knj->kni", R, self._momenta[key]))
            if part == 0.5:
                spin = np.einsum("knji,knj->kni", R, w)
        else:
            spin = np.einsum("knji,knj->kni", R, w)
        velocity = np.einsum("knji,knj->kni", R, v) - np.cross(spin, pile.centers)
        origin = x - np.einsum("knij,nj->kni", R, pile.centers)
        q = np.concatenate([origin, Q], axis=-1).reshape(len(r), -1)
        return np.concatenate([q, np.concatenate([velocity, spin], axis=-1).reshape(len(r), -1)], axis=1)


def turned(Q: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Quaternions (…, 4) after rotations by the vectors ``angle`` (…, 3) of world axes."""
    size = np.linalg.norm(angle, axis=-1, keepdims=True)
    c, s = np.cos(0.5 * size), 0.5 * np.sinc(0.5 * size / np.pi) * angle
    w, u = Q[..., :1], Q[..., 1:]
    return np.concatenate([c * w - (s * u).sum(-1, keepdims=True), c * u + w * s + np.cross(s, u)], axis=-1)
