"""The last digits of contact impulses, if sweeps do not converge."""

import numpy as np

from vinculum.contact.dense.impulses import finish as finish_few
from vinculum.contact.sparse.arrays import ContactProblem, Iterate
from vinculum.contact.sparse.interior_point import interior
from vinculum.contact.sparse.newton import solve_impulses
from vinculum.contact.sparse.rows import Rows
from vinculum.tolerances.contact import (
    AWAY_FROM_THE_EDGE,
    FACTORS_AFTER_INTERIOR_POINT,
    FACTORS_AFTER_SWEEPS,
    FEW_CONTACTS,
    SWEEPS_BEFORE_NEWTON,
)

DRIFTS = ((1e4, 1e5), (1e3, 1e7))
"""First and largest ρ of Newton's method after sweeps."""


def finish(problem: ContactProblem, iterate: Iterate, chosen: np.ndarray, tolerance: float, out: np.ndarray) -> float:
    """Write better impulses of the ``chosen`` contacts to ``out`` (m, 3), if there are some; returns the residual of these contacts."""
    rows, P = Rows(chosen, problem, iterate), iterate.P[chosen]
    best = rows.residual(P)
    with np.errstate(all="ignore"):
        for attempt in _attempts(rows, P, 0.5 * tolerance) if best > tolerance else ():
            error, trial = attempt()
            if error < best:
                best = error
                out[chosen] = trial
            if best <= tolerance:
                break
    return best


def _attempts(rows: Rows, P: np.ndarray, tolerance: float):
    """The attempts, the most reliable and fastest first."""
    if len(P) <= FEW_CONTACTS:
        yield lambda: _written_out(rows, P, tolerance)

    def inside(away: float):
        _error, found = interior(rows, P, away, tolerance)
        return solve_impulses(rows, found, (1e3, 1e4), tolerance, FACTORS_AFTER_INTERIOR_POINT)

    # a contact without friction has no cone to be inside of
    rough = bool(np.all(rows.mu > 0.0))
    if rough:
        yield lambda: inside(1.0)
    for drift in DRIFTS:
        yield lambda drift=drift: solve_impulses(rows, P, drift, tolerance, FACTORS_AFTER_SWEEPS)
    for away in AWAY_FROM_THE_EDGE if rough else ():
        yield lambda away=away: inside(away)


def _written_out(rows: Rows, P: np.ndarray, tolerance: float) -> tuple[float, np.ndarray]:
    """The residual and the impulses (m, 3) of a few contacts, by the Delassus operator as a matrix."""
    m, found, none = len(P), P.ravel().copy(), np.zeros(len(P))
    W, mu = (rows.H @ rows.B).toarray(), np.column_stack([rows.mu, rows.mu, np.full(m, -1.0)])
    finish_few(W, rows.speeds(rows.free).ravel(), none, none, mu, found, (tolerance, tolerance, SWEEPS_BEFORE_NEWTON))
    return rows.residual(found.reshape(m, 3)), found.reshape(m, 3)
