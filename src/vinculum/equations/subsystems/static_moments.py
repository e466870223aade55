"""Masses and static moments of subsystems, and their derivatives. Telegin (2014), statements 2–4.

Everything is in world axes; ``motions`` are those of `pole_motions`. The static moment of subsystem k is
m̄_k = m_k O_k C_pk [kg m], with the subsystem's mass m_k and mass center C_pk.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from vinculum.equations.subsystems.pole_motions import PoleMotion, turned_acceleration
from vinculum.scalars.math import cross
from vinculum.systems import Tree, subsystem


def subsystem_masses(tree: Tree) -> list:
    """m_k = m_0k + Σ m_j over the children: the mass of every subsystem [kg]."""
    masses = [link.mass for link in tree.links]
    for link in reversed(tree.links):
        if link.parent >= 0:
            masses[link.parent] = masses[link.parent] + masses[link.index]
    return masses


def recursive_static_moments(tree: Tree, motions: Sequence[PoleMotion]) -> list[np.ndarray]:
    r"""Static moments (3,) by one sweep towards the ground, eq. (7).

    .. math:: \bar m_i = m_{0i} c_i + \sum_{j\in S_i} (m_j R_j + \bar m_j)
    """
    masses, moments = subsystem_masses(tree), [at.mass * at.c for at in motions]
    for link in reversed(tree.links):
        i, p = link.index, link.parent
        if p >= 0:
            moments[p] = moments[p] + masses[i] * motions[i].R + moments[i]
    return moments


def moment_share(tree: Tree, motions: Sequence[PoleMotion], j: int) -> np.ndarray:
    r"""What body j gives to the static moment of every subsystem that holds it, (3,), eq. (11).

    .. math:: \bar m_{rj} = m_{0j} c_j + \sum_{k\in S_j} m_k R_k
    """
    masses = subsystem_masses(tree)
    total: Any = sum((masses[k] * motions[k].R for k in tree.children(j)), motions[j].mass * motions[j].c)
    return total


def static_moment_rates(tree: Tree, motions: Sequence[PoleMotion]) -> list[np.ndarray]:
    r"""First derivatives (3,) of the static moments, from the proof of statement 8.

    .. math:: \dot{\bar m}_i = \sum_{j\in sub(i)} \Big(\omega_j\times\bar m_{rj} + \sum_{k\in S_j} m_k V_k\Big)
    """
    masses = subsystem_masses(tree)
    shares = []
    for j, at in enumerate(motions):
        own = cross(at.omega, moment_share(tree, motions, j))
        shares.append(sum((masses[k] * motions[k].V for k in tree.children(j)), own))
    return _subsystem_sums(tree, shares)


def static_moment_accelerations(tree: Tree, motions: Sequence[PoleMotion]) -> list[np.ndarray]:
    r"""Second derivatives (3,) of the static moments.

    .. math:: \ddot{\bar m}_i = \sum_{j\in sub(i)} \Big(\dot\omega_j\times\bar m_{rj}
              + \omega_j\times(\omega_j\times\bar m_{rj}) + \sum_{k\in S_j} m_k (2\omega_j\times V_k + W_k)\Big)
    """
    masses = subsystem_masses(tree)
    shares = []
    for j, at in enumerate(motions):
        own = turned_acceleration(at.omega, at.omega_dot, moment_share(tree, motions, j))
        slides = [masses[k] * (2.0 * cross(at.omega, motions[k].V) + motions[k].W) for k in tree.children(j)]
        shares.append(sum(slides, own))
    return _subsystem_sums(tree, shares)


def _subsystem_sums(tree: Tree, shares: Sequence) -> list[np.ndarray]:
    return [sum((shares[j] for j in subsystem(tree, i)), np.zeros(3)) for i in range(len(shares))]
