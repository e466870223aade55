"""The Newton–Euler recursion: joint wrenches and generalized forces of a given motion."""

from collections.abc import Sequence

import numpy as np

from vinculum.scalars.math import cross
from vinculum.screws import Pose
from vinculum.systems import Link, Tree, joint_twist, link_pose


def relative_bias(link: Link, X_PL: Pose, q, v, w_parent) -> tuple[np.ndarray, np.ndarray]:
    r"""Linear and angular acceleration of a link when its parent turns steadily and v̇ = 0, in the link's axes.

    .. math:: R^T(\omega_p\times(\omega_p\times p)) + 2\Omega\times u + w\times u + (\dot S v)_{lin},
              \qquad \Omega\times w + (\dot S v)_{ang},\qquad \Omega = R^T\omega_p

    with (u, w) = S v the relative twist: the second derivative of the composed pose.
    """
    R_LP = X_PL.R.T
    u, w = joint_twist(link, q, v)
    turning = R_LP @ w_parent
    S_rate = link.joint.subspace_rate(q[link.q], v[link.v])
    linear = R_LP @ cross(w_parent, cross(w_parent, X_PL.p)) + cross(2.0 * turning + w, u) + S_rate[:3]
    return linear, cross(turning, w) + S_rate[3:]


def inertia_wrench(link: Link, a, alpha, w) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment at the link's origin that give it acceleration (a, α) at angular velocity w. Theorem 2, (22)."""
    c, J = link.center, link.inertia
    force = link.mass * (a + cross(alpha, c) + cross(w, cross(w, c)))
    return force, J @ alpha + cross(w, J @ w) + cross(c, force)


def inverse_dynamics(tree: Tree, q, v, a, external: Sequence | None = None) -> tuple[np.ndarray, list[np.ndarray]]:
    """Generalized forces τ (nv,) and the wrench of the parent on every link, in the link's axes at its origin.

    ``external``: for each link None or a wrench (6,) on it, in its axes at its origin, besides gravity.
    The wrench of a joint holds its reaction, its spring, damping and drive together.
    """
    poses, w, alpha, force, moment = [], [], [], [], []
    acceleration: list[np.ndarray] = []
    still = np.zeros(3)
    for link in tree.links:
        X_PL = link_pose(link, q)
        above = link.parent >= 0
        w_p, alpha_p, a_p = (w[link.parent], alpha[link.parent], acceleration[link.parent]) if above else (
            still, still, -tree.gravity)
        R_LP = X_PL.R.T
        bias, turn_bias = relative_bias(link, X_PL, q, v, w_p)
        own = link.joint.subspace(q[link.q]) @ a[link.v] if link.joint.nv else np.zeros(6)
        w.append(R_LP @ w_p + joint_twist(link, q, v)[1])
        alpha.append(R_LP @ alpha_p + turn_bias + own[3:])
        acceleration.append(R_LP @ (a_p + cross(alpha_p, X_PL.p)) + bias + own[:3])
        f, m = inertia_wrench(link, acceleration[-1], alpha[-1], w[-1])
        if external is not None and external[link.index] is not None:
            f, m = f - external[link.index][:3], m - external[link.index][3:]
        poses.append(X_PL)
        force.append(f)
        moment.append(m)
    tau = np.zeros(tree.nv, dtype=object)
    for link in reversed(tree.links):
        i, p = link.index, link.parent
        if link.joint.nv:
            tau[link.v] = link.joint.subspace(q[link.q]).T @ np.concatenate([force[i], moment[i]])
        if p >= 0:
            R_PL, p_PL = poses[i].R, poses[i].p
            pull = R_PL @ force[i]
            force[p] = force[p] + pull
            moment[p] = moment[p] + R_PL @ moment[i] + cross(p_PL, pull)
    return tau, [np.concatenate(pair) for pair in zip(force, moment, strict=True)]
