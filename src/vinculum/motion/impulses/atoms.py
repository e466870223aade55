"""Impulses: atoms of the reactions of a motion."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.motion.impulses.meetings import Meetings


@final
@dataclass(frozen=True, eq=False)
class Atoms:
    """Atoms of the reactions of all unilateral constraints: instants (K,) in order, and impulses (K, 3 b) [N s].

    Three numbers for each unilateral constraint: normal, and along its two tangents. After those of all unilateral
    constraints, three for each that resists rolling or spinning: moments [N m s] about these axes. ``given`` (K, nv):
    applied impulses along the velocities, or None. ``meetings``: atoms of contacts between shapes, which differ from
    instant to instant. ``spans``: see `durations`. Moreau, An expression of classical dynamics, Prop. 4.1.
    """

    times: np.ndarray
    contact_impulses: np.ndarray
    given: np.ndarray | None = None
    meetings: Meetings | None = None
    spans: np.ndarray | None = None

    @property
    def durations(self) -> np.ndarray:
        """Lengths (K,) [s] of the steps to which the impulses belong; zero for true atoms."""
        return np.zeros(len(self.times)) if self.spans is None else self.spans

    def __len__(self) -> int:
        return len(self.times)

    def until(self, t: float) -> "Atoms":
        """The atoms up to an instant, including it."""
        inside = self.times <= t
        given = None if self.given is None else self.given[inside]
        meetings = None if self.meetings is None else self.meetings.choose(inside)
        return Atoms(self.times[inside], self.contact_impulses[inside], given, meetings, self.durations[inside])

    @classmethod
    def join(cls, parts: "list[Atoms]") -> "Atoms | None":
        """All atoms of consecutive parts of a run; None if there are no parts."""
        if not parts:
            return None
        widths = {part.given.shape[1] for part in parts if part.given is not None}
        given = [np.zeros((len(p), *widths)) if p.given is None else p.given for p in parts] if widths else []
        before = np.cumsum([0, *(len(p) for p in parts)])
        met = [
            p.meetings.renumber(p.meetings.atoms + n).rows
            for p, n in zip(parts, before, strict=False)
            if p.meetings is not None
        ]
        times, contact_impulses, durations = zip(
            *((p.times, p.contact_impulses, p.durations) for p in parts), strict=True
        )
        return cls(
            np.concatenate(times),
            np.concatenate(contact_impulses),
            np.concatenate(given) if given else None,
            Meetings(np.concatenate(met)) if met else None,
            np.concatenate(durations),
        )
