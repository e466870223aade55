"""The narrow phase of a pile behind an address: compiled once for itself, and not again into everything that calls it.

Its arguments are one table of whole numbers: counts, and the addresses of arrays.
"""

import numpy as np
from numba import carray, njit, types  # pyright: ignore[reportPrivateImportUsage]
from numba.extending import intrinsic

from vinculum.collision.narrow_phase.primitives import meetings
from vinculum.collision.narrow_phase.spheres import sphere_meetings
from vinculum.compile.calls import call_with

PAIRS, MET, FIXED = 0, 1, 2
"""Places in the table: how many pairs there are, how many contacts were found, and how many numbers come before the arrays."""


def table_of(arrays) -> np.ndarray:
    """The table for `met` of arrays in the order of `_entry`; they must be kept as long as it is used."""
    numbers = [0, 0]
    for array in arrays:
        assert array.flags.c_contiguous
        numbers += [array.ctypes.data, len(array)]
    return np.array(numbers, dtype=np.int64)


@njit(nogil=True, cache=True)
def met(entry, pairs, margin, step):
    """How many contacts the listed pairs have; ``entry``: address of the narrow phase, its table, and its margin and step (2,)."""
    address, table, lengths = entry
    table[PAIRS] = pairs
    lengths[0], lengths[1] = margin, step
    call_with(address, table)
    return table[MET]


def _pointer(kind):
    @intrinsic
    def pointer(context, address):
        def generate(context, builder, signature, args):
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), generate

    return pointer


_to_floats, _to_ints, _to_flags = _pointer(types.float64), _pointer(types.int64), _pointer(types.boolean)


@njit(nogil=True, cache=True)
def floats(T, k):
    return carray(_to_floats(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1],))  # pyright: ignore[reportCallIssue]


@njit(nogil=True, cache=True)
def float_rows(T, k, width):
    return carray(_to_floats(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1], width))  # pyright: ignore[reportCallIssue]


@njit(nogil=True, cache=True)
def matrices(T, k):
    return carray(_to_floats(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1], 3, 3))  # pyright: ignore[reportCallIssue]


@njit(nogil=True, cache=True)
def whole(T, k):
    return carray(_to_ints(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1],))  # pyright: ignore[reportCallIssue]


@njit(nogil=True, cache=True)
def whole_rows(T, k, width):
    return carray(_to_ints(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1], width))  # pyright: ignore[reportCallIssue]


@njit(nogil=True, cache=True)
def flags(T, k):
    return carray(_to_flags(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1],))  # pyright: ignore[reportCallIssue]


def narrow_phase(table):
    """Find the contacts of the pairs in a table, of spheres, boxes, capsules and planes."""
    T = carray(table, (FIXED + 64,))
    lengths = floats(T, 10)
    found = whole_rows(T, 28, 2), matrices(T, 29), float_rows(T, 30, 3), floats(T, 31)
    T[MET] = meetings(
        whole(T, 0), whole(T, 1), T[PAIRS], float_rows(T, 4, 3), matrices(T, 5), whole(T, 6), float_rows(T, 7, 3),
        lengths[0], float_rows(T, 8, 8), floats(T, 9), lengths[1], found, whole(T, 2), whole(T, 3),
    )  # fmt: skip


def round_phase(table):
    """Find the contacts of the pairs in a table, of spheres and planes."""
    T = carray(table, (FIXED + 64,))
    lengths = floats(T, 10)
    found = whole_rows(T, 28, 2), matrices(T, 29), float_rows(T, 30, 3), floats(T, 31)
    T[MET] = sphere_meetings(
        whole(T, 0), whole(T, 1), T[PAIRS], float_rows(T, 4, 3), whole(T, 6), float_rows(T, 7, 3),
        lengths[0], float_rows(T, 8, 8), lengths[1], found, whole(T, 2), whole(T, 3),
    )  # fmt: skip
