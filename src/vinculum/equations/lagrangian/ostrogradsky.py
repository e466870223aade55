"""Variational derivatives of Lagrangians of any order: Euler–Lagrange expressions, Ostrogradsky's momenta and energy."""

import numpy as np

from vinculum.scalars import gradient, vector
from vinculum.systems.jets import Jet


def ostrogradsky_momenta(jet: Jet, L, order: int) -> list[np.ndarray]:
    r"""Momenta π₀ … π_{N−1} of a Lagrangian of order N, each (n,).

    .. math:: \pi_k = \sum_{j\ge0}(-1)^j\frac{d^j}{dt^j}\frac{\partial L}{\partial q^{(k+j+1)}}

    For N = 1 it is the Legendre map p = ∂L/∂v. Gołubowska (13), (14), (94).
    """
    found = [vector(gradient(L, jet.levels[order]))]
    for k in range(order - 1, 0, -1):
        found.append(vector(gradient(L, jet.levels[k])) - jet.rate(found[-1]))
    return found[::-1]


def variational_derivative(jet: Jet, L, order: int) -> np.ndarray:
    r"""The covector (n,) that vanishes where the action ∫L dt is stationary; of λF it is the vakonomic reaction.

    .. math:: \frac{\delta L}{\delta q^i} = \sum_{K=0}^N(-1)^K\frac{d^K}{dt^K}\frac{\partial L}{\partial q^{(K)i}}

    Gołubowska (19), (93), (95).
    """
    first = vector(gradient(L, jet.levels[0]))
    return first if order == 0 else first - jet.rate(ostrogradsky_momenta(jet, L, order)[0])


def ostrogradsky_energy(jet: Jet, L, order: int):
    r"""E = Σ π_k · q^{(k+1)} − L; for N = 1, v · ∂L/∂v − L. Gołubowska (15)."""
    momenta = ostrogradsky_momenta(jet, L, order)
    return sum((p @ jet.levels[k + 1] for k, p in enumerate(momenta)), 0.0) - L
