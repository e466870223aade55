"""Moreau–Jean time stepping of a tree with boundaries: velocities jump, positions do not."""

import numpy as np
from numba import njit

from vinculum.kernels.calls import WIDTH, run_lanes
from vinculum.kernels.dense import between, congruence, inverse, product, transposed_product
from vinculum.kernels.held_lanes import hold, space
from vinculum.kernels.impact_times import first_impact, overshoot, touching
from vinculum.kernels.shock_laws import impulses, put_on_bonds, shock

CORRECTIONS = 4
LOCATED = 4
"""Most times that one step is cut for a shock."""
REFINED = 4
DONE, UNSOLVED, TORN = 0, 1, 2
ROUND_OFF = 1e-14
NEARBY = 10.0
"""Gaps narrower than this many times the deepest penetration may be closed by pushing that one out."""


@njit(nogil=True, cache=True)
def time_steps(motion, rows, distances, held, x, n, nq, m, kept, quaternions, t, h, steps, located, law, e, mu, tolerance, most, P,
               ends, states, free, jumps, rates, percussions, residuals, sweeps, corrections):  # fmt: skip
    """Take up to ``steps`` steps of length h from the state in x[:n]; the number of records written, of steps taken, and whether all went
    well: `DONE`, `UNSOLVED` or `TORN`; what went wrong is one record beyond.

    ``motion``, ``rows``, ``distances``, ``held``: addresses of the tapes `motion`, `boundaries`, `distances` and `held`, the last one zero
    without two-sided conditions, of which there are ``kept`` rows: every step ends where they hold. ``located``: whether a step is cut where a gap closes swiftly, and the shock happens there in no time.
    ``P``: (3 m,), the last impulses, with which the next are begun. The last nine are written a row a record, which is a step, a
    part of one or a shock of no duration: the instant at its end, the state after it, velocities that it would end with if nothing were
    touched, what impulses change in them, q̇ at its middle for the velocities at its start, for these and at its end, percussions, residuals and sweeps of the
    solver, and how far positions were pushed out of boundaries.
    """
    nv = n - nq
    wide = 4 * m + 3 * m * nv + nv * nv + kept * (nv + 1) + nq
    y, z, gaps = np.empty((n, WIDTH)), np.empty((wide, WIDTH)), np.empty((4 * m, WIDTH))
    q, v, unbound, after, change = np.empty(nq), np.empty(nv), np.empty(nv), np.empty(nv), np.empty(nv)
    slow, fast, middle = np.empty(nq), np.empty(nq), np.empty(nq)
    first, last = np.empty((3 * m, nv + 1)), np.empty((3 * m, nv + 1))
    G_first, G_last = np.empty((kept, nv + 1)), np.empty((kept, nv + 1))
    gap, drift, H, M, G = np.empty(m), np.empty(3 * m), np.empty((3 * m, nv)), np.empty((nv, nv)), np.empty((kept, nv + 1))
    active, hit, apart = np.zeros(m, dtype=np.bool_), np.zeros(m, dtype=np.bool_), np.ones(m, dtype=np.bool_)
    work, unused = space(n), np.empty((n, WIDTH))
    waiting, broken = np.zeros(WIDTH, dtype=np.bool_), np.zeros(WIDTH, dtype=np.bool_)
    done, k = 0, 0
    for i in range(nq):
        q[i] = x[i, 0]
    for i in range(nv):
        v[i] = x[nq + i, 0]
    while done < steps and k + 2 * LOCATED + 1 <= len(states):
        now, end, cuts = t + done * h, t + (done + 1) * h, 0
        length, whole = h, False
        while not whole:
            _free(motion, rows, x, n, nq, q, v, now, length, y, z, unbound, slow, fast)
            cut = -1.0
            if located and cuts < LOCATED:
                cut = first_impact(distances, x, n, nq, q, slow, fast, now, length, h, gaps, apart, hit)
            for _ in range(REFINED if 0.0 < cut < length else 0):
                _free(motion, rows, x, n, nq, q, v, now, cut, y, z, unbound, slow, fast)
                better = cut - overshoot(distances, x, n, nq, q, slow, fast, now, cut, gaps, hit)
                small = abs(better - cut) <= 1e-15 * (abs(now) + cut)
                cut = min(max(better, 0.0), length)
                if small:
                    break
            whole = cut < 0.0
            part = length if whole else cut
            if part > 0.0:
                _free(motion, rows, x, n, nq, q, v, now, part, y, z, unbound, slow, fast)
                _read(z, gap, drift, H, M, G)
                for i in range(nq):
                    middle[i] = x[i, 0]
                touched = 0
                for c in range(m):
                    speed = drift[3 * c]
                    for j in range(nv):
                        speed += H[3 * c, j] * unbound[j]
                    active[c] = gap[c] + 0.5 * part * speed <= 0.0 and (whole or not hit[c])
                    touched += active[c]
                if touched:
                    for i in range(nq):
                        _set(x, i, q[i] + 0.5 * part * (slow[i] + fast[i]))
                        x[i, 1] = q[i]
                    _set(x, n, now + part)
                    x[n, 1] = now
                    run_lanes(rows, x, z)
                    _read_law(z, nv, 0, last, G_last)
                    _read_law(z, nv, 1, first, G_first)
                    for i in range(nq):
                        _set(x, i, middle[i])
                residuals[k], sweeps[k] = _impulses_of(touched, active, H, M, G, last, G_last, first, v, unbound, law, e, mu, P, tolerance,
                                                       most, percussions[k], change)  # fmt: skip
                for j in range(nv):
                    after[j] = unbound[j] + change[j]
                _set_all(x, nq, after)
                run_lanes(rows, x, z)
                for i in range(nq):
                    rates[k, 0, i], rates[k, 1, i], rates[k, 2, i] = slow[i], fast[i], z[wide - nq + i, 0]
                    q[i] += 0.5 * part * (slow[i] + rates[k, 2, i])
                _to_length_one(q, quaternions)
                now = end if whole else now + part
                corrections[k] = _corrected(rows, x, n, nq, q, now, quaternions, z, gap, drift, H, M, G, active, percussions[k],
                                            touched, change)  # fmt: skip
                for j in range(nv):
                    v[j], free[k, j], jumps[k, j] = after[j], unbound[j], after[j] - unbound[j]
                ends[k] = now
                if held:
                    _set_all(x, 0, q)
                    _set_all(x, nq, v)
                    _set(x, n, now)
                    waiting[:] = True
                    hold(held, x, n, work, unused, waiting, broken)
                    for i in range(nq):
                        q[i] = x[i, 0]
                    for j in range(nv):
                        v[j] = x[nq + j, 0]
                    if broken[0]:
                        return k, done, TORN
                if not _written(states[k], q, v, residuals[k] <= tolerance):
                    return k, done, UNSOLVED
                k += 1
            if not whole:
                _set_all(x, 0, q)
                _set_all(x, nq, v)
                _set(x, n, now)
                run_lanes(rows, x, z)
                _read(z, gap, drift, H, M, G)
                touched = 0
                for c in range(m):
                    active[c] = hit[c] or gap[c] <= touching(q)
                    touched += active[c]
                for j in range(3 * m):
                    P[j] = 0.0
                _read_law(z, nv, 0, last, G_last)
                residuals[k], sweeps[k] = _impulses_of(touched, active, H, M, G, last, G_last, last, v, v, law, e, mu, P, tolerance,
                                                       most, percussions[k], change)  # fmt: skip
                for j in range(nv):
                    free[k, j], jumps[k, j] = v[j], change[j]
                    v[j] += change[j]
                rates[k, :, :] = 0.0
                corrections[k], ends[k] = 0.0, now
                if not _written(states[k], q, v, residuals[k] <= tolerance):
                    return k, done, UNSOLVED
                k += 1
                cuts += 1
                length = end - now
                whole = length <= 1e-13 * h
        done += 1
    _set_all(x, 0, q)
    _set_all(x, nq, v)
    return k, done, DONE


