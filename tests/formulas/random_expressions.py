"""Random smooth expressions that SymPy and `vc.math` write alike."""

import numpy as np
import sympy as sp


class Expression:
    """A sum of random sines, cosines, exponentials, monomials and fractions of n variables."""

    def __init__(self, rng, n: int, terms: int = 3, size: float = 1.0):
        self.terms = [
            (int(rng.integers(5)), rng.uniform(-1, 1, n).round(2).tolist(), *rng.uniform(-1, 1, 2).round(3).tolist(),
             rng.integers(0, 3, n).tolist()) for _ in range(terms)
        ]  # fmt: skip
        self.size = size

    def __call__(self, math, q):
        """Its value; ``math``: `sympy` or `vc.math`."""
        total = 0.0
        for kind, slopes, shift, factor, powers in self.terms:
            inner = shift + sum(a * x for a, x in zip(slopes, q, strict=True))
            if kind == 3:
                made = np.prod([x**k for x, k in zip(q, powers, strict=True)])
            elif kind == 4:
                made = 1.0 / (2.0 + inner**2)
            else:
                made = (math.sin, math.cos, math.exp)[kind](inner)
            total = total + self.size * factor * made
        return total


class Field:
    """An array of random expressions, of a shape (n, …, n)."""

    def __init__(self, expressions: list[Expression], shape: tuple[int, ...]):
        self.expressions, self.shape = expressions, shape

    def __call__(self, math, q) -> np.ndarray:
        found = np.empty(len(self.expressions), dtype=object)
        found[:] = [one(math, q) for one in self.expressions]
        return found.reshape(self.shape)

    def numbers(self, symbols, q) -> tuple[np.ndarray, np.ndarray]:
        """Its values, and its derivatives with the derivative last, by SymPy."""
        values = [sp.sympify(one(sp, symbols)) for one in self.expressions]
        first, second = sp.lambdify(symbols, [values, [[x.diff(a) for a in symbols] for x in values]])(*q)
        return np.array(first, float).reshape(self.shape), np.array(second, float).reshape(*self.shape, len(symbols))


def field(rng, n: int, rank: int) -> Field:
    """A field of a rank with random components."""
    return Field([Expression(rng, n, 2) for _ in range(n**rank)], (n,) * rank)
