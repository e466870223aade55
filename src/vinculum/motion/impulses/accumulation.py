"""Impacts that accumulate: infinitely many in a finite time, in turn at several unilateral constraints."""

from collections.abc import Collection, Sequence

import numpy as np

from vinculum.tolerances.event_driven import ACCUMULATES_AFTER, APPROACH_ROUND_OFF, FORCE_FREE, SHRINKS, TOUCHING


def accumulating(
    now: float,
    instants: Sequence[Collection[float]],
    closed: np.ndarray,
    speeds: np.ndarray,
    pulls: np.ndarray,
    size: float,
) -> np.ndarray:
    """Which unilateral constraints (m,) have had infinitely many impacts until now, if this is the end of such a sequence.

    ``instants``: those of the earlier impacts of each, in order. ``closed`` (m,): those that take part in the impact now. ``speeds``
    (m,) [m/s] and ``pulls`` (m,) [m/s²]: rates of the gaps before it, and their accelerations by forces. ``size`` [m]: that of the
    system.

    Two walls are hit in turn: each hit throws the body against the other wall, and the intervals shrink so quickly that round-off soon
    hides the way between them, while the impulses are still large. All rates tend to zero with the impulses. So the limit is inelastic,
    whatever the restitution, and the rest of the sequence is one inelastic impact. Its constraints were hit a moment ago, after intervals
    that became shorter and shorter, the one until now included, and some still separate from that hit, by less than can be seen, while
    others approach. Speeds of round-off do neither. Forces do nothing in so short a time.
    Where they bring a body back, as gravity does, speeds fall with the intervals, and nothing is left in the end.
    """
    most = TOUCHING * size
    found = closed.copy()
    for c in np.flatnonzero(closed).tolist():
        own, u = np.array(instants[c], dtype=float), speeds[c]
        found[c] = after_shrinking_intervals(np.unique(np.append(own, now)))[-1]
        if found[c]:
            since = now - own[-1]
            found[c] = u * since <= most and abs(pulls[c]) * since <= FORCE_FREE * abs(u)
    least = APPROACH_ROUND_OFF * float(np.abs(speeds).max(initial=0.0))
    ends = bool(np.any(speeds[found] > least) and np.any(speeds[found] < -least))
    return found & ends


def after_shrinking_intervals(instants: np.ndarray) -> np.ndarray:
    """Which instants (K,), in order and different from each other, end intervals that are each at most half of the one before."""
    intervals, found = np.diff(instants), np.zeros(len(instants), dtype=bool)
    count = len(intervals) - ACCUMULATES_AFTER
    if count > 0:
        shorter = intervals[1:] <= SHRINKS * intervals[:-1]
        found[ACCUMULATES_AFTER + 1 :] = np.all([shorter[i : i + count] for i in range(ACCUMULATES_AFTER)], axis=0)
    return found
