"""Sparse LDLᵀ of a symmetric matrix whose pattern does not change: the pattern of L is found once, numbers are computed in place.

Davis, Algorithm 849: A Concise Sparse Cholesky Factorization Package, ACM Trans. Math. Softw. 31 (2005) 587.
"""

from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.rank import SINGULAR_PROJECTION
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS

INDEPENDENT = -1
"""What `factorize` returns where all rows are independent."""


class Factors(NamedTuple):
    """A matrix A (n, n) by columns of its upper half, its factors L D Lᵀ, and arrays to work in."""

    begins: np.ndarray
    """Where the columns of A begin (n + 1,)."""
    rows: np.ndarray
    """Rows of the entries of A, up to the diagonal."""
    places: np.ndarray
    """Where the numbers of these entries stand in ``values``."""
    values: np.ndarray
    """The numbers of A, in an order of their own."""
    parent: np.ndarray
    """The elimination tree (n,), −1 for a root."""
    columns: np.ndarray
    """Where the columns of L begin (n + 1,)."""
    L_rows: np.ndarray
    L: np.ndarray
    D: np.ndarray
    diagonal: np.ndarray
    """Diagonal of A (n,), as it was factorized."""
    sizes: np.ndarray
    """The sums of the sizes of the terms of the diagonal (n,), by which its round-off is measured; zero where these are not known."""
    kept: np.ndarray
    """Which rows count (n,); others are left out of A, and their unknowns are zero."""
    counts: np.ndarray
    flags: np.ndarray
    pattern: np.ndarray
    work: np.ndarray


def factors_of(begins: np.ndarray, rows: np.ndarray, places: np.ndarray, numbers: int) -> Factors:
    """Room for the factors of a matrix with this pattern: columns of the upper half, rows in them, and places of their ``numbers``."""
    n = len(begins) - 1
    parent, counts, flags = np.full(n, -1), np.zeros(n, dtype=np.int64), np.full(n, -1)
    _find_pattern(begins, rows, parent, counts, flags)
    columns = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    counts, flags, pattern = (np.zeros(n, dtype=np.int64) for _ in range(3))
    entries = max(int(columns[-1]), 1)
    return Factors(begins, rows, places, np.zeros(max(numbers, 1)), parent, columns, np.zeros(entries, dtype=np.int64),
                   np.zeros(entries), np.ones(n), np.ones(n), np.zeros(n), np.ones(n, dtype=np.bool_), counts, flags, pattern,
                   np.zeros(n))  # fmt: skip


@njit(nogil=True, cache=True)
def _find_pattern(begins, rows, parent, counts, flags):
    """Find the elimination tree, and the number of entries of every column of L below the diagonal."""
    for k in range(len(parent)):
        flags[k] = k
        for p in range(begins[k], begins[k + 1]):
            i = rows[p]
            while flags[i] != k:
                if parent[i] == -1:
                    parent[i] = k
                counts[i] += 1
                flags[i] = k
                i = parent[i]


@njit(nogil=True, cache=True, error_model="numpy")
def factorize(factors, drops):
    """Compute L and D. Returns the first row that depends on those before it, or `INDEPENDENT`.

    ``drops``: rows that depend on others are left out from then on, and `INDEPENDENT` is returned.
    """
    begins, rows, places, values = factors.begins, factors.rows, factors.places, factors.values
    columns, L_rows, L, D = factors.columns, factors.L_rows, factors.L, factors.D
    counts, flags, pattern, y, kept = factors.counts, factors.flags, factors.pattern, factors.work, factors.kept
    n = len(D)
    for k in range(n):
        flags[k], counts[k], y[k], top = k, 0, 0.0, n
        if not kept[k]:
            D[k] = 1.0
            continue
        for p in range(begins[k], begins[k + 1]):
            i = rows[p]
            if not kept[i]:
                continue
            y[i] += values[places[p]]
            length = 0
            while flags[i] != k:
                pattern[length] = i
                length += 1
                flags[i] = k
                i = factors.parent[i]
            while length > 0:
                top -= 1
                length -= 1
                pattern[top] = pattern[length]
        D[k] = factors.diagonal[k] = y[k]
        y[k] = 0.0
        for place in range(top, n):
            i = pattern[place]
            here, y[i] = y[i], 0.0
            end = columns[i] + counts[i]
            for p in range(columns[i], end):
                y[L_rows[p]] -= L[p] * here
            share = here / D[i]
            D[k] -= share * here
            L_rows[end], L[end] = k, share
            counts[i] += 1
        if not D[k] > max(SINGULAR_PROJECTION * factors.diagonal[k], HUNDRED_ROUND_OFFS * factors.sizes[k]):
            if not drops:
                return k
            kept[k], D[k] = False, 1.0
            for place in range(top, n):
                i = pattern[place]
                counts[i] -= 1
    return INDEPENDENT


@njit(nogil=True, cache=True)
def solve(factors, x):
    """Put the solution of A x = b into x (n,), which holds b."""
    solve_part(factors, x, 0, len(x))


@njit(nogil=True, cache=True)
def solve_part(factors, x, begin, end):
    """The same for the rows begin … end alone, which no other rows are joined with."""
    columns, counts, L_rows, L = factors.columns, factors.counts, factors.L_rows, factors.L
    for k in range(begin, end):
        if not factors.kept[k]:
            x[k] = 0.0
    for i in range(begin, end):
        for p in range(columns[i], columns[i] + counts[i]):
            x[L_rows[p]] -= L[p] * x[i]
    for i in range(begin, end):
        x[i] /= factors.D[i]
    for i in range(end - 1, begin - 1, -1):
        for p in range(columns[i], columns[i] + counts[i]):
            x[i] -= L[p] * x[L_rows[p]]
