"""Interface of ensembles to models whose runs by time stepping are taken in one compiled loop."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.models.by_type import ByType
from vinculum.motion.problem import Problem


@final
@dataclass(frozen=True, eq=False)
class Taken:
    """Runs that a loop has taken: states (B, T, n) at the instants after the start, counts of steps (B,), and the numbers ``left`` of the
    runs that are to be taken one by one. ``halted``: the user stopped the loop."""

    result: np.ndarray
    steps: np.ndarray
    left: np.ndarray
    halted: bool


class TogetherOfType(ABC):
    """How many runs of one type are taken together. Types that are not registered are run one by one."""

    @abstractmethod
    def take(
        self, first: Problem, states: np.ndarray, instants: np.ndarray, threads: int, check: Callable[[int], object]
    ) -> Taken:
        """Runs from states (B, n) with the method of the ``first`` one; ``check`` refuses a start by its number."""


TOGETHER = ByType[TogetherOfType]("ensembles")
