"""Velocities and accelerations of bodies in world axes, and the twists of joint velocities."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bonds import BodyView
from vinculum.equations.recursions.newton_euler import free_motions, spin_matrix
from vinculum.screws import skew
from vinculum.systems import Tree, body_view, link_steps, placements


@final
@dataclass(frozen=True, eq=False)
class BodyMotion:
    """A body in world axes: its view, its acceleration and angular acceleration (3,) where v̇ = 0, and its ``twists`` (6, nv) with
    (velocity, angular velocity) = twists · v + what prescribed bodies make. Of a body that deforms the rates of its
    deformation are in place
    of the angular velocity."""

    view: BodyView
    acceleration: np.ndarray
    angular_acceleration: np.ndarray
    twists: np.ndarray


def body_motions(tree: Tree, q, v, links: set[int]) -> dict[int, BodyMotion]:
    """The motions of the bodies of some links."""
    if not links:
        return {}
    placed, free = placements(tree, q, v), free_motions(tree, q, v)
    found = {}
    for i in links:
        link, R = tree.links[i], placed[i].X_WL.R
        w, alpha, a = free[i]
        own = link_twists(tree, i, q)
        at_body = np.concatenate([R @ (own[:3] - skew(link.X_LB.p) @ own[3:]), R @ own[3:]])
        acceleration = R @ (a + spin_matrix(w, alpha) @ link.X_LB.p) + tree.gravity
        if link.joint.kind.inner:
            inner = np.zeros((link.joint.kind.inner, tree.nv))
            inner[:, link.inner_v] = np.eye(link.joint.kind.inner)
            at_body = np.concatenate([at_body[:3], inner])
            alpha, R = np.zeros(link.joint.kind.inner), np.eye(link.joint.kind.inner)
        found[i] = BodyMotion(body_view(link, placed[i]), acceleration, R @ alpha, at_body)
    return found


def link_twists(tree: Tree, i: int, q) -> np.ndarray:
    """Twists (6, nv) of a link in its own axes at its origin, one for each velocity."""
    twists = np.zeros((6, tree.nv), dtype=object)
    for k in tree.path(i):
        link = tree.links[k]
        for X in link_steps(link, q):
            twists = np.concatenate([X.R.T @ (twists[:3] - skew(X.p) @ twists[3:]), X.R.T @ twists[3:]])
        if link.joint.nv:
            twists[:, link.v] = twists[:, link.v] + link.joint.kind.subspace(q[link.q])
    return twists
