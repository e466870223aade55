"""`Force` and `Interaction`: wrenches as functions of bodies, without an energy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND, Body, check_name
from vinculum.bonds.actions.action import Action, call_with_views, end_name, read_ends
from vinculum.bonds.actions.law import ActionLaw, Effort, ExternalLaw
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.efforts import couple, effort_at, effort_of, moment_of
from vinculum.errors import ModelError, shorten
from vinculum.scalars.math import cross
from vinculum.screws import Wrench


@final
@dataclass(frozen=True, eq=False)
class ForceLaw(ExternalLaw):
    """What a `Force` does."""

    force: "Force"

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        return [effort(views[0], given_wrench(self.force.called, self.force.wrench, views, t))]


@final
@dataclass(frozen=True, eq=False)
class Force(Action):
    """An external `Wrench` on one body (drag, thrust): a function of its view, and of ``t`` if it has that argument.

    A constant wrench is allowed too. The body that exerts it is not in the system, so there is no reaction on it.

    >>> drag = vc.Force("drag", "ball", lambda b: vc.Wrench(force=-0.1 * b.velocity))
    """

    name: str
    body: Body | str
    wrench: Callable | Wrench

    def __post_init__(self):
        check_name("force", self.name)
        read_ends(self.called, [self.body])
        _check_wrench(self.called, self.wrench)

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.body,)

    @property
    def law(self) -> ActionLaw:
        return ForceLaw(self)


@final
@dataclass(frozen=True, eq=False)
class InteractionLaw(ActionLaw):
    """What a `Interaction` does."""

    interaction: "Interaction"

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        return 0.0

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        where = self.interaction.called
        wrench = given_wrench(where, self.interaction.wrench, views, t)
        return opposed_efforts(where, views, effort(views[0], wrench), wrench)


@final
@dataclass(frozen=True, eq=False)
class Interaction(Action):
    r"""A `Wrench` of body ``b`` on body ``a``: a function of the views of both, and of ``t`` if it has that argument.

    .. math:: F_b = -F_a,\qquad M_b = -M_a - (x_a - x_b)\times F_a

    The wrench of ``a`` on ``b`` follows: O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics
    of Rigid Bodies and Particles, (25).

    >>> pull = vc.Interaction("pull", "a", "b", lambda a, b: vc.Wrench(force=2.0 * (b.position - a.position)))
    """

    name: str
    a: Body | str
    b: Body | str
    wrench: Callable | Wrench

    def __post_init__(self):
        check_name("interaction", self.name)
        where = self.called
        read_ends(where, [self.a, self.b])
        if end_name(self.a) == GROUND:
            raise ModelError(f"{where}: the first body is 'ground'; name the body that the wrench acts on first")
        _check_wrench(where, self.wrench)

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.a, self.b)

    @property
    def law(self) -> ActionLaw:
        return InteractionLaw(self)


@final
@dataclass(frozen=True, eq=False)
class ContactForceLaw(ActionLaw):
    """What a `ContactForce` does."""

    contact: "ContactForce"

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        return 0.0

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        found = call_with_views(self.contact.called, self.contact.efforts, views, t)
        return [(f, m if view._state.turns else np.zeros(3)) for view, (f, m) in zip(views, found, strict=True)]


@final
@dataclass(frozen=True, eq=False)
class ContactForce(Action):
    """What a contact does to bodies ``a`` and ``b``: ``efforts`` gives force and moment about its origin of each, world axes. Mass points
    do not turn and take no moment of it, wherever the contact point is."""

    name: str
    a: Body | str
    b: Body | str
    efforts: Callable

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.a, self.b)

    @property
    def law(self) -> ActionLaw:
        return ContactForceLaw(self)


def effort(view: BodyView, wrench: Wrench) -> Effort:
    """Force and moment of a wrench at the body's origin."""
    return wrench.force, couple(view, wrench.moment) + effort_of(view, wrench.at, wrench.force)


def opposed_efforts(where: str, views: Sequence[BodyView], on_first: Effort, wrench: Wrench) -> list[Effort]:
    """An effort on the first body and the opposite one of its ``wrench`` on the second, (25).

    A mass point takes no moment, so the pair must be a force along the line to it; what would turn it is refused.
    """
    force = on_first[0]
    a, b = views
    if b._state.kinematics.deforms:
        return [on_first, (-force, couple(b, -wrench.moment) + effort_at(b, a.point(wrench.at), -force))]
    partner = -moment_of(a, on_first) - cross(a.position - b.position, force)
    return [on_first, (-force, partner)]


def given_wrench(where: str, given: Callable | Wrench, views: Sequence[BodyView], t) -> Wrench:
    """A given wrench, or the value of a function of bodies."""
    if isinstance(given, Wrench):
        return given
    found = call_with_views(where, given, views, t)
    if not isinstance(found, Wrench):
        raise ModelError(f"{where}: its function returned {shorten(found)}; return vc.Wrench(force=…, moment=…, at=…)")
    for what in ("force", "moment", "at"):
        if getattr(found, what).shape != (3,):
            raise ModelError(
                f"{where}: {what} of its wrench has shape {getattr(found, what).shape}; give three numbers"
            )
    return found


def _check_wrench(where: str, given) -> None:
    if not isinstance(given, Wrench) and not callable(given):
        raise ModelError(
            f"{where}: {shorten(given)} is not a wrench; give vc.Wrench(force=…) or a function that returns one"
        )
    if isinstance(given, Wrench) and np.ndim(given.force) != 1:
        raise ModelError(f"{where}: a batch of wrenches cannot act on one body; give three numbers")
