"""Accelerations and multipliers of a system with closed loops."""

import numpy as np

from vinculum.equations.constraints.closures import STIFFNESS, mixing
from vinculum.equations.constraints.conditions import condition_levels, condition_names, conditions
from vinculum.equations.constraints.variational import added_inertia_and_force, is_zero
from vinculum.equations.recursions.composite import mass_matrix, solved_leaves_first
from vinculum.equations.recursions.inertias import regrouped_inertias
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.errors import ModelError
from vinculum.scalars import Scalar, ldl, ldl_solve, orthogonalize, qr_solve
from vinculum.scalars.math import sqrt
from vinculum.systems import Tree
from vinculum.tolerances.constraints import GAP_NOISE
from vinculum.tolerances.rank import DEPENDENT_COLUMNS


def accelerations(tree: Tree, q, v, tau, stabilized: bool = False) -> tuple[np.ndarray, np.ndarray]:
    r"""v̇ (nv,) and the multipliers λ (rank,) of the independent gaps F = P·gaps.

    .. math:: M\dot v + h = \tau + B^T\lambda,\qquad J\dot v + \dot J v = -2k\dot F - k^2 F

    B = J unless servos name the directions of their efforts.
    The right side is zero where the conditions hold (for one on velocities it is −k F); with ``stabilized`` it makes round-off decay
    at the rate k (Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972) 1), otherwise k = 0. The multiplier of a vakonomic row is −μ̇.
    """
    P, kept = mixing(tree), list(tree.kept)
    rows = conditions(tree, q, v)
    J = P @ rows.jacobians[kept]
    asked = -(P @ rows.biases[kept])
    if stabilized:
        k = Scalar("parameter", STIFFNESS, 0.0)
        twice = 2.0 - np.array(condition_levels(tree), dtype=float)[kept]
        asked = asked - k * (P @ (twice * rows.rates[kept])) - k * k * (P @ rows.values[kept])
    S, added = added_inertia_and_force(tree, q, v)
    tau = tau + added if tree.varied else tau
    inertias = regrouped_inertias(tree)
    h, _ = inverse_dynamics(tree, q, v, np.zeros(tree.nv), None, inertias)
    M = mass_matrix(tree, q, inertias)
    if tree.is_directed:
        return _by_named_efforts(tree, M if is_zero(S) else M + S, tau - h, J, P @ rows.along[kept], asked)
    if not is_zero(S):
        return _with_added_inertia(tree, M, S, tau - h, J, asked)
    right = np.concatenate([(tau - h).reshape(-1, 1), J.T], axis=1)
    solved = solved_leaves_first(M, right)
    free, per_multiplier = solved[:, 0], solved[:, 1:]
    lam = ldl_solve(J @ per_multiplier, asked - J @ free) if tree.rank else np.zeros(0)
    return free + per_multiplier @ lam, lam


def _by_named_efforts(tree: Tree, M, force, J, B, asked) -> tuple[np.ndarray, np.ndarray]:
    """v̇ and λ of M v̇ = f + Bᵀλ, J v̇ = a: the matrix J M⁻¹Bᵀ is not symmetric."""
    solved = solved_leaves_first(M, np.concatenate([force.reshape(-1, 1), B.T], axis=1))
    free, per_multiplier = solved[:, 0], solved[:, 1:]
    try:
        lam = qr_solve(J @ per_multiplier, asked - J @ free)
    except ZeroDivisionError as error:
        names = ", ".join(f"'{one.constraint.name}'" for one in tree.constraints if one.directions)
        raise ModelError(
            f"system '{tree.name}': the efforts named by the servo of {names} nowhere move what they are to keep; name other directions"
        ) from error
    return free + per_multiplier @ lam, lam


