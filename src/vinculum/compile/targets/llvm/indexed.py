"""Compiled tapes over rows of indices: eight rows at a time are gathered from one long array, evaluated, and written or added to it.

One function serves all tapes, so it is compiled once. Rows are visited in order, so sums do not depend on anything else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, final

import numpy as np

from vinculum.compile.targets.llvm.machine import Compiled, load_assembly
from vinculum.compile.width import WIDTH

LANES, INDICES, POINTERS, ALL = f"<{WIDTH} x double>", f"<{WIDTH} x i64>", f"<{WIDTH} x ptr>", f"<{WIDTH} x i1>"
HEAD, WORDS = 3, 7
"""Words of a job: scratch for inputs and outputs, number of calls; then seven words for each call."""
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
    """Calls one after the other on a long array, for compiled code: ``run_lanes(address, array, job)``."""

    address: int
    job: np.ndarray


def indexed_job(calls: Sequence[IndexedCall], spare: int) -> tuple[IndexedJob, list]:
    """The job of calls, and what must be kept alive while it is used. ``spare``: a place that lanes without a row may write to."""
    inputs, outputs = (max((getattr(one.code.tape, n) for one in calls), default=1) for n in ("n_in", "n_out"))
    x, y = np.zeros((max(inputs, 1), WIDTH)), np.zeros((max(outputs, 1), WIDTH))
    words, kept = [x.ctypes.data, y.ctypes.data, len(calls)], [x, y, _engine(), *(one.code for one in calls)]
    for one in calls:
        blocks = -(-one.gather.shape[1] // WIDTH)
        gather, scatter = _by_blocks(one.gather, blocks, None), _by_blocks(one.scatter, blocks, spare)
        kept += [gather, scatter]
        words += [
            one.code.lanes,
            blocks,
            one.gather.shape[0],
            one.scatter.shape[0],
            int(one.adds),
            gather.ctypes.data,
            scatter.ctypes.data,
        ]
    return IndexedJob(_engine()[1], np.array(words, dtype=np.int64)), kept


def pair_job(code: Compiled, inputs: np.ndarray, outputs: np.ndarray, bodies: np.ndarray) -> tuple[np.ndarray, list]:
    """The words of a job of one tape over pairs of bodies, and what must be kept alive.

    ``inputs`` and ``outputs`` (n, 3): the place of the first body's number in the array, places from one body to the next, and the end
    whose body is meant. Outputs are added to what is there. Others write pairs to ``bodies``, eight first bodies and eight second ones in
    turn, their number to word `PAIRS`, and the number of blocks to word `BLOCKS`; lanes without a pair repeat one and add nothing.
    """
    x, y = np.zeros((max(code.tape.n_in, 1), WIDTH)), np.zeros((max(code.tape.n_out, 1), WIDTH))
    tables = [np.ascontiguousarray(table, dtype=np.int64) for table in (inputs, outputs)]
    words = [x.ctypes.data, y.ctypes.data, code.lanes, 0, len(inputs), len(outputs), *(table.ctypes.data for table in tables),
             bodies.ctypes.data, 0]  # fmt: skip
    return np.array(words, dtype=np.int64), [x, y, code, *tables, bodies, _pair_engine()]


def pair_address() -> int:
    """Where the function that does jobs of pairs begins."""
    return _pair_engine()[1]


def _by_blocks(indices: np.ndarray, blocks: int, spare: int | None) -> np.ndarray:
    """Indices (n, m) in blocks of eight rows; missing rows repeat the last one, or all go to the place ``spare``."""
    n, m = indices.shape
    padded = np.empty((n, blocks * WIDTH), dtype=np.int64)
    padded[:, :m] = indices
    if m:
        padded[:, m:] = indices[:, -1:] if spare is None else spare
    return np.ascontiguousarray(padded.reshape(n, blocks, WIDTH).transpose(1, 0, 2)).ravel()


@cache
def _engine():
    engine, addresses = load_assembly(_assembly(), ("indexed",))
    return engine, addresses["indexed"]


def _assembly() -> str:
    """`indexed(array, job)`."""
    names = ("function", "blocks", "ins", "outs", "adds", "in", "out")
    kinds = ("ptr", "i64", "i64", "i64", "i64", "ptr", "ptr")
    fields = []
    for k, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        fields += [
            f"%{name}.p = getelementptr i64, ptr %words, i64 {k}",
            f"%{name} = load {kind}, ptr %{name}.p, align 8",
        ]
    lanes = []
    for k in range(WIDTH):
        lanes += [
            f"%index{k} = extractelement {INDICES} %to, i64 {k}", f"%place{k} = getelementptr double, ptr %array, i64 %index{k}",
            f"%new{k} = extractelement {LANES} %found, i64 {k}", f"%there{k} = load double, ptr %place{k}, align 8",
            f"%old{k} = select i1 %adding, double %there{k}, double 0.0", f"%sum{k} = fadd double %old{k}, %new{k}",
            f"store double %sum{k}, ptr %place{k}, align 8",
        ]  # fmt: skip
    return "\n".join(
        [
            f"declare {LANES} @llvm.masked.gather.v{WIDTH}f64.v{WIDTH}p0({POINTERS}, i32, {ALL}, {LANES})",
            "define void @indexed(ptr %array, ptr %job) {",
            "entry:",
            "%x = load ptr, ptr %job, align 8", "%y.p = getelementptr i64, ptr %job, i64 1", "%y = load ptr, ptr %y.p, align 8",
            "%count.p = getelementptr i64, ptr %job, i64 2", "%count = load i64, ptr %count.p, align 8",
            "br label %calls",
            "calls:",
            "%c = phi i64 [ 0, %entry ], [ %c.next, %calls.end ]", "%more = icmp slt i64 %c, %count",
            "br i1 %more, label %call, label %leave",
            "call:",
            f"%skipped = mul i64 %c, {WORDS}", f"%first = add i64 %skipped, {HEAD}", "%words = getelementptr i64, ptr %job, i64 %first",
            *fields, "%adding = icmp ne i64 %adds, 0",
            "br label %rows",
            "rows:",
            "%b = phi i64 [ 0, %call ], [ %b.next, %rows.end ]", "%from = phi ptr [ %in, %call ], [ %from.end, %rows.end ]",
            "%into = phi ptr [ %out, %call ], [ %into.end, %rows.end ]", "%more.rows = icmp slt i64 %b, %blocks",
            "br i1 %more.rows, label %gather, label %calls.end",
            "gather:",
            "%i = phi i64 [ 0, %rows ], [ %i.next, %gathered ]", "%from.end = phi ptr [ %from, %rows ], [ %from.next, %gathered ]",
            "%more.in = icmp slt i64 %i, %ins", "br i1 %more.in, label %gathered, label %run",
            "gathered:",
            f"%at = load {INDICES}, ptr %from.end, align 8", f"%places = getelementptr double, ptr %array, {INDICES} %at",
            f"%value = call {LANES} @llvm.masked.gather.v{WIDTH}f64.v{WIDTH}p0({POINTERS} %places, i32 8, {ALL} splat (i1 true), "
            f"{LANES} zeroinitializer)",
            f"%x.i = getelementptr {LANES}, ptr %x, i64 %i", f"store {LANES} %value, ptr %x.i, align 8",
            f"%from.next = getelementptr i64, ptr %from.end, i64 {WIDTH}", "%i.next = add i64 %i, 1", "br label %gather",
            "run:",
            "call void %function(ptr %x, ptr %y)", "br label %scatter",
            "scatter:",
            "%o = phi i64 [ 0, %run ], [ %o.next, %scattered ]", "%into.end = phi ptr [ %into, %run ], [ %into.next, %scattered ]",
            "%more.out = icmp slt i64 %o, %outs", "br i1 %more.out, label %scattered, label %rows.end",
            "scattered:",
            f"%y.o = getelementptr {LANES}, ptr %y, i64 %o", f"%found = load {LANES}, ptr %y.o, align 8",
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
