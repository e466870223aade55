"""Velocities from momenta by Newton's method, written out as a graph."""

import numpy as np

from vinculum.scalars import ldl_solve, substitute
from vinculum.scalars import math as m
from vinculum.tolerances.iterations import LEGENDRE_ENOUGH, LEGENDRE_WRITTEN_LENGTHS, LEGENDRE_WRITTEN_ROUNDS


def newton_inverse(gap: np.ndarray, hessian: np.ndarray, w: np.ndarray) -> np.ndarray:
    """w (m,) at which ``gap`` (m,) vanishes, with −∂gap/∂w = ``hessian``; not a number where it is not found.

    It starts at zero. A step is shortened until the gap decreases.
    """
    at = np.zeros(len(w), dtype=object)
    error = substitute(gap, w, at)
    for _ in range(LEGENDRE_WRITTEN_ROUNDS):
        step = ldl_solve(substitute(hessian, w, at), error)
        trials = [at + 0.25**k * step for k in range(LEGENDRE_WRITTEN_LENGTHS)]
        errors = [substitute(gap, w, trial) for trial in trials]
        size, best, left = _size(error), at, error
        for trial, own in zip(trials[::-1], errors[::-1], strict=True):
            better = _size(own) < size
            best = _choose(better, trial, best)
            left = _choose(better, own, left)
        at, error = best, left
    found = _size(error) <= LEGENDRE_ENOUGH * m.maximum(1.0, _size(substitute(gap, w, np.zeros(len(w)))))
    return _choose(found, at, np.full(len(w), np.nan))


def _size(x: np.ndarray):
    total = m.abs(x[0])
    for one in x[1:]:
        total = m.maximum(total, m.abs(one))
    return total


def _choose(condition, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    made = np.empty(len(a), dtype=object)
    made[:] = [m.where(condition, one, other) for one, other in zip(a, b, strict=True)]
    return made
