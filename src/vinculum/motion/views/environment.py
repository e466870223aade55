"""View of the environment of bodies: what all that is outside them exerts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.tolerances.sizes import BODIES_NAMED


@final
@dataclass(frozen=True, eq=False)
class Environment:
    r"""What everything outside some bodies exerts on them, on the grid of a motion: a skew screw bi-measure.

    .. math:: \mathcal F(\Lambda) = \Phi(\Lambda, \Lambda^e) = -\Phi(\Lambda^e, \Lambda)

    ``parts``, ``reactions``: by name of the bond or field the wrench (T, 6) [N, N m] at the world's origin on the bodies, and that on
    their environment. Impulses at single instants are not among them; in time steps contacts exert their impulses divided by the length of
    the step. Cheremensky, On Concept of Mechanical System, (12).
    """

    motion: Any
    names: tuple[str, ...]
    parts: Mapping[str, np.ndarray]
    reactions: Mapping[str, np.ndarray]

    def __repr__(self):
        whose = ", ".join(self.names) if len(self.names) <= BODIES_NAMED else f"{len(self.names)} bodies"
        return f"environment of {whose} on {self.motion!r}"

    @property
    def wrench(self) -> np.ndarray:
        """Sum of all parts, (T, 6) [N, N m]."""
        return self._sum(self.parts)

    @property
    def reaction(self) -> np.ndarray:
        """Sum of what the bodies exert on their environment, (T, 6) [N, N m]."""
        return self._sum(self.reactions)

    def _sum(self, wrenches: Mapping[str, np.ndarray]) -> np.ndarray:
        return np.sum([np.zeros((len(self.motion.time), 6)), *wrenches.values()], axis=0)
