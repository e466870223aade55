"""Invariant polynomials of vectors, written in their inner and triple products."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, combinations_with_replacement, islice
from typing import final

import numpy as np

from vinculum.derivations.printing.sums import merge
from vinculum.scalars import Value, symbol
from vinculum.tolerances.sizes import MOST_PRODUCTS

Exponents = tuple[tuple[int, int], ...]
Polynomial = dict[Exponents, Fraction]
"""Powers of the 3 N components, counted from 0, and a number."""


class NotInvariantError(Exception):
    """The polynomial is no sum of products of inner and triple products, or too long to tell."""


@final
@dataclass(frozen=True, eq=False)
class Products:
    """Symbols for the inner products r_i · r_j (i ≤ j) and the triple products [r_i, r_j, r_k] (i < j < k) of ``count`` vectors.

    They are all that a function of vectors can depend on if no rotation changes it: O'Reilly and Srinivasa, On Potential Energies
    and Constraints in the Dynamics of Rigid Bodies and Particles, section 4.
    """

    count: int
    pairs: tuple[tuple[int, int], ...]
    triples: tuple[tuple[int, int, int], ...]
    inner: np.ndarray
    triple: np.ndarray

    @classmethod
    def of(cls, count: int) -> "Products":
        pairs = tuple(combinations_with_replacement(range(count), 2))
        triples = tuple(combinations(range(count), 3))
        inner = np.array([*(symbol(f"G{_number(i, j)}") for i, j in pairs), None], dtype=object)[:-1]
        triple = np.array([*(symbol(f"T{_number(*t)}") for t in triples), None], dtype=object)[:-1]
        return cls(count, pairs, triples, inner, triple)

    def gram(self) -> np.ndarray:
        """The matrix (count, count) of inner products."""
        G = np.empty((self.count, self.count), dtype=object)
        for (i, j), x in zip(self.pairs, self.inner, strict=True):
            G[i, j] = G[j, i] = x
        return G

    def write(self, polynomial: Polynomial) -> Value:
        """A polynomial of the components of the vectors as a graph of the products."""
        parts: dict[Exponents, Polynomial] = {}
        for powers, x in polynomial.items():
            degrees: dict[int, int] = {}
            for place, e in powers:
                degrees[place // 3] = degrees.get(place // 3, 0) + e
            parts.setdefault(tuple(sorted(degrees.items())), {})[powers] = x
        total: Value = 0.0
        for degrees_of, part in sorted(parts.items()):
            total = total + self._part(part, dict(degrees_of))
        return total

    def _part(self, part: Polynomial, degrees: dict[int, int]) -> Value:
        """A part of which each vector has one degree."""
        candidates = list(islice(_candidates(degrees), MOST_PRODUCTS + 1))
        if len(candidates) > MOST_PRODUCTS:
            raise NotInvariantError
        weights = _solve_weights([_expand(chosen) for chosen in candidates], part)
        letters = self._letters
        total: Value = 0.0
        for chosen, weight in zip(candidates, weights, strict=True):
            if weight:
                product: Value = float(weight)
                for factor in chosen:
                    product = product * letters[factor]
                total = total + product
        return total

    @cached_property
    def _letters(self) -> dict[tuple[int, ...], Value]:
        """The symbol of every product, by the numbers of its vectors."""
        return dict(zip((*self.pairs, *self.triples), (*self.inner, *self.triple), strict=True))


def _candidates(degrees: dict[int, int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Products of the given degrees in some vectors: inner products, and at most one triple product behind them."""
    own = sorted(degrees)
    pairs = list(combinations_with_replacement(own, 2))
    yield from _inner_products(degrees, pairs)
    for triple in combinations(own, 3):
        for chosen in _inner_products({i: d - (i in triple) for i, d in degrees.items()}, pairs):
            yield (*chosen, triple)


def _inner_products(degrees: dict[int, int], pairs: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, ...], ...]]:
    if not any(degrees.values()):
        yield ()
        return
    for k, (i, j) in enumerate(pairs):
        rest = dict(degrees)
        rest[i] -= 1
        rest[j] -= 1
        if min(rest[i], rest[j]) >= 0:
            for chosen in _inner_products(rest, pairs[k:]):
                yield ((i, j), *chosen)


def _expand(chosen: Sequence[tuple[int, ...]]) -> Polynomial:
    total: Polynomial = {(): Fraction(1)}
    for factor in chosen:
        total = _multiply(total, _factor(factor))
    return total


def _factor(vectors: tuple[int, ...]) -> Polynomial:
    """An inner or triple product as a polynomial of components."""
    if len(vectors) == 2:
        i, j = vectors
        return {_power(3 * i + a, 3 * j + a): Fraction(1) for a in range(3)}
    i, j, k = vectors
    turns = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    even = {_power(3 * i + a, 3 * j + b, 3 * k + c): Fraction(1) for a, b, c in turns}
    return even | {_power(3 * i + b, 3 * j + a, 3 * k + c): Fraction(-1) for a, b, c in turns}


def _power(*places: int) -> Exponents:
    return tuple(sorted((place, places.count(place)) for place in set(places)))


def _multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for m, x in a.items():
        for n, y in b.items():
            key = merge(m, n)
            result[key] = result.get(key, Fraction(0)) + x * y
    return {key: x for key, x in result.items() if x}


def _solve_weights(candidates: Sequence[Polynomial], wanted: Polynomial) -> list[Fraction]:
    """Weights of candidates whose sum is the polynomial wanted, the first ones if several will do."""
    powers = sorted({p for part in (*candidates, wanted) for p in part})
    rows = [[part.get(p, Fraction(0)) for part in candidates] + [wanted.get(p, Fraction(0))] for p in powers]
    pivots: list[int] = []
    for column in range(len(candidates)):
        done = len(pivots)
        lead = next((r for r in range(done, len(rows)) if rows[r][column]), None)
        if lead is None:
            continue
        rows[done], rows[lead] = rows[lead], rows[done]
        rows[done] = [x / rows[done][column] for x in rows[done]]
        for r, row in enumerate(rows):
            if r != done and row[column]:
                rows[r] = [x - row[column] * y for x, y in zip(row, rows[done], strict=True)]
        pivots.append(column)
    if any(row[-1] for row in rows[len(pivots) :]):
        raise NotInvariantError
    weights = [Fraction(0)] * len(candidates)
    for r, column in enumerate(pivots):
        weights[column] = rows[r][-1]
    return weights


def _number(*places: int) -> str:
    return "".join(str(i + 1) for i in places) if max(places) < 9 else "_".join(str(i + 1) for i in places)
