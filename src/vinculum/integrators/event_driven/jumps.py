"""Velocities with which a phase begins, beside those with which it is reached."""

import numpy as np

from vinculum.integrators.event_driven.slow_slips import USE_STEPS
from vinculum.integrators.event_driven.touching import Touching
from vinculum.tolerances.certificates import RESTARTED
from vinculum.tolerances.event_driven import LEAPT, LEVERED


def is_levered(touching: Touching, before: np.ndarray, after: np.ndarray) -> bool:
    """Whether a phase would begin with velocities (nv,) that differ by much more than the slips do."""
    return float(np.abs(after - before).max(initial=0.0)) > LEVERED * touching.speed


def unexplained_jump(touching: Touching, t: float, before: np.ndarray, after: np.ndarray) -> str | None:
    """Message that a phase would begin at t with other velocities (nv,) than those ``before``, without impulses; None if they are the
    same but for slips that count as none.

    Links that lie nearly in line turn fast where their tips slip slowly. A slip that counts as none is then no small velocity, and
    neither is the least slip with which sliding begins.
    """
    gone = float(np.abs(after - before).max(initial=0.0))
    if gone <= max(RESTARTED * float(np.abs(before).max(initial=0.0)), LEAPT * touching.speed):
        return None
    return (
        f"slips that begin or end at t = {t:.9g} s are slower than can be told from rest, and other velocities change with them by "
        f"{gone:.2g}, as where links lie nearly in line; {USE_STEPS}"
    )
