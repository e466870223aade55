"""The mass matrix by the composite-body algorithm, and accelerations from it."""

from collections.abc import Sequence

import numpy as np

from vinculum.equations.recursions.body_motions import link_twists
from vinculum.equations.recursions.inertias import Inertia, mirror, regrouped_inertias
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.scalars import ldl_solve
from vinculum.scalars.math import cross
from vinculum.screws import skew
from vinculum.systems import Tree, link_steps


def mass_matrix(tree: Tree, q, inertias: Sequence[Inertia] | None = None) -> np.ndarray:
    """M(q) of shape (nv, nv): the inertia of all that a joint carries, seen through the joints. Featherstone, CRBA."""
    steps = [link_steps(link, q) for link in tree.links]
    carried = list(regrouped_inertias(tree) if inertias is None else inertias)
    M = np.zeros((tree.nv, tree.nv), dtype=object)
    for link in reversed(tree.links):
        i = link.index
        if link.joint.nv:
            S = link.joint.kind.subspace(q[link.q])
            columns = [np.concatenate(_momentum(carried[i], S[:3, k], S[3:, k])) for k in range(link.joint.nv)]
            F = np.stack(columns, axis=1)
            M[link.v, link.v] = mirror(S.T @ F)
            if link.inner_inertia is not None:
                M[link.inner_v, link.inner_v] = link.inner_inertia
            f, m, j = F[:3], F[3:], link
            while j.parent >= 0:
                for X in reversed(steps[j.index]):
                    f = X.R @ f
                    m = X.R @ m + skew(X.p) @ f
                j = tree.links[j.parent]
                if j.joint.nv:
                    block = j.joint.kind.subspace(q[j.q]).T @ np.concatenate([f, m])
                    M[j.v, link.v] = block
                    M[link.v, j.v] = block.T
        if link.parent >= 0:
            whole = carried[i]
            for X in reversed(steps[i]):
                whole = whole.transform(X)
            carried[link.parent] = carried[link.parent] + whole
    for link in tree.links:
        if link.extra_inertia is not None:
            J = link_twists(tree, link.index, q)
            M = M + mirror(J.T @ link.extra_inertia @ J)
    return M


def accelerations(tree: Tree, q, v, tau, external=None) -> np.ndarray:
    """v̇ from M v̇ = τ − h, with the bias h by the Newton–Euler recursion and LDLᵀ."""
    inertias = regrouped_inertias(tree)
    h, _ = inverse_dynamics(tree, q, v, np.zeros(tree.nv), external, inertias)
    return solved_leaves_first(mass_matrix(tree, q, inertias), tau - h)


def solved_leaves_first(M, force) -> np.ndarray:
    """Solution of M x = force by LDLᵀ in reverse order: eliminating leaves first keeps the tree's zeros."""
    return ldl_solve(M[::-1, ::-1], force[::-1])[::-1]


def _momentum(inertia: Inertia, v, w) -> tuple[np.ndarray, np.ndarray]:
    h = inertia.moment
    return inertia.mass * v - cross(h, w), cross(h, v) + inertia.about_origin @ w
