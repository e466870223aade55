"""Invariant energies with a rigid pivot: positions and rotations relative to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.derivations.invariance.reduced_potential import (
    ReducedPotential,
    numbers_of_shape,
    plain_name,
    text_of,
    values_at,
)
from vinculum.errors import ModelError
from vinculum.scalars import Scalar, gradient
from vinculum.screws import rotation_gradient


@final
@dataclass(frozen=True, eq=False)
class SeenFromBody(ReducedPotential):
    r"""An invariant energy Û(y_Δ, Y_Δ) of positions and rotations seen from a pivot that turns.

    .. math:: y_\Delta = Q_p^T (x_\Delta - x_p),\qquad Y_\Delta = Q_p^T Q_\Delta

    ``energy(y, Y)``: y (…, N, 3) and Y (…, N, 3, 3) of the bodies but the pivot, in order. What stands for the rotation of a mass
    point does not matter, and Y and Q may be left out where there are only mass points besides the pivot.
    """

    name: str
    bodies: tuple[str, ...]
    pivot: str
    proven: bool
    graph: Any
    y: np.ndarray
    Y: tuple[np.ndarray, ...]

    @property
    def letters(self) -> dict[str, tuple[Scalar, str, str]]:
        found = {}
        for name, y, Y in zip(self._others, self.y, self.Y, strict=True):
            plain, text = plain_name(name), text_of(name)
            for i in range(3):
                found[f"y_{plain}{i + 1}"] = (y[i], rf"y_{{{text},{i + 1}}}",
                                              f"component {i + 1} of the position of '{name}' seen from '{self.pivot}'")  # fmt: skip
            for i, j in np.ndindex(3, 3):
                if Y.dtype == object:
                    found[f"Y_{plain}{i + 1}{j + 1}"] = (Y[i, j], rf"Y_{{{text},{i + 1}{j + 1}}}",
                                                         f"entry {i + 1}{j + 1} of the rotation of '{name}' seen from "
                                                         f"'{self.pivot}'")  # fmt: skip
        return found

    @property
    def _others(self) -> list[str]:
        return [name for name in self.bodies if name != self.pivot]

    def invariants(self, x, Q=None) -> tuple[np.ndarray, np.ndarray]:
        x, Q = self._places(x, Q)
        p, others = self._split()
        R = np.swapaxes(Q[..., p, :, :], -1, -2)
        y = np.einsum("...ij,...nj->...ni", R, x[..., others, :] - x[..., None, p, :])
        return y, np.einsum("...ij,...njk->...nik", R, Q[..., others, :, :])

    def energy(self, first, second=None, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        y = numbers_of_shape("y", first, (len(self.y), 3))
        Y = (
            np.broadcast_to(np.eye(3), (*y.shape, 3))
            if second is None
            else numbers_of_shape("Y", second, (len(self.y), 3, 3))
        )
        self._check_turns(second, "Y")
        return values_at([self.graph], self._columns(y, Y), parameters, y.shape[:-2])[..., 0]

    def efforts(self, x, Q=None, parameters: Mapping[str, float] | None = None) -> tuple[np.ndarray, np.ndarray]:
        r"""Forces and moments on all bodies, in order.

        .. math:: F_\Delta = -f_\Delta,\quad M_\Delta = -m_\Delta,\quad F_p = \sum f_\Delta,\quad
                  M_p = \sum (r_\Delta\times f_\Delta + m_\Delta),\qquad f_\Delta = Q_p\,\partial\hat U/\partial y_\Delta,\quad
                  m_\Delta = Q_p\,\hat u_{Y_\Delta}

        O'Reilly and Srinivasa, (23) with μ = 0.
        """
        x, Q = self._places(x, Q)
        y, Y = self.invariants(x, Q)
        p, others = self._split()
        jacobians = gradient(self.graph, self.y)
        turns = [rotation_gradient(gradient(self.graph, R), R) if R.dtype == object else np.zeros(3) for R in self.Y]
        both = values_at(
            np.concatenate([jacobians, np.array(turns, dtype=object).reshape(-1, 3)]),
            self._columns(y, Y),
            parameters,
            x.shape[:-2],
        )
        f, m = (np.einsum("...ij,...nj->...ni", Q[..., p, :, :], part) for part in np.split(both, 2, axis=-2))
        r = x[..., others, :] - x[..., None, p, :]
        F, M = np.zeros(x.shape), np.zeros(x.shape)
        F[..., others, :], M[..., others, :] = -f, -m
        F[..., p, :] = f.sum(axis=-2)
        M[..., p, :] = (np.cross(r, f) + m).sum(axis=-2)
        return F, M

    def _split(self) -> tuple[int, list[int]]:
        p = self.bodies.index(self.pivot)
        return p, [i for i in range(len(self.bodies)) if i != p]

    def _places(self, x, Q) -> tuple[np.ndarray, np.ndarray]:
        n = len(self.bodies)
        x = numbers_of_shape("x", x, (n, 3))
        if Q is None:
            raise ModelError(
                f"potential '{self.name}': its bodies turn, so give their rotations Q (…, {n}, 3, 3) as well"
            )
        return x, np.broadcast_to(numbers_of_shape("Q", Q, (n, 3, 3)), (*x.shape, 3))

    def _check_turns(self, second, what: str) -> None:
        if second is None and any(R.dtype == object for R in self.Y):
            raise ModelError(
                f"potential '{self.name}': some of its bodies turn, so give {what} (…, {len(self.y)}, 3, 3) as well"
            )

    def _columns(self, y: np.ndarray, Y: np.ndarray) -> dict[int, np.ndarray]:
        found = {id(letter): y[..., i, k] for i, row in enumerate(self.y) for k, letter in enumerate(row)}
        for i, R in enumerate(self.Y):
            if R.dtype == object:
                found |= {id(R[j, k]): Y[..., i, j, k] for j, k in np.ndindex(3, 3)}
        return found
