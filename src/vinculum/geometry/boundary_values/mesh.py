"""Meshes: elements of the time, polynomials on them by their values at Lobatto nodes, and Gauss points for integrals."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple, final

import numpy as np


class Rule(NamedTuple):
    """On [0, 1]: Lobatto ``nodes`` (p+1,), Gauss ``points`` and ``weights`` (p,), and there ``values`` and ``slopes`` (p, p+1) of the
    polynomials through the nodes."""

    nodes: np.ndarray
    points: np.ndarray
    weights: np.ndarray
    values: np.ndarray
    slopes: np.ndarray


@cache
def rule(degree: int) -> Rule:
    """Polynomials of a degree: integrals of products of two of them are exact but for the highest coefficient."""
    legendre = np.polynomial.legendre
    inner = legendre.Legendre.basis(degree).deriv().roots()
    nodes = 0.5 * (np.concatenate([[-1.0], np.sort(inner.real), [1.0]]) + 1.0)
    points, weights = legendre.leggauss(degree)
    points, weights = 0.5 * (points + 1.0), 0.5 * weights
    return Rule(nodes, points, weights, *lagrange(nodes, points))


def lagrange(nodes: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values and slopes (len(x), len(nodes)) of the polynomials that are one at one node."""
    legendre = np.polynomial.legendre
    z, at = 2.0 * nodes - 1.0, 2.0 * np.asarray(x) - 1.0
    inverse = np.linalg.inv(legendre.legvander(z, len(nodes) - 1))
    slopes = np.stack([legendre.legval(at, legendre.legder(row)) for row in np.eye(len(nodes))], axis=1)
    return legendre.legvander(at, len(nodes) - 1) @ inverse, 2.0 * slopes @ inverse


@final
@dataclass(frozen=True, eq=False)
class Mesh:
    """``ends`` (K+1,) of elements from 0 to 1, and the ``degree`` of polynomials on each."""

    ends: np.ndarray
    degree: int

    @property
    def count(self) -> int:
        return len(self.ends) - 1

    @cached_property
    def lengths(self) -> np.ndarray:
        return np.diff(self.ends)

    @cached_property
    def nodes(self) -> np.ndarray:
        """All nodes (K p + 1,); the ends of elements once."""
        inner = self.ends[:-1, None] + self.lengths[:, None] * rule(self.degree).nodes[:-1]
        return np.append(inner.ravel(), 1.0)

    @cached_property
    def points(self) -> np.ndarray:
        """All Gauss points (K p,)."""
        return (self.ends[:-1, None] + self.lengths[:, None] * rule(self.degree).points).ravel()

    @cached_property
    def weights(self) -> np.ndarray:
        return (self.lengths[:, None] * rule(self.degree).weights).ravel()

    @cached_property
    def node_weights(self) -> np.ndarray:
        """Weights (K p + 1,) of an integral by values at the nodes."""
        one = rule(self.degree)
        found = np.zeros(self.count * self.degree + 1)
        for k, length in enumerate(self.lengths):
            found[k * self.degree : (k + 1) * self.degree + 1] += length * (one.weights @ one.values)
        return found

    def outward(self, y: np.ndarray, missing: slice) -> np.ndarray:
        """Values at all nodes (K p + 1, n) of those y at a slice of them, with a first or last one continued from its element."""
        found, p = np.empty((self.count * self.degree + 1, y.shape[1])), self.degree
        found[missing] = y
        nodes = rule(p).nodes
        if missing.start:
            found[0] = lagrange(nodes[1:], nodes[:1])[0] @ found[1 : p + 1]
        if missing.stop < len(found):
            found[-1] = lagrange(nodes[:-1], nodes[-1:])[0] @ found[-p - 1 : -1]
        return found

    def matrices(self):
        """Sparse (K p, K p + 1): from values at the nodes to values and slopes at the Gauss points."""
        from scipy.sparse import csc_matrix

        p, one = self.degree, rule(self.degree)
        rows = np.repeat(np.arange(self.count * p), p + 1)
        columns = (np.arange(self.count)[:, None, None] * p + np.arange(p + 1)[None, None, :]).repeat(p, axis=1).ravel()
        values = np.tile(one.values.ravel(), self.count)
        slopes = (one.slopes.ravel()[None] / self.lengths[:, None]).ravel()
        shape = (self.count * p, self.count * p + 1)
        return csc_matrix((values, (rows, columns)), shape), csc_matrix((slopes, (rows, columns)), shape)

    def _elements(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        k = np.clip(np.searchsorted(self.ends, x, side="right") - 1, 0, self.count - 1)
        return k, (x - self.ends[k]) / self.lengths[k]

    def at(self, x: np.ndarray, y: np.ndarray, order: int = 0) -> np.ndarray:
        """Values or slopes (B, n) at x of the polynomials with values y (K p + 1, n) at the nodes."""
        k, inside = self._elements(x)
        tables = lagrange(rule(self.degree).nodes, inside)[order]
        picked = y[k[:, None] * self.degree + np.arange(self.degree + 1)]
        found = np.einsum("bp,bpn->bn", tables, picked)
        return found / self.lengths[k][:, None] if order else found

    def between(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Values (B, n) at x of the polynomials with values y (K p, n) at the Gauss points."""
        k, inside = self._elements(x)
        tables = lagrange(rule(self.degree).points, inside)[0]
        return np.einsum("bp,bpn->bn", tables, y[k[:, None] * self.degree + np.arange(self.degree)])

    def split(self, wanted: np.ndarray) -> "Mesh":
        """The mesh with wanted elements (K,) halved."""
        middles = 0.5 * (self.ends[:-1] + self.ends[1:])[wanted]
        return Mesh(np.sort(np.concatenate([self.ends, middles])), self.degree)
