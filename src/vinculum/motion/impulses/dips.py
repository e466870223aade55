"""Least values of gaps between samples: a body may pass an obstacle within one step, which is positive at both ends."""

from collections.abc import Callable

import numpy as np

from vinculum.tolerances.samples import BESIDE_A_SAMPLE, SEARCHES_FOR_A_DIP

GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)


def instants_of_dips(
    gaps_at: Callable[[np.ndarray], np.ndarray], time: np.ndarray, gaps: np.ndarray, least: float | np.ndarray
) -> np.ndarray:
    """Instants at which a gap is least between two samples: it falls after the first and rises before the second.

    ``time`` (T,), increasing, and the ``gaps`` (T, m) there; ``gaps_at``: gaps (B, m) at instants (B,). Gaps
    that are not above ``least``, one number or (m,), at both samples are round-off and are passed over. A gap with several minima between
    two samples shows one of them. The search is by golden sections, as distances have kinks.
    """
    width = np.diff(time)
    after, before = (gaps_at(t) for t in (time[:-1] + BESIDE_A_SAMPLE * width, time[1:] - BESIDE_A_SAMPLE * width))
    dips = (after < gaps[:-1]) & (before < gaps[1:]) & (gaps[:-1] > least) & (gaps[1:] > least) & (width > 0.0)[:, None]
    place, which = np.nonzero(dips)
    if not len(place):
        return np.zeros(0)
    own = np.arange(len(place))
    value = lambda t: gaps_at(t)[own, which]
    low, high = time[place], time[place + 1]
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = value(left), value(right)
    for _ in range(SEARCHES_FOR_A_DIP):
        falls = at_right < at_left
        low, high = np.where(falls, left, low), np.where(falls, high, right)
        new = np.where(falls, low + GOLDEN * (high - low), high - GOLDEN * (high - low))
        found = value(new)
        left, right = np.where(falls, right, new), np.where(falls, new, left)
        at_left, at_right = np.where(falls, at_right, found), np.where(falls, found, at_left)
    return np.unique(np.where(at_left < at_right, left, right))
