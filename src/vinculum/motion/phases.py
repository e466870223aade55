"""Phases: smooth parts of a motion in which the same unilateral constraints are closed."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.models.model import Model


@final
@dataclass(frozen=True, eq=False)
class Phase:
    """A phase from the instant ``begin`` [s], the beginning of the step with number ``step``. ``closed``: names of the
    closed unilateral constraints, and whether each slides or sticks.

    ``model``: the model of the phase, in which they are bilateral constraints; ``values``: its parameters in order.
    ``stepped`` [s]: the step of a span that was handed over to time stepping, for which closed gaps are not listed;
    zero for smooth phases. ``unsure``: the time [s] by which it may have begun earlier, in a motion from another
    program. ``after`` [s]: the step of such a span right before it, for the audit.
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
