"""Whether graphs vanish identically, shown by exact arithmetic."""

import time
from collections.abc import Sequence

import numpy as np

from vinculum.derivations.canonical import Algebra, TooLongError
from vinculum.scalars import Scalar, substitute, symbols
from vinculum.screws import Euler

SECONDS = 4.0


def is_identically_zero(graphs, rotations: Sequence[np.ndarray] = (), seconds: float = SECONDS) -> bool:
    """Whether exact arithmetic shows that all ``graphs`` vanish for every value of their symbols and parameters.

    ``rotations``: arrays (3, 3) of symbols that stand for rotations. If the graphs do not vanish for all matrices, angles are put
    in their place, so that the columns' lengths and products are known. False says that nothing was shown: a graph may vanish
    by an identity that this arithmetic does not know.
    """
    graphs = np.ravel(np.asarray(graphs, dtype=object))
    if not any(isinstance(x, Scalar) or x != 0.0 for x in graphs):
        return True
    if _vanish(graphs, seconds / 2):
        return True
    turning = [R for R in rotations if R.dtype == object]
    if not turning:
        return False
    angles = [Euler("zxz").matrix(symbols(f"angle {i} ", 3)) for i in range(len(turning))]
    old = np.concatenate([R.ravel() for R in turning])
    return _vanish(substitute(graphs, old, np.concatenate([R.ravel() for R in angles])), seconds / 2)


def _vanish(graphs: np.ndarray, seconds: float) -> bool:
    algebra = Algebra(time.monotonic() + seconds)
    try:
        return not any(algebra.sums(graphs))
    except (TooLongError, ZeroDivisionError, OverflowError):
        return False
