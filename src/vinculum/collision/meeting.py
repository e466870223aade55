"""Which shapes meet, and by which laws: groups of shapes have a table of laws."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit


class Meeting(NamedTuple):
    """The laws of pairs of shapes."""

    groups: np.ndarray
    """The group of each shape (n,)."""
    laws_of: np.ndarray
    """The number of the laws of two groups (g, g), −1 if they do not meet."""
    laws: np.ndarray
    """Newton's e, μ (−1 without friction), and lengths of spinning and rolling friction (k, 4)."""
    parents: np.ndarray
    """The shape to which a joint connects a shape (n,), negative if there is none."""
    joined: np.ndarray
    """Whether shapes that a joint connects meet by these laws (k,)."""
    moves: np.ndarray
    """Whether velocities move a shape (n,)."""
    begins: np.ndarray
    """Where the shapes to which closing joints connect a shape begin in ``closed`` (n + 1,)."""
    closed: np.ndarray
    """These shapes, one after the other."""


@njit(nogil=True, cache=True, error_model="numpy")
def law_between(meeting, i, j):
    """The number of the laws of two shapes, −1 if they do not meet."""
    law = meeting.laws_of[meeting.groups[i], meeting.groups[j]]
    if law < 0 or not (meeting.moves[i] or meeting.moves[j]):
        return np.int64(-1)
    if not meeting.joined[law]:
        if meeting.parents[i] == j or meeting.parents[j] == i:
            return np.int64(-1)
        for k in range(meeting.begins[i], meeting.begins[i + 1]):
            if meeting.closed[k] == j:
                return np.int64(-1)
    return law


@njit(nogil=True, cache=True, error_model="numpy")
def keep_meeting(meeting, pairs, count):
    """Drop pairs that do not meet, in place; returns how many are left. All meet if ``meeting`` is None."""
    # Numba does not compile the branch of an argument that is None.
    kept = count
    if meeting is not None:
        kept = np.int64(0)
        for k in range(count):
            i, j = pairs.first[k], pairs.second[k]
            if law_between(meeting, i, j) >= 0:
                pairs.first[kept], pairs.second[kept] = i, j
                kept += 1
    return kept
