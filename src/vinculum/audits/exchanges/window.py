"""`Window`: a span of time with its ends; `Sums`: what bodies exchanged in it."""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from vinculum.equations.observables.exchanges import WIDTH
from vinculum.tolerances.certificates import SAFETY
from vinculum.tolerances.round_off import ROUND_OFF

BY_METHOD = "corrections of the method"


@final
@dataclass(frozen=True)
class Window:
    """From the instant ``begin`` to ``end`` [s]; an impact at an end belongs to it if the limit there is ``sides``: "left" at the
    beginning, "right" at the end."""

    begin: float
    end: float
    sides: tuple[str, str] = ("right", "right")

    def holds(self, instants: np.ndarray) -> np.ndarray:
        """Which instants (K,) of impulses belong to it."""
        since = instants >= self.begin if self.sides[0] == "left" else instants > self.begin
        until = instants <= self.end if self.sides[1] == "right" else instants < self.end
        return np.asarray(since & until)


@final
@dataclass(eq=False)
class Sums:
    """``parts``: by name the sum (7,) of momentum screw and work that the bodies got, ``inside`` the names of those within them.

    ``quadrature`` (7,): estimated error of the integrals; ``gross`` (7,): the sum of the sizes of all parts; ``largest`` (7,): of the
    momenta and energies of the bodies. ``masses`` (n,) [kg]: their least masses; ``reach`` [m]: how far their mass centers were.
    ``steps``: the number of time steps that were added up, if these have no integrals.
    """

    parts: dict[str, np.ndarray] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)
    quadrature: np.ndarray = field(default_factory=lambda: np.zeros(WIDTH))
    gross: np.ndarray = field(default_factory=lambda: np.zeros(WIDTH))
    largest: np.ndarray = field(default_factory=lambda: np.zeros(WIDTH))
    masses: np.ndarray = field(default_factory=lambda: np.zeros(0))
    reach: float = 0.0
    steps: int = 0

    def add(self, name: str, amount: np.ndarray) -> None:
        """Add to the part of this name."""
        self.parts[name] = self.parts.get(name, np.zeros(WIDTH)) + amount

    def note_sizes(self, motions: np.ndarray) -> None:
        """Take the largest momenta and energy, and distances, of motions (T, bodies, 11) into account."""
        self.largest = np.maximum(self.largest, np.abs(motions[..., :WIDTH]).sum(axis=1).max(axis=0))
        least = motions[..., WIDTH].min(axis=0)
        self.masses = np.minimum(self.masses, least) if len(self.masses) else least
        self.reach = max(self.reach, float(np.abs(motions[..., WIDTH + 1 :]).sum(axis=2).max()))

    def drop_rounded_corrections(self) -> None:
        """Leave out corrections of the method that are round-off."""
        moved = np.abs(self.parts.get(BY_METHOD, np.zeros(WIDTH)))
        if np.all(moved <= SAFETY * ROUND_OFF * (self.gross + self.largest)):
            self.parts.pop(BY_METHOD, None)
