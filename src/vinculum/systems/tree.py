"""The tree of a system: links ordered from the ground outwards, each in the frame that makes its joint simplest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND, Body
from vinculum.bonds import Free, Joint, Translation
from vinculum.errors import ModelError
from vinculum.scalars import parameters
from vinculum.screws import Pose


@final
@dataclass(frozen=True, eq=False)
class Link:
    """A body with the joint that carries it.

    The link frame L is the child's working joint frame: its origin is the child's joint origin.
    ``X_PJ``: pose of the parent's working joint frame in the parent's link frame. ``X_LB``: pose of the body's own
    frame in L. ``center``, ``inertia``: mass centre and inertia about it in L.
    """

    index: int
    body: Body
    joint: Joint
    parent: int
    X_PJ: Pose
    X_LB: Pose
    center: np.ndarray
    inertia: np.ndarray
    q: slice
    v: slice

    @property
    def mass(self) -> Any:
        return self.body.mass


@final
@dataclass(frozen=True, eq=False)
class Tree:
    """A checked system in order: every parent before its children. ``parent`` of a root is −1, the ground."""

    name: str
    gravity: np.ndarray
    links: tuple[Link, ...]
    nq: int
    nv: int

    @property
    def bodies(self) -> dict[str, int]:
        """Index of the link of each body."""
        return {link.body.name: link.index for link in self.links}

    @property
    def joints(self) -> dict[str, int]:
        """Index of the link of each joint; a free body's joint has the body's name."""
        return {link.joint.name: link.index for link in self.links}

    def children(self, index: int) -> list[int]:
        """Links carried by link ``index`` (−1 for the ground)."""
        return [link.index for link in self.links if link.parent == index]

    def path(self, index: int) -> list[int]:
        """Links from the root to link ``index``."""
        path = []
        while index >= 0:
            path.append(index)
            index = self.links[index].parent
        return path[::-1]

    def q_names(self) -> list[str]:
        """A name for each coordinate."""
        return [_named(k.joint.name, label) for k in self.links for label in k.joint.q_labels]

    def v_names(self) -> list[str]:
        """A name for each velocity."""
        return [_named(k.joint.name, label) for k in self.links for label in k.joint.v_labels]

    def identity(self) -> np.ndarray:
        """Coordinates at which every pair of joint frames coincides."""
        return np.array([x for link in self.links for x in link.joint.identity], dtype=float)

    def parameters(self) -> dict[str, float]:
        """Name and default value of every parameter in bodies, joints and gravity."""
        described: list = list(np.ravel(self.gravity))
        for k in self.links:
            for part in (k.mass, k.center, k.inertia, k.X_PJ.R, k.X_PJ.p, k.X_LB.R, k.X_LB.p, *_joint_numbers(k.joint)):
                described.extend(np.ravel(np.asarray(part, dtype=object)))
        return parameters(np.array([*described, 0.0], dtype=object))

    def check(self, values: Mapping[str, float] | None = None) -> None:
        """Refuse parameter values that no body or joint can have."""
        for link in self.links:
            link.body.check(values)
            link.joint.check(values)


def build_tree(name: str, gravity, bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> Tree:
    """The links of a system in order; cycles and doubly carried bodies are refused."""
    if not bodies:
        raise ModelError(f"system '{name}' has no bodies; add one with system.add(vc.RigidBody(…))")
    carrier: dict[str, Joint] = {}
    for joint in joints.values():
        child = joint.child if isinstance(joint.child, str) else joint.child.name
        if child in carrier:
            raise ModelError(f"system '{name}': body '{child}' is carried by joint '{carrier[child].name}' already, joint "
                             f"'{joint.name}' would close a loop; closed loops are not supported yet, remove one of them")
        carrier[child] = joint
    for body in bodies.values():
        if body.name not in carrier:
            carrier[body.name] = (Free if body.turns else Translation)(body.name, GROUND, body)
    order = _outwards(name, list(bodies), carrier)
    index = {body: i for i, body in enumerate(order)}
    links: list[Link] = []
    q = v = 0
    for i, body_name in enumerate(order):
        joint, body = carrier[body_name], bodies[body_name]
        parent_name = joint.parent if isinstance(joint.parent, str) else joint.parent.name
        parent = index.get(parent_name, -1)
        X_PB = links[parent].X_LB if parent >= 0 else Pose()
        X_LB = (joint.to @ joint.alignment).inverse()
        center = X_LB.apply(body.center)
        inertia = X_LB.R @ body.inertia_at_center @ X_LB.R.T
        links.append(Link(i, body, joint, parent, X_PB @ joint.at @ joint.alignment, X_LB, center, inertia,
                          slice(q, q + joint.nq), slice(v, v + joint.nv)))
        q, v = q + joint.nq, v + joint.nv
    return Tree(name, gravity, tuple(links), q, v)


def _outwards(name: str, bodies: list[str], carrier: Mapping[str, Joint]) -> list[str]:
    order: list[str] = []
    placed = {GROUND}
    waiting = list(bodies)
    while waiting:
        ready = [b for b in waiting if _parent(carrier[b]) in placed]
        if not ready:
            cycle = [carrier[b].name for b in waiting]
            raise ModelError(f"system '{name}': joints {cycle} form a cycle that never reaches the ground; "
                             "join one of the bodies to 'ground', or leave one joint out")
        order.extend(ready)
        placed.update(ready)
        waiting = [b for b in waiting if b not in placed]
    return order


def _parent(joint: Joint) -> str:
    return joint.parent if isinstance(joint.parent, str) else joint.parent.name


def _joint_numbers(joint: Joint) -> list:
    q = np.array(joint.identity, dtype=float)
    pose = joint.pose(q)
    return [joint.damping, joint.stiffness, joint.rest, pose.R, pose.p, joint.subspace(q)]


def _named(joint: str, label: str) -> str:
    return f"{joint}.{label}" if label else joint
