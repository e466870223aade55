"""Wrenches of closing joints on the bodies they connect, and the motions they act along."""

import numpy as np

from vinculum.equations.constraints.closures import gap_jacobians, gap_names, relative_pose
from vinculum.scalars.math import cross
from vinculum.systems import Closure, Placement, Tree


def closing_wrenches(tree: Tree, q, full) -> list[np.ndarray]:
    """Wrench of the parent on the child in every closing joint, (6,), for a multiplier ``full`` of every condition."""
    return gap_wrenches(tree, q, full[: len(gap_names(tree))])


def gap_wrenches(tree: Tree, q, lam) -> list[np.ndarray]:
    r"""Wrench of the parent on the child in every closing joint, (6,), in the parent's joint axes at the child's joint origin.

    .. math:: f\cdot u + m\cdot w = \lambda^T\dot F \quad\text{for every relative twist } (u, w)

    ``lam``: a multiplier of each gap, (m,).
    """
    wrenches, first = [], 0
    for closure in tree.closures:
        G = gap_jacobians(closure, relative_pose(tree, closure, q))
        wrenches.append(G.T @ lam[first : first + len(G)] if len(G) else np.zeros(6))
        first += len(G)
    return wrenches


def wrenches_on_links(tree: Tree, q, wrenches) -> list[tuple[int, np.ndarray]]:
    """Wrenches of the closing joints on links: (link, wrench (6,) in the link's axes at its origin), two for each
    except the ground."""
    acting = []
    for closure, (on_child, (force, moment)) in zip(tree.closures, closing_pairs(tree, q, wrenches), strict=True):
        acting.append((closure.child, on_child))
        if closure.parent >= 0:
            acting.append((closure.parent, np.concatenate([force, moment])))
    return acting


def closing_pairs(tree: Tree, q, wrenches) -> list[tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]]:
    """Of every closing joint the wrench (6,) on its child, and force and moment (3,) on its parent, in the axes of these links
    (or of the ground) at their origins."""
    pairs = []
    for closure, F in zip(tree.closures, wrenches, strict=True):
        X = relative_pose(tree, closure, q)
        on_child = _at_origin(closure.X_CJ.R @ X.R.T, closure.X_CJ.p, F)
        on_parent = _at_origin(closure.X_PJ.R, closure.X_PJ.apply(X.p), -F)
        pairs.append((on_child, (on_parent[:3], on_parent[3:])))
    return pairs


def sum_wrenches(tree: Tree, acting: list[tuple[int, np.ndarray]]) -> list[np.ndarray | None]:
    """Sums of wrenches for each link, or None."""
    total: list[np.ndarray | None] = [None] * len(tree.links)
    for i, F in acting:
        known = total[i]
        total[i] = F if known is None else known + F
    return total


def world_wrench(closure: Closure, placed: list[Placement], F) -> tuple[np.ndarray, np.ndarray]:
    """A closing joint's wrench on its child in world axes at the child's joint origin, (6,), and that point, (3,)."""
    R = (placed[closure.parent].X_WL.R if closure.parent >= 0 else np.eye(3)) @ closure.X_PJ.R
    return np.concatenate([R @ F[:3], R @ F[3:]]), placed[closure.child].X_WL.apply(closure.X_CJ.p)


def relative_twist(closure: Closure, placed: list[Placement], point) -> np.ndarray:
    """Velocity of the child relative to the parent at a point of the world, and their relative angular velocity, in
    world axes."""
    child = twist_at(placed[closure.child], point)
    return child - twist_at(placed[closure.parent], point) if closure.parent >= 0 else child


def twist_at(at: Placement, point) -> np.ndarray:
    """Velocity of a link at a point of the world, and its angular velocity, in world axes, (6,)."""
    w = at.X_WL.R @ at.w
    return np.concatenate([at.X_WL.R @ at.v + cross(w, point - at.X_WL.p), w])


def _at_origin(R, point, F) -> np.ndarray:
    f = R @ F[:3]
    return np.concatenate([f, R @ F[3:] + cross(point, f)])
