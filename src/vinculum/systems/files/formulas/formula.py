"""Formulas in strings, such as ``"-k*q - 0.1*v + sin(t)"``.

Python's own grammar reads the text into a syntax tree, of which only the nodes listed here are taken over into a small
tree of our own; nothing of what a user writes is ever compiled or run.
"""

import ast
import math as float_math
import operator
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any, NoReturn, final

import numpy as np

from vinculum.errors import FileError, StartError, SymbolError
from vinculum.scalars import Value, math
from vinculum.scalars.scalar import operand, power
from vinculum.systems.system import nearest
from vinculum.tolerances.sizes import DEEPEST_FORMULA, LONGEST_FORMULA, MOST_ARGUMENTS

CONSTANTS = {"pi": float_math.pi}

FUNCTIONS: dict[str, tuple[Callable, int, int]] = {
    **{name: (getattr(math, name), 1, 1) for name in (
        "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "log",
        "expm1", "log1p", "sqrt", "abs", "sign", "floor", "ceil", "erf")},
    **{name: (getattr(math, name), 2, 2) for name in ("atan2", "hypot", "fmod", "copysign")},
    "min": (lambda *xs: reduce(math.minimum, xs), 2, MOST_ARGUMENTS),
    "max": (lambda *xs: reduce(math.maximum, xs), 2, MOST_ARGUMENTS),
    "where": (math.where, 3, 3),
    "clip": (math.clip, 3, 3),
}  # fmt: skip
"""What a formula may call, with the fewest and the most arguments."""

BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
          ast.Pow: lambda a, b: power(operand(a), operand(b))}  # fmt: skip
UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: math.logical_not}
COMPARE = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
           ast.NotEq: operator.ne}  # fmt: skip
VECTOR_FUNCTIONS: dict[str, tuple[Callable, int, int]] = {
    "norm": (math.norm, 1, 1),
    "dot": (math.dot, 2, 1),
    "cross": (math.cross, 2, 3),
}
"""What a formula of vectors may call besides: arguments, and the size of the result."""
REMEDIES = {
    ast.BitXor: "write ** for a power",
    ast.IfExp: "write where(condition, a, b)",
    ast.Attribute: "write the bare name of a function or a parameter, without dots",
    ast.Mod: "write fmod(a, b)",
    ast.FloorDiv: "write floor(a/b)",
}
RESERVED = {
    *FUNCTIONS,
    *CONSTANTS,
    "t",
    "q",
    "v",
    "position",
    "velocity",
    "center",
    "center_velocity",
    "angular_velocity",
}
"""Names that a parameter cannot have."""


@final
@dataclass(frozen=True)
class Name:
    """A number, one entry of a row that is known by name, or a whole row of ``size`` numbers."""

    name: str
    index: int | None = None
    size: int = 1


@final
@dataclass(frozen=True, eq=False)
class Operation:
    """A function of other nodes."""

    function: Callable
    arguments: tuple["Node", ...]
    size: int = 1


Node = float | Name | Operation


@final
@dataclass(frozen=True, eq=False)
class Formula:
    """A parsed formula. ``where`` says in messages which file and key it stands in; ``size``: 3 for a vector, else 1."""

    where: str
    text: str
    node: Node
    names: frozenset[str]
    size: int = 1

    def value(self, given: Mapping[str, object]) -> Any:
        """The formula with numbers, symbols or rows of them in place of its names."""
        try:
            with np.errstate(all="ignore"):
                return _value(self.node, given)
        except (ZeroDivisionError, OverflowError, SymbolError, StartError) as error:
            raise FileError(f'{self.where}: the formula "{self.text}" has no value: {error}; '
                            "check its divisions and powers") from error  # fmt: skip


def parse(
    where: str,
    text: str,
    sizes: Mapping[str, int],
    tables: Mapping[str, Callable] | None = None,
    vectors: bool = False,
) -> Formula:
    """The formula ``text`` over the names in ``sizes``: 1 for a number, n for a row, indexed as ``q[0]``.

    ``tables``: functions of one number that it may call as well. With ``vectors``, rows of three are vectors: they are added,
    multiplied by numbers, and go into norm, dot and cross. Names may then have a dot in them, as ``upper.position``.
    """
    text = " ".join(text.split())
    functions = FUNCTIONS | {name: (table, 1, 1) for name, table in (tables or {}).items()}
    return _Parser(where, text, sizes, functions, set(), vectors).formula()


