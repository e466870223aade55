"""Dense output of blocks: the states within every time step, computed where they are asked for."""

from typing import Any, final

import numpy as np


@final
class Quadratics:
    """Coefficients (k, n, 3) of the states in k steps: coordinates go through beginning, middle and end of a step, velocities change
    evenly. ``states`` (k + 1, n); ``middles`` (k, nq); ``lengths`` (k,) [s]."""

    dtype, ndim = np.dtype(float), 3

    def __init__(self, states: np.ndarray, middles: np.ndarray, lengths: np.ndarray):
        self._states, self._middles, self._lengths = states, middles, lengths
        self.shape = (len(lengths), states.shape[1], 3)

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def nbytes(self) -> int:
        return self._states.nbytes + self._middles.nbytes

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return self[:].astype(dtype or self.dtype, copy=False)

    def __getitem__(self, key: Any) -> np.ndarray:
        own, *others = key if isinstance(key, tuple) else (key,)
        chosen = np.arange(len(self))[own]
        if np.ndim(chosen) == 0:
            return self._found(np.array([chosen]))[(0, *others)]
        return self._found(chosen)[(slice(None), *others)]

    def _found(self, steps: np.ndarray) -> np.ndarray:
        """Coefficients of the chosen steps."""
        h, nq = self._lengths[steps, None], self._middles.shape[1]
        begin, end, found = self._states[steps], self._states[steps + 1], np.empty((len(steps), *self.shape[1:]))
        middle = 0.5 * (begin + end)
        middle[:, :nq] = self._middles[steps]
        found[:, :, 0] = begin
        found[:, :, 1] = (4.0 * middle - 3.0 * begin - end) / h
        found[:, :, 2] = 2.0 * (begin - 2.0 * middle + end) / (h * h)
        return found
