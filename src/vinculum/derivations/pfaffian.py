"""Pfaffian systems: rows ω of velocities that vanish, the fields of motions they allow, and brackets of these."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.scalars import Scalar, directional, substitute, value

INDEPENDENT = 1e-9


@final
@dataclass(frozen=True, eq=False)
class Pfaffian:
    """Rows ω(x) u = 0 for velocities u with ẋ = E(x) u.

    ``x`` (k,): symbols of the coordinates, ``frame`` E (k, n), ``rows`` ω (m, n), all functions of x. Coordinates may be more than
    velocities (unit quaternions): the fields are tangent to where these live.
    """

    x: np.ndarray
    frame: np.ndarray
    rows: np.ndarray

    def at(self, outputs, place: np.ndarray, known) -> np.ndarray:
        """Functions of x in numbers at a place (k,)."""
        outputs = np.asarray(outputs, dtype=object)
        return np.asarray(value(substitute(outputs, self.x, place), known), dtype=float).reshape(outputs.shape)


def pivots_of(rows: np.ndarray) -> list[tuple[int, int]]:
    """Row and column of every step of an elimination with full pivoting, (m, n) numbers; as many as the rank."""
    left, pivots = rows.astype(float), []
    size = np.abs(left).max(initial=0.0)
    for _ in range(min(left.shape)):
        i, j = np.unravel_index(np.argmax(np.abs(left)), left.shape)
        if not np.abs(left[i, j]) > INDEPENDENT * max(size, np.finfo(float).tiny):
            break
        pivots.append((int(i), int(j)))
        left = left - np.outer(left[:, j] / left[i, j], left[i])
        left[i], left[:, j] = 0.0, 0.0
    return pivots


def allowed(rows, pivots: list[tuple[int, int]]) -> list[np.ndarray]:
    """Velocities (n,) with ω u = 0, one for every column without a pivot, as functions of x around the place of the pivots."""
    n = rows.shape[1]
    left = np.array(rows, dtype=object)
    for i, j in pivots:
        left[i] = [entry / left[i, j] for entry in left[i]]
        for k, _ in pivots:
            if k != i:
                left[k] = left[k] - left[k, j] * left[i]
    taken = {j: i for i, j in pivots}
    fields = []
    for column in (j for j in range(n) if j not in taken):
        u = np.zeros(n, dtype=object)
        u[column] = 1.0
        for j, i in taken.items():
            u[j] = -left[i, column]
        fields.append(u)
    return fields


def bracket(x: np.ndarray, X, Y) -> np.ndarray:
    """Lie bracket [X, Y] = (∂Y/∂x) X − (∂X/∂x) Y of two fields (k,)."""
    return directional(Y, x, X) - directional(X, x, Y)


def rank_of(vectors: np.ndarray) -> int:
    """How many of the vectors (count, k) are independent, each measured by its own length."""
    lengths = np.linalg.norm(vectors, axis=1)
    kept = vectors[lengths > INDEPENDENT]
    if not len(kept):
        return 0
    s = np.linalg.svd(kept / np.linalg.norm(kept, axis=1)[:, None], compute_uv=False)
    return int(np.sum(s > 1e-7 * s[0]))


def closure_of(system: Pfaffian, fields: list[np.ndarray], place, known, deepest: int) -> tuple[list[int], np.ndarray]:
    r"""Dimensions spanned by the fields and their iterated brackets, and a basis (d, k) of all of them, at a place.

    .. math:: \Delta_1 = \ker\omega,\qquad \Delta_{k+1} = \Delta_k + [\Delta_1, \Delta_k]

    Brackets that add no dimension are followed no further, so the place should be an ordinary one. Chow and Rashevskii: where the
    brackets span everything, every place can be reached.
    """
    generators = [system.frame @ u for u in fields]
    basis = np.array([system.at(X, place, known) for X in generators]).reshape(len(generators), len(system.x))
    growth, newest = [len(generators)], generators
    for _ in range(deepest - 1):
        fresh = []
        for i, X in enumerate(generators):
            for j, Y in enumerate(newest):
                if newest is generators and j <= i:
                    continue
                Z = bracket(system.x, X, Y)
                if not any(isinstance(entry, Scalar) or entry != 0.0 for entry in Z):
                    continue
                tried = np.concatenate([basis, system.at(Z, place, known)[None]])
                if rank_of(tried) > len(basis):
                    basis = tried
                    fresh.append(Z)
        if not fresh:
            break
        growth.append(len(basis))
        newest = fresh
    return growth, basis


def curls(system: Pfaffian, place, known) -> np.ndarray:
    r"""dω of every row at a place, (m, n, n), on the velocities' frame.

    .. math:: d\omega(E_i, E_j) = E_i(\omega_j) - E_j(\omega_i) - \omega([E_i, E_j])
    """
    n = system.frame.shape[1]
    E = system.at(system.frame, place, known)
    rows = system.at(system.rows, place, known)
    slopes = [system.at(directional(system.rows, system.x, system.frame[:, i]), place, known) for i in range(n)]
    found = np.zeros((len(rows), n, n))
    for i in range(n):
        for j in range(i):
            Z = system.at(bracket(system.x, system.frame[:, i], system.frame[:, j]), place, known)
            c = np.linalg.lstsq(E, Z, rcond=None)[0]
            found[:, i, j] = slopes[i][:, j] - slopes[j][:, i] - rows @ c
            found[:, j, i] = -found[:, i, j]
    return found
