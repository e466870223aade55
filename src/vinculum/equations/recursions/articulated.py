"""Accelerations by the articulated-body algorithm, in time proportional to the number of joints."""

import numpy as np

from vinculum.equations.recursions.extra_inertias import gyroscopic_wrench
from vinculum.equations.recursions.inertias import Inertia, mirror, regrouped_inertias
from vinculum.equations.recursions.newton_euler import inertia_wrench, link_motion, spin_matrix
from vinculum.scalars import ldl_solve
from vinculum.scalars.math import cross
from vinculum.screws import Pose, congruence, skew
from vinculum.systems import Link, Tree, link_steps, placements


def accelerations(tree: Tree, q, v, tau, external=None) -> np.ndarray:
    """v̇ (nv,) for generalized forces τ. Featherstone, Rigid Body Dynamics Algorithms, ch. 7 (ABA)."""
    w, biases = [], []
    still = np.zeros(3)
    for link in tree.links:
        turning, turn, acceleration = link_motion(
            link, q, v, w[link.parent] if link.parent >= 0 else still, still, still
        )
        w.append(turning)
        biases.append(np.concatenate([acceleration, turn]))
    steps = [link_steps(link, q) for link in tree.links]
    grouped = regrouped_inertias(tree)
    inertia = [spatial_inertia(part) for part in grouped]
    force = [_bias_wrench(part, turning) for part, turning in zip(grouped, w, strict=True)]
    _add_extra_inertias(tree, q, v, inertia, force)
    if external is not None:
        force = [f if e is None else f - e[:6] for f, e in zip(force, external, strict=True)]
    gains: list = [None] * len(tree.links)
    for link in reversed(tree.links):
        i = link.index
        outer = slice(link.v.start, link.inner_v.start)
        inertia_up, force_up, gains[i] = through_joint(link, q, tau[outer], inertia[i], force[i], biases[i])
        if link.parent >= 0:
            for X in reversed(steps[i]):
                inertia_up, force_up = in_parent_frame(X, inertia_up, force_up)
            inertia[link.parent] = inertia[link.parent] + inertia_up
            force[link.parent] = force[link.parent] + force_up
    a: list = [None] * len(tree.links)
    result = np.zeros(tree.nv, dtype=object)
    for link in tree.links:
        i = link.index
        above = a[link.parent] if link.parent >= 0 else np.concatenate([-tree.gravity, still])
        linear, angular = above[:3], above[3:]
        for X in steps[i]:
            linear, angular = X.R.T @ (linear + cross(angular, X.p)), X.R.T @ angular
        arrived = np.concatenate([linear, angular]) + biases[i]
        if link.joint.nv:
            result[link.v.start : link.inner_v.start] = gains[i](arrived)
            arrived = arrived + link.joint.kind.subspace(q[link.q]) @ result[link.v]
        if link.inner_inertia is not None:
            pushed = (
                tau[link.inner_v] if external is None or external[i] is None else tau[link.inner_v] + external[i][6:]
            )
            result[link.inner_v] = ldl_solve(link.inner_inertia, pushed)
        a[i] = arrived
    return result


def _add_extra_inertias(tree: Tree, q, v, inertia: list, force: list) -> None:
    """Add the added inertias of links, and their wrenches where the acceleration, with gravity upwards, is zero: they have no weight."""
    if all(link.extra_inertia is None for link in tree.links):
        return
    for link, at in zip(tree.links, placements(tree, q, v), strict=True):
        if link.extra_inertia is not None:
            fall = at.X_WL.R.T @ tree.gravity - cross(at.w, at.v)
            inertia[link.index] = mirror(inertia[link.index] + link.extra_inertia)
            force[link.index] = force[link.index] + link.extra_inertia[:, :3] @ fall + gyroscopic_wrench(link, at)


def spatial_inertia(inertia: Inertia) -> np.ndarray:
    """The inertia (6, 6) of a rigid link about its origin."""
    B = -skew(inertia.moment)
    return np.block([[inertia.mass * np.eye(3), B], [B.T, inertia.about_origin]])


def _bias_wrench(inertia: Inertia, w) -> np.ndarray:
    still = np.zeros(3)
    return np.concatenate(inertia_wrench(inertia, still, spin_matrix(w, still)))


def through_joint(link: Link, q, tau, inertia, force, bias):
    """Inertia and force felt at the parent's side of a joint, and the joint's acceleration as a function of the link's."""
    if not link.joint.nv:
        return inertia, force + inertia @ bias, None
    S = link.joint.kind.subspace(q[link.q])
    S = S[:, : S.shape[1] - link.joint.kind.inner]
    axes = _unit_axes(S)
    if axes is not None:
        return _eliminate_axes(axes, tau, inertia, force, bias)
    U = inertia @ S
    D = S.T @ U
    rest = tau - S.T @ force
    solved = ldl_solve(D, np.concatenate([U.T, rest.reshape(-1, 1)], axis=1))
    projected = inertia - U @ solved[:, :6]
    felt = force + projected @ bias + U @ solved[:, 6]
    return projected, felt, lambda arrived: solved[:, 6] - solved[:, :6] @ arrived


def _eliminate_axes(axes, tau, inertia, force, bias):
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

    def joint_acceleration(arrived):
        motion, result = np.array(arrived, dtype=object), np.zeros(len(axes), dtype=object)
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


def in_parent_frame(X: Pose, inertia, force) -> tuple[np.ndarray, np.ndarray]:
    """An articulated inertia and force of the child, expressed and reduced in the parent's frame."""
    R, p_cross = X.R, skew(X.p)
    A, D = mirror(congruence(R, inertia[:3, :3])), mirror(congruence(R, inertia[3:, 3:]))
    B = congruence(R, inertia[:3, 3:])
    B_up = B - A @ p_cross
    D_up = D - B.T @ p_cross + p_cross @ B_up
    f = R @ force[:3]
    m = R @ force[3:] + cross(X.p, f)
    D_up = mirror(D_up)
    return np.block([[A, B_up], [B_up.T, D_up]]), np.concatenate([f, m])


def _is_zero(x) -> bool:
    return isinstance(x, (float, int)) and x == 0.0
