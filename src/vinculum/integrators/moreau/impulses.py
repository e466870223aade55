"""Impulses of one time step of a tree, and correction of the remaining penetration."""

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.contact.dense.algebra import between, congruence, inverse, product, transposed_product
from vinculum.contact.dense.gauss_seidel import impulses, put_on_bonds
from vinculum.contact.dense.impacts import finish_impact
from vinculum.contact.dense.jams import jammed_contact
from vinculum.contact.trees.steps import mark_pressing, with_contacts
from vinculum.integrators.moreau.impact_times import size_at
from vinculum.integrators.moreau.rows import ZERO, put, put_all, read, to_length_one
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS
from vinculum.tolerances.time_stepping import CORRECTIONS, GAPS_NEARBY, PUSH_RESIDUAL, UNBOUNDED


@njit(nogil=True, cache=True)
def find_impulses(active, rows, v, unbound, sought, impulses):
    """Write the impulses of the active triples and the velocity change they cause; returns residual and sweeps.

    ``sought``: as in `finish_impact`.
    """
    _gap, _drift, H, M, G = rows.every
    first, last, G_last = rows.first, rows.last, rows.G_last
    law, e, mu, _triple = rows.laws
    P, contact_impulses, change = impulses
    touched = np.int64(0)
    for c in range(len(active)):
        touched += active[c]
    nv, size = len(v), 3 * touched
    J_last = np.empty((size, nv))
    J, u_free, u_before, part = np.empty((size, nv)), np.empty(size), np.empty(size), np.empty(size)
    kinds, ratios, axes = np.empty(touched, dtype=np.int64), np.empty(touched), np.empty((touched, 3))
    place = np.empty(len(active), dtype=np.int64)
    K, bound, nowhere = inverse(M), unbound.copy(), np.zeros(nv)
    K_last = K.copy()
    put_on_bonds(K_last, G_last, bound, nowhere)
    put_on_bonds(K, G, nowhere, nowhere)
    own = 0
    for c in range(len(active)):
        if not active[c]:
            continue
        kinds[own], ratios[own], axes[own, 0], axes[own, 1] = law[c], e[c], mu[c, 0], mu[c, 1]
        axes[own, 2] = place[int(mu[c, 2])] if mu[c, 2] >= 0.0 else -1.0
        place[c] = own
        for k in range(3):
            part[3 * own + k] = P[3 * c + k]
            u_free[3 * own + k], u_before[3 * own + k] = last[3 * c + k, nv], first[3 * c + k, nv]
            for j in range(nv):
                J[3 * own + k, j] = H[3 * c + k, j]
                J_last[3 * own + k, j] = last[3 * c + k, j]
                u_free[3 * own + k] += last[3 * c + k, j] * bound[j]
                u_before[3 * own + k] += first[3 * c + k, j] * v[j]
        own += 1
    if len(G_last):
        J_last = between(J_last, K_last, M)  # bilateral conditions at the end of the step change what impulses cause
    W, speed, energy = between(J_last, K, J), 0.0, 0.0
    error, count = finish_impact(W, u_free, u_before, kinds, ratios, axes, part, sought)
    for i in range(size):
        speed = max(speed, _sum_of_sizes(J_last[i], bound), abs(u_free[i]), abs(u_before[i]))
    for i in range(nv):
        for j in range(nv):
            energy += 0.5 * abs(M[i, j]) * max(abs(v[i] * v[j]), abs(bound[i] * bound[j]))
    if jammed_contact(W, u_free, axes, part, speed, energy) >= 0:
        error = max(error, UNBOUNDED)
    work = np.empty(nv)
    transposed_product(J, part, work)
    product(K, work, change)
    own = 0
    for c in range(len(active)):
        if active[c]:
            for k in range(3):
                contact_impulses[3 * c + k] = part[3 * own + k]
            own += 1
    return error, count


@njit(nogil=True, cache=True)
def _sum_of_sizes(row, v):
    """Σ |row_j v_j|."""
    total = 0.0
    for j in range(len(v)):
        total += abs(row[j] * v[j])
    return total


@njit(nogil=True, cache=True)
def correct_positions(program, q, t, rows, active, impulses, touched, work):
    """Open the active gaps by moving the coordinates in place; returns the largest displacement, negative if the contacts do not fit."""
    x, z, nq = program.x, program.z, program.nq
    every, triple, b = rows.every, rows.laws.triple, len(rows.own.drift) // 3
    _begun, contact_impulses, change = impulses
    put_all(x, ZERO, q)
    put(x, program.n, t)
    moved, first = 0.0, len(z) - nq
    for _ in range(CORRECTIONS if touched else 0):
        run_lanes(program.unilaterals, x, z)
        read(z, rows.own)
        T, count = with_contacts(x, nq, 0.0, work, b, every, rows.laws)
        if count < 0:
            return -1.0
        mark_pressing(count, work, triple, active, contact_impulses)
        if not _push_out(every.gap[:T], every, active, contact_impulses, size_at(program.units, q), change):
            break
        put_all(x, nq, change)
        run_lanes(program.unilaterals, x, z)
        for i in range(program.placed):
            moved = max(moved, abs(z[first + i, 0]))
            q[i] += z[first + i, 0]
        to_length_one(q, program.quaternions)
        put_all(x, ZERO, q)
    return moved


@njit(nogil=True, cache=True)
def _push_out(gap, rows, active, contact_impulses, size, change):
    """Write the smallest displacement (nv,) in the kinetic metric that opens active negative gaps and closes no others.

    Returns False if there are no such gaps. ``size`` [m]: that of the system.
    """
    H, M, G = rows.H, rows.M, rows.G
    deepest = 0.0
    for c in range(len(gap)):
        if active[c] and contact_impulses[3 * c] > 0.0:
            deepest = max(deepest, -gap[c])
    if deepest <= HUNDRED_ROUND_OFFS * size:
        return False
    count = 0
    for c in range(len(gap)):
        count += gap[c] < GAPS_NEARBY * deepest
    nv = H.shape[1]
    nowhere = np.zeros(nv)
    J, free, P = np.zeros((3 * count, nv)), np.zeros(3 * count), np.zeros(3 * count)
    own = 0
    for c in range(len(gap)):
        if gap[c] < GAPS_NEARBY * deepest:
            free[3 * own] = gap[c]
            for k in range(nv):
                J[3 * own, k] = H[3 * c, k]
            own += 1
    K, nothing = inverse(M), np.zeros(count)
    put_on_bonds(K, G, nowhere, nowhere)
    impulses(congruence(J, K), free, nothing, nothing, -np.ones((count, 2)), P, PUSH_RESIDUAL, np.int64(2000))
    work = np.empty(nv)
    transposed_product(J, P, work)
    product(K, work, change)
    return True
