"""Events: a function of the state crosses zero; the instant is recorded, and the run may stop there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

from vinculum.bodies import check_name
from vinculum.errors import StartError


@final
@dataclass(frozen=True, eq=False)
class Event:
    """A zero crossing of ``function``, of the bodies and joints ``of`` (by object or name, in this order) and of ``t``
    if it has that argument.

    The view of a body has position, velocity, …; that of a joint ``q`` and ``v``. ``direction``: +1 rising, −1
    falling, 0 both. ``stop=True`` ends the run at the crossing. ``text``: the function as text, for lists.

    >>> lowest = vc.Event("lowest", ["hinge"], lambda hinge: hinge.q, direction=1)
    """

    name: str
    of: Sequence
    function: Callable
    direction: int = 0
    stop: bool = False
    text: str = ""

    def __post_init__(self):
        check_name("event", self.name)
        if not callable(self.function):
            raise StartError(
                f"event '{self.name}': {self.function!r} is not a function; give one of the things named in `of`, "
                "such as lambda hinge: hinge.q - 1.0"
            )
        if self.direction not in (-1, 0, 1):
            raise StartError(f"event '{self.name}': direction {self.direction!r} must be -1, 0 or 1")
