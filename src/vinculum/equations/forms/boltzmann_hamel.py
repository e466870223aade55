"""The equations of motion from the energies alone, by differentiation: a route independent of the recursions."""

import numpy as np

from vinculum.bonds.joints.joint import compliance_of
from vinculum.equations.actions import action_energy, action_views, effort_power, exerted_efforts
from vinculum.equations.applied import dissipative_forces, drive_forces
from vinculum.equations.constraints.forces import constraint_energy, constraint_forces
from vinculum.equations.constraints.variational import added_lagrangian
from vinculum.equations.energies import unframed_energy
from vinculum.equations.recursions.coordinate_rates import rates, with_multiplier_rates
from vinculum.equations.recursions.velocity_fields import along_brackets, along_columns, columns
from vinculum.scalars import directional, gradient, symbols
from vinculum.screws import axial
from vinculum.systems import Placement, Tree, link_steps, placements, still_placements, world_poses
from vinculum.systems.kinematics import inner_motion


def energies_from_positions(tree: Tree, q, v, t) -> tuple:
    """Kinetic and potential energy, where every velocity is a position differentiated along q̇ = N v and ṫ = 1.

    All poses are differentiated in one sweep, so that the work grows with the number of links and not with its square.
    """
    poses = world_poses(tree, q)
    centers = [X.apply(link.center) for link, X in zip(tree.links, poses, strict=True)]
    moving = np.stack([np.concatenate([c, np.ravel(X.R), X.p]) for c, X in zip(centers, poses, strict=True)])
    kinetic = potential = 0.0
    changes = directional(moving, [*q, t], [*rates(tree, q, v), 1.0])
    for link, X, center, change in zip(tree.links, poses, centers, changes, strict=True):
        v_c, w = change[:3], axial(X.R.T @ change[3:12].reshape(3, 3))
        kinetic = kinetic + 0.5 * (link.mass * (v_c @ v_c) + w @ (link.inertia @ w))
        kinetic = kinetic + unframed_energy(link, Placement(X, X.R.T @ change[-3:], w, inner_motion(link, q, v)))
        potential = potential - link.mass * (tree.gravity @ center)
        if link.joint.nv:
            potential = potential + compliance_of(link.joint).spring_energy(q[link.q])
    still = still_placements(tree, q)
    for acting in tree.actions:
        potential = potential + action_energy(tree, acting, still, t)
    return kinetic, potential + constraint_energy(tree, q)


def residual(tree: Tree, t, q, v, a, multiplier_rates=()) -> tuple[np.ndarray, np.ndarray]:
    r"""Residual of the Boltzmann–Hamel equations at acceleration a, and the size of their terms, (nv,) each.

    .. math:: \frac{d}{dt}\frac{\partial T}{\partial v_j} - X_j(T - U) - c^k_{ij}v^i\frac{\partial T}{\partial v_k} - Q_j

    X_j are the columns of N as fields on the coordinates, [X_i, X_j] = c^k_ij X_k. Valid for v ≠ q̇.
    ``q``, ``v`` must be symbols, and ``t`` where bodies are prescribed. What constraints add to the Lagrangian counts as T;
    ``multiplier_rates``: those of the multipliers that are part of the state.
    """
    T, U = energies_from_positions(tree, q, v, t)
    T = T + added_lagrangian(tree, q, v, t)
    q_dot = with_multiplier_rates(rates(tree, q, v), multiplier_rates)
    jacobians = gradient(T, np.concatenate([v, q]))
    p, T_by_q = jacobians[: tree.nv], jacobians[tree.nv :]
    pushed, carried = directional(p, v, a), directional(p, [*q, t], [*q_dot, 1.0])
    force = drive_forces(tree, t, q, v) + dissipative_forces(tree, v) + _efforts_along_velocities(tree, t, q, v)
    force = force + constraint_forces(tree, q, v, potential=False)
    slope_T, slope_U = along_columns(tree, T_by_q, q), along_columns(tree, gradient(U, q), q)
    curl = along_brackets(tree, q, v, p)
    left = pushed + carried - slope_T + slope_U - curl - force
    terms = [pushed, carried, slope_T, slope_U, curl, force]
    # a force-free spin has no term of its own; what its momentum times its rates would be is the scale then
    swirl = sum((abs(x) for x in p), 0.0) * sum((abs(x) for x in v), 0.0)
    size = sum((np.array([abs(x) for x in term], dtype=object) for term in terms), np.zeros(tree.nv)) + swirl
    return left, size + resting_forces(tree, q) + _resting_actions(tree, t, q)


def _efforts_along_velocities(tree: Tree, t, q, v) -> np.ndarray:
    """Generalized forces (nv,) of what follows from no energy: the derivatives of its power by the velocities."""
    if not tree.actions:
        return np.zeros(tree.nv)
    placed, w = placements(tree, q, v), symbols("w", tree.nv)
    moving, power = placements(tree, q, w), 0.0
    for acting in tree.actions:
        does, views = exerted_efforts(tree, acting, placed, t), action_views(tree, acting, moving)
        power = power + sum((effort_power(view, effort) for view, effort in zip(views, does.other, strict=True)), 0.0)
    return gradient(power, w)


def _resting_actions(tree: Tree, t, q) -> np.ndarray:
    """Sizes (nv,) of the terms in the forces of the actions' energies, which may balance."""
    total, still = np.zeros(tree.nv), still_placements(tree, q)
    for acting in tree.actions:
        slope = gradient(action_energy(tree, acting, still, t), q)
        terms = [_length(column * slope[link.q]) for link in tree.links for column in columns(link, q)]
        total = total + np.array([*terms, None], dtype=object)[:-1]
    return total


def resting_forces(tree: Tree, q) -> np.ndarray:
    """How large weights and springs could be along every velocity, (nv,): where they balance, nothing else tells what round-off
    is measured against."""
    weight = sum((_length(link.mass * tree.gravity) for link in tree.links), 0.0)
    reach = sum((_length(link.center) + sum(_length(X.p) for X in link_steps(link, q)) for link in tree.links), 0.0)
    parts = []
    for link in tree.links:
        if link.joint.nv:
            S = link.joint.kind.subspace(q[link.q])
            lever = [_length(S[:3, k]) + reach * _length(S[3:, k]) for k in range(link.joint.nv)]
            spring = [abs(x) for x in compliance_of(link.joint).spring_force(q[link.q])]
            parts.append(weight * np.array(lever, dtype=object) + np.array(spring, dtype=object))
    return np.concatenate([np.zeros(0), *parts])


def _length(x):
    """Sum of absolute values."""
    return sum((abs(c) for c in x), 0.0)