@njit(nogil=True, cache=True)
def _free(motion, rows, x, n, nq, q, v, t, h, y, z, unbound, slow, fast):
    """One step without boundaries: velocities at its end, q̇ for those at both ends, and the rows of boundaries in its middle in z."""
    nv = n - nq
    _set_all(x, 0, q)
    _set_all(x, nq, v)
    _set(x, n, t)
    run_lanes(motion, x, y)
    for i in range(nq):
        _set(x, i, q[i] + 0.5 * h * y[i, 0])
    for i in range(nv):
        _set(x, nq + i, v[i] + 0.5 * h * y[nq + i, 0])
    _set(x, n, t + 0.5 * h)
    run_lanes(motion, x, y)
    for i in range(nv):
        unbound[i] = v[i] + h * y[nq + i, 0]
        _set(x, nq + i, unbound[i])
        x[nq + i, 1] = v[i]
    run_lanes(rows, x, z)
    first = len(z) - nq
    for i in range(nq):
        slow[i], fast[i] = z[first + i, 1], z[first + i, 0]


@njit(nogil=True, cache=True)
def _written(state, q, v, solved):
    """Whether a state that was reached is finite and its impulses are found; it is written."""
    nq, fine = len(q), solved
    for i in range(nq):
        state[i] = q[i]
        fine = fine and np.isfinite(q[i])
    for i in range(len(v)):
        state[nq + i] = v[i]
        fine = fine and np.isfinite(v[i])
    return fine


