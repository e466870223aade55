"""A compiled tape on a batch whose inputs are in several arrays, read in place.

LLVM assembly of the loop: eight rows of every array are transposed in registers, evaluated, and the results scattered. Rows beyond the last
repeat it, and store its results again. What is read and written is added up on the way, so that NaN and infinity show. Inputs that are kept
go past the caches, and a fence makes them seen before the batch counts as done.
"""

import ctypes
import itertools
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, final

import numpy as np

from vinculum.compile.targets.llvm.machine import MIN_ROWS_PER_THREAD, Compiled, load_assembly
from vinculum.compile.threads.pool import cores, thread_pool
from vinculum.compile.width import WIDTH

LANES = f"<{WIDTH} x double>"
QUAD = "<4 x double>"
LINE = 64
DOUBLE = np.dtype(float)
FUNCTION, DIRTY, STEP_OUT, KEPT, FIRST = range(5)
"""Words of a job: the function of lanes, whether a number was not finite, numbers from row to row of the output, where transposed inputs
are kept (or 0); then address and numbers from row to row of every array."""
_BATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


def evaluate_gathered(
    code: Compiled, parts: Sequence[np.ndarray], rows: int, out: np.ndarray, kept: np.ndarray | None = None
) -> bool:
    """Put the outputs (rows, n_out) into ``out``; whether all numbers that went in and out are finite (False may be a false alarm).

    ``parts``: for every group of inputs an array (size,) for all rows or (rows, size), of floats that lie next to each other in a row, as
    those of ``out``. ``kept`` (blocks, n_in, 8): gets the inputs in blocks of eight rows, see `empty_blocks`.
    """
    loop = _loop(tuple([part.shape[-1] for part in parts]), out.shape[1])
    places = [(_address(part), part.strides[0] // 8 if part.ndim == 2 else 0) for part in parts]
    return loop.run(
        code.lanes, places, rows, (_address(out), out.strides[0] // 8), 0 if kept is None else _address(kept)
    )


@final
class Repeated:
    """A compiled tape for calls again and again: its first inputs are arrays (rows, size) of floats, the others stay as they are."""

    def __init__(self, code: Compiled, sizes: tuple[int, ...], staying: Sequence[np.ndarray]):
        staying = [x for x in staying if x.shape[-1]]
        self._loop = _loop((*sizes, *(x.shape[-1] for x in staying)), code.tape.n_out)
        self._code, self._sizes, self._width, self._staying = code, sizes, code.tape.n_out, staying
        self._stays = [(_address(x), 0) for x in staying]

    def __call__(self, given: Sequence, out: np.ndarray | None, kept: np.ndarray | None = None) -> np.ndarray | None:
        """The outputs, in ``out`` if it is given; None where an array is of another kind, shares memory with ``out``, or some number is
        not finite: then nothing is said about what ``out`` holds."""
        rows = len(given[0])
        found = np.empty((rows, self._width)) if out is None else out
        where = _place(found, rows, self._width)
        sought = (_place(x, rows, size) for x, size in zip(given, self._sizes, strict=True))
        places = [place for place in sought if place is not None]
        if where is None or len(places) < len(given):
            return None
        if out is not None:
            end = where[0] + 8 * rows * where[1]
            if where[1] < self._width or not out.flags.writeable:
                return None
            if any(start < end and where[0] < start + 8 * rows * step for start, step in places):
                return None
        address = 0 if kept is None else _address(kept)
        return found if self._loop.run(self._code.lanes, places + self._stays, rows, where, address) else None


def _place(x, rows: int, size: int) -> tuple[int, int] | None:
    """Address and numbers from row to row of an array (rows, size) of floats that follow each other; None for others."""
    if type(x) is not np.ndarray or x.dtype is not DOUBLE or x.shape != (rows, size):
        return None
    step, inner = x.strides
    address = x.__array_interface__["data"][0]
    if (inner != 8 and size > 1) or step < 8 * size or step % 8 or address % 8:
        return None
    return address, step // 8


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


@lru_cache(maxsize=64)
def _edges(rows: int) -> list[tuple[int, int]]:
    """First and last row, exclusively, of every thread's share, in whole blocks of eight."""
    count = min(cores(), rows // MIN_ROWS_PER_THREAD)
    if count < 2:
        return [(0, rows)]
    blocks = -(-rows // WIDTH)
    return list(itertools.pairwise(min(rows, WIDTH * (blocks * k // count)) for k in range(count + 1)))


def empty_blocks(rows: int, n_in: int) -> np.ndarray:
    """Room for the inputs of a batch in blocks of eight rows, (blocks, n_in, 8), each at the beginning of a cache line."""
    shape = (-(-rows // WIDTH), n_in, WIDTH)
    size = 8 * shape[0] * n_in * WIDTH
    room = np.empty(size + LINE, dtype=np.uint8)
    first = -room.ctypes.data % LINE
    return room[first : first + size].view(float).reshape(shape)


def in_rows(blocks: np.ndarray, rows: int) -> np.ndarray:
    """Blocks of eight rows as rows (rows, n_in)."""
    return np.ascontiguousarray(blocks.transpose(0, 2, 1)).reshape(-1, blocks.shape[1])[:rows]


@final
class _Loop:
    def __init__(self, sizes: tuple[int, ...], n_out: int):
        self._engine, addresses = load_assembly(loop_assembly(sizes, n_out), ("gathered",))
        self._address = addresses["gathered"]
        self._function = _BATCH(self._address)
        self._block = 8 * sum(sizes)
        self._words = FIRST + 2 * len(sizes)

    def run(self, lanes: int, places: list[tuple[int, int]], rows: int, out: tuple[int, int], kept: int) -> bool:
        """Run a function of lanes over arrays at (address, numbers from row to row); whether all numbers are finite.

        All shares but the first go to other threads where those are free.
        """
        edges, words, size = _edges(rows), [], self._words
        to, step_out = out
        for a, _ in edges:
            words += (lanes, 0, step_out, kept and kept + a * self._block)
            for start, step in places:
                words += (start + 8 * a * step, step)
        jobs = (ctypes.c_int64 * len(words))(*words)
        first = ctypes.addressof(jobs)
        shares = [(first + 8 * k * size, to + 8 * a * step_out, b - a) for k, (a, b) in enumerate(edges)]
        if not self._run_shares(shares):
            for share in shares:
                self._function(*share)
        return not any(jobs[DIRTY::size])

    def _run_shares(self, shares: list[tuple[int, int, int]]) -> bool:
        if len(shares) == 1:
            return False
        workers = thread_pool(len(shares) - 1, load_assembly)
        if not workers.busy.acquire(blocking=False):
            return False
        try:
            workers.share(self._address, shares[1:], lambda: self._function(*shares[0]))
        finally:
            workers.busy.release()
        return True


@cache
def _loop(sizes: tuple[int, ...], n_out: int) -> Any:
    return _Loop(sizes, n_out)


def loop_assembly(sizes: tuple[int, ...], n_out: int) -> str:
    """`gathered(job, Y, rows)` over arrays whose rows have the given sizes."""
    n_in = sum(sizes)
    text = _Text()
    text.add(
        f"declare {QUAD} @llvm.masked.load.v4f64.p0(ptr, i32, <4 x i1>, {QUAD})",
        f"declare void @llvm.masked.store.v4f64.p0({QUAD}, ptr, i32, <4 x i1>)",
        "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
        "declare i64 @llvm.smin.i64(i64, i64)",
        f"declare {LANES} @llvm.fabs.v8f64({LANES})",
        "declare i1 @llvm.vector.reduce.or.v8i1(<8 x i1>)",
        "define void @gathered(ptr noalias %job, ptr %Y, i64 %rows) {",
        "entry:",
        f"  %own = alloca [{max(n_in, 1)} x {LANES}], align 64",
        f"  %y = alloca [{max(n_out, 1)} x {LANES}], align 64",
        "  %last = sub i64 %rows, 1",
    )
    lanes, step_out, kept = text.word(FUNCTION, "ptr"), text.word(STEP_OUT), text.word(KEPT)
    starts = [text.word(FIRST + 2 * k, "ptr") for k in range(len(sizes))]
    steps = [text.word(FIRST + 2 * k + 1) for k in range(len(sizes))]
    text.add(
        f"  %keeps = icmp ne i64 {kept}, 0",
        f"  %there = inttoptr i64 {kept} to ptr",
        "  br label %next",
        "next:",
        "  %row = phi i64 [ 0, %entry ], [ %following, %work ]",
        "  %to = phi ptr [ %there, %entry ], [ %to.after, %work ]",
        f"  %sum = phi {LANES} [ zeroinitializer, %entry ], [ %total, %work ]",
        "  %more = icmp slt i64 %row, %rows",
        "  br i1 %more, label %block, label %done",
        "block:",
    )
    text.add(f"  %following = add i64 %row, {WIDTH}")
    rows = ["%row"]
    for k in range(1, WIDTH):
        there = text.put(f"add i64 %row, {k}")
        rows.append(text.put(f"call i64 @llvm.smin.i64(i64 {there}, i64 %last)"))
    sums, place = ["%sum", "zeroinitializer"], 0
    for size, start, step in zip(sizes, starts, steps, strict=True):
        begins = [text.row(start, row, step) for row in rows] if size else []
        for first, columns in text.columns(begins, size).items():
            text.store_lane("%own", place + first, columns)
            sums.append(text.put(f"fadd {LANES} {sums.pop(0)}, {columns}"))
        place += size
        text.prefetch(text.row(start, "%following", step), size, 0)
    text.prefetch(text.row("%Y", "%following", step_out), n_out, 1)
    text.add("  br i1 %keeps, label %keep, label %work", "keep:")
    for k in range(n_in):
        there = text.put(f"getelementptr {LANES}, ptr %to, i64 {k}")
        text.add(f"  store {LANES} {text.load_lane('%own', k)}, ptr {there}, align 64, !nontemporal !0")
    text.add("  br label %work", "work:", f"  call void {lanes}(ptr %own, ptr %y)")
    ends = [text.row("%Y", row, step_out) for row in rows]
    found = [text.load_lane("%y", j) for j in range(n_out)]
    for value in found:
        sums.append(text.put(f"fadd {LANES} {sums.pop(0)}, {value}"))
    text.scatter(ends, found)
    text.add(
        f"  %total = fadd {LANES} {sums[0]}, {sums[1]}",
        f"  %to.after = getelementptr {LANES}, ptr %to, i64 {n_in}",
        "  br label %next",
        "done:",
        f"  %magnitude = call {LANES} @llvm.fabs.v8f64({LANES} %sum)",
        f"  %wrong = fcmp ueq {LANES} %magnitude, {_infinities()}",
        "  %some = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %wrong)",
        "  %dirty = zext i1 %some to i64",
        f"  %flag = getelementptr i64, ptr %job, i64 {DIRTY}",
        "  store i64 %dirty, ptr %flag, align 8",
        "  fence seq_cst",
        "  ret void",
        "}",
        "!0 = !{i32 1}",
    )
    return "\n".join(text.lines)


def _infinities() -> str:
    return "<" + ", ".join(["double 0x7FF0000000000000"] * WIDTH) + ">"


class _Text:
    """Lines of assembly with numbered values."""

    def __init__(self):
        self.lines: list[str] = []
        self._count = 0

    def add(self, *lines: str) -> None:
        self.lines.extend(lines)

    def put(self, expression: str) -> str:
        self._count += 1
        self.lines.append(f"  %t{self._count} = {expression}")
        return f"%t{self._count}"

    def word(self, index: int, kind: str = "i64") -> str:
        return self.put(f"load {kind}, ptr {self.put(f'getelementptr i64, ptr %job, i64 {index}')}, align 8")

    def row(self, start: str, row: str, step: str) -> str:
        return self.put(f"getelementptr double, ptr {start}, i64 {self.put(f'mul i64 {row}, {step}')}")

    def prefetch(self, row: str, size: int, write: int) -> None:
        """Fetch eight rows of ``size`` numbers that follow each other."""
        for line in range(0, size * WIDTH, LINE // 8):
            ahead = self.put(f"getelementptr double, ptr {row}, i64 {line}")
            self.add(f"  call void @llvm.prefetch.p0(ptr {ahead}, i32 {write}, i32 3, i32 1)")

    def columns(self, begins: list[str], size: int) -> dict[int, str]:
        """Every column of eight rows as a vector; four columns at a time, the last four overlap those before."""
        found: dict[int, str] = {}
        for first in range(0, size, 4):
            first = max(0, min(first, size - 4))
            quads = [self._quad(begin, first, min(4, size)) for begin in begins]
            pairs = [self._concatenate(quads[k], quads[k + 4]) for k in range(4)]
            for j, column in enumerate(self._transpose(pairs)[: min(4, size)]):
                found[first + j] = column
        return found

    def scatter(self, ends: list[str], columns: list[str]) -> None:
        """Store vectors as columns of eight rows."""
        size = len(columns)
        for first in range(0, size, 4):
            first = max(0, min(first, size - 4))
            chosen = columns[first : first + 4]
            pairs = self._transpose(chosen + ["zeroinitializer"] * (4 - len(chosen)))
            for half in (0, 1):
                order = ", ".join(f"i32 {4 * half + i}" for i in range(4))
                for k, pair in enumerate(pairs):
                    part = self.put(f"shufflevector {LANES} {pair}, {LANES} poison, <4 x i32> <{order}>")
                    place = self.put(f"getelementptr double, ptr {ends[k + 4 * half]}, i64 {first}")
                    self._store(part, place, len(chosen))

    def load_lane(self, buffer: str, index: int) -> str:
        return self.put(f"load {LANES}, ptr {self.put(f'getelementptr {LANES}, ptr {buffer}, i64 {index}')}, align 64")

    def store_lane(self, buffer: str, index: int, vector: str) -> None:
        place = self.put(f"getelementptr {LANES}, ptr {buffer}, i64 {index}")
        self.add(f"  store {LANES} {vector}, ptr {place}, align 64")

    def _quad(self, row: str, first: int, count: int) -> str:
        place = self.put(f"getelementptr double, ptr {row}, i64 {first}")
        if count == 4:
            return self.put(f"load {QUAD}, ptr {place}, align 8")
        return self.put(
            f"call {QUAD} @llvm.masked.load.v4f64.p0(ptr {place}, i32 8, {_mask(count)}, {QUAD} zeroinitializer)"
        )

    def _store(self, part: str, place: str, count: int) -> None:
        if count == 4:
            self.add(f"  store {QUAD} {part}, ptr {place}, align 8")
        else:
            self.add(f"  call void @llvm.masked.store.v4f64.p0({QUAD} {part}, ptr {place}, i32 8, {_mask(count)})")

    def _concatenate(self, low: str, high: str) -> str:
        order = ", ".join(f"i32 {i}" for i in range(8))
        return self.put(f"shufflevector {QUAD} {low}, {QUAD} {high}, <8 x i32> <{order}>")

    def _shuffle(self, a: str, b: str, order: tuple[int, ...]) -> str:
        chosen = ", ".join(f"i32 {i}" for i in order)
        return self.put(f"shufflevector {LANES} {a}, {LANES} {b}, <8 x i32> <{chosen}>")

    def _transpose(self, pairs: list[str]) -> list[str]:
        """Both halves of four vectors transposed, as two 4 × 4 matrices."""
        even, odd = (
            [self._shuffle(pairs[k], pairs[k + 1], order) for k in (0, 2)]
            for order in ((0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15))
        )
        low, high = (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)
        return [self._shuffle(half[0], half[1], order) for order in (low, high) for half in (even, odd)]


def _mask(count: int) -> str:
    return "<4 x i1> <" + ", ".join(f"i1 {int(k < count)}" for k in range(4)) + ">"
