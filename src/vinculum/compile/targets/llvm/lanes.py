"""Lanes: values `<W x double>`, `<W x i64>`, `<W x i1>` whose operators write LLVM assembly.

A function of lanes reads like its mathematics, and running it once leaves its instructions in a `Body`. Nothing
carries fast-math flags: LLVM keeps every rounding that is written. Only `muladd` lets the target choose between one
rounding and two; `fma` always rounds once. Intrinsics need no `declare`: LLVM knows them by name.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from inspect import signature


@dataclass
class Body:
    """Instructions of one function over `width` lanes, and the libm symbols it calls with their number of arguments."""

    width: int
    libm: dict[str, int]
    lines: list[str] = field(default_factory=list)

    def type(self, element: str) -> str:
        return f"<{self.width} x {element}>"

    def emit(self, element: str, instruction: str) -> Lanes:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {instruction}")
        return Lanes(self, element, name)

    def constant(self, element: str, value: float) -> Lanes:
        text = f"0x{struct.pack('>d', value).hex().upper()}" if element == "double" else str(int(value))
        return Lanes(self, element, "<" + ", ".join([f"{element} {text}"] * self.width) + ">")


@dataclass(frozen=True, eq=False)
class Lanes:
    """`width` numbers at once; a Python number beside it stands for that number in every lane."""

    body: Body
    element: str
    name: str

    def __str__(self) -> str:
        return f"{self.type} {self.name}"

    @property
    def type(self) -> str:
        return self.body.type(self.element)

    def like(self, other: Lanes | float) -> Lanes:
        return other if isinstance(other, Lanes) else self.body.constant(self.element, other)

    def operation(self, opcode: str, other: Lanes | float) -> Lanes:
        return self.body.emit(self.element, f"{opcode} {self}, {self.like(other).name}")

    def arithmetic(self, opcode: str, other: Lanes | float) -> Lanes:
        return self.operation("f" + opcode if self.element == "double" else opcode, other)

    def comparison(self, predicate: str, other: Lanes | float) -> Lanes:
        return self.body.emit("i1", f"fcmp {predicate} {self}, {self.like(other).name}")

    def intrinsic(self, name: str, *others: Lanes | float) -> Lanes:
        arguments = ", ".join(str(self.like(other)) for other in (self, *others))
        return self.body.emit("double", f"call {self.type} @llvm.{name}.v{self.body.width}f64({arguments})")

    def __add__(self, other: Lanes | float) -> Lanes:
        return self.arithmetic("add", other)

    def __sub__(self, other: Lanes | float) -> Lanes:
        return self.arithmetic("sub", other)

    def __mul__(self, other: Lanes | float) -> Lanes:
        return self.arithmetic("mul", other)

    def __truediv__(self, other: Lanes | float) -> Lanes:
        return self.operation("fdiv", other)

    def __radd__(self, other: float) -> Lanes:
        return self.like(other) + self

    def __rsub__(self, other: float) -> Lanes:
        return self.like(other) - self

    def __rmul__(self, other: float) -> Lanes:
        return self.like(other) * self

    def __rtruediv__(self, other: float) -> Lanes:
        return self.like(other) / self

    def __neg__(self) -> Lanes:
        return self.body.emit("double", f"fneg {self}")

    def __abs__(self) -> Lanes:
        return self.intrinsic("fabs")

    def __and__(self, other: Lanes | float) -> Lanes:
        return self.operation("and", other)

    def __or__(self, other: Lanes | float) -> Lanes:
        return self.operation("or", other)

    def __xor__(self, other: Lanes | float) -> Lanes:
        return self.operation("xor", other)

    def __invert__(self) -> Lanes:
        return self ^ -1

    def __lshift__(self, count: int) -> Lanes:
        return self.operation("shl", count)

    def __rshift__(self, count: int) -> Lanes:
        """Zeros enter from the left."""
        return self.operation("lshr", count)

    def __lt__(self, other: Lanes | float) -> Lanes:
        return self.comparison("olt", other)

    def __le__(self, other: Lanes | float) -> Lanes:
        return self.comparison("ole", other)

    def __gt__(self, other: Lanes | float) -> Lanes:
        return self.comparison("ogt", other)

    def __ge__(self, other: Lanes | float) -> Lanes:
        return self.comparison("oge", other)

    def equals(self, other: Lanes | float) -> Lanes:
        return self.comparison("oeq", other)

    def bits(self) -> Lanes:
        """The doubles as i64."""
        return self.body.emit("i64", f"bitcast {self} to {self.body.type('i64')}")

    def double(self) -> Lanes:
        """The doubles that have these i64 as bits."""
        return self.body.emit("double", f"bitcast {self} to {self.body.type('double')}")

    def bit(self, place: int) -> Lanes:
        """Mask of lanes whose i64 has the bit set."""
        return self.body.emit("i1", f"icmp ne {self & 2**place}, {self.like(0).name}")

    def sqrt(self) -> Lanes:
        return self.intrinsic("sqrt")

    def rint(self) -> Lanes:
        return self.intrinsic("rint")

    def copysign(self, other: Lanes) -> Lanes:
        return self.intrinsic("copysign", other)


Pair = tuple[Lanes, Lanes]
"""(high, low): the number high + low, |low| ≪ |high|."""


def where(mask: Lanes, yes: Lanes | float, no: Lanes | float) -> Lanes:
    """`yes` in the lanes of the mask, `no` in the others; the one not taken may be NaN."""
    yes, no = (value if isinstance(value, Lanes) else mask.body.constant("double", value) for value in (yes, no))
    return mask.body.emit(yes.element, f"select {mask}, {yes}, {no}")


def clamp(x: Lanes, low: float, high: float) -> Lanes:
    """x between two bounds; NaN stays."""
    x = where(x > high, high, x)
    return where(x < low, low, x)


def fma(a: Lanes, b: Lanes | float, c: Lanes | float) -> Lanes:
    """a·b + c rounded once, on every target."""
    return a.intrinsic("fma", b, c)


def muladd(a: Lanes, b: Lanes | float, c: Lanes | float) -> Lanes:
    """a·b + c rounded once where the target does that in one instruction, otherwise twice."""
    return a.intrinsic("fmuladd", b, c)


def polynomial(x: Lanes, coefficients: Sequence[float]) -> Lanes:
    """c₀ + c₁x + c₂x² + …, by Horner's rule in x² on even and odd powers: half the latency for one multiplication."""
    square = x * x

    def horner(terms: Sequence[float]) -> Lanes:
        total = x.like(terms[-1])
        for term in reversed(terms[:-1]):
            total = muladd(total, square, term)
        return total

    return muladd(horner(coefficients[1::2]), x, horner(coefficients[0::2]))


