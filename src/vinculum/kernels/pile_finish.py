"""The last digits of the impulses of a pile, where sweeps do not find them."""

import numpy as np

from vinculum.kernels.pile_interior import interior
from vinculum.kernels.pile_rows import Rows
from vinculum.kernels.pile_settled import settled

MOST = 3000
"""Contacts that press, up to which they are taken together; of more, those around the one that misses its law most."""
ATTEMPTS = ((1.0, 1e3), (0.1, 1e4), (1e-3, 1e3))
"""How far from the edge of the cone to start, and ρ of Newton's method, one after the other."""


def finish(m: int, is_round: bool, contacts, bodies, mu: float, P, V, before: float, tolerance: float, out) -> float:
    """The residual of the impulses (m, 3) written to ``out``, infinite where it was not tried; V (n, 8) are those at the impulses P.

    Without friction there is no cone, and sweeps do well.
    """
    if m == 0 or not mu > 0.0:
        return np.inf
    rows = Rows(np.arange(m), is_round, contacts, bodies, mu, P, V)
    best = np.inf
    with np.errstate(all="ignore"):
        for away, stiff in ATTEMPTS:
            _error, trial = interior(rows, P[:m], away, tolerance)
            error, trial = settled(rows, trial, stiff, tolerance)
            if error < best:
                best = error
                out[:m] = trial
            if error <= tolerance:
                break
    return best
