"""Invariant energies of mass points alone: inner and triple products of relative positions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.derivations.invariance.products_of_vectors import Products
from vinculum.derivations.invariance.reduced_potential import ReducedPotential, numbers_of_shape, text_of, values_at
from vinculum.errors import ModelError
from vinculum.scalars import Scalar, gradient


@final
@dataclass(frozen=True, eq=False)
class OfProducts(ReducedPotential):
    """An invariant energy of mass points alone: a function of the inner products G = r · rᵀ of their positions r (N, 3) relative
    to the pivot, and of the triple products T of these, in the order of ``products.triples``.

    ``energy(G, T)``: G (…, N, N) and T (…, number of triples); T may be left out below three relative positions.
    """

    name: str
    bodies: tuple[str, ...]
    pivot: str
    proven: bool
    graph: Any
    products: Products

    @property
    def letters(self) -> dict[str, tuple[Scalar, str, str]]:
        others = [name for name in self.bodies if name != self.pivot]
        texts = [rf"\mathbf r_{{{text_of(name)}}}" for name in others]
        found = {}
        for (i, j), symbol in zip(self.products.pairs, self.products.inner, strict=True):
            found[symbol.args[0]] = (symbol, rf"({texts[i]}\cdot {texts[j]})", f"r_{others[i]} · r_{others[j]}")
        for (i, j, k), symbol in zip(self.products.triples, self.products.triple, strict=True):
            found[symbol.args[0]] = (symbol, rf"[{texts[i]},{texts[j]},{texts[k]}]",
                                     f"[r_{others[i]}, r_{others[j]}, r_{others[k]}]")  # fmt: skip
        return {plain: (s, text, f"{meaning}, with r the position relative to '{self.pivot}'")
                for plain, (s, text, meaning) in found.items()}  # fmt: skip

    def invariants(self, x, Q=None) -> tuple[np.ndarray, np.ndarray]:
        r = self._relative(x)
        T = [
            np.einsum("...i,...i->...", r[..., i, :], np.cross(r[..., j, :], r[..., k, :]))
            for i, j, k in self.products.triples
        ]
        return r @ np.swapaxes(r, -1, -2), np.stack([*T, np.zeros(r.shape[:-2])], axis=-1)[..., :-1]

    def energy(self, first, second=None, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        n, count = self.products.count, len(self.products.triples)
        G = numbers_of_shape("G", first, (n, n))
        if second is None and count:
            raise ModelError(f"potential '{self.name}': give the triple products T (…, {count}) as well")
        T = np.zeros((*G.shape[:-2], 0)) if second is None else numbers_of_shape("T", second, (count,))
        return values_at([self.graph], self._columns(G, T), parameters, G.shape[:-2])[..., 0]

    def efforts(self, x, Q=None, parameters: Mapping[str, float] | None = None) -> tuple[np.ndarray, np.ndarray]:
        r"""Forces on all points in order, and moments, which vanish.

        .. math:: F_\Delta = -\sum_\Gamma (1 + \delta_{\Delta\Gamma})\frac{\partial\hat U}{\partial G_{\Delta\Gamma}} r_\Gamma
                  - \sum\frac{\partial\hat U}{\partial T_{\Delta\Gamma\Lambda}}\,r_\Gamma\times r_\Lambda,\qquad F_p = -\sum F_\Delta
        """
        r = self._relative(x)
        G, T = self.invariants(x)
        products = self.products
        letters = np.concatenate([products.inner, products.triple])
        jacobians = values_at(gradient(self.graph, letters), self._columns(G, T), parameters, r.shape[:-2])
        force = np.zeros(r.shape)
        for k, (i, j) in enumerate(products.pairs):
            force[..., i, :] -= jacobians[..., k, None] * r[..., j, :]
            force[..., j, :] -= jacobians[..., k, None] * r[..., i, :]
        for k, (a, b, c) in enumerate(products.triples, len(products.pairs)):
            for i, j, l in ((a, b, c), (b, c, a), (c, a, b)):
                force[..., i, :] -= jacobians[..., k, None] * np.cross(r[..., j, :], r[..., l, :])
        p = self.bodies.index(self.pivot)
        F = np.insert(force, p, -force.sum(axis=-2), axis=-2)
        return F, np.zeros(F.shape)

    def _relative(self, x) -> np.ndarray:
        p = self.bodies.index(self.pivot)
        x = numbers_of_shape("x", x, (len(self.bodies), 3))
        return np.delete(x, p, axis=-2) - x[..., None, p, :]

    def _columns(self, G: np.ndarray, T: np.ndarray) -> dict[int, np.ndarray]:
        pairs = zip(self.products.pairs, self.products.inner, strict=True)
        return {id(s): G[..., i, j] for (i, j), s in pairs} | {
            id(s): T[..., k] for k, s in enumerate(self.products.triple)
        }