def grip(tree: Tree, q, v):
    r"""Measure of the control of servos over their conditions: zero if J M⁻¹ Bᵀ is singular. One without servos.

    .. math:: \Big(\frac{\det J M^{-1}B^T}{\det J M^{-1}J^T}\Big)^2\prod_i\frac{J_i M^{-1}J_i^T}{B_i M^{-1}B_i^T}

    The product is over the rows i that servos keep; without other rows and for one effort it is the square of the cosine between what
    the effort moves and what it is to keep. It does not change with the units of rows and efforts.
    """
    if not tree.is_directed:
        return 1.0
    P, kept, rows = mixing(tree), list(tree.kept), conditions(tree, q, v, biases=False)
    J, B = P @ rows.jacobians[kept], P @ rows.along[kept]
    named = _named_rows(tree)
    own, other = rows.jacobians[named], rows.along[named]
    S, _ = added_inertia_and_force(tree, q, v)
    M = mass_matrix(tree, q)
    right = np.concatenate([J.T, B.T, own.T, other.T], axis=1)
    solved = solved_leaves_first(M if is_zero(S) else M + S, right)
    m, k = len(J), len(named)
    Q, _ = orthogonalize(J @ solved[:, m : 2 * m])
    result = 1.0
    for j, pivot in enumerate(ldl(J @ solved[:, :m])[1]):
        result = result * (Q[:, j] @ Q[:, j]) / (pivot * pivot)
    for i in range(k):
        result = result * (own[i] @ solved[:, 2 * m + i]) / (other[i] @ solved[:, 2 * m + k + i])
    return result


def _named_rows(tree: Tree) -> list[int]:
    """Indices of the conditions enforced by servos."""
    directed = {one.constraint.name for one in tree.constraints if one.directions}
    return [i for i, (name, _) in enumerate(condition_names(tree)) if name in directed]


def _with_added_inertia(tree: Tree, M, S, force, J, asked) -> tuple[np.ndarray, np.ndarray]:
    r"""v̇ and λ of (M + S) v̇ = f + Jᵀλ, J v̇ = a, where S may reduce inertia.

    M + S may be singular where the equations are not: only directions that J leaves free count. With the projector
    Π = 1 − M⁻¹Jᵀ(J M⁻¹Jᵀ)⁻¹J onto them, G = M + Πᵀ S Π is singular exactly where the equations are. Where multipliers may make it
    indefinite, G M⁻¹ G x = G M⁻¹ r is solved in its place, which needs no pivoting.
    """
    along, G = tangent_inertia(M, S, J)
    if not len(J):
        return solved_leaves_first(G, force), np.zeros(0)
    forced = along @ asked
    left = force - (M + S) @ forced
    left = left - J.T @ (along.T @ left)
    if may_be_indefinite(tree):
        inner = solved_leaves_first(M, np.concatenate([G, left.reshape(-1, 1)], axis=1))
        G, left = G @ inner[:, :-1], G @ inner[:, -1]
    a = forced + solved_leaves_first(G, left)
    return a, along.T @ ((M + S) @ a - force)


def tangent_inertia(M, S, J) -> tuple[np.ndarray, np.ndarray]:
    """M⁻¹Jᵀ(J M⁻¹Jᵀ)⁻¹ (nv, rank), and M + Πᵀ S Π (nv, nv) with the projector Π onto what J leaves free."""
    if not len(J):
        return np.zeros((len(M), 0)), M + S
    per_multiplier = solved_leaves_first(M, J.T)
    along = ldl_solve(J @ per_multiplier, per_multiplier.T).T
    once = S - S @ along @ J
    return along, M + once - J.T @ (along.T @ once)


def may_be_indefinite(tree: Tree) -> bool:
    """Whether multipliers in the state may reduce inertia: those of constraints that are nonlinear in the
    velocities."""
    return any(not one.is_linear and one.holds for one in tree.varied)


