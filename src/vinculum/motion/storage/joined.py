"""Arrays stored in pieces, read as one."""

from collections.abc import Sequence
from typing import final

import numpy as np

from vinculum.motion.pieces import Coefficients


@final
class Joined:
    """Rows of several arrays in a row, without the copy that joining them would take."""

    def __init__(self, parts: Sequence[Coefficients]):
        self._parts = list(parts)
        self._ends = np.cumsum([len(part) for part in parts])
        self._begins = np.concatenate([[0], self._ends[:-1]])
        self.shape = (int(self._ends[-1]), *parts[0].shape[1:])
        self.dtype, self.ndim = np.dtype(float), parts[0].ndim

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.concatenate(self._parts).astype(dtype or self.dtype, copy=False)

    def __getitem__(self, key) -> np.ndarray:
        if isinstance(key, (int, np.integer)):
            place = int(key) + len(self) if key < 0 else int(key)
            if not 0 <= place < len(self):
                raise IndexError(f"row {key} of {len(self)}")
            return self._rows(place, place + 1)[0]
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step == 1:
                return self._rows(start, max(start, stop))
        return np.asarray(self)[key]

    def _rows(self, start: int, stop: int) -> np.ndarray:
        first, last = (int(np.searchsorted(self._ends, k, side="right")) for k in (start, max(stop - 1, start)))
        cut = [
            self._parts[i][max(start - self._begins[i], 0) : stop - self._begins[i]]
            for i in range(first, min(last + 1, len(self._parts)))
        ]
        return cut[0] if len(cut) == 1 else np.concatenate(cut) if cut else np.empty((0, *self.shape[1:]), self.dtype)
