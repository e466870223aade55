"""Linear algebra for tracing: LDLᵀ, Cholesky, solves and 3×3 inverses over floats or symbols. Exact zeros cost
nothing.
"""

import numpy as np

from vinculum.scalars.math import cross, sqrt, vector


def ldl(A) -> tuple[np.ndarray, np.ndarray]:
    """Unit lower triangular L and the diagonal d with A = L diag(d) Lᵀ, for symmetric A (only the lower half is read)."""
    A = vector(A)
    n = len(A)
    L, d, scaled = np.zeros((n, n), dtype=object) + np.eye(n), np.zeros(n, dtype=object), np.zeros((n, n), dtype=object)
    for j in range(n):
        d[j] = A[j, j] - sum((L[j, k] * scaled[j, k] for k in range(j)), 0.0)
        inverse = 1.0 / d[j]
        for i in range(j + 1, n):
            scaled[i, j] = A[i, j] - sum((L[i, k] * scaled[j, k] for k in range(j)), 0.0)
            L[i, j] = 0.0 if _is_zero(scaled[i, j]) else scaled[i, j] * inverse
    return _narrow(L), _narrow(d)


def ldl_solve(A, b) -> np.ndarray:
    """Solution x of A x = b for symmetric A without pivoting; b is a vector or a matrix of columns."""
    L, d = ldl(A)
    b = vector(b)
    columns = b.reshape(len(b), 1) if b.ndim == 1 else b
    x = forward(L, columns)
    x = backward(L.T, x * (1.0 / d).reshape(-1, 1), unit=True)
    return _narrow(x.reshape(b.shape))


def orthogonalize(A) -> tuple[np.ndarray, np.ndarray]:
    """Q with orthogonal columns and unit upper triangular R with A = Q R, by Gram and Schmidt; no column may depend on others."""
    Q = np.array(vector(A), dtype=object)
    n = Q.shape[1]
    R = np.zeros((n, n), dtype=object) + np.eye(n)
    for j in range(n):
        inverse = 1.0 / (Q[:, j] @ Q[:, j])
        for k in range(j + 1, n):
            R[j, k] = (Q[:, j] @ Q[:, k]) * inverse
            if not _is_zero(R[j, k]):
                Q[:, k] = Q[:, k] - R[j, k] * Q[:, j]
    return Q, R


def qr_solve(A, b) -> np.ndarray:
    """Solution x of A x = b for square A that need not be symmetric; without pivoting it needs nothing but full rank.

    Rows are brought to length one first, so that their units do not matter.
    """
    A, b = vector(A), vector(b)
    if len(A) == 1:
        return _narrow(np.array([b[0] / A[0, 0]], dtype=object))
    lengths = np.array([1.0 / sqrt(row @ row) for row in A], dtype=object)
    A, b = A * lengths[:, None], b * lengths
    Q, R = orthogonalize(A)
    x, left = np.zeros(len(b), dtype=object), np.array(b, dtype=object)
    for j in range(len(b)):
        x[j] = (Q[:, j] @ left) / (Q[:, j] @ Q[:, j])
        left = left - x[j] * Q[:, j]
    return _narrow(backward(R, x.reshape(-1, 1), unit=True).ravel())


def cholesky(A) -> np.ndarray:
    """Lower triangular G with A = G Gᵀ, for symmetric positive definite A."""
    L, d = ldl(A)
    return _narrow(L * sqrt(d))


def cholesky_solve(A, b) -> np.ndarray:
    """Solution x of A x = b for symmetric positive definite A, through A = G Gᵀ."""
    G = cholesky(A)
    b = vector(b)
    columns = b.reshape(len(b), 1) if b.ndim == 1 else b
    return _narrow(backward(G.T, forward(G, columns, unit=False), unit=False).reshape(b.shape))


def forward(L, B, unit: bool = True) -> np.ndarray:
    """Solution X of L X = B for lower triangular L."""
    X = np.array(B, dtype=object)
    for i in range(len(X)):
        for k in range(i):
            if not _is_zero(L[i, k]):
                X[i] = X[i] - L[i, k] * X[k]
        if not unit:
            X[i] = X[i] / L[i, i]
    return X


def backward(U, B, unit: bool = True) -> np.ndarray:
    """Solution X of U X = B for upper triangular U."""
    X = np.array(B, dtype=object)
    for i in reversed(range(len(X))):
        for k in range(i + 1, len(X)):
            if not _is_zero(U[i, k]):
                X[i] = X[i] - U[i, k] * X[k]
        if not unit:
            X[i] = X[i] / U[i, i]
    return X


def inverse3(A) -> np.ndarray:
    """Inverse of a 3×3 matrix by its adjugate."""
    A = vector(A)
    rows = np.array([cross(A[:, 1], A[:, 2]), cross(A[:, 2], A[:, 0]), cross(A[:, 0], A[:, 1])])
    return _narrow(rows * (1.0 / (rows[0] @ A[:, 0])))


def _is_zero(x) -> bool:
    return isinstance(x, (float, int)) and x == 0.0


def _narrow(array: np.ndarray) -> np.ndarray:
    return array.astype(float) if all(isinstance(x, (float, int)) for x in array.ravel()) else array