@final
@dataclass(frozen=True, eq=False)
class _Parser:
    where: str
    text: str
    sizes: Mapping[str, int]
    functions: Mapping[str, tuple[Callable, int, int]]
    used: set[str]
    vectors: bool = False

    def formula(self) -> Formula:
        if not self.text:
            self.refuse("is empty", "give a number or a formula")
        if len(self.text) > LONGEST_FORMULA:
            self.refuse(f"has {len(self.text)} characters", f"the limit is {LONGEST_FORMULA}")
        if "#" in self.text:
            self.refuse("holds a '#'", "comments stand outside the string")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(self.text, mode="eval")
        except SyntaxError as error:
            place = f" at character {error.offset}" if error.offset else ""
            self.refuse(
                f"cannot be parsed{place}: {error.msg}", f"{self.allowed_words()}; a quantity is one number and a unit"
            )
        except (ValueError, MemoryError, RecursionError):
            self.refuse("is nested too deeply or holds characters that no formula has", self.allowed_words())
        node = self.node(tree.body, 0)
        return Formula(self.where, self.text, node, frozenset(self.used), _size(node))

    def node(self, tree: ast.AST, depth: int) -> Node:
        if depth > DEEPEST_FORMULA:
            self.refuse(f"is nested more than {DEEPEST_FORMULA} levels deep", "split it with parameters")
        match tree:
            case ast.Constant(value=int() | float() as number) if type(number) is not bool:
                return self.finite(tree, lambda: float(number))
            case ast.Name(id=name):
                return self.name(tree, name, None)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int() as index)) if type(index) is int:
                return self.name(tree, name, index)
            case ast.Attribute(value=ast.Name(id=body), attr=what) if self.vectors:
                return self.name(tree, f"{body}.{what}", None)
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id=body), attr=what),
                               slice=ast.Constant(value=int() as index)) if self.vectors and type(index) is int:  # fmt: skip
                return self.name(tree, f"{body}.{what}", index)
            case ast.BinOp(op=op, left=a, right=b) if type(op) in BINARY:
                return self.operation(tree, BINARY[type(op)], [a, b], depth, _product_size(op))
            case ast.UnaryOp(op=op, operand=a) if type(op) in UNARY:
                return self.operation(tree, UNARY[type(op)], [a], depth, _same if not isinstance(op, ast.Not) else None)
            case ast.BoolOp(op=op, values=parts):
                both = math.logical_and if isinstance(op, ast.And) else math.logical_or
                return self.operation(tree, lambda *xs: reduce(both, xs), parts, depth)
            case ast.Compare(left=a, ops=ops, comparators=others) if all(type(op) in COMPARE for op in ops):
                return self.operation(tree, _chain([COMPARE[type(op)] for op in ops]), [a, *others], depth)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self.call(tree, name, arguments, depth)
        kind = type(getattr(tree, "op", tree))
        self.refuse(f"holds {self.part(tree)}, which is not allowed", REMEDIES.get(kind) or self.allowed_words())

    def name(self, tree: ast.AST, name: str, index: int | None) -> Node:
        if name in CONSTANTS and index is None:
            return CONSTANTS[name]
        if name not in self.sizes:
            hint = (
                "give it an argument"
                if name in self.functions
                else self.hint(name, [*self.sizes, *CONSTANTS, *self.functions])
            )
            self.refuse(f"asks for '{name}', which is not a name known here", hint)
        size = self.sizes[name]
        if index is None and size != 1 and not (self.vectors and size == 3):
            self.refuse(
                f"uses the row '{name}' of {size} numbers as one number", f"write {name}[0] … {name}[{size - 1}]"
            )
        if index is not None and not 0 <= index < size:
            numbers = f"{size} number{'s' * (size != 1)}"
            self.refuse(f"asks for {self.part(tree)}, but '{name}' has {numbers}", f"the last is {name}[{size - 1}]")
        self.used.add(name)
        return Name(name, index, size if index is None else 1)

    def call(self, tree: ast.AST, name: str, arguments: list, depth: int) -> Node:
        if self.vectors and name in VECTOR_FUNCTIONS:
            function, count, size = VECTOR_FUNCTIONS[name]
            if len(arguments) != count:
                self.refuse(f"calls {name} with {len(arguments)} arguments", f"it takes {count}")
            return self.operation(tree, function, arguments, depth, lambda *sizes: size if set(sizes) == {3} else None)
        if name not in self.functions:
            self.refuse(f"calls '{name}', which is not a function known here", self.hint(name, self.functions))
        function, fewest, most = self.functions[name]
        if not fewest <= len(arguments) <= most:
            wanted = f"{fewest}" if fewest == most else f"{fewest} or more"
            self.refuse(f"calls {name} with {len(arguments)} arguments", f"it takes {wanted}")
        return self.operation(tree, function, arguments, depth)

    def operation(
        self,
        tree: ast.AST,
        function: Callable,
        arguments: list,
        depth: int,
        sized: Callable[..., int | None] | None = None,
    ) -> Node:
        parts = tuple(self.node(part, depth + 1) for part in arguments)
        sizes = [_size(part) for part in parts]
        size = sized(*sizes) if sized and (max(sizes) > 1 or self.vectors) else 1 if max(sizes) == 1 else None
        if size is None:
            self.refuse(
                f"mixes vectors and numbers in {self.part(tree)}",
                "vectors are added to vectors, multiplied and divided by numbers, and go into norm(a), dot(a, b), cross(a, b)",
            )
        if all(isinstance(part, float) for part in parts):
            return self.finite(tree, lambda: operand(function(*parts)))
        return Operation(function, parts, size)

    def finite(self, tree: ast.AST, number: Callable[[], Value]) -> float:
        """The value of a part without names: too large or undefined is refused where it stands."""
        try:
            with np.errstate(all="ignore"):
                found = number()
        except (OverflowError, ZeroDivisionError, SymbolError):
            found = float_math.nan
        except StartError as error:
            self.refuse(f"holds {self.part(tree)}, which has no value", str(error))
        if not isinstance(found, float) or not float_math.isfinite(found):
            self.refuse(f"holds {self.part(tree)}, which is not a finite real number", "check divisions and powers")
        return found

    def hint(self, name: str, known) -> str:
        return nearest(name, known).removeprefix("; ") or self.allowed_words()

    def allowed_words(self) -> str:
        names = ", ".join([*self.sizes, *CONSTANTS])
        return f"allowed are numbers, {names}, + - * / **, comparisons, and functions such as sin, sqrt, min, where"

    def part(self, tree: ast.AST) -> str:
        begin, end = getattr(tree, "col_offset", 0), getattr(tree, "end_col_offset", None)
        return f"'{_short(self.text.encode()[begin:end].decode(errors='replace'), 40)}'"

    def refuse(self, problem: str, remedy: str) -> NoReturn:
        raise FileError(f'{self.where}: the formula "{_short(self.text, 80)}" {problem}; {remedy}')


