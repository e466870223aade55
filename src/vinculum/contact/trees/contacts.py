r"""Contacts between the shapes of a tree: positions, rows, and matching from step to step.

.. math:: H_{kj} = t_k\cdot(\sigma_j + \vartheta_j\times x + E_j x)\,(c_{ij} - c_{i'j})

with the screws (σ, ϑ) of the velocities at the world's origin, the strains E of those that deform a body, the contact point x, the axes t
of the contact, and c, which says which velocity moves which body. A contact that resists rolling or spinning has three more rows right
after its own, t · ϑ about its three axes.
"""

import numpy as np

from vinculum.collision.broad_phase import near_pairs
from vinculum.collision.narrow_phase.entry import meet_pairs
from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.contact.trees.arrays import KNOWN, RECORDED, STATUS
from vinculum.tolerances.contact import LISTED_AT_REST

FINE, PAIRS, CONTACTS, RECORDS = 0, 1, 2, 3
ALONG, ABOUT = np.bool_(False), np.bool_(True)
"""Kind of a row: relative velocity along an axis, or relative angular velocity about it. Plain Python values have their own types in
Numba.
"""


@njit(nogil=True, cache=True)
def find_contacts(x, nq, h, work):
    """Number of contacts at the state x that may close within h; they are written to the lists of ``work``."""
    run_lanes(work.tape, x, work.out)
    return locate_contacts(work.out, x, nq, h, work)


@njit(nogil=True, cache=True)
def locate_contacts(out, x, nq, h, work):
    """The same, from given outputs of the tape `shapes`."""
    first, second, laws_of, counts = work.pairs.first, work.pairs.second, work.laws_of, work.counts
    fastest, small = _place_shapes(out, x, nq, work)
    margin = h * fastest + LISTED_AT_REST * small
    made = near_pairs(work.shapes, len(work.carried), 2.0 * margin, work.grid, work.pairs)
    if made > len(first):
        counts[STATUS] = PAIRS
        return 0
    kept = 0
    for k in range(made):
        if laws_of[first[k], second[k]] >= 0:
            first[kept], second[kept] = first[k], second[k]
            kept += 1
    m = meet_pairs(work.entry, kept, 2.0 * margin, h)
    if m > len(work.found.gap):
        counts[STATUS] = CONTACTS
        return 0
    return m


@njit(nogil=True, cache=True)
def _place_shapes(out, x, nq, work):
    """Write centers, axes, velocities and bounding spheres of the shapes; returns the largest speed of any of their points and the
    smallest radius.
    """
    center, turn, reach = work.shapes.center, work.shapes.turn, work.shapes.reach
    V, carried, strained = work.velocity, work.carried, work.strained
    moving, nv = carried.shape
    fastest, small = 0.0, np.inf
    for b in range(moving):
        a = 6 * nv + 6 * b
        p = 6 * nv + 6 * moving + 3 * b
        r = 6 * nv + 9 * moving + 9 * b
        for k in range(3):
            center[b, k] = out[p + k, 0]
            for d in range(3):
                turn[b, k, d] = out[r + 3 * k + d, 0]
        u0, u1, u2, w0, w1, w2 = out[a, 0], out[a + 1, 0], out[a + 2, 0], out[a + 3, 0], out[a + 4, 0], out[a + 5, 0]
        for j in range(nv):
            if carried[b, j]:
                v = x[nq + j, 0]
                u0 += v * out[6 * j, 0]
                u1 += v * out[6 * j + 1, 0]
                u2 += v * out[6 * j + 2, 0]
                w0 += v * out[6 * j + 3, 0]
                w1 += v * out[6 * j + 4, 0]
                w2 += v * out[6 * j + 5, 0]
        c = center[b]
        V[b, 0], V[b, 1], V[b, 2] = u0 + w1 * c[2] - w2 * c[1], u1 + w2 * c[0] - w0 * c[2], u2 + w0 * c[1] - w1 * c[0]
        grown = 0.0
        if len(strained):
            grown = _add_strain(b, out, x, nq, work)
            reach[b] = work.reaches[b] * stretch(turn[b])
        turns = np.sqrt(w0 * w0 + w1 * w1 + w2 * w2) + grown
        speed = np.sqrt(V[b, 0] ** 2 + V[b, 1] ** 2 + V[b, 2] ** 2) + reach[b] * turns
        fastest, small = max(fastest, speed), min(small, reach[b])
    return fastest, small


