"""Islands of contacts: bodies that contacts connect. Where the law holds already, sweeps have nothing to do.

Impulses of one island do not act on another. So if those of the step before, with which sweeps begin, satisfy the law of an island at its
new velocities to the tolerance, they are its solution, however the others move. This is decided anew in every step, from the law alone:
nothing is taken to be at rest because it is slow.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.sparse.arrays import ContactProblem, Iterate
from vinculum.contact.sparse.block_rows import side_residual
from vinculum.contact.sparse.general_rows import any_residual
from vinculum.contact.sparse.packed_spheres import pack, packed_residual
from vinculum.contact.sparse.partition import arrange
from vinculum.tolerances.contact import OWN


@njit(nogil=True, cache=True, error_model="numpy")
def leave_out_settled(problem, iterate, parts, tolerance):
    """Take the contacts of islands whose impulses meet the law out of the order of sweeps; returns the largest residual of these islands.

    The residual of an island is relative to its own impulses, and to |g| h + |Δv| of its own bodies.
    """
    rows, order, cut = problem.rows, parts.order, parts.cut
    count, size_of_all = cut[3], iterate.V.size
    island = islands_of(rows.sides, problem, iterate, order, count)
    change, size, worst = np.zeros(size_of_all), np.zeros(size_of_all), np.zeros(size_of_all)
    _pack_all(parts.packed, parts, problem)
    begin = 0
    while begin < count:
        i, end = island[begin], begin + 1
        while end < count and island[end] == i:
            end += 1
        a, b, c = _defect(parts.packed, rows.wide, rows.sides, parts, begin, end, problem, iterate)
        change[i], size[i], worst[i] = change[i] + a, size[i] + b, max(worst[i], c)
        begin = end
    largest = 0.0
    for i in range(size_of_all):
        part = np.sqrt(change[i] / size[i]) if size[i] > 0.0 else (1.0 if change[i] > 0.0 else 0.0)
        worst[i] = max(part, OWN * worst[i])
        if worst[i] <= tolerance:
            largest = max(largest, worst[i])
    kept, done = 0, 0
    for part in range(3):
        end = cut[part] if part < 2 else count
        while done < end:
            if not worst[island[done]] <= tolerance:
                order[kept] = order[done]
                kept += 1
            done += 1
        cut[part if part < 2 else 3] = kept
    if kept < count:
        arrange(parts.grouped, rows.who, len(problem.pace.before), order, cut)
    return largest


@njit(nogil=True, cache=True, error_model="numpy")
def contacts_of_largest(problem, iterate, parts):
    """The largest number of contacts of an island that is swept."""
    island, sizes = (
        islands_of(problem.rows.sides, problem, iterate, parts.order, parts.cut[3]),
        np.zeros(iterate.V.size, dtype=np.int64),
    )
    largest = 0
    for i in island:
        sizes[i] += 1
        largest = max(largest, sizes[i])
    return largest


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def islands_of(sides, problem, iterate, order, count):
    """Numbers of the islands of the first contacts in an order (count,): the least number of an end of a contact of the island."""
    ends, above, island = (
        np.empty((count, 2), dtype=np.int64),
        np.arange(iterate.V.size),
        np.empty(count, dtype=np.int64),
    )
    # Numba does not compile the branch of an argument that is None.
    if sides is None:
        _ends_of_bodies(problem.rows.who, len(problem.pace.before), order, ends)
    if sides is not None:
        _ends_of_sides(sides.first, sides.count, order, ends)
    for k in range(count):
        a, b = _root_of(above, ends[k, 0]), _root_of(above, ends[k, 1])
        above[max(a, b)] = min(a, b)
    for k in range(count):
        island[k] = _root_of(above, ends[k, 0])
    return island


@njit(nogil=True, cache=True, error_model="numpy")
def _ends_of_bodies(who, moving, order, ends):
    """Write the bodies of contacts; one that cannot move is replaced by the other one."""
    for k in range(len(ends)):
        i, j = who[order[k], 0], who[order[k], 1]
        ends[k, 0], ends[k, 1] = i if i < moving else j, j if j < moving else i


@njit(nogil=True, cache=True, error_model="numpy")
def _ends_of_sides(first, count, order, ends):
    """The same for the first velocities of blocks."""
    for k in range(len(ends)):
        c = order[k]
        for side in range(2):
            ends[k, side] = first[c, side] if count[c, side] > 0 else first[c, 1 - side]


@njit(nogil=True, cache=True, error_model="numpy")
def _root_of(above, i):
    while above[i] != i:
        above[i] = above[above[i]]
        i = above[i]
    return i


def separate_islands(problem: ContactProblem, iterate: Iterate, chosen: np.ndarray) -> list[np.ndarray]:
    """Some contacts, island by island."""
    labels = islands_of(problem.rows.sides, problem, iterate, chosen, len(chosen))
    order = np.argsort(labels, kind="stable")
    return np.split(chosen[order], np.flatnonzero(np.diff(labels[order])) + 1) if len(chosen) else []


@njit(nogil=True, cache=True, error_model="numpy")
def _pack_all(packed, parts, problem):
    if packed is not None:
        pack(0, parts.cut[3], parts, problem)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _defect(packed, wide, sides, parts, begin, end, problem, iterate):
    """Squares of the defect and of the size of some impulses, and the worst of them, as in the residual of all."""
    if packed is not None:
        return packed_residual(
            begin, end, packed, parts.seats, iterate.P, iterate.V, problem.blocks.inverse_mass, problem.pace
        )
    if wide is not None:
        return any_residual(parts.order, begin, end, problem, iterate)
    if sides is not None:
        return side_residual(parts.order, begin, end, problem, iterate)
    return 0.0, 0.0, 0.0
