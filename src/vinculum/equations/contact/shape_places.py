"""Poses of the shapes of a tree, and the velocity fields of its velocities, for contacts between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bodies.shape_pose import shape_frame
from vinculum.scalars.math import cross
from vinculum.screws import Pose, axial
from vinculum.systems import Link, Placement, Tree, placements
from vinculum.systems.kinematics import joint_twist


@final
@dataclass(frozen=True, eq=False)
class ShapePlaces:
    r"""``screws`` (nv, 6): world twists at the world's origin, velocity then angular velocity, of what each velocity carries.

    .. math:: v(x) = \sum_j v_j\,(\sigma_j + \vartheta_j\times x + E_j x) + d + \delta\times x

    The sum is over the velocities of the joints on a body's path from the ground. ``drifts`` (s, 6): the twist (d, δ) that each body with a
    shape has by prescribed bodies on that path. ``centers`` (s, 3), ``axes`` (s, 3, 3): of the shapes; the axes of one that deforms are
    those that its material has become, and those of an ellipsoid have its proportions. ``strains`` (k, 9): the symmetric E of
    the `strained_velocities`; it is zero for the others. World axes.
    """

    screws: np.ndarray
    drifts: np.ndarray
    centers: np.ndarray
    axes: np.ndarray
    strains: np.ndarray


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


def strained_velocities(tree: Tree) -> list[int]:
    """Indices of the velocities that deform a shape."""
    inner = [tree.links[i].inner_v for i in shaped_links(tree)]
    return [j for own in inner for j in range(own.start, own.stop)]


def shape_places(tree: Tree, q, v) -> ShapePlaces:
    """Places and velocity fields of the shapes of a tree at its instant."""
    placed, chosen, strains = placements(tree, q, v), shaped_links(tree), []
    screws, drifts = screws_and_drifts(tree, q, v)
    for j, screw, strain in inner_fields(tree, placed, chosen):
        screws[j] = screw
        strains.append(strain)
    poses = [_carrier(tree.links[i], placed[i]) @ shape_frame(tree.links[i].body) for i in chosen]
    return ShapePlaces(
        screws,
        drifts[chosen],
        np.array([X.p for X in poses], dtype=object),
        np.array([X.R for X in poses], dtype=object),
        np.array(strains, dtype=object).reshape(len(strains), 9),
    )


def inner_fields(
    tree: Tree, placed: Sequence[Placement], links: Iterable[int]
) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """The index of every inner velocity of some links, with the screw (6,) and the strain (9,) of its velocity field, as in
    `ShapePlaces`."""
    found = []
    for i in links:
        p, inner = placed[i].X_WL.p, tree.links[i].inner_v
        for j, W in zip(range(inner.start, inner.stop), _gradients(tree.links[i], placed[i]), strict=True):
            found.append((j, np.concatenate([-W @ p, axial(W)]), 0.5 * (W + W.T).ravel()))
    return found


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


def _gradients(link: Link, place: Placement) -> list[np.ndarray]:
    """Gradients K̇K⁻¹ (3, 3) of the velocity field of each inner velocity of a link."""
    if place.inner is None:
        return []
    kinematics, (K, _) = link.body.mechanics.kinematics, place.inner
    inverse = kinematics.inverse(K)
    return [kinematics.matrix_rate(K, unit) @ inverse for unit in np.eye(kinematics.count)]


def _carrier(link: Link, place: Placement) -> Pose:
    """Position of a body and the matrix that carries its points."""
    return place.X_WL @ link.X_LB if place.inner is None else Pose.of(place.inner[0], place.X_WL.p)


def _at_origin(X, u, w) -> np.ndarray:
    """A twist in the axes of a frame X, at its origin, as one at the world's origin in world axes."""
    turn = X.R @ w
    return np.concatenate([X.R @ u - cross(turn, X.p), turn])
