"""Mass that comes and goes: its rate, and what it does to its body. The action that a body of variable mass brings with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body, MassSource
from vinculum.bodies.varying import VaryingMass
from vinculum.bonds.actions.action import Action, call_with_views, checked_energy
from vinculum.bonds.actions.law import Distance, Effort, ExternalLaw, Limit
from vinculum.bonds.body_view import BodyView
from vinculum.scalars.math import cross
from vinculum.screws.entries import of_shape

EXCHANGE = "{} mass exchange"
"""Name of the bond."""


@final
@dataclass(frozen=True, eq=False)
class MassExchangeLaw(ExternalLaw):
    """What the sources of a body's mass do to it."""

    bond: "MassExchange"

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        r"""The increment 𝓕_i less Q V in Cheremensky's (22), and the rate of the momentum in transit.

        .. math:: \Theta\dot V + \Phi\Theta V = \mathcal F + (\mathcal F_i - Q V)
        """
        return [exchange_effort(self.bond.body, views[0], t)]

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        return []

    def limits(self, views: Sequence[BodyView]) -> list[Limit]:
        """No body is left where there is no mass."""
        return [
            Limit(
                views[0].mass,
                f"the mass of body '{views[0].name}' is used up; end the run before, or switch its source off",
            )
        ]


@final
@dataclass(frozen=True, eq=False)
class MassExchange(Action):
    """What mass that comes and goes does to its body."""

    name: str
    body: Body

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.body,)

    @property
    def law(self) -> ExternalLaw:
        return MassExchangeLaw(self)

    @property
    def varying(self) -> VaryingMass:
        """The sources, and mass center and inertia as functions of the mass."""
        assert self.body.mechanics.varying is not None
        return self.body.mechanics.varying


def mass_rate(body: Body, view: BodyView, t) -> Any:
    """ν = Σ ν_k [kg/s] of a body of variable mass."""
    assert body.mechanics.varying is not None
    bond = MassExchange(EXCHANGE.format(body.name), body)
    return sum((_rate(bond, source, view, t) for source in body.mechanics.varying.sources), 0.0)


def exchange_effort(body: Body, view: BodyView, t) -> Effort:
    """Force and moment at the body's origin, in world axes, of all sources: 𝓕_i − Q V, and the rate of the momentum in transit."""
    bond = MassExchange(EXCHANGE.format(body.name), body)
    force, moment = np.zeros(3), np.zeros(3)
    for source in bond.varying.sources:
        f, m = _effort(bond, source, view, t)
        force, moment = force + f, moment + m
    return force, moment


def transit_momentum(body: Body, view: BodyView, t) -> np.ndarray:
    """Momentum (3,) [N s] relative to the body, in world axes, of the mass on its way to the points where it leaves: d(m c)/dt − Σ ν a."""
    total, varying = np.zeros(3), body.mechanics.varying
    assert varying is not None
    bond = MassExchange(EXCHANGE.format(body.name), body)
    for source in varying.sources if view._state.turns else ():
        if source.at is not None:
            place, _ = varying.derivatives(view.mass)
            total = total + _rate(bond, source, view, t) * (view.rotation @ (place - source.at))
    return total


def _rate(bond: MassExchange, source: MassSource, view: BodyView, t) -> Any:
    if not callable(source.rate):
        return source.rate
    return checked_energy(bond.called, call_with_views(bond.called, source.rate, [view], t), "the rate", "kg/s")


def _vector(bond: MassExchange, what: str, given, view: BodyView, t) -> np.ndarray:
    found = call_with_views(bond.called, given, [view], t) if callable(given) else given
    return of_shape(f"{bond.called}: {what} of its mass", found, (3,))


def _effort(bond: MassExchange, source: MassSource, view: BodyView, t) -> Effort:
    """Force and moment at the body's origin, in world axes, of one source."""
    rate = _rate(bond, source, view, t)
    if not view._state.turns:
        relative = np.zeros(3)
        if source.velocity is not None:
            relative = _vector(bond, "velocity", source.velocity, view, t) - view.velocity
        elif source.relative is not None:
            relative = _vector(bond, "relative velocity", source.relative, view, t)
        return (source.share * rate) * relative, np.zeros(3)
    R, v, w = view.rotation, view.velocity, view.angular_velocity
    place, slope = bond.varying.derivatives(view.mass)
    place = R @ place
    turned = R @ (slope @ (R.T @ w))
    arm = place if source.at is None else R @ source.at
    if source.velocity is None:
        relative = np.zeros(3)
        if source.relative is not None:
            relative = R @ _vector(bond, "relative velocity", source.relative, view, t)
        thrust, torque = relative, cross(arm, relative)
    else:
        relative = _vector(bond, "velocity", source.velocity, view, t) - v
        thrust = relative - cross(w, arm)
        torque = cross(arm, relative) - (turned if source.at is None else cross(arm, cross(w, arm)))
    force, moment = source.share * thrust, source.share * torque
    if source.at is not None:
        carried = arm - place
        force = force + cross(w, carried)
        moment = moment + cross(arm, cross(w, arm)) - turned
        if source.transit:
            # the momentum in transit, −ν times this, is a slider along the line to the exit; it is carried by the body
            force, moment = force + cross(w, carried), moment + cross(w, cross(arm, carried))
        else:
            moment = moment + cross(carried, v)
    return rate * force, rate * moment
