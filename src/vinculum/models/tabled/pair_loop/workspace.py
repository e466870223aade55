"""Workspace of a pair loop at given parameter values: its compiled loops, their arrays, and threads that share them."""

import ctypes
import os
import threading
import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, final

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.compile.targets.llvm import pair_threads, pairs
from vinculum.compile.targets.llvm.machine import load_assembly
from vinculum.compile.threads.pace import Pace
from vinculum.compile.width import WIDTH
from vinculum.models.tabled.pair_loop.forces import PairWork
from vinculum.models.tabled.pair_loop.pair_loop import PAIR_OUTPUTS, PairLoop
from vinculum.tolerances.sizes import PAIRS_WORTH_SHARING

FORCE = [pairs.ODD] * 3
BALANCE = [*FORCE, pairs.EVEN, pairs.WHOLE, pairs.WHOLE, pairs.WHOLE]
_SERVE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def make_pair_work(
    pair_loop: PairLoop, values: np.ndarray, positions: np.ndarray, wrenches: np.ndarray, balance: bool = False
) -> tuple[PairWork, list]:
    """The work of a loop at parameter values, and what must be kept alive while it is used; one run or one batch at a time may use it.

    ``positions`` (k, 3) and ``wrenches`` (k,): places of the points in a long array. ``balance``: whether sizes, energies and their time
    slopes are evaluated besides the forces.
    """
    groups, numbers, kinds = pair_loop.groups, pair_loop.known_numbers(values), BALANCE if balance else FORCE
    tapes = [g.tape if balance else _forces_only(g.tape) for g in groups]
    engine, addresses = _compile_pairs(tuple(tapes), tuple(kinds))
    vectors = sum(kind != pairs.WHOLE for kind in kinds)
    sizes = [len(g) for g in groups]
    padded = [-(-m // WIDTH) * WIDTH for m in sizes]
    slots = [slot_count(width // WIDTH) for width in padded]
    at = np.zeros((len(groups), 2), dtype=np.int64)
    at[1:, 0] = np.cumsum([g.columns * w for g, w in zip(groups, padded, strict=True)])[:-1]
    at[1:, 1] = np.cumsum([s * vectors * w for s, w in zip(slots, padded, strict=True)])[:-1]
    columns = aligned_zeros(sum(g.columns * w for g, w in zip(groups, padded, strict=True)))
    sums = aligned_zeros(sum(s * vectors * w for s, w in zip(slots, padded, strict=True)))
    totals = aligned_zeros(sum(slots) * max(1, len(kinds) - vectors) * WIDTH).reshape(sum(slots), -1, WIDTH)
    for g, (group, width) in enumerate(zip(groups, padded, strict=True)):
        own = columns[at[g, 0] : at[g, 0] + group.columns * width].reshape(group.columns, width)
        own[3:, : sizes[g]] = numbers[g].T
        own[:, sizes[g] :] = 1.0  # the results of these lanes are not read
    work = PairWork(addresses["evaluate"], addresses["serve"], _empty_jobs(sizes), np.ascontiguousarray(positions.T),
                    np.ascontiguousarray(wrenches), pair_loop.starts, np.array(padded), at, np.array(slots), vectors, columns, sums,
                    np.concatenate([[0.0], values]), totals)  # fmt: skip
    _fill_jobs(work, sizes)
    return work, [engine, work]


def _empty_jobs(sizes: list[int]) -> np.ndarray:
    return np.zeros(pair_threads.JOB_SIZE * (1 + len(sizes)), dtype=np.int64)


def _fill_jobs(work: PairWork, sizes: list[int]) -> None:
    """Write counts and addresses to the jobs."""
    slots, board = work.slots.tolist(), work.board
    board[pair_threads.SLOTS] = board[pair_threads.TICKET] = sum(slots)
    for g, (size, count) in enumerate(zip(sizes, slots, strict=True)):
        job = board[pair_threads.JOB_SIZE * (g + 1) :]
        job[pair_threads.POINTS], job[pair_threads.SLOTS] = size, count
        job[pair_threads.COLUMNS] = work.columns.ctypes.data + 8 * work.at[g, 0]
        job[pair_threads.SUMS] = work.sums.ctypes.data + 8 * work.at[g, 1]
        job[pair_threads.UNIFORMS] = work.uniforms.ctypes.data
        job[pair_threads.TOTALS] = work.totals[sum(slots[:g]) :].ctypes.data


@final
class PairThreads:
    """Threads that share the pairs of a work."""

    def __init__(self, work: PairWork, kept: Any):
        self._work, self._kept, self._pace = work, kept, Pace()
        self._serve = _SERVE(work.serve)
        sizes = np.diff(work.starts)
        self._pairs = int((sizes * (sizes - 1) // 2).sum())

    @contextmanager
    def thread_pool(self, units: int, cores: int | None = None) -> Iterator[None]:
        """Threads on the other cores that take slots of the pair loop as long as the context is open.

        ``units``: how much work is done there, about. With ``cores`` given, that many work; otherwise one or all, whichever has
        been quicker.
        """
        board = self._work.board
        shared = cores is None and self._pairs > PAIRS_WORTH_SHARING and self._pace.shares()
        cores = cores or (available_cores() if shared else 1)
        count = min(cores - 1, int(board[pair_threads.SLOTS]) - 1)
        board[pair_threads.STOP] = 0
        began = clock.perf_counter()
        threads = [threading.Thread(target=self._serve, args=(board.ctypes.data,), daemon=True) for _ in range(count)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._pace.took(shared, clock.perf_counter() - began, units)
            board[pair_threads.STOP] = 1
            for thread in threads:
                thread.join()


def slot_count(blocks: int) -> int:
    """Slots for the rows of so many blocks: enough to share, and few enough that adding their sums costs little."""
    return min(blocks, 16 if blocks >= 256 else 8 if blocks >= 64 else 4)


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def aligned_zeros(count: int) -> np.ndarray:
    """Zeros that begin on a cache line."""
    room = np.zeros(count + WIDTH)
    skip = (-room.ctypes.data // 8) % WIDTH
    return room[skip : skip + count]


def _forces_only(tape: Tape) -> Tape:
    return replace(tape, outputs=PAIR_OUTPUTS[:1], results=tape.results[: PAIR_OUTPUTS[0][1]])


@lru_cache(maxsize=32)
def _load_kernels(text: str):
    return load_assembly(text, ("evaluate", "serve"))


def _compile_pairs(tapes: tuple[Tape, ...], kinds: tuple[str, ...]):
    return _load_kernels(pairs.pair_assembly(tapes, list(kinds)))
