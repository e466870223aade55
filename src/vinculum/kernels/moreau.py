"""Moreau–Jean time stepping of a tree with boundaries: velocities jump, positions do not."""

import numpy as np
from numba import njit

from vinculum.kernels.calls import WIDTH, run_lanes
from vinculum.kernels.dense import congruence, product, transposed_product
from vinculum.kernels.finished_shocks import finished_shock
from vinculum.kernels.shock_laws import impulses, inverse_on_bonds
from vinculum.kernels.tree_contacts import FINE, STATUS, add_rows, found_contacts, pressing, recorded, warm

CORRECTIONS = 4
ROUND_OFF = 1e-14
NEARBY = 10.0
"""Gaps narrower than this many times the deepest penetration may be closed by pushing that one out."""


@njit(nogil=True, cache=True)
def time_steps(motion, rows, x, n, nq, m, kept, quaternions, t, h, steps, law, e, mu, sought, tolerance, most, P, states, free,
               rates, percussions, residuals, sweeps, corrections, shapes, work):  # fmt: skip
    """Take ``steps`` steps of length h from the state in x[:n]; the number taken, fewer if one has no solution.

    ``motion``, ``rows``: addresses of the tapes `motion` and `boundaries`. ``kept``: rows of two-sided conditions. ``P``: (3 b,),
    the last impulses, with which the next are begun, of b triples of rows: those of m boundaries, and about axes of those that resist
    rolling. ``law``, ``e``: (b,), ``mu``: (b, 3) as in `add_rows`. Impulses are ``sought`` to this residual; above ``tolerance`` the run
    ends. The next seven are written a row a step: states after it, velocities
    that it would end with if nothing were touched, q̇ at its middle for the velocities at its start, for these and at its end,
    percussions, residuals and sweeps of the solver, and how far positions were pushed out of boundaries.
    ``shapes``: address of the tape `shapes`, whose contacts are found in ``work``; None if no shapes meet.
    """
    nv, b = n - nq, len(e)
    wide = m + 3 * b + 3 * b * nv + nv * nv + kept * nv + nq
    room = b if work is None else b + 2 * len(work[4][3])
    y, z = np.empty((n, WIDTH)), np.empty((wide, WIDTH))
    q, v, unbound, after, change = np.empty(nq), np.empty(nv), np.empty(nv), np.empty(nv), np.empty(nv)
    gap, drift, H, M, G = (
        np.full(room, np.inf),
        np.empty(3 * room),
        np.empty((3 * room, nv)),
        np.empty((nv, nv)),
        np.empty((kept, nv)),
    )
    active = np.zeros(room, dtype=np.bool_)
    kinds, ratios, axes = np.empty(room, dtype=np.int64), np.empty(room), np.empty((room, 3))
    begun, made, triple = np.zeros(3 * room), np.zeros(3 * room), np.empty(room, dtype=np.int64)
    kinds[:b], ratios[:b], axes[:b] = law, e, mu
    for step in range(steps):
        now = t + step * h
        _set_time(x, n, now)
        run_lanes(motion, x, y)
        for i in range(nq):
            q[i] = x[i, 0]
            _set(x, i, q[i] + 0.5 * h * y[i, 0])
        for i in range(nv):
            v[i] = x[nq + i, 0]
            _set(x, nq + i, v[i] + 0.5 * h * y[nq + i, 0])
        _set_time(x, n, now + 0.5 * h)
        run_lanes(motion, x, y)
        for i in range(nv):
            unbound[i] = v[i] + h * y[nq + i, 0]
            _set(x, nq + i, unbound[i])
        run_lanes(rows, x, z)
        _read(z, gap[:m], drift[: 3 * b], H[: 3 * b], M, G)
        T = b
        begun[: 3 * b] = P
        if work is not None:
            count = found_contacts(shapes, x, nq, h, work)
            if work[8][STATUS] != FINE:
                return step
            T = add_rows(count, b, work, gap, drift, H, kinds, ratios, axes, triple)
            warm(count, work, axes[:T], triple, begun)
        touched = 0
        for c in range(T):
            if axes[c, 2] >= 0.0:
                active[c] = active[int(axes[c, 2])]
            else:
                speed = drift[3 * c]
                for k in range(nv):
                    speed += H[3 * c, k] * unbound[k]
                active[c] = gap[c] + 0.5 * h * speed <= 0.0
            touched += active[c]
        for i in range(nq):
            rates[step, 1, i] = z[wide - nq + i, 0]
        residuals[step], sweeps[step] = 0.0, 0
        for k in range(3 * T):
            made[k] = 0.0
        for k in range(nv):
            after[k] = unbound[k]
        if touched:
            residuals[step], sweeps[step] = _hit(
                touched, active[:T], H, drift, M, G, v, unbound, kinds, ratios, axes, begun, sought, most, made, change
            )
            for k in range(nv):
                after[k] += change[k]
        for k in range(3 * b):
            percussions[step, k] = P[k] = made[k]
        if work is not None and not recorded(step, count, work, axes[:T], triple, active, made):
            return step
        _set_all(x, nq, v)
        run_lanes(rows, x, z)
        for i in range(nq):
            rates[step, 0, i] = z[wide - nq + i, 0]
        _set_all(x, nq, after)
        run_lanes(rows, x, z)
        for i in range(nq):
            rates[step, 2, i] = z[wide - nq + i, 0]
            q[i] += 0.5 * h * (rates[step, 0, i] + rates[step, 2, i])
        _to_length_one(q, quaternions)
        _set_all(x, 0, q)
        _set_time(x, n, now + h)
        corrections[step] = 0.0
        for _ in range(CORRECTIONS if touched else 0):
            run_lanes(rows, x, z)
            _read(z, gap[:m], drift[: 3 * b], H[: 3 * b], M, G)
            if work is not None:
                count = found_contacts(shapes, x, nq, 0.0, work)
                if work[8][STATUS] != FINE:
                    return step
                T = add_rows(count, b, work, gap, drift, H, kinds, ratios, axes, triple)
                pressing(count, work, triple, active, made)
            if not _pushed_out(gap[:T], H, M, G, active, made, q, change):
                break
            _set_all(x, nq, change)
            run_lanes(rows, x, z)
            for i in range(nq):
                moved = z[wide - nq + i, 0]
                corrections[step] = max(corrections[step], abs(moved))
                q[i] += moved
            _to_length_one(q, quaternions)
            _set_all(x, 0, q)
        _set_all(x, nq, after)
        finite = residuals[step] <= tolerance
        for i in range(nq):
            states[step, i] = q[i]
            finite = finite and np.isfinite(q[i])
        for i in range(nv):
            states[step, nq + i] = after[i]
            free[step, i] = unbound[i]
            finite = finite and np.isfinite(after[i])
        if not finite:
            return step
    return steps


