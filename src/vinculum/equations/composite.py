"""The mass matrix by composite bodies, and accelerations through it."""

import numpy as np

from vinculum.equations.newton_euler import inverse_dynamics
from vinculum.scalars import ldl_solve
from vinculum.scalars.math import cross
from vinculum.screws import skew
from vinculum.systems import Tree, link_pose


def mass_matrix(tree: Tree, q) -> np.ndarray:
    """M(q) of shape (nv, nv): the inertia of all that a joint carries, seen through the joints. Featherstone, CRBA."""
    poses = [link_pose(link, q) for link in tree.links]
    mass, moment, inertia = [], [], []
    for link in tree.links:
        c_cross = skew(link.center)
        mass.append(link.mass)
        moment.append(link.mass * link.center)
        inertia.append(link.inertia - link.mass * (c_cross @ c_cross))
    M = np.zeros((tree.nv, tree.nv), dtype=object)
    for link in reversed(tree.links):
        i = link.index
        if link.joint.nv:
            S = link.joint.subspace(q[link.q])
            forces = [_momentum(mass[i], moment[i], inertia[i], S[:3, k], S[3:, k]) for k in range(link.joint.nv)]
            F = np.stack([np.concatenate(pair) for pair in forces], axis=1)
            M[link.v, link.v] = _mirrored(S.T @ F)
            f, m, j = F[:3], F[3:], link
            while j.parent >= 0:
                X = poses[j.index]
                f = X.R @ f
                m = X.R @ m + skew(X.p) @ f
                j = tree.links[j.parent]
                if j.joint.nv:
                    block = j.joint.subspace(q[j.q]).T @ np.concatenate([f, m])
                    M[j.v, link.v] = block
                    M[link.v, j.v] = block.T
        if link.parent >= 0:
            p, X = link.parent, poses[i]
            h = X.R @ moment[i]
            J = _mirrored(X.R @ inertia[i] @ X.R.T)
            p_cross, h_cross = skew(X.p), skew(h)
            mass[p] = mass[p] + mass[i]
            moment[p] = moment[p] + h + mass[i] * X.p
            inertia[p] = inertia[p] + _mirrored(J - p_cross @ h_cross - h_cross @ p_cross - mass[i] * (p_cross @ p_cross))
    return M


def accelerations(tree: Tree, q, v, tau, external=None) -> np.ndarray:
    """v̇ from M v̇ = τ − h, with the bias h by the Newton–Euler recursion and LDLᵀ."""
    h, _ = inverse_dynamics(tree, q, v, np.zeros(tree.nv), external)
    return ldl_solve(_leaves_first(mass_matrix(tree, q)), _leaves_first(tau - h))[::-1]


def _leaves_first(A) -> np.ndarray:
    """Rows (and columns) in reverse: eliminating leaves first keeps the tree's zeros."""
    return A[::-1] if A.ndim == 1 else A[::-1, ::-1]


def _momentum(mass, moment, inertia, v, w) -> tuple[np.ndarray, np.ndarray]:
    return mass * v - cross(moment, w), cross(moment, v) + inertia @ w


def _mirrored(A) -> np.ndarray:
    """A symmetric matrix with its lower half taken from the upper, so that both halves are the same nodes."""
    A = np.array(A, dtype=object)
    for i in range(len(A)):
        for j in range(i):
            A[i, j] = A[j, i]
    return A
