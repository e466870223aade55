"""Gaps that count as closed at a located impact inside a time step, although steps have left a gap of second order."""

from itertools import pairwise

import numpy as np

from vinculum.audits.impacts.seen_impacts import Impacts
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS
from vinculum.tolerances.time_stepping import CLOSING


def pressed_lately(found: Impacts) -> np.ndarray:
    """Which unilateral constraints (K, m) pressed within a time step before an impact of zero duration, are at rest to the accuracy of
    that step, and were not thrown off by another impact since."""
    h = found.motion.method.step or 0.0
    return (
        _recent_contacts(found) & ~_thrown_off(found) & (np.abs(found.arriving[:, found.normals]) <= h * _pulls(found))
    )


def gaps_left_open(found: Impacts) -> np.ndarray:
    r"""Gaps (K, m) that steps may leave at contacts that pressed shortly before an impact of zero duration: twice the bound of one step.

    A step presses only if the gap would close in it, :math:`g + \tfrac h2 (u^- + u^- + h a) \le 0`, and ends with :math:`u^+ = 0`, so at

    .. math:: g + \tfrac h2 u^- \le -\tfrac h2 (u^- + h a), \quad\text{at most}\quad \tfrac12 h^2 |a| \quad\text{from rest;}

    a contact that others press on counts as closed within the fraction `CLOSING` of the displacement of the fastest gap.
    """
    h = found.motion.method.step or 0.0
    return np.where(_recent_contacts(found), h**2 * _pulls(found), 0.0)


def _recent_contacts(found: Impacts) -> np.ndarray:
    """Which unilateral constraints (K, m) pressed within a time step before an impact of zero duration."""
    result = np.zeros((len(found), len(found.laws.turns)), dtype=bool)
    h, own = found.motion.method.step, len(found.laws.unilaterals)
    if h is None or not np.any(found.step):
        return result
    ends, spread = found.times + 0.5 * found.step, found.step > 0.0
    for k in np.flatnonzero(~spread):
        first = int(np.searchsorted(found.times, found.times[k] - 1.5 * h))
        # a step that ended a whole step before did not press within it, however instants are rounded
        since = found.times[k] - h + HUNDRED_ROUND_OFFS * (abs(found.times[k]) + h)
        lately = spread[first:k] & (ends[first:k] > since)
        # contacts of shapes have no fixed index
        result[k, :own] = np.any(found.impulses[first:k, :own, 0][lately] > 0.0, axis=0)
    return result


def _thrown_off(found: Impacts) -> np.ndarray:
    """Which unilateral constraints (K, m) had no impulse since the impact of zero duration before this one, and none in it."""
    instants = np.flatnonzero(found.step <= 0.0)
    result = np.zeros((len(found), len(found.laws.turns)), dtype=bool)
    for before, k in pairwise(instants):
        result[k] = ~np.any(found.impulses[before:k, :, 0] > 0.0, axis=0)
    return result


def _pulls(found: Impacts) -> np.ndarray:
    """Accelerations of gaps (K, m) without contact, at least the fraction `CLOSING` of the largest."""
    own = np.abs(np.einsum("kcn,kn->kc", found.here.jacobians[:, found.normals], found.slope))
    return np.maximum(own, CLOSING * own.max(axis=1, keepdims=True, initial=0.0))