def _value(node: Node, given: Mapping[str, object]) -> Any:
    if isinstance(node, Operation):
        found = node.function(*(_value(part, given) for part in node.arguments))
        return operand(found) if node.size == 1 else math.vector(found)
    if not isinstance(node, Name):
        return node
    known = given[node.name]
    if node.size > 1:
        return math.vector(known)
    return operand(known[node.index or 0] if isinstance(known, np.ndarray) and known.ndim else known)


def _size(node: Node) -> int:
    return node.size if isinstance(node, (Name, Operation)) else 1


def _same(size: int) -> int:
    return size


def _product_size(op: ast.operator) -> Callable[[int, int], int | None]:
    """The size of a sum, product, quotient or power of two sizes; None where there is none."""
    if isinstance(op, (ast.Add, ast.Sub)):
        return lambda a, b: a if a == b else None
    if isinstance(op, ast.Mult):
        return lambda a, b: max(a, b) if min(a, b) == 1 else None
    return lambda a, b: a if b == 1 and (a == 1 or isinstance(op, ast.Div)) else None


def _chain(tests: list[Callable]) -> Callable:
    """All of the comparisons a < b < c hold."""
    return lambda *xs: reduce(math.logical_and, (test(a, b) for test, (a, b) in zip(tests, pairwise(xs), strict=True)))


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
