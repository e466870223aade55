"""Hamiltonians with known properties."""

import numpy as np

import vinculum as vc
from vinculum import math as m

Hamiltonian = vc.hamiltonian.Hamiltonian


def henon_heiles() -> Hamiltonian:
    return Hamiltonian("Henon-Heiles", ["x", "y"], lambda p, x, y: p @ p / 2 + (x**2 + y**2) / 2 + x**2 * y - y**3 / 3)


def henon_heiles_start(energy: float, y: float, p_y: float) -> tuple[list[float], list[float]]:
    """A state on the section x = 0."""
    return [0.0, y], [float(np.sqrt(2 * energy - y**2 + 2 * y**3 / 3 - p_y**2)), p_y]


def pendulum() -> Hamiltonian:
    return Hamiltonian("pendulum", ["theta"], lambda theta, p_theta: p_theta**2 / 2 - m.cos(theta))


def kepler() -> Hamiltonian:
    return Hamiltonian("Kepler", ["x", "y", "z"], lambda q, p: p @ p / 2 - 1 / m.sqrt(q @ q))


def double_pendulum_bodies() -> vc.System:
    system = vc.System("double pendulum", gravity=(0, -9.81, 0))
    first, second = system.add(vc.MassPoint("first", 1.0)), system.add(vc.MassPoint("second", vc.parameter("m", 0.7)))
    system.add(vc.Revolute("alpha", "ground", first, to=(0, 1, 0)))
    system.add(vc.Revolute("beta", first, second, to=(0, 0.8, 0)))
    return system


def euler_poisson(A: float, B: float, C: float, weight=(1.0, 0.0, 0.0)):
    """A heavy top with a fixed point in Euler's angles, and its moments M and vertical γ in its own axes."""

    def moments(theta, psi, p_phi, p_theta, p_psi):
        u = (p_phi - p_psi * m.cos(theta)) / m.sin(theta)
        return [u * m.sin(psi) + p_theta * m.cos(psi), u * m.cos(psi) - p_theta * m.sin(psi), p_psi]

    def vertical(theta, psi):
        return [m.sin(theta) * m.sin(psi), m.sin(theta) * m.cos(psi), m.cos(theta)]

    def energy(theta, psi, p_phi, p_theta, p_psi):
        M, gamma = moments(theta, psi, p_phi, p_theta, p_psi), vertical(theta, psi)
        return (M[0] ** 2 / A + M[1] ** 2 / B + M[2] ** 2 / C) / 2 + sum(
            w * g for w, g in zip(weight, gamma, strict=True)
        )

    def both(theta, psi, p_phi, p_theta, p_psi):
        return [*moments(theta, psi, p_phi, p_theta, p_psi), *vertical(theta, psi)]

    return Hamiltonian("top", ["phi", "theta", "psi"], energy), both


def random_function(n: int, seed: int):
    """A smooth function of q and p with random numbers."""
    rng = np.random.default_rng(seed)
    A, B, C = rng.normal(size=5), 0.6 * rng.normal(size=(5, 2 * n)), rng.uniform(0.0, 6.0, 5)
    return lambda q, p: A @ m.sin(B @ np.concatenate([q, p]) + C)
