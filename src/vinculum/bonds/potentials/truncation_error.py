r"""Truncation error of the attraction of two bodies whose mass measures are replaced by others with equal low moments.

About mass centers at a distance r, the mean of 1/|r + x − y| over both masses is a sum over degrees i and j of

.. math:: \frac{1}{r^{i+j+1}}\sum_m \frac{\pm(i+j)!}{\sqrt{(i+m)!(i-m)!(j+m)!(j-m)!}}\,Q_{im}\,Q'_{j,-m},

with the multipole moments Q of each body (A. Stone, The Theory of Intermolecular Forces, ch. 3). The factor is largest for m = 0, so a
term is at most binom(i + j, i) |Q_i| |Q'_j| / r^(i+j+1), where |Q_i| is the same in all axes; and what replacing Q by P leaves out
of it is at most the same with |Q_i − P_i| |Q'_j| + |P_i| |Q'_j − P'_j|.
"""

from functools import lru_cache
from math import factorial, sqrt
from typing import NamedTuple

import numpy as np

from vinculum.bodies import Body
from vinculum.bonds.potentials.attracting import SECOND_MOMENTS, is_exact, reach
from vinculum.measures.seen_outside import point_masses
from vinculum.scalars import value
from vinculum.tolerances.sizes import MULTIPOLE_ORDER, MULTIPOLE_TERMS


class _Sizes(NamedTuple):
    """|Q_i|, |P_i| and |Q_i − P_i|, each (MULTIPOLE_TERMS,), over the powers of a distance; and what bounds those beyond
    `MULTIPOLE_ORDER`, over powers of the
    reach."""

    whole: np.ndarray
    kept: np.ndarray
    lost: np.ndarray
    beyond: float


def left_out(a: Body, b: Body, distance: float, degree: int | None) -> float:
    """Bound of the truncation error, as a fraction of G m m'/r, at a ``distance`` r [m] of the mass centers; infinite
    at short range."""
    ratio = (reach(a) + reach(b)) / distance
    if not ratio < 1.0:
        return np.inf
    one, other = (_sizes(body, distance, degree) for body in (a, b))
    size = np.outer(one.lost, other.whole) + np.outer(one.kept, other.lost)
    if degree == SECOND_MOMENTS or (degree is None and not is_exact(a) and not is_exact(b)):
        size[SECOND_MOMENTS, SECOND_MOMENTS] += one.whole[SECOND_MOMENTS] * other.whole[SECOND_MOMENTS]
    from scipy.special import gammaln

    i = np.arange(MULTIPOLE_TERMS)
    total, logs = i[:, None] + i[None, :], gammaln(i + 1)
    with np.errstate(divide="ignore"):
        terms = np.exp(np.log(size) + gammaln(total + 1) - logs[:, None] - logs[None, :])
    # of every further term one degree is beyond MULTIPOLE_ORDER, and both products have it at most twice
    rest = 4.0 * max(one.beyond, other.beyond) * ratio**MULTIPOLE_TERMS / (1.0 - ratio)
    return float(terms[total < MULTIPOLE_TERMS].sum() + rest)


def _sizes(body: Body, distance: float, degree: int | None) -> _Sizes:
    true, far, s = *_moments(body, MULTIPOLE_ORDER), reach(body)
    i, scale = np.arange(MULTIPOLE_TERMS), s / distance
    beyond = far * scale ** np.maximum(i, MULTIPOLE_ORDER)
    if is_exact(body) and (degree is None or degree > SECOND_MOMENTS):
        return _Sizes(
            _moment_sizes(true, beyond, scale), _moment_sizes(true, beyond, scale), np.zeros(MULTIPOLE_TERMS), far
        )
    if degree is None or degree <= SECOND_MOMENTS:
        kept = [Q if k <= (SECOND_MOMENTS if degree is None else degree) else 0.0 * Q for k, Q in enumerate(true)]
        found, weight = np.zeros(MULTIPOLE_TERMS), 0.0
    else:
        kept, weight = _moments(body, degree)
        found = weight * scale ** np.maximum(i, MULTIPOLE_ORDER)
    lost = [Q - P if k > (SECOND_MOMENTS if degree is None else degree) else 0.0 * Q
            for k, (Q, P) in enumerate(zip(true, kept, strict=True))]  # fmt: skip
    return _Sizes(
        _moment_sizes(true, beyond, scale),
        _moment_sizes(kept, found, scale),
        _moment_sizes(lost, beyond + found, scale),
        max(far, weight),
    )


def _moment_sizes(moments: list[np.ndarray], beyond: np.ndarray, scale: float) -> np.ndarray:
    """Sizes of moments over powers of the distance, and bounds beyond those that are known."""
    sizes = beyond.copy()
    for k, Q in enumerate(moments):
        sizes[k] = scale**k * sqrt(abs(Q[0]) ** 2 + 2.0 * float((np.abs(Q[1:]) ** 2).sum()))
    return sizes


@lru_cache(maxsize=256)
def _moments(body: Body, degree: int) -> tuple[list[np.ndarray], float]:
    """Multipole moments Q_lm, m = 0 … l, for l up to `MULTIPOLE_ORDER`,
    over the mass and powers of the reach, of points with the body's moments
    up to the degree; and the mean of |x|^MULTIPOLE_ORDER, which bounds those beyond."""
    s = reach(body)
    if body.measure is None or s == 0.0:
        return [np.eye(1, k + 1)[0] * (k == 0) for k in range(MULTIPOLE_ORDER + 1)], 0.0
    points, masses = point_masses(body.measure, degree)
    center, m = np.asarray(value(body.center), dtype=float), np.asarray(value(masses), dtype=float)
    x, y, z = ((np.asarray(value(points), dtype=float) - center) / s).T
    m, square = m / m.sum(), x * x + y * y + z * z
    found: list[list[complex]] = [[] for _ in range(MULTIPOLE_ORDER + 1)]
    first = m.astype(complex)
    for order in range(MULTIPOLE_ORDER + 1):
        # masses times |x|^l P_l^m e^{imφ}/(l + m)!, by its recurrence in l
        before, now = np.zeros_like(first), first
        for k in range(order, MULTIPOLE_ORDER + 1):
            found[k].append(complex(now.sum()) * sqrt(factorial(k - order) * factorial(k + order)))
            before, now = now, ((2 * k + 1) * z * now - square * before) / ((k + 1) ** 2 - order**2)
        first = first * (-(x + 1j * y) / (2 * (order + 1)))
    return [np.array(row) for row in found], float(np.abs(m) @ square ** (MULTIPOLE_ORDER / 2))
