r"""Telegin's equations by a sweep over augmented bodies in link axes: the same wrenches and forces with the fewest
operations.

With a_i = r̈_i − g, write (22), (23) as wrenches of the whole load of subsystem i at its pole:

.. math:: F'_i = m_i a_i + \ddot{\bar m}_i,\qquad M'_i = \bar m_i\times a_i + \dot G_i .

The recursion (7) for static moments and a_j = a_i + R̈_j turn them into sums over the children,

.. math:: F'_i = \mu_i a_i + f_i,\quad f_i = U_i\bar m_{di} + \sum f_j,\qquad
          M'_i = \bar m_{di}\times a_i + \mathrm{ax}(U_i P_{di}) + \sum (M'_j + R_j\times f_j),

where μ, m̄_d and P_d = ∫ r rᵀ dm belong to the augmented body (definition 8): the masses that turning joints carry are put at
their poles, which do not move in the body, once and for all. A sliding joint's pole moves: its child enters with the whole
F'_j in place of f_j, and with no mass. U r = ω̇ × r + ω × (ω × r). Telegin (2014), eqs. (7)–(9), (15), (22), (23).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import final

import numpy as np

from vinculum.equations.recursions.extra_inertias import extra_wrenches
from vinculum.equations.recursions.inertias import Inertia, link_inertias
from vinculum.equations.recursions.newton_euler import spin_matrix, spin_rate
from vinculum.scalars.math import cross
from vinculum.screws import Pose
from vinculum.systems import Link, Tree, joint_pose


@final
@dataclass(frozen=True, eq=False)
class Arm:
    """The connection of a link to its base: the vector ``R`` between their poles and the rotations ``turns`` from base
    axes to link axes.

    ``S`` (6, nv): the joint's subspace at the pole, in link axes (what may stand after a joint, a turn about its axis and a
    shift along it, leaves it as it is); ``slides``: whether the pole moves in the base.
    """

    R: np.ndarray
    turns: tuple[np.ndarray, ...]
    S: np.ndarray
    slides: bool

    def down(self, x) -> np.ndarray:
        """A vector of the base in link axes."""
        return reduce(lambda y, turn: turn.T @ y, self.turns, x)

    def up(self, x) -> np.ndarray:
        """A vector of the link in base axes."""
        return reduce(lambda y, turn: turn @ y, reversed(self.turns), x)


def pole(link: Link) -> np.ndarray:
    """The pole of a link in its link frame: the origin of its joint's moving frame, which keeps the vectors between poles short."""
    return reduce(lambda X, Y: X @ Y, link.after).inverse().p if link.after else np.zeros(3)


def arms(tree: Tree, q) -> list[Arm]:
    """The connection of every link to its base."""
    result = []
    for link in tree.links:
        R = reduce(lambda X, Y: X @ Y, (*link.before, joint_pose(link, q))).p
        if link.parent >= 0:
            R = R - pole(tree.links[link.parent])
        S = link.joint.kind.subspace(q[link.q]) if link.joint.nv else np.zeros((6, 0))
        slides = link.joint.kind.path is not None or any(not isinstance(x, float) or x != 0.0 for x in S[:3].ravel())
        turns = [X.R for X in (*link.before, joint_pose(link, q), *link.after) if not _is_unit(X.R)]
        result.append(Arm(R, tuple(turns), S, slides))
    return result


def augmented_inertias(tree: Tree, hanging: Sequence[Arm], inertias: Sequence[Inertia]) -> list[Inertia]:
    """Mass μ, static moment and inertia of every augmented body about its pole, in link axes: eqs. (9), (15)."""
    result = [own.transform(Pose.of(np.eye(3), -pole(link))) for link, own in zip(tree.links, inertias, strict=True)]
    for link in reversed(tree.links):
        i, p = link.index, link.parent
        if p >= 0 and not hanging[i].slides:
            carried = Inertia(result[i].mass, np.zeros(3), np.zeros((3, 3)))
            result[p] = result[p] + carried.transform(Pose.of(np.eye(3), hanging[i].R))
    return result