@njit(nogil=True, cache=True)
def _add_strain(b, out, x, nq, work):
    """Add the part of the strain to the velocity of the center of shape b; returns the norm of its strain rate."""
    V, carried, strained, c = work.velocity, work.carried, work.strained, work.shapes.center[b]
    moving, nv = carried.shape
    first, square = 6 * nv + 18 * moving, 0.0
    for r in range(3):
        for d in range(3):
            rate = 0.0
            for k in range(len(strained)):
                if carried[b, strained[k]]:
                    rate += x[nq + strained[k], 0] * out[first + 9 * k + 3 * r + d, 0]
            V[b, r] += rate * c[d]
            square += rate * rate
    return np.sqrt(square)


@njit(nogil=True, cache=True)
def stretch(A):
    """An upper bound of the largest stretch of a matrix (3, 3): the root of the largest absolute row sum of AᵀA; one for a rotation."""
    most = 0.0
    for i in range(3):
        total = 0.0
        for j in range(3):
            total += abs(A[0, i] * A[0, j] + A[1, i] * A[1, j] + A[2, i] * A[2, j])
        most = max(most, total)
    return np.sqrt(most)


@njit(nogil=True, cache=True)
def add_rows(count, T, work, into, laws_into):
    """Write gaps, drifts, Jacobians and laws of the contacts after the first T triples; returns the new number of triples."""
    out, carried, strained, laws_of, laws = work.out, work.carried, work.strained, work.laws_of, work.laws
    who, frame, place, gaps = work.found
    gap, drift, H = into.gap, into.drift, into.H
    law, e, mu, triple = laws_into
    for c in range(count):
        number = laws_of[who[c, 0], who[c, 1]]
        triple[c] = T
        gap[T], law[T], e[T] = gaps[c], work.kinds[number], laws[number, 0]
        mu[T, 0] = mu[T, 1] = laws[number, 1]
        mu[T, 2] = -1.0
        for r in range(3):
            if r == 0 or laws[number, 1] >= 0.0:
                drift[3 * T + r] = row_of(out, carried, who[c], frame[c, r], place[c], ALONG, H[3 * T + r])
                add_strains(out, carried, strained, who[c], frame[c, r], place[c], H[3 * T + r])
            else:
                drift[3 * T + r] = 0.0
                H[3 * T + r, :] = 0.0
        T += 1
        if laws[number, 2] > 0.0 or laws[number, 3] > 0.0:
            gap[T], law[T], e[T] = np.inf, 0, 0.0
            mu[T, 0], mu[T, 1], mu[T, 2] = laws[number, 2], laws[number, 3], T - 1
            for r in range(3):
                drift[3 * T + r] = row_of(out, carried, who[c], frame[c, r], place[c], ABOUT, H[3 * T + r])
            T += 1
    return T


@njit(nogil=True, cache=True)
def row_of(out, carried, who, t, p, turns, row):
    """Write the Jacobian of the relative velocity along t at the point p, or of the relative angular velocity about t; returns its
    drift.
    """
    moving, nv = carried.shape
    # t · (σ + ϑ × p) = t · σ + (p × t) · ϑ
    a0, a1, a2 = (
        (t[0], t[1], t[2])
        if turns
        else (p[1] * t[2] - p[2] * t[1], p[2] * t[0] - p[0] * t[2], p[0] * t[1] - p[1] * t[0])
    )
    row[:] = 0.0
    drift = 0.0
    for side in range(2):
        b = who[side]
        if b >= moving:
            continue
        sign = 1.0 - 2.0 * side
        for j in range(nv):
            if carried[b, j]:
                s = a0 * out[6 * j + 3, 0] + a1 * out[6 * j + 4, 0] + a2 * out[6 * j + 5, 0]
                if not turns:
                    s += t[0] * out[6 * j, 0] + t[1] * out[6 * j + 1, 0] + t[2] * out[6 * j + 2, 0]
                row[j] += sign * s
        d = 6 * nv + 6 * b
        s = a0 * out[d + 3, 0] + a1 * out[d + 4, 0] + a2 * out[d + 5, 0]
        if not turns:
            s += t[0] * out[d, 0] + t[1] * out[d + 1, 0] + t[2] * out[d + 2, 0]
        drift += sign * s
    return drift


