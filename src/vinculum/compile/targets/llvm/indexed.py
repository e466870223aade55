"""Compiled tapes over rows of indices: eight rows at a time are gathered from one long array, evaluated, and written or added to it.

One function serves all tapes, so it is compiled once. Rows are visited in order, so sums do not depend on anything else. Numbers of a row
that follow each other in the array are loaded and stored four at a time and transposed in registers, which is faster than gathering them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, final

import numpy as np

from vinculum.compile.targets.llvm.machine import Compiled, load_assembly
from vinculum.compile.width import WIDTH

LANES, INDICES, POINTERS, ALL = f"<{WIDTH} x double>", f"<{WIDTH} x i64>", f"<{WIDTH} x ptr>", f"<{WIDTH} x i1>"
FOUR = 4
"""Numbers of a row that are loaded or stored together."""
PART = f"<{FOUR} x double>"
HEAD, WORDS, STATE = 4, 11, 3
"""Words of a job: scratch for inputs and outputs, number of calls, and how many numbers after the array the state begins (0 if it is the
array's beginning); then eleven words for each call."""
BLOCKS, PAIRS, PAIR_WORDS = 3, 9, 10
"""Words of a job of pairs with the numbers of blocks and of pairs, and the number of its words."""


@final
@dataclass(frozen=True, eq=False)
class IndexedCall:
    """A compiled tape on m rows: inputs come from the places ``gather`` (n_in, m) of an array, outputs go to ``scatter`` (n_out, m).

    ``adds``: whether outputs are added to what is there."""

    code: Compiled
    gather: np.ndarray
    scatter: np.ndarray
    adds: bool


class IndexedJob(NamedTuple):
    """Calls one after the other on a long array, for compiled code: ``run_indexed(job, array, target)``. Outputs go to the target, which
    may be the array itself."""

    address: int
    job: np.ndarray


def indexed_job(calls: Sequence[IndexedCall], spare: int, states: int = 0) -> tuple[IndexedJob, list]:
    """The job of calls, and what must be kept alive while it is used. ``spare``: a place that lanes without a row may add to; where
    outputs are not added, such lanes repeat the last row. ``states``: numbers at the beginning of the array that may stand elsewhere,
    at the distance of the word `STATE`."""
    inputs, outputs = (max((getattr(one.code.tape, n) for one in calls), default=1) for n in ("n_in", "n_out"))
    x, y = _scratch(inputs), _scratch(outputs)
    words, kept = [x.ctypes.data, y.ctypes.data, len(calls), 0], [x, y, _engine(), *(one.code for one in calls)]
    for one in calls:
        blocks = -(-one.gather.shape[1] // WIDTH)
        read, written = _group(one.gather, True), _group(one.scatter, not one.adds)
        sources = _sources(one.gather, read, states)
        gather = _by_blocks(one.gather, read, blocks, None)
        scatter = _by_blocks(one.scatter, written, blocks, spare if one.adds else None)
        kept += [gather, scatter, sources, written.places]
        words += [
            one.code.lanes, blocks, read.fours, len(read.places) - read.fours, written.fours, len(written.places) - written.fours,
            int(one.adds), gather.ctypes.data, scatter.ctypes.data, sources.ctypes.data, written.places.ctypes.data,
        ]  # fmt: skip
    return IndexedJob(_engine()[1], np.array(words, dtype=np.int64)), kept


def pair_job(code: Compiled, inputs: np.ndarray, outputs: np.ndarray, bodies: np.ndarray) -> tuple[np.ndarray, list]:
    """The words of a job of one tape over pairs of bodies, and what must be kept alive.

    ``inputs`` and ``outputs`` (n, 3): the place of the first body's number in the array, places from one body to the next, and the end
    whose body is meant. Outputs are added to what is there. Others write pairs to ``bodies``, eight first bodies and eight second ones in
    turn, their number to word `PAIRS`, and the number of blocks to word `BLOCKS`; lanes without a pair repeat one and add nothing.
    """
    x, y = _scratch(code.tape.n_in), _scratch(code.tape.n_out)
    tables = [np.ascontiguousarray(table, dtype=np.int64) for table in (inputs, outputs)]
    words = [x.ctypes.data, y.ctypes.data, code.lanes, 0, len(inputs), len(outputs), *(table.ctypes.data for table in tables),
             bodies.ctypes.data, 0]  # fmt: skip
    return np.array(words, dtype=np.int64), [x, y, code, *tables, bodies, _pair_engine()]


def pair_address() -> int:
    """Where the function that does jobs of pairs begins."""
    return _pair_engine()[1]


def _scratch(numbers: int) -> np.ndarray:
    """Zeros for so many numbers of eight rows (numbers, 8), each eight in one cache line."""
    line = 8 * WIDTH
    room = np.zeros(line * (max(numbers, 1) + 1), dtype=np.uint8)
    first = -room.ctypes.data % line
    return room[first : first + line * max(numbers, 1)].view(float).reshape(-1, WIDTH)


class _Groups(NamedTuple):
    """Inputs or outputs of a call: ``places`` of the first numbers of ``fours`` that follow each other in every row, then of single
    ones."""

    places: np.ndarray
    fours: int


def _group(indices: np.ndarray, together: bool) -> _Groups:
    """The rows of indices (n, m) in fours where every column counts up, if they may be taken ``together``. The last four of a run may
    overlap those before."""
    n = len(indices)
    follows = (
        (np.diff(indices, axis=0) == 1).all(axis=1)
        if together and indices.size
        else np.zeros(max(n - 1, 0), dtype=bool)
    )
    edges = np.flatnonzero(~follows) + 1
    fours, single = [], []
    for begin, end in zip([0, *edges.tolist()], [*edges.tolist(), n], strict=True):
        if end - begin < FOUR:
            single += range(begin, end)
        else:
            fours += [min(first, end - FOUR) for first in range(begin, end, FOUR)]
    return _Groups(np.array([*fours, *single], dtype=np.int64), len(fours))


def _sources(indices: np.ndarray, groups: _Groups, states: int) -> np.ndarray:
    """Twice the place of the first number of every group, and one more if all its numbers are among the first ``states``."""
    ends = indices[groups.places].max(axis=1, initial=-1)
    ends[: groups.fours] += FOUR - 1
    return 2 * groups.places + (ends < states)


def _by_blocks(indices: np.ndarray, groups: _Groups, blocks: int, spare: int | None) -> np.ndarray:
    """First indices of groups in blocks of eight rows; missing rows repeat the last one, or single numbers go to the place ``spare``."""
    chosen, (_, m) = indices[groups.places], indices.shape
    padded = np.empty((len(chosen), blocks * WIDTH), dtype=np.int64)
    padded[:, :m] = chosen
    if m:
        padded[:, m:] = chosen[:, -1:]
        if spare is not None:
            padded[groups.fours :, m:] = spare
    return np.ascontiguousarray(padded.reshape(len(chosen), blocks, WIDTH).transpose(1, 0, 2)).ravel()


@cache
def _engine():
    engine, addresses = load_assembly(_assembly(), ("indexed",))
    return engine, addresses["indexed"]


def _shuffle(name: str, a: str, b: str, kind: str, places: Sequence[int]) -> str:
    chosen = ", ".join(f"i32 {k}" for k in places)
    return f"{name} = shufflevector {kind} {a}, {kind} {b}, <{len(places)} x i32> <{chosen}>"


def _transpose(vectors: list[str], prefix: str) -> tuple[list[str], list[str]]:
    """Code that transposes both halves of four vectors, as two 4 × 4 matrices, and the names of the four that it makes."""
    mixed, made = [f"%{prefix}m{k}" for k in range(FOUR)], [f"%{prefix}c{k}" for k in range(FOUR)]
    code = []
    for k, name in enumerate(mixed):
        odd, first = k % 2, k - k % 2
        places = [place + odd for place in (0, WIDTH, 2, WIDTH + 2, 4, WIDTH + 4, 6, WIDTH + 6)]
        code.append(_shuffle(name, vectors[first], vectors[first + 1], LANES, places))
    for k, name in enumerate(made):
        high = 2 * (k // 2)
        places = [place + high for place in (0, 1, WIDTH, WIDTH + 1, 4, 5, WIDTH + 4, WIDTH + 5)]
        code.append(_shuffle(name, mixed[k % 2], mixed[2 + k % 2], LANES, places))
    return code, made


def _lane_index(name: str, table: str, k: int) -> list[str]:
    """Code for the k-th of eight indices at `%table`."""
    return [f"%{name}.a = getelementptr i64, ptr %{table}, i64 {k}", f"%{name} = load i64, ptr %{name}.a, align 8"]


def _load_fours() -> list[str]:
    """Code that loads four numbers of each of eight rows from the indices at `%from.q` and puts them among the inputs from `%d` on."""
    code = []
    for k in range(WIDTH):
        code += [
            *_lane_index(f"q{k}", "from.q", k), f"%q{k}.p = getelementptr double, ptr %d.base, i64 %q{k}",
            f"%q{k}.v = load {PART}, ptr %q{k}.p, align 8",
        ]  # fmt: skip
    code += [_shuffle(f"%in.r{k}", f"%q{k}.v", f"%q{k + FOUR}.v", PART, range(WIDTH)) for k in range(FOUR)]
    lines, columns = _transpose([f"%in.r{k}" for k in range(FOUR)], "in.")
    code += lines
    for k, column in enumerate(columns):
        code += _number("x", "d", k, f"in{k}") + [f"store {LANES} {column}, ptr %in{k}.p, align 8"]
    return code


def _store_fours() -> list[str]:
    """Code that takes four outputs from `%e` on and stores them in each of eight rows at the indices at `%into.q`."""
    code = []
    for k in range(FOUR):
        code += _number("y", "e", k, f"out{k}") + [f"%out{k}.v = load {LANES}, ptr %out{k}.p, align 8"]
    lines, rows = _transpose([f"%out{k}.v" for k in range(FOUR)], "out.")
    code += lines
    for lane in range(WIDTH):
        half = range(FOUR * (lane // FOUR), FOUR * (lane // FOUR) + FOUR)
        code += [
            _shuffle(f"%r{lane}.v", rows[lane % FOUR], "poison", LANES, half), *_lane_index(f"r{lane}", "into.q", lane),
            f"%r{lane}.p = getelementptr double, ptr %target, i64 %r{lane}", f"store {PART} %r{lane}.v, ptr %r{lane}.p, align 8",
        ]  # fmt: skip
    return code


def _number(array: str, first: str, k: int, name: str) -> list[str]:
    """Code for the place `%name.p` of the number `%first` + k among inputs or outputs."""
    return [f"%{name}.n = add i64 %{first}, {k}", f"%{name}.p = getelementptr {LANES}, ptr %{array}, i64 %{name}.n"]


def _from(word: str, name: str) -> list[str]:
    """Code that reads a word of `_sources` at `%word`: the place `%name` among the inputs, and the array `%name.base` it comes from."""
    return [
        f"%{name}.w = load i64, ptr %{word}, align 8", f"%{name} = lshr i64 %{name}.w, 1", f"%{name}.s = trunc i64 %{name}.w to i1",
        f"%{name}.base = select i1 %{name}.s, ptr %state, ptr %array",
    ]  # fmt: skip


def _assembly() -> str:
    """`indexed(array, job, target)`."""
    names = ("function", "blocks", "fours.in", "ins", "fours.out", "outs", "adds", "in", "out", "in.places", "out.places")  # fmt: skip
    kinds = ("ptr", "i64", "i64", "i64", "i64", "i64", "i64", "ptr", "ptr", "ptr", "ptr")
    fields = []
    for k, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        fields += [
            f"%{name}.p = getelementptr i64, ptr %words, i64 {k}",
            f"%{name} = load {kind}, ptr %{name}.p, align 8",
        ]
    lanes = []
    for k in range(WIDTH):
        lanes += [
            f"%index{k} = extractelement {INDICES} %to, i64 {k}", f"%place{k} = getelementptr double, ptr %target, i64 %index{k}",
            f"%new{k} = extractelement {LANES} %found, i64 {k}", f"%there{k} = load double, ptr %place{k}, align 8",
            f"%old{k} = select i1 %adding, double %there{k}, double 0.0", f"%sum{k} = fadd double %old{k}, %new{k}",
            f"store double %sum{k}, ptr %place{k}, align 8",
        ]  # fmt: skip
    return "\n".join(
        [
            f"declare {LANES} @llvm.masked.gather.v{WIDTH}f64.v{WIDTH}p0({POINTERS}, i32, {ALL}, {LANES})",
            "define void @indexed(ptr %array, ptr %job, ptr %target) {",
            "entry:",
            "%x = load ptr, ptr %job, align 8", "%y.p = getelementptr i64, ptr %job, i64 1", "%y = load ptr, ptr %y.p, align 8",
            "%count.p = getelementptr i64, ptr %job, i64 2", "%count = load i64, ptr %count.p, align 8",
            f"%state.w = getelementptr i64, ptr %job, i64 {STATE}", "%state.at = load i64, ptr %state.w, align 8",
            "%state = getelementptr double, ptr %array, i64 %state.at", "br label %calls",
            "calls:",
            "%c = phi i64 [ 0, %entry ], [ %c.next, %calls.end ]", "%more = icmp slt i64 %c, %count",
            "br i1 %more, label %call, label %leave",
            "call:",
            f"%skipped = mul i64 %c, {WORDS}", f"%first = add i64 %skipped, {HEAD}", "%words = getelementptr i64, ptr %job, i64 %first",
            *fields, "%adding = icmp ne i64 %adds, 0", "%all.in = add i64 %fours.in, %ins", "%all.out = add i64 %fours.out, %outs",
            "br label %rows",
            "rows:",
            "%b = phi i64 [ 0, %call ], [ %b.next, %rows.end ]", "%from = phi ptr [ %in, %call ], [ %from.end, %rows.end ]",
            "%into = phi ptr [ %out, %call ], [ %into.end, %rows.end ]", "%more.rows = icmp slt i64 %b, %blocks",
            "br i1 %more.rows, label %load, label %calls.end",
            "load:",
            "%l = phi i64 [ 0, %rows ], [ %l.next, %loaded ]", "%from.q = phi ptr [ %from, %rows ], [ %from.q.next, %loaded ]",
            "%more.load = icmp slt i64 %l, %fours.in", "br i1 %more.load, label %loaded, label %gather",
            "loaded:",
            "%d.p = getelementptr i64, ptr %in.places, i64 %l", *_from("d.p", "d"), *_load_fours(),
            f"%from.q.next = getelementptr i64, ptr %from.q, i64 {WIDTH}", "%l.next = add i64 %l, 1", "br label %load",
            "gather:",
            "%i = phi i64 [ %fours.in, %load ], [ %i.next, %gathered ]",
            "%from.end = phi ptr [ %from.q, %load ], [ %from.next, %gathered ]",
            "%more.in = icmp slt i64 %i, %all.in", "br i1 %more.in, label %gathered, label %run",
            "gathered:",
            f"%at = load {INDICES}, ptr %from.end, align 8", "%i.p = getelementptr i64, ptr %in.places, i64 %i",
            *_from("i.p", "i.to"), f"%places = getelementptr double, ptr %i.to.base, {INDICES} %at",
            f"%value = call {LANES} @llvm.masked.gather.v{WIDTH}f64.v{WIDTH}p0({POINTERS} %places, i32 8, {ALL} splat (i1 true), "
            f"{LANES} zeroinitializer)",
            f"%x.i = getelementptr {LANES}, ptr %x, i64 %i.to", f"store {LANES} %value, ptr %x.i, align 8",
            f"%from.next = getelementptr i64, ptr %from.end, i64 {WIDTH}", "%i.next = add i64 %i, 1", "br label %gather",
            "run:",
            "call void %function(ptr %x, ptr %y)", "br label %store",
            "store:",
            "%s = phi i64 [ 0, %run ], [ %s.next, %stored ]", "%into.q = phi ptr [ %into, %run ], [ %into.q.next, %stored ]",
            "%more.store = icmp slt i64 %s, %fours.out", "br i1 %more.store, label %stored, label %scatter",
            "stored:",
            "%e.p = getelementptr i64, ptr %out.places, i64 %s",
            "%e = load i64, ptr %e.p, align 8", *_store_fours(),
            f"%into.q.next = getelementptr i64, ptr %into.q, i64 {WIDTH}", "%s.next = add i64 %s, 1", "br label %store",
            "scatter:",
            "%o = phi i64 [ %fours.out, %store ], [ %o.next, %scattered ]",
            "%into.end = phi ptr [ %into.q, %store ], [ %into.next, %scattered ]",
            "%more.out = icmp slt i64 %o, %all.out", "br i1 %more.out, label %scattered, label %rows.end",
            "scattered:",
            "%o.p = getelementptr i64, ptr %out.places, i64 %o", "%o.from = load i64, ptr %o.p, align 8",
            f"%y.o = getelementptr {LANES}, ptr %y, i64 %o.from", f"%found = load {LANES}, ptr %y.o, align 8",
            f"%to = load {INDICES}, ptr %into.end, align 8", *lanes,
            f"%into.next = getelementptr i64, ptr %into.end, i64 {WIDTH}", "%o.next = add i64 %o, 1", "br label %scatter",
            "rows.end:", "%b.next = add i64 %b, 1", "br label %rows",
            "calls.end:", "%c.next = add i64 %c, 1", "br label %calls",
            "leave:", "ret void", "}",
        ]
    )  # fmt: skip


@cache
def _pair_engine():
    engine, addresses = load_assembly(_pair_assembly(), ("pairs",))
    return engine, addresses["pairs"]


def _places(entry: str, name: str) -> list[str]:
    """Code for the places of eight bodies: `%name`, from an entry of three words and the bodies of both ends."""
    splat = f"{INDICES} poison, <{WIDTH} x i32> zeroinitializer"
    return [
        f"%{name}.offset = load i64, ptr {entry}, align 8",
        f"%{name}.stride.p = getelementptr i64, ptr {entry}, i64 1", f"%{name}.stride = load i64, ptr %{name}.stride.p, align 8",
        f"%{name}.side.p = getelementptr i64, ptr {entry}, i64 2", f"%{name}.side = load i64, ptr %{name}.side.p, align 8",
        f"%{name}.one = icmp eq i64 %{name}.side, 0", f"%{name}.who = select i1 %{name}.one, {INDICES} %first, {INDICES} %second",
        f"%{name}.s0 = insertelement {INDICES} poison, i64 %{name}.stride, i64 0",
        f"%{name}.s = shufflevector {INDICES} %{name}.s0, {splat}",
        f"%{name}.o0 = insertelement {INDICES} poison, i64 %{name}.offset, i64 0",
        f"%{name}.o = shufflevector {INDICES} %{name}.o0, {splat}",
        f"%{name}.way = mul {INDICES} %{name}.who, %{name}.s", f"%{name} = add {INDICES} %{name}.way, %{name}.o",
    ]  # fmt: skip


def _pair_assembly() -> str:
    """`pairs(array, job)`."""
    names = ("x", "y", "function", "blocks", "ins", "outs", "in", "out", "bodies", "held")
    kinds = ("ptr", "ptr", "ptr", "i64", "i64", "i64", "ptr", "ptr", "ptr", "i64")
    fields = []
    for k, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        fields += [
            f"%{name}.p = getelementptr i64, ptr %job, i64 {k}",
            f"%{name} = load {kind}, ptr %{name}.p, align 8",
        ]
    valid, lanes = [f"%before = mul i64 %b, {WIDTH}"], []
    for k in range(WIDTH):
        valid += [f"%number{k} = add i64 %before, {k}", f"%valid{k} = icmp slt i64 %number{k}, %held"]
        lanes += [
            f"%index{k} = extractelement {INDICES} %to, i64 {k}", f"%place{k} = getelementptr double, ptr %array, i64 %index{k}",
            f"%found{k} = extractelement {LANES} %found, i64 {k}", f"%new{k} = select i1 %valid{k}, double %found{k}, double 0.0",
            f"%old{k} = load double, ptr %place{k}, align 8", f"%sum{k} = fadd double %old{k}, %new{k}",
            f"store double %sum{k}, ptr %place{k}, align 8",
        ]  # fmt: skip
    return "\n".join(
        [
            f"declare {LANES} @llvm.masked.gather.v{WIDTH}f64.v{WIDTH}p0({POINTERS}, i32, {ALL}, {LANES})",
            "define void @pairs(ptr %array, ptr %job) {",
            "entry:", *fields, "br label %rows",
            "rows:",
            "%b = phi i64 [ 0, %entry ], [ %b.next, %rows.end ]", "%more.rows = icmp slt i64 %b, %blocks",
            "br i1 %more.rows, label %bodies.of, label %leave",
            "bodies.of:",
            f"%skipped = mul i64 %b, {2 * WIDTH}", "%first.p = getelementptr i64, ptr %bodies, i64 %skipped",
            f"%first = load {INDICES}, ptr %first.p, align 8", f"%second.p = getelementptr i64, ptr %first.p, i64 {WIDTH}",
            f"%second = load {INDICES}, ptr %second.p, align 8", *valid, "br label %gather",
            "gather:",
            "%i = phi i64 [ 0, %bodies.of ], [ %i.next, %gathered ]", "%more.in = icmp slt i64 %i, %ins",
            "br i1 %more.in, label %gathered, label %run",
            "gathered:",
            "%i.3 = mul i64 %i, 3", "%in.i = getelementptr i64, ptr %in, i64 %i.3", *_places("%in.i", "at"),
            f"%places = getelementptr double, ptr %array, {INDICES} %at",
            f"%value = call {LANES} @llvm.masked.gather.v{WIDTH}f64.v{WIDTH}p0({POINTERS} %places, i32 8, {ALL} splat (i1 true), "
            f"{LANES} zeroinitializer)",
            f"%x.i = getelementptr {LANES}, ptr %x, i64 %i", f"store {LANES} %value, ptr %x.i, align 8",
            "%i.next = add i64 %i, 1", "br label %gather",
            "run:",
            "call void %function(ptr %x, ptr %y)", "br label %scatter",
            "scatter:",
            "%o = phi i64 [ 0, %run ], [ %o.next, %scattered ]", "%more.out = icmp slt i64 %o, %outs",
            "br i1 %more.out, label %scattered, label %rows.end",
            "scattered:",
            f"%y.o = getelementptr {LANES}, ptr %y, i64 %o", f"%found = load {LANES}, ptr %y.o, align 8",
            "%o.3 = mul i64 %o, 3", "%out.o = getelementptr i64, ptr %out, i64 %o.3", *_places("%out.o", "to"), *lanes,
            "%o.next = add i64 %o, 1", "br label %scatter",
            "rows.end:", "%b.next = add i64 %b, 1", "br label %rows",
            "leave:", "ret void", "}",
        ]
    )  # fmt: skip
