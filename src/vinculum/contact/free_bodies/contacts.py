"""Contacts of free bodies in the middle of a step, and the target velocities of separation there."""

import numpy as np

from vinculum.collision.broad_phase import carry_over, near_pairs
from vinculum.collision.meeting import keep_meeting
from vinculum.collision.narrow_phase.entry import meet_pairs
from vinculum.compile.kernels import njit
from vinculum.contact.free_bodies.arrays import LISTED, MARGIN
from vinculum.tolerances.contact import LOOKED_AT_REST
from vinculum.tolerances.shapes import FEW_SHAPES, MARGIN_OF_FEW


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def find_contacts(d, shapes, meeting, entry, V, pairs, counts, room):
    """Numbers of near pairs and of contacts; the list of pairs is rebuilt after bodies have moved too far.

    ``meeting``: which shapes meet; None if all do.
    """
    center, reach, listed = shapes.center, shapes.reach, pairs.listed
    first, second, start, count = pairs.now
    old_first, old_second, old_start, old_count = pairs.old
    moving = len(listed)
    fastest, moved, small = 0.0, 0.0, np.inf
    for i in range(moving):
        fastest = max(fastest, V[i, 0] ** 2 + V[i, 1] ** 2 + V[i, 2] ** 2)
        a, b, c = center[i, 0] - listed[i, 0], center[i, 1] - listed[i, 1], center[i, 2] - listed[i, 2]
        moved = max(moved, a**2 + b**2 + c**2)
        small = min(small, reach[i])
    ahead = 3.0 * d * np.sqrt(fastest) + LOOKED_AT_REST * small
    near = int(counts[LISTED])
    if not ahead + 2.0 * np.sqrt(moved) <= counts[MARGIN]:
        for k in range(near):
            old_first[k], old_second[k], old_start[k], old_count[k] = first[k], second[k], start[k], count[k]
        wide = MARGIN_OF_FEW if len(reach) <= FEW_SHAPES else 1.0
        margin = wide * (1.5 * ahead + 0.1 * small)
        made = near_pairs(shapes, moving, margin, pairs.grid, pairs.now)
        if made > len(first):
            for k in range(near):
                first[k], second[k] = old_first[k], old_second[k]
            return made, 0
        made = keep_meeting(meeting, pairs.now, made)
        carry_over(pairs.old, near, pairs.now, made, pairs.table)
        for i in range(moving):
            for k in range(3):
                listed[i, k] = center[i, k]
        near = made
        counts[LISTED], counts[MARGIN] = near, margin
    for k in range(near):
        old_start[k], old_count[k] = start[k], count[k]
    # A body at rest may be hit within the step, so the margin of all pairs is the distance that the fastest body moves.
    far = min(d * np.sqrt(fastest), 0.3 * small) + LOOKED_AT_REST * small
    m = meet_pairs(entry, near, far, d)
    if m > room:
        for k in range(near):
            start[k], count[k] = old_start[k], old_count[k]
    return near, m


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def least_speeds(problem, gap, step, law, V):
    """Write the smallest separation velocities: zero at a touching contact, Newton's law after a hit, otherwise such that a gap just
    closes.
    """
    who, frame, wide, target = problem.rows.who, problem.rows.frame, problem.rows.wide, problem.targets
    (d, span, gravity), e, touch, moving = step, law.e, law.touch, len(problem.pace.before)
    for c in range(problem.m):
        target[c] = 0.0 if gap[c] <= touch else -gap[c] / span
        if e > 0.0:
            i, j, n = who[c, 0], who[c, 1], frame[c, 0]
            u = separation_speed(V, i, j, n, wide, c)
            pull = 0.0 if j < moving else 0.5 * d * (gravity[0] * n[0] + gravity[1] * n[1] + gravity[2] * n[2])
            approach = u - pull
            if approach < 0.0 and (gap[c] <= touch or gap[c] + span * u < 0.0):
                target[c] = max(target[c], pull - e * approach)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def separation_speed(V, i, j, n, wide, c):
    """Separation velocity of the bodies i and j of contact c along its normal, for their velocities V (n, 8)."""
    u = (V[i, 0] - V[j, 0]) * n[0] + (V[i, 1] - V[j, 1]) * n[1] + (V[i, 2] - V[j, 2]) * n[2]
    if wide is None:
        return u
    A = wide[c]
    for k in range(3):
        u += V[i, 4 + k] * A[0, 0, k] - V[j, 4 + k] * A[1, 0, k]
    return u
