"""Memory for the steps of long runs, reused when their motion is deleted.

The system hands out pages filled with zeros, and to fill them takes a good part of the time that the steps themselves take.
"""

import math
import threading
import weakref
from typing import final

import numpy as np

from vinculum.tolerances.sizes import KEPT_SLABS, SLAB, SMALLEST_SLAB_USER


@final
class StepMemory:
    """Slabs of equal size that are free; at most `KEPT_SLABS` of them are kept."""

    def __init__(self):
        self._free: list[memoryview] = []
        self._lock = threading.Lock()

    def array(self, shape: tuple[int, ...]) -> np.ndarray:
        """An array of floats that hold anything, from a slab if it is large and fits."""
        count = math.prod(shape)
        if not SMALLEST_SLAB_USER <= 8 * count <= SLAB:
            return np.empty(shape)
        with self._lock:
            slab = self._free.pop() if self._free else np.empty(SLAB, dtype=np.uint8).data
        lease = np.frombuffer(slab)  # all its views refer to it, as its own memory belongs to no array
        weakref.finalize(lease, self._give_back, slab).atexit = False
        return lease[:count].reshape(shape)

    def _give_back(self, slab: memoryview) -> None:
        with self._lock:
            if len(self._free) < KEPT_SLABS:
                self._free.append(slab)

    @property
    def kept(self) -> int:
        """Bytes that wait to be used again."""
        return SLAB * len(self._free)


STEPS = StepMemory()
