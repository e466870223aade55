"""Electrostatic forces between charged bodies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

from vinculum.bodies import check_name
from vinculum.bonds.actions import PairAction, PairLaw, read_numbers, read_pair_ends, square
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.potentials.numbers import check_sign, number
from vinculum.scalars import Value
from vinculum.scalars.math import pow
from vinculum.screws.entries import check_finite


@final
@dataclass(frozen=True, eq=False)
class CoulombChargesLaw(PairLaw):
    """What a `CoulombCharges` does."""

    bond: "CoulombCharges"

    @property
    def is_relative(self) -> bool:
        return True

    @property
    def numbers(self) -> Mapping[str, Any]:
        return self.bond.numbers

    def pair_energy(self, a: BodyView, b: BodyView, t) -> Any:
        return self.bond.constant * a.charges * b.charges * pow(square(a.position - b.position), -0.5)

    def check(self, values: Mapping[str, float] | None = None) -> None:
        where = self.bond.called
        check_finite(f"{where}: charges", self.numbers["charges"], values)
        check_sign(where, "constant", self.bond.constant, "N m²/C²", values, positive=True)


@final
@dataclass(frozen=True, eq=False)
class CoulombCharges(PairAction):
    r"""Energy of point charges at the origins of ``bodies``.

    .. math:: U = \sum_{a<b} \frac{K\,e_a e_b}{|x_a - x_b|}

    ``charges``: one for each body [C]; ``constant`` K [N m²/C²], that of vacuum by default.
    """

    name: str
    bodies: Any
    charges: Any
    constant: Value = 8.9875517923e9
    numbers: Mapping[str, Any] = field(init=False, repr=False)

    def __post_init__(self):
        check_name("coulomb charges", self.name)
        where = self.called
        object.__setattr__(self, "bodies", read_pair_ends(where, self.bodies))
        object.__setattr__(self, "numbers", read_numbers(where, {"charges": self.charges}, self.bodies))
        object.__setattr__(self, "constant", number(where, "constant", self.constant))
        self.law.check()

    @property
    def law(self) -> PairLaw:
        return CoulombChargesLaw(self)
