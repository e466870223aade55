"""Percussions: what a motion's reactions have at single instants."""

from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class Atoms:
    """Atoms of the reactions of all boundaries: instants (K,) in order, and percussions (K, 3 m) [N s].

    Three numbers a boundary: normal, and along its two tangents. ``given`` (K, nv): impulses that the user gives, along the velocities;
    None where there are none. Moreau, An expression of classical dynamics, Prop. 4.1.
    """

    times: np.ndarray
    percussions: np.ndarray
    given: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.times)

    def until(self, t: float) -> "Atoms":
        """The atoms before an instant and at it."""
        inside = self.times <= t
        return Atoms(self.times[inside], self.percussions[inside], None if self.given is None else self.given[inside])

    @classmethod
    def joined(cls, parts: "list[Atoms]") -> "Atoms | None":
        """All atoms of consecutive parts of a run; None if there are no parts."""
        if not parts:
            return None
        widths = {part.given.shape[1] for part in parts if part.given is not None}
        given = [np.zeros((len(p), *widths)) if p.given is None else p.given for p in parts] if widths else []
        return cls(
            np.concatenate([p.times for p in parts]),
            np.concatenate([p.percussions for p in parts]),
            np.concatenate(given) if given else None,
        )
