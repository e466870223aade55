"""What an action does: energies and efforts as functions of the bodies' places and motions. Nothing else asks which action it is."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

from vinculum.bonds.body_view import BodyView
from vinculum.bonds.efforts import Effort
from vinculum.bonds.symbol import Symbol
from vinculum.scalars.math import dot


@final
@dataclass(frozen=True, eq=False)
class Distance:
    """Two bodies and the ``square`` [m²] of a distance between them; no motion may start where it is below ``least``."""

    a: str
    b: str
    square: Any
    least: Any = 0.0


@final
@dataclass(frozen=True, eq=False)
class Limit:
    """A law ends where ``room``, positive at ordinary places, is used up: ``why`` says what is met there.

    ``passable``: forces jump there, but the motion goes on; ``room`` is then a square less a small square ``margin``.
    """

    room: Any
    why: str
    passable: bool = False
    margin: Any = 0.0


class ActionLaw(ABC):
    """How bodies act on each other, seen in the order of the action's ``ends``."""

    @abstractmethod
    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        """Potential energy [J]; zero for what has none."""

    @abstractmethod
    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        """Efforts on every end that do not follow from the energy; None where there are none."""

    @property
    def is_external(self) -> bool:
        """Whether the effort's partner is left out of the description on purpose."""
        return False

    @property
    def is_relative(self) -> bool:
        """Whether it depends on nothing but places and velocities of its bodies relative to each other."""
        return False

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        """How far apart the bodies are between which it acts; where that is nothing, its forces may have no direction."""
        return [
            Distance(a.name, b.name, square(a.center - b.center))
            for a, b in combinations(views, 2)
            if a._state.body is not None and b._state.body is not None
        ]

    def limits(self, views: Sequence[BodyView]) -> list[Limit]:
        """Where its law ends."""
        return []

    def symbol(self) -> Symbol | None:
        """What it looks like in a picture; None for what has no place of its own."""
        return None

    def notes(self) -> list[str]:
        """How its law is computed where that is not as it is printed in books."""
        return []

    def check(self, values: Mapping[str, float] | None = None) -> None:  # noqa: B027 - a kind without numbers has nothing to check
        """Refuse parameter values that this kind cannot have."""


def square(d):
    """d · d of a vector."""
    return dot(d, d)


class ExternalLaw(ActionLaw):
    """A wrench on one body from outside the system: no energy, and no reaction inside."""

    @property
    def is_external(self) -> bool:
        return True

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        return 0.0
