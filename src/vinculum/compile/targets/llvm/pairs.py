"""LLVM assembly of a loop over all pairs of points: each pair once, eight partners at a time, four rows side by side.

Points lie in blocks of eight. A row meets the blocks behind its own, adds what its partners do to it and takes the same from them;
within its own block it meets every other point. Rows are dealt out to a fixed number of slots with sums of their own, which are
added in order: results do not depend on who works on which slot. Slots are drawn like tickets by whoever is free.
"""

from collections.abc import Sequence

from vinculum.compile.tape import Tape
from vinculum.compile.targets.llvm import elementary
from vinculum.compile.targets.llvm.machine import FLAGS, VECTOR, Emitter, called_functions, splat
from vinculum.compile.targets.llvm.pair_threads import (
    COLUMNS,
    POINTS,
    SLOTS,
    SUMS,
    TOTALS,
    UNIFORMS,
    dispatch_assembly,
    thread_pool_assembly,
)
from vinculum.compile.width import WIDTH

ROWS_AT_ONCE = 4
ODD, EVEN, WHOLE = "odd", "even", "whole"
"""What becomes of an output: added to a and taken from b; added to both; added to the total of all pairs."""
OWN_INPUTS = 3


def pair_assembly(tapes: Sequence[Tape], kinds: list[str]) -> str:
    """`evaluate(board)` and `serve(board)` over tapes with inputs (a, b, of_a, of_b, t, parameters) and outputs of ``kinds``."""
    functions = set().union(*(called_functions(tape) for tape in tapes))
    text = [elementary.library(sorted(functions), WIDTH)] if functions else []
    for g, tape in enumerate(tapes):
        text += [*_pair_function(tape, len(kinds), g), *_Slot(tape, kinds, g).lines()]
    return "\n".join([*text, dispatch_assembly(len(tapes)), thread_pool_assembly()])


def _pair_function(tape: Tape, count: int, g: int) -> list[str]:
    """`pair(inputs…)`: the outputs for eight pairs. Divisions by the same number share its reciprocal."""
    emitter = Emitter(tape, [f"%x{i}" for i in range(tape.n_in)])
    rows = list(tape.rows())
    divisors = [operands[1] for name, _, operands in rows if name == "div"]
    shared: dict[int, str] = {}
    for name, result, operands in rows:
        if name == "div" and divisors.count(operands[1]) > 1:
            top, bottom = (emitter.value[a] for a in operands)
            if operands[1] not in shared:
                shared[operands[1]] = emitter.put(f"fdiv contract {VECTOR} {splat(1.0)}, {bottom}")
            emitter.value[result] = emitter.put(f"fmul contract {VECTOR} {top}, {shared[operands[1]]}")
        else:
            emitter.operation(name, result, operands)
    kind = "{" + ", ".join([VECTOR] * count) + "}"
    result = "undef"
    for k, r in enumerate(tape.results.tolist()):
        result = emitter.put(f"insertvalue {kind} {result}, {VECTOR} {emitter.value[r]}, {k}")
    arguments = ", ".join(f"{VECTOR} %x{i}" for i in range(tape.n_in))
    head = f"define internal {kind} @pair{g}({arguments}) alwaysinline {{"
    return [head, *emitter.lines, f"  ret {kind} {result}", "}"]


