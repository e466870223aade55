"""The block matrix L of a tree and its derivative: absolute twists from relative ones."""

import numpy as np

from vinculum.screws import L_tw, Phi_tw, Pose
from vinculum.systems import Tree, joint_twist, link_pose


def relative_poses(tree: Tree, q) -> dict[tuple[int, int], Pose]:
    """Pose X_ps of link s in link p, for every s on the path from the root to p."""
    poses: dict[tuple[int, int], Pose] = {}
    for link in tree.links:
        p = link.index
        poses[p, p] = Pose()
        if link.parent >= 0:
            X_PL = link_pose(link, q).inverse()
            for s in tree.path(link.parent):
                poses[p, s] = X_PL @ poses[link.parent, s]
    return poses


def L_matrix(tree: Tree, q) -> np.ndarray:
    """L of shape (6k, 6k) with V_a = L V_r; block (p, s) is L_tw of X_ps where s lies on the path to p, else zero.

    Cheremensky, On Concept of Mechanical System, (24), (25).
    """
    k = len(tree.links)
    L = np.zeros((6 * k, 6 * k), dtype=object)
    for (p, s), X in relative_poses(tree, q).items():
        L[6 * p : 6 * p + 6, 6 * s : 6 * s + 6] = L_tw(X)
    return L


def L_rate(tree: Tree, q, v) -> np.ndarray:
    """L̇ of shape (6k, 6k), from (7) and (9): block (p, s) is L_tw Φ_tw of the twist of s relative to p."""
    k = len(tree.links)
    poses = relative_poses(tree, q)
    relative = [np.concatenate(joint_twist(link, q, v)) for link in tree.links]
    rate = np.zeros((6 * k, 6 * k), dtype=object)
    for (p, s), X in poses.items():
        if p == s:
            continue
        path = tree.path(p)
        between = path[path.index(s) + 1 :]
        V_sp = sum(L_tw(poses[p, r]) @ relative[r] for r in between)
        V_ps = -L_tw(X.inverse()) @ V_sp
        rate[6 * p : 6 * p + 6, 6 * s : 6 * s + 6] = L_tw(X) @ Phi_tw(V_ps)
    return rate


def relative_twists(tree: Tree, q, v) -> np.ndarray:
    """V_r (6k,): the twist of every link relative to its parent, in its own axes."""
    return np.concatenate([np.concatenate(joint_twist(link, q, v)) for link in tree.links])
