"""`RowLimits`: where the laws of rows of bonds and bodies end, for models whose actions are not graphs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class RowLimits:
    """``rooms``: what is left to every limit, (B, k) of rows (B, n) of states, times and parameters; ``reasons``: what is met there (k).

    The last ``inertias`` of them are measured relative to their value at the start.
    """

    rooms: Callable[[np.ndarray], np.ndarray]
    reasons: Sequence[str]
    inertias: int = 0
