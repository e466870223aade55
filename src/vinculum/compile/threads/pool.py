"""A thread pool that shares a batch: threads spin for a moment after each batch, so that the next one starts without
delay.

Each worker is a Python thread inside a compiled loop that spins on a counter; after a fifth of a millisecond without
work it goes to sleep on a lock. A blocking hand-over takes tens of microseconds, a tenth of a typical batch.
"""

import ctypes
import os
import platform
import threading
from functools import cache
from typing import final

import numpy as np

SPINS = 20_000
BATCH_SIZE = 16  # the counter of posted batches comes first, then these
DONE, ASLEEP, FUNCTION, IN, OUT, ROWS = range(1, 7)


def _assembly() -> str:
    x86 = platform.machine().lower() in ("x86_64", "amd64", "i686")
    pause = "call void @llvm.x86.sse2.pause()" if x86 else 'fence syncscope("singlethread") seq_cst'

    def field(index: int, name: str) -> str:
        return f"  %{name} = getelementptr i64, ptr %job, i64 {index}"

    return f"""
define i64 @serve(ptr %job, i64 %seen, i64 %limit) {{
entry:
{field(DONE, "done")}
{field(ASLEEP, "asleep")}
{field(FUNCTION, "function")}
{field(IN, "in")}
{field(OUT, "out")}
{field(ROWS, "rows")}
  br label %look
look:
  %last = phi i64 [ %seen, %entry ], [ %last, %idle ], [ %posted, %work ], [ %last, %woken ]
  %spins = phi i64 [ 0, %entry ], [ %more, %idle ], [ 0, %work ], [ 0, %woken ]
  %posted = load atomic i64, ptr %job acquire, align 8
  %new = icmp ne i64 %posted, %last
  br i1 %new, label %work, label %rest
work:
  %f = load ptr, ptr %function, align 8
  %x = load ptr, ptr %in, align 8
  %y = load ptr, ptr %out, align 8
  %n = load i64, ptr %rows, align 8
  call void %f(ptr %x, ptr %y, i64 %n)
  store atomic i64 %posted, ptr %done release, align 8
  br label %look
rest:
  %over = icmp ugt i64 %spins, %limit
  br i1 %over, label %sleep, label %idle
idle:
  {pause}
  %more = add i64 %spins, 1
  br label %look
sleep:
  store atomic i64 1, ptr %asleep seq_cst, align 8
  %again = load atomic i64, ptr %job seq_cst, align 8
  %late = icmp ne i64 %again, %last
  br i1 %late, label %claim, label %leave
claim:
  %was = atomicrmw xchg ptr %asleep, i64 0 seq_cst
  %mine = icmp eq i64 %was, 1
  br i1 %mine, label %woken, label %leave
woken:
  br label %look
leave:
  ret i64 %last
}}

define i64 @post(ptr %job, ptr %f, ptr %x, ptr %y, i64 %n) {{
{field(ASLEEP, "asleep")}
{field(FUNCTION, "function")}
{field(IN, "in")}
{field(OUT, "out")}
{field(ROWS, "rows")}
  store ptr %f, ptr %function, align 8
  store ptr %x, ptr %in, align 8
  store ptr %y, ptr %out, align 8
  store i64 %n, ptr %rows, align 8
  %old = atomicrmw add ptr %job, i64 1 seq_cst
  %slept = atomicrmw xchg ptr %asleep, i64 0 seq_cst
  ret i64 %slept
}}

define void @finish(ptr %job) {{
entry:
{field(DONE, "done")}
  br label %look
look:
  %posted = load atomic i64, ptr %job monotonic, align 8
  %d = load atomic i64, ptr %done acquire, align 8
  %equal = icmp eq i64 %posted, %d
  br i1 %equal, label %leave, label %idle
idle:
  {pause}
  br label %look
leave:
  ret void
}}
"""


@final
class ThreadPool:
    """Workers for batches; one batch at a time."""

    def __init__(self, size: int, load):
        engine, addresses = load(_assembly(), ("serve", "post", "finish"))
        address, whole = ctypes.c_void_p, ctypes.c_int64
        self._engine = engine
        self._serve = ctypes.CFUNCTYPE(whole, address, whole, whole)(addresses["serve"])
        self._post = ctypes.CFUNCTYPE(whole, address, address, address, address, whole)(addresses["post"])
        self._finish = ctypes.CFUNCTYPE(None, address)(addresses["finish"])
        self._jobs = [np.zeros(BATCH_SIZE, dtype=np.int64) for _ in range(size)]
        self._addresses = [job.ctypes.data for job in self._jobs]
        self._beds = [threading.Lock() for _ in range(size)]
        self.busy = threading.Lock()
        for k in range(size):
            self._jobs[k][ASLEEP] = 1
            self._beds[k].acquire()
            threading.Thread(target=self._live, args=(k,), daemon=True, name=f"vinculum-{k}").start()

    def _live(self, k: int) -> None:
        seen, job = 0, self._jobs[k].ctypes.data
        while True:
            self._beds[k].acquire()
            seen = self._serve(job, seen, SPINS)

    def share(self, function: int, parts: list[tuple[int, int, int]], own) -> None:
        """Hand one part (in, out, rows) to each worker, call ``own()`` meanwhile, and wait for all."""
        for address, bed, part in zip(self._addresses, self._beds, parts, strict=False):
            if self._post(address, function, *part):
                bed.release()
        try:
            own()
        finally:
            for address, _ in zip(self._addresses, parts, strict=False):
                self._finish(address)


@cache
def cores() -> int:
    """Number of processors; asked once, as the system takes tens of microseconds to answer."""
    return os.cpu_count() or 1


_pools: dict[int, ThreadPool] = {}
_lock = threading.Lock()


def thread_pool(size: int, load) -> ThreadPool:
    """The crew of this process with ``size`` workers; ``load`` turns assembly into an engine and addresses."""
    with _lock:
        if size not in _pools:
            _pools[size] = ThreadPool(size, load)
        return _pools[size]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)
