"""The operator in weak form: integrals of a metric and a potential against the functions of a tensor basis."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.geometry.quantum.bases import Basis
from vinculum.tolerances.quantum import ORTHOGONAL
from vinculum.tolerances.sizes import NUMBERS_AT_ONCE


@final
@dataclass(frozen=True)
class Coefficients:
    """At places: √g (Q,), g^ij (Q, n, n) and V (Q,)."""

    volume: np.ndarray
    inverse: np.ndarray
    potential: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class TensorForm:
    r"""Products of basis functions, and their matrices.

    .. math:: S_{AB} = \int\sqrt g\,g^{ij}\,\partial_i\phi_A\,\partial_j\phi_B,\qquad M_{AB} = \int\sqrt g\,\phi_A\phi_B,\qquad
              U_{AB} = \int\sqrt g\,V\phi_A\phi_B

    Gołubowska (38)–(40). ``coefficients``: a function of places (Q, n).
    """

    bases: tuple[Basis, ...]
    coefficients: Callable[[np.ndarray], Coefficients]

    @property
    def unknowns(self) -> int:
        return int(np.prod([basis.size for basis in self.bases]))

    @cached_property
    def nodes(self) -> tuple[np.ndarray, np.ndarray]:
        """Places (Q, n) and weights (Q,) of integrals over the coordinates."""
        n = sum(len(basis.places) for basis in self.bases)
        grids = [basis.nodes() for basis in self.bases]
        counts = [len(w) for _, w in grids]
        places, weights = np.empty((*counts, n)), np.ones(counts)
        for k, (basis, (x, w)) in enumerate(zip(self.bases, grids, strict=True)):
            shape = [1] * len(counts)
            shape[k] = counts[k]
            weights = weights * w.reshape(shape)
            for column, i in enumerate(basis.places):
                places[..., i] = x[:, column].reshape(shape)
        return places.reshape(-1, n), weights.ravel()

    @cached_property
    def at_nodes(self) -> Coefficients:
        return self.coefficients(self.nodes[0])

    def matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """S, M and U (N, N)."""
        known, weights = self.at_nodes, self.nodes[1] * self.at_nodes.volume
        n = known.inverse.shape[1]
        mass = self._integrals(weights, None, None)
        potential = self._integrals(weights * known.potential, None, None)
        stiffness = np.zeros_like(mass)
        for i in range(n):
            for j in range(i + 1):
                weighted = weights * known.inverse[:, i, j]
                sizes = np.sqrt(known.inverse[:, i, i] * known.inverse[:, j, j])
                if np.any(np.abs(known.inverse[:, i, j]) > ORTHOGONAL * sizes):
                    part = self._integrals(weighted, i, j)
                    stiffness += part if i == j else part + part.T
        stiffness, mass, potential = (0.5 * (x + x.T) for x in (stiffness, mass, potential))
        return stiffness, mass, potential

    def _integrals(self, weights: np.ndarray, i: int | None, j: int | None) -> np.ndarray:
        """∫ w φ_A,i φ_B,j (N, N); no derivative where an index is None. Factors are summed one by one, the largest last."""
        counts = [len(basis.nodes()[1]) for basis in self.bases]
        order = np.argsort([basis.size for basis in self.bases], kind="stable").tolist()
        X = np.transpose(weights.reshape(counts), order)[None]
        for k in order[:-1]:
            left, right = self._tables(k, i), self._tables(k, j)
            pairs = (left[:, :, None] * right[:, None, :]).reshape(len(left), -1)
            X = np.tensordot(X, pairs, axes=([1], [0]))  # (pairs so far, nodes left …, pairs)
            X = np.moveaxis(X, -1, 1).reshape(-1, *X.shape[1:-1])
        left, right = self._tables(order[-1], i), self._tables(order[-1], j)
        found = _last_sums(X, left, right)
        shape = [self.bases[k].size for k in order[:-1] for _ in range(2)] + [left.shape[1], right.shape[1]]
        where = {k: 2 * place for place, k in enumerate(order)}
        axes = [where[k] for k in range(len(order))] + [where[k] + 1 for k in range(len(order))]
        return np.transpose(found.reshape(shape), axes).reshape(self.unknowns, self.unknowns)

    def _tables(self, k: int, derivative: int | None) -> np.ndarray:
        """Functions of a factor at its nodes, differentiated by a coordinate where it is one of its own."""
        own, tables = self.bases[k].places, self._values[k]
        return tables[1 + own.index(derivative)] if derivative in own else tables[0]

    @cached_property
    def _values(self) -> list[list[np.ndarray]]:
        return [basis.values(basis.nodes()[0]) for basis in self.bases]

    def functions(self, q: np.ndarray) -> np.ndarray:
        """All functions (B, N) at places (B, n)."""
        return _products([basis.values(q[:, list(basis.places)])[0] for basis in self.bases])

    def project(self, psi: np.ndarray) -> np.ndarray:
        """∫ √g φ_A Ψ (N,) of values at the nodes (Q,)."""
        counts = [len(w) for w in (basis.nodes()[1] for basis in self.bases)]
        X = (self.nodes[1] * self.at_nodes.volume * psi).reshape(counts)
        for k in range(len(counts)):
            X = np.moveaxis(np.tensordot(X, self._values[k][0], axes=([k], [0])), -1, k)
        return X.ravel()

    def at_all_nodes(self, c: np.ndarray) -> np.ndarray:
        """Values (Q,) at the nodes of a combination c (N,) of the functions."""
        X = c.reshape([basis.size for basis in self.bases])
        for k in range(len(self.bases)):
            X = np.moveaxis(np.tensordot(X, self._values[k][0], axes=([k], [1])), -1, k)
        return X.ravel()


def _last_sums(X: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Σ_q X_pq l_qa r_qb (P, A, B), as few products of large matrices."""
    rows, size = len(X), left.shape[1]
    if rows < size:
        return np.stack([left.T @ (row[:, None] * right) for row in X])
    found, chunk = np.empty((rows, size, right.shape[1])), max(1, NUMBERS_AT_ONCE // right.size)
    for a in range(0, size, chunk):
        pairs = (left[:, a : a + chunk, None] * right[:, None, :]).reshape(len(left), -1)
        found[:, a : a + chunk] = (X @ pairs).reshape(rows, -1, right.shape[1])
    return found


def _products(tables: Sequence[np.ndarray]) -> np.ndarray:
    found = tables[0]
    for table in tables[1:]:
        found = (found[:, :, None] * table[:, None, :]).reshape(len(found), -1)
    return found
