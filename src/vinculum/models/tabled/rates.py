"""Rates of a state by tables, in compiled code."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.targets.llvm.indexed import IndexedCall, IndexedJob, indexed_job
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.models.tabled.board import Board
from vinculum.models.tabled.tabled import Tabled


class Tables(NamedTuple):
    """The calls of a board, for compiled loops."""

    board: np.ndarray
    """The long array."""
    sections: np.ndarray
    """Beginnings of wrenches and rates."""
    job: IndexedJob


def make_tables(tabled: Tabled, values: np.ndarray) -> tuple[Tables, list]:
    """The tables at parameter values, and what must be kept alive while they are used."""
    board = Board(tabled)
    Z = board.fill(np.concatenate([np.zeros(board.states + 1), values])[None])[0]
    calls = [
        IndexedCall(compile_tape(one.trimmed.tape), one.gather[one.trimmed.inputs], one.scatter[one.written], one.adds)
        for one in board.calls()
    ]
    job, kept = indexed_job(calls, board.size - 1)
    return Tables(Z, np.array([board.wrenches, board.rates]), job), kept


def no_tables() -> Tables:
    """Tables of nothing."""
    return Tables(np.zeros(1), np.zeros(2, dtype=np.int64), IndexedJob(0, np.zeros(1, dtype=np.int64)))


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
    run_lanes(tables.job.address, Z, tables.job.job)
    for i in range(n):
        out[i] = Z[rates + i]
