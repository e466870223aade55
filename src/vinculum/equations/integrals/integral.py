"""`Integral`: a conserved quantity as a graph, with the reason."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.tolerances.functions import WRITTEN_EXACTLY


@final
@dataclass(frozen=True, eq=False)
class Integral:
    """``value``: a graph over (q, v, t); ``size``: how large its terms are, against which its round-off is measured."""

    name: str
    latex: str
    unit: str
    reason: str
    value: Any
    size: Any


def direction_name(e: np.ndarray) -> str:
    """x, y, z, or the components of a unit vector."""
    for axis, name in zip(np.eye(3), "xyz", strict=True):
        if np.abs(e - axis).max() < WRITTEN_EXACTLY:
            return name
    return point_name(e)


def point_name(p: np.ndarray) -> str:
    """Three numbers in brackets, to four digits."""
    return "(" + ", ".join(f"{x + 0.0:.4g}" for x in np.where(np.abs(p) < WRITTEN_EXACTLY, 0.0, p)) + ")"
