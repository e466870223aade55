"""`MassSource`: mass that a body gains or loses, and the velocity that this mass has."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.bodies.frame_changes import FunctionsInFrame
from vinculum.errors import ModelError, shorten
from vinculum.screws.entries import check_finite, entries

INELASTIC, CONSERVING = "inelastic", "energy-conserving"
SHARES = {INELASTIC: 1.0, CONSERVING: 0.5}
"""How much of the momentum ν (u − v) the body takes, by the law of the exchange."""


@final
@dataclass(frozen=True, eq=False)
class MassSource:
    r"""Mass that a body gains (``rate`` > 0) or loses (``rate`` < 0), and the momentum that this mass brings or takes.

    .. math:: \dot m = \nu,\qquad m\dot v = f + \nu\,(u - v)

    ``rate`` ν [kg/s]. The velocity u [m/s] of the mass where it joins or leaves the body: ``velocity``, in the world, or ``relative``
    to the body's point there, in the body's axes (those of the world for a mass point); without either the mass has the velocity of
    the body and exerts nothing. ``at``: the point of the body's frame at which it joins or leaves; without it that is where the mass
    itself is or was, as `RigidBody` says. Rate and velocity are numbers, or functions of the body and of ``t`` if they have that argument.

    ``law``: "inelastic": the mass joins or leaves with u. "energy-conserving": with the mean of u and the body's own velocity, so that
    no energy is lost in a frame that moves with u; ``velocity`` is then the velocity of the mass outside the body.
    ``transit``: whether the momentum of the mass on its way through the body, along the line to ``at``, is taken along in the balance.
    Without it the balance is Cheremensky's (22). Cheremensky, On Concept of Mechanical System, (15), (18)–(22).

    >>> gas = vc.MassSource(-2.0, relative=(0, 0, -1500))
    >>> rocket = vc.MassPoint("rocket", mass=50.0, sources=gas)
    """

    rate: Any
    velocity: Any = None
    relative: Any = None
    at: Any = None
    law: str = INELASTIC
    transit: bool = True

    def __post_init__(self):
        where = "mass source"
        if self.velocity is not None and self.relative is not None:
            raise ModelError(f"{where}: velocity= and relative= are both given; give one of them")
        if self.law not in SHARES:
            raise ModelError(f"{where}: law={shorten(self.law)} is not known; use '{INELASTIC}' or '{CONSERVING}'")
        if not callable(self.rate):
            object.__setattr__(self, "rate", entries(f"{where}: rate", self.rate, ()).item())
        for name in ("velocity", "relative", "at"):
            given = getattr(self, name)
            if given is not None and (name == "at" or not callable(given)):
                object.__setattr__(self, name, entries(f"{where}: {name}", given, (3,)))
        object.__setattr__(self, "transit", bool(self.transit))

    @property
    def share(self) -> float:
        """How much of the momentum ν (u − v) the body takes."""
        return SHARES[self.law]

    def in_frame(self, functions: FunctionsInFrame, turns: bool) -> "MassSource":
        """The same source of a body that ``turns`` or does not, described in another inertial frame."""
        R, rate, velocity, relative = functions.frame.rotation, self.rate, self.velocity, self.relative
        if callable(rate):
            rate = functions.number(rate)
        if velocity is not None:
            velocity = functions.velocity(velocity) if callable(velocity) else R @ velocity + functions.frame.velocity
        if callable(relative):
            relative = functions.number(relative) if turns else functions.direction(relative)
        elif relative is not None and not turns:
            relative = R @ relative
        return replace(self, rate=rate, velocity=velocity, relative=relative)

    def check(self, where: str, values: Mapping[str, float] | None = None) -> None:
        """Refuse numbers that are not finite; ``values`` replace the defaults of parameters."""
        for name in ("rate", "velocity", "relative", "at"):
            given = getattr(self, name)
            if given is not None and not callable(given):
                check_finite(f"{where}: {name} of its mass source", given, values)


def read_sources(where: str, given) -> tuple[MassSource, ...]:
    """The sources that a user lists for a body."""
    listed = [given] if isinstance(given, MassSource) else given
    if not isinstance(listed, (list, tuple)) or not all(isinstance(one, MassSource) for one in listed):
        raise ModelError(
            f"{where}: sources is {shorten(given)}; give vc.MassSource(rate=…, relative=…), or a list of them"
        )
    return tuple(listed)


def is_zero(x) -> bool:
    """Whether three numbers are nothing but zeros."""
    return isinstance(x, np.ndarray) and x.dtype != object and not x.any()
