"""The vakonomic realization: the motion makes the action stationary among all curves that keep the constraint."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, final

from vinculum.bonds.constraints.realizations.realization import Claims, Realization, refused
from vinculum.errors import ModelError
from vinculum.screws.entries import entries


@final
@dataclass(frozen=True, eq=False)
class Vakonomic(Realization):
    r"""Stationarity of ∫(L + λF) dt: the multipliers have rates, and start values of their own.

    .. math:: R = \lambda^a\frac{\partial F_a}{\partial q} - \frac{d}{dt}\Big(\lambda^a\frac{\partial F_a}{\partial\dot q}\Big)

    ``multipliers``: λ at the start, one for each row of F or one for all; they are free, and the motion depends on them. A constraint
    of order N has λ and then its first N − 1 derivatives. Gołubowska (47)–(53), (69)–(74), (91)–(93).
    """

    _: KW_ONLY
    multipliers: Any = None
    claims: ClassVar[Claims] = Claims("vakonomic", (1, 2), True, True, True, "Gołubowska (47)–(53), (69)–(93)")

    def __post_init__(self):
        if self.multipliers is None:
            raise ModelError(
                "vakonomic: multipliers are not given; they are part of the state as positions and velocities are, and every value "
                "starts another motion: give multipliers=0.0, or one number for each row"
            )
        object.__setattr__(self, "multipliers", entries("vakonomic: multipliers", self.multipliers))

    @property
    def holds(self) -> bool:
        return True

    def check(self, where: str, level: int, is_linear: bool) -> None:
        raise refused(where, "constraints on bodies and joints are not realized vakonomically",
                      "use vc.LagrangianSystem, where they are, or vc.Chetaev()")  # fmt: skip
