"""Rates of a state by tables, in compiled code."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.targets.llvm.indexed import IndexedCall, IndexedJob, indexed_job
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.models.tabled.board import Board, Call, without_copies
from vinculum.models.tabled.near_lists import NearLists, add_near_forces, make_lists
from vinculum.models.tabled.tabled import Tabled


class Tables(NamedTuple):
    """The calls of a board, for compiled loops."""

    board: np.ndarray
    """The long array."""
    sections: np.ndarray
    """Beginnings of wrenches and rates."""
    frames: IndexedJob
    """The frames of bodies on which bonds act."""
    near: NearLists
    """Bonds between bodies within a cutoff."""
    job: IndexedJob
    """Bonds over given rows, and the motions of blocks."""
    runs: np.ndarray
    """Rates that are numbers of the array: where they begin in it, where among the rates, and how many follow each other (k, 3)."""


def make_tables(tabled: Tabled, values: np.ndarray) -> tuple[Tables, list]:
    """The tables at parameter values, and what must be kept alive while they are used."""
    board = Board(tabled)
    Z = board.fill(np.concatenate([np.zeros(board.states + 1), values])[None])[0]
    moving = [without_copies(call) for call in board.moving_calls()]
    (frames, kept_frames), (job, kept) = (
        indexed_job([_compile(one) for one in calls if one.tape.n_out], board.size - 1)
        for calls in (board.framing_calls(), [call for call, _, _ in moving])
    )
    near, kept_near = make_lists(board, [b for b, bond in enumerate(tabled.bonds) if bond.near is not None])
    runs = _runs(
        *(
            np.concatenate([np.zeros(0, dtype=np.int64), *parts])
            for parts in zip(*(one[1:] for one in moving), strict=True)
        )
    )
    runs[:, 1] -= board.rates
    sections = np.array([board.wrenches, board.rates])
    return Tables(Z, sections, frames, near, job, runs), [*kept, *kept_frames, *kept_near]


def _runs(begins: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Copies from places to places (n,) as runs of places that follow each other: first ones and length (k, 3)."""
    order = np.argsort(ends)
    begins, ends = begins[order], ends[order]
    first = np.flatnonzero((np.diff(begins, prepend=-2) != 1) | (np.diff(ends, prepend=-2) != 1))
    return np.stack([begins[first], ends[first], np.diff(np.append(first, len(ends)))], axis=1)


def _compile(call: Call) -> IndexedCall:
    trimmed = call.trimmed
    return IndexedCall(compile_tape(trimmed.tape), call.gather[trimmed.inputs], call.scatter[call.written], call.adds)


def no_tables() -> Tables:
    """Tables of nothing."""
    nothing = IndexedJob(0, np.zeros(1, dtype=np.int64))
    empty = Board(Tabled(0, 0, 0, (), (), ()))
    none = np.zeros((0, 3), dtype=np.int64)
    return Tables(np.zeros(1), np.zeros(2, dtype=np.int64), nothing, make_lists(empty, [])[0], nothing, none)


@njit(nogil=True, cache=True)
def table_rates(tables, y, t, out):
    """Write the rates (n,) of the state y (n,) at t."""
    Z, n = tables.board, len(y)
    wrenches, rates = tables.sections[0], tables.sections[1]
    for i in range(n):
        Z[i] = y[i]
    Z[n] = t
    for i in range(wrenches, rates):
        Z[i] = 0.0
    run_lanes(tables.frames.address, Z, tables.frames.job)
    add_near_forces(tables.near, Z)
    run_lanes(tables.job.address, Z, tables.job.job)
    for i in range(n):
        out[i] = Z[rates + i]
    for k in range(len(tables.runs)):
        begin, to = tables.runs[k, 0], tables.runs[k, 1]
        for i in range(tables.runs[k, 2]):
            out[to + i] = Z[begin + i]
