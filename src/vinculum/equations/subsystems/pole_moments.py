"""Angular momenta of subsystems about their poles, and their derivatives written out. Telegin (2014), statement 8.

G_i is the kinetic moment of subsystem i about its pole O_i in axes that move with the pole and do not turn,
G_i = ∫ O_i M × d(O_i M)/dt dm [kg m²/s]. Everything is in world axes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.equations.subsystems.pole_motions import PoleMotion, pole_motions
from vinculum.equations.subsystems.static_moments import (
    recursive_static_moments,
    static_moment_accelerations,
    static_moment_rates,
    subsystem_masses,
)
from vinculum.scalars.math import cross
from vinculum.screws import skew, star
from vinculum.systems import Tree, subsystem


@final
@dataclass(frozen=True, eq=False)
class Subsystems:
    """A tree in motion: its poles, and the masses and static moments of its subsystems with their derivatives."""

    tree: Tree
    motions: Sequence[PoleMotion]
    masses: Sequence
    moments: Sequence[np.ndarray]
    rates: Sequence[np.ndarray]
    accelerations: Sequence[np.ndarray]

    @classmethod
    def moving(cls, tree: Tree, q, v, a=None, poles: Sequence | None = None) -> "Subsystems":
        """The subsystems of a tree at coordinates q, velocities v and accelerations a, about the poles given."""
        motions = pole_motions(tree, q, v, a, poles)
        return cls(tree, motions, subsystem_masses(tree), recursive_static_moments(tree, motions),
                   static_moment_rates(tree, motions), static_moment_accelerations(tree, motions))  # fmt: skip

    def arm(self, i: int, k: int) -> np.ndarray:
        """O_i O_k, (3,)."""
        return self.motions[k].r - self.motions[i].r

    def arm_rate(self, i: int, k: int) -> np.ndarray:
        """Derivative of O_i O_k, (3,), for k in subsystem i."""
        path = self.tree.path(k)
        return sum((self.motions[j].R_dot for j in path[path.index(i) + 1 :]), np.zeros(3))

    def moment_about(self, i: int, k: int) -> np.ndarray:
        """m̄_ik = m_k O_iO_k + m̄_k (3,): the static moment of subsystem k about the pole of i, eq. (25)."""
        return self.masses[k] * self.arm(i, k) + self.moments[k]

    def moment_rate_about(self, i: int, k: int) -> np.ndarray:
        """Derivative of m̄_ik, (3,)."""
        return self.masses[k] * self.arm_rate(i, k) + self.rates[k]


def inertia_at_pole(at: PoleMotion) -> np.ndarray:
    r"""J_0i = J_ci + m_0i (E c·c − c cᵀ), (3, 3): the inertia of a body about its pole."""
    return at.J_c + at.mass * star(at.c, at.c)


def influence(of: Subsystems, j: int, i: int) -> np.ndarray:
    r"""J_ji (3, 3): how the turning of body j enters the moment equation of subsystem i, eq. (24). Not symmetric.

    .. math:: J_{ji} = J_{0j} + m_{0j}\,\overline{O_iO_j} * c_j + \sum_{k\in S_j} \bar m_{ik} * R_k
    """
    at = of.motions[j]
    carried = (star(of.moment_about(i, k), of.motions[k].R) for k in of.tree.children(j))
    return sum(carried, inertia_at_pole(at) + at.mass * star(of.arm(i, j), at.c))


def influence_rate(of: Subsystems, j: int, i: int) -> np.ndarray:
    r"""Derivative of J_ji, (3, 3).

    .. math:: \omega_j^\times J_{0j} - J_{0j}\omega_j^\times + m_{0j}\big(\dot R_{ij} * c_j + R_{ij} * \dot c_j\big)
              + \sum_{k\in S_j} \big(\dot{\bar m}_{ik} * R_k + \bar m_{ik} * \dot R_k\big)
    """
    at, spin = of.motions[j], skew(of.motions[j].omega)
    J = inertia_at_pole(at)
    own = spin @ J - J @ spin + at.mass * (star(of.arm_rate(i, j), at.c) + star(of.arm(i, j), at.c_dot))
    for k in of.tree.children(j):
        R, R_dot = of.motions[k].R, of.motions[k].R_dot
        own = own + star(of.moment_rate_about(i, k), R) + star(of.moment_about(i, k), R_dot)
    return own


def pole_moment(of: Subsystems, i: int) -> np.ndarray:
    r"""G_i (3,), eq. (23).

    .. math:: G_i = \sum_{j\in sub(i)} \Big(J_{ji}\,\omega_j + \sum_{k\in S_j} \bar m_{ik}\times V_k\Big)
    """
    total = np.zeros(3)
    for j in subsystem(of.tree, i):
        total = total + influence(of, j, i) @ of.motions[j].omega
        for k in of.tree.children(j):
            total = total + cross(of.moment_about(i, k), of.motions[k].V)
    return total


def pole_moment_rate(of: Subsystems, i: int) -> np.ndarray:
    r"""dG_i/dt (3,), by the product rule on (23).

    .. math:: \sum_{j\in sub(i)} \Big[J_{ji}\dot\omega_j + \dot J_{ji}\omega_j + \sum_{k\in S_j}
              \big(\dot{\bar m}_{ik}\times V_k + \bar m_{ik}\times(\omega_j\times V_k + W_k)\big)\Big]
    """
    total = np.zeros(3)
    for j in subsystem(of.tree, i):
        at = of.motions[j]
        total = total + influence(of, j, i) @ at.omega_dot + influence_rate(of, j, i) @ at.omega
        for k in of.tree.children(j):
            V, W = of.motions[k].V, of.motions[k].W
            total = total + cross(of.moment_rate_about(i, k), V)
            total = total + cross(of.moment_about(i, k), cross(at.omega, V) + W)
    return total