@njit(nogil=True, cache=True)
def _corrected(rows, x, n, nq, q, t, quaternions, z, gap, drift, H, M, G, active, percussions, touched, change):
    """How far the coordinates are moved, in place, to open the gaps that press."""
    _set_all(x, 0, q)
    _set(x, n, t)
    moved, first = 0.0, len(z) - nq
    for _ in range(CORRECTIONS if touched else 0):
        run_lanes(rows, x, z)
        _read(z, gap, drift, H, M, G)
        if not _pushed_out(gap, H, M, G, active, percussions, q, change):
            break
        _set_all(x, nq, change)
        run_lanes(rows, x, z)
        for i in range(nq):
            moved = max(moved, abs(z[first + i, 0]))
            q[i] += z[first + i, 0]
        _to_length_one(q, quaternions)
        _set_all(x, 0, q)
    return moved


@njit(nogil=True, cache=True)
def _impulses_of(touched, active, H, M, G, last, G_last, first, v, unbound, law, e, mu, P, tolerance, most, percussions, change):
    """Residual and sweeps of the impulses, which are written, as is the change of velocity they make; P is taken along."""
    error, count = 0.0, 0
    for j in range(len(percussions)):
        percussions[j] = 0.0
    for j in range(len(change)):
        change[j] = 0.0
    if touched:
        error, count = _hit(touched, active, H, M, G, last, G_last, first, v, unbound, law, e, mu, P, tolerance, most, percussions,
                            change)  # fmt: skip
    for j in range(len(percussions)):
        P[j] = percussions[j]
    return error, count


@njit(nogil=True, cache=True)
def _hit(touched, active, H, M, G, last, G_last, first, v, unbound, law, e, mu, P, tolerance, most, percussions, change):
    """Percussions of the active boundaries and the change of velocity they make; residual and sweeps.

    ``H``, ``M``, ``G``: in the middle of the step, where impulses act. The law is about speeds at its ends, (3 m, nv + 1) with drifts in the
    last column: ``first`` where it begins and ``last`` where it would end, so that what stays closed moves along the boundary there.
    Speeds are those of velocities that the two-sided conditions ``G_last`` allow.
    """
    nv, size = len(v), 3 * touched
    J_last = np.empty((size, nv))
    J, u_free, u_before, part = np.empty((size, nv)), np.empty(size), np.empty(size), np.empty(size)
    kinds, ratios, axes = np.empty(touched, dtype=np.int64), np.empty(touched), np.empty((touched, 2))
    K, bound, nowhere = inverse(M), unbound.copy(), np.zeros(nv)
    put_on_bonds(K.copy(), G_last, bound, nowhere)
    put_on_bonds(K, G, nowhere, nowhere)
    own = 0
    for c in range(len(active)):
        if not active[c]:
            continue
        kinds[own], ratios[own], axes[own, 0], axes[own, 1] = law[c], e[c], mu[c, 0], mu[c, 1]
        for k in range(3):
            part[3 * own + k] = P[3 * c + k]
            u_free[3 * own + k], u_before[3 * own + k] = last[3 * c + k, nv], first[3 * c + k, nv]
            for j in range(nv):
                J[3 * own + k, j] = H[3 * c + k, j]
                J_last[3 * own + k, j] = last[3 * c + k, j]
                u_free[3 * own + k] += last[3 * c + k, j] * bound[j]
                u_before[3 * own + k] += first[3 * c + k, j] * v[j]
        own += 1
    error, count = shock(between(J_last, K, J), u_free, u_before, kinds, ratios, axes, part, tolerance, most)
    work = np.empty(nv)
    transposed_product(J, part, work)
    product(K, work, change)
    own = 0
    for c in range(len(active)):
        if active[c]:
            for k in range(3):
                percussions[3 * c + k] = part[3 * own + k]
            own += 1
    return error, count


