"""Dispatch from a description to its action and to the constraints of the curves that are compared."""

from dataclasses import dataclass
from functools import singledispatch
from typing import Any, NamedTuple, final

import numpy as np


class Rows(NamedTuple):
    """A constraint: its name and rows F (k,), which vanish; ``on_positions``: whether they hold no velocities."""

    name: str
    F: np.ndarray
    on_positions: bool


@final
@dataclass(frozen=True, eq=False)
class ActionGraph:
    """``L`` over the symbols ``q``, ``v`` (n,) and ``t``, and the constraints."""

    name: str
    coordinates: tuple[str, ...]
    q: np.ndarray
    v: np.ndarray
    t: Any
    L: Any
    constraints: tuple[Rows, ...]


@singledispatch
def action_graph(system: Any) -> ActionGraph:
    """The action of what is described."""
    raise NotImplementedError(type(system).__name__)