def ordered_sum(a: Lanes | float, b: Lanes) -> Pair:
    """a + b without error, for |a| ≥ |b| or a = 0 (Dekker)."""
    total = a + b
    return total, b - (total - a)


def exact_sum(a: Lanes | float, b: Lanes) -> Pair:
    """a + b without error (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def exact_product(a: Lanes, b: Lanes) -> Pair:
    """a·b without error."""
    high = a * b
    return high, fma(a, b, -high)


def product(a: Pair, b: Pair) -> Pair:
    """Product of two pairs, to 2⁻¹⁰⁰ or so."""
    high, low = exact_product(a[0], b[0])
    return high, low + muladd(a[0], b[1], a[1] * b[0])


def quotient(a: Pair, b: Pair) -> Pair:
    """Quotient of two pairs: one division, then the remainder of its rounded value."""
    inverse = 1.0 / b[0]
    high = a[0] * inverse
    remainder = fma(-high, b[0], a[0]) + muladd(-high, b[1], a[1])
    return high, remainder * inverse


def through_libm(name: str, mask: Lanes, fast: Lanes, *arguments: Lanes) -> Lanes:
    """`fast`, but libm's value in the lanes of the mask; last in a function.

    While the mask is empty this costs a test and a predictable branch.
    """
    body = mask.body
    body.libm[name] = len(arguments)
    ints = body.type("i64")
    body.lines += [
        "  br label %main",
        "main:",
        f"  %some = call i1 @llvm.vector.reduce.or.v{body.width}i1({mask})",
        "  br i1 %some, label %rare, label %done",
        "rare:",
        f"  %mask = sext {mask} to {ints}",
        f"  %slow = call {fast.type} @each_{name}({ints} %mask, {', '.join(map(str, (fast, *arguments)))}) cold",
        "  br label %done",
        "done:",
    ]
    return body.emit("double", f"phi {fast.type} [ {fast.name}, %main ], [ %slow, %rare ]")


def lane_by_lane(name: str, *arguments: Lanes) -> Lanes:
    """libm's value in every lane."""
    body = arguments[0].body
    body.libm[name] = len(arguments)
    everywhere, nothing = body.constant("i64", -1), body.constant("double", 0.0)
    call = f"@each_{name}({', '.join(map(str, (everywhere, nothing, *arguments)))})"
    return body.emit("double", f"call {nothing.type} {call}")


def definition(name: str, function: Callable[..., Lanes], body: Body, attributes: str) -> str:
    """`define` of a function of lanes under its own parameter names."""
    arguments = [Lanes(body, "double", f"%{parameter}") for parameter in signature(function).parameters]
    result = function(*arguments)
    header = f"define internal {result.type} @{name}({', '.join(map(str, arguments))}) {attributes} {{"
    return "\n".join([header, "entry:", *body.lines, f"  ret {result}", "}"])


def loop_over_lanes(name: str, arguments: int, width: int) -> str:
    """`declare` of a libm function and `define` of the loop that calls it in the lanes of a mask."""
    vector, scalars = f"<{width} x double>", ["%x", "%y"][:arguments]
    parameters = ", ".join(f"{vector} {x}" for x in ["%fast", *scalars])
    taken = "".join(f"  {x}.i = extractelement {vector} {x}, i64 %i\n" for x in scalars)
    return f"""\
declare double @{name}({", ".join(["double"] * arguments)}) nounwind willreturn memory(none)
define internal {vector} @each_{name}(<{width} x i64> %mask, {parameters}) noinline nounwind {{
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %after ]
  %result = phi {vector} [ %fast, %entry ], [ %merged, %after ]
  %mask.i = extractelement <{width} x i64> %mask, i64 %i
  %chosen = icmp ne i64 %mask.i, 0
  br i1 %chosen, label %call, label %after
call:
{taken}  %value = call double @{name}({", ".join(f"double {x}.i" for x in scalars)})
  %changed = insertelement {vector} %result, double %value, i64 %i
  br label %after
after:
  %merged = phi {vector} [ %result, %lane ], [ %changed, %call ]
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, {width}
  br i1 %end, label %done, label %lane
done:
  ret {vector} %merged
}}"""