@njit(nogil=True, cache=True)
def _pushed_out(gap, H, M, G, active, percussions, q, change):
    """The smallest displacement (nv,) in the kinetic metric that opens the gaps which press and are negative, and closes no others; False
    if there are none."""
    size, deepest = 1.0, 0.0
    for i in range(len(q)):
        size = max(size, abs(q[i]))
    for c in range(len(gap)):
        if active[c] and percussions[3 * c] > 0.0:
            deepest = max(deepest, -gap[c])
    if deepest <= ROUND_OFF * size:
        return False
    count = 0
    for c in range(len(gap)):
        count += gap[c] < NEARBY * deepest
    nv = H.shape[1]
    nowhere = np.zeros(nv)
    J, free, P = np.zeros((3 * count, nv)), np.zeros(3 * count), np.zeros(3 * count)
    own = 0
    for c in range(len(gap)):
        if gap[c] < NEARBY * deepest:
            free[3 * own] = gap[c]
            for k in range(nv):
                J[3 * own, k] = H[3 * c, k]
            own += 1
    K, nothing = inverse(M), np.zeros(count)
    put_on_bonds(K, G, nowhere, nowhere)
    impulses(congruence(J, K), free, nothing, nothing, -np.ones((count, 2)), P, 1e-12, 2000)
    work = np.empty(nv)
    transposed_product(J, P, work)
    product(K, work, change)
    return True


@njit(nogil=True, cache=True)
def _read(z, gap, drift, H, M, G):
    """Gaps, drifts, slopes, mass matrix, and slopes with drifts of two-sided conditions, from one evaluation."""
    m, nv = len(gap), len(M)
    for c in range(m):
        gap[c] = z[c, 0]
    for k in range(3 * m):
        drift[k] = z[m + k, 0]
        for j in range(nv):
            H[k, j] = z[4 * m + k * nv + j, 0]
    first = 4 * m + 3 * m * nv
    for i in range(nv):
        for j in range(nv):
            M[i, j] = z[first + i * nv + j, 0]
    first += nv * nv
    for i in range(len(G)):
        for j in range(nv):
            G[i, j] = z[first + i * nv + j, 0]
        G[i, nv] = z[first + len(G) * nv + i, 0]


@njit(nogil=True, cache=True)
def _read_law(z, nv, lane, H, G):
    """Slopes with drifts of boundaries and of two-sided conditions, from one lane of an evaluation."""
    m = len(H) // 3
    for k in range(3 * m):
        H[k, nv] = z[m + k, lane]
        for j in range(nv):
            H[k, j] = z[4 * m + k * nv + j, lane]
    start = 4 * m + 3 * m * nv + nv * nv
    for i in range(len(G)):
        for j in range(nv):
            G[i, j] = z[start + i * nv + j, lane]
        G[i, nv] = z[start + len(G) * nv + i, lane]


@njit(nogil=True, cache=True)
def _set(x, i, value):
    for j in range(WIDTH):
        x[i, j] = value


@njit(nogil=True, cache=True)
def _set_all(x, first, values):
    for i in range(len(values)):
        _set(x, first + i, values[i])


@njit(nogil=True, cache=True)
def _to_length_one(q, quaternions):
    for k in range(len(quaternions)):
        i = quaternions[k]
        size = np.sqrt(q[i] ** 2 + q[i + 1] ** 2 + q[i + 2] ** 2 + q[i + 3] ** 2)
        for j in range(4):
            q[i + j] /= size
