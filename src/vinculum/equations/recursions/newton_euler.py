"""The Newton–Euler recursion: joint wrenches and generalized forces of a given motion."""

from collections.abc import Sequence

import numpy as np

from vinculum.equations.recursions.extra_inertias import extra_wrenches
from vinculum.equations.recursions.inertias import Inertia, link_inertias
from vinculum.scalars.math import cross
from vinculum.screws import Pose
from vinculum.systems import Link, Tree, joint_pose, joint_twist, link_steps


def spin_matrix(w, alpha) -> np.ndarray:
    """U = α× + w× w× (3, 3): a point r of a body turning with w, α is accelerated by U r against the body's origin."""
    xx, yy, zz = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    return np.array([
        [-(yy + zz), xy - alpha[2], xz + alpha[1]],
        [xy + alpha[2], -(xx + zz), yz - alpha[0]],
        [xz - alpha[1], yz + alpha[0], -(xx + yy)],
    ])  # fmt: skip


def transport(X: Pose, w, alpha, a) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angular velocity, angular acceleration and acceleration at another frame X of the same body, in its axes."""
    R = X.R.T
    return R @ w, R @ alpha, R @ (a + spin_matrix(w, alpha) @ X.p)


def link_motion(link: Link, q, v, w, alpha, a) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Angular velocity, angular acceleration and acceleration of a link when v̇ = 0, from those of its parent.

    .. math:: \Omega + w,\qquad \dot\Omega + \Omega\times w + (\dot S v)_{ang},\qquad
              a + 2\Omega\times u + w\times u + (\dot S v)_{lin}

    where Ω, Ω̇, a are the parent's, transported to the link's origin and axes, and (u, w) = S v is the relative twist. A
    prescribed body has its drift in place of S v.
    """
    for X in link.before:
        w, alpha, a = transport(X, w, alpha, a)
    turning, alpha, a = transport(joint_pose(link, q), w, alpha, a)
    u, own = joint_twist(link, q, v)
    S_rate = link.joint.kind.subspace_rate(q[link.q], v[link.v]) if link.joint.nv else link.joint.kind.drift_rate
    a = a + cross(2.0 * turning + own, u) + S_rate[:3]
    alpha = alpha + cross(turning, own) + S_rate[3:]
    w = turning + own
    for X in link.after:
        w, alpha, a = transport(X, w, alpha, a)
    return w, alpha, a


def free_motions(tree: Tree, q, v) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Angular velocity, angular acceleration and acceleration of every link when v̇ = 0, in its axes; gravity appears as an
    acceleration of the ground upwards."""
    motions: list[tuple] = []
    base = (np.zeros(3), np.zeros(3), -tree.gravity)
    for link in tree.links:
        motions.append(link_motion(link, q, v, *(motions[link.parent] if link.parent >= 0 else base)))
    return motions


def inertia_wrench(inertia: Inertia, a, U) -> tuple[np.ndarray, np.ndarray]:
    r"""Force and moment at the link's origin that give it the acceleration a and the spin matrix U. Theorem 2, (22).

    .. math:: f = m a + U h,\qquad m = h\times a + \int r\times U r = h\times a + \mathrm{ax}(U P),\qquad P = \int r r^T
    """
    h = inertia.moment
    G = U @ inertia.second_moment
    turn = np.array([G[2, 1] - G[1, 2], G[0, 2] - G[2, 0], G[1, 0] - G[0, 1]])
    return inertia.mass * a + U @ h, turn + cross(h, a)


def spin_rate(link: Link, q, a) -> np.ndarray:
    """Rate (3,) [N m] of the angular momentum of a link's inner velocities at their rates: their own velocities have no part in it."""
    assert link.inner is not None
    return link.inner.spin(link.joint.kind.inner_place(q[link.q]), a[link.inner_v])


def at_parent(link: Link, q, force, moment) -> tuple[np.ndarray, np.ndarray]:
    """A wrench on a link, in the parent's axes and reduced at the parent's origin."""
    for X in reversed(link_steps(link, q)):
        force = X.R @ force
        moment = X.R @ moment + cross(X.p, force)
    return force, moment


def inverse_dynamics(tree: Tree, q, v, a, external: Sequence | None = None,
                     inertias: Sequence[Inertia] | None = None) -> tuple[np.ndarray, list[np.ndarray]]:  # fmt: skip
    """Generalized forces τ (nv,) and the wrench of the parent on every link, in the link's axes at its origin.

    ``external``: for each link None or a wrench (6,) on it, in its axes at its origin, besides gravity.
    The wrench of a joint holds its reaction, its spring, damping and drive together. ``inertias``: those of the links by
    default; with regrouped ones only τ has a meaning.
    """
    inertias = link_inertias(tree) if inertias is None else inertias
    motions: list[tuple] = []
    force, moment = [], []
    base = (np.zeros(3), np.zeros(3), -tree.gravity)
    for link in tree.links:
        w, alpha, acceleration = link_motion(link, q, v, *(motions[link.parent] if link.parent >= 0 else base))
        if link.joint.nv:
            own = link.joint.kind.subspace(q[link.q]) @ a[link.v]
            alpha, acceleration = alpha + own[3:], acceleration + own[:3]
        motions.append((w, alpha, acceleration))
        f, m = inertia_wrench(inertias[link.index], acceleration, spin_matrix(w, alpha))
        if link.inner_inertia is not None:
            m = m + spin_rate(link, q, a)
        if external is not None and external[link.index] is not None:
            f, m = f - external[link.index][:3], m - external[link.index][3:6]
        force.append(f)
        moment.append(m)
    for i, F in enumerate(extra_wrenches(tree, q, v, a)):
        if F is not None:
            force[i], moment[i] = force[i] + F[:3], moment[i] + F[3:]
    tau = np.zeros(tree.nv, dtype=object)
    for link in reversed(tree.links):
        i, p = link.index, link.parent
        if link.joint.nv:
            tau[link.v] = link.joint.kind.subspace(q[link.q]).T @ np.concatenate([force[i], moment[i]])
        if link.inner_inertia is not None:
            tau[link.inner_v] = link.inner_inertia @ a[link.inner_v]
            if external is not None and external[link.index] is not None:
                tau[link.inner_v] = tau[link.inner_v] - external[link.index][6:]
        if p >= 0:
            pull, turn = at_parent(link, q, force[i], moment[i])
            force[p], moment[p] = force[p] + pull, moment[p] + turn
    return tau, [np.concatenate(pair) for pair in zip(force, moment, strict=True)]
