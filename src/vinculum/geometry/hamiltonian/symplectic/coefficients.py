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

# fmt: off
PERTURBED = {
    (8, 4, 4): (
        (0.2741402689434018761640565440378637101205, -0.1075684384401642306251105297063236526845,
         -0.0480185025906016926911954171508475065370),
        (0.6408857951625127177322491164716010349386, -0.8585754489567828565881283246356000103664), 6),
    (8, 6, 4): (
        (0.0711334264982231177779387300061549964174, 0.241153427956640098736487795326289649618,
         0.521411761772814789212136078067994229991),
        (0.183083687472197221961703757166430291072, 0.310782859898574869507522291054262796375,
         -0.0265646185119588006972121379164987592663), 7),
    (10, 6, 4): (
        (0.03809449742241219545697532230863756534060, 0.1452987161169137492940200726606637497442,
         0.2076276957255412507162056113249882065158, 0.4359097036515261592231548624010651844006),
        (0.09585888083707521061077150377145884776921, 0.2044461531429987806805077839164344779763,
         0.2170703479789911017143385924306336714532), 8),
}
# fmt: on
"""First lengths of flows of the main part and of kicks, and the number of kicks, of symmetric methods for H = A + εB. The error of a method
(a, b, c) is of the size ε hᵃ + ε² hᵇ + ε³ hᶜ. Blanes, Casas, Farrés, Laskar, Makazaga and Murua, Appl. Numer. Math. 68 (2013) 58;
(8, 4, 4): Farrés and others, Celest. Mech. Dyn. Astron. 116 (2013) 141, which has the order also where kicks are split."""


@cache
def perturbed_lengths(order: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Lengths of flows of the main part (s + 1,) and of kicks (s,), in steps; those in the middle make either sum one."""
    flows, kicks, count = PERTURBED[order]
    return _symmetric(flows, count + 1), _symmetric(kicks, count)


def _symmetric(first: tuple[float, ...], count: int) -> np.ndarray:
    """A palindrome of ``count`` lengths with the sum one."""
    half = np.array(first)
    rest = 1.0 - 2.0 * half.sum()
    return np.array([*half, *([rest] if count % 2 else [0.5 * rest] * 2), *half[::-1]])


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
