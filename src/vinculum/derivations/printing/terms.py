"""The terms of an equation, grouped as in textbooks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import final

from vinculum.derivations.printing.sums import Monomial, Sum, common_number, merge
from vinculum.derivations.printing.trigonometry import Polynomial, Trig, write_trigonometry
from vinculum.tolerances.sizes import SIMPLE_NUMBER


@final
@dataclass(frozen=True)
class Term:
    """number · sum · monomial · trig · (Σ moving): ``sum`` a polynomial of parameters without a common factor (one term:
    nothing), ``moving`` what the states contribute besides sines and cosines."""

    number: Fraction
    sum: tuple[tuple[Monomial, Fraction], ...]
    monomial: Monomial
    trig: Trig
    moving: tuple[tuple[Monomial, Fraction], ...]


def terms(total: Sum, is_fixed: Callable[[int], bool], order: Callable[[Monomial], tuple]) -> list[Term]:
    """A sum as terms. ``is_fixed``: whether an atom is a parameter; ``order``: a key that sorts monomials."""
    groups: dict[Monomial, Sum] = {}
    for (m, h), c in total.items():
        moving = tuple((n, e) for n, e in m if not is_fixed(n))
        fixed = tuple((n, e) for n, e in m if is_fixed(n))
        groups.setdefault(moving, {})[fixed, h] = c
    found: list[Term] = []
    for moving in sorted(groups, key=order):
        for trig, polynomial in write_trigonometry(groups[moving]).items():
            for piece in [polynomial] if trig else pieces(polynomial, order):
                number, monomial, rest = primitive(piece, order)
                found.append(Term(number, rest, monomial, trig, ((moving, Fraction(1)),)))
    return sorted(join_moving(found), key=lambda term: (order(term.moving[0][0]), len(term.trig), str(term.trig)))


def join_moving(found: Iterable[Term]) -> list[Term]:
    """Terms that differ only in what moves, as one with the sum of what moves."""
    groups: dict[tuple, list[Term]] = {}
    for term in found:
        groups.setdefault((term.sum, term.monomial, term.trig), []).append(term)
    result = []
    for (total, monomial, trig), same in groups.items():
        if len(same) == 1:
            result += same
            continue
        number, parts = content([(term.moving[0][0], term.number) for term in same])
        if any(x.denominator != 1 or abs(x) > SIMPLE_NUMBER for _, x in parts):
            result += same
            continue
        result.append(Term(number, total, monomial, trig, tuple(parts)))
    return result


def primitive(polynomial: Polynomial, order) -> tuple[Fraction, Monomial, tuple[tuple[Monomial, Fraction], ...]]:
    """A polynomial as a number times a monomial times a sum without a common factor (nothing, for one term)."""
    common = reduce(_common_divisor, polynomial)
    number, parts = content(sorted(polynomial.items(), key=lambda item: order(item[0])))
    rest = tuple((merge(m, inverse(common)), x) for m, x in parts)
    return number, common, () if len(rest) == 1 else rest


def pieces(polynomial: Polynomial, order) -> list[Polynomial]:
    """Parts of a polynomial that factor: what multiplies the same monomial is put together, largest groups first."""
    left, result = dict(polynomial), []
    while left:
        groups: dict[Monomial, list[Monomial]] = {}
        for m in left:
            for n, e in m:
                if e == 1:
                    groups.setdefault(merge(m, ((n, -1),)), []).append(m)
        best = max(groups.values(), key=len, default=[])
        if len(best) < 2:
            break
        result.append({m: left.pop(m) for m in best})
    result += [{m: x} for m, x in left.items()]
    return sorted(result, key=lambda piece: min(order(m) for m in piece))


def inverse(m: Monomial) -> Monomial:
    return tuple((n, -e) for n, e in m)


def _common_divisor(m: Monomial, k: Monomial) -> Monomial:
    """The largest monomial that divides both."""
    other, own = dict(k), dict(m)
    lowest = {n: min(own.get(n, 0), other.get(n, 0)) for n in {*own, *other}}
    return tuple(sorted((n, e) for n, e in lowest.items() if e))


def content(items: list[tuple[Monomial, Fraction]]) -> tuple[Fraction, list[tuple[Monomial, Fraction]]]:
    """The common factor of numbers, with the sign of most of them, and what is left of each."""
    common = common_number([x for _, x in items])
    if len(items) == 1:
        common = abs(items[0][1])
    if all(x < 0 for _, x in items) or (items[0][1] < 0 and sum(x < 0 for _, x in items) * 2 >= len(items)):
        common = -common
    return common, [(m, x / common) for m, x in items]
