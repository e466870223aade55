"""Lennard-Jones forces between neutral atoms."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.bodies import check_name
from vinculum.bonds.actions import PairAction, PairLaw, read_numbers, read_pair_ends, square
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.potentials.numbers import check_sign
from vinculum.scalars.math import sqrt


@final
@dataclass(frozen=True, eq=False)
class LennardJonesLaw(PairLaw):
    """What a `LennardJones` does."""

    bond: "LennardJones"

    @property
    def is_relative(self) -> bool:
        return True

    @property
    def numbers(self) -> Mapping[str, Any]:
        return self.bond.numbers

    def pair_energy(self, a: BodyView, b: BodyView, t) -> Any:
        depth = a.depth if a.depth is b.depth else sqrt(a.depth * b.depth)
        size = a.size if a.size is b.size else 0.5 * (a.size + b.size)
        s = size * size / square(a.position - b.position)
        s = s * s * s
        return 4.0 * depth * s * (s - 1.0)

    def check(self, values: Mapping[str, float] | None = None) -> None:
        where = self.bond.called
        check_sign(where, "depth", self.numbers["depth"], "J", values)
        check_sign(where, "size", self.numbers["size"], "m", values, positive=True)


@final
@dataclass(frozen=True, eq=False)
class LennardJones(PairAction):
    r"""Lennard-Jones energy of atoms at the origins of ``bodies``: attraction at long range, repulsion at short range.

    .. math:: U = \sum_{a<b} 4\varepsilon\Big[\Big(\frac\sigma r\Big)^{12} - \Big(\frac\sigma r\Big)^6\Big]

    ``depth`` ε [J] of the well and ``size`` σ [m], where U is zero; the well's bottom is at 2^(1/6) σ. Each is one number, or one
    for each body, and a pair then has the Lorentz–Berthelot means σ = (σ_a + σ_b)/2 and ε = √(ε_a ε_b).

    >>> argon = vc.potentials.LennardJones("argon", ["a", "b"], depth=1.65e-21, size=3.4e-10)
    """

    name: str
    bodies: Any
    depth: Any
    size: Any
    numbers: Mapping[str, Any] = field(init=False, repr=False)

    def __post_init__(self):
        check_name("lennard jones", self.name)
        where = self.called
        object.__setattr__(self, "bodies", read_pair_ends(where, self.bodies))
        each = {what: [x] * len(self.bodies) if np.ndim(x) == 0 else x
                for what, x in (("depth", self.depth), ("size", self.size))}  # fmt: skip
        object.__setattr__(self, "numbers", read_numbers(where, each, self.bodies))
        self.law.check()

    @property
    def law(self) -> PairLaw:
        return LennardJonesLaw(self)
