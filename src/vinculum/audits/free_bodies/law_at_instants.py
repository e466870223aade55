r"""The law of contacts that answer an applied impulse at its instant.

.. math:: 0 \le P_N \perp u_N^+ + e\,\min(u_N^-, 0) \ge 0,\qquad |P_T| \le \mu P_N,\quad P_T = -\mu P_N\,u_T/|u_T| \text{ if } u_T \ne 0
"""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.motion.impulses.meetings import Meetings
from vinculum.motion.record import Record
from vinculum.tolerances.contact import OWN


def missing_speeds(P: np.ndarray, u: np.ndarray, targets: np.ndarray, w: np.ndarray, cones: np.ndarray) -> np.ndarray:
    """Velocities (m,) by which impulses P (m, 3) miss the law, for velocities u (m, 3) after them, least normal ones, mobilities w (m, 2)
    of normals and tangents, and μ (m,)."""
    mobility = w[:, [0, 1, 1]]
    Z = P - (u - np.eye(1, 3) * targets[:, None]) / mobility
    Z[:, 0] = np.maximum(Z[:, 0], 0.0)
    size, limit = np.hypot(Z[:, 1], Z[:, 2]), cones * P[:, 0]
    Z[:, 1:] *= np.where(size > limit, limit / np.maximum(size, np.finfo(float).tiny), 1.0)[:, None]
    return np.linalg.norm((Z - P) * mobility, axis=1)


def impulses_of(met: Meetings, who: np.ndarray, place: np.ndarray) -> np.ndarray:
    """The impulses (m, 3) in world axes, recorded by ``met``, on contacts of shapes (m, 2) at places (m, 3); zero for the others."""
    found = np.zeros((len(who), 3))
    for pair, x, axes, P in zip(met.shapes, met.places, met.axes, met.impulses, strict=True):
        same = np.flatnonzero(np.all(who == pair, axis=1))
        if len(same):
            found[same[np.argmin(np.linalg.norm(place[same] - x, axis=1))]] += P @ axes
    return found


def at_atom(met: Meetings, k: int) -> Meetings:
    """The contacts of the k-th instant."""
    return met.choose(np.arange(met.atoms.max(initial=k) + 1) == k)


def answer_line(motion: Record, worst: float, at: float, count: int) -> Line:
    """The line for the largest velocity by which one of ``count`` contacts misses the law, relative to that of the applied impulses."""
    tolerance = (motion.method.tolerance or 0.0) / OWN
    reason = f"{count} closed contacts at the instants of impulses, relative to the velocities that these change"
    worst = worst if np.isfinite(worst) else np.inf
    return Line("contacts answer impulses", worst, tolerance, reason, f"at t = {at:.9g} s" if worst > tolerance else "")
