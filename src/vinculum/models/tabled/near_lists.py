"""Lists of pairs within a cutoff in compiled code: made anew when bodies have moved, and run through a window of indices."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vinculum.collision.arrays import Grid
from vinculum.collision.broad_phase import SPHERE, near_pairs
from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.targets.llvm.indexed import BLOCKS, PAIR_WORDS, PAIRS, pair_address, pair_job
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.width import WIDTH
from vinculum.contact.sparse.thread_pair import meet, new_board, next_task, offer
from vinculum.models.tabled.board import Board, near_call
from vinculum.models.tabled.kinds import FRAME
from vinculum.tolerances.sizes import NEAR_WINDOW, NEIGHBORS, PAIRS_WORTH_SHARING

NOT_LISTED, OVERFULL = -1, -2
"""Counts of a list that has not been made, and of one that did not fit."""


class Spheres(NamedTuple):
    """Bodies as spheres of half a cutoff, for the broad phase."""

    center: np.ndarray
    kind: np.ndarray
    size: np.ndarray
    reach: np.ndarray


class Listed(NamedTuple):
    """Pairs of bodies."""

    first: np.ndarray
    second: np.ndarray


class NearLists(NamedTuple):
    """Lists of all tables with a cutoff, one after the other."""

    address: int
    """The function that runs pairs."""
    jobs: np.ndarray
    """Words of the job of each table (2, K, 10), for two halves of its pairs."""
    bodies: np.ndarray
    """Windows of pairs (2, K, …): eight first bodies and eight second ones in turn."""
    outputs: np.ndarray
    """Where the force on the first body begins (K,)."""
    rooms: np.ndarray
    """Pairs that fit into the list of each table (K,)."""
    begins: np.ndarray
    """Where members, pairs and buckets of each table begin (K + 1, 3)."""
    members: np.ndarray
    """Bodies of the tables."""
    sides: np.ndarray
    """For each member, 1 if it may be the first of a pair, plus 2 if the second."""
    reaches: np.ndarray
    """Cutoff and skin of each table (K, 2) [m]."""
    reference: np.ndarray
    """Positions at which the lists were made (members, 3) [m]."""
    counts: np.ndarray
    """Pairs in each list, or `NOT_LISTED` or `OVERFULL`."""
    spheres: Spheres
    pairs: Listed
    grid: Grid
    sections: np.ndarray
    """Where frames, wrenches and rates begin on the board."""
    copy: np.ndarray
    """A second board, for the second half of the pairs."""
    shared: np.ndarray
    """Words that two threads share."""
    threads: np.ndarray
    """How many threads there are (1,)."""


def make_lists(board: Board, tables: Sequence[int]) -> tuple[NearLists, list]:
    """The lists of some tables of a board, and what must be kept alive."""
    calls = [near_call(board, b) for b in tables]
    bonds = [board.tabled.bonds[b] for b in tables]
    nears = [bond.near for bond in bonds if bond.near is not None]
    count = max(len(tables), 1)
    bodies, outputs = np.zeros((2, count, 2 * NEAR_WINDOW), dtype=np.int64), np.zeros(count, dtype=np.int64)
    jobs, rooms, kept = np.zeros((2, count, PAIR_WORDS), dtype=np.int64), np.zeros(count, dtype=np.int64), []
    begins, reaches = np.zeros((count + 1, 3), dtype=np.int64), np.ones((count, 2))
    for k, (call, bond, near) in enumerate(zip(calls, bonds, nears, strict=True)):
        for half in range(2):
            jobs[half, k], own = pair_job(compile_tape(call.tape), call.inputs, call.outputs, bodies[half, k])
            kept += own
        n = len(bond.members)
        outputs[k] = call.outputs[0, 0] if call.n_out else 0
        room = rooms[k] = min(n * (n - 1) // 2, NEIGHBORS * n)
        begins[k + 1] = begins[k] + (n, room, 1 << int(np.ceil(np.log2(2 * n))))
        reaches[k] = near.cutoff, near.reach - near.cutoff
    members = np.concatenate([np.zeros(0, dtype=np.int64), *(np.array(bond.members, dtype=np.int64) for bond in bonds)])
    sides = np.concatenate([np.zeros(0, dtype=np.int64), *(near.first + 2 * near.second for near in nears)])
    n, room, buckets = begins[-1]
    spheres = Spheres(np.zeros((n, 3)), np.full(n, SPHERE), np.zeros((n, 3)), np.ones(n))
    lists = NearLists(
        pair_address() if len(tables) else 0, jobs, bodies, outputs, rooms, begins, members, sides, reaches,
        np.full((n, 3), np.nan), np.full(len(tables), NOT_LISTED), spheres,
        Listed(np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)),
        Grid(np.zeros(buckets, dtype=np.int64), np.zeros(n, dtype=np.int64), np.zeros((n, 4), dtype=np.int64)),
        np.array([board.frames, board.wrenches, board.rates]), np.zeros(board.size if len(tables) else 1), new_board(),
        np.ones(1, dtype=np.int64),
    )  # fmt: skip
    return lists, [kept, lists]


@njit(nogil=True, cache=True, error_model="numpy")
def add_near_forces(lists, Z):
    """Add the forces of all pairs within the cutoffs to the wrenches on a board whose frames are written."""
    for k in range(len(lists.counts)):
        if _has_moved(lists, k, Z):
            _list_pairs(lists, k, Z)
        if lists.counts[k] == OVERFULL:
            Z[lists.outputs[k]] = np.nan
    listed = 0
    for k in range(len(lists.counts)):
        listed += lists.counts[k]
    if listed < PAIRS_WORTH_SHARING:
        for k in range(len(lists.counts)):
            _run_pairs(lists, 0, k, 0, lists.counts[k], Z)
    else:
        _run_halves(lists, Z)


@njit(nogil=True, cache=True)
def _run_halves(lists, Z):
    """Evaluate all pairs in two halves, by two threads if there are two; sums do not depend on that."""
    other, wrenches, rates = lists.copy, lists.sections[1], lists.sections[2]
    for i in range(wrenches):
        other[i] = Z[i]
    for i in range(wrenches, rates):
        other[i] = 0.0
    if lists.threads[0] > 1:
        offer(lists.shared)
        _run_half(lists, 0, Z)
        meet(lists.shared, 0, 2)
    else:
        _run_half(lists, 0, Z)
        _run_half(lists, 1, other)
    for i in range(wrenches, rates):
        Z[i] += other[i]


@njit(nogil=True, cache=True)
def _run_half(lists, half, Z):
    """Evaluate one half of the pairs of every table."""
    for k in range(len(lists.counts)):
        middle = lists.counts[k] // 2
        _run_pairs(lists, half, k, half * middle, lists.counts[k] if half else middle, Z)


@njit(nogil=True, cache=True)
def serve(lists):
    """Run as the second thread: evaluate the second half of the pairs until there are no more tasks."""
    done = 0
    while next_task(lists.shared, done):
        done += 1
        _run_half(lists, 1, lists.copy)
        meet(lists.shared, 1, 2)


@njit(nogil=True, cache=True, error_model="numpy")
def _has_moved(lists, k, Z):
    """Whether a body has moved so far that a pair may be missing."""
    if lists.counts[k] < 0:
        return True
    most = (0.5 * lists.reaches[k, 1]) ** 2
    for m in range(lists.begins[k, 0], lists.begins[k + 1, 0]):
        place = lists.sections[0] + FRAME * lists.members[m]
        square = 0.0
        for c in range(3):
            square += (Z[place + c] - lists.reference[m, c]) ** 2
        if not square <= most:
            return True
    return False


@njit(nogil=True, cache=True, error_model="numpy")
def _list_pairs(lists, k, Z):
    """List the pairs within cutoff and skin, by bodies."""
    begin, end = lists.begins[k, 0], lists.begins[k + 1, 0]
    own, center = lists.spheres, lists.spheres.center
    for m in range(begin, end):
        place = lists.sections[0] + FRAME * lists.members[m]
        for c in range(3):
            center[m, c] = lists.reference[m, c] = Z[place + c]
        own.reach[m] = 0.5 * lists.reaches[k, 0]
    spheres = Spheres(center[begin:end], own.kind[begin:end], own.size[begin:end], own.reach[begin:end])
    grid = Grid(
        lists.grid.head[lists.begins[k, 2] : lists.begins[k + 1, 2]],
        lists.grid.following[begin:end],
        lists.grid.cells[begin:end],
    )
    first = lists.pairs.first[lists.begins[k, 1] : lists.begins[k + 1, 1]]
    second = lists.pairs.second[lists.begins[k, 1] : lists.begins[k + 1, 1]]
    count = near_pairs(spheres, end - begin, lists.reaches[k, 1], grid, Listed(first, second))
    if count > len(first):
        lists.counts[k] = OVERFULL
        return
    made = 0
    for p in range(count):
        i, j = begin + first[p], begin + second[p]
        if lists.sides[i] & 1 and lists.sides[j] & 2:
            first[made], second[made] = lists.members[i], lists.members[j]
            made += 1
    lists.counts[k] = made


@njit(nogil=True, cache=True, error_model="numpy")
def _run_pairs(lists, half, k, begin, end, Z):
    """Evaluate the listed pairs from ``begin`` to ``end`` that are within the cutoff, a window at a time. Beyond it there is no force."""
    first = lists.pairs.first[lists.begins[k, 1] : lists.begins[k + 1, 1]]
    second = lists.pairs.second[lists.begins[k, 1] : lists.begins[k + 1, 1]]
    bodies, most, held, frames = lists.bodies[half, k], lists.reaches[k, 0] ** 2, 0, lists.sections[0]
    for p in range(begin, end):
        i, j = first[p], second[p]
        one, other, square = frames + FRAME * i, frames + FRAME * j, 0.0
        for c in range(3):
            square += (Z[one + c] - Z[other + c]) ** 2
        if square >= most:
            continue
        place = 2 * WIDTH * (held // WIDTH) + held % WIDTH
        bodies[place], bodies[place + WIDTH] = i, j
        held += 1
        if held == NEAR_WINDOW:
            _run_window(lists, half, k, held, Z)
            held = 0
    if held:
        _run_window(lists, half, k, held, Z)


@njit(nogil=True, cache=True)
def _run_window(lists, half, k, held, Z):
    """Evaluate the pairs of a window; lanes without one repeat the last."""
    bodies, job, blocks = lists.bodies[half, k], lists.jobs[half, k], (held + WIDTH - 1) // WIDTH
    last = 2 * WIDTH * (blocks - 1)
    for lane in range((held - 1) % WIDTH + 1, WIDTH):
        for side in (0, WIDTH):
            bodies[last + side + lane] = bodies[last + side + (held - 1) % WIDTH]
    job[BLOCKS], job[PAIRS] = blocks, held
    run_lanes(lists.address, Z, job)
