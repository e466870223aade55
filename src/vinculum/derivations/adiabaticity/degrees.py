"""The degree with which a row is homogeneous in velocities, where that is proved."""

import time
from fractions import Fraction

import numpy as np

from vinculum.derivations.printing.canonical import Algebra, TooLongError
from vinculum.scalars import Scalar, jacobian
from vinculum.scalars.homogeneity import degree
from vinculum.tolerances.time import SECONDS_FOR_ADIABATICITY

DEGREES = [Fraction(n, 2) for n in range(-8, 17)]


def degree_of(F: Scalar, moving: np.ndarray) -> Fraction | None:
    """The degree of F in the velocities ``moving``, from its operations or in exact arithmetic; None where neither shows it."""
    found = degree(F, moving)
    return found if found is not None else _euler(F, moving)


def _euler(F: Scalar, moving: np.ndarray) -> Fraction | None:
    """The degree k for which v·∂F/∂v − k F vanishes in exact arithmetic."""
    virial = np.asarray(jacobian(np.array([F], dtype=object), moving), dtype=object)[0] @ moving
    try:
        algebra = Algebra(time.monotonic() + SECONDS_FOR_ADIABATICITY)
        W, own = (dict(x) for x in algebra.sums(np.array([virial, F], dtype=object)))
        for k in DEGREES:
            left = {key: tuple(a - k * b for a, b in zip(W.get(key, (0, 0)), own.get(key, (0, 0)), strict=True))
                    for key in W.keys() | own.keys()}  # fmt: skip
            if not any(any(c) for c in left.values()):
                return k
    except (TooLongError, ZeroDivisionError, OverflowError):
        return None
    return None
