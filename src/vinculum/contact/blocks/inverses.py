"""Inverses and products of matrices of many blocks, some of them side by side."""

from vinculum.compile.kernels import njit

TILE = 16
"""Blocks side by side; the last ones of a tile may be copies. Loops over so many cost little to begin, and their matrices stay near the
processor."""


@njit(nogil=True, cache=True, error_model="numpy")
def invert_tile(n, active, A, least, room):
    """Replace matrices A (n n, TILE) by their inverses, by elimination without exchange of rows (Gauss and Jordan).

    Columns that are not ``active`` (n,) are those of the identity. ``least``: the smallest pivot that is taken; returns the first lane in
    which one is not larger, −1 if there is none. ``room`` (2 n + 1, TILE) is overwritten.
    """
    rows, columns, inverse = room[:n], room[n : 2 * n], room[2 * n]
    for k in range(n):
        if not active[k]:
            continue
        pivot = A[n * k + k]
        for lane in range(len(pivot)):
            if not pivot[lane] > least:
                return lane
        for lane in range(len(pivot)):
            inverse[lane] = 1.0 / pivot[lane]
        for j in range(n):
            in_row, in_column, row, column = A[n * k + j], A[n * j + k], rows[j], columns[j]
            for lane in range(len(row)):
                row[lane] = in_row[lane] * inverse[lane]
            for lane in range(len(column)):
                column[lane] = in_column[lane]
        for i in range(n):
            column = columns[i]
            for j in range(n):
                entry, row = A[n * i + j], rows[j]
                for lane in range(len(entry)):
                    entry[lane] -= column[lane] * row[lane]
        for j in range(n):
            entry, column = A[n * j + k], columns[j]
            for lane in range(len(entry)):
                entry[lane] = -column[lane] * inverse[lane]
        for j in range(n):
            entry, row = A[n * k + j], rows[j]
            for lane in range(len(entry)):
                entry[lane] = row[lane]
        for lane in range(len(pivot)):
            pivot[lane] = inverse[lane]
    return -1


@njit(nogil=True, cache=True, error_model="numpy")
def multiply_tile(n, width, active, A, B, C):
    """Write the products A B of matrices A (n n, TILE) and B (n width, TILE) to C. Columns of A that are not ``active`` (n,) are those of
    the identity."""
    for k in range(n):
        for j in range(width):
            made, own = C[width * k + j], B[width * k + j]
            for lane in range(len(made)):
                made[lane] = 0.0 if active[k] else own[lane]
    for k in range(n):
        if not active[k]:
            continue
        for i in range(n):
            factor = A[n * i + k]
            for j in range(width):
                made, own = C[width * i + j], B[width * k + j]
                for lane in range(len(made)):
                    made[lane] += factor[lane] * own[lane]
