"""Poses and twists of every link, over floats or symbols."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.scalars.math import cross
from vinculum.screws import Pose
from vinculum.systems.tree import Link, Tree


@final
@dataclass(frozen=True, eq=False)
class Placement:
    """Where a link is: ``X_WL`` its pose in the world, ``V_WL_L`` = (``v``, ``w``) its twist in its own axes."""

    X_WL: Pose
    v: np.ndarray
    w: np.ndarray


def link_pose(link: Link, q) -> Pose:
    """Pose X_PL of a link in its parent's link frame."""
    return link.X_PJ @ link.joint.pose(q[link.q])


def joint_twist(link: Link, q, v) -> tuple[np.ndarray, np.ndarray]:
    """Relative twist (u, w) of a link in its own axes."""
    V = link.joint.subspace(q[link.q]) @ v[link.v] if link.joint.nv else np.zeros(6)
    return V[:3], V[3:]


def world_poses(tree: Tree, q) -> list[Pose]:
    """Pose X_WL of every link, by composing the joints' poses."""
    poses: list[Pose] = []
    for link in tree.links:
        X_PL = link_pose(link, q)
        poses.append(X_PL if link.parent < 0 else poses[link.parent] @ X_PL)
    return poses


def placements(tree: Tree, q, v) -> list[Placement]:
    """Pose and twist of every link, by V_i = L_tw V_parent + S v. Cheremensky, Lemma 2 (24)."""
    result: list[Placement] = []
    for link in tree.links:
        X_PL = link_pose(link, q)
        u, w = joint_twist(link, q, v)
        if link.parent < 0:
            result.append(Placement(X_PL, u, w))
            continue
        P = result[link.parent]
        R_LP = X_PL.R.T
        result.append(Placement(P.X_WL @ X_PL, R_LP @ (P.v + cross(P.w, X_PL.p)) + u, R_LP @ P.w + w))
    return result
