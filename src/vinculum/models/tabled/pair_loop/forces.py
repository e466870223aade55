"""The forces of a pair loop in compiled code: positions into columns, the loop over pairs, sums onto the bodies."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import call_with
from vinculum.compile.kernels import njit


class PairWork(NamedTuple):
    """A pair loop at parameter values, for compiled code. Its points are those of its groups, one group after the other."""

    evaluate: int
    """The function that evaluates all pairs."""
    serve: int
    """The function of a thread that helps with it."""
    board: np.ndarray
    """Jobs of all groups, which threads share."""
    positions: np.ndarray
    """Where the coordinates of the points stand in a long array (3, k)."""
    wrenches: np.ndarray
    """Where the forces on them are added there (k,)."""
    starts: np.ndarray
    """Where the points of each group begin, and the last ones end."""
    padded: np.ndarray
    """Points of each group, rounded up to whole blocks."""
    at: np.ndarray
    """Where the columns and the sums of each group begin (G, 2)."""
    slots: np.ndarray
    """How many slots share the rows of each group."""
    quantities: int
    """Sums of each point."""
    columns: np.ndarray
    sums: np.ndarray
    uniforms: np.ndarray
    """The time and the parameters."""
    totals: np.ndarray
    """Totals of all pairs (slots of all groups, w, 8), where the loop leaves them."""


def no_pairs() -> PairWork:
    """The work of no groups."""
    none, empty = np.zeros(0, dtype=np.int64), np.zeros(0)
    return PairWork(0, 0, none, np.zeros((3, 0), dtype=np.int64), none, np.zeros(1, dtype=np.int64), none,
                    np.zeros((0, 2), dtype=np.int64), none, 0, empty, empty, empty, np.zeros((0, 1, 1)))  # fmt: skip


@njit(nogil=True, cache=True)
def evaluate_pairs(work, Z, t):
    """Evaluate all pairs at the positions on a long array Z and the instant t; sums stay in those of each group's first slot."""
    padded, at = work.padded, work.at
    work.uniforms[0] = t
    for g in range(len(padded)):
        begin, count = work.starts[g], work.starts[g + 1] - work.starts[g]
        for c in range(3):
            places = work.positions[c, begin : begin + count]
            column = work.columns[at[g, 0] + c * padded[g] : at[g, 0] + (c + 1) * padded[g]]
            for k in range(len(places)):  # of slices, whose places are never counted from the end
                column[k] = Z[places[k]]
    call_with(work.evaluate, work.board)
    for g in range(len(padded)):
        size = work.quantities * padded[g]
        first = work.sums[at[g, 1] : at[g, 1] + size]
        for s in range(1, work.slots[g]):
            other = work.sums[at[g, 1] + s * size : at[g, 1] + (s + 1) * size]
            for k in range(len(first)):
                first[k] += other[k]


@njit(nogil=True, cache=True)
def add_pair_forces(work, Z, t):
    """Add the forces of all pairs to the wrenches on a long array Z."""
    evaluate_pairs(work, Z, t)
    for g in range(len(work.padded)):
        width, bodies = work.padded[g], work.wrenches[work.starts[g] : work.starts[g + 1]]
        for c in range(3):
            own = work.sums[work.at[g, 1] + c * width : work.at[g, 1] + (c + 1) * width]
            for k in range(len(bodies)):
                Z[bodies[k] + c] += own[k]


@njit(nogil=True, cache=True)
def write_sums(work, Z, times, force, size, whole):
    """Of long arrays Z (B, n) the forces on all points (B, k, 3), the sums of the sizes of their pairs' forces (B, k), and for every
    group its energy, the size of that and its time slope (B, G, 3).
    """
    for r in range(len(times)):
        evaluate_pairs(work, Z[r], times[r])
        slot = 0
        for g in range(len(work.padded)):
            begin, width, row = work.starts[g], work.padded[g], work.at[g, 1]
            for k in range(work.starts[g + 1] - begin):
                for c in range(3):
                    force[r, begin + k, c] = work.sums[row + c * width + k]
                size[r, begin + k] = work.sums[row + 3 * width + k]
            for _ in range(work.slots[g]):
                for w in range(work.totals.shape[1]):
                    for j in range(work.totals.shape[2]):
                        whole[r, g, w] += work.totals[slot, w, j]
                slot += 1
