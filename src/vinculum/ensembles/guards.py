"""Rotation charts in an ensemble: its runs do not change charts, so a run near a singularity fails."""

import numpy as np

from vinculum.integrators.dop853.lanes import COSINE, SINE, VECTOR
from vinculum.models.model import Model
from vinculum.screws import chart as chart_of


def guards(model: Model) -> np.ndarray:
    """Kind of the condition and first coordinate of every chart that is somewhere singular, (charts, 2)."""
    rows = [(_kind(entry.chart), entry.q[0]) for entry in model.layout.charts]
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def conditions(model: Model, states: np.ndarray) -> np.ndarray:
    """The least condition of all charts at states (..., n): small near a singularity, infinite without charts."""
    least = np.full(states.shape[:-1], np.inf)
    for entry in model.layout.charts:
        with np.errstate(invalid="ignore"):
            least = np.minimum(least, chart_of(entry.chart).condition(states[..., slice(*entry.q)]))
    return least


def _kind(name: str) -> int:
    if name == "fedorov":
        return VECTOR
    return SINE if name[0] == name[2] else COSINE
