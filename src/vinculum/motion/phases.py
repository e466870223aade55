"""Phases: stretches of a motion in which the same unilateral constraints are closed, each smooth."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.models.model import Model


@final
@dataclass(frozen=True, eq=False)
class Phase:
    """From the instant ``begin`` [s] on, which is that of the step with this number, unilateral constraints are closed: their names, and
    whether each slides or sticks.

    ``model``: that of the phase, in which they are constraints; ``values``: its parameters in order. ``stepped`` [s]: the step of a span
    that was handed over to time stepping, in which nothing is told of what is closed; zero for smooth phases. ``unsure``: how long before
    its beginning [s] it may have begun, in a motion that was computed elsewhere. ``after`` [s]: the step of such a span right before it,
    told to its audit.
    """

    step: int
    closed: tuple[tuple[str, str], ...]
    model: Model
    values: np.ndarray
    begin: float
    stepped: float = 0.0
    unsure: float = 0.0
    after: float = 0.0

    def __repr__(self) -> str:
        if self.stepped:
            return f"Phase from t = {self.begin:.9g} s, step {self.step}: time steps of {self.stepped:g} s"
        told = ", ".join(f"'{name}' {status}" for name, status in self.closed) or "nothing is closed"
        return f"Phase from t = {self.begin:.9g} s, step {self.step}: {told}"
