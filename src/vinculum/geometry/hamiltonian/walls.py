"""`Wall`: a unilateral constraint on the positions of a Hamiltonian system, with its impact law."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from vinculum.errors import ModelError, shorten
from vinculum.screws.entries import is_number


@final
@dataclass(frozen=True, eq=False)
class Wall:
    """The states with gap ≥ 0, and impacts where it closes. ``gap``: a function of the coordinates; ``restitution``: e of Newton's law,
    1 for an elastic impact."""

    gap: Callable
    restitution: float = 1.0

    def __post_init__(self):
        if not callable(self.gap):
            raise ModelError(
                f"a wall's gap is {shorten(self.gap)}; give a function of coordinates, such as lambda y: y"
            )
        if not is_number(self.restitution) or not 0.0 < self.restitution <= 1.0:
            raise ModelError(f"a wall's restitution is {shorten(self.restitution)}; give a number above 0 and up to 1")
