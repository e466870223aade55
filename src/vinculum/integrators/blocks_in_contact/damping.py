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
from vinculum.integrators.blocks_in_contact.arrays import Damped


class DampedKind(NamedTuple):
    """Blocks of one kind: the places of their velocities ``v`` (m, nv), and where A and their inverse masses (m, nv, nv) begin."""

    v: np.ndarray
    rates: int
    inverse: int


def damped_blocks(kinds: Sequence[DampedKind]) -> Damped:
    """The damped blocks of some kinds; the damping of no step."""
    counts = [np.full(len(kind.v), kind.v.shape[1]) for kind in kinds]
    none = np.zeros(0, dtype=np.int64)
    count = np.concatenate([none, *counts])
    squares = count * count
    rates, inverse = (
        [one + kind.v.shape[1] ** 2 * np.arange(len(kind.v)) for kind, one in zip(kinds, begins, strict=True)]
        for begins in ([kind.rates for kind in kinds], [kind.inverse for kind in kinds])
    )
    ones = [np.tile(np.eye(kind.v.shape[1]).ravel(), len(kind.v)) for kind in kinds]
    return Damped(
        count,
        np.concatenate([none, *(kind.v.ravel() for kind in kinds)]),
        np.cumsum(count) - count,
        np.concatenate([none, *rates]),
        np.concatenate([none, *inverse]),
        np.cumsum(squares) - squares,
        np.concatenate([np.zeros(0), *ones]),
        np.concatenate([np.zeros(0), *ones]),
    )


@njit(nogil=True, cache=True, error_model="numpy")
def begin_damping(damped, Z, h):
    """Take A from the long array, for a step of h [s]. Blocks in which it is not finite have none."""
    for b in range(len(damped.count)):
        n, rates, at = damped.count[b], damped.rates[b], damped.at[b]
        finite = True
        for e in range(n * n):
            finite = finite and np.isfinite(Z[rates + e])
        for i in range(n):
            for j in range(n):
                e = n * i + j
                one = 1.0 if i == j else 0.0
                damped.factors[at + e] = one - 0.5 * h * Z[rates + e] if finite else one
        _invert(n, damped.factors[at : at + n * n], damped.inverses[at : at + n * n])


@njit(nogil=True, cache=True, error_model="numpy")
def _invert(n, matrix, inverse):
    """Write the inverse of a matrix (n n,), by elimination with pivots."""
    A = matrix.copy()
    for i in range(n):
        for j in range(n):
            inverse[n * i + j] = 1.0 if i == j else 0.0
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


@njit(nogil=True, cache=True, error_model="numpy")
def multiply(damped, matrices, x):
    """Multiply the velocities x (nv,) of damped blocks by their ``matrices``, in place."""
    for b in range(len(damped.count)):
        n, places, at = damped.count[b], damped.begins[b], damped.at[b]
        found = np.zeros(n)
        for i in range(n):
            for j in range(n):
                found[i] += matrices[at + n * i + j] * x[damped.places[places + j]]
        for i in range(n):
            x[damped.places[places + i]] = found[i]


@njit(nogil=True, cache=True, error_model="numpy")
def add_forces(damped, inverse):
    """Put (1 − ½ h A)⁻¹M⁻¹ in place of the inverse masses."""
    for b in range(len(damped.count)):
        n, at, own = damped.count[b], damped.at[b], damped.inverse[b]
        mass = inverse[own : own + n * n].copy()
        for i in range(n):
            for j in range(n):
                s = 0.0
                for k in range(n):
                    s += damped.inverses[at + n * i + k] * mass[n * k + j]
                inverse[own + n * i + j] = s
