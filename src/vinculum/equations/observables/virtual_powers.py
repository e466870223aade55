"""The kinetic measure and the applied efforts paired with virtual twists, for the weak form."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.equations.applied import applied_forces
from vinculum.equations.constraints.conditions import conditions
from vinculum.equations.energies import center_velocity, central_momentum
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.scalars import directional, gradient, substitute, symbols
from vinculum.scalars.math import cross
from vinculum.systems import Placement, Tree, placements


@final
@dataclass(frozen=True, eq=False)
class VirtualPowers:
    r"""Rows that a virtual velocity w (nv,), a field along the motion, is multiplied with.

    .. math:: \langle C, \operatorname{def}\eta\rangle = \int (A\cdot\dot w + B\cdot w)\,dt,\qquad
        \langle E, \eta\rangle = \int Q\cdot w\,dt

    With the momentum p and the angular momentum s of every body at its mass center, and its virtual twist (ζ, ϑ) = J w there, all in
    world axes, A = Σ Jᵀ(p, s) and B = Σ J̇ᵀ(p, s): in world axes the variation of the kinetic energy is p · ζ̇ + s · ϑ̇ for any joints.
    ``momenta`` A, ``carried`` B: (nv,); Q = ``efforts`` + ``weights``, apart because they may balance.
    ``blocks``: of every joint its own part of the mass matrix, raveled.
    ``derivatives`` (m, nv) of what multipliers keep, and ``slope_rates``, how they change along the motion.
    Moreau, An expression of classical dynamics, (7.5), (8.4), (8.11).
    """

    momenta: np.ndarray
    carried: np.ndarray
    efforts: np.ndarray
    weights: np.ndarray
    blocks: np.ndarray
    jacobians: np.ndarray
    slope_rates: np.ndarray


def virtual_powers(tree: Tree, q, v, t) -> VirtualPowers:
    """The rows at a state; ``q`` and ``v`` must be symbols, and ``t`` too."""
    placed, w = placements(tree, q, v), symbols("w", tree.nv)
    moving, q_dot = placements(tree, q, w), rates(tree, q, v)
    twists = np.concatenate(
        [np.zeros(0), *(_central_twist(link, at) for link, at in zip(tree.links, moving, strict=True))]
    )
    weighed, inner = twists.reshape(-1, 6), [k for k in tree.links if k.inner_inertia is not None]
    twists = np.concatenate([twists, *(w[k.inner_v] for k in inner)])
    momenta = symbols("momentum", len(twists))
    total = sum((p * z for p, z in zip(momenta, twists, strict=True)), 0.0)
    change = np.asarray(directional([total], [*q, t], [*q_dot, 1.0]), dtype=object)[0] + _turned_momenta(
        tree, placed, weighed
    )
    known = np.concatenate([np.zeros(0), *(central_momentum(k, at) for k, at in zip(tree.links, placed, strict=True))])
    known = np.concatenate([known, *(k.inner_inertia @ v[k.inner_v] for k in inner if k.inner_inertia is not None)])
    A, B = (substitute(gradient(x, w), momenta, known) for x in (total, change))
    powers = [k.mass * tree.gravity @ z for k, z in zip(tree.links, weighed[:, :3], strict=True)]
    weights, Q = gradient(sum(powers, 0.0), w), applied_forces(tree, t, q, v)
    G = conditions(tree, q, v, biases=False).jacobians
    G_dot = np.asarray(directional(G.ravel(), [*q, t], [*q_dot, 1.0]), dtype=object) if G.size else np.zeros(0)
    return VirtualPowers(A, B, Q, weights, _blocks(tree, q), G, G_dot.reshape(G.shape))


def is_testable(tree: Tree) -> bool:
    """Whether virtual velocities in which no constraint does work are a field on the places alone: constraints on places or linear in
    the velocities, kept along their own rows, none of them part of the Lagrangian, and masses that stay."""
    constrained = [one for one in tree.constraints if one.holds]
    return (
        not tree.varied
        and not tree.varying
        and all(one.is_linear and one.constraint.level < 2 and not one.directions for one in constrained)
    )


def _central_twist(link, at: Placement) -> np.ndarray:
    """Velocity of the mass center and angular velocity (6,) of a link, in world axes."""
    R = at.X_WL.R
    turning = np.zeros(3) if at.inner is not None else R @ at.w
    return np.concatenate([R @ (at.v + cross(at.w, link.center)), turning])


def _turned_momenta(tree: Tree, placed, twists):
    """−Σ (ċ × p)·ϑ, what turning the inertia of a body adds where its momentum is not along the velocity of its mass center."""
    total = 0.0
    for link, at, twist in zip(tree.links, placed, twists, strict=True):
        if link.extra_inertia is not None:
            total = total - cross(center_velocity(link, at), central_momentum(link, at)[:3]) @ twist[3:]
    return total


def _blocks(tree: Tree, q) -> np.ndarray:
    M = mass_matrix(tree, q)
    return np.concatenate([np.zeros(0), *(M[k.v, k.v].ravel() for k in tree.links if k.joint.nv)])
