"""Where steps go while a run is under way: memory, or a zarr folder."""

from typing import final

import numpy as np

from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import Steps


@final
class MemorySink:
    """Steps kept in memory."""

    def __init__(self):
        self._chunks: list[Steps] = []

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        return None

    @property
    def empty(self) -> bool:
        return not self._chunks

    def end(self, begin: float) -> float:
        """The instant reached so far."""
        return float(self._chunks[-1].times[-1]) if self._chunks else begin

    def append(self, steps: Steps) -> None:
        if len(steps.coefficients):
            self._chunks.append(steps)

    def pieces(self, crossings, log) -> Pieces:
        """All steps as dense output."""
        times = np.concatenate([self._chunks[0].times[:1], *(c.times[1:] for c in self._chunks)])
        return Pieces(times, np.concatenate([c.coefficients for c in self._chunks]))
