"""Motions of the bodies of a tree as Telegin describes them: poles, vectors between them, absolute angular velocities."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, final

import numpy as np

from vinculum.scalars.math import cross
from vinculum.screws import Pose
from vinculum.systems import Link, Tree, joint_pose, world_poses


@final
@dataclass(frozen=True, eq=False)
class PoleMotion:
    """A link j of base b with its pole O_j, all in world axes. Telegin (2014), section 1.

    ``r`` = OO_j and ``acceleration`` its second derivative; ``R`` = O_b O_j with ``R_dot``, ``R_ddot``; ``start`` = O_b O_0j,
    fixed in the base, and ``slide`` = O_0j O_j, whose derivatives in the base are ``V`` and ``W``; ``omega``, ``omega_dot``
    absolute; ``mass``, ``c`` = O_j C_j and ``J_c``, the inertia about the mass center. ``R_WL``: the rotation of the link.
    """

    R_WL: np.ndarray
    r: np.ndarray
    acceleration: np.ndarray
    R: np.ndarray
    R_dot: np.ndarray
    R_ddot: np.ndarray
    start: np.ndarray
    slide: np.ndarray
    V: np.ndarray
    W: np.ndarray
    omega: np.ndarray
    omega_dot: np.ndarray
    mass: Any
    c: np.ndarray
    J_c: np.ndarray

    @property
    def c_dot(self) -> np.ndarray:
        return cross(self.omega, self.c)

    @property
    def c_ddot(self) -> np.ndarray:
        return turned_acceleration(self.omega, self.omega_dot, self.c)


def turned_acceleration(omega, omega_dot, r) -> np.ndarray:
    """ω̇ × r + ω × (ω × r): the second derivative of a vector fixed in a body."""
    return cross(omega_dot, r) + cross(omega, cross(omega, r))


def pole_motions(tree: Tree, q, v, a=None, poles: Sequence | None = None) -> list[PoleMotion]:
    r"""The motion of every link. Without ``a`` all v̇ are zero, which only the accelerations notice.

    .. math:: r_j = r_b + R_j,\qquad \dot R_j = \omega_b\times R_j + V_j,\qquad
              \ddot R_j = \dot\omega_b\times R_j + \omega_b\times(\omega_b\times R_j) + 2\omega_b\times V_j + W_j

    ``poles``: a point (3,) of each link in its own link frame; the child's joint origins by default.
    """
    a = np.zeros(tree.nv) if a is None else a
    poles = [link.joint_origin for link in tree.links] if poles is None else poles
    still = np.zeros(3)
    motions: list[PoleMotion] = []
    for link, X_WL in zip(tree.links, world_poses(tree, q), strict=True):
        p = link.parent
        base_pole = poles[p] if p >= 0 else still
        R_WP = motions[p].R_WL if p >= 0 else np.eye(3)
        r_b, acceleration = (motions[p].r, motions[p].acceleration) if p >= 0 else (still, still)
        omega, omega_dot = (motions[p].omega, motions[p].omega_dot) if p >= 0 else (still, still)
        unmoved = link.joint.kind.pose(np.array(link.joint.kind.coordinates.identity) + link.offset)
        start = R_WP @ (_place(link, unmoved, poles[link.index]) - base_pole)
        R = R_WP @ (_place(link, joint_pose(link, q), poles[link.index]) - base_pole)
        V, W, w, w_dot = _relative_motion(link, q, v, a, X_WL.R, poles[link.index])
        R_ddot = turned_acceleration(omega, omega_dot, R) + 2.0 * cross(omega, V) + W
        motions.append(PoleMotion(
            X_WL.R, r_b + R, acceleration + R_ddot, R, cross(omega, R) + V, R_ddot, start, R - start, V, W,
            omega + w, omega_dot + cross(omega, w) + w_dot, link.mass, X_WL.R @ (link.center - poles[link.index]),
            X_WL.R @ link.inertia @ X_WL.R.T,
        ))  # fmt: skip
    return motions


def _place(link: Link, X_joint: Pose, pole) -> np.ndarray:
    """A point of the link in the parent's link frame, at a pose of the joint."""
    return reduce(lambda X, Y: X @ Y, (*link.before, X_joint, *link.after)).apply(pole)


def _relative_motion(link: Link, q, v, a, R_WL, pole) -> tuple[np.ndarray, ...]:
    """Derivatives in the base of the pole's place (V, W) and of the attitude (w, ẇ), in world axes."""
    joint = link.joint
    if not joint.nv and joint.kind.path is None:
        return (np.zeros(3),) * 4
    arm, twist, rate = R_WL @ pole, joint.kind.drift, joint.kind.drift_rate
    if joint.nv:
        S = joint.kind.subspace(q[link.q])
        twist, rate = S @ v[link.v], S @ a[link.v] + joint.kind.subspace_rate(q[link.q], v[link.v])
    u, w = R_WL @ twist[:3], R_WL @ twist[3:]
    u_dot, w_dot = R_WL @ rate[:3] + cross(w, u), R_WL @ rate[3:]
    return u + cross(w, arm), u_dot + turned_acceleration(w, w_dot, arm), w, w_dot
