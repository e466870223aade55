"""Inputs and outputs of the tapes of a step."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH

ZERO, ONE = np.int64(0), np.int64(1)
"""Positions and lanes as Numba integers. Plain numbers have their own types, and called functions would be compiled once for each."""


@njit(nogil=True, cache=True)
def put(x, i, value):
    for j in range(WIDTH):
        x[i, j] = value


@njit(nogil=True, cache=True)
def put_all(x, first, values):
    for i in range(len(values)):
        put(x, first + i, values[i])


@njit(nogil=True, cache=True)
def to_length_one(q, quaternions):
    for k in range(len(quaternions)):
        i = quaternions[k]
        size = np.sqrt(q[i] ** 2 + q[i + 1] ** 2 + q[i + 2] ** 2 + q[i + 3] ** 2)
        for j in range(4):
            q[i + j] /= size


@njit(nogil=True, cache=True)
def to_the_middle(program, step):
    """Set coordinates and time to the middle of a step on its parabola, where impulses act."""
    x, place, q, h, slow, fast = program.x, program.place, step.q, step.length, step.slow, step.fast
    for i in range(len(q)):
        place[i] = q[i] + h * (0.375 * slow[i] + 0.125 * fast[i])
    to_length_one(place, program.quaternions)
    put_all(x, ZERO, place)
    put(x, program.n, step.t + 0.5 * h)


@njit(nogil=True, cache=True)
def to_both_ends(program, step):
    """Set coordinates and time of all lanes to the end of a step, and of lane 1 to its beginning."""
    x, n, q, t, h, slow, fast = program.x, program.n, step.q, step.t, step.length, step.slow, step.fast
    for i in range(len(q)):
        put(x, i, q[i] + 0.5 * h * (slow[i] + fast[i]))
        x[i, 1] = q[i]
    put(x, n, t + h)
    x[n, 1] = t


@njit(nogil=True, cache=True)
def read(z, into):
    """Write gaps, drifts, Jacobians, mass matrix, and the Jacobians and drifts of bilateral conditions to the rows ``into``."""
    gap, drift, H, M, G = into
    m, rows, nv = len(gap), len(drift), len(M)
    for c in range(m):
        gap[c] = z[c, 0]
    for k in range(rows):
        drift[k] = z[m + k, 0]
        for j in range(nv):
            H[k, j] = z[m + rows + k * nv + j, 0]
    first = m + rows + rows * nv
    for i in range(nv):
        for j in range(nv):
            M[i, j] = z[first + i * nv + j, 0]
    first += nv * nv
    for i in range(len(G)):
        for j in range(nv):
            G[i, j] = z[first + i * nv + j, 0]
        G[i, nv] = z[first + len(G) * nv + i, 0]


@njit(nogil=True, cache=True)
def read_law(z, m, nv, lane, H, G):
    """Jacobians with drifts of unilateral constraints and of bilateral conditions, from one lane of an evaluation."""
    rows = len(H)
    for k in range(rows):
        H[k, nv] = z[m + k, lane]
        for j in range(nv):
            H[k, j] = z[m + rows + k * nv + j, lane]
    start = m + rows + rows * nv + nv * nv
    for i in range(len(G)):
        for j in range(nv):
            G[i, j] = z[start + i * nv + j, lane]
        G[i, nv] = z[start + len(G) * nv + i, lane]


@njit(nogil=True, cache=True)
def as_in_the_middle(H, drift, begin, end, first, last):
    """Use the Jacobians in the middle of a step also at its ends, for contacts between shapes, which are found in the middle."""
    nv = H.shape[1]
    for k in range(begin, end):
        first[k, nv] = last[k, nv] = drift[k]
        for j in range(nv):
            first[k, j] = last[k, j] = H[k, j]
