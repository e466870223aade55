"""`Potential`: an energy that a user writes as a function of bodies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

from vinculum.bodies import Body, check_name
from vinculum.bonds.actions.action import Action, call_with_views, checked_energy, read_ends
from vinculum.bonds.actions.law import ActionLaw, Effort
from vinculum.bonds.body_view import BodyView
from vinculum.errors import ModelError


@final
@dataclass(frozen=True, eq=False)
class PotentialLaw(ActionLaw):
    """What a `Potential` does."""

    potential: "Potential"

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        where = self.potential.called
        return checked_energy(where, call_with_views(where, self.potential.energy, views, t))

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        return None


@final
@dataclass(frozen=True, eq=False)
class Potential(Action):
    r"""Energy [J] of ``bodies``: a function of their views in that order, and of ``t`` if it has that argument.

    .. math:: F_\Theta = -\frac{\partial U}{\partial x_\Theta},\qquad M_\Theta = -u_{R_\Theta}

    Forces and moments follow by differentiation with respect to position and rotation: O'Reilly and Srinivasa, On Potential
    Energies and Constraints in the Dynamics of Rigid Bodies and Particles, (4), (23). The energy may depend on ``position``,
    ``rotation``, ``center`` and ``point(p)`` of a body, not on velocities.

    >>> well = vc.Potential("well", ["ball"], lambda b: 2.0 * vc.math.dot(b.position, b.position))
    """

    name: str
    bodies: Any
    energy: Callable

    def __post_init__(self):
        check_name("potential", self.name)
        where = self.called
        object.__setattr__(self, "bodies", read_ends(where, self.bodies))
        if not callable(self.energy):
            raise ModelError(f"{where}: energy is {self.energy!r}; give a function of the bodies, as lambda a, b: …")

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return self.bodies

    @property
    def law(self) -> ActionLaw:
        return PotentialLaw(self)
