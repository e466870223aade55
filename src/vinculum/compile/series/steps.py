"""The power series of a motion about a state, and a time loop that goes from series to series."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.compile.series.recurrences import next_values, spread
from vinculum.compile.series.values import FINE, NOT_FINITE, start_values
from vinculum.tolerances.steps import LAST_STRETCHED, SERIES_BEGIN, SERIES_COLLAPSED, SMALLEST_PIVOT, STEP_REFINEMENTS

MASSLESS, DONE, FULL, COLLAPSED = 10, 11, 12, 13


class Program(NamedTuple):
    """Instructions of a series: all, those that move and those of the tangent, and the rows of the residual, then of q̇."""

    code: np.ndarray
    moving: np.ndarray
    tangent: np.ndarray
    results: np.ndarray


class Sizes(NamedTuple):
    """Numbers of coordinates and velocities, and the order of the series."""

    nq: int
    nv: int
    order: int


class Span(NamedTuple):
    """From when until when steps go, and the longest of them [s]."""

    t: float
    until: float
    longest: float


@njit(nogil=True, cache=True, error_model="numpy")
def factor(M):
    """The lower Cholesky factor in place; False if the matrix is not positive definite."""
    for j in range(M.shape[0]):
        d = M[j, j]
        for k in range(j):
            d -= M[j, k] * M[j, k]
        if not d > SMALLEST_PIVOT * M[j, j]:
            return False
        d = np.sqrt(d)
        for i in range(j + 1, M.shape[0]):
            total = M[i, j]
            for k in range(j):
                total -= M[i, k] * M[j, k]
            M[i, j] = total / d
        M[j, j] = d
    return True


@njit(nogil=True, cache=True, error_model="numpy")
def solve(G, x):
    """The solution of G Gᵀ y = x, in place of x."""
    n = x.shape[0]
    for i in range(n):
        for k in range(i):
            x[i] -= G[i, k] * x[k]
        x[i] /= G[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] -= G[k, i] * x[k]
        x[i] /= G[i, i]


@njit(nogil=True, cache=True, error_model="numpy")
def expand(program, W, D, G, sizes, t):
    r"""Coefficients 1 … order of coordinates and velocities, from coefficient 0 in W.

    .. math:: M(q_0)\,(n+1)\,v_{n+1} = -\rho_n,\qquad (n+1)\,q_{n+1} = (N(q)\,v)_n

    ρ_n: coefficient n of the residual with v_{n+1} = 0. Rows of W: q, v, t, accelerations, parameters, constants,
    values. Telegin 2014, conclusion.
    """
    (code, moving, tangent, results), (nq, nv, order) = program, sizes
    first = nq + nv + 1
    for r in range(first + nv):
        for n in range(1, order + 1):
            W[r, n] = 0.0
    W[nq + nv, 0] = t
    if order > 0:
        W[nq + nv, 1] = 1.0
    for j in range(nv):
        W[first + j, 0] = 0.0
    status, where = start_values(code, moving, W)
    if status != FINE:
        return status, where
    for j in range(nv):
        for i in range(nv):
            D[first + i] = 1.0 if i == j else 0.0
        spread(code, tangent, W, D)
        for i in range(nv):
            G[i, j] = D[results[i]]
    if not factor(G):
        return MASSLESS, 0
    a = np.empty(nv)
    for n in range(order):
        if n:
            next_values(code, moving, W, n)
        for i in range(nv):
            a[i] = -W[results[i], n]
        solve(G, a)
        for i in range(nv):
            if not np.isfinite(a[i]):
                return NOT_FINITE, -1
            D[first + i] = a[i]
            W[first + i, n] = a[i]
            W[nq + i, n + 1] = a[i] / (n + 1)
        spread(code, tangent, W, D)
        for place in range(tangent.shape[0]):
            r = code[tangent[place], 1]
            W[r, n] += D[r]
        for i in range(nq):
            W[i, n + 1] = W[results[nv + i], n] / (n + 1)
    return FINE, 0


@njit(nogil=True, cache=True, error_model="numpy")
def step_length(W, n, order, groups, tolerance, longest):
    r"""The longest h for which the last two terms of every group of the state are below the tolerance.

    .. math:: |x_j| h^j \le \epsilon \max_{k} |x_k| h^k, \qquad j = p - 1, p

    Groups share a joint, a kind and a unit, and are measured in the maximum norm. Jorba and Zou, 3.2.
    """
    count = 0
    for i in range(n):
        count = max(count, groups[i] + 1)
    size = np.zeros((count, order + 1))
    for i in range(n):
        for k in range(order + 1):
            size[groups[i], k] = max(size[groups[i], k], abs(W[i, k]))
    h = longest
    for _ in range(STEP_REFINEMENTS):
        shorter = h
        for g in range(count):
            scale = 0.0
            power = 1.0
            for k in range(order - 1):
                scale = max(scale, size[g, k] * power)
                power *= h
            for j in range(order - 1, order + 1):
                last = size[g, j] * power
                power *= h
                if scale > 0.0 and last > tolerance * scale:
                    shorter = min(shorter, h * (tolerance * scale / last) ** (1.0 / j))
        if shorter > 0.999 * h:
            return shorter
        h = shorter
    return h


@njit(nogil=True, cache=True, error_model="numpy")
def advance(program, W, sizes, span, groups, tolerance, times, coefficients):
    """Steps from the state in W until the end or until ``coefficients`` (S, n, order + 1) are full.

    Returns a status, the number of steps, and the instruction that a failure is about.
    """
    (nq, nv, order), (t, until, longest) = sizes, span
    n, D, G = nq + nv, np.zeros(W.shape[0]), np.empty((nv, nv))
    begin = t
    times[0] = t
    for step in range(coefficients.shape[0]):
        if t >= until:
            return DONE, step, 0
        status, where = expand(program, W, D, G, sizes, t)
        if status != FINE:
            return status, step, where
        h = step_length(W, n, order, groups, tolerance, min(longest, until - t))
        if not h > SERIES_COLLAPSED * max(abs(t), SERIES_BEGIN * (until - begin)):
            return COLLAPSED, step, 0
        end = until if t + h > until - LAST_STRETCHED * h else t + h
        h = end - t
        for i in range(n):
            total = 0.0
            for k in range(order, -1, -1):
                coefficients[step, i, k] = W[i, k]
                total = total * h + W[i, k]
            W[i, 0] = total
            if not np.isfinite(total):
                return NOT_FINITE, step, -1
        t = end
        times[step + 1] = t
    return DONE if t >= until else FULL, coefficients.shape[0], 0
