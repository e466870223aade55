"""Contacts of a pile where its bodies stand in the middle of a step, and the least speeds with which they part there."""

import numpy as np
from numba import njit

from vinculum.collision.broad_phase import near_pairs, remembered
from vinculum.collision.narrow_phase.entry import met
from vinculum.tolerances.contact import LOOKED_AT_REST


@njit(nogil=True, cache=True, error_model="numpy")
def found_contacts(d, moving, center, kind, size, entry, reach, V, pairs, numbers, room):
    """Numbers of near pairs and of contacts; the list of pairs is made anew once bodies have moved too far since."""
    (first, second, start, count, old_first, old_second, old_start, old_count,
     head, following, cells, table, listed) = pairs  # fmt: skip
    fastest, moved, small = 0.0, 0.0, np.inf
    for i in range(moving):
        fastest = max(fastest, V[i, 0] ** 2 + V[i, 1] ** 2 + V[i, 2] ** 2)
        a, b, c = center[i, 0] - listed[i, 0], center[i, 1] - listed[i, 1], center[i, 2] - listed[i, 2]
        moved = max(moved, a**2 + b**2 + c**2)
        small = min(small, reach[i])
    ahead = 3.0 * d * np.sqrt(fastest) + LOOKED_AT_REST * small
    near = int(numbers[0])
    if not ahead + 2.0 * np.sqrt(moved) <= numbers[1]:
        for k in range(near):
            old_first[k], old_second[k], old_start[k], old_count[k] = first[k], second[k], start[k], count[k]
        margin = 1.5 * ahead + 0.1 * small
        made = near_pairs(center, reach, kind, size, moving, margin, head, following, cells, first, second)
        if made > len(first):
            for k in range(near):
                first[k], second[k] = old_first[k], old_second[k]
            return made, 0
        remembered(first, second, made, old_first, old_second, near, old_start, old_count, start, count, table)
        for i in range(moving):
            for k in range(3):
                listed[i, k] = center[i, k]
        near = made
        numbers[0], numbers[1] = near, margin
    for k in range(near):
        old_start[k], old_count[k] = start[k], count[k]
    # a body at rest may be hit within the step, so all look as far ahead as the fastest goes
    far = min(d * np.sqrt(fastest), 0.3 * small) + LOOKED_AT_REST * small
    m = met(entry, near, far, d)
    if m > room:
        for k in range(near):
            start[k], count[k] = old_start[k], old_count[k]
    return near, m


@njit(nogil=True, cache=True, error_model="numpy")
def least_speeds(m, moving, is_round, d, span, gravity, e, touch, lists, gap, V):
    """Write the least speeds of separation: none where bodies touch, Newton's after a hit, else such that a gap just closes."""
    who, frame, _arms, wide, _W, _weight, target = lists
    for c in range(m):
        target[c] = 0.0 if gap[c] <= touch else -gap[c] / span
        if e > 0.0:
            i, j, n = who[c, 0], who[c, 1], frame[c, 0]
            u = parting(V, i, j, n, is_round, wide, c)
            pull = 0.0 if j < moving else 0.5 * d * (gravity[0] * n[0] + gravity[1] * n[1] + gravity[2] * n[2])
            approach = u - pull
            if approach < 0.0 and (gap[c] <= touch or gap[c] + span * u < 0.0):
                target[c] = max(target[c], pull - e * approach)


@njit(nogil=True, cache=True, error_model="numpy")
def parting(V, i, j, n, is_round, wide, c):
    """Speed at which the bodies i and j of contact c part along its normal, for their velocities V (n, 8)."""
    u = (V[i, 0] - V[j, 0]) * n[0] + (V[i, 1] - V[j, 1]) * n[1] + (V[i, 2] - V[j, 2]) * n[2]
    if not is_round:
        A = wide[c]
        for k in range(3):
            u += V[i, 4 + k] * A[0, 0, k] - V[j, 4 + k] * A[1, 0, k]
    return u
