"""A uniform field of gravity as a bond between bodies and the ground."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from vinculum.bodies import GROUND, Body, check_name
from vinculum.bonds.actions import Action, ActionLaw, Effort, end_name, read_ends
from vinculum.bonds.body_view import BodyView
from vinculum.errors import ModelError
from vinculum.scalars.math import dot
from vinculum.screws.entries import check_finite, entries


@final
@dataclass(frozen=True, eq=False)
class UniformGravityLaw(ActionLaw):
    """What a `UniformGravity` does."""

    bond: "UniformGravity"

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        *bodies, ground = views
        field = ground.rotation @ self.bond.acceleration
        return sum((-body.mass * dot(field, body.center - ground.position) for body in bodies), 0.0)

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        return None

    def check(self, values: Mapping[str, float] | None = None) -> None:
        check_finite(f"uniform gravity '{self.bond.name}': acceleration", self.bond.acceleration, values)


@final
@dataclass(frozen=True, eq=False)
class UniformGravity(Action):
    r"""Weight of ``bodies`` in the field ``acceleration`` (3,) [m/s²], fixed in the ground's axes.

    .. math:: U = -\sum_a m_a\,(R_g\,g)\cdot(c_a - x_g)

    Unlike the gravity of a `System`, it acts only on the named bodies, and the opposite force and moment act on the
    ground, at x_g with attitude R_g: the energy is invariant, and Newton's third law holds. O'Reilly and Srinivasa, On
    Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles, section 5.

    >>> weight = vc.potentials.UniformGravity("weight", ["ball"], acceleration=(0, 0, -1.62))
    """

    name: str
    bodies: Any
    acceleration: Any = (0.0, 0.0, -9.81)

    def __post_init__(self):
        check_name("uniform gravity", self.name)
        where = f"uniform gravity '{self.name}'"
        ends = read_ends(where, self.bodies)
        if any(end_name(end) == GROUND for end in ends):
            raise ModelError(f"{where}: the ground is always one of its ends; name the other bodies")
        object.__setattr__(self, "bodies", ends)
        object.__setattr__(self, "acceleration", entries(f"{where}: acceleration", self.acceleration, (3,)))

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (*self.bodies, GROUND)

    @property
    def law(self) -> ActionLaw:
        return UniformGravityLaw(self)
