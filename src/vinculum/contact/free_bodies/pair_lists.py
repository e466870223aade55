"""Room for near pairs and the broad phase that lists them."""

import numpy as np

from vinculum.collision.arrays import Grid, Pairs
from vinculum.contact.free_bodies.arrays import NearPairs


def empty_pairs(moving: int, total: int, size: int) -> NearPairs:
    """Room for ``size`` pairs of ``total`` shapes, the first ``moving`` of which move."""
    now, old = (Pairs(*(np.zeros(size, dtype=np.int64) for _ in Pairs._fields)) for _ in range(2))
    buckets = 1 << int(np.ceil(np.log2(2 * total + 2)))
    table = np.empty(1 << int(np.ceil(np.log2(2 * size + 2))), dtype=np.int64)
    grid = Grid(
        np.empty(buckets, dtype=np.int64), np.empty(total, dtype=np.int64), np.empty((total, 4), dtype=np.int64)
    )
    return NearPairs(now, old, grid, table, np.full((moving, 3), np.inf))


def grow_pairs(pairs: NearPairs) -> NearPairs:
    """The same pairs, with room for twice as many."""
    grown = empty_pairs(len(pairs.listed), len(pairs.grid.following), 2 * len(pairs.now.first))
    for new, known in zip((*grown.now, *grown.old), (*pairs.now, *pairs.old), strict=True):
        new[: len(known)] = known
    grown.listed[:] = pairs.listed
    return grown
