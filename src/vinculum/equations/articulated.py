"""Accelerations by articulated bodies, in work proportional to the number of joints."""

import numpy as np

from vinculum.equations.newton_euler import relative_bias
from vinculum.scalars import ldl_solve
from vinculum.scalars.math import cross
from vinculum.screws import Pose, skew
from vinculum.systems import Link, Tree, joint_twist, link_pose


def accelerations(tree: Tree, q, v, tau, external=None) -> np.ndarray:
    """v̇ (nv,) for generalized forces τ. Featherstone, Rigid Body Dynamics Algorithms, ch. 7 (ABA)."""
    poses, w, biases = [], [], []
    for link in tree.links:
        X_PL = link_pose(link, q)
        w_p = w[link.parent] if link.parent >= 0 else np.zeros(3)
        biases.append(np.concatenate(relative_bias(link, X_PL, q, v, w_p)))
        w.append(X_PL.R.T @ w_p + joint_twist(link, q, v)[1])
        poses.append(X_PL)
    inertia = [_rigid(link) for link in tree.links]
    force = [_bias_wrench(link, w[link.index]) for link in tree.links]
    if external is not None:
        force = [f if e is None else f - e for f, e in zip(force, external, strict=True)]
    gains: list = [None] * len(tree.links)
    for link in reversed(tree.links):
        i = link.index
        inertia_up, force_up, gains[i] = _through_joint(link, q, tau[link.v], inertia[i], force[i], biases[i])
        if link.parent >= 0:
            moved, carried = _moved(poses[i], inertia_up, force_up)
            inertia[link.parent] = inertia[link.parent] + moved
            force[link.parent] = force[link.parent] + carried
    a: list = [None] * len(tree.links)
    result = np.zeros(tree.nv, dtype=object)
    for link in tree.links:
        i, X = link.index, poses[link.index]
        above = a[link.parent] if link.parent >= 0 else np.concatenate([-tree.gravity, np.zeros(3)])
        reached = np.concatenate([X.R.T @ (above[:3] + cross(above[3:], X.p)), X.R.T @ above[3:]]) + biases[i]
        if link.joint.nv:
            result[link.v] = gains[i](reached)
            reached = reached + link.joint.subspace(q[link.q]) @ result[link.v]
        a[i] = reached
    return result


def _rigid(link: Link) -> np.ndarray:
    c_cross = skew(link.center)
    B = -link.mass * c_cross
    J = link.inertia - link.mass * (c_cross @ c_cross)
    return np.block([[link.mass * np.eye(3), B], [B.T, J]])


def _bias_wrench(link: Link, w) -> np.ndarray:
    c, J = link.center, link.inertia
    force = link.mass * cross(w, cross(w, c))
    return np.concatenate([force, cross(w, J @ w) + cross(c, force)])


def _through_joint(link: Link, q, tau, inertia, force, bias):
    """Inertia and force felt at the parent's side of a joint, and the joint's acceleration as a function of the link's."""
    if not link.joint.nv:
        return inertia, force + inertia @ bias, None
    S = link.joint.subspace(q[link.q])
    axes = _unit_axes(S)
    if axes is not None:
        return _eliminated(axes, tau, inertia, force, bias)
    U = inertia @ S
    D = S.T @ U
    rest = tau - S.T @ force
    solved = ldl_solve(D, np.concatenate([U.T, rest.reshape(-1, 1)], axis=1))
    projected = inertia - U @ solved[:, :6]
    felt = force + projected @ bias + U @ solved[:, 6]
    return projected, felt, lambda reached: solved[:, 6] - solved[:, :6] @ reached


def _eliminated(axes, tau, inertia, force, bias):
    """The same for a joint that frees some of the six unit directions: each is eliminated in turn, leaving exact zeros."""
    I, f = np.array(inertia, dtype=object), np.array(force, dtype=object)
    steps = []
    for slot, k in enumerate(axes):
        inverse = 1.0 / I[k, k]
        row, share = I[k], (tau[slot] - f[k]) * inverse
        gain = np.array([0.0 if _is_zero(row[j]) else row[j] * inverse for j in range(6)], dtype=object)
        others = [j for j in range(6) if j != k]
        new_I, new_f = np.zeros((6, 6), dtype=object), f + row * share
        new_f[k] = tau[slot]
        for n, j in enumerate(others):
            for m in others[: n + 1]:
                new_I[j, m] = new_I[m, j] = I[j, m] - row[j] * gain[m]
        steps.append((slot, k, share, gain))
        I, f = new_I, new_f
    felt = f + I @ bias

    def joint_acceleration(reached):
        motion, result = np.array(reached, dtype=object), np.zeros(len(axes), dtype=object)
        for slot, k, share, gain in reversed(steps):
            result[slot] = share - gain @ motion
            motion[k] = motion[k] + result[slot]
        return result

    return I, felt, joint_acceleration


def _unit_axes(S) -> list[int] | None:
    axes = []
    for column in S.T:
        if any(not isinstance(x, (float, int)) for x in column):
            return None
        where = np.flatnonzero(column.astype(float))
        if len(where) != 1 or column[where[0]] != 1.0:
            return None
        axes.append(int(where[0]))
    return axes


def _moved(X: Pose, inertia, force) -> tuple[np.ndarray, np.ndarray]:
    """An articulated inertia and force of the child, expressed and reduced in the parent's frame."""
    R, p_cross = X.R, skew(X.p)
    A, B, D = _symmetric(R, inertia[:3, :3]), R @ inertia[:3, 3:] @ R.T, _symmetric(R, inertia[3:, 3:])
    B_up = B - A @ p_cross
    D_up = D - B.T @ p_cross + p_cross @ B_up
    f = R @ force[:3]
    m = R @ force[3:] + cross(X.p, f)
    D_up = _mirrored(D_up)
    return np.block([[A, B_up], [B_up.T, D_up]]), np.concatenate([f, m])


def _symmetric(R, A) -> np.ndarray:
    return _mirrored(R @ A @ R.T)


def _mirrored(A) -> np.ndarray:
    A = np.array(A, dtype=object)
    for i in range(len(A)):
        for j in range(i):
            A[i, j] = A[j, i]
    return A


def _is_zero(x) -> bool:
    return isinstance(x, (float, int)) and x == 0.0
