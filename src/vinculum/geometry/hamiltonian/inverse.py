"""Velocities from momenta by Newton's method, written out as a graph."""

import numpy as np

from vinculum.scalars import ldl_solve, substitute
from vinculum.scalars import math as m
from vinculum.tolerances.iterations import (
    LEGENDRE_ENOUGH,
    LEGENDRE_SHIFT,
    LEGENDRE_STARTS,
    LEGENDRE_WRITTEN_LENGTHS,
    LEGENDRE_WRITTEN_ROUNDS,
)


def newton_inverse(gap: np.ndarray, hessian: np.ndarray, w: np.ndarray) -> np.ndarray:
    """w (m,) at which ``gap`` (m,) vanishes, with −∂gap/∂w = ``hessian``; not a number where it is not found.

    It starts at zero, and where no root is reached from there, at the best of several other places. A step is shortened until the gap
    decreases.
    """
    zero = np.zeros(len(w), dtype=object)
    first = substitute(gap, w, zero)
    other, *more = _starts(first)
    left = substitute(gap, w, other)
    for trial in more:
        own = substitute(gap, w, trial)
        better = _size(own) < _size(left)
        other, left = _choose(better, trial, other), _choose(better, own, left)
    enough = LEGENDRE_ENOUGH * m.maximum(1.0, _size(first))
    near, error = _descend(gap, hessian, w, zero, first)
    far, error_far = _descend(gap, hessian, w, other, left)
    found = _choose(_size(error_far) <= enough, far, np.full(len(w), np.nan))
    # zero itself may be near enough without being the root
    moved = _choose(_size(error) < _size(first), near, _choose(_size(error_far) <= enough, far, near))
    return _choose(_size(error) <= enough, moved, found)


def _descend(gap: np.ndarray, hessian: np.ndarray, w: np.ndarray, at: np.ndarray, error: np.ndarray):
    """A place with a least gap, and the gap there, after all steps."""
    for _ in range(LEGENDRE_WRITTEN_ROUNDS):
        at, error = _step(gap, hessian, w, at, error)
    return at, error


def _step(gap: np.ndarray, hessian: np.ndarray, w: np.ndarray, at: np.ndarray, error: np.ndarray):
    """One step, of the length with the least gap; the place itself where none is less."""
    H = substitute(hessian, w, at)
    step = ldl_solve(H + LEGENDRE_SHIFT * _size(H.ravel()) * np.eye(len(w)), error)
    trials = [at + 0.25**k * step for k in range(LEGENDRE_WRITTEN_LENGTHS)]
    errors = [substitute(gap, w, trial) for trial in trials]
    size, best, left = _size(error), at, error
    for trial, own in zip(trials[::-1], errors[::-1], strict=True):
        better = _size(own) < size
        best = _choose(better, trial, best)
        left = _choose(better, own, left)
    return best, left


def _starts(error: np.ndarray) -> list[np.ndarray]:
    """Velocities of several sizes with the signs of momenta, and along them."""
    size = _size(error)
    unit = m.where(size > 0.0, 1.0 / size, 0.0)
    signs = np.array([m.where(x > 0.0, 1.0, m.where(x < 0.0, -1.0, 0.0)) for x in error], dtype=object)
    directions = [signs] if len(error) == 1 else [signs, error * unit]
    return [scale * direction for scale in LEGENDRE_STARTS for direction in directions]


def _size(x: np.ndarray):
    total = m.abs(x[0])
    for one in x[1:]:
        total = m.maximum(total, m.abs(one))
    return total


def _choose(condition, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    made = np.empty(len(a), dtype=object)
    made[:] = [m.where(condition, one, other) for one, other in zip(a, b, strict=True)]
    return made
