"""Radius of convergence of a power series, estimated from its coefficients."""

import numpy as np

from vinculum.tolerances.rank import DEPENDENT_LAGS
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS

LAGS = 4
FEWEST_ORDERS = 3 * LAGS
TRUSTED = (0.75, 1.5)


def radius_of_convergence(coefficients: np.ndarray) -> float:
    r"""An estimate of the radius of convergence of series (n, order + 1) that share their singularities.

    Poles at z_1 … z_m nearest to the start make the coefficients follow a recurrence with the roots z_i,

    .. math:: c_n \approx s_1 c_{n-1} + \dots + s_m c_{n-m},\qquad 1 - s_1 z - \dots - s_m z^m = 0,

    fitted with m = 4 (two pairs of complex conjugates) to the last third of the coefficients of all series together; the
    smallest root is the radius. Where it departs from the plain root test (the slope of log |c_n|), or there are fewer than
    12 terms, the latter is taken. Infinite if the last coefficients vanish: a polynomial. For an entire function the
    estimate is finite and grows with the order. de Montessus de Ballore, Bull. Soc. Math. France 30 (1902) 28.
    """
    c = coefficients[np.abs(coefficients[:, 1:]).max(axis=1, initial=0.0) > 0.0]
    order = c.shape[1] - 1
    if order < 2 or not len(c):
        return float("inf")
    powers = np.arange(order + 1)
    c = c / np.abs(c).max(axis=1, keepdims=True)
    size = np.abs(c).max(axis=0)
    known = np.flatnonzero(size > 0.0)
    first = max(1, 2 * order // 3)
    late = known[known >= first]
    if not len(late):
        return float("inf")
    near = float(np.min(size[late] ** (-1.0 / late)))
    scaled = c * near**powers
    if np.abs(scaled[:, first:]).max() < HUNDRED_ROUND_OFFS * np.abs(scaled).max():
        return float("inf")
    slope = near * _decay(np.abs(scaled).max(axis=0), order)
    if order < FEWEST_ORDERS:
        return slope
    fitted = near * _smallest_root(scaled / np.abs(scaled).max(axis=1, keepdims=True), order)
    return fitted if TRUSTED[0] * slope < fitted < TRUSTED[1] * slope else slope


def _decay(size: np.ndarray, order: int) -> float:
    """exp of the fall of log |c_n| over the last half, each with its larger neighbour, as every second may vanish."""
    places = np.arange(max(1, order // 2), order + 1)
    envelope = np.array([size[max(k - 1, 0) : k + 2].max() for k in places])
    seen = envelope > 0.0
    if seen.sum() < 2:
        return 1.0
    return float(np.exp(-np.polyfit(places[seen], np.log(envelope[seen]), 1)[0]))


def _smallest_root(c: np.ndarray, order: int) -> float:
    places = range(max(LAGS, order - order // 3), order + 1)
    before = np.concatenate([np.stack([c[:, k - j] for j in range(1, LAGS + 1)], axis=1) for k in places])
    after = np.concatenate([c[:, k] for k in places])
    s = np.linalg.lstsq(before, after, rcond=DEPENDENT_LAGS)[0]
    roots = np.roots([*-s[::-1], 1.0])
    return float(np.abs(roots).min()) if len(roots) else float("inf")
