"""Sums as plain dictionaries: (monomial, harmonic) → complex rational, and what can be read off them."""

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import Any

from vinculum.scalars.formulas import simplest_number
from vinculum.tolerances.sizes import LARGEST_COEFFICIENT

Monomial = tuple[tuple[int, int], ...]
Harmonic = tuple[tuple[Monomial, Fraction], ...]
Sum = dict[tuple[Monomial, Harmonic], tuple[Fraction, Fraction]]

ZERO, HALF = Fraction(0), Fraction(1, 2)
ONE: Monomial = ()


def exponents_of(*sums: Sum) -> Callable:
    """A key that sorts terms by their exponents, the same for products."""
    letters = sorted({n for total in sums for m, _ in total for n, _ in m})
    angles = sorted({n for total in sums for _, h in total for n, _ in h})

    def key(term):
        m, h = dict(term[0]), dict(term[1])
        return tuple(m.get(n, 0) for n in letters) + tuple(h.get(n, 0) for n in angles)

    return key


def content_of(a: Sum) -> tuple[Monomial, Fraction]:
    """The monomial and the number that all terms of a sum share; of both signs of the rest one is chosen."""
    common: dict[int, int] | None = None
    for m, _ in a:
        own = dict(m)
        kept = own if common is None else {n: min(e, own.get(n, 0)) for n, e in common.items()}
        if common is not None:
            kept |= {n: min(e, 0) for n, e in own.items() if n not in common}
        common = kept
    parts = [abs(x) for c in a.values() for x in c if x]
    scale = common_number(parts)
    lead = next(x for x in a[min(a)] if x)
    return tuple(sorted((n, e) for n, e in (common or {}).items() if e)), scale if lead > 0 else -scale


def common_number(parts: list[Fraction]) -> Fraction:
    """The largest number of which all are whole multiples, or 1 if those would be long."""
    scale = Fraction(reduce(gcd, (abs(x.numerator) for x in parts)), reduce(lcm, (x.denominator for x in parts)))
    return scale if all(abs(x / scale) <= LARGEST_COEFFICIENT for x in parts) else Fraction(1)


def number(x: Any) -> Sum:
    """The number that ``x`` was meant to be, exactly."""
    value = simplest_number(x)
    return {(ONE, ()): (value, ZERO)} if value else {}


def scale(a: Sum, factor: int | Fraction) -> Sum:
    return {key: (x * factor, y * factor) for key, (x, y) in a.items()}


def constant(a: Sum) -> Fraction | None:
    """The value of a sum without atoms."""
    if not a:
        return ZERO
    return a[ONE, ()][0] if len(a) == 1 and (ONE, ()) in a else None


def harmonic(a: Sum) -> Harmonic | None:
    """The angle as multiples of monomials; None if it holds sines or cosines itself."""
    if any(h or y for (_, h), (_, y) in a.items()):
        return None
    return tuple(sorted((m, x) for (m, _), (x, _) in a.items()))


def negative(h: Harmonic) -> Harmonic:
    return tuple((m, -x) for m, x in h)


def sum_key(a: Sum) -> tuple:
    """A key that equal sums share."""
    return tuple(sorted(a.items()))


def merge(m: tuple, n: tuple) -> tuple:
    """The product of two monomials, or the sum of two harmonics."""
    if not m or not n:
        return m or n
    table = dict(m)
    for key, e in n:
        e = table.get(key, 0) + e
        if e:
            table[key] = e
        else:
            del table[key]
    return tuple(sorted(table.items()))