@njit(nogil=True, cache=True)
def _hit(touched, active, H, drift, M, G, v, unbound, law, e, mu, P, tolerance, most, percussions, change):
    """Percussions of the active boundaries and the change of velocity they make; residual and sweeps."""
    nv, size = len(v), 3 * touched
    J, u_free, u_before, part = np.empty((size, nv)), np.empty(size), np.empty(size), np.empty(size)
    kinds, ratios, axes = np.empty(touched, dtype=np.int64), np.empty(touched), np.empty((touched, 3))
    place = np.empty(len(active), dtype=np.int64)
    own = 0
    for c in range(len(active)):
        if not active[c]:
            continue
        kinds[own], ratios[own], axes[own, 0], axes[own, 1] = law[c], e[c], mu[c, 0], mu[c, 1]
        axes[own, 2] = place[int(mu[c, 2])] if mu[c, 2] >= 0.0 else -1.0
        place[c] = own
        for k in range(3):
            part[3 * own + k] = P[3 * c + k]
            u_free[3 * own + k], u_before[3 * own + k] = drift[3 * c + k], drift[3 * c + k]
            for j in range(nv):
                J[3 * own + k, j] = H[3 * c + k, j]
                u_free[3 * own + k] += H[3 * c + k, j] * unbound[j]
                u_before[3 * own + k] += H[3 * c + k, j] * v[j]
        own += 1
    K = inverse_on_bonds(M, G)
    error, count = finished_shock(congruence(J, K), u_free, u_before, kinds, ratios, axes, part, tolerance, most)
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
    J, free, P = np.zeros((3 * count, nv)), np.zeros(3 * count), np.zeros(3 * count)
    own = 0
    for c in range(len(gap)):
        if gap[c] < NEARBY * deepest:
            free[3 * own] = gap[c]
            for k in range(nv):
                J[3 * own, k] = H[3 * c, k]
            own += 1
    K, nothing = inverse_on_bonds(M, G), np.zeros(count)
    impulses(congruence(J, K), free, nothing, nothing, -np.ones((count, 2)), P, 1e-12, 2000)
    work = np.empty(nv)
    transposed_product(J, P, work)
    product(K, work, change)
    return True


@njit(nogil=True, cache=True)
def _read(z, gap, drift, H, M, G):
    """Gaps, drifts, slopes, mass matrix and slopes of two-sided conditions, from one evaluation."""
    m, rows, nv = len(gap), len(drift), len(M)
    for c in range(m):
        gap[c] = z[c, 0]
    for k in range(rows):
        drift[k] = z[m + k, 0]
        for j in range(nv):
            H[k, j] = z[m + rows + k * nv + j, 0]
    first = m + rows + rows * nv
    for i in range(nv):
        for j in range(nv):
            M[i, j] = z[first + i * nv + j, 0]
    first += nv * nv
    for i in range(len(G)):
        for j in range(nv):
            G[i, j] = z[first + i * nv + j, 0]


@njit(nogil=True, cache=True)
def _set(x, i, value):
    for j in range(WIDTH):
        x[i, j] = value


@njit(nogil=True, cache=True)
def _set_all(x, first, values):
    for i in range(len(values)):
        _set(x, first + i, values[i])


@njit(nogil=True, cache=True)
def _set_time(x, n, t):
    _set(x, n, t)


@njit(nogil=True, cache=True)
def _to_length_one(q, quaternions):
    for k in range(len(quaternions)):
        i = quaternions[k]
        size = np.sqrt(q[i] ** 2 + q[i + 1] ** 2 + q[i + 2] ** 2 + q[i + 3] ** 2)
        for j in range(4):
            q[i + j] /= size
