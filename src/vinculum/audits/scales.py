"""Scales of residuals: the size of their own terms or, if round-off hides these, that of the whole system."""

import numpy as np

from vinculum.motion.method import GIVEN
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import SHARP
from vinculum.tolerances.round_off import TINY


def relative_residual(left: float, own: float, whole: float, limit: float, noise: float) -> tuple[float, float]:
    """A relative residual and its tolerance, of what is ``left`` of terms of the size ``own`` in a system with terms of the size ``whole``.

    ``noise``: the part of ``whole`` that is round-off; ``limit``: what is admitted where that is less. Terms that round-off hides, or that
    vanish, are measured against the whole. Where all vanishes, nothing may be left.
    """
    whole = max(whole, own)
    if whole <= TINY:
        return (0.0 if left <= TINY else np.inf), limit
    if own > TINY and noise * whole <= 0.5 * SHARP * own:
        return left / own, max(limit, noise * whole / own)
    return left / whole, max(limit, noise)


def finite(values: np.ndarray) -> np.ndarray:
    """Sizes of values; what is no number is infinite."""
    return np.where(np.isfinite(values), np.abs(values), np.inf)


def instant_limit(motion: Record, limit: float) -> float:
    """What is admitted at single instants: the limit, or ten times the accuracy claimed for a motion that was computed elsewhere."""
    return max(limit, 10.0 * (motion.method.tolerance or 0.0)) if motion.method.claims is GIVEN else limit
