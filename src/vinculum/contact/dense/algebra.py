"""Small dense linear algebra in loops, which Numba compiles ten times faster than NumPy's functions."""

import numpy as np

from vinculum.compile.kernels import njit


@njit(nogil=True, cache=True)
def product(A, x, y):
    """y = A x."""
    for i in range(A.shape[0]):
        total = 0.0
        for j in range(A.shape[1]):
            total += A[i, j] * x[j]
        y[i] = total


@njit(nogil=True, cache=True)
def transposed_product(A, x, y):
    """y = Aᵀ x."""
    for j in range(A.shape[1]):
        y[j] = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            y[j] += A[i, j] * x[i]


@njit(nogil=True, cache=True)
def factor(A):
    """Cholesky factor of a positive definite matrix in its lower triangle, in place; NaN if the matrix is not positive definite."""
    n = len(A)
    for j in range(n):
        total = A[j, j]
        for k in range(j):
            total -= A[j, k] * A[j, k]
        A[j, j] = np.sqrt(total) if total > 0.0 else np.nan
        for i in range(j + 1, n):
            total = A[i, j]
            for k in range(j):
                total -= A[i, k] * A[j, k]
            A[i, j] = total / A[j, j]


@njit(nogil=True, cache=True)
def solve(L, b):
    """Solve L Lᵀ x = b; the solution overwrites b."""
    n = len(L)
    for i in range(n):
        total = b[i]
        for k in range(i):
            total -= L[i, k] * b[k]
        b[i] = total / L[i, i]
    for i in range(n - 1, -1, -1):
        total = b[i]
        for k in range(i + 1, n):
            total -= L[k, i] * b[k]
        b[i] = total / L[i, i]


@njit(nogil=True, cache=True)
def inverse(M):
    """The inverse of a positive definite matrix."""
    n = len(M)
    L, K, e = M.copy(), np.empty((n, n)), np.empty(n)
    factor(L)
    for j in range(n):
        for i in range(n):
            e[i] = 1.0 if i == j else 0.0
        solve(L, e)
        for i in range(n):
            K[i, j] = e[i]
    return K


@njit(nogil=True, cache=True)
def between(A, K, B):
    """A K Bᵀ."""
    m, n = A.shape
    half, result = np.zeros((m, n)), np.zeros((m, len(B)))
    for i in range(m):
        for k in range(n):
            if A[i, k] != 0.0:
                for j in range(n):
                    half[i, j] += A[i, k] * K[k, j]
    for i in range(m):
        for j in range(len(B)):
            total = 0.0
            for k in range(n):
                total += half[i, k] * B[j, k]
            result[i, j] = total
    return result


@njit(nogil=True, cache=True)
def congruence(J, K):
    """J K Jᵀ for a symmetric K."""
    m, n = J.shape
    half, result = np.zeros((m, n)), np.zeros((m, m))
    for i in range(m):
        for k in range(n):
            if J[i, k] != 0.0:
                for j in range(n):
                    half[i, j] += J[i, k] * K[k, j]
    for i in range(m):
        for j in range(i + 1):
            total = 0.0
            for k in range(n):
                total += half[i, k] * J[j, k]
            result[i, j] = total
            result[j, i] = total
    return result
