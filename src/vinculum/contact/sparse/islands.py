"""Islands of contacts: bodies that contacts connect. Where the law holds already, sweeps have nothing to do.

Impulses of one island do not act on another. So if those of the step before, with which sweeps begin, satisfy the law of an island at its
new velocities to the tolerance, they are its solution, however the others move. This is decided anew in every step, from the law alone:
nothing is taken to be at rest because it is slow.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.sparse.arrays import ContactProblem, Iterate
from vinculum.contact.sparse.first_sweeps import defect_of_row
from vinculum.contact.sparse.partition import arrange
from vinculum.contact.sparse.residual import relative
from vinculum.tolerances.contact import OWN


@njit(nogil=True, cache=True, error_model="numpy")
def leave_out_settled(problem, iterate, parts, tolerance, room):
    """Take the contacts of islands whose impulses meet the law out of the order of sweeps; returns the largest residual of these islands.

    The residual of an island is relative to its own impulses, and to |g| h + |Δv| of its own bodies. ``room`` (m, 3) is overwritten.
    """
    rows, order, cut = problem.rows, parts.order, parts.cut
    count = cut[3]
    island = islands_of(rows.sides, problem, iterate, order, count)
    islands = 0
    for k in range(count):
        i = island[k]
        if i == islands:
            room[i, 0] = room[i, 1] = room[i, 2] = 0.0
            islands += 1
        a, b, c = defect_of_row(rows.arms, rows.wide, rows.sides, parts, k, problem, iterate)
        room[i, 0], room[i, 1], room[i, 2] = room[i, 0] + a, room[i, 1] + b, max(room[i, 2], c)
    largest = 0.0
    for i in range(islands):
        room[i, 0] = max(relative(room[i, 0], room[i, 1]), OWN * room[i, 2])
        if room[i, 0] <= tolerance:
            largest = max(largest, room[i, 0])
    kept, done = 0, 0
    for part in range(3):
        end = cut[part] if part < 2 else count
        while done < end:
            if not room[island[done], 0] <= tolerance:
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
    count = parts.cut[3]
    island = islands_of(problem.rows.sides, problem, iterate, parts.order, count)
    sizes = np.zeros(count, dtype=np.int64)
    largest = 0
    for i in island:
        sizes[i] += 1
        largest = max(largest, sizes[i])
    return largest


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def islands_of(sides, problem, iterate, order, count):
    """Numbers of the islands of the first contacts in an order (count,), from zero on, as they appear."""
    words, islands, places = np.empty(2 * count + iterate.V.size, dtype=np.int64), 0, iterate.V.size
    island, other, above = words[:count], words[count : 2 * count], words[2 * count :]
    # Numba does not compile the branch of an argument that is None.
    if sides is None:
        places = len(problem.pace.before)
        _ends_of_bodies(problem.rows.who, places, order, island, other)
    if sides is not None:
        _ends_of_sides(sides.first, sides.count, order, island, other)
    for i in range(places):
        above[i] = i
    for k in range(count):
        a, b = _root_of(above, island[k]), _root_of(above, other[k])
        above[max(a, b)] = min(a, b)
    for k in range(count):
        island[k] = _root_of(above, island[k])
    for k in range(count):
        root = island[k]
        if above[root] >= 0:
            above[root] = -1 - islands
            islands += 1
        island[k] = -1 - above[root]
    return island


@njit(nogil=True, cache=True, error_model="numpy")
def _ends_of_bodies(who, moving, order, one, other):
    """Write the bodies of contacts; one that cannot move is replaced by the other one."""
    for k in range(len(one)):
        i, j = who[order[k], 0], who[order[k], 1]
        one[k], other[k] = i if i < moving else j, j if j < moving else i


@njit(nogil=True, cache=True, error_model="numpy")
def _ends_of_sides(first, count, order, one, other):
    """The same for the first velocities of blocks."""
    for k in range(len(one)):
        c = order[k]
        one[k] = first[c, 0] if count[c, 0] > 0 else first[c, 1]
        other[k] = first[c, 1] if count[c, 1] > 0 else first[c, 0]


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
