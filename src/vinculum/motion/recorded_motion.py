"""The common part of motions of bodies and of Lagrangians: states, time, log, audit, plot and files."""

from abc import ABC
from dataclasses import replace
from typing import Any, Self

import numpy as np

from vinculum.motion.by_type import MOTIONS
from vinculum.motion.doors import AUDIT, PLOT


class RecordedMotion(ABC):
    """A motion on a grid of instants; ``record`` contains its data."""

    record: Any

    def __getitem__(self, name) -> np.ndarray:
        """Coordinates of one joint on the grid, (T,) or (T, nq); for a Lagrangian one coordinate, (T,)."""
        return self.record[name]

    @property
    def time(self) -> np.ndarray:
        """The grid, (T,) [s]."""
        return self.record.time

    @property
    def q(self) -> np.ndarray:
        """Coordinates on the grid, (T, nq)."""
        return self.record.q

    @property
    def v(self) -> np.ndarray:
        """Velocities on the grid, (T, nv): right limits, or left limits in ``at(…, side="left")``."""
        return self.record.v

    @property
    def log(self) -> tuple[str, ...]:
        """Remarks of the run, in the order in which they were made."""
        return self.record.log

    def at(self, time, side: str = "right") -> Self:
        """The same motion on another grid; ``side``: which limit of velocities that jump."""
        return replace(self, record=self.record.at(time, side))  # type: ignore[type-var]

    def audit(self) -> Any:
        """The certificate of this motion: whether the laws of mechanics hold on it."""
        return AUDIT(self.record)

    def plot(self, *asked, path=None) -> Any:
        """The named joints (or coordinates of a Lagrangian; all by default) over time, as a Matplotlib figure."""
        return PLOT(self.record, asked, path)

    def save(self, path) -> None:
        """Write the motion to a zarr folder atomically; `vc.load` reads it without the functions of the model."""
        from vinculum.motion.storage.store import save

        save(self.record, path)

    def to_xarray(self) -> Any:
        """The motion on its grid as an `xarray.Dataset` with units."""
        return MOTIONS.of(self.record.model).dataset(self.record)
