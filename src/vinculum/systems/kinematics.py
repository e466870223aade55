"""Poses and twists of every link, over floats or symbols."""

from dataclasses import dataclass
from functools import reduce
from typing import final

import numpy as np

from vinculum.scalars.math import cross
from vinculum.screws import Pose
from vinculum.systems.tree import Link, Tree


@final
@dataclass(frozen=True, eq=False)
class Placement:
    """Pose ``X_WL`` of a link in the world, and its twist ``V_WL_L`` = (``v``, ``w``) in its own axes.

    ``inner``: the matrix (3, 3) that carries the points of a body that deforms and the numbers of its motion, else None."""

    X_WL: Pose
    v: np.ndarray
    w: np.ndarray
    inner: tuple[np.ndarray, np.ndarray] | None = None


def link_steps(link: Link, q) -> tuple[Pose, ...]:
    """Poses whose product is the pose of a link in its parent's link frame; all but one are constant and sparse."""
    return (*link.before, joint_pose(link, q), *link.after)


def joint_pose(link: Link, q) -> Pose:
    """Pose of the joint alone, at its coordinates plus the link's offset."""
    own, offset = q[link.q], link.offset
    return link.joint.kind.pose(own + offset if offset.dtype == object or offset.any() else own)


def link_pose(link: Link, q) -> Pose:
    """Pose X_PL of a link in its parent's link frame."""
    return reduce(lambda X, Y: X @ Y, link_steps(link, q))


def joint_twist(link: Link, q, v) -> tuple[np.ndarray, np.ndarray]:
    """Relative twist (u, w) of a link in its own axes: S v, plus prescribed motion."""
    V = link.joint.kind.subspace(q[link.q]) @ v[link.v] if link.joint.nv else link.joint.kind.drift
    return V[:3], V[3:]


def world_poses(tree: Tree, q) -> list[Pose]:
    """Pose X_WL of every link, by composing the joints' poses."""
    poses: list[Pose] = []
    for link in tree.links:
        steps = link_steps(link, q) if link.parent < 0 else (poses[link.parent], *link_steps(link, q))
        poses.append(reduce(lambda X, Y: X @ Y, steps))
    return poses


def placements(tree: Tree, q, v) -> list[Placement]:
    """Pose and twist of every link, by V_i = L_tw V_parent + S v (and the drift of prescribed bodies). Cheremensky, Lemma 2 (24)."""
    result: list[Placement] = []
    still = Placement(Pose(), np.zeros(3), np.zeros(3))
    for link, X_WL in zip(tree.links, world_poses(tree, q), strict=True):
        P = result[link.parent] if link.parent >= 0 else still
        lin, ang = P.v, P.w
        for X in link_steps(link, q):
            lin, ang = X.R.T @ (lin + cross(ang, X.p)), X.R.T @ ang
        u, w = joint_twist(link, q, v)
        result.append(Placement(X_WL, lin + u, ang + w, inner_motion(link, q, v)))
    return result


def inner_motion(link: Link, q, v) -> tuple[np.ndarray, np.ndarray] | None:
    """The matrix (3, 3) that carries the points of a link's body and the numbers of its motion, where it deforms."""
    K = link.joint.kind.inner_place(q[link.q])
    return None if K is None else (K, v[link.inner_v])


def still_placements(tree: Tree, q) -> list[Placement]:
    """Pose of every link, at rest."""
    still = np.zeros(tree.nv)
    return [
        Placement(X, np.zeros(3), np.zeros(3), inner_motion(link, q, still))
        for link, X in zip(tree.links, world_poses(tree, q), strict=True)
    ]
