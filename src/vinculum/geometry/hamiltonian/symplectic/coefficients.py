"""Coefficients of compositions of leapfrog steps, and of Gauss–Legendre collocation."""

from functools import cache

import numpy as np

# fmt: off
HALVES = {
    2: (),
    4: (1.0 / (4.0 - 4.0 ** (1.0 / 3.0)), 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))),
    6: (0.39216144400731413927925056, 0.33259913678935943859974864, -0.70624617255763935980996482, 0.08221359629355080023149045),
    8: (0.13020248308889008087881763, 0.56116298177510838456196441, -0.38947496264484728640807860, 0.15884190655515560089621075,
        -0.39590389413323757733623154, 0.18453964097831570709183254, 0.25837438768632204729397911, 0.29501172360931029887096624),
}
# fmt: on
"""First half of the lengths γ of symmetric compositions, by order; the one in the middle makes their sum one. Order 4: Suzuki, Phys. Lett.
A 146 (1990) 319; orders 6 and 8: Kahan and Li, Math. Comp. 66 (1997) 1089."""


@cache
def composition(order: int) -> tuple[np.ndarray, np.ndarray]:
    """Lengths of kicks (s + 1,) and of drifts (s,), in steps: each leapfrog step has half a kick at either end."""
    half = np.array(HALVES[order])
    drifts = np.array([*half, 1.0 - 2.0 * half.sum(), *half[::-1]])
    kicks = 0.5 * (np.append(drifts, 0.0) + np.append(0.0, drifts))
    return kicks, drifts


@cache
def gauss_legendre(stages: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A (s, s), b (s,), c (s,) of collocation at Gauss's nodes, of order 2s, and E (s, s), which carries the rates of one step to guesses
    for the next. Hairer, Lubich and Wanner, Geometric Numerical Integration, II.1."""
    nodes, weights = np.polynomial.legendre.leggauss(stages)
    c, b = 0.5 * (nodes + 1.0), 0.5 * weights
    powers = np.arange(stages)
    V = c[:, None] ** powers
    A = (c[:, None] ** (powers + 1) / (powers + 1)) @ np.linalg.inv(V)
    E = (1.0 + c)[:, None] ** powers @ np.linalg.inv(V)
    return A, b, c, E
