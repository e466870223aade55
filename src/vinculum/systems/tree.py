"""The tree of a system: links ordered from the ground outwards, each in the frame that makes its joint simplest."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, final

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.mechanics import InnerKinetics
from vinculum.bonds import Contact, Joint
from vinculum.bonds.joints import joint_at, stop_joint
from vinculum.scalars import value
from vinculum.screws import Pose
from vinculum.systems.actions_in_tree import Acting, ActingRows, Bounded, Constrained, Struck


@final
@dataclass(frozen=True, eq=False)
class Link:
    """A body with the joint to its parent.

    The link frame L is fixed in the body; its z is the joint's axis where there is one. From the parent's link frame one
    reaches it through the constant poses ``before``, the joint's pose at the coordinates plus ``offset``, and the
    constant poses ``after``. ``X_LB``: pose of the body's own frame in L. ``center``, ``inertia``: mass center and
    inertia about it in L. ``mass``: [kg]; of a body of variable mass it stands at ``mass_place`` among the coordinates.
    ``inner``: the kinetics of the last velocities, where these move no frame; ``extra_inertia``: Θ (6, 6) besides mass and inertia, at
    the origin of L and in its axes. ``like``: the first of the links that are the same but for their body's name, −1 if it is its own.
    """

    index: int
    body: Body
    joint: Joint
    parent: int
    before: tuple[Pose, ...]
    offset: np.ndarray
    after: tuple[Pose, ...]
    X_LB: Pose
    center: np.ndarray
    inertia: np.ndarray
    q: slice
    v: slice
    mass: Any
    inner: InnerKinetics | None = None
    extra_inertia: np.ndarray | None = None
    mass_place: int | None = None
    like: int = -1

    @property
    def com(self) -> np.ndarray:
        """The mass center in the body's own frame, (3,)."""
        varying = self.body.mechanics.varying
        return self.body.center if varying is None else varying.center(self.mass)

    def with_mass(self, mass) -> "Link":
        """The link of a body of variable mass at a mass, a number or a symbol."""
        varying = self.body.mechanics.varying
        assert varying is not None
        center, inertia = self.X_LB.apply(varying.center(mass)), self.X_LB.R @ varying.inertia(mass) @ self.X_LB.R.T
        return replace(self, mass=mass, center=center, inertia=inertia)

    @property
    def inner_inertia(self) -> np.ndarray | None:
        """The inertia of the velocities that move no frame."""
        return None if self.inner is None else self.inner.inertia

    @property
    def inner_v(self) -> slice:
        """Velocities that move no frame."""
        return slice(self.v.stop - self.joint.kind.inner, self.v.stop)

    @property
    def joint_origin(self) -> np.ndarray:
        """The child's joint origin in L, (3,)."""
        return self.X_LB.apply(self.joint.to.p)


@final
@dataclass(frozen=True, eq=False)
class Closure:
    """A joint that closes a loop of the tree: it has no coordinates.

    ``X_PJ``, ``X_CJ``: poses of the joint's working frames in the link frames of ``parent`` (−1 is the ground) and ``child``.
    """

    joint: Joint
    parent: int
    child: int
    X_PJ: Pose
    X_CJ: Pose