def augmented_forces(tree: Tree, q, v, a, external: Sequence | None = None, *, gravity=None,
                     inertias: Sequence[Inertia] | None = None) -> tuple[np.ndarray, list[np.ndarray]]:  # fmt: skip
    """Generalized forces (nv,) and the wrench (6,) of its base on every link, in the link's axes at its origin.

    ``external``: for each link None or a wrench (6,) on it besides gravity, in its axes at its origin. ``inertias``: those of
    the links by default; with regrouped ones only the generalized forces have a meaning.
    """
    hanging = arms(tree, q)
    bodies = augmented_inertias(tree, hanging, link_inertias(tree) if inertias is None else inertias)
    spins, falls = _motions(tree, hanging, q, v, a, tree.gravity if gravity is None else gravity)
    added = extra_wrenches(tree, q, v, a)
    excess, moment = [], []
    for link, body, U, fall in zip(tree.links, bodies, spins, falls, strict=True):
        f, m = U @ body.moment, cross(body.moment, fall) + _turning_moment(U, body.second_moment)
        if link.inner_inertia is not None:
            m = m + spin_rate(link, q, a)
        carried = added[link.index]
        if carried is not None:
            f, m = f + carried[:3], m + carried[3:] - cross(pole(link), carried[:3])
        wrench = None if external is None else external[link.index]
        if wrench is not None:
            f, m = f - wrench[:3], m - wrench[3:6] + cross(pole(link), wrench[:3])
        excess.append(f)
        moment.append(m)
    forces: list = [None] * len(tree.links)
    wrenches: list = [None] * len(tree.links)
    for link in reversed(tree.links):
        i, p, arm = link.index, link.parent, hanging[link.index]
        F = bodies[i].mass * falls[i] + excess[i]
        forces[i] = arm.S[:3].T @ F + arm.S[3:].T @ moment[i]
        wrenches[i] = np.concatenate([F, moment[i] + cross(pole(link), F)])
        if link.inner_inertia is not None:
            pushed = 0.0 if external is None or external[i] is None else external[i][6:]
            outer = len(forces[i]) - link.joint.kind.inner
            forces[i] = np.concatenate([forces[i][:outer], link.inner_inertia @ a[link.inner_v] - pushed])
        if p >= 0:
            f = arm.up(F if arm.slides else excess[i])
            excess[p] = excess[p] + f
            moment[p] = moment[p] + arm.up(moment[i]) + cross(arm.R, f)
    return np.concatenate(forces), wrenches


def _motions(tree: Tree, hanging: Sequence[Arm], q, v, a, gravity) -> tuple[list, list]:
    """Spin matrix U (3, 3) of every link and the acceleration r̈ − g (3,) of its pole, in link axes."""
    still = np.zeros(3)
    omegas, alphas, spins, falls = [], [], [], []
    for link, arm in zip(tree.links, hanging, strict=True):
        p = link.parent
        if p >= 0:
            omega, alpha, fall = omegas[p], alphas[p], falls[p] + spins[p] @ arm.R
        else:
            omega, alpha, fall = still, still, -gravity
        omega, alpha, fall = arm.down(omega), arm.down(alpha), arm.down(fall)
        if link.joint.nv or link.joint.kind.path is not None:
            twist, rate = link.joint.kind.drift, link.joint.kind.drift_rate
            if link.joint.nv:
                twist = arm.S @ v[link.v]
                rate = arm.S @ a[link.v] + link.joint.kind.subspace_rate(q[link.q], v[link.v])
            u, w = twist[:3], twist[3:]
            if arm.slides:
                fall = fall + cross(2.0 * omega + w, u) + rate[:3]
            alpha = alpha + cross(omega, w) + rate[3:]
            omega = omega + w
        omegas.append(omega)
        alphas.append(alpha)
        spins.append(spin_matrix(omega, alpha))
        falls.append(fall)
    return spins, falls


def _turning_moment(U, P) -> np.ndarray:
    """∫ r × U r dm (3,) = ax(U P): the derivative of J ω for a body that turns about its pole.

    The diagonal of U enters by differences only, which saves three products.
    """
    x, y, z = U[2, 2] - U[1, 1], U[0, 0] - U[2, 2], U[1, 1] - U[0, 0]
    return np.array([
        U[2, 1] * P[1, 1] - U[1, 2] * P[2, 2] + x * P[1, 2] + U[2, 0] * P[0, 1] - U[1, 0] * P[0, 2],
        U[0, 2] * P[2, 2] - U[2, 0] * P[0, 0] + y * P[0, 2] + U[0, 1] * P[1, 2] - U[2, 1] * P[0, 1],
        U[1, 0] * P[0, 0] - U[0, 1] * P[1, 1] + z * P[0, 1] + U[1, 2] * P[0, 2] - U[0, 2] * P[1, 2],
    ])  # fmt: skip


def _is_unit(R) -> bool:
    return R.dtype != object and np.array_equal(R, np.eye(3))
