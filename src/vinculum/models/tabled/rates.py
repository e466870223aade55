"""Rates of a state by tables, in compiled code."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.targets.llvm.indexed import IndexedCall, IndexedJob, indexed_job
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.models.tabled.board import Board, Call
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


def make_tables(tabled: Tabled, values: np.ndarray) -> tuple[Tables, list]:
    """The tables at parameter values, and what must be kept alive while they are used."""
    board = Board(tabled)
    Z = board.fill(np.concatenate([np.zeros(board.states + 1), values])[None])[0]
    (frames, kept_frames), (job, kept) = (
        indexed_job([compile_call(one) for one in calls], board.size - 1)
        for calls in (board.framing_calls(), board.moving_calls())
    )
    near, kept_near = make_lists(board, [b for b, bond in enumerate(tabled.bonds) if bond.near is not None])
    return Tables(Z, np.array([board.wrenches, board.rates]), frames, near, job), [*kept, *kept_frames, *kept_near]


def compile_call(call: Call) -> IndexedCall:
    """A call in machine code."""
    trimmed = call.trimmed
    return IndexedCall(compile_tape(trimmed.tape), call.gather[trimmed.inputs], call.scatter[call.written], call.adds)


def no_tables() -> Tables:
    """Tables of nothing."""
    nothing = IndexedJob(0, np.zeros(1, dtype=np.int64))
    empty = Board(Tabled(0, 0, 0, (), (), ()))
    return Tables(np.zeros(1), np.zeros(2, dtype=np.int64), nothing, make_lists(empty, [])[0], nothing)


@njit(nogil=True, cache=True)
def run_job(job, Z, y, t):
    """Do a job on the long array Z at the state y (n,) and the instant t."""
    n = len(y)
    for i in range(n):
        Z[i] = y[i]
    Z[n] = t
    run_lanes(job.address, Z, job.job)


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
