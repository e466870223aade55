"""Actions that a body brings with it: the energy and the dissipation of its deformation, and the momentum of mass that comes and goes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.affine.algebra import determinant
from vinculum.bonds.actions.action import Action, checked_energy
from vinculum.bonds.actions.law import ActionLaw, Distance, Effort, Limit
from vinculum.bonds.actions.mass_exchange import EXCHANGE, MassExchange
from vinculum.bonds.body_view import BodyView
from vinculum.scalars import gradient, substitute, symbols
from vinculum.tolerances.functions import COLLAPSED

ENERGY, DISSIPATION = "{} energy", "{} dissipation"
"""Names of the bonds."""
REMEDY = "; end the run before, or give an energy that grows there, as vc.energies.NeoHookean"


@final
@dataclass(frozen=True, eq=False)
class DeformationEnergyLaw(ActionLaw):
    """What the energy of a deformation does."""

    bond: "DeformationEnergy"

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        energy = self.bond.body.mechanics.energy
        assert energy is not None
        return checked_energy(self.bond.called, energy(views[0].affine.deformation))

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        return None

    def limits(self, views: Sequence[BodyView]) -> list[Limit]:
        """A body cannot be crushed, nor a flat or rod-like one to a line or point."""
        kind, view = views[0]._state.kinematics, views[0]
        F = view.affine.deformation[:, : 3 if kind.is_planar else kind.material_dimension]
        if F.shape[0] == F.shape[1]:
            return [Limit(determinant(F), f"body '{view.name}' is crushed flat, det φ = 0{REMEDY}")]
        what = "line" if kind.material_dimension == 2 else "point"
        return [
            Limit(determinant(F.T @ F) - COLLAPSED, f"body '{view.name}' is crushed to a {what}, det φᵀφ = 0{REMEDY}")
        ]


@final
@dataclass(frozen=True, eq=False)
class DeformationEnergy(Action):
    """The energy of a body's own deformation."""

    name: str
    body: Body

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.body,)

    @property
    def law(self) -> ActionLaw:
        return DeformationEnergyLaw(self)


@final
@dataclass(frozen=True, eq=False)
class DeformationDissipationLaw(ActionLaw):
    """What the dissipation of a deformation does."""

    bond: "DeformationDissipation"

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        return 0.0

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        r"""The efforts −∂Ψ/∂φ̇."""
        law, view = self.bond.body.mechanics.dissipation, views[0]
        assert law is not None and not isinstance(view._state.motion, str)
        w = symbols("rate", view._state.kinematics.count)
        slopes = gradient(
            law(view.affine.deformation, view._state.kinematics.matrix_rate(view.affine.deformation, w)), w
        )
        return [(np.zeros(3), -substitute(slopes, w, np.asarray(view._state.motion[1], dtype=object)))]

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        return []


@final
@dataclass(frozen=True, eq=False)
class DeformationDissipation(Action):
    """The dissipation of a body's own deformation."""

    name: str
    body: Body

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.body,)

    @property
    def law(self) -> ActionLaw:
        return DeformationDissipationLaw(self)


def is_deformation(action: Action) -> bool:
    """Whether an action is the energy or the dissipation of a body's own deformation."""
    return isinstance(action, (DeformationEnergy, DeformationDissipation))


def own_actions(body: Body) -> list[Action]:
    """The actions that come with a body."""
    found: list[Action] = []
    if body.mechanics.energy is not None:
        found.append(DeformationEnergy(ENERGY.format(body.name), body))
    if body.mechanics.dissipation is not None:
        found.append(DeformationDissipation(DISSIPATION.format(body.name), body))
    if body.mechanics.varying is not None:
        found.append(MassExchange(EXCHANGE.format(body.name), body))
    return found
