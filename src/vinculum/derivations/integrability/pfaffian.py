"""Pfaffian systems: rows ω of velocities that vanish, admissible vector fields, and their brackets."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.derivations.integrability.sampled import Samples
from vinculum.scalars import Along, Scalar, jacobian
from vinculum.tolerances.rank import DEPENDENT_FORMS, INDEPENDENT_FORMS, PIVOT_SERVES


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


@final
class Field:
    """A field X (k,) of functions of x, with what its brackets need of it kept."""

    def __init__(self, x: np.ndarray, X: np.ndarray):
        self.X, self.along, self._jacobians = X, Along(x, X), jacobian(X, x)

    def bracket(self, Y: np.ndarray) -> np.ndarray:
        """Lie bracket [X, Y] = (∂Y/∂x) X − (∂X/∂x) Y with another field (k,)."""
        return self.along.of(Y) - self._jacobians @ Y


def pivots_of(rows: np.ndarray) -> list[tuple[int, int]]:
    """Row and column of every step of an elimination with full pivoting, (m, n) numbers; as many as the rank."""
    left, pivots = rows.astype(float), []
    size = np.abs(left).max(initial=0.0)
    for _ in range(min(left.shape)):
        i, j = np.unravel_index(np.argmax(np.abs(left)), left.shape)
        if not np.abs(left[i, j]) > INDEPENDENT_FORMS * max(size, np.finfo(float).tiny):
            break
        pivots.append((int(i), int(j)))
        left = left - np.outer(left[:, j] / left[i, j], left[i])
        left[i], left[:, j] = 0.0, 0.0
    return pivots


def are_pivots(rows: np.ndarray, pivots: list[tuple[int, int]]) -> bool:
    """Whether the steps of an elimination serve these rows (m, n) too: of their rank, and no divisor is small."""
    left, size = rows.astype(float), np.abs(rows).max(initial=0.0)
    for i, j in pivots:
        if not np.abs(left[i, j]) > PIVOT_SERVES * size:
            return False
        left = left - np.outer(left[:, j] / left[i, j], left[i])
    return len(pivots_of(rows)) == len(pivots)


def allowed_velocities(rows, pivots: list[tuple[int, int]]) -> list[np.ndarray]:
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


def rank_of(vectors: np.ndarray) -> int:
    """How many of the vectors (count, k) are independent, each measured by its own length."""
    lengths = np.linalg.norm(vectors, axis=1)
    kept = vectors[lengths > INDEPENDENT_FORMS]
    if not len(kept):
        return 0
    s = np.linalg.svd(kept / np.linalg.norm(kept, axis=1)[:, None], compute_uv=False)
    return int(np.sum(s > DEPENDENT_FORMS * s[0]))


def closure_of(
    system: Pfaffian, fields: list[np.ndarray], samples: Samples, deepest: int, most: int
) -> list[tuple[list[int], np.ndarray]]:
    r"""Dimensions spanned by the fields and their iterated brackets, and a basis (d, k) of all of them, at every sample.

    .. math:: \Delta_1 = \ker\omega,\qquad \Delta_{k+1} = \Delta_k + [\Delta_1, \Delta_k]

    Brackets that add no dimension anywhere are followed no further, so places should be ordinary ones; at ``most`` dimensions there
    is nothing left to look for. Chow and Rashevskii: where the brackets span everything, every place can be reached.
    """
    generators = [Field(system.x, system.frame @ u) for u in fields]
    bases = [np.zeros((0, len(system.x)))] * samples.count
    if generators:
        bases = list(samples.of(np.array([one.X for one in generators], dtype=object)))
    growth = [[len(generators)] for _ in bases]
    newest = [one.X for one in generators]
    for depth in range(deepest - 1):
        fresh = []
        pairs = [(one, Y) for i, one in enumerate(generators) for j, Y in enumerate(newest) if depth or j > i]
        for one, Y in pairs:
            if all(len(basis) >= most for basis in bases):
                break
            Z = one.bracket(Y)
            if not any(isinstance(entry, Scalar) or entry != 0.0 for entry in Z):
                continue
            wider = [np.concatenate([basis, z[None]]) for basis, z in zip(bases, samples.of(Z), strict=True)]
            opened = [rank_of(rows) > len(basis) for rows, basis in zip(wider, bases, strict=True)]
            bases = [rows if more else basis for rows, basis, more in zip(wider, bases, opened, strict=True)]
            fresh += [Z] * any(opened)
        if not fresh:
            break
        for dimensions, basis in zip(growth, bases, strict=True):
            dimensions.append(len(basis))
        newest = fresh
    return list(zip(growth, bases, strict=True))


def curls(system: Pfaffian, samples: Samples) -> np.ndarray:
    r"""dω of every row at every sample, (S, m, n, n), on the velocities' frame.

    .. math:: d\omega(E_i, E_j) = E_i(\omega_j) - E_j(\omega_i) - \omega([E_i, E_j])
    """
    n, m = system.frame.shape[1], len(system.rows)
    E, rows = samples.of(system.frame), samples.of(system.rows)
    frame = [Field(system.x, system.frame[:, i]) for i in range(n)]
    jacobians = [samples.of(one.along.of(system.rows)) for one in frame]
    found = np.zeros((samples.count, m, n, n))
    for i in range(n):
        for j in range(i):
            Z = samples.of(frame[i].bracket(frame[j].X))
            c = np.stack([np.linalg.lstsq(E_s, z, rcond=None)[0] for E_s, z in zip(E, Z, strict=True)])
            found[:, :, i, j] = jacobians[i][:, :, j] - jacobians[j][:, :, i] - np.einsum("smk,sk->sm", rows, c)
            found[:, :, j, i] = -found[:, :, i, j]
    return found
