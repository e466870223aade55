"""Accelerations of every link, over floats or symbols."""

from collections.abc import Sequence

import numpy as np

from vinculum.scalars.math import cross
from vinculum.screws import L_tw, Phi_tw
from vinculum.systems.kinematics import Placement, joint_twist, link_pose
from vinculum.systems.tree import Link, Tree


def twist_rates(tree: Tree, placed: Sequence[Placement], q, v, a) -> list[np.ndarray]:
    r"""Rates (6,) of the components of every link's twist in its own axes, for the velocities' rates ``a`` (nv,).

    .. math:: \dot V_i = L^{tw}\dot V_{parent} - \Phi^{tw}(S v)\,L^{tw}V_{parent} + S\dot v + \dot S v

    Cheremensky, On Concept of Mechanical System, (7), (9), (24).
    """
    result: list[np.ndarray] = []
    for link in tree.links:
        own = np.concatenate(joint_twist(link, q, v))
        rate = link.joint.kind.drift_rate
        if link.joint.nv:
            rate = link.joint.kind.subspace(q[link.q]) @ a[link.v] + link.joint.kind.subspace_rate(q[link.q], v[link.v])
        if link.parent >= 0:
            step, base = L_tw(link_pose(link, q).inverse()), placed[link.parent]
            rate = rate + step @ result[link.parent] - Phi_tw(own) @ (step @ np.concatenate([base.v, base.w]))
        result.append(rate if not link.joint.kind.inner else np.concatenate([rate, a[link.inner_v]]))
    return result


def body_acceleration(link: Link, at: Placement, rate) -> tuple[np.ndarray, np.ndarray]:
    """Acceleration of the body's origin (3,) [m/s²] and angular acceleration (3,) [rad/s²], in world axes; of a body that deforms the
    second derivatives of its deformation.

    ``rate``: that of the link's twist in its own axes, (6,), and those of inner velocities after it.
    """
    if at.inner is not None:
        return rate[:3], rate[6:]
    R, arm, spin = at.X_WL.R, link.X_LB.p, rate[3:]
    origin = rate[:3] + cross(at.w, at.v)
    return R @ (origin + cross(spin, arm) + cross(at.w, cross(at.w, arm))), R @ spin
