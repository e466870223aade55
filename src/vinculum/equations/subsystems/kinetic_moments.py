"""Angular momenta of subsystems about their mass centers, in three ways. Telegin (2014), statements 5–7.

Everything is in world axes; ``motions`` are those of `pole_motions`. The kinetic moment of subsystem k is that of its
motion about its mass center C_pk in axes that do not turn, K_k = ∫ C_pk M × d(C_pk M)/dt dm [kg m²/s].
"""

from collections.abc import Sequence

import numpy as np

from vinculum.equations.subsystems.pole_motions import PoleMotion
from vinculum.equations.subsystems.static_moments import recursive_static_moments, static_moment_rates, subsystem_masses
from vinculum.scalars.math import cross
from vinculum.screws import star
from vinculum.systems import Tree, path_between, subsystem


def inertia_at_pole(at: PoleMotion) -> np.ndarray:
    r"""J_0i = J_ci + m_0i (E c·c − c cᵀ), (3, 3): the inertia of a body about its pole."""
    return at.J_c + at.mass * star(at.c, at.c)


def inertia_of_augmented_body(tree: Tree, motions: Sequence[PoleMotion], i: int) -> np.ndarray:
    r"""J_ri (3, 3): body i about its pole, with the masses m_j it carries put at their poles, eq. (15).

    .. math:: J_{ri} = J_{0i} + \sum_{j\in S_i} m_j (E\,R_j\cdot R_j - R_j R_j^T)
    """
    masses = subsystem_masses(tree)
    carried = (masses[j] * star(motions[j].R, motions[j].R) for j in tree.children(i))
    return sum(carried, inertia_at_pole(motions[i]))


def kinetic_moments_about_centers(tree: Tree, motions: Sequence[PoleMotion]) -> list[np.ndarray]:
    r"""K_k (3,) from the motions of the bodies about the subsystem's mass center, eq. (12).

    .. math:: K_k = \sum_{m\in sub(k)} \Big(m_{0m} \overline{C_{pk}C_m}\times\tfrac{d}{dt}\overline{C_{pk}C_m}
              + J_{cm}\,\omega_m\Big)
    """
    result = []
    for k, (mass, moment, rate) in enumerate(_moments(tree, motions)):
        total = np.zeros(3)
        for m in subsystem(tree, k):
            arm, arm_dot = _arm(tree, motions, k, m)
            spin = motions[m].J_c @ motions[m].omega
            total = total + motions[m].mass * cross(arm - moment / mass, arm_dot - rate / mass) + spin
        result.append(total)
    return result


def kinetic_moments_from_poles(tree: Tree, motions: Sequence[PoleMotion]) -> list[np.ndarray]:
    r"""K_k (3,) from the motions of the bodies about the subsystem's pole, eq. (13).

    .. math:: K_k = \sum_{m\in sub(k)} \Big(m_{0m} \overline{O_kC_m}\times\tfrac{d}{dt}\overline{O_kC_m}
              + J_{cm}\,\omega_m\Big) + \dot{\bar m}_k\times\bar m_k / m_k
    """
    result = []
    for k, (mass, moment, rate) in enumerate(_moments(tree, motions)):
        total = cross(rate, moment) / mass
        for m in subsystem(tree, k):
            arm, arm_dot = _arm(tree, motions, k, m)
            total = total + motions[m].mass * cross(arm, arm_dot) + motions[m].J_c @ motions[m].omega
        result.append(total)
    return result


def kinetic_moments_of_augmented_bodies(tree: Tree, motions: Sequence[PoleMotion]) -> list[np.ndarray]:
    r"""K_k (3,) from augmented bodies and the static moments of the subsystems inside, eq. (14).

    .. math:: K_k = J_{rk}\omega_k + \sum_{i\in sub(k),\,i\ne k} \Big(J_{ri}\omega_i + R_i\times\dot{\bar m}_i
              + \bar m_i\times\dot R_i + m_i R_i\times V_i\Big) + \dot{\bar m}_k\times\bar m_k / m_k
    """
    moments = _moments(tree, motions)
    turning = [inertia_of_augmented_body(tree, motions, i) @ at.omega for i, at in enumerate(motions)]
    inside = []
    for at, (mass, moment, rate) in zip(motions, moments, strict=True):
        inside.append(cross(at.R, rate) + cross(moment, at.R_dot) + mass * cross(at.R, at.V))
    result = []
    for k, (mass, moment, rate) in enumerate(moments):
        carried = (turning[i] + inside[i] for i in subsystem(tree, k) if i != k)
        result.append(sum(carried, turning[k] + cross(rate, moment) / mass))
    return result


def _moments(tree: Tree, motions: Sequence[PoleMotion]) -> list[tuple]:
    """Mass, static moment and its rate, of every subsystem."""
    moments, rates = recursive_static_moments(tree, motions), static_moment_rates(tree, motions)
    return list(zip(subsystem_masses(tree), moments, rates, strict=True))


def _arm(tree: Tree, motions: Sequence[PoleMotion], k: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """O_k C_m and its derivative, by the vectors between poles, eq. (17)."""
    between = path_between(tree, k, m)
    arm = sum((motions[j].R for j in between), motions[m].c)
    return arm, sum((motions[j].R_dot for j in between), motions[m].c_dot)