class _Slot:
    """The text of `slot(job, s)` for pair function number ``g``: all rows of one slot."""

    def __init__(self, tape: Tape, kinds: list[str], g: int):
        sizes = dict(tape.inputs)
        self.g, self.kinds = g, kinds
        self.columns = OWN_INPUTS + sizes["of_a"]
        self.uniforms = tape.n_in - 2 * self.columns
        self.vectors = [k for k, kind in enumerate(kinds) if kind != WHOLE]
        self.text: list[str] = []

    def put(self, expression: str) -> str:
        self.text.append(f"  %t{len(self.text)} = {expression}")
        return f"%t{len(self.text) - 1}"

    def add(self, *lines: str) -> None:
        self.text += [f"{line}" if line.endswith(":") or line.startswith("  ") else f"  {line}" for line in lines]

    def at(self, base: str, column: int, index: str) -> str:
        """Address of entry ``index`` of a column of length %padded."""
        shift = self.put(f"mul i64 %padded, {column}")
        return self.put(f"getelementptr double, ptr {base}, i64 {self.put(f'add i64 {shift}, {index}')}")

    def load(self, address: str) -> str:
        return self.put(f"load {VECTOR}, ptr {address}, align 64")

    def everywhere(self, address: str) -> str:
        """One number in all lanes."""
        one = self.put(f"load double, ptr {address}, align 8")
        first = self.put(f"insertelement {VECTOR} undef, double {one}, i64 0")
        return self.put(f"shufflevector {VECTOR} {first}, {VECTOR} undef, <{WIDTH} x i32> zeroinitializer")

    def lines(self) -> list[str]:
        self._entry()
        self._rows()
        for body, mask in (("full", None), ("partial", "%inside"), ("own", "%inside")):
            self._partner_loop(body, mask)
        self._sums()
        return [f"define internal void @slot{self.g}(ptr %job, i64 %s) noinline {{", *self.text, "}"]

    def _field(self, index: int, name: str, kind: str) -> None:
        self.add(
            f"%{name}.p = getelementptr i64, ptr %job, i64 {index}", f"%{name} = load {kind}, ptr %{name}.p, align 8"
        )

    def _entry(self) -> None:
        self.add("entry:")
        for index, name, kind in ((POINTS, "n", "i64"), (SLOTS, "slots", "i64"), (COLUMNS, "data", "ptr"), (SUMS, "all", "ptr"),
                                  (UNIFORMS, "given", "ptr"), (TOTALS, "totals", "ptr")):  # fmt: skip
            self._field(index, name, kind)
        many, wholes = len(self.vectors), len(self.kinds) - len(self.vectors)
        self.add(f"%up = add i64 %n, {WIDTH - 1}", "%blocks = lshr i64 %up, 3", "%padded = shl i64 %blocks, 3",
                 "%filled = lshr i64 %n, 3", f"%size = mul i64 %padded, {many}", "%skip = mul i64 %size, %s",
                 "%sums = getelementptr double, ptr %all, i64 %skip", "%bytes = shl i64 %size, 3",
                 "call void @llvm.memset.p0.i64(ptr align 64 %sums, i8 0, i64 %bytes, i1 false)",
                 f"%first.whole = mul i64 %s, {max(wholes, 1) * WIDTH}",
                 "%mine = getelementptr double, ptr %totals, i64 %first.whole")  # fmt: skip
        self.given = [
            self.everywhere(self.put(f"getelementptr double, ptr %given, i64 {k}")) for k in range(self.uniforms)
        ]
        self.total = {k: self.put(f"alloca {VECTOR}, align 64") for k, kind in enumerate(self.kinds) if kind == WHOLE}
        self.acc = {(r, k): self.put(f"alloca {VECTOR}, align 64") for r in range(ROWS_AT_ONCE) for k in self.vectors}
        for place in self.total.values():
            self.add(f"store {VECTOR} zeroinitializer, ptr {place}, align 64")
        lanes = ", ".join(f"i64 {k}" for k in range(WIDTH))
        self.lane_numbers = f"<{lanes}>"
        self.add("br label %round")

    def _rows(self) -> None:
        """Blocks of rows to and fro, so that short and long ones even out."""
        self.add("round:", "%k = phi i64 [ 0, %entry ], [ %k.next, %round.end ]", "%base = mul i64 %k, %slots",
                 "%more.rounds = icmp slt i64 %base, %blocks", "br i1 %more.rounds, label %deal, label %leave", "deal:",
                 "%odd = and i64 %k, 1", "%back = icmp eq i64 %odd, 1", "%mirror = sub i64 %slots, %s", "%mirrored = sub i64 %mirror, 1",
                 "%own.place = select i1 %back, i64 %mirrored, i64 %s", "%I = add i64 %base, %own.place",
                 "%exists = icmp slt i64 %I, %blocks", "br i1 %exists, label %parts, label %round.end",
                 "parts:", "%part = phi i64 [ 0, %deal ], [ %part.next, %part.end ]",
                 f"%more.parts = icmp slt i64 %part, {WIDTH // ROWS_AT_ONCE}", "br i1 %more.parts, label %begin, label %round.end",
                 "begin:", "%i.block = shl i64 %I, 3", f"%i.part = mul i64 %part, {ROWS_AT_ONCE}",
                 "%i = add i64 %i.block, %i.part")  # fmt: skip
        self.row_index = ["%i", *(self.put(f"add i64 %i, {r}") for r in range(1, ROWS_AT_ONCE))]
        self.row = [[self.everywhere(self.at("%data", c, i)) for c in range(self.columns)] for i in self.row_index]
        for place in self.acc.values():
            self.add(f"store {VECTOR} zeroinitializer, ptr {place}, align 64")
        self.add("%J.first = add i64 %I, 1", "br label %full.look")

    def _partner_loop(self, body: str, mask: str | None) -> None:
        """The partners of one block: behind the row's (full), the last that is not filled (partial), or the row's own."""
        loop = {"full": ("%J.first", "%filled"), "partial": ("%filled", "%blocks"), "own": ("%I", "%J.first")}[body]
        after = {"full": "partial.enter", "partial": "own.enter", "own": "gather"}[body]
        if body == "partial":
            self.add(
                "partial.enter:",
                "%late = icmp sge i64 %I, %filled",
                "br i1 %late, label %own.enter, label %partial.look",
            )
        elif body == "own":
            self.add("own.enter:", "br label %own.look")
        before = {"full": "begin", "partial": "partial.enter", "own": "own.enter"}[body]
        J = f"%J.{body}"
        self.add(f"{body}.look:", f"{J} = phi i64 [ {loop[0]}, %{before} ], [ {J}.next, %{body}.do ]",
                 f"{J}.more = icmp slt i64 {J}, {loop[1]}", f"br i1 {J}.more, label %{body}.do, label %{after}", f"{body}.do:",
                 f"{J}.place = shl i64 {J}, 3")  # fmt: skip
        place = f"{J}.place"
        other = [self.load(self.at("%data", c, place)) for c in range(self.columns)]
        inside = self._inside(place) if mask else None
        partner: dict[int, str] = {}
        for r in range(ROWS_AT_ONCE):
            chosen = inside if body != "own" else self._others(inside or "", r, place)
            for k, value in self._outputs(r, other, chosen).items():
                if k in self.total:
                    half = self.put(f"fmul {VECTOR} {value}, {splat(0.5)}") if body == "own" else value
                    self._raise(self.total[k], half)
                    continue
                self._raise(self.acc[r, k], value)
                partner[k] = self.put(f"fadd {VECTOR} {partner[k]}, {value}") if k in partner else value
        for q, k in enumerate(self.vectors if body != "own" else []):
            address = self.at("%sums", q, place)
            operation = "fsub" if self.kinds[k] == ODD else "fadd"
            changed = self.put(f"{operation} {VECTOR} {self.load(address)}, {partner[k]}")
            self.add(f"store {VECTOR} {changed}, ptr {address}, align 64")
        self.add(f"{J}.next = add i64 {J}, 1", f"br label %{body}.look")

    def _outputs(self, r: int, other: list[str], chosen: str | None) -> dict[int, str]:
        own = OWN_INPUTS
        given = [*self.row[r][:own], *other[:own], *self.row[r][own:], *other[own:], *self.given]
        kind = "{" + ", ".join([VECTOR] * len(self.kinds)) + "}"
        found = self.put(f"call {kind} @pair{self.g}({', '.join(f'{VECTOR} {x}' for x in given)})")
        values = {k: self.put(f"extractvalue {kind} {found}, {k}") for k in range(len(self.kinds))}
        if chosen is None:
            return values
        return {
            k: self.put(f"select {FLAGS} {chosen}, {VECTOR} {x}, {VECTOR} zeroinitializer") for k, x in values.items()
        }

    def _numbers(self, place: str) -> str:
        """The numbers of eight points."""
        first = self.put(f"insertelement <{WIDTH} x i64> undef, i64 {place}, i64 0")
        same = self.put(
            f"shufflevector <{WIDTH} x i64> {first}, <{WIDTH} x i64> undef, <{WIDTH} x i32> zeroinitializer"
        )
        return self.put(f"add <{WIDTH} x i64> {same}, {self.lane_numbers}")

    def _compare(self, how: str, place: str, with_number: str) -> str:
        first = self.put(f"insertelement <{WIDTH} x i64> undef, i64 {with_number}, i64 0")
        same = self.put(
            f"shufflevector <{WIDTH} x i64> {first}, <{WIDTH} x i64> undef, <{WIDTH} x i32> zeroinitializer"
        )
        return self.put(f"icmp {how} <{WIDTH} x i64> {self._numbers(place)}, {same}")

    def _inside(self, place: str) -> str:
        return self._compare("slt", place, "%n")

    def _others(self, inside: str, r: int, place: str) -> str:
        """Partners of row r within its own block; none for a row behind the last point."""
        other = self.put(f"and {FLAGS} {inside}, {self._compare('ne', place, self.row_index[r])}")
        exists = self.put(f"icmp slt i64 {self.row_index[r]}, %n")
        return self.put(f"select i1 {exists}, {FLAGS} {other}, {FLAGS} zeroinitializer")

    def _raise(self, place: str, value: str) -> None:
        summed = self.put(f"fadd {VECTOR} {self.load(place)}, {value}")
        self.add(f"store {VECTOR} {summed}, ptr {place}, align 64")

    def _sums(self) -> None:
        self.add("gather:")
        for (r, k), place in self.acc.items():
            reduced = (
                f"call reassoc double @llvm.vector.reduce.fadd.v{WIDTH}f64(double -0.0, {VECTOR} {self.load(place)})"
            )
            address = self.at("%sums", self.vectors.index(k), self.row_index[r])
            before = self.put(f"load double, ptr {address}, align 8")
            self.add(f"store double {self.put(f'fadd double {before}, {self.put(reduced)}')}, ptr {address}, align 8")
        self.add("br label %part.end", "part.end:", "%part.next = add i64 %part, 1", "br label %parts",
                 "round.end:", "%k.next = add i64 %k, 1", "br label %round", "leave:")  # fmt: skip
        for w, place in enumerate(self.total.values()):
            address = self.put(f"getelementptr {VECTOR}, ptr %mine, i64 {w}")
            self.add(f"store {VECTOR} {self.load(place)}, ptr {address}, align 8")
        self.add("ret void")
