"""Actions in a tree: the links they act on, and the views in their functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND, Body
from vinculum.bodies.kinematics import RIGID, BodyKinematics
from vinculum.bonds import Action, BodyView, Bonds, Constraint, Impulse, Unilateral
from vinculum.bonds.body_view import make_view
from vinculum.errors import ModelError
from vinculum.scalars import Scalar, symbol, symbols, value
from vinculum.scalars.graph import nodes, replay
from vinculum.scalars.math import EXTENDED
from vinculum.screws import Pose

ENERGY_OF_PLACES = (
    "a potential energy depends on places alone: the forces of an energy with velocities in it are not −∂U/∂x; "
    "describe them with vc.Force or vc.Interaction"
)


@final
@dataclass(frozen=True, eq=False)
class Acting:
    """An action and the links it acts on, −1 for the ground."""

    action: Action
    links: tuple[int, ...]

    @property
    def ends(self) -> tuple[tuple[str, int], ...]:
        """Its bodies as ("body", link)."""
        return tuple(("body", i) for i in self.links)

    @property
    def single(self) -> "tuple[Acting, ...]":
        """Itself, as one action."""
        return (self,)

    @property
    def samples(self) -> "tuple[Acting, ...]":
        """Itself, as its only sample."""
        return (self,)


@final
@dataclass(frozen=True, eq=False)
class ActingRows:
    """`Bonds` and the links they act on, (n, e), −1 for the ground."""

    bonds: Bonds
    links: np.ndarray

    @cached_property
    def single(self) -> tuple[Acting, ...]:
        """Every row as an action of its own."""
        return tuple(self.row(k) for k in range(len(self.bonds)))

    @cached_property
    def samples(self) -> tuple[Acting, ...]:
        """The rows that stand for all."""
        return tuple(self.row(k) for k in self.bonds.samples)

    def row(self, k: int) -> Acting:
        """One row as an action."""
        return Acting(self.bonds.row(k), tuple(self.links[k].tolist()))


@final
@dataclass(frozen=True)
class AlongJoint:
    """A unit effort along one velocity of the joint that carries a link."""

    link: int
    velocity: int

    @property
    def ends(self) -> tuple[tuple[str, int], ...]:
        """The joint as ("joint", link)."""
        return (("joint", self.link),)


@final
@dataclass(frozen=True, eq=False)
class Constrained:
    """A constraint, its bodies and joints as ("body" or "joint", link), −1 for the ground, and its number of rows.

    ``is_linear``: whether its rows are linear in the velocities (in the accelerations, where it is on those). ``mu``: the place
    among the coordinates of the multipliers that are part of the state, empty for most realizations. ``directions``: what exerts
    the effort of each row where that is named, empty where efforts are along the rows. ``ranges``: the least and the largest
    multiplier of each row that are meant to be exerted."""

    constraint: Constraint
    things: tuple[tuple[str, int], ...]
    count: int
    is_linear: bool = True
    mu: slice = field(default_factory=lambda: slice(0, 0))
    directions: "tuple[AlongJoint | Acting, ...]" = ()
    ranges: list[list[float]] | None = None

    @property
    def holds(self) -> bool:
        """Whether multipliers enforce it."""
        assert self.constraint.realization is not None
        return self.constraint.realization.holds

    @property
    def varies(self) -> bool:
        """Whether it adds to the Lagrangian, so that its reactions contain rates of multipliers and accelerations."""
        assert self.constraint.realization is not None
        return self.constraint.realization.varies

    @property
    def is_kept_on_bodies(self) -> bool:
        """Whether multipliers along its own rows keep it, and it is on positions or linear in velocities of bodies."""
        plain = self.holds and not self.varies and not self.directions and self.is_linear
        return plain and self.constraint.level < 2 and all(kind == "body" for kind, _ in self.things)

    @property
    def ends(self) -> tuple[tuple[str, int], ...]:
        """The bodies and joints that its efforts act on, as ("body" or "joint", link); by default its own."""
        if not self.directions:
            return self.things
        found = [end for one in self.directions for end in one.ends]
        return tuple(dict.fromkeys(found))


@final
@dataclass(frozen=True, eq=False)
class Bounded:
    """A unilateral constraint and its bodies and joints as ("body" or "joint", link), −1 for the ground."""

    unilateral: Unilateral
    things: tuple[tuple[str, int], ...]

    @property
    def second(self) -> int:
        """The link on which the first body slips, −1 for the ground."""
        return self.things[1][1] if len(self.things) > 1 else -1


@final
@dataclass(frozen=True, eq=False)
class Struck:
    """An impulse and the link of the body, or of the joint, that it acts on; ``kind``: "body" or "joint"."""

    impulse: Impulse
    kind: str
    link: int


@final
@dataclass(frozen=True, eq=False)
class FreeViews:
    """Bodies with symbolic positions and velocities. ``places``: (x, R) of each, ``motions``: (v, ω), ``kinematics``: how each carries its
    points; ``t`` the time.

    A mass point has no R of its own, and R of a body that deforms is its deformation. ``still`` are the views of an energy,
    which may not ask for velocities; ``moving``
    those of efforts.
    """

    places: tuple[tuple[np.ndarray, np.ndarray], ...]
    motions: tuple[tuple[np.ndarray, np.ndarray], ...]
    t: Scalar
    still: tuple[BodyView, ...]
    moving: tuple[BodyView, ...]
    kinematics: tuple[BodyKinematics, ...]

    def leaves(self) -> np.ndarray:
        """All symbols of positions, then of velocities, then the time."""
        parts = [x.ravel() for x, R in self.places] + [
            kind.free_entries(R) for (_, R), kind in zip(self.places, self.kinematics, strict=True) if R.dtype == object
        ]
        parts += [x for motion in self.motions for x in motion]
        return np.concatenate([*parts, np.array([self.t], dtype=object)])

    def values(self, views: Sequence[BodyView], t) -> np.ndarray:
        """Values of the leaves at given views and time, in the same order."""
        known = list(zip(views, self.places, self.kinematics, strict=True))
        parts = [view._state.X_WB.p for view in views] + [
            kind.free_entries(view._state.X_WB.R) for view, (_, R), kind in known if R.dtype == object
        ]
        parts += [
            x
            for view, _, kind in known
            for x in (
                view._state.motion if not isinstance(view._state.motion, str) else (np.zeros(3), np.zeros(kind.count))
            )
        ]
        return np.concatenate([*(np.asarray(x, dtype=object) for x in parts), np.array([t], dtype=object)])


def free_views(bodies: Sequence[Body | None], masses: Sequence[tuple[Any, np.ndarray]] | None = None) -> FreeViews:
    """Views of bodies, None for the ground, at symbolic positions. ``masses``: mass and mass center of each in its frame, by default
    those of its description."""
    places, motions, still, moving, kinds = [], [], [], [], []
    for i, body in enumerate(bodies):
        name, mass, com, turns = _body_properties(body)
        mass, com = (mass, com) if masses is None else masses[i]
        kind = RIGID if body is None else body.mechanics.kinematics
        x, R = symbols(f"x of {name} ", 3), kind.symbolic_matrix(name)
        motion = symbols(f"v of {name} ", 3), symbols(f"w of {name} ", kind.count)
        for part in (x, R, *motion):
            part.flags.writeable = False
        kinds.append(kind)
        places.append((x, R))
        motions.append(motion)
        X = Pose.of(R, x)
        still.append(make_view(name, mass, X, com, ENERGY_OF_PLACES, turns, body=body))
        moving.append(make_view(name, mass, X, com, motion, turns, body=body))
    return FreeViews(tuple(places), tuple(motions), symbol("t"), tuple(still), tuple(moving), tuple(kinds))


def _body_properties(body: Body | None) -> tuple[str, Any, np.ndarray, bool]:
    """Name, mass, mass center and whether it turns, of a body or the ground."""
    return (GROUND, 0.0, np.zeros(3), True) if body is None else (body.name, body.mass, body.center, body.turns)


def numbers_at(outputs: Sequence, numbers: Mapping[int, float]) -> np.ndarray:
    """Outputs (n,) at given numbers for the symbols, by their identity."""

    def leaf(node: Scalar):
        return value(node) if node.op == "parameter" else numbers[id(node)]

    stray = [n for n in nodes(outputs) if n.op == "symbol" and id(n) not in numbers]
    if stray:
        raise ModelError(f"'{stray[0].args[0]}' is a free symbol that no body gives; use vc.parameter(name, value)")
    with np.errstate(all="ignore"):
        return replay(np.array([*outputs, 0.0], dtype=object), leaf, EXTENDED).astype(float)[:-1]
