"""Scales of residuals: the size of their own terms or, if round-off hides these, the size of the whole system."""

import numpy as np

from vinculum.audits.scaling.scatter import scatter_of
from vinculum.motion.method import GIVEN
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import ACTIONS_PAIRED, CLOSED_AS_CLAIMED, DOUBT, SAFETY, SHARP
from vinculum.tolerances.round_off import MOMENT_ROUND_OFF, TINY


def relative_residual(left: float, own: float, whole: float, limit: float, noise: float) -> tuple[float, float]:
    """A relative residual and its tolerance.

    ``left``: the residual. ``own``: the size of its own terms. ``whole``: the size of the terms of the whole system. ``noise``: the
    fraction of ``whole`` that is round-off. ``limit``: the least tolerance. If round-off hides the own terms, or if they vanish, the
    residual is relative to ``whole``. If that vanishes too, the residual must be zero.
    """
    whole = max(whole, own)
    if whole <= TINY:
        return (0.0 if left <= TINY else np.inf), limit
    if own > TINY and noise * whole <= 0.5 * SHARP * own:
        return left / own, max(limit, noise * whole / own)
    return left / whole, max(limit, noise)


def moment_scale(sizes: np.ndarray, places: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """Scales of moments: their own ``sizes``, but at least so large that the round-off of lever arms stays below `ACTIONS_PAIRED`.

    Lever arms are differences of positions in the world, which are rounded. ``places``, ``forces``: the largest of both."""
    return np.maximum(np.maximum(sizes, MOMENT_ROUND_OFF / ACTIONS_PAIRED * places * forces), TINY)


def finite(values: np.ndarray) -> np.ndarray:
    """Absolute values. A value that is not finite becomes infinite."""
    return np.where(np.isfinite(values), np.abs(values), np.inf)


def instant_limit(motion: Record, limit: float) -> float:
    """Tolerance at single instants: ``limit``, or some times the accuracy of a motion that was computed elsewhere, claimed or between its
    instants."""
    if motion.method.claims is not GIVEN:
        return limit
    return max(limit, CLOSED_AS_CLAIMED * (motion.method.tolerance or 0.0), SAFETY * scatter_of(motion).accuracy())


def instant_doubt(motion: Record, limit: float) -> float:
    """Residuals at single instants up to this size leave a law undecided: splines estimate the accuracy between given instants, and do not
    bound it."""
    return max(limit, DOUBT * SAFETY * scatter_of(motion).accuracy()) if motion.method.claims is GIVEN else limit
