"""Coefficient n of every value of a series program from coefficients 0 … n of its operands and lower ones of its own.

Products are convolutions; a function y of x is grown from y′ = g x′ or y′ s = x′ with known series g or s. Telegin 2014,
conclusion; Knuth, The Art of Computer Programming 2, 4.7; Jorba and Zou, Experiment. Math. 14 (2005) 99.
"""

import numpy as np

from vinculum.compile import calls  # noqa: F401 - where Numba keeps what it compiles
from vinculum.compile.kernels import njit
from vinculum.compile.series.program import (
    ABS,
    ADD,
    ALONG,
    ANGLE,
    CHOOSE,
    DIV,
    GREATER,
    GROW,
    LESSER,
    MUL,
    NEG,
    POWER,
    REMAINDER,
    SCALE,
    SHRINK,
    SIGNED,
    SQRT,
    SUB,
)


@njit(nogil=True, cache=True, error_model="numpy")
def convolution(W, a, b, n, first, last):
    """Σ a_k b_{n−k} for k from ``first`` to ``last``."""
    total = 0.0
    for k in range(first, last + 1):
        total += W[a, k] * W[b, n - k]
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def weighted_sum(W, x, g, n, last):
    """Σ k x_k g_{n−k} for k from 1 to ``last``: n times coefficient n of the integral of g x′."""
    total = 0.0
    for k in range(1, last + 1):
        total += k * W[x, k] * W[g, n - k]
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def next_values(code, moving, W, n):
    """Coefficient n ≥ 1 of every moving row."""
    for place in range(moving.shape[0]):
        i = moving[place]
        kind, r, a, b, c = code[i, 0], code[i, 1], code[i, 2], code[i, 3], code[i, 4]
        if kind == ADD:
            W[r, n] = W[a, n] + W[b, n]
        elif kind == SUB:
            W[r, n] = W[a, n] - W[b, n]
        elif kind == MUL:
            W[r, n] = convolution(W, a, b, n, 0, n)
        elif kind == SCALE:
            W[r, n] = W[a, 0] * W[b, n]
        elif kind == NEG:
            W[r, n] = -W[a, n]
        elif kind == GROW:
            W[r, n] = W[c, 0] * weighted_sum(W, a, b, n, n) / n
        elif kind == DIV:
            W[r, n] = (W[a, n] - convolution(W, b, r, n, 1, n)) / W[b, 0]
        elif kind == SHRINK:
            W[r, n] = W[a, n] / W[b, 0]
        elif kind == SQRT:
            W[r, n] = (W[a, n] - convolution(W, r, r, n, 1, n - 1)) / (2.0 * W[r, 0])
        elif kind == ALONG:
            W[r, n] = (W[a, n] - weighted_sum(W, r, b, n, n - 1) / n) / W[b, 0]
        elif kind == POWER:
            total = 0.0
            for k in range(1, n + 1):
                total += (W[b, 0] * k - (n - k)) * W[a, k] * W[r, n - k]
            W[r, n] = total / (n * W[a, 0])
        elif kind == ANGLE:
            turn = weighted_sum(W, a, b, n, n) - weighted_sum(W, b, a, n, n) - weighted_sum(W, r, c, n, n - 1)
            W[r, n] = turn / (n * W[c, 0])
        elif kind == CHOOSE:
            W[r, n] = W[b, n] if W[a, 0] != 0.0 else W[c, n]
        elif kind == ABS:
            W[r, n] = W[a, n] if W[a, 0] > 0.0 else -W[a, n]
        elif kind == LESSER:
            W[r, n] = W[a, n] if W[a, 0] < W[b, 0] else W[b, n]
        elif kind == GREATER:
            W[r, n] = W[a, n] if W[a, 0] > W[b, 0] else W[b, n]
        elif kind == SIGNED:
            W[r, n] = W[a, n] if W[a, 0] * W[b, 0] > 0.0 else -W[a, n]
        elif kind == REMAINDER:
            W[r, n] = W[a, n] - np.trunc(W[a, 0] / W[b, 0]) * W[b, n]


@njit(nogil=True, cache=True, error_model="numpy")
def spread(code, tangent, W, D):
    """What a change of the accelerations' coefficients, written in D, changes in every row that holds them.

    The same in every order, since they occur linearly and meet only constant terms.
    """
    for place in range(tangent.shape[0]):
        i = tangent[place]
        kind, r, a, b, c = code[i, 0], code[i, 1], code[i, 2], code[i, 3], code[i, 4]
        if kind == ADD:
            D[r] = D[a] + D[b]
        elif kind == SUB:
            D[r] = D[a] - D[b]
        elif kind == NEG:
            D[r] = -D[a]
        elif kind == CHOOSE:
            D[r] = D[b] if W[a, 0] != 0.0 else D[c]
        elif kind in (DIV, SHRINK):
            D[r] = D[a] / W[b, 0]
        else:
            D[r] = D[a] * W[b, 0] + W[a, 0] * D[b]
