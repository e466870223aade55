"""`WeakResidual`: the residual of the weak form of the equations of motion."""

from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class WeakResidual:
    r"""The residual ⟨equ C − F, η⟩ of every test field, (F,), relative to the size of its terms in the kinetic metric.

    .. math:: -\int (A\cdot\dot w + (B + Q)\cdot w)\,dt - \sum_j (P_j\cdot H + Q_j)\,w(t_j) + \big[A\cdot w\big]_{t_0}^{t_1}

    ``values``: the residuals; in time stepping they are of the order of the step. ``explained``: the residuals without
    the known errors of the method, that is, the forces it omits before and after an impulse and the corrections of
    penetration. ``tolerances``: the errors of quadrature, round-off and method in ``explained``. Q_j are applied
    impulses. ``mass_input``: the same for ⟨div(uθ), φ⟩, which is zero for a path that does not leave (Prop. 6.3), with
    ``mass_tolerances``.
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
        """The field with the largest ratio of residual to tolerance."""
        return int(np.argmax(np.abs(self.explained) / self.tolerances))

    @property
    def holds(self) -> bool:
        """Whether every field is within its tolerance."""
        return bool(np.all(np.abs(self.explained) <= self.tolerances))