@njit(nogil=True, cache=True)
def add_strains(out, carried, strained, who, t, p, row):
    """Add the part t · E p of the velocities that deform a body to the Jacobian of the relative velocity along t at the point p."""
    moving, nv = carried.shape
    for side in range(2):
        b = who[side]
        if b >= moving:
            continue
        sign = 1.0 - 2.0 * side
        for k in range(len(strained)):
            if carried[b, strained[k]]:
                e = 6 * nv + 18 * moving + 9 * k
                for r in range(3):
                    s = p[0] * out[e + 3 * r, 0] + p[1] * out[e + 3 * r + 1, 0] + p[2] * out[e + 3 * r + 2, 0]
                    row[strained[k]] += sign * t[r] * s


@njit(nogil=True, cache=True)
def warm(count, work, mu, triple, P):
    """Write the warm start: the last impulses of the same contacts, matched by bodies and by the nearest position."""
    who, place, known = work.found.who, work.found.place, work.counts[KNOWN]
    old_who, old_place, old_P = work.memory
    for c in range(count):
        T = triple[c]
        turned = len(mu) > T + 1 and mu[T + 1, 2] == T
        for k in range(6 if turned else 3):
            P[3 * T + k] = 0.0
        best, nearest = np.inf, -1
        for o in range(known):
            if old_who[o, 0] == who[c, 0] and old_who[o, 1] == who[c, 1]:
                away = 0.0
                for k in range(3):
                    away += (place[c, k] - old_place[o, k]) ** 2
                if away < best:
                    best, nearest = away, o
        if nearest >= 0:
            for k in range(6 if turned else 3):
                P[3 * T + k] = old_P[nearest, k]


@njit(nogil=True, cache=True)
def record(step, count, work, mu, triple, active, P):
    """Store the impulses for the warm start of the next step, and record every active contact; returns whether they fit."""
    who, frame, place, gaps = work.found
    old_who, old_place, old_P = work.memory
    counts, records = work.counts, work.records
    known, row = 0, counts[RECORDED]
    for c in range(count):
        T = triple[c]
        if not active[T] or P[3 * T] == 0.0:
            continue
        if row >= len(records):
            counts[STATUS] = RECORDS
            return False
        turned = len(mu) > T + 1 and mu[T + 1, 2] == T
        r = records[row]
        r[0], r[1], r[2], r[15] = step, who[c, 0], who[c, 1], gaps[c]
        old_who[known, 0], old_who[known, 1] = who[c, 0], who[c, 1]
        for k in range(3):
            r[3 + k] = old_place[known, k] = place[c, k]
            for d in range(3):
                r[6 + 3 * k + d] = frame[c, k, d]
        for k in range(6):
            r[16 + k] = old_P[known, k] = P[3 * T + k] if k < 3 or turned else 0.0
        row += 1
        known += 1
    counts[KNOWN], counts[RECORDED] = known, row
    return True


@njit(nogil=True, cache=True)
def mark(count, work, triple, active, P):
    """Mark the recomputed contacts whose two bodies are in active contact in this step."""
    who, known = work.found.who, work.counts[KNOWN]
    old_who, old_P = work.memory.who, work.memory.P
    for c in range(count):
        T = triple[c]
        active[T] = False
        P[3 * T] = 0.0
        for o in range(known):
            if old_who[o, 0] == who[c, 0] and old_who[o, 1] == who[c, 1] and old_P[o, 0] > 0.0:
                active[T] = True
                P[3 * T] = old_P[o, 0]
                break
