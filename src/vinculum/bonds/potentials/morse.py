"""Morse potential of a chemical bond."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

from vinculum.bodies import check_name
from vinculum.bonds.actions import Distance, Limit, PairAction, PairLaw, read_pair_ends, square
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.potentials.lines import SMOOTHED, smooth_length
from vinculum.bonds.potentials.numbers import check_sign, number
from vinculum.scalars import Value
from vinculum.scalars.math import exp
from vinculum.tolerances.functions import NO_DIRECTION, SMOOTH_LENGTH


@final
@dataclass(frozen=True, eq=False)
class MorseLaw(PairLaw):
    """What a `Morse` does."""

    bond: "Morse"

    @property
    def is_relative(self) -> bool:
        return True

    @property
    def numbers(self) -> Mapping[str, Any]:
        return {}

    def pair_energy(self, a: BodyView, b: BodyView, t) -> Any:
        e = exp(
            (self.bond.rest_length - smooth_length(a.position - b.position, self.bond.rest_length)) / self.bond.width
        )
        return self.bond.depth * e * (e - 2.0)

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        least = SMOOTH_LENGTH * self.bond.rest_length
        return [
            Distance(a.name, b.name, square(a.position - b.position), least * least) for a, b in combinations(views, 2)
        ]

    def limits(self, views: Sequence[BodyView]) -> list[Limit]:
        margin = (NO_DIRECTION * self.bond.rest_length) * (NO_DIRECTION * self.bond.rest_length)
        why = f"{self.bond.called}: two bodies coincide"
        return [
            Limit(square(a.position - b.position) - margin, why, passable=True, margin=margin)
            for a, b in combinations(views, 2)
        ]

    def notes(self) -> list[str]:
        return [SMOOTHED]

    def check(self, values: Mapping[str, float] | None = None) -> None:
        where = self.bond.called
        check_sign(where, "depth", self.bond.depth, "J", values)
        check_sign(where, "width", self.bond.width, "m", values, positive=True)
        check_sign(where, "rest_length", self.bond.rest_length, "m", values, positive=True)


@final
@dataclass(frozen=True, eq=False)
class Morse(PairAction):
    r"""Energy of bonds between the origins of ``bodies``, every pair of them.

    .. math:: U = \sum_{a<b} D\,\big[(1 - e^{-(r - r_0)/w})^2 - 1\big]

    ``depth`` D [J] of the well, ``width`` w [m] and ``rest_length`` r₀ [m]; U is −D at rest and zero at infinity. The
    stiffness for small motions is 2D/w².

    >>> bond = vc.potentials.Morse("bond", ["a", "b"], depth=1.0, width=0.5, rest_length=1.0)
    """

    name: str
    bodies: Any
    depth: Value
    width: Value
    rest_length: Value

    def __post_init__(self):
        check_name("morse", self.name)
        where = self.called
        object.__setattr__(self, "bodies", read_pair_ends(where, self.bodies))
        for what in ("depth", "width", "rest_length"):
            object.__setattr__(self, what, number(where, what, getattr(self, what)))
        self.law.check()

    @property
    def law(self) -> PairLaw:
        return MorseLaw(self)
