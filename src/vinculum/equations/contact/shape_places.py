"""Poses of the shapes of a tree, and the twists of its velocities, for contacts between them."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bodies.shape_pose import shape_pose
from vinculum.scalars.math import cross
from vinculum.systems import Tree, placements
from vinculum.systems.kinematics import joint_twist


@final
@dataclass(frozen=True, eq=False)
class ShapePlaces:
    r"""``screws`` (nv, 6): world twists at the world's origin, velocity then angular velocity, of what each velocity carries.

    .. math:: v(x) = \sum_j v_j\,(\sigma_j + \vartheta_j\times x) + d + \delta\times x

    The sum is over the velocities of the joints on a body's path from the ground. ``drifts`` (s, 6): the twist (d, δ) that each body with a
    shape has by prescribed bodies on that path. ``centers`` (s, 3), ``axes`` (s, 3, 3): of the shapes. World axes.
    """

    screws: np.ndarray
    drifts: np.ndarray
    centers: np.ndarray
    axes: np.ndarray


def shaped_links(tree: Tree) -> list[int]:
    """Links whose bodies meet others, in order."""
    names = {name for contact in tree.contacts for name in contact.names}
    return [link.index for link in tree.links if link.body.name in names]


def carriers(tree: Tree) -> np.ndarray:
    """Whether each velocity moves each body with a shape, (s, nv)."""
    found = np.zeros((len(shaped_links(tree)), tree.nv), dtype=bool)
    for row, index in enumerate(shaped_links(tree)):
        for other in tree.path(index):
            found[row, tree.links[other].v] = True
    return found


def shape_places(tree: Tree, q, v) -> ShapePlaces:
    """Places and twists of the shapes of a tree at its instant."""
    placed, chosen = placements(tree, q, v), shaped_links(tree)
    screws, drifts = screws_and_drifts(tree, q, v)
    poses = [placed[i].X_WL @ tree.links[i].X_LB @ shape_pose(tree.links[i].body) for i in chosen]
    return ShapePlaces(
        screws,
        drifts[chosen],
        np.array([X.p for X in poses], dtype=object),
        np.array([X.R for X in poses], dtype=object),
    )


def screws_and_drifts(tree: Tree, q, v) -> tuple[np.ndarray, np.ndarray]:
    """The screws (nv, 6) of all velocities, and the twists (b, 6) that all bodies have by prescribed ones, as in `ShapePlaces`."""
    screws, drifts = [], []
    for link, place in zip(tree.links, placements(tree, q, v), strict=True):
        X = place.X_WL
        nothing = np.zeros(tree.nv)
        for j in range(link.v.start, link.v.stop):
            unit = nothing.copy()
            unit[j] = 1.0
            screws.append(_at_origin(X, *joint_twist(link, q, unit)))
        own = np.zeros(6) if link.joint.nv else _at_origin(X, *joint_twist(link, q, nothing))
        drifts.append(own + (drifts[link.parent] if link.parent >= 0 else 0.0))
    return np.array(screws, dtype=object).reshape(tree.nv, 6), np.array(drifts, dtype=object)


def _at_origin(X, u, w) -> np.ndarray:
    """A twist in the axes of a frame X, at its origin, as one at the world's origin in world axes."""
    turn = X.R @ w
    return np.concatenate([X.R @ u - cross(turn, X.p), turn])
