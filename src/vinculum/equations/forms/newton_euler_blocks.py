"""The Newton–Euler equations of all bodies at once, over absolute and relative quasi-velocities."""

import numpy as np

from vinculum.equations.applied import applied_forces
from vinculum.equations.recursions.block_matrices import L_matrix, L_rate
from vinculum.equations.recursions.inertias import mirror
from vinculum.errors import MethodError
from vinculum.screws import L_tw, Phi, Phi_tw, Pose, skew
from vinculum.systems import Link, Tree, joint_twist, link_pose, placements


def inertia_block(link: Link) -> np.ndarray:
    r"""Θ (6, 6) of a link at its origin. Cheremensky, Lemma 1.

    .. math:: \Theta = \begin{bmatrix} m I & -m r_c^\times\\ m r_c^\times & J\end{bmatrix}
    """
    c = skew(link.center)
    return np.block(
        [[link.mass * np.eye(3), -link.mass * c], [link.mass * c, mirror(link.inertia - link.mass * (c @ c))]]
    )


def whole_block(link: Link) -> np.ndarray:
    """Θ (6, 6) of a link with its added inertia."""
    return inertia_block(link) if link.extra_inertia is None else inertia_block(link) + link.extra_inertia


def standard_form(tree: Tree, q, v, t) -> tuple[np.ndarray, np.ndarray]:
    r"""M (nv, nv) and h (nv,) of M v̇ + h = τ: the block equations seen through the joints, V_r = S v.

    .. math:: A \dot V_a + B V_a = F_a\ (23),\qquad A L \dot V_r + (A \dot L + B L) V_r = F_a\ (26)

    .. math:: M = S^T L^T A L S,\qquad h = S^T L^T\big[A L \dot S v + (A \dot L + B L) S v - F_a\big] - Q

    A = diag(Θ), B = diag(Φ Θ), F_a = Θ col{g, 0}; Q: springs, dampers and drives. The products with L and L̇ follow the
    tree, from parent to child: (L x)_p = x_p + L_tw (L x)_parent. Cheremensky, On Concept of Mechanical System, (22)–(26).
    """
    columns: list[dict[int, np.ndarray]] = []
    twists, drifts = [], []
    M, h = np.zeros((tree.nv, tree.nv), dtype=object), -np.asarray(applied_forces(tree, t, q, v), dtype=object)
    for link, gravity in zip(tree.links, _gravity(tree, q), strict=True):
        own = np.concatenate(joint_twist(link, q, v))
        drift = link.joint.kind.subspace_rate(q[link.q], v[link.v]) if link.joint.nv else link.joint.kind.drift_rate
        jacobian: dict[int, np.ndarray] = {}
        twist = own
        if link.parent >= 0:
            step = L_tw(link_pose(link, q).inverse())
            jacobian = {k: step @ column for k, column in columns[link.parent].items()}
            carried = step @ twists[link.parent]
            twist = carried + own
            # L̇ = −Φ_tw L for the block of a link and its parent, (7) and (9)
            drift = step @ drifts[link.parent] - Phi_tw(own) @ carried + drift
        if link.joint.nv:
            S = link.joint.kind.subspace(q[link.q])
            jacobian |= {link.v.start + k: S[:, k] for k in range(link.joint.nv)}
        columns.append(jacobian)
        twists.append(twist)
        drifts.append(drift)
        Theta, left = whole_block(link), inertia_block(link) @ (drift - gravity)
        if link.extra_inertia is not None:
            left = left + link.extra_inertia @ drift
        left = left + Phi(twist) @ (Theta @ twist)
        for i, column in jacobian.items():
            h[i] = h[i] + column @ left
            momentum = Theta @ column
            for j, other in jacobian.items():
                if j <= i:
                    M[i, j] = M[j, i] = M[i, j] + other @ momentum
        if link.inner_inertia is not None:
            M[link.inner_v, link.inner_v] = link.inner_inertia
    return M, h


def block_form(tree: Tree, q, v) -> dict[str, np.ndarray]:
    """The matrices of (23), (25) and (26) with all their zeros, in the bodies' own frames.

    ``A``, ``B``, ``L``, ``L_dot``: (6k, 6k), bodies in the tree's order; ``S``: (6k, nv) with V_r = S v; ``F``: (6k,)
    wrenches of gravity.
    """
    inner = next((link.body.name for link in tree.links if link.inner_inertia is not None), None)
    if inner is not None:
        raise MethodError(
            f"body '{inner}' deforms, and the blocks of (23)–(26) hold twists alone; use the mass matrix and the bias of the equations"
        )
    k = len(tree.links)
    A, B = np.zeros((6 * k, 6 * k), dtype=object), np.zeros((6 * k, 6 * k), dtype=object)
    S, to_body, to_link = np.zeros((6 * k, tree.nv), dtype=object), A.copy(), A.copy()
    F = np.zeros(6 * k, dtype=object)
    for link, placed, gravity in zip(tree.links, placements(tree, q, v), _gravity(tree, q), strict=True):
        rows = slice(6 * link.index, 6 * link.index + 6)
        Theta = whole_block(link)
        A[rows, rows] = Theta
        B[rows, rows] = Phi(np.concatenate([placed.v, placed.w])) @ Theta
        F[rows] = inertia_block(link) @ gravity
        S[rows, link.v] = link.joint.kind.subspace(q[link.q])
        to_body[rows, rows], to_link[rows, rows] = L_tw(link.X_LB.inverse()), L_tw(link.X_LB)
    L, L_dot = L_matrix(tree, q), L_rate(tree, q, v)
    return {
        "A": to_link.T @ A @ to_link,
        "B": to_link.T @ B @ to_link,
        "L": to_body @ L @ to_link,
        "L_dot": to_body @ L_dot @ to_link,
        "S": to_body @ S,
        "F": to_link.T @ F,
    }


def _gravity(tree: Tree, q) -> list[np.ndarray]:
    """col{g, 0} in the axes of every link."""
    down: list[Pose] = []
    result = []
    for link in tree.links:
        R = link_pose(link, q).R
        R_WL = R if link.parent < 0 else down[link.parent].R @ R
        down.append(Pose.of(R_WL, np.zeros(3)))
        result.append(np.concatenate([R_WL.T @ tree.gravity, np.zeros(3)]))
    return result
