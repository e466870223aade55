"""Lagrange's equations of the second kind, in coordinates and their rates."""

import numpy as np

from vinculum.equations.applied import applied_forces
from vinculum.equations.forms import newton_euler_blocks
from vinculum.equations.forms.reduction import reduce_equations
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.coordinate_rates import rates_are_velocities, velocities
from vinculum.equations.recursions.inertias import regrouped_inertias
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.scalars import directional, jacobian
from vinculum.systems import Tree


def standard_form(tree: Tree, q, q_dot, t) -> tuple[np.ndarray, np.ndarray]:
    r"""𝒜 (nq, nq) and ℬ q̇ − ℱ (nq,) of 𝒜(q) q̈ + ℬ(q, q̇) q̇ = ℱ, for joints with as many coordinates as velocities.

    .. math:: \mathcal A = M^T L^T A L M,\qquad
              \mathcal B = M^T L^T\big[A L \dot M + (A \dot L + B L) M\big],\qquad \mathcal F = M^T L^T F_a + Q

    The products with L are taken link by link (composite bodies for 𝒜, outwards and inwards for ℬ q̇), so that no zero
    block is ever touched; `second_kind` multiplies the matrices as they stand. Q: springs, dampers and drives.
    Cheremensky, On Concept of Mechanical System, (36). ``q``, ``q_dot``: symbols.
    """
    v = velocities(tree, q, q_dot)
    inertias = regrouped_inertias(tree)
    M = mass_matrix(tree, q, inertias)
    h, _ = inverse_dynamics(tree, q, v, np.zeros(tree.nv), None, inertias)
    h = h - applied_forces(tree, t, q, v)
    return (M, h) if rates_are_velocities(tree) else reduce_equations(M, h, v, q, q_dot)


def second_kind(A, B, L, L_dot, M, M_dot, forces) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """𝒜, ℬ and ℱ of (36) as products of the block matrices. ``M``, ``M_dot``: (6k, n); ``forces``: F_a, (6k,)."""
    LM = L @ M
    return LM.T @ A @ LM, LM.T @ (A @ (L @ M_dot) + (A @ L_dot + B @ L) @ M), LM.T @ forces


def block_form(tree: Tree, q, q_dot, t) -> dict[str, np.ndarray]:
    """𝒜, ℬ, ℱ of (36) and M of (35) as ``A``, ``B``, ``F``, ``M``, with V_r = M q̇ in the bodies' own frames.

    ``A``, ``B``: (nq, nq); ``F``: (nq,), gravity, springs, dampers and drives; ``M``: (6k, nq). With quaternions 𝒜 is
    singular. ``q``, ``q_dot``: symbols.
    """
    v = velocities(tree, q, q_dot)
    blocks = newton_euler_blocks.block_form(tree, q, v)
    W = jacobian(v, q_dot)
    M = blocks["S"] @ W
    Theta, gyration, L, L_dot = (blocks[name] for name in ("A", "B", "L", "L_dot"))
    A, B, F = second_kind(Theta, gyration, L, L_dot, M, directional(M, q, q_dot), blocks["F"])
    return {"A": A, "B": B, "F": F + W.T @ applied_forces(tree, t, q, v), "M": M}
