"""Null spaces of small matrices, with readable bases."""

import numpy as np

from vinculum.tolerances.rank import CLEAN, DEPENDENT_ROWS, NULL_VECTOR


def null_space(A: np.ndarray) -> np.ndarray:
    """An orthonormal basis (k, n) of the x with A x = 0, for A (m, n) whose entries are of order one or vanish."""
    A = A.reshape(-1, A.shape[-1])
    if not len(A):
        return np.eye(A.shape[1])
    small = np.zeros((A.shape[1], A.shape[1]))
    triangle = np.linalg.qr(A, mode="r")
    small[: len(triangle)] = triangle
    _, sizes, vectors = np.linalg.svd(small)
    return vectors[sizes <= NULL_VECTOR * np.sqrt(len(A))]


def tidy_basis(basis: np.ndarray) -> np.ndarray:
    """The same space by rows with as many zeros as elimination gives, leading entries one, round-off removed."""
    A, row = basis.copy(), 0
    for column in range(A.shape[1]):
        if row == len(A):
            break
        pivot = row + int(np.argmax(np.abs(A[row:, column])))
        if abs(A[pivot, column]) < NULL_VECTOR:
            continue
        A[[row, pivot]] = A[[pivot, row]]
        A[row] /= A[row, column]
        others = np.arange(len(A)) != row
        A[others] -= np.outer(A[others, column], A[row])
        row += 1
    return round_to_halves(A[:row])


def round_to_halves(A: np.ndarray) -> np.ndarray:
    """Entries within round-off of a multiple of 1/2 taken for it."""
    half = np.rint(2.0 * A) / 2.0
    return np.where(np.abs(A - half) < CLEAN, half + 0.0, A)


def restrict_basis(basis: np.ndarray, A: np.ndarray) -> np.ndarray:
    """A basis of the part of a space on which A vanishes."""
    if not len(basis):
        return basis
    return null_space(A @ basis.T) @ basis


def independent_columns(V: np.ndarray) -> np.ndarray:
    """Numbers of the columns of V that do not depend on those before them."""
    Q = np.zeros((len(V), 0))
    kept = []
    for a in range(V.shape[1]):
        column = V[:, a] / np.linalg.norm(V[:, a]) if np.any(V[:, a]) else V[:, a]
        for _ in range(2):
            column = column - Q @ (Q.T @ column)
        size = np.linalg.norm(column)
        if size > DEPENDENT_ROWS:
            Q = np.column_stack([Q, column / size])
            kept.append(a)
    return np.array(kept, dtype=int)
