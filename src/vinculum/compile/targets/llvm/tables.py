"""Tables as LLVM assembly: constant arrays, and a function of eight lanes without branches.

The piece is found by bisection: breaks are filled up with infinities to one less than a power of two, and every round
looks at one of them in each lane. Horner's rule then runs over gathered coefficients.
"""

import struct
from collections.abc import Iterable

import numpy as np

from vinculum.compile.width import WIDTH
from vinculum.scalars import Piecewise

VECTOR = f"<{WIDTH} x double>"
NUMBERS = f"<{WIDTH} x i64>"
MASK = f"<{WIDTH} x i1>"
POINTERS = f"<{WIDTH} x ptr>"
EVERYWHERE = f"{MASK} <" + ", ".join(["i1 true"] * WIDTH) + ">"


def table_assembly(name: str, table: Piecewise) -> str:
    """`name(x)`: values of the table in every lane, NaN where there are none."""
    rounds = len(table.breaks).bit_length()
    padded = np.full(2**rounds - 1, np.inf)
    padded[: len(table.breaks)] = table.breaks
    rows = np.column_stack([table.origins, table.coefficients])
    body = _Body(name)
    place = body.whole(0)
    for k in reversed(range(rounds)):
        probe = body.put(f"add {NUMBERS} {place}, {body.whole(2**k - 1)}")
        edge = body.gather("breaks", probe)
        passed = body.put(f"fcmp ole {VECTOR} {edge}, %x")
        step = body.put(f"select {MASK} {passed}, {NUMBERS} {body.whole(2**k)}, {NUMBERS} zeroinitializer")
        place = body.put(f"add {NUMBERS} {place}, {step}")
    first = body.put(f"mul {NUMBERS} {place}, {body.whole(rows.shape[1])}")
    numbers = [
        body.gather("rows", body.put(f"add {NUMBERS} {first}, {body.whole(j)}") if j else first)
        for j in range(rows.shape[1])
    ]
    distance = body.put(f"fsub {VECTOR} %x, {numbers[0]}")
    y = numbers[-1]
    for term in reversed(numbers[1:-1]):
        y = body.put(f"call {VECTOR} @llvm.fmuladd.v{WIDTH}f64({VECTOR} {y}, {VECTOR} {distance}, {VECTOR} {term})")
    low, high = (_splat(x) for x in table.limits)
    above, below = body.put(f"fcmp oge {VECTOR} %x, {low}"), body.put(f"fcmp ole {VECTOR} %x, {high}")
    inside = body.put(f"and {MASK} {above}, {below}")
    y = body.put(f"select {MASK} {inside}, {VECTOR} {y}, {VECTOR} {_splat(np.nan)}")
    return "\n".join([
        _array(f"{name}.breaks", padded), _array(f"{name}.rows", rows.ravel()),
        f"define internal {VECTOR} @{name}({VECTOR} %x) noinline {{", *body.lines, f"  ret {VECTOR} {y}", "}"])  # fmt: skip


class _Body:
    """Lines of one function."""

    def __init__(self, name: str):
        self.name = name
        self.lines: list[str] = []

    def put(self, expression: str) -> str:
        self.lines.append(f"  %v{len(self.lines)} = {expression}")
        return f"%v{len(self.lines) - 1}"

    def gather(self, array: str, places: str) -> str:
        pointers = self.put(f"getelementptr double, ptr @{self.name}.{array}, {NUMBERS} {places}")
        return self.put(
            f"call {VECTOR} @llvm.masked.gather.v{WIDTH}f64.v{WIDTH}p0({POINTERS} {pointers}, i32 8, {EVERYWHERE}, "
            f"{VECTOR} zeroinitializer)"
        )

    def whole(self, number: int) -> str:
        return "<" + ", ".join([f"i64 {number}"] * WIDTH) + ">"


def _array(name: str, numbers: Iterable[float]) -> str:
    entries = [f"double {_number(x)}" for x in numbers]
    return f"@{name} = internal unnamed_addr constant [{len(entries)} x double] [{', '.join(entries)}], align 64"


def _splat(x: float) -> str:
    return "<" + ", ".join([f"double {_number(x)}"] * WIDTH) + ">"


def _number(x: float) -> str:
    return f"0x{struct.pack('>d', x).hex().upper()}"
