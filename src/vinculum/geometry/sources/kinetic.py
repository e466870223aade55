"""Dispatch from a description to the metric of its kinetic energy."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class KineticGraph:
    """The matrix ``g`` (n, n) of a kinetic energy ½ g_ij q̇ⁱ q̇ʲ over the symbols ``q`` of named ``coordinates``; ``inside``: a graph that
    is positive where these serve, None if they do everywhere."""

    name: str
    coordinates: tuple[str, ...]
    q: np.ndarray
    g: np.ndarray
    inside: Any = None


@singledispatch
def kinetic_graph(system: Any, coordinates: Callable | None, at: Any) -> KineticGraph:
    """The metric of what is described: in its own coordinates, in those that a function gives, or in local ones about a place ``at``."""
    raise NotImplementedError(type(system).__name__)
