"""Canonical exact sums: polynomials times harmonics of angles; equal expressions have equal sums.

A sum maps (monomial, harmonic) to a complex rational: the term c · Πₖ aₖ^nₖ · exp(i Σₖ hₖ φₖ). Sines and cosines become
exponentials, so sin² + cos² = 1 and every addition theorem hold by themselves. What is no polynomial (a root, a sum in
a denominator) becomes an atom of its own.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

import numpy as np

from vinculum.derivations.printing.sums import (
    HALF,
    ONE,
    ZERO,
    Monomial,
    Sum,
    constant,
    content_of,
    exponents_of,
    harmonic,
    merge,
    negative,
    number,
    scale,
    sum_key,
)
from vinculum.scalars import Scalar, replay
from vinculum.scalars.math import SYMBOLIC
from vinculum.tolerances.sizes import TERMS_OF_A_SUM


class TooLongError(Exception):
    """The sum has too many terms, or the time is over."""


@final
@dataclass(frozen=True, eq=False)
class Algebra:
    """Atoms by number, and the operations on sums of them until ``deadline`` (a `time.monotonic` instant)."""

    deadline: float
    atoms: list[tuple] = field(default_factory=list)
    numbers: dict[tuple, int] = field(default_factory=dict)
    leaves: dict[tuple, Scalar] = field(default_factory=dict)

    def atom(self, key: tuple) -> Sum:
        """A sum of one atom. ``key``: ("leaf", its name or number) or (operation, frozen operands…)."""
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.atoms)
            self.atoms.append(key)
        return {(((number, 1),), ()): (Fraction(1), ZERO)}

    def sums(self, outputs) -> np.ndarray:
        """The outputs of a graph as sums, in an object array of the same shape."""
        table = {op: self._opaque(op) for op in SYMBOLIC} | {
            "add": self.add, "sub": lambda a, b: self.add(a, scale(b, -1)), "neg": lambda a: scale(a, -1),
            "mul": self.mul, "div": lambda a, b: self.mul(a, self.inverse(b)), "sin": self.sine, "cos": self.cosine,
            "table": lambda table, a: self.atom((f"table {table.name} {table.digest}", sum_key(a))),
            "pow": self.power, "tan": lambda a: self.mul(self.sine(a), self.inverse(self.cosine(a))),
        }  # fmt: skip
        return replay(outputs, self.leaf, table, number)

    def leaf(self, node: Scalar) -> Sum:
        """A symbol or a parameter; parameters of one name are one."""
        key = ("leaf", node.args[0] if node.op == "parameter" else id(node))
        self.leaves.setdefault(key, node)
        return self.atom(key)

    def add(self, a: Sum, b: Sum) -> Sum:
        self.check(len(a) + len(b))
        result = dict(a)
        for key, (x, y) in b.items():
            u, w = result.get(key, (ZERO, ZERO))
            u, w = u + x, w + y
            if u or w:
                result[key] = (u, w)
            else:
                result.pop(key, None)
        return result

    def mul(self, a: Sum, b: Sum) -> Sum:
        self.check(len(a) * len(b) // 4)
        result: Sum = {}
        for (m, h), (x, y) in a.items():
            self.check()
            for (n, k), (u, w) in b.items():
                key = (merge(m, n), merge(h, k))
                r, s = result.get(key, (ZERO, ZERO))
                result[key] = (r + x * u - y * w, s + x * w + y * u)
        return self._without_squared_roots({key: c for key, c in result.items() if c[0] or c[1]})

    def _without_squared_roots(self, a: Sum) -> Sum:
        """√s · √s as s."""
        for (m, h), c in a.items():
            root = next(((n, e) for n, e in m if e > 1 and self.atoms[n][0] == "sqrt"), None)
            if root is not None:
                n, e = root
                left = tuple(part for part in m if part != root) + (((n, 1),) if e % 2 else ())
                squared = {(tuple(sorted(left)), h): c}
                for _ in range(e // 2):
                    squared = self.mul(squared, dict(self.atoms[n][1]))
                rest = {key: value for key, value in a.items() if key != (m, h)}
                return self.add(self._without_squared_roots(rest), squared)
        return a

    def inverse(self, a: Sum) -> Sum:
        if len(a) == 1:
            (((m, h), (x, y)),) = a.items()
            if not y and not h:
                return {(tuple((n, -e) for n, e in m), ()): (1 / x, ZERO)}
        if not a:
            raise TooLongError("division by a sum that is zero")
        common, scale = content_of(a)
        rest = self.mul(a, {(tuple((n, -e) for n, e in common), ()): (1 / scale, ZERO)})
        return self.mul(self.inverse({(common, ()): (scale, ZERO)}), self.atom(("inverse", sum_key(rest))))

    def cancel(self, total: Sum, is_moving: Callable[[int], bool]) -> Sum:
        """A sum without the denominators that divide what stands over them, taken for each product of moving atoms."""
        groups: dict[tuple[Monomial, Monomial], Sum] = {}
        for (m, h), c in total.items():
            below = tuple(part for part in m if self.atoms[part[0]][0] == "inverse")
            rest = tuple(part for part in m if part not in below)
            groups.setdefault((below, tuple(part for part in rest if is_moving(part[0]))), {})[rest, h] = c
        result: Sum = {}
        for (below, _), part in groups.items():
            left = dict(below)
            for n, e in below:
                for _ in range(e):
                    quotient = self.divide(part, dict(self.atoms[n][1]))
                    if quotient is None:
                        break
                    part, left[n] = quotient, left[n] - 1
            kept = tuple((n, e) for n, e in sorted(left.items()) if e)
            result = self.add(result, {(merge(m, kept), h): c for (m, h), c in part.items()})
        return result

    def divide(self, a: Sum, b: Sum) -> Sum | None:
        """a / b if that is a sum again, by dividing highest terms."""
        order = exponents_of(a, b)
        top = max(b, key=order)
        x, y = b[top]
        size = x * x + y * y
        back = {(tuple((n, -e) for n, e in top[0]), negative(top[1])): (x / size, -y / size)}
        quotient: Sum = {}
        for _ in range(2 * len(a) + 2):
            if not a:
                return quotient
            high = max(a, key=order)
            step = self.mul({high: a[high]}, back)
            quotient = self.add(quotient, step)
            a = self.add(a, scale(self.mul(step, b), -1))
        return None

    def power(self, a: Sum, b: Sum) -> Sum:
        exponent = constant(b)
        if exponent is not None and exponent.denominator == 1 and 0 <= abs(exponent) <= 16:
            result = number(1.0)
            for _ in range(abs(exponent.numerator)):
                result = self.mul(result, a)
            return result if exponent >= 0 else self.inverse(result)
        return self.atom(("pow", sum_key(a), sum_key(b)))

    def sine(self, a: Sum) -> Sum:
        h = harmonic(a)
        if h is None:
            return self.atom(("sin", sum_key(a)))
        return {} if not h else {(ONE, h): (ZERO, -HALF), (ONE, negative(h)): (ZERO, HALF)}

    def cosine(self, a: Sum) -> Sum:
        h = harmonic(a)
        if h is None:
            return self.atom(("cos", sum_key(a)))
        return number(1.0) if not h else {(ONE, h): (HALF, ZERO), (ONE, negative(h)): (HALF, ZERO)}

    def _opaque(self, op: str) -> Callable:
        def make(*args: Sum) -> Sum:
            self.check(0)
            return self.atom((op, *map(sum_key, args)))

        return make

    def check(self, size: int = 0) -> None:
        """Give up on a sum that is too long, or when the time is over."""
        if size > TERMS_OF_A_SUM or time.monotonic() > self.deadline:
            raise TooLongError
