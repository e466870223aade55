r"""Damping of blocks that deform: what the forces of a step add to a change of velocities in it.

The forces of a step depend on the velocities after it, so that impulses P change these by

.. math:: \bigl(1 - \tfrac h2 A\bigr)^{-1} M^{-1} H^T P,\qquad A = \partial\dot v/\partial v

If the rows of contacts have this in place of M⁻¹Hᵀ, impulses and forces are found together and not in turn. A is symmetric in the metric M,
as it belongs to a dissipation. An A that is not exact takes more rounds, and leads to the same velocities.
"""

from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np


class DampedKind(NamedTuple):
    """Blocks of one kind: the places of their velocities ``v`` (m, nv), and of A and their inverse masses (m, nv, nv)."""

    v: np.ndarray
    rates: slice
    inverse: slice

    @property
    def shape(self) -> tuple[int, int, int]:
        m, nv = self.v.shape
        return m, nv, nv


@final
class Damping:
    """1 − ½ h A of blocks in a step, and its inverse; one until `begin_step`."""

    def __init__(self, kinds: Sequence[DampedKind]):
        self.kinds = tuple(kinds)
        self._factors: list[np.ndarray] = [np.broadcast_to(np.eye(kind.shape[1]), kind.shape) for kind in kinds]
        self._inverses: list[np.ndarray] = list(self._factors)

    def begin_step(self, Z: np.ndarray, h: float) -> None:
        """Take A from the long array, for a step of h [s]. Blocks in which it is not finite have none."""
        for k, kind in enumerate(self.kinds):
            A = Z[kind.rates].reshape(kind.shape)
            A = np.where(np.isfinite(A).all(axis=(1, 2), keepdims=True), A, 0.0)
            self._factors[k] = np.eye(kind.shape[1]) - 0.5 * h * A
            self._inverses[k] = np.linalg.inv(self._factors[k])

    def with_forces(self, change: np.ndarray) -> np.ndarray:
        """A change of velocities (nv,) together with that of the forces it changes."""
        return self._product(self._inverses, change)

    def without_forces(self, change: np.ndarray) -> np.ndarray:
        """The change of velocities (nv,) whose forces make it this one."""
        return self._product(self._factors, change)

    def add_forces(self, inverse: np.ndarray) -> None:
        """Put (1 − ½ h A)⁻¹M⁻¹ in place of the inverse masses."""
        for kind, factor in zip(self.kinds, self._inverses, strict=True):
            inverse[kind.inverse] = (factor @ inverse[kind.inverse].reshape(kind.shape)).ravel()

    def _product(self, factors: Sequence[np.ndarray], change: np.ndarray) -> np.ndarray:
        found = change.copy()
        for kind, factor in zip(self.kinds, factors, strict=True):
            found[kind.v] = np.einsum("mij,mj->mi", factor, change[kind.v])
        return found
