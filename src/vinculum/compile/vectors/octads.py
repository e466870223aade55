"""Eight numbers at once in compiled code: expressions on registers of eight, for intrinsics that write a whole formula.

Products and sums may be rounded once together (`contract`), as the target likes.
"""

from collections.abc import Sequence
from typing import Any, final

from llvmlite import ir

LANES = 8
F64, WORD = ir.DoubleType(), ir.IntType(32)
OCTAD, HALF = ir.VectorType(F64, LANES), ir.VectorType(F64, 4)
FLAGS = ("contract",)
EVEN, ODD = [0, 8, 2, 10, 4, 12, 6, 14], [1, 9, 3, 11, 5, 13, 7, 15]
LOW, HIGH = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]
"""Shuffles of two registers that turn four rows of two fours into columns."""


@final
class Octad:
    """Eight numbers in a register."""

    def __init__(self, builder: Any, value: Any):
        self.builder, self.value = builder, value

    def __add__(self, other: "Octad") -> "Octad":
        return Octad(self.builder, self.builder.fadd(self.value, other.value, flags=FLAGS))

    def __sub__(self, other: "Octad") -> "Octad":
        return Octad(self.builder, self.builder.fsub(self.value, other.value, flags=FLAGS))

    def __mul__(self, other: "Octad") -> "Octad":
        return Octad(self.builder, self.builder.fmul(self.value, other.value, flags=FLAGS))

    def __truediv__(self, other: "Octad") -> "Octad":
        return Octad(self.builder, self.builder.fdiv(self.value, other.value))

    def where_larger(self, other: "Octad", one: "Octad", two: "Octad") -> "Octad":
        """``one`` in the lanes where this is larger than ``other``, and ``two`` elsewhere."""
        mask = self.builder.fcmp_ordered(">", self.value, other.value)
        return Octad(self.builder, self.builder.select(mask, one.value, two.value))

    def root(self) -> "Octad":
        kind = ir.FunctionType(OCTAD, [OCTAD])
        function = self.builder.module.declare_intrinsic("llvm.sqrt.v8f64", fnty=kind)
        return Octad(self.builder, self.builder.call(function, [self.value]))

    def lane(self, k: int) -> Any:
        return self.builder.extract_element(self.value, ir.Constant(WORD, k))

    def total(self) -> Any:
        """The sum of all lanes, pairwise."""
        parts = [self.lane(k) for k in range(LANES)]
        while len(parts) > 1:
            parts = [self.builder.fadd(a, b, flags=FLAGS) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        return parts[0]

    def most(self) -> Any:
        """The largest lane."""
        parts = [self.lane(k) for k in range(LANES)]
        while len(parts) > 1:
            parts = [self.builder.select(self.builder.fcmp_ordered(">", a, b), a, b)
                     for a, b in zip(parts[::2], parts[1::2], strict=True)]  # fmt: skip
        return parts[0]


def dot(x: Sequence[Octad], y: Sequence[Octad]) -> Octad:
    """The sum of products."""
    found = x[0] * y[0]
    for a, b in zip(x[1:], y[1:], strict=True):
        found = found + a * b
    return found


def number(builder: Any, value: float) -> Octad:
    """The same number eight times."""
    return Octad(builder, ir.Constant(OCTAD, [value] * LANES))


def octad_at(builder: Any, address: Any, offset: int) -> Octad:
    """Eight numbers from a place on, counted in numbers from an address."""
    found = builder.load(_place(builder, address, offset, OCTAD))
    found.align = 8
    return Octad(builder, found)


def put_octad(builder: Any, address: Any, offset: int, x: Octad) -> None:
    """Write eight numbers."""
    builder.store(x.value, _place(builder, address, offset, OCTAD)).align = 8


def words_at(builder: Any, address: Any, offset: int) -> list[Any]:
    """Eight integers from a place on."""
    kind = ir.IntType(64)
    return [builder.load(_place(builder, address, offset + k, kind)) for k in range(LANES)]


def numbers_at(builder: Any, addresses: Sequence[Any], offset: int) -> Octad:
    """One number from each of eight addresses."""
    found = ir.Constant(OCTAD, ir.Undefined)
    for k, address in enumerate(addresses):
        found = builder.insert_element(found, builder.load(_place(builder, address, offset, F64)), ir.Constant(WORD, k))
    return Octad(builder, found)


def put_numbers(builder: Any, addresses: Sequence[Any], offset: int, x: Octad) -> None:
    """Write one number to each of eight addresses."""
    for k, address in enumerate(addresses):
        builder.store(x.lane(k), _place(builder, address, offset, F64))


def columns_at(builder: Any, addresses: Sequence[Any], offset: int) -> list[Octad]:
    """The first three of four numbers at each of eight addresses, as three registers."""
    rows = []
    for address in addresses:
        row = builder.load(_place(builder, address, offset, HALF))
        row.align = 8
        rows.append(row)
    whole = [_shuffle(builder, rows[k], rows[k + 4], list(range(8))) for k in range(4)]
    even, odd = ([_shuffle(builder, whole[k], whole[k + 1], order) for k in (0, 2)] for order in (EVEN, ODD))
    found = (even, LOW), (odd, LOW), (even, HIGH)
    return [Octad(builder, _shuffle(builder, one[0], one[1], order)) for one, order in found]


def put_columns(builder: Any, addresses: Sequence[Any], offset: int, columns: Sequence[Octad], moves: Octad) -> None:
    """Write three registers and a zero as four numbers at each of eight addresses, where ``moves`` is above zero."""
    x, y, z = (one.value for one in columns)
    zero = number(builder, 0.0).value
    low, high = _shuffle(builder, x, z, LOW), _shuffle(builder, x, z, HIGH)
    other_low, other_high = _shuffle(builder, y, zero, LOW), _shuffle(builder, y, zero, HIGH)
    whole = [_shuffle(builder, low, other_low, EVEN), _shuffle(builder, low, other_low, ODD),
             _shuffle(builder, high, other_high, EVEN), _shuffle(builder, high, other_high, ODD)]  # fmt: skip
    for k, address in enumerate(addresses):
        first = 4 * (k // 4)
        row = _shuffle(builder, whole[k % 4], whole[k % 4], list(range(first, first + 4)))
        with builder.if_then(builder.fcmp_ordered(">", moves.lane(k), ir.Constant(F64, 0.0))):
            builder.store(row, _place(builder, address, offset, HALF)).align = 8


def _place(builder: Any, address: Any, offset: int, kind: Any) -> Any:
    """A pointer to what lies so many numbers after an address."""
    there = builder.add(address, ir.Constant(address.type, 8 * offset)) if offset else address
    return builder.inttoptr(there, kind.as_pointer())


def _shuffle(builder: Any, x: Any, y: Any, order: list[int]) -> Any:
    return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(WORD, len(order)), order))
