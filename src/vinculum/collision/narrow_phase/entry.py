"""The narrow phase behind a function pointer: compiled once, not inlined into its callers.

Its arguments are one table of integers: counts, and the addresses of arrays. `entry_of` writes it from named arrays, and functions such
as `shapes_in` read the same named arrays from it.
"""

from typing import NamedTuple

import numpy as np
from numba.core import types

from vinculum.collision.arrays import Approach, Contacts, Pairs, Polyhedra, Shapes, Solids, Surfaces
from vinculum.collision.narrow_phase.primitives import meetings, meetings_but_of_boxes
from vinculum.collision.narrow_phase.spheres import sphere_meetings
from vinculum.compile.calls import call_with
from vinculum.compile.kernels import carray, intrinsic, njit

PAIRS, MET, FIXED = 0, 1, 2
"""Indices into the table: number of pairs and number of contacts found; and the number of entries before the arrays."""


# Plain numbers have their own types in Numba, and functions that read arrays would be compiled once for each.
TWO, THREE, SIX, EIGHT, _PAIRS = np.int64(2), np.int64(3), np.int64(6), np.int64(8), np.int64(0)
_SHAPES = _PAIRS + len(Pairs._fields)
_APPROACH = _SHAPES + len(Shapes._fields)
_CONTACTS = _APPROACH + 2
_SOLIDS = _CONTACTS + len(Contacts._fields)
_WORKSPACE = _SOLIDS + len(Solids._fields)
_SURFACES = _WORKSPACE + 1
ARRAYS = int(_SURFACES) + len(Surfaces._fields)


class Entry(NamedTuple):
    """A narrow phase and its arguments."""

    address: int
    table: np.ndarray
    lengths: np.ndarray
    """Margin [m] and step [s] of the approach (2,)."""


def entry_of(
    address: int, pairs: Pairs, shapes: Shapes, velocity: np.ndarray, found: Contacts, polyhedra: Polyhedra
) -> Entry:
    """The narrow phase at an address on these arrays, which must be kept alive while it is used. ``velocity`` as in `Approach`."""
    lengths, numbers = np.zeros(2), [0, 0]
    solids, workspace, surfaces = polyhedra
    for array in (*pairs, *shapes, velocity, lengths, *found, *solids, workspace, *surfaces):
        assert array.flags.c_contiguous
        numbers += [array.ctypes.data, len(array)]
    return Entry(address, np.array(numbers, dtype=np.int64), lengths)


@njit(nogil=True, cache=True)
def meet_pairs(entry, pairs, margin, step):
    """Number of contacts of the listed pairs."""
    table, lengths = entry.table, entry.lengths
    table[PAIRS] = pairs
    lengths[0], lengths[1] = margin, step
    call_with(entry.address, table)
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
    return carray(_to_floats(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1],))


@njit(nogil=True, cache=True)
def float_rows(T, k, width):
    return carray(_to_floats(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1], width))


@njit(nogil=True, cache=True)
def matrices(T, k):
    return carray(_to_floats(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1], 3, 3))


@njit(nogil=True, cache=True)
def whole(T, k):
    return carray(_to_ints(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1],))


@njit(nogil=True, cache=True)
def whole_rows(T, k, width):
    return carray(_to_ints(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1], width))


@njit(nogil=True, cache=True)
def flags(T, k):
    return carray(_to_flags(T[FIXED + 2 * k]), (T[FIXED + 2 * k + 1],))


@njit(nogil=True, cache=True)
def pairs_in(T):
    return Pairs(whole(T, _PAIRS), whole(T, _PAIRS + 1), whole(T, _PAIRS + 2), whole(T, _PAIRS + 3))


@njit(nogil=True, cache=True)
def shapes_in(T):
    center, turn, kind = float_rows(T, _SHAPES, THREE), matrices(T, _SHAPES + 1), whole(T, _SHAPES + 2)
    return Shapes(center, turn, kind, float_rows(T, _SHAPES + 3, THREE), floats(T, _SHAPES + 4))


@njit(nogil=True, cache=True)
def approach_in(T):
    lengths = floats(T, _APPROACH + 1)
    return Approach(float_rows(T, _APPROACH, EIGHT), lengths[0], lengths[1])


@njit(nogil=True, cache=True)
def contacts_in(T):
    who, frame = whole_rows(T, _CONTACTS, TWO), matrices(T, _CONTACTS + 1)
    return Contacts(who, frame, float_rows(T, _CONTACTS + 2, THREE), floats(T, _CONTACTS + 3))


@njit(nogil=True, cache=True)
def solids_in(T):
    points, point_of, normals = float_rows(T, _SOLIDS, THREE), whole(T, _SOLIDS + 1), float_rows(T, _SOLIDS + 2, THREE)
    return Solids(points, point_of, normals, whole(T, _SOLIDS + 3), whole(T, _SOLIDS + 4), whole(T, _SOLIDS + 5))


@njit(nogil=True, cache=True)
def workspace_in(T):
    return float_rows(T, _WORKSPACE, THREE)


@njit(nogil=True, cache=True)
def surfaces_in(T):
    corners, triangles, normals = (
        float_rows(T, _SURFACES, THREE),
        whole_rows(T, _SURFACES + 1, THREE),
        float_rows(T, _SURFACES + 2, THREE),
    )
    sharp, rings, ring_of = flags(T, _SURFACES + 3), whole(T, _SURFACES + 4), whole(T, _SURFACES + 5)
    bounds, nodes = float_rows(T, _SURFACES + 6, SIX), whole_rows(T, _SURFACES + 7, THREE)
    order, roots, stack = whole(T, _SURFACES + 8), whole(T, _SURFACES + 9), whole(T, _SURFACES + 10)
    return Surfaces(corners, triangles, normals, sharp, rings, ring_of, bounds, nodes, order, roots, stack)


def narrow_phase(table):
    """Find the contacts of the pairs in a table, of spheres, boxes, capsules and planes."""
    T = carray(table, (FIXED + 2 * ARRAYS,))
    T[MET] = meetings(pairs_in(T), T[PAIRS], shapes_in(T), approach_in(T), contacts_in(T))


def one_box_phase(table):
    """Find the contacts of the pairs in a table, of spheres, capsules, planes and one box."""
    T = carray(table, (FIXED + 2 * ARRAYS,))
    T[MET] = meetings_but_of_boxes(pairs_in(T), T[PAIRS], shapes_in(T), approach_in(T), contacts_in(T))


def round_phase(table):
    """Find the contacts of the pairs in a table, of spheres and planes."""
    T = carray(table, (FIXED + 2 * ARRAYS,))
    T[MET] = sphere_meetings(pairs_in(T), T[PAIRS], shapes_in(T), approach_in(T), contacts_in(T))
