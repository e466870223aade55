"""Conditions along the steps of a run: rows at which they are evaluated, their violation, their distance from
dependence.
"""

from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import run_batch
from vinculum.compile.kernels import njit
from vinculum.tolerances.constraints import FLAT_CONDITION


class Layout(NamedTuple):
    """Which conditions are kept, their levels, where gaps, rates, derivatives and sizes begin in outputs, and numbers of freedoms."""

    kept: np.ndarray
    levels: np.ndarray
    begins: np.ndarray
    nq: int
    nv: int


class Seen(NamedTuple):
    """Violations at the ends of steps (S, m), and Jacobians where they begin, on the way and where they end (3 S, k, nv)."""

    broken: np.ndarray
    J: np.ndarray


@njit(nogil=True, cache=True)
def rows_along(series, times, parameters, look, X):
    """The length of the longest of S steps; X (3 S, n + 1 + p) becomes rows of (state, t, parameters) where they begin, at a part
    ``look`` of each and where they end."""
    count, n, orders = series.shape
    longest = 0.0
    for k in range(count):
        h = times[k + 1] - times[k]
        s, longest = look * h, max(longest, h)
        for i in range(n):
            ahead = series[k, i, orders - 1]
            end = ahead
            for j in range(orders - 2, -1, -1):
                ahead = ahead * s + series[k, i, j]
                end = end * h + series[k, i, j]
            X[k, i], X[count + k, i], X[2 * count + k, i] = series[k, i, 0], ahead, end
        X[k, n], X[count + k, n], X[2 * count + k, n] = times[k], times[k] + s, times[k + 1]
        for part in range(3):
            for i in range(len(parameters)):
                X[part * count + k, n + 1 + i] = parameters[i]
    return longest


@njit(nogil=True, cache=True)
def put_violations(X, Y, levels, begins, nq, nv, found):
    """Put |F| (B, m) of all conditions into ``found``: of places in their own sizes, of rows on velocities as parts of the largest
    velocity, if above one; steep rows are measured by the coordinates that would have to change.

    X, Y: rows of inputs and outputs; ``begins``: where gaps, rates, derivatives and sizes begin in outputs.
    """
    for b in range(len(Y)):
        speed = 1.0
        for j in range(nq, nq + nv):
            speed = max(speed, abs(X[b, j]))
        for r, level in enumerate(levels):
            size = Y[b, begins[3] + r]
            size = size if size > 0.0 else 1.0
            steep = 0.0
            for j in range(nv):
                slope = abs(Y[b, begins[2] + r * nv + j] / size)
                steep = max(steep, slope) if np.isfinite(slope) else np.inf
            steep = steep if np.isfinite(steep) and steep > FLAT_CONDITION else 1.0
            F = Y[b, begins[1] + r] / size / speed if level == 1 else Y[b, begins[0] + r] / size
            found[b, r] = abs(F) / max(1.0, steep)


@njit(nogil=True, cache=True)
def watch(X, Y, layout, seen):
    """The largest violation; what is to be seen in rows along steps and in their outputs is put into ``seen``."""
    (kept, levels, begins, nq, nv), (broken, J) = layout, seen
    count = len(X) // 3
    put_violations(X[2 * count :], Y[2 * count :], levels, begins, nq, nv, broken)
    for b in range(3 * count):
        for i, r in enumerate(kept):
            size = Y[b, begins[3] + r]
            size = size if size > 0.0 else 1.0
            for j in range(nv):
                J[b, i, j] = Y[b, begins[2] + r * nv + j] / size
    worst = 0.0
    for b in range(count):
        for r in range(broken.shape[1]):
            worst = broken[b, r] if broken[b, r] > worst else worst
    return worst


@njit(nogil=True, cache=True)
def watch_along(batch, steps, parameters, look, layout, rows, seen):
    """The longest step and the largest violation.

    ``steps``: series and edges. `rows_along` them are put into the first of ``rows``, their outputs by the machine code at the address
    ``batch`` into the second. Without machine code the rest is left to `watch`.
    """
    (series, times), (X, Y) = steps, rows
    longest = rows_along(series, times, parameters, look, X)
    if batch == 0:
        return longest, 0.0
    run_batch(batch, X, Y)
    return longest, watch(X, Y, layout, seen)


@njit(nogil=True, cache=True)
def first_above(found, limit):
    """The first row of ``found`` (B, m) with a number above the limit; −1 if there is none."""
    for b in range(found.shape[0]):
        for r in range(found.shape[1]):
            if found[b, r] > limit:
                return b
    return -1
