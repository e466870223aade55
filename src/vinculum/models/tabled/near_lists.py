"""Lists of pairs within a cutoff in compiled code: made anew when bodies have moved, and run through a window of indices."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vinculum.collision.arrays import Grid
from vinculum.collision.broad_phase import SPHERE, near_pairs
from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.targets.llvm.indexed import BLOCKS, indexed_address, window_job
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.width import WIDTH
from vinculum.models.tabled.board import Board, near_call
from vinculum.models.tabled.kinds import FRAME
from vinculum.tolerances.sizes import NEAR_WINDOW, NEIGHBORS

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
    """The function that runs rows of indices."""
    jobs: np.ndarray
    """Words of the job of each table (K, 10)."""
    gather: np.ndarray
    """Windows of indices that are read, block by block (K, …)."""
    scatter: np.ndarray
    """Windows of indices that are added to."""
    inputs: np.ndarray
    """For each number of a row: first place, places between two bodies, and the end whose body is meant (K, n, 3)."""
    outputs: np.ndarray
    """The same for what is added."""
    sizes: np.ndarray
    """Numbers read and added by a row, and pairs that fit into the list (K, 3)."""
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
    frames: int
    """Where the frames of the bodies begin on the board."""
    spare: int
    """A place on the board that lanes without a row may write to."""


def make_lists(board: Board, tables: Sequence[int]) -> tuple[NearLists, list]:
    """The lists of some tables of a board, and what must be kept alive."""
    calls = [near_call(board, b) for b in tables]
    bonds = [board.tabled.bonds[b] for b in tables]
    nears = [bond.near for bond in bonds if bond.near is not None]
    count = max(len(tables), 1)
    wide, deep = (max((getattr(one, n) for one in calls), default=1) for n in ("n_in", "n_out"))
    gather, scatter = (np.zeros((count, n * NEAR_WINDOW), dtype=np.int64) for n in (wide, deep))
    inputs, outputs = (np.zeros((count, n, 3), dtype=np.int64) for n in (wide, deep))
    jobs, sizes, kept = np.zeros((count, BLOCKS + 6), dtype=np.int64), np.zeros((count, 3), dtype=np.int64), []
    begins, reaches = np.zeros((count + 1, 3), dtype=np.int64), np.ones((count, 2))
    for k, (call, bond, near) in enumerate(zip(calls, bonds, nears, strict=True)):
        jobs[k], own = window_job(compile_tape(call.tape), gather[k], scatter[k])
        kept += own
        n = len(bond.members)
        inputs[k, : call.n_in], outputs[k, : call.n_out] = call.inputs, call.outputs
        room = min(n * (n - 1) // 2, NEIGHBORS * n)
        sizes[k] = call.n_in, call.n_out, room
        begins[k + 1] = begins[k] + (n, room, 1 << int(np.ceil(np.log2(2 * n))))
        reaches[k] = near.cutoff, near.reach - near.cutoff
    members = np.concatenate([np.zeros(0, dtype=np.int64), *(np.array(bond.members, dtype=np.int64) for bond in bonds)])
    sides = np.concatenate([np.zeros(0, dtype=np.int64), *(near.first + 2 * near.second for near in nears)])
    n, room, buckets = begins[-1]
    spheres = Spheres(np.zeros((n, 3)), np.full(n, SPHERE), np.zeros((n, 3)), np.ones(n))
    lists = NearLists(
        indexed_address() if len(tables) else 0, jobs, gather, scatter, inputs, outputs, sizes, begins, members, sides, reaches,
        np.full((n, 3), np.nan), np.full(len(tables), NOT_LISTED), spheres,
        Listed(np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)),
        Grid(np.zeros(buckets, dtype=np.int64), np.zeros(n, dtype=np.int64), np.zeros((n, 4), dtype=np.int64)),
        board.frames, board.size - 1,
    )  # fmt: skip
    return lists, [kept, lists]


@njit(nogil=True, cache=True, error_model="numpy")
def add_near_forces(lists, Z):
    """Add the forces of all pairs within the cutoffs to the wrenches on a board whose frames are written."""
    for k in range(len(lists.counts)):
        if _has_moved(lists, k, Z):
            _list_pairs(lists, k, Z)
        if lists.counts[k] == OVERFULL:
            Z[lists.outputs[k, 0, 0]] = np.nan
        _run_pairs(lists, k, Z)


@njit(nogil=True, cache=True, error_model="numpy")
def _has_moved(lists, k, Z):
    """Whether a body has moved so far that a pair may be missing."""
    if lists.counts[k] < 0:
        return True
    most = (0.5 * lists.reaches[k, 1]) ** 2
    for m in range(lists.begins[k, 0], lists.begins[k + 1, 0]):
        place = lists.frames + FRAME * lists.members[m]
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
        place = lists.frames + FRAME * lists.members[m]
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
def _run_pairs(lists, k, Z):
    """Evaluate all listed pairs within the cutoff, a window at a time. Beyond it there is no force."""
    first = lists.pairs.first[lists.begins[k, 1] : lists.begins[k + 1, 1]]
    second = lists.pairs.second[lists.begins[k, 1] : lists.begins[k + 1, 1]]
    most, held = lists.reaches[k, 0] ** 2, 0
    for p in range(lists.counts[k]):
        i, j = first[p], second[p]
        one, other, square = lists.frames + FRAME * i, lists.frames + FRAME * j, 0.0
        for c in range(3):
            square += (Z[one + c] - Z[other + c]) ** 2
        if square >= most:
            continue
        _put_pair(lists, k, held, i, j)
        held += 1
        if held == NEAR_WINDOW:
            _run_window(lists, k, held, Z)
            held = 0
    if held:
        _run_window(lists, k, held, Z)


@njit(nogil=True, cache=True)
def _put_pair(lists, k, p, i, j):
    """Write the indices of a pair of bodies (i, j) to the place p of a window."""
    gather, scatter, inputs, outputs = lists.gather[k], lists.scatter[k], lists.inputs[k], lists.outputs[k]
    ins, outs = lists.sizes[k, 0], lists.sizes[k, 1]
    b, lane = p // WIDTH, p % WIDTH
    for r in range(ins):
        gather[(b * ins + r) * WIDTH + lane] = inputs[r, 0] + inputs[r, 1] * (i if inputs[r, 2] == 0 else j)
    for r in range(outs):
        scatter[(b * outs + r) * WIDTH + lane] = outputs[r, 0] + outputs[r, 1] * (i if outputs[r, 2] == 0 else j)


@njit(nogil=True, cache=True)
def _run_window(lists, k, held, Z):
    """Evaluate the pairs of a window; lanes without one repeat the last and write to a place that nobody looks at."""
    gather, scatter = lists.gather[k], lists.scatter[k]
    ins, outs = lists.sizes[k, 0], lists.sizes[k, 1]
    blocks = (held + WIDTH - 1) // WIDTH
    b, last = blocks - 1, (held - 1) % WIDTH
    for lane in range(last + 1, WIDTH):
        for r in range(ins):
            gather[(b * ins + r) * WIDTH + lane] = gather[(b * ins + r) * WIDTH + last]
        for r in range(outs):
            scatter[(b * outs + r) * WIDTH + lane] = lists.spare
    lists.jobs[k][BLOCKS] = blocks
    run_lanes(lists.address, Z, lists.jobs[k])