@final
@dataclass(frozen=True, eq=False)
class Tree:
    """A checked system in order: every parent before its children. ``parent`` of a root is −1, the ground.

    ``closures`` are the joints left over when the others form a tree. ``kept``: which of their gaps must be watched (some vanish
    by themselves, such as those across the plane of a planar mechanism), ``rank``: how many of those are independent.
    ``acting``: potentials, forces and interactions, single ones and those over rows. ``constraints``: conditions besides the joints.
    ``unilaterals``: one-sided ones. ``contact``: shapes of free bodies that meet, ``contacts``: those of bodies in a tree. ``impulses``:
    given impulses.
    ``nq`` counts the
    coordinates of all joints, after them the masses and then the multipliers that are part of the state; ``placed``: those of
    the joints alone. ``instant``: the time [s] at which
    prescribed bodies and what follows a clock stand.
    """

    name: str
    gravity: np.ndarray
    links: tuple[Link, ...]
    nq: int
    nv: int
    closures: tuple[Closure, ...] = ()
    kept: tuple[int, ...] = ()
    rank: int = 0
    acting: tuple[Acting | ActingRows, ...] = ()
    constraints: tuple[Constrained, ...] = ()
    unilaterals: tuple[Bounded, ...] = ()
    contact: Contact | None = None
    impulses: tuple[Struck, ...] = ()
    contacts: tuple[Contact, ...] = ()
    instant: Any = 0.0
    placed: int = 0

    @cached_property
    def actions(self) -> tuple[Acting, ...]:
        """Potentials, forces and interactions one by one; rows of bonds are written out."""
        return tuple(chain.from_iterable(one.single for one in self.acting))

    @cached_property
    def bodies(self) -> dict[str, int]:
        """Index of the link of each body."""
        return {link.body.name: link.index for link in self.links}

    @cached_property
    def joints(self) -> dict[str, int]:
        """Index of the link of each joint; a free body's joint has the body's name."""
        return {link.joint.name: link.index for link in self.links}

    @cached_property
    def is_conditioned(self) -> bool:
        """Whether there are conditions with multipliers, from closing joints or constraints."""
        return bool(self.closures) or any(one.holds for one in self.constraints)

    @property
    def conditioned_by(self) -> str:
        """The loops and constraints with multipliers or in the Lagrangian, in words."""
        constrained = [one.constraint.name for one in self.constraints if one.holds or one.varies]
        parts = [f"loops closed by {self.closing_joints}"] * bool(self.closures) + [
            f"constraints {constrained}"
        ] * bool(constrained)
        return " and ".join(parts)

    @cached_property
    def varied(self) -> tuple[Constrained, ...]:
        """Constraints that add to the Lagrangian."""
        return tuple(one for one in self.constraints if one.varies)

    @property
    def is_directed(self) -> bool:
        """Whether some multipliers act in other directions than along their rows."""
        return any(one.directions for one in self.constraints)

    @property
    def multipliers(self) -> int:
        """Number of multipliers in the state; they come after the coordinates of all joints and the masses."""
        return sum(one.mu.stop - one.mu.start for one in self.constraints)

    @cached_property
    def varying(self) -> list[Link]:
        """Links of the bodies of variable mass, in the order of their masses in the state."""
        return [link for link in self.links if link.mass_place is not None]

    @property
    def closing_joints(self) -> list[str]:
        """Names of the joints that close loops."""
        return [closure.joint.name for closure in self.closures]

    def children(self, index: int) -> list[int]:
        """Children of the link ``index`` (−1 for the ground)."""
        return [link.index for link in self.links if link.parent == index]

    @cached_property
    def prescribed(self) -> list[Link]:
        """Links of the prescribed bodies."""
        return [link for link in self.links if link.joint.kind.path is not None]

    def at(self, t, q=None) -> "Tree":
        """The same tree at the instant ``t``, a number or a symbol, with the poses and twists of its prescribed
        bodies, and with the masses in the coordinates ``q`` where these are given."""
        if not (self.prescribed or self.constraints or self.unilaterals or self.varying):
            return self
        links = (
            tuple(replace(link, joint=joint_at(link.joint, t)) for link in self.links)
            if self.prescribed
            else self.links
        )
        there = replace(self, links=links, instant=t)
        return there if q is None else with_masses(there, q)

    def path(self, index: int) -> list[int]:
        """Links from the root to link ``index``."""
        path = []
        while index >= 0:
            path.append(index)
            index = self.links[index].parent
        return path[::-1]

    @cached_property
    def identity(self) -> np.ndarray:
        """Coordinates at which every pair of joint frames coincides, and masses and multipliers as they start; read-only."""
        places = [x for link in self.links for x in link.joint.kind.coordinates.identity]
        masses = [value(link.body.mass) for link in self.varying]
        found = np.array([*places, *masses, *self._starting_multipliers()], dtype=float)
        found.flags.writeable = False
        return found

    def _starting_multipliers(self) -> list[float]:
        """Values at the start of the multipliers that are part of the state."""
        found = []
        for one in self.constraints:
            assert one.constraint.realization is not None
            found += list(one.constraint.realization.start(f"constraint '{one.constraint.name}'", one.count))
        return found


def with_masses(tree: Tree, q) -> Tree:
    """The same tree with the masses in the coordinates ``q``."""
    if not tree.varying:
        return tree
    links = (link if link.mass_place is None else link.with_mass(q[link.mass_place]) for link in tree.links)
    return replace(tree, links=tuple(links))


def at_rest(tree: Tree) -> Tree:
    """The same tree with its prescribed bodies at rest where they are."""
    if not tree.prescribed:
        return tree
    return replace(tree, links=tuple(replace(link, joint=stop_joint(link.joint)) for link in tree.links))
