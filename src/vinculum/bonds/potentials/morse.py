"""Morse potential of a chemical bond."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, final

from vinculum.bodies import check_name
from vinculum.bonds.actions import Distance, Limit, PairAction, read_pair_ends, squared
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.potentials.lines import SMOOTHED, smooth_length
from vinculum.bonds.potentials.numbers import check_sign, number
from vinculum.scalars import Value
from vinculum.scalars.math import exp
from vinculum.tolerances.functions import NO_DIRECTION, SMOOTH_LENGTH


@final
@dataclass(frozen=True, eq=False)
class Morse(PairAction):
    r"""Energy of bonds between the origins of ``bodies``, every pair of them.

    .. math:: U = \sum_{a<b} D\,\big[(1 - e^{-(r - r_0)/w})^2 - 1\big]

    ``depth`` D [J] of the well, ``width`` w [m] and ``rest_length`` r₀ [m]; U is −D at rest and zero at infinity. The
    stiffness for small motions is 2D/w².
    """

    name: str
    bodies: Any
    depth: Value
    width: Value
    rest_length: Value
    numbers: Mapping[str, Any] = field(default_factory=dict, init=False)

    def __post_init__(self):
        check_name("morse", self.name)
        where = self.called
        object.__setattr__(self, "bodies", read_pair_ends(where, self.bodies))
        for what in ("depth", "width", "rest_length"):
            object.__setattr__(self, what, number(where, what, getattr(self, what)))
        self.check()

    def pair_energy(self, a: BodyView, b: BodyView, t) -> Any:
        e = exp((self.rest_length - smooth_length(a.position - b.position, self.rest_length)) / self.width)
        return self.depth * e * (e - 2.0)

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        least = SMOOTH_LENGTH * self.rest_length
        return [
            Distance(a.name, b.name, squared(a.position - b.position), least * least) for a, b in combinations(views, 2)
        ]

    def limits(self, views: Sequence[BodyView]) -> list[Limit]:
        margin = (NO_DIRECTION * self.rest_length) * (NO_DIRECTION * self.rest_length)
        why = f"{self.called}: two bodies coincide"
        return [
            Limit(squared(a.position - b.position) - margin, why, passable=True, margin=margin)
            for a, b in combinations(views, 2)
        ]

    def notes(self) -> list[str]:
        return [SMOOTHED]

    def check(self, values: Mapping[str, float] | None = None) -> None:
        where = self.called
        check_sign(where, "depth", self.depth, "J", values)
        check_sign(where, "width", self.width, "m", values, positive=True)
        check_sign(where, "rest_length", self.rest_length, "m", values, positive=True)
