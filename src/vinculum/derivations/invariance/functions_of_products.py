"""An invariant function of vectors as a function of their inner and triple products."""

import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from vinculum.derivations.invariance.products_of_vectors import Exponents, NotInvariantError, Polynomial, Products
from vinculum.derivations.printing.canonical import Algebra, TooLongError
from vinculum.derivations.printing.sums import Monomial, Sum, negative, sum_key
from vinculum.scalars import Value, substitute
from vinculum.scalars import math as m
from vinculum.scalars.graph import nodes
from vinculum.scalars.math import SYMBOLIC
from vinculum.tolerances.time import SECONDS_FOR_PRODUCTS


def function_of_products(function, vectors: np.ndarray, products: Products) -> Value:
    """A graph over the components of ``vectors`` (N, 3), which no rotation changes, as a graph over their products.

    Polynomials inside it are written in the products exactly. Where that cannot be done, vectors with the given products are put
    in their place (`vectors_of`), which is right but reads badly.
    """
    rewriting = _Rewriting(Algebra(time.monotonic() + SECONDS_FOR_PRODUCTS), vectors, products)
    for node in nodes([function]):
        if node.op == "table":
            rewriting.operations[f"table {node.args[0].name} {node.args[0].digest}"] = node.args[0].at
    try:
        return rewriting.graph(rewriting.algebra.sums(np.array([function, 0.0], dtype=object))[0])
    except (TooLongError, NotInvariantError, ZeroDivisionError, OverflowError):
        return substitute(np.array([function, 0.0], dtype=object), vectors, vectors_of(products))[0]


def vectors_of(products: Products) -> np.ndarray:
    r"""Vectors (N, 3) with the given products, the first along x and the second in the plane of x and y.

    .. math:: r_1 = (\sqrt{G_{11}}, 0, 0),\quad r_2 = \Big(\frac{G_{12}}{\sqrt{G_{11}}}, h, 0\Big),\quad
              r_k = \Big(\frac{G_{1k}}{\sqrt{G_{11}}}, \frac{G_{2k} - G_{12} G_{1k}/G_{11}}{h}, \frac{T_{12k}}{\sqrt{G_{11}}\,h}\Big)

    with h² = G₂₂ − G₁₂²/G₁₁. The first two vectors may not lie on one line.
    """
    G, found = products.gram(), []
    triple = dict(zip(products.triples, products.triple, strict=True))
    length = m.sqrt(G[0, 0]) if products.count else 1.0
    height = m.sqrt(G[1, 1] - G[0, 1] * G[0, 1] / G[0, 0]) if products.count > 1 else 1.0
    for k in range(products.count):
        along = length if k == 0 else G[0, k] / length
        across = 0.0 if k == 0 else height if k == 1 else (G[1, k] - G[0, 1] * G[0, k] / G[0, 0]) / height
        found.append([along, across, triple[0, 1, k] / (length * height) if k > 1 else 0.0])
    return np.array(found, dtype=object).reshape(-1, 3)


class _Rewriting:
    """Sums of an algebra as graphs over products; what is no polynomial is opened and written anew."""

    def __init__(self, algebra: Algebra, vectors: np.ndarray, products: Products):
        self.algebra = algebra
        self.products = products
        flat = vectors.ravel()
        for letter in flat:
            algebra.leaf(letter)
        self.places = {algebra.numbers["leaf", id(letter)]: n for n, letter in enumerate(flat)}
        self.known: dict[tuple, Value] = {}
        self.operations: dict[str, Callable] = dict(SYMBOLIC)

    def graph(self, total: Sum) -> Value:
        key = sum_key(total)
        if key not in self.known:
            self.known[key] = self._sum(total)
        return self.known[key]

    def _sum(self, total: Sum) -> Value:
        groups: dict[tuple, tuple[Polynomial, Polynomial]] = {}
        for (monomial, harmonic), (x, y) in total.items():
            own = tuple(part for part in monomial if part[0] in self.places)
            if any(e < 0 for _, e in own):
                raise NotInvariantError
            rest = tuple(part for part in monomial if part[0] not in self.places)
            forward = max(harmonic, negative(harmonic))
            real, imaginary = groups.setdefault((rest, forward), ({}, {}))
            powers = self._powers(own)
            real[powers] = real.get(powers, Fraction(0)) + x
            imaginary[powers] = imaginary.get(powers, Fraction(0)) + (y if harmonic == forward else -y)
        result: Value = 0.0
        for (rest, harmonic), (real, imaginary) in groups.items():
            term = self.products.write(_without_zeros(real))
            if harmonic:
                angle = self.graph({(mono, ()): (x, Fraction(0)) for mono, x in harmonic})
                odd = self.products.write(_without_zeros(imaginary))
                term = term * m.cos(angle) - odd * m.sin(angle)
            result = result + self._product(rest) * term
        return result

    def _powers(self, own: Monomial) -> Exponents:
        return tuple(sorted((self.places[n], e) for n, e in own))

    def _product(self, rest: Monomial) -> Value:
        result: Value = 1.0
        for n, e in rest:
            op, *args = self.algebra.atoms[n]
            if op == "leaf":
                base = self.algebra.leaves[self.algebra.atoms[n]]
            elif op == "inverse":
                base, e = self.graph(dict(args[0])), -e
            else:
                base = self.operations[op](*(self.graph(dict(a)) for a in args))
            result = result * m.pow(base, float(e)) if e > 0 else result / m.pow(base, float(-e))
        return result


def _without_zeros(polynomial: Polynomial) -> Polynomial:
    return {powers: x for powers, x in polynomial.items() if x}
