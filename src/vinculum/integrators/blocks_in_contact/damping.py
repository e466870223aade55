r"""Damping of blocks: what the forces of a step add to a change of velocities in it.

The forces of a step depend on the velocities after it, so that impulses P change these by

.. math:: \bigl(1 - \tfrac h2 A\bigr)^{-1} M^{-1} H^T P,\qquad A = \partial\dot v/\partial v

If the rows of contacts have this in place of M⁻¹Hᵀ, impulses and forces are found together and not in turn. A is symmetric in the metric M,
as it belongs to a dissipation. An A that is not exact takes more rounds, and leads to the same velocities.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.blocks.inverses import TILE, invert_tile, multiply_tile
from vinculum.integrators.blocks_in_contact.arrays import Damped
from vinculum.tolerances.steps import LEAST_DAMPING_PIVOT


class DampedKind(NamedTuple):
    """Blocks of one kind: the places of their velocities ``v`` (m, nv), and where A and their inverse masses (m, nv, nv) begin."""

    v: np.ndarray
    rates: int
    inverse: int


def damped_blocks(kinds: Sequence[DampedKind]) -> Damped:
    """The damped blocks of some kinds, in tiles; the damping of no step."""
    none = np.zeros(0, dtype=np.int64)
    count, lanes, places, rates, inverse = [], [], [none], [none], [none]
    for kind in kinds:
        m, n = kind.v.shape
        for first in range(0, m, TILE):
            own = np.minimum(first + np.arange(TILE), m - 1)
            count.append(n)
            lanes.append(min(TILE, m - first))
            places.append(kind.v[own].T.ravel())
            rates.append(kind.rates + n * n * own)
            inverse.append(kind.inverse + n * n * own)
    counts = np.array(count, dtype=np.int64)
    squares = counts * counts
    ones = np.concatenate([np.zeros((0, TILE)), *(np.repeat(np.eye(n).reshape(-1, 1), TILE, axis=1) for n in count)])
    return Damped(
        counts,
        np.array(lanes, dtype=np.int64),
        np.concatenate(places).reshape(-1, TILE),
        np.cumsum(counts) - counts,
        np.concatenate(rates).reshape(-1, TILE),
        np.concatenate(inverse).reshape(-1, TILE),
        np.cumsum(squares) - squares,
        np.zeros(int(counts.sum()), dtype=np.bool_),
        ones,
        ones.copy(),
        np.zeros((2 * int(counts.max(initial=0)) ** 2 + 1, TILE)),
    )


@njit(nogil=True, cache=True, error_model="numpy")
def begin_damping(damped, Z, h):
    """Take A from the long array, for a step of h [s]. Blocks in which it is not finite have none."""
    for g in range(len(damped.count)):
        n, at = damped.count[g], damped.at[g]
        factors, inverses = damped.factors[at : at + n * n], damped.inverses[at : at + n * n]
        for lane in range(TILE):
            rates, size = damped.rates[g, lane], 0.0
            for e in range(n * n):
                size += abs(Z[rates + e])
                factors[e, lane] = -0.5 * h * Z[rates + e]
            for i in range(n):
                factors[n * i + i, lane] += 1.0
            if not np.isfinite(size):
                for i in range(n):
                    for j in range(n):
                        factors[n * i + j, lane] = 1.0 if i == j else 0.0
        active = damped.active[damped.begins[g] : damped.begins[g] + n]
        for j in range(n):
            active[j] = False
            for i in range(n):
                one = 1.0 if i == j else 0.0
                factor, entry = factors[n * i + j], inverses[n * i + j]
                for lane in range(len(entry)):
                    entry[lane] = factor[lane]
                    active[j] |= factor[lane] != one
        if invert_tile(n, active, inverses, LEAST_DAMPING_PIVOT, damped.room) >= 0:
            for lane in range(TILE):
                _invert(n, lane, factors, inverses)


@njit(nogil=True, cache=True, error_model="numpy")
def _invert(n, lane, factors, inverses):
    """Write the inverse of the matrix (n n,) of a lane, by elimination with pivots."""
    A, inverse = factors[:, lane].copy(), np.eye(n).ravel()
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[n * i + k]) > abs(A[n * best + k]):
                best = i
        if best != k:
            for j in range(n):
                A[n * k + j], A[n * best + j] = A[n * best + j], A[n * k + j]
                inverse[n * k + j], inverse[n * best + j] = inverse[n * best + j], inverse[n * k + j]
        scale = 1.0 / A[n * k + k]
        for j in range(n):
            A[n * k + j] *= scale
            inverse[n * k + j] *= scale
        for i in range(n):
            share = A[n * i + k]
            if i != k and share != 0.0:
                for j in range(n):
                    A[n * i + j] -= share * A[n * k + j]
                    inverse[n * i + j] -= share * inverse[n * k + j]
    for e in range(n * n):
        inverses[e, lane] = inverse[e]


@njit(nogil=True, cache=True, error_model="numpy")
def multiply(damped, matrices, x):
    """Multiply the velocities x (nv,) of damped blocks by their ``matrices``, in place."""
    for g in range(len(damped.count)):
        n, first, at = damped.count[g], damped.begins[g], damped.at[g]
        places, active = damped.places[first : first + n], damped.active[first : first + n]
        own, found = damped.room[:n], damped.room[n : 2 * n]
        for i in range(n):
            for lane in range(TILE):
                own[i, lane] = x[places[i, lane]]
        multiply_tile(n, 1, active, matrices[at : at + n * n], own, found)
        for i in range(n):
            for lane in range(TILE):
                x[places[i, lane]] = found[i, lane]


@njit(nogil=True, cache=True, error_model="numpy")
def add_forces(damped, inverse):
    """Put (1 − ½ h A)⁻¹M⁻¹ in place of the inverse masses, by columns."""
    for g in range(len(damped.count)):
        n, lanes, at = damped.count[g], damped.lanes[g], damped.at[g]
        square, active = n * n, damped.active[damped.begins[g] : damped.begins[g] + n]
        own, found = damped.room[:square], damped.room[square : 2 * square]
        for lane in range(TILE):
            begin = damped.inverse[g, lane]
            for e in range(square):
                own[e, lane] = inverse[begin + e]
        multiply_tile(n, n, active, damped.inverses[at : at + square], own, found)
        for lane in range(lanes):
            begin = damped.inverse[g, lane]
            for i in range(n):
                for j in range(n):
                    inverse[begin + n * j + i] = found[n * i + j, lane]