def pivot_ratios(tree: Tree, q, v) -> np.ndarray:
    """Pivots of the matrix that is solved for v̇ over those of M, (nv,), leaves first; none where constraints take no inertia away.

    All are one where nothing is added; where the first of them vanishes, multipliers have left some motion without inertia.
    """
    found = None if all(one.is_linear for one in tree.varied) else _inertias(tree, q, v)
    if found is None:
        return np.zeros(0)
    M, G = found
    G = G @ solved_leaves_first(M, G) if may_be_indefinite(tree) else G
    return ldl(G[::-1, ::-1])[1] / ldl(M[::-1, ::-1])[1]


def inertia_condition(tree: Tree, q, v):
    """Growth of round-off in accelerations if constraints add to the inertia: the condition number of M + Πᵀ S Π
    relative to M."""
    found = _inertias(tree, q, v)
    if found is None:
        return 1.0
    M, G = found
    return sqrt(_trace_of_square(solved_leaves_first(M, G)) * _trace_of_square(solved_leaves_first(G, M))) / tree.nv


def _inertias(tree: Tree, q, v) -> tuple[np.ndarray, np.ndarray] | None:
    """M and M + Πᵀ S Π; None where nothing is added."""
    S, _ = added_inertia_and_force(tree, q, v)
    if is_zero(S):
        return None
    M, J = mass_matrix(tree, q), mixing(tree) @ conditions(tree, q, v, biases=False).jacobians[list(tree.kept)]
    return M, tangent_inertia(M, S, J)[1]


def _trace_of_square(B):
    return sum((B[i] @ B[:, i] for i in range(len(B))), 0.0)


def bordered_multipliers(M, force, J, bias, B=None) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations (B, n) and multipliers (B, m) in numbers of M v̇ = f + Bᵀλ, J v̇ + bias = 0, where M need not be positive definite.

    ``B``: the rows along which multipliers act, J by default.
    """
    m, n = J.shape[1:]
    corner, along = np.zeros((len(M), m, m)), np.swapaxes(J if B is None else B, 1, 2)
    K = np.concatenate([np.concatenate([M, -along], axis=2), np.concatenate([J, corner], axis=2)], axis=1)
    found = np.linalg.solve(K, np.concatenate([force, -bias], axis=1)[:, :, None])[:, :, 0]
    return found[:, :n], found[:, n:]


def least_multipliers(M, force, J, bias, sizes=None, B=None) -> tuple[np.ndarray, np.ndarray]:
    r"""Accelerations (B, n) and multipliers (B, m) in numbers, of least norm if they are not unique.

    .. math:: M\dot v = f + B^T\lambda,\qquad J\dot v + \dot J v = 0

    ``force``: f (B, n); ``bias``: J̇ v (B, m); ``sizes``: (B, m) what each gap is measured against. Slopes that are only round-off
    are left out; how many gaps are independent is read from J, whose condition is the root of that of J M⁻¹ Jᵀ. ``B``: the rows
    along which multipliers act, J by default.
    """
    sizes = np.ones(J.shape[:2]) if sizes is None else np.where(sizes > 0.0, sizes, 1.0)
    J = J / sizes[:, :, None]
    J = np.where(np.abs(J) > GAP_NOISE, J, 0.0)
    C = np.linalg.cholesky(M)
    free = np.linalg.solve(M, force[:, :, None])
    if B is not None:
        per_multiplier = np.linalg.solve(M, np.swapaxes(B / sizes[:, :, None], 1, 2))
        asked = -(bias / sizes)[:, :, None] - J @ free
        lam = np.linalg.pinv(J @ per_multiplier, rcond=DEPENDENT_COLUMNS) @ asked
        return (free + per_multiplier @ lam)[:, :, 0], lam[:, :, 0] / sizes
    inner = np.linalg.pinv(np.swapaxes(np.linalg.solve(C, np.swapaxes(J, 1, 2)), 1, 2), rcond=DEPENDENT_COLUMNS)
    lam = np.swapaxes(inner, 1, 2) @ (inner @ (-(bias / sizes)[:, :, None] - J @ free))
    a = free + np.linalg.solve(M, np.swapaxes(J, 1, 2) @ lam)
    return a[:, :, 0], lam[:, :, 0] / sizes
