"""Rates of a state by tables, in compiled code: eight rows at a time are gathered from the board, evaluated and written back."""

from typing import NamedTuple

import numpy as np
from numba import njit

from vinculum.compile.calls import run_lanes
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.width import WIDTH
from vinculum.models.tabled.board import Board
from vinculum.models.tabled.tabled import Tabled


class Tables(NamedTuple):
    """The calls of a board, one after the other. Indices of a call are stored by blocks of eight rows."""

    board: np.ndarray
    """The long array."""
    sections: np.ndarray
    """Beginnings of wrenches and rates."""
    addresses: np.ndarray
    """Machine code of every call."""
    shapes: np.ndarray
    """Blocks, used inputs, used outputs, and whether outputs are added, of every call (k, 4)."""
    begins: np.ndarray
    """Where the slots and indices of its inputs and of its outputs begin (k, 4)."""
    in_slots: np.ndarray
    in_indices: np.ndarray
    out_slots: np.ndarray
    out_indices: np.ndarray
    x: np.ndarray
    """Inputs of eight rows (n_in, 8)."""
    y: np.ndarray
    """Outputs of eight rows (n_out, 8)."""


def make_tables(tabled: Tabled, values: np.ndarray) -> tuple[Tables, list]:
    """The tables at parameter values, and what keeps their machine code in memory."""
    board = Board(tabled)
    calls = board.calls()
    Z = board.filled(np.concatenate([np.zeros(board.states + 1), values])[None])[0]
    kept = [compile_tape(call.tape) for call in calls]
    shapes, begins = np.zeros((len(calls), 4), dtype=np.int64), np.zeros((len(calls), 4), dtype=np.int64)
    lists: list[list[np.ndarray]] = [[np.zeros(0, dtype=np.int64)] for _ in range(4)]
    for k, call in enumerate(calls):
        ins, outs = call.used_inputs, call.used_outputs
        blocks = -(-call.gather.shape[1] // WIDTH)
        shapes[k] = blocks, len(ins), len(outs), call.adds
        begins[k] = [sum(len(part) for part in one) for one in lists]
        for one, part in zip(lists, (ins, _by_blocks(call.gather[ins], blocks, None), outs,
                                     _by_blocks(call.scatter[outs], blocks, board.size - 1)), strict=True):  # fmt: skip
            one.append(part)
    inputs, outputs = (max((getattr(call.tape, n) for call in calls), default=1) for n in ("n_in", "n_out"))
    arrays = [np.concatenate(one) for one in lists]
    x, y = np.ones((max(inputs, 1), WIDTH)), np.zeros((max(outputs, 1), WIDTH))
    addresses = np.array([one.lanes for one in kept], dtype=np.int64)
    return Tables(Z, np.array([board.wrenches, board.rates]), addresses, shapes, begins, *arrays, x, y), kept


def no_tables() -> Tables:
    """Tables of nothing."""
    none, shapes = np.zeros(0, dtype=np.int64), np.zeros((0, 4), dtype=np.int64)
    return Tables(np.zeros(1), np.zeros(2, dtype=np.int64), none, shapes, shapes, none, none, none, none,
                  np.ones((1, WIDTH)), np.zeros((1, WIDTH)))  # fmt: skip


def _by_blocks(indices: np.ndarray, blocks: int, spare: int | None) -> np.ndarray:
    """Indices (n, m) in blocks of eight rows; missing rows repeat the last one, or all go to the place ``spare``."""
    n, m = indices.shape
    padded = np.empty((n, blocks * WIDTH), dtype=np.int64)
    padded[:, :m] = indices
    if m:
        padded[:, m:] = indices[:, -1:] if spare is None else spare
    return np.ascontiguousarray(padded.reshape(n, blocks, WIDTH).transpose(1, 0, 2)).ravel()




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
    for k in range(len(tables.addresses)):
        _run(tables, k, Z)
    for i in range(n):
        out[i] = Z[rates + i]


@njit(nogil=True, cache=True)
def _run(tables, k, Z):
    """All rows of one call, in order, so that sums do not depend on anything else."""
    blocks, ins, outs, adds = tables.shapes[k]
    in_slot, in_index, out_slot, out_index = tables.begins[k]
    x, y, address = tables.x, tables.y, tables.addresses[k]
    for _ in range(blocks):
        for i in range(ins):
            slot = tables.in_slots[in_slot + i]
            for lane in range(WIDTH):
                x[slot, lane] = Z[tables.in_indices[in_index + lane]]
            in_index += WIDTH
        run_lanes(address, x, y)
        for i in range(outs):
            slot = tables.out_slots[out_slot + i]
            if adds:
                for lane in range(WIDTH):
                    Z[tables.out_indices[out_index + lane]] += y[slot, lane]
            else:
                for lane in range(WIDTH):
                    Z[tables.out_indices[out_index + lane]] = y[slot, lane]
            out_index += WIDTH
