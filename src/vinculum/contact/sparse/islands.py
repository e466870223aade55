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
from vinculum.tolerances.contact import OWN


@njit(nogil=True, cache=True, error_model="numpy")
def leave_out_settled(problem, iterate, parts, tolerance):
    """Take the contacts of islands whose impulses meet the law out of the order of sweeps; returns the largest residual of these islands.

    The residual of an island is relative to its own impulses, and to |g| h + |Δv| of its own bodies.
    """
    rows, order, cut = problem.rows, parts.order, parts.cut
    count = cut[3]
    island = islands_of(rows.sides, problem, iterate, order, count)
    change, size, worst = np.zeros(len(island)), np.zeros(len(island)), np.zeros(len(island))
    _pack_all(parts.packed, parts, problem)
    for k in range(count):
        i = root_of(island, end_of(rows.sides, problem, order[k], 0))
        a, b, c = _defect(parts.packed, rows.wide, rows.sides, parts, k, problem, iterate)
        change[i], size[i], worst[i] = change[i] + a, size[i] + b, max(worst[i], c)
    largest = 0.0
    for i in range(len(island)):
        part = np.sqrt(change[i] / size[i]) if size[i] > 0.0 else (1.0 if change[i] > 0.0 else 0.0)
        worst[i] = max(part, OWN * worst[i])
        if worst[i] <= tolerance:
            largest = max(largest, worst[i])
    kept, done = 0, 0
    for part in range(3):
        end = cut[part] if part < 2 else count
        while done < end:
            c = order[done]
            if not worst[root_of(island, end_of(rows.sides, problem, c, 0))] <= tolerance:
                order[kept] = c
                kept += 1
            done += 1
        cut[part if part < 2 else 3] = kept
    return largest


@njit(nogil=True, cache=True, error_model="numpy")
def contacts_of_largest(problem, iterate, parts):
    """The largest number of contacts of an island that is swept."""
    sides, order, count, largest = problem.rows.sides, parts.order, parts.cut[3], 0
    island, sizes = islands_of(sides, problem, iterate, order, count), np.zeros(iterate.V.size, dtype=np.int64)
    for k in range(count):
        i = root_of(island, end_of(sides, problem, order[k], 0))
        sizes[i] += 1
        largest = max(largest, sizes[i])
    return largest


@njit(nogil=True, cache=True, error_model="numpy")
def islands_of(sides, problem, iterate, order, count):
    """A forest over the ends of contacts: each points to another one of its island, or to itself."""
    above = np.arange(iterate.V.size)
    for k in range(count):
        i, j = end_of(sides, problem, order[k], 0), end_of(sides, problem, order[k], 1)
        a, b = root_of(above, i), root_of(above, j)
        above[max(a, b)] = min(a, b)
    return above


def separate_islands(problem: ContactProblem, iterate: Iterate, chosen: np.ndarray) -> list[np.ndarray]:
    """Some contacts, island by island."""
    labels = np.empty(len(chosen), dtype=np.int64)
    _label(problem.rows.sides, problem, iterate, chosen, labels)
    order = np.argsort(labels, kind="stable")
    return np.split(chosen[order], np.flatnonzero(np.diff(labels[order])) + 1) if len(chosen) else []


@njit(nogil=True, cache=True, error_model="numpy")
def _label(sides, problem, iterate, chosen, labels):
    """Write the same number for contacts of one island."""
    above = islands_of(sides, problem, iterate, chosen, len(chosen))
    for k in range(len(chosen)):
        labels[k] = root_of(above, end_of(sides, problem, chosen[k], 0))


@njit(nogil=True, cache=True, error_model="numpy")
def root_of(above, i):
    while above[i] != i:
        above[i] = above[above[i]]
        i = above[i]
    return i


@njit(nogil=True, cache=True, error_model="numpy")
def end_of(sides, problem, c, side):
    """The number of the body or group of blocks at a side of a contact; of the other side if this one cannot move."""
    # Numba does not compile the branch of an argument that is None.
    if sides is None:
        i = problem.rows.who[c, side]
        return i if i < len(problem.pace.before) else problem.rows.who[c, 1 - side]
    if sides is not None:
        return sides.first[c, side] if sides.count[c, side] > 0 else sides.first[c, 1 - side]
    return 0


@njit(nogil=True, cache=True, error_model="numpy")
def _pack_all(packed, parts, problem):
    if packed is not None:
        pack(0, parts.cut[3], parts, problem)


@njit(nogil=True, cache=True, error_model="numpy")
def _defect(packed, wide, sides, parts, k, problem, iterate):
    """Squares of the defect and of the size of one impulse, and its part, as in the residual of all."""
    if packed is not None:
        return packed_residual(k, k + 1, parts, problem, iterate)
    if wide is not None:
        return any_residual(parts.order, k, k + 1, problem, iterate)
    if sides is not None:
        return side_residual(parts.order, k, k + 1, problem, iterate)
    return 0.0, 0.0, 0.0
