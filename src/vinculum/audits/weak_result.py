"""`WeakResidual`: what the weak form of the equations of motion leaves over."""

from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class WeakResidual:
    r"""What ⟨equ C − F, η⟩ is for every test field, (F,), relative to the size of its terms in the kinetic metric.

    .. math:: -\int (A\cdot\dot w + (B + Q)\cdot w)\,dt - \sum_j (P_j\cdot H + Q_j)\,w(t_j) + \big[A\cdot w\big]_{t_0}^{t_1}

    ``values``: as it is; for time stepping of the order of the step. ``explained``: without what is known of the method,
    the forces it leaves out before and after an impulse and the moves out of penetration. ``tolerances``: what quadrature, round-off and
    method admit in ``explained``. Q_j are given impulses. ``mass_input``: the same of ⟨div(uθ), φ⟩, which is zero for a path that does not
    leave (Prop. 6.3), and ``mass_tolerances`` what is admitted in it.
    ``centers``, ``widths`` [s] and ``joints`` of the fields. Moreau, An expression of classical dynamics, (8.4), (8.5).
    """

    values: np.ndarray
    explained: np.ndarray
    tolerances: np.ndarray
    mass_input: np.ndarray
    mass_tolerances: np.ndarray
    centers: np.ndarray
    widths: np.ndarray
    joints: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.values)

    def __float__(self) -> float:
        return self.largest

    @property
    def largest(self) -> float:
        """The largest residual."""
        return float(np.abs(self.values).max(initial=0.0))

    @property
    def worst(self) -> int:
        """The field farthest beyond its tolerance, or nearest to it."""
        return int(np.argmax(np.abs(self.explained) / self.tolerances))

    @property
    def holds(self) -> bool:
        """Whether every field is within its tolerance."""
        return bool(np.all(np.abs(self.explained) <= self.tolerances))
