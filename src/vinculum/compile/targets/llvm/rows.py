"""LLVM assembly of the loop over a batch: rows gathered into lanes, evaluated, scattered.

Whole blocks are transposed in registers, the next one is fetched ahead; the last block repeats its last row and stores what there is.
"""

from vinculum.compile.width import WIDTH

VECTOR = f"<{WIDTH} x double>"
MASK = f"<{WIDTH} x i1>"
NUMBERS_PER_LINE = 8
UNROLLED = 256
"""Columns that are transposed without a loop; more take longer to compile than the loop takes to run."""


def batch_assembly(n_in: int, n_out: int, width: int) -> str:
    """`batch(X, Y, rows)` over rows of n_in and n_out numbers, calling `lanes(in, out)` on blocks of eight rows."""
    if width != WIDTH:
        raise ValueError(f"blocks have {WIDTH} rows, not {width}")
    text = _Text()
    text.add(
        f"declare {VECTOR} @llvm.masked.load.v8f64.p0(ptr, i32, {MASK}, {VECTOR})",
        f"declare void @llvm.masked.store.v8f64.p0({VECTOR}, ptr, i32, {MASK})",
        "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
        "define void @batch(ptr noalias %X, ptr noalias %Y, i64 %rows) {",
        "entry:",
        f"  %x = alloca [{max(n_in, 1)} x {VECTOR}], align 64",
        f"  %y = alloca [{max(n_out, 1)} x {VECTOR}], align 64",
        f"  %whole = and i64 %rows, -{WIDTH}",
        "  %last = sub i64 %rows, 1",
        "  br label %next",
        "next:",
        "  %row = phi i64 [ 0, %entry ], [ %after, %turn ]",
        "  %more = icmp slt i64 %row, %whole",
        "  br i1 %more, label %block, label %tail",
        "block:",
    )
    for k in range(WIDTH):
        text.add(
            f"  %r{k} = add i64 %row, {k}", *_row(f"a{k}", "%X", f"%r{k}", n_in), *_row(f"b{k}", "%Y", f"%r{k}", n_out)
        )
    looped = [size // WIDTH * WIDTH if size > UNROLLED else 0 for size in (n_in, n_out)]
    for base, size, done, write in (("%a0", n_in, looped[0], 0), ("%b0", n_out, looped[1], 1)):
        for line in range(done * WIDTH, size * WIDTH, NUMBERS_PER_LINE):
            text.prefetch(base, size * WIDTH + line, write)
    if looped[0]:
        text.begin_loop("load", "block")
        text.fetch_ahead("%a0", n_in, "%load", 0)
        text.gather([text.put(f"getelementptr double, ptr %a{k}, i64 %load") for k in range(WIDTH)],
                    text.put(f"getelementptr {VECTOR}, ptr %x, i64 %load"), 0, WIDTH)  # fmt: skip
        text.end_loop("load", looped[0])
    for first in range(looped[0], n_in, WIDTH):
        text.gather([f"%a{k}" for k in range(WIDTH)], "%x", first, min(WIDTH, n_in - first))
    text.add("  call void @lanes(ptr %x, ptr %y)")
    if looped[1]:
        text.begin_loop("store", "load.done" if looped[0] else "block")
        text.fetch_ahead("%b0", n_out, "%store", 1)
        text.scatter([text.put(f"getelementptr double, ptr %b{k}, i64 %store") for k in range(WIDTH)],
                     text.put(f"getelementptr {VECTOR}, ptr %y, i64 %store"), 0, WIDTH)  # fmt: skip
        text.end_loop("store", looped[1])
    for first in range(looped[1], n_out, WIDTH):
        text.scatter([f"%b{k}" for k in range(WIDTH)], "%y", first, min(WIDTH, n_out - first))
    text.add("  br label %turn", "turn:", f"  %after = add i64 %row, {WIDTH}", "  br label %next")
    text.add(*_tail(n_in, n_out), "}")
    return "\n".join(text.lines)


def _row(name: str, base: str, row: str, size: int) -> list[str]:
    return [f"  %{name}.o = mul i64 {row}, {size}", f"  %{name} = getelementptr double, ptr {base}, i64 %{name}.o"]


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

    def begin_loop(self, name: str, before: str) -> None:
        """Begin a loop over columns in eights, whose first column has the name of the loop; ``before``: the block in front of it."""
        self.add(
            f"  br label %{name}.loop",
            f"{name}.loop:",
            f"  %{name} = phi i64 [ 0, %{before} ], [ %{name}.next, %{name}.loop ]",
        )

    def end_loop(self, name: str, size: int) -> None:
        self.add(
            f"  %{name}.next = add i64 %{name}, {WIDTH}",
            f"  %{name}.more = icmp slt i64 %{name}.next, {size}",
            f"  br i1 %{name}.more, label %{name}.loop, label %{name}.done",
            f"{name}.done:",
        )

    def prefetch(self, base: str, index: int, write: int) -> None:
        """Ask for the line of memory that holds a number."""
        ahead = self.put(f"getelementptr double, ptr {base}, i64 {index}")
        self.add(f"  call void @llvm.prefetch.p0(ptr {ahead}, i32 {write}, i32 3, i32 1)")

    def fetch_ahead(self, base: str, size: int, column: str, write: int) -> None:
        """Ask for as many lines of the next rows as eight columns have."""
        place = self.put(f"getelementptr {VECTOR}, ptr {base}, i64 {column}")
        for line in range(0, WIDTH * WIDTH, NUMBERS_PER_LINE):
            self.prefetch(place, size * WIDTH + line, write)

    def gather(self, rows: list[str], buffer: str, first: int, count: int) -> None:
        """Columns from ``first`` on of eight rows, as lanes."""
        columns = self.transpose([self.load(row, first, count) for row in rows])
        for j in range(count):
            self.store_lane(buffer, first + j, columns[j])

    def scatter(self, rows: list[str], buffer: str, first: int, count: int) -> None:
        """Lanes from ``first`` on, as columns of eight rows."""
        lanes = [self.load_lane(buffer, first + j) if j < count else "zeroinitializer" for j in range(WIDTH)]
        for row, vector in zip(rows, self.transpose(lanes), strict=True):
            self.store(row, first, count, vector)

    def load(self, row: str, first: int, count: int) -> str:
        place = self.put(f"getelementptr double, ptr {row}, i64 {first}")
        if count == WIDTH:
            return self.put(f"load {VECTOR}, ptr {place}, align 8")
        return self.put(
            f"call {VECTOR} @llvm.masked.load.v8f64.p0(ptr {place}, i32 8, {_mask(count)}, {VECTOR} zeroinitializer)"
        )

    def store(self, row: str, first: int, count: int, vector: str) -> None:
        place = self.put(f"getelementptr double, ptr {row}, i64 {first}")
        if count == WIDTH:
            self.add(f"  store {VECTOR} {vector}, ptr {place}, align 8")
        else:
            self.add(f"  call void @llvm.masked.store.v8f64.p0({VECTOR} {vector}, ptr {place}, i32 8, {_mask(count)})")

    def load_lane(self, buffer: str, index: int) -> str:
        return self.put(
            f"load {VECTOR}, ptr {self.put(f'getelementptr {VECTOR}, ptr {buffer}, i64 {index}')}, align 64"
        )

    def store_lane(self, buffer: str, index: int, vector: str) -> None:
        place = self.put(f"getelementptr {VECTOR}, ptr {buffer}, i64 {index}")
        self.add(f"  store {VECTOR} {vector}, ptr {place}, align 64")

    def shuffle(self, a: str, b: str, order: tuple[int, ...]) -> str:
        chosen = ", ".join(f"i32 {i}" for i in order)
        return self.put(f"shufflevector {VECTOR} {a}, {VECTOR} {b}, <{WIDTH} x i32> <{chosen}>")

    def transpose(self, rows: list[str]) -> list[str]:
        """Eight vectors whose lanes are the columns of eight vectors, in three rounds of shuffles."""
        pairs = [(rows[i], rows[i + 1]) for i in range(0, 8, 2)]
        even = [self.shuffle(a, b, (0, 8, 2, 10, 4, 12, 6, 14)) for a, b in pairs]
        odd = [self.shuffle(a, b, (1, 9, 3, 11, 5, 13, 7, 15)) for a, b in pairs]
        columns: list[str] = [""] * 8
        for parity, half in ((0, even), (1, odd)):
            for shift, order in ((0, (0, 1, 8, 9, 4, 5, 12, 13)), (2, (2, 3, 10, 11, 6, 7, 14, 15))):
                top, bottom = self.shuffle(half[0], half[1], order), self.shuffle(half[2], half[3], order)
                columns[parity + shift] = self.shuffle(top, bottom, (0, 1, 2, 3, 8, 9, 10, 11))
                columns[parity + shift + 4] = self.shuffle(top, bottom, (4, 5, 6, 7, 12, 13, 14, 15))
        return columns


def _mask(count: int) -> str:
    return f"{MASK} <" + ", ".join(f"i1 {int(k < count)}" for k in range(WIDTH)) + ">"


def _tail(n_in: int, n_out: int) -> list[str]:
    """The rows left over, one number at a time."""
    return [
        "tail:",
        "  %some = icmp slt i64 %whole, %rows",
        "  br i1 %some, label %gather, label %done",
        "gather:",
        "  %i = phi i64 [ 0, %tail ], [ %i1, %gather2 ]",
        f"  %i.more = icmp slt i64 %i, {n_in * WIDTH}",
        "  br i1 %i.more, label %gather2, label %run",
        "gather2:",
        f"  %i.column = sdiv i64 %i, {WIDTH}",
        f"  %i.lane = srem i64 %i, {WIDTH}",
        "  %i.row0 = add i64 %whole, %i.lane",
        "  %i.beyond = icmp sgt i64 %i.row0, %last",
        "  %i.row = select i1 %i.beyond, i64 %last, i64 %i.row0",
        f"  %i.start = mul i64 %i.row, {n_in}",
        "  %i.place = add i64 %i.start, %i.column",
        "  %i.from = getelementptr double, ptr %X, i64 %i.place",
        "  %i.value = load double, ptr %i.from, align 8",
        "  %i.to = getelementptr double, ptr %x, i64 %i",
        "  store double %i.value, ptr %i.to, align 8",
        "  %i1 = add i64 %i, 1",
        "  br label %gather",
        "run:",
        "  call void @lanes(ptr %x, ptr %y)",
        "  br label %scatter",
        "scatter:",
        "  %j = phi i64 [ 0, %run ], [ %j1, %scatter3 ]",
        f"  %j.more = icmp slt i64 %j, {n_out * WIDTH}",
        "  br i1 %j.more, label %scatter2, label %done",
        "scatter2:",
        f"  %j.column = sdiv i64 %j, {WIDTH}",
        f"  %j.lane = srem i64 %j, {WIDTH}",
        "  %j.row = add i64 %whole, %j.lane",
        "  %j.beyond = icmp sgt i64 %j.row, %last",
        "  br i1 %j.beyond, label %scatter3, label %scatter4",
        "scatter4:",
        "  %j.from = getelementptr double, ptr %y, i64 %j",
        "  %j.value = load double, ptr %j.from, align 8",
        f"  %j.start = mul i64 %j.row, {n_out}",
        "  %j.place = add i64 %j.start, %j.column",
        "  %j.to = getelementptr double, ptr %Y, i64 %j.place",
        "  store double %j.value, ptr %j.to, align 8",
        "  br label %scatter3",
        "scatter3:",
        "  %j1 = add i64 %j, 1",
        "  br label %scatter",
        "done:",
        "  ret void",
    ]
