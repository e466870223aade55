"""`Scalar`: a node of an expression graph that NumPy object arrays can hold.

Physics is written once as array code. Fed with floats it computes; fed with `Scalar` it leaves behind a graph, which
is differentiated, compiled or printed as a formula. Exact zeros and ones fold away, so a graph is specialised to its
model.
"""

import numbers
from collections.abc import Callable

import numpy as np

from vinculum.errors import SymbolError, shorten
from vinculum.tolerances.sizes import LARGEST_FACTOR, SMALLEST_FACTOR

Number = float | int


class Scalar:
    """A number that is not known yet: an operation and its operands, a symbol, or a parameter.

    ``op`` names the operation; ``args`` are its operands (`Scalar` or float), or the name of a symbol, or the name and
    value of a parameter. A `Scalar` has no value: ``float(x)``, ``if x`` and ``math.sin(x)`` raise and name `vc.math`.
    """

    __slots__ = ("args", "op")
    __hash__ = object.__hash__

    def __init__(self, op: str, *args):
        self.op = op
        self.args = args

    def __float__(self):
        raise SymbolError(
            f"{self!r} is a symbol and has no value yet: use the functions of vc.math, and vc.math.where "
            "instead of `if`; an array of symbols must have dtype=object"
        )

    __int__ = __index__ = __complex__ = __float__

    def __bool__(self):
        raise SymbolError(
            f"{self!r} is a symbol and cannot decide an `if`, `and`, `or`, `min` or `max`: "
            "use vc.math.where, minimum or maximum, and compare arrays one component at a time"
        )

    def __iter__(self):
        raise SymbolError(f"{self!r} is a single symbol, not a vector: it cannot be unpacked or indexed")

    def __repr__(self):
        return self.args[0] if self.op in ("symbol", "parameter") else f"<symbol {self.op}(…)>"

    def __add__(self, other):
        return add(self, other) if type(other) in PLAIN else _binary(add, self, other)

    def __radd__(self, other):
        return add(other, self) if type(other) in PLAIN else _binary(add, other, self)

    def __sub__(self, other):
        return sub(self, other) if type(other) in PLAIN else _binary(sub, self, other)

    def __rsub__(self, other):
        return sub(other, self) if type(other) in PLAIN else _binary(sub, other, self)

    def __mul__(self, other):
        return mul(self, other) if type(other) in PLAIN else _binary(mul, self, other)

    def __rmul__(self, other):
        return mul(other, self) if type(other) in PLAIN else _binary(mul, other, self)

    def __truediv__(self, other):
        return div(self, other) if type(other) in PLAIN else _binary(div, self, other)

    def __rtruediv__(self, other):
        return div(other, self) if type(other) in PLAIN else _binary(div, other, self)

    def __pow__(self, other):
        return _binary(power, self, other)

    def __rpow__(self, other):
        return _binary(power, other, self)

    def __neg__(self):
        return neg(self)

    def __pos__(self):
        return self

    def __abs__(self):
        return Scalar("abs", self)

    def __lt__(self, other):
        return _binary(lambda a, b: Scalar("lt", a, b), self, other)

    def __le__(self, other):
        return _binary(lambda a, b: Scalar("le", a, b), self, other)

    def __gt__(self, other):
        return _binary(lambda a, b: Scalar("lt", b, a), self, other)

    def __ge__(self, other):
        return _binary(lambda a, b: Scalar("le", b, a), self, other)

    def __eq__(self, other):
        return _binary(lambda a, b: Scalar("eq", a, b), self, other)

    def __ne__(self, other):
        return _binary(lambda a, b: Scalar("ne", a, b), self, other)


Value = Scalar | float
PLAIN = (Scalar, float)
"""What needs no look at its kind before it becomes an operand; most operands are of these."""


def symbol(name: str) -> Scalar:
    """A free input of a graph; two symbols are the same only if they are the same object."""
    return Scalar("symbol", name)


def symbols(name: str, count: int) -> np.ndarray:
    """``count`` symbols ``name0, name1, …`` in an object array."""
    return np.array([symbol(f"{name}{i}") for i in range(count)] + [None], dtype=object)[:-1]


def operand(x) -> Value:
    """``x`` as an operand: a `Scalar` or a float. Anything else (a raw CasADi or SymPy symbol) is refused."""
    kind = type(x)
    if kind is Scalar or kind is float:
        return x
    if isinstance(x, (numbers.Real, np.bool_)):
        try:
            return float(x)
        except OverflowError as error:
            raise SymbolError(f"{shorten(x)} is beyond the range of numbers; use one below 1.8e308") from error
    if isinstance(x, np.ndarray) and x.ndim == 0:
        return operand(x.item())
    raise SymbolError(
        f"{shorten(x)} of type {kind.__module__}.{kind.__name__} cannot be mixed with Vinculum's symbols: "
        "use numbers, vc.parameter and the functions of vc.math"
    )


def _binary(operation: Callable, a, b):
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return NotImplemented
    return operation(operand(a), operand(b))


def add(a: Value, b: Value) -> Value:
    if type(a) is float:
        return a + b if type(b) is float else b if a == 0.0 else Scalar("add", a, b)
    return a if type(b) is float and b == 0.0 else Scalar("add", a, b)


def sub(a: Value, b: Value) -> Value:
    if type(b) is float:
        return a - b if type(a) is float else a if b == 0.0 else Scalar("sub", a, b)
    return neg(b) if type(a) is float and a == 0.0 else 0.0 if a is b else Scalar("sub", a, b)


def mul(a: Value, b: Value) -> Value:
    if type(a) is not float:
        a, b = b, a
    if type(a) is not float:
        return Scalar("mul", a, b)
    if not isinstance(b, Scalar):
        return a * b
    if b.op == "mul" and type(b.args[0]) is float and SMALLEST_FACTOR < abs(a * b.args[0]) < LARGEST_FACTOR:
        return mul(a * b.args[0], b.args[1])
    return 0.0 if a == 0.0 else b if a == 1.0 else neg(b) if a == -1.0 else Scalar("mul", a, b)


def div(a: Value, b: Value) -> Value:
    if type(b) is float:
        if b == 0.0:
            raise ZeroDivisionError("division of a symbol by exact zero")
        return a / b if type(a) is float else mul(1.0 / b, a)
    return 0.0 if type(a) is float and a == 0.0 else Scalar("div", a, b)


def neg(a: Value) -> Value:
    if not isinstance(a, Scalar):
        return -a
    return a.args[0] if a.op == "neg" else Scalar("neg", a)


def power(a: Value, b: Value) -> Value:
    """``a**b``; small whole powers become products, and ½ a square root."""
    if type(b) is float:
        if type(a) is float:
            return a**b
        if b == 0.5:
            return Scalar("sqrt", a)
        if b.is_integer() and abs(b) <= 16:
            return _whole_power(a, int(b))
    elif type(a) is float and a == 1.0:
        return 1.0
    return Scalar("pow", a, b)


def _whole_power(a: Value, n: int) -> Value:
    if n < 0:
        return div(1.0, _whole_power(a, -n))
    result, square = 1.0, a
    while n:
        if n & 1:
            result = mul(result, square)
        n >>= 1
        if n:
            square = mul(square, square)
    return result
