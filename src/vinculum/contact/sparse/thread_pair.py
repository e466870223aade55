"""Two threads in lockstep: shared words, a barrier, and a wait for the next task.

Each thread counts its own arrivals and reads the count of the other; there are no locks. A thread that waits long yields the core.
"""

import platform

import numpy as np
from llvmlite import ir
from numba.core import types

from vinculum.compile.kernels import intrinsic, njit
from vinculum.tolerances.contact import LOOKS_BEFORE_SLEEP, LOOKS_BEFORE_YIELD

ARRIVED, TASK, OVER, WORDS = 0, 32, 48, 64
"""Indices on the board (WORDS,) of i64: arrivals of the two threads, a cache line apart; the number of tasks so far; and the end flag."""
_X86 = platform.machine().lower() in ("x86_64", "amd64", "i686")
_POSIX = platform.system() != "Windows"


@intrinsic
def _load_acquire(context, address):
    def generate(context, builder, signature, args):
        place = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
        return builder.load_atomic(place, "acquire", 8)

    return types.int64(types.int64), generate


@intrinsic
def _store_release(context, address, word):
    def generate(context, builder, signature, args):
        place = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
        builder.store_atomic(args[1], place, "release", 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def _pause(context):
    def generate(context, builder, signature, args):
        if _X86:
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", fnty=kind), [])
        return context.get_dummy_value()

    return types.void(), generate


def _system_call(name: str, context, builder, args):
    kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32)] * len(args))
    known = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    builder.call(known, args)
    return context.get_dummy_value()


@intrinsic
def _yield_core(context):
    """Yield the core to other threads."""

    def generate(context, builder, signature, args):
        return _system_call("sched_yield", context, builder, []) if _POSIX else context.get_dummy_value()

    return types.void(), generate


@intrinsic
def _sleep(context, microseconds):
    def generate(context, builder, signature, args):
        return _system_call("usleep", context, builder, args) if _POSIX else context.get_dummy_value()

    return types.void(types.int32), generate


@njit(nogil=True, cache=True)
def meet(board, rank, threads):
    """Wait until the other thread arrives too; its earlier writes are visible afterwards."""
    if threads < 2:
        return
    here = board.ctypes.data
    mine = board[ARRIVED + 16 * rank] + 1
    _store_release(here + 8 * (ARRIVED + 16 * rank), mine)
    other = here + 8 * (ARRIVED + 16 * (1 - rank))
    waited = 0
    while _load_acquire(other) < mine:
        _pause()
        waited += 1
        if waited > LOOKS_BEFORE_SLEEP:
            _sleep(np.int32(20))
        elif waited > LOOKS_BEFORE_YIELD:
            _yield_core()


@njit(nogil=True, cache=True)
def offer(board):
    """Tell the other thread that there is a task."""
    _store_release(board.ctypes.data + 8 * TASK, board[TASK] + 1)


@njit(nogil=True, cache=True)
def dismiss(board):
    """Tell the other thread that there will be no more tasks."""
    _store_release(board.ctypes.data + 8 * OVER, 1)


@njit(nogil=True, cache=True)
def next_task(board, done):
    """Wait for the task after ``done`` ones; returns False if there will be no more tasks."""
    here, waited = board.ctypes.data, 0
    while _load_acquire(here + 8 * TASK) <= done:
        if _load_acquire(here + 8 * OVER) != 0:
            return False
        _pause()
        waited += 1
        if waited > LOOKS_BEFORE_SLEEP:
            _sleep(np.int32(20))
    return True


def new_board() -> np.ndarray:
    """A fresh board."""
    return np.zeros(WORDS, dtype=np.int64)
