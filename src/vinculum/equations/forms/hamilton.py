"""Hamilton's equations: coordinates and momenta instead of velocities."""

import numpy as np

from vinculum.equations.applied import action_forces, dissipative_forces, drive_forces
from vinculum.equations.constraints.forces import constraint_forces
from vinculum.equations.energies import kinetic_energy, potential_energy
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.coordinate_rates import rates_are_velocities, velocities
from vinculum.scalars import directional, gradient, jacobian, ldl_solve, substitute, symbols
from vinculum.systems import Tree, placements


def lagrangian_parts(tree: Tree, t, q, q_dot) -> tuple:
    """Kinetic energy T(q, q̇), potential energy U(q) [J] and the forces Q (nq,) of drives and dampers on q̇."""
    v = velocities(tree, q, q_dot)
    placed = placements(tree, q, v)
    force = drive_forces(tree, t, q, v) + dissipative_forces(tree, v) + action_forces(tree, t, q, v, potential=False)
    force = force + constraint_forces(tree, q, v, potential=False)
    if not rates_are_velocities(tree):
        force = jacobian(v, q_dot).T @ force
    return kinetic_energy(tree, placed), potential_energy(tree, t, q, placed), force


def momentum_matrix(tree: Tree, q) -> np.ndarray:
    """M (nq, nq) with p = ∂T/∂q̇ = M q̇, by composite bodies."""
    M = mass_matrix(tree, q)
    if rates_are_velocities(tree):
        return M
    q_dot = symbols("q_dot", tree.nq)
    W = jacobian(velocities(tree, q, q_dot), q_dot)
    return W.T @ (M @ W)


def momentum_drift(tree: Tree, q) -> np.ndarray:
    """b (nv,) of p = M v + b: the momenta that prescribed bodies give to all that they carry while v = 0."""
    if not tree.prescribed:
        return np.zeros(tree.nv)
    v = symbols("v", tree.nv)
    return at_rest(gradient(kinetic_energy(tree, placements(tree, q, v)), v), v)


def at_rest(x, q_dot) -> np.ndarray:
    """What is left of x when all rates vanish."""
    return substitute(np.asarray(x, dtype=object), q_dot, np.zeros(len(q_dot)))


def canonical_form(parts, M, q, q_dot, p) -> tuple:
    r"""H [J], q̇ and ṗ over the symbols q and p, from T, U and Q over the symbols q and q̇.

    .. math:: H = p\cdot\dot q - T + U = \tfrac12 (p - b)^T M^{-1} (p - b) - T_0 + U,\qquad
              \dot q = \frac{\partial H}{\partial p} = M^{-1} (p - b)

    .. math:: \dot p = -\frac{\partial H}{\partial q} + Q
                     = \frac{\partial (T - U)}{\partial q}\Big|_{\dot q = M^{-1}(p - b)} + Q

    b = ∂T/∂q̇ and T₀ = T where q̇ = 0: both vanish unless bodies are prescribed. The second form of ṗ differentiates no inverse.
    """
    kinetic, potential, force = parts
    b, rest = at_rest(gradient(kinetic, q_dot), q_dot), at_rest([kinetic], q_dot)[0]
    velocity = ldl_solve(M, p - b)
    p_dot = substitute(gradient(kinetic - potential, q) + force, q_dot, velocity)
    return 0.5 * ((p - b) @ velocity) - rest + potential, velocity, p_dot


def canonical_rates(tree: Tree, q, p, t) -> tuple[np.ndarray, np.ndarray]:
    """q̇ and ṗ, (nq,) each, of a system with as many coordinates as velocities. ``q``, ``p``: symbols."""
    q_dot = symbols("q_dot", tree.nq)
    _, velocity, p_dot = canonical_form(lagrangian_parts(tree, t, q, q_dot), momentum_matrix(tree, q), q, q_dot, p)
    return velocity, p_dot


def standard_form(tree: Tree, q, q_dot, t) -> tuple[np.ndarray, np.ndarray]:
    r"""M (nq, nq) and h (nq,) of M q̈ + h = τ, from the energies alone: momenta p = ∂T/∂q̇ and their rates.

    .. math:: M = \frac{\partial p}{\partial\dot q},\qquad
              h = \frac{\partial p}{\partial q}\dot q + \frac{\partial p}{\partial t}
                  - \frac{\partial (T - U)}{\partial q} - Q

    ``q``, ``q_dot``: symbols, and ``t`` where bodies are prescribed.
    """
    kinetic, potential, force = lagrangian_parts(tree, t, q, q_dot)
    p = gradient(kinetic, q_dot)
    return jacobian(p, q_dot), directional(p, [*q, t], [*q_dot, 1.0]) - gradient(kinetic - potential, q) - force
