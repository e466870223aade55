"""Percussions: what a motion's reactions have at single instants."""

from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class Atoms:
    """Atoms of the reactions of all boundaries: instants (K,) in order, and percussions (K, 3 m) [N s].

    Three numbers a boundary: normal, and along its two tangents. ``spans``: see `durations`. Moreau, An expression of classical dynamics, Prop. 4.1.
    """

    times: np.ndarray
    percussions: np.ndarray
    spans: np.ndarray | None = None

    @property
    def durations(self) -> np.ndarray:
        """Lengths (K,) [s] of the steps whose impulses they are; zero for true atoms."""
        return np.zeros(len(self.times)) if self.spans is None else self.spans

    def __len__(self) -> int:
        return len(self.times)

    def until(self, t: float) -> "Atoms":
        """The atoms before an instant and at it."""
        inside = self.times <= t
        return Atoms(self.times[inside], self.percussions[inside], self.durations[inside])

    @classmethod
    def joined(cls, parts: "list[Atoms]") -> "Atoms | None":
        """All atoms of consecutive parts of a run; None if there are no parts."""
        if not parts:
            return None
        times, percussions, durations = zip(*((p.times, p.percussions, p.durations) for p in parts), strict=True)
        return cls(np.concatenate(times), np.concatenate(percussions), np.concatenate(durations))
