"""Warm start of a step from the impulses of the preceding step, and recorded contacts."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.free_bodies.arrays import LISTED, RECORDED
from vinculum.contact.sparse.impulses import replace_impulses


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def warm_start(problem, iterate, d, contacts, pairs, listed, memory, guess):
    """Start with the last impulses of the same contacts, scaled to the length of the step. ``guess`` (m, 3) is overwritten."""
    start, count, old_start, old_count = pairs.now.start, pairs.now.counts, pairs.old.start, pairs.old.counts
    cones, P, frame, place = problem.cones, iterate.P, contacts.frame, contacts.place
    old_P, old_place = memory.P, memory.place
    for k in range(listed):
        for c in range(start[k], start[k] + count[k]):
            P[c, 0] = P[c, 1] = P[c, 2] = 0.0
            guess[c, 0] = guess[c, 1] = guess[c, 2] = 0.0
            if old_count[k] == 0:
                continue
            best, nearest = np.inf, -1
            for o in range(old_start[k], old_start[k] + old_count[k]):
                x, y, z = place[c, 0] - old_place[o, 0], place[c, 1] - old_place[o, 1], place[c, 2] - old_place[o, 2]
                away = x**2 + y**2 + z**2
                if away < best:
                    best, nearest = away, o
            n, I = frame[c], old_P[nearest]
            p = d * (I[0] * n[0, 0] + I[1] * n[0, 1] + I[2] * n[0, 2])
            if p > 0.0:
                q = d * (I[0] * n[1, 0] + I[1] * n[1, 1] + I[2] * n[1, 2])
                r = d * (I[0] * n[2, 0] + I[1] * n[2, 1] + I[2] * n[2, 2])
                limit, slip = cones[c] * p, q * q + r * r
                if slip > limit * limit:
                    scale = limit / np.sqrt(slip)
                    q, r = q * scale, r * scale
                guess[c, 0], guess[c, 1], guess[c, 2] = p, q, r
    replace_impulses(problem, iterate, guess)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def remember_impulses(m, d, contacts, P, memory):
    """Store impulses per duration of the step, in world axes, and contact positions."""
    frame, place, old_P, old_place = contacts.frame, contacts.place, memory.P, memory.place
    for c in range(m):
        n = frame[c]
        for k in range(3):
            old_P[c, k] = (P[c, 0] * n[0, k] + P[c, 1] * n[1, k] + P[c, 2] * n[2, k]) / d
            old_place[c, k] = place[c, k]


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def record_contacts(step, m, d, contacts, P, memory, counts):
    """Append the active contacts of a step to the records: step, bodies, position, normal and impulse."""
    who, frame, place, rates, pressed = contacts.who, contacts.frame, contacts.place, memory.P, memory.pressed
    row = int(counts[RECORDED])
    for c in range(m):
        if P[c, 0] > 0.0:
            r = pressed[row]
            r[0], r[1], r[2] = step, who[c, 0], who[c, 1]
            for k in range(3):
                r[3 + k], r[6 + k], r[9 + k] = place[c, k], frame[c, 0, k], d * rates[c, k]
            row += 1
    counts[RECORDED] = row


@njit(nogil=True, cache=True, error_model="numpy")
def restore_pairs(pairs, counts):
    """Restore the contacts of the listed pairs to those of the preceding step, whose impulses are stored."""
    start, count, old_start, old_count = pairs.now.start, pairs.now.counts, pairs.old.start, pairs.old.counts
    for k in range(int(counts[LISTED])):
        start[k], count[k] = old_start[k], old_count[k]
