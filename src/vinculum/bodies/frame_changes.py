"""`FunctionsInFrame`: functions of a user's as they are written in another inertial frame, for bodies that have such functions."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from vinculum.measures.frames import ChangeOfFrame


class FunctionsInFrame(ABC):
    """Functions of views and of ``t`` that were written in the old frame, as functions of views and times of the new one."""

    frame: ChangeOfFrame

    @abstractmethod
    def number(self, function: Callable) -> Callable:
        """A function that returns a number."""

    @abstractmethod
    def direction(self, function: Callable) -> Callable:
        """A function that returns a vector (3,) in world axes."""

    @abstractmethod
    def velocity(self, function: Callable) -> Callable:
        """A function that returns a velocity (3,) [m/s] in the world."""
