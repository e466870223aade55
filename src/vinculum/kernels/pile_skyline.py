r"""Factors of a matrix over the velocities of a pile: rows begin where the first neighbor of a body does, and keep their shape.

.. math:: A = L\,U,\qquad L_{ij} = 0 \text{ and } U_{ji} = 0 \text{ for } j < f_i

Bodies are numbered outward from one of them, so that neighbors have numbers that are near. Six rows belong to each body.
Cuthill and McKee, Proc. 24th ACM National Conf. (1969) 157; George and Liu,
Computer Solution of Large Sparse Positive Definite Systems (1981).
"""

import numpy as np
from numba import njit

from vinculum.kernels import calls  # noqa: F401  (it tells Numba where to keep what it compiles)


@njit(nogil=True, cache=True, error_model="numpy")
def numbered(m, who, moving):
    """Numbers of moving bodies outward from the first of every cluster, (moving,)."""
    head, count = np.zeros(moving + 1, dtype=np.int64), 0
    for c in range(m):
        i, j = who[c, 0], who[c, 1]
        if i < moving and j < moving:
            head[i + 1] += 1
            head[j + 1] += 1
    for i in range(moving):
        head[i + 1] += head[i]
    beside, filled = np.empty(head[moving], dtype=np.int64), head.copy()
    for c in range(m):
        i, j = who[c, 0], who[c, 1]
        if i < moving and j < moving:
            beside[filled[i]], beside[filled[j]] = j, i
            filled[i] += 1
            filled[j] += 1
    number, queue = np.full(moving, -1), np.empty(moving, dtype=np.int64)
    for first in range(moving):
        if number[first] >= 0:
            continue
        number[first], queue[count] = count, first
        done, count = count, count + 1
        while done < count:
            i = queue[done]
            done += 1
            for k in range(head[i], head[i + 1]):
                j = beside[k]
                if number[j] < 0:
                    number[j], queue[count] = count, j
                    count += 1
    return number


@njit(nogil=True, cache=True, error_model="numpy")
def profile(m, who, moving, number):
    """First column of every row (6 n,), where rows begin in one long array (6 n + 1,), and multiplications that factors take."""
    least = np.arange(moving)
    for c in range(m):
        i, j = who[c, 0], who[c, 1]
        if i < moving and j < moving:
            a, b = number[i], number[j]
            least[max(a, b)] = min(least[max(a, b)], min(a, b))
    first, begin, work = np.empty(6 * moving, dtype=np.int64), np.zeros(6 * moving + 1, dtype=np.int64), 0.0
    for row in range(6 * moving):
        first[row] = 6 * least[row // 6]
        begin[row + 1] = begin[row] + row + 1 - first[row]
        work += float(row + 1 - first[row]) ** 2
    return first, begin, work


@njit(nogil=True, cache=True, error_model="numpy", fastmath=True)
def _product(a, b, x, y, count):
    s = 0.0
    for k in range(count):
        s += a[x + k] * b[y + k]
    return s


@njit(nogil=True, cache=True, error_model="numpy")
def factored(first, begin, lower, upper):
    """Replace a matrix, its rows left of the diagonal and its columns above it, by its factors in place; False where it is singular."""
    for i in range(len(first)):
        f = first[i]
        for j in range(f, i):
            g = max(f, first[j])
            x, y, count = begin[i] + g - f, begin[j] + g - first[j], j - g
            own = begin[j] + j - first[j]
            place = begin[i] + j - f
            lower[place] = (lower[place] - _product(lower, upper, x, y, count)) / upper[own]
            upper[place] -= _product(upper, lower, x, y, count)
        place = begin[i] + i - f
        upper[place] -= _product(lower, upper, begin[i], begin[i], i - f)
        if not abs(upper[place]) > 0.0:
            return False
    return True


@njit(nogil=True, cache=True, error_model="numpy")
def divided(first, begin, lower, upper, x):
    """Solve in place of x (6 n,) with the factors."""
    n = len(first)
    for i in range(n):
        x[i] -= _product(lower, x, begin[i], first[i], i - first[i])
    for i in range(n - 1, -1, -1):
        f, b = first[i], begin[i]
        x[i] /= upper[b + i - f]
        s = x[i]
        for k in range(f, i):
            x[k] -= s * upper[b + k - f]
