"""Rates of a state by tables, in compiled code."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import run_indexed
from vinculum.compile.kernels import njit
from vinculum.compile.targets.llvm.indexed import STATE, IndexedCall, IndexedJob, indexed_job
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.models.tabled.board import (
    Board,
    Call,
    force_calls,
    framing_calls,
    motion_calls,
    reaction_calls,
    response_calls,
    without_copies,
    without_wrenches,
)
from vinculum.models.tabled.near_lists import NearLists, add_near_forces, make_lists
from vinculum.models.tabled.pair_loop.forces import PairWork, add_pair_forces, no_pairs
from vinculum.models.tabled.pair_loop.workspace import make_pair_work
from vinculum.models.tabled.reactions import Reactions, add_reactions, reactions_of
from vinculum.models.tabled.tabled import Tabled


class Tables(NamedTuple):
    """The calls of a board, for compiled loops."""

    board: np.ndarray
    """The long array."""
    sections: np.ndarray
    """Beginnings of wrenches and rates, and the number of coordinates."""
    frames: IndexedJob
    """The frames of bodies on which bonds act."""
    near: NearLists
    """Bonds between bodies within a cutoff."""
    pairs: PairWork
    """All pairs of groups of points."""
    forces: IndexedJob
    """Bonds over given rows."""
    conditions: IndexedJob
    """Rows of conditions and the mobilities of blocks."""
    accelerations: IndexedJob
    """Rows and mobilities, and the accelerations of bodies without reactions."""
    reactions: Reactions
    response: IndexedJob
    """Changes of the state by impulsive wrenches, in place of its rates."""
    job: IndexedJob
    """The motions of blocks; outputs are places among the rates of a state."""
    runs: np.ndarray
    """Rates that are numbers of the array: where they begin in it, where among the rates, and how many follow each other (k, 3)."""
    alone: bool
    """Whether nothing acts between bodies. The motions of blocks are then functions of the state alone, which is read where it is."""


def make_tables(tabled: Tabled, values: np.ndarray) -> tuple[Tables, list]:
    """The tables at parameter values, and what must be kept alive while they are used."""
    board = Board(tabled)
    Z = board.fill(np.concatenate([np.zeros(board.states + 1), values])[None])[0]
    held = bool(tabled.conditions)
    alone = not (tabled.has_bonds or held)
    motions = [without_wrenches(board, call) if alone else call for call in motion_calls(board)]
    moving = [without_copies(call) for call in motions]
    calls = (
        framing_calls(board), force_calls(board), reaction_calls(board, accelerations=False) if held else [],
        reaction_calls(board) if held else [], response_calls(board) if held else [],
        [replace(call, scatter=call.scatter - board.rates) for call, _, _ in moving if call.tape.n_out],
    )  # fmt: skip
    spare, n = board.size - 1, board.states
    jobs, kept = zip(*(indexed_job([compile_call(one) for one in each], spare, n) for each in calls), strict=True)
    frames, forces, conditions, accelerations, response, job = jobs
    pairs, kept_pairs = _pairs_of(board, values)
    near, kept_near = make_lists(board, [b for b, bond in enumerate(tabled.bonds) if bond.near is not None])
    none = np.zeros(0, dtype=np.int64)
    begins, ends = (np.concatenate([none, *x]) for x in ([x for _, x, _ in moving], [x for _, _, x in moving]))
    runs = _runs(begins, ends, n)
    runs[:, 1] -= board.rates
    sections = np.array([board.wrenches, board.rates, tabled.nq])
    tables = Tables(
        Z,
        sections,
        frames,
        near,
        pairs,
        forces,
        conditions,
        accelerations,
        reactions_of(board),
        response,
        job,
        runs,
        alone,
    )
    return tables, [*kept, *kept_near, *kept_pairs]


def _pairs_of(board: Board, values: np.ndarray) -> tuple[PairWork, list]:
    """The pair loop of a board at parameter values, and what must be kept alive."""
    loop = board.tabled.pair_loop
    if loop is None:
        return no_pairs(), []
    return make_pair_work(loop, values, board.positions(loop.members), board.wrenches + 6 * loop.members)


def _runs(begins: np.ndarray, ends: np.ndarray, states: int) -> np.ndarray:
    """Copies from places to places (n,) as runs of places that follow each other: first ones and length (k, 3). No run goes beyond the
    numbers of a state."""
    order = np.argsort(ends)
    begins, ends = begins[order], ends[order]
    first = np.flatnonzero((np.diff(begins, prepend=-2) != 1) | (np.diff(ends, prepend=-2) != 1) | (begins == states))
    return np.stack([begins[first], ends[first], np.diff(np.append(first, len(ends)))], axis=1)


def compile_call(call: Call) -> IndexedCall:
    """A call in machine code."""
    trimmed = call.trimmed
    return IndexedCall(compile_tape(trimmed.tape), call.gather[trimmed.inputs], call.scatter[call.written], call.adds)


@njit(nogil=True, cache=True)
def run_job(job, Z, y, t):
    """Do a job on the long array Z at the state y (n,) and the instant t."""
    n = len(y)
    for i in range(n):
        Z[i] = y[i]
    Z[n] = t
    run_indexed(job, Z, Z)


@njit(nogil=True, cache=True)
def table_rates(tables, y, t, out):
    """Write the rates (n,) of the state y (n,), which is contiguous, at t."""
    Z, n = tables.board, len(y)
    if tables.alone:
        Z[n] = t
        tables.job.job[STATE] = (y.ctypes.data - Z.ctypes.data) // 8
        run_indexed(tables.job, Z, out)
        _copy_runs(tables.runs, y, n, out, True)
        _copy_runs(tables.runs, Z, n, out, False)
        return
    _put(Z, tables.sections, y, t)
    run_indexed(tables.frames, Z, Z)
    if len(tables.near.counts):  # long tuples are not passed for nothing
        add_near_forces(tables.near, Z)
    if len(tables.pairs.padded):
        add_pair_forces(tables.pairs, Z, t)
    run_indexed(tables.forces, Z, Z)
    if len(tables.reactions.x):
        run_indexed(tables.accelerations, Z, Z)
        add_reactions(tables.reactions, Z)
    run_indexed(tables.job, Z, out)
    _copy_runs(tables.runs, Z, n, out, True)
    _copy_runs(tables.runs, Z, n, out, False)


@njit(nogil=True, cache=True)
def _copy_runs(runs, x, n, out, of_state):
    """Copy the runs that begin among the first n numbers of x, which are a state, or those that begin beyond."""
    for k in range(len(runs)):
        begin, to, size = runs[k, 0], runs[k, 1], runs[k, 2]
        if (begin < n) == of_state:
            source, copy = x[begin : begin + size], out[to : to + size]
            for i in range(len(copy)):  # of slices, whose places are never counted from the end
                copy[i] = source[i]


@njit(nogil=True, cache=True)
def put_state(tables, y, t):
    """Put a state and the time on the board, and clear the wrenches."""
    _put(tables.board, tables.sections, y, t)


@njit(nogil=True, cache=True)
def _put(Z, sections, y, t):
    """Put a state and the time on the long array Z, and clear the wrenches."""
    n = len(y)
    state, wrenches = Z[:n], Z[sections[0] : sections[1]]
    for i in range(n):  # of slices, whose places are never counted from the end
        state[i] = y[i]
    Z[n] = t
    for i in range(len(wrenches)):
        wrenches[i] = 0.0


@njit(nogil=True, cache=True)
def clear_wrenches(tables):
    """Set all wrenches on bodies to zero."""
    for i in range(tables.sections[0], tables.sections[1]):
        tables.board[i] = 0.0
