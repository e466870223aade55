r"""The inertia that a joint moves, for joints where it may vanish on the way: the mass matrix is singular there.

.. math:: D_i = \det S_i^T I_i^A S_i

with the joint's motion subspace S and the articulated inertia of its body. The determinant of the mass matrix is the product of such
pivots. That of a body which has inertia of its own about the joint at every position never vanishes. Featherstone, Rigid Body Dynamics
Algorithms, ch. 7.
"""

from typing import Any, NamedTuple

import numpy as np

from vinculum.equations.recursions.articulated import in_parent_frame, spatial_inertia, through_joint
from vinculum.equations.recursions.inertias import link_inertia
from vinculum.scalars import Scalar, depends_on
from vinculum.systems import Link, Tree, link_steps

VANISHES = (
    "joint '{}' moves no mass or inertia, so its acceleration is not determined; go round such positions, or give body '{}' inertia "
    "about the joint's axis"
)
STILL = np.zeros(6)


class JointInertia(NamedTuple):
    """``pivot``: what is left of the inertia of a joint's motion; ``size``: the same if all axes had the inertia of the body."""

    link: Link
    pivot: Any
    size: Any


def vanishes(link: Link) -> str:
    """What is met where the joint of a link moves no inertia, in words."""
    return VANISHES.format(link.joint.name, link.body.name)


def has_thin_body(link: Link) -> bool:
    """Whether a body without inertia about some axis is on a joint: only such joints may move no inertia."""
    free = link.parent < 0 and link.joint.name == link.body.name
    if free or not _outer(link):
        return False
    J = np.asarray(link.inertia)
    return J.dtype == object or not bool(np.all(np.linalg.eigvalsh(J.astype(float)) > 0.0))


def joint_inertias(tree: Tree, q) -> list[JointInertia]:
    """The inertias of all joints of a tree where they may vanish, in the order of their links; ``q``: symbols."""
    above = {link.index for link in tree.links if may_vanish(link, q[link.q])}
    needed = {link.index for link in tree.links if above.intersection(tree.path(link.index))}
    inertia = {i: spatial_inertia(link_inertia(tree.links[i])) for i in needed}
    found: dict[int, JointInertia] = {}
    for link in reversed(tree.links):
        i = link.index
        if i not in needed:
            continue
        if i in above:
            found[i] = JointInertia(link, *_pivot(link, q[link.q], inertia[i]))
        if link.parent in needed:
            up, _, _ = through_joint(link, q, np.zeros(_outer(link)), inertia[i], STILL, STILL)
            for X in reversed(link_steps(link, q)):
                up, _ = in_parent_frame(X, up, STILL)
            inertia[link.parent] = inertia[link.parent] + up
    return [found[i] for i in sorted(found)]


def _outer(link: Link) -> int:
    """How many velocities of a link are those of its joint, not of a deformation."""
    return link.joint.nv - link.joint.kind.inner


def may_vanish(link: Link, q) -> bool:
    """Whether the body of a link does not by itself keep its joint from moving no inertia, at all coordinates ``q`` of the joint."""
    if not has_thin_body(link) or link.extra_inertia is not None:
        return False
    own = _pivot(link, q, spatial_inertia(link_inertia(link)))[0]
    return depends_on([own], q) if isinstance(own, Scalar) else not float(own) > 0.0


def _pivot(link: Link, q, inertia: np.ndarray) -> tuple[Any, Any]:
    """det SᵀIS, and the product of |S_k|² tr I over its columns, with the traces of masses and of moments of inertia."""
    S = link.joint.kind.subspace(q)[:, : _outer(link)]
    masses, moments = (inertia[k, k] + inertia[k + 1, k + 1] + inertia[k + 2, k + 2] for k in (0, 3))
    sizes = [np.sum(s[:3] * s[:3]) * masses + np.sum(s[3:] * s[3:]) * moments for s in S.T]
    return _determinant(S.T @ inertia @ S), np.prod(np.array(sizes, dtype=object))


def _determinant(A: np.ndarray):
    """det A without divisions, by the rows; the A of joints are small."""
    if len(A) == 1:
        return A[0, 0]
    minors = (_determinant(np.delete(A[1:], k, axis=1)) for k in range(len(A)))
    return sum((-1.0) ** k * A[0, k] * minor for k, minor in enumerate(minors))
