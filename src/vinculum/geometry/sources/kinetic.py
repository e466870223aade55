"""Dispatch from a description to the metric of its kinetic energy."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class KineticGraph:
    """The matrix ``g`` (n, n) of a kinetic energy ½ g_ij q̇ⁱ q̇ʲ over the symbols ``q`` of named ``coordinates``."""

    name: str
    coordinates: tuple[str, ...]
    q: np.ndarray
    g: np.ndarray


@singledispatch
def kinetic_graph(system: Any, coordinates: Callable | None) -> KineticGraph:
    """The metric of what is described, in its own coordinates or in those that a function gives."""
    raise NotImplementedError(type(system).__name__)
