"""Moreau–Jean time stepping of a tree with boundaries: velocities jump, positions do not."""

import numpy as np
from numba import njit

from vinculum.kernels.calls import WIDTH, run_lanes
from vinculum.kernels.dense import between, congruence, inverse, product, transposed_product
from vinculum.kernels.finished_shocks import finished_shock
from vinculum.kernels.held_lanes import hold, space
from vinculum.kernels.impact_times import first_impact, overshoot, touching
from vinculum.kernels.shock_laws import impulses, put_on_bonds
from vinculum.kernels.theta_steps import theta_step
from vinculum.kernels.tree_steps import kept_in_mind, pressed, room_for_contacts, warmed, with_contacts

CORRECTIONS = 4
LOCATED = 4
"""Most times that one step is cut for a shock."""
REFINED = 4
ROUNDS = 40
"""Most times that impulses are solved for anew with the forces that they change."""
DONE, UNSOLVED, TORN, FULL, UNSETTLED = 0, 1, 2, 3, 4
ROUND_OFF = 1e-14
CLOSING = 0.125
"""A gap between shapes is closed that would be at the end of a step within this part of the way that forces make of the fastest there:
what stays closed only since others press on it neither closes nor opens by itself."""
NEARBY = 10.0
"""Gaps narrower than this many times the deepest penetration may be closed by pushing that one out."""


@njit(nogil=True, cache=True)
def time_steps(motion, rows, distances, held, x, n, nq, m, kept, quaternions, t, h, theta, steps, located, lenient, law, e, mu,
               sought, tolerance, most, P, ends, states, free, jumps, rates, percussions, residuals, sweeps, corrections, shapes,
               work):  # fmt: skip
    """Take up to ``steps`` steps of length h from the state in x[:n]; the number of records written, of steps taken, and whether all went
    well: `DONE`, `UNSOLVED`, `TORN`, `FULL` or `UNSETTLED`; what went wrong is one record beyond.

    ``motion``, ``rows``, ``distances``, ``held``: addresses of the tapes `motion`, `boundaries`, `distances` and `held`, the last one zero
    without two-sided conditions, of which there are ``kept`` rows: every step ends where they hold. ``located``: whether a step is cut
    where a gap closes swiftly, and the shock happens there in no time. ``theta``: as in `theta_step`; ``lenient``: whether steps go on
    whose forces do not settle, as those that leap.
    ``P``: (3 b,), the last impulses, with which the next are begun, of b triples of rows: those of m boundaries, and about axes of those
    that resist rolling. ``law``, ``e``: (b,), ``mu``: (b, 3) as in `add_rows`. Impulses are ``sought`` to this residual; above
    ``tolerance`` the run ends. ``shapes``: address of the tape `shapes`, whose contacts are found in ``work``; None if no shapes meet,
    and if they do, no step is cut. The nine from ``ends`` on are written a row a record, which is a step, a
    part of one or a shock of no duration: the instant at its end, the state after it, velocities that it would end with if nothing were
    touched, what impulses change in them, q̇ at its middle for the velocities at its start, for these and at its end,
    percussions, residuals and sweeps of the solver, and how far positions were pushed out of boundaries.
    """
    # counts begin as np.int64(0): a plain 0 is a type of its own, for which all that is called is compiled once more
    nv, b = n - nq, len(e)
    wide = m + 3 * b + 3 * b * nv + nv * nv + kept * (nv + 1) + nq
    room = b + room_for_contacts(work)
    y, z, gaps = np.empty((n, WIDTH)), np.empty((wide, WIDTH)), np.empty((m + 3 * b, WIDTH))
    q, v, unbound, after, change = np.empty(nq), np.empty(nv), np.empty(nv), np.empty(nv), np.zeros(nv)
    before, nothing = np.empty(nv), np.zeros(nv)
    slow, fast, middle, place = np.empty(nq), np.empty(nq), np.empty(nq), np.empty(nq)
    first, last = np.empty((3 * room, nv + 1)), np.empty((3 * room, nv + 1))
    G_first, G_last = np.empty((kept, nv + 1)), np.empty((kept, nv + 1))
    forecast, gap, drift, H = np.empty(room), np.full(room, np.inf), np.empty(3 * room), np.empty((3 * room, nv))
    M, G = np.empty((nv, nv)), np.empty((kept, nv + 1))
    active, hit, apart = np.zeros(room, dtype=np.bool_), np.zeros(m, dtype=np.bool_), np.ones(m, dtype=np.bool_)
    later = np.zeros(m, dtype=np.bool_)
    kinds, ratios, axes = np.empty(room, dtype=np.int64), np.empty(room), np.empty((room, 3))
    begun, made, triple = np.zeros(3 * room), np.zeros(3 * room), np.empty(room, dtype=np.int64)
    kinds[:b], ratios[:b], axes[:b] = law, e, mu
    T, count = b, 0
    holding, unused = space(n), np.empty((n, WIDTH))
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
            fine = theta_step(
                motion,
                rows,
                x,
                n,
                nq,
                quaternions,
                q,
                v,
                now,
                length,
                theta,
                nothing,
                y,
                z,
                middle,
                unbound,
                slow,
                fast,
            )
            cut = -1.0
            later[:] = False
            if located and cuts < LOCATED:
                cut = first_impact(
                    distances, x, n, nq, q, slow, fast, v, unbound, now, length, h, gaps, apart, hit, later
                )
            for _ in range(REFINED if 0.0 < cut < length else 0):
                theta_step(
                    motion,
                    rows,
                    x,
                    n,
                    nq,
                    quaternions,
                    q,
                    v,
                    now,
                    cut,
                    theta,
                    nothing,
                    y,
                    z,
                    middle,
                    unbound,
                    slow,
                    fast,
                )
                better = cut - overshoot(distances, x, n, nq, q, slow, fast, now, cut, gaps, hit)
                small = abs(better - cut) <= 1e-15 * (abs(now) + cut)
                cut = min(max(better, 0.0), length)
                if small:
                    break
            whole = cut < 0.0
            part = length if whole else cut
            if part > 0.0:
                if not whole:
                    fine = theta_step(
                        motion,
                        rows,
                        x,
                        n,
                        nq,
                        quaternions,
                        q,
                        v,
                        now,
                        part,
                        theta,
                        nothing,
                        y,
                        z,
                        middle,
                        unbound,
                        slow,
                        fast,
                    )
                _to_the_middle(x, n, nq, q, slow, fast, now, part, quaternions, place)
                _set_all(x, nq, unbound)
                begun[: 3 * b] = P
                T, count = with_contacts(shapes, x, nq, part, work, b, gap, drift, H, kinds, ratios, axes, triple)
                if count < 0:
                    return k, done, FULL
                warmed(count, work, axes[:T], triple, begun)
                for i in range(nq):
                    _set(x, i, q[i] + 0.5 * part * (slow[i] + fast[i]))
                    x[i, 1] = q[i]
                for j in range(nv):
                    x[nq + j, 1] = v[j]
                _set(x, n, now + part)
                x[n, 1] = now
                if m:
                    run_lanes(distances, x, gaps)
                gain = 0.0
                for c in range(T):
                    if axes[c, 2] < 0.0:
                        forecast[c], more = _forecast(c, m, gaps, gap[c], drift, H, v, unbound, part)
                        gain = max(gain, more)
                touched = np.int64(0)
                for c in range(T):
                    if axes[c, 2] >= 0.0:
                        active[c] = active[int(axes[c, 2])]
                    else:
                        active[c] = not forecast[c] > (touching(q) if c < m else CLOSING * part * gain)
                        if c < m and (later[c] if whole else hit[c]):
                            active[c] = False
                    touched += active[c]
                made[:] = change[:] = 0.0
                residuals[k], sweeps[k] = 0.0, 0
                for _ in range(ROUNDS if touched else 0):
                    _to_the_middle(x, n, nq, q, slow, fast, now, part, quaternions, place)
                    run_lanes(rows, x, z)
                    _read(z, gap[:m], drift[: 3 * b], H[: 3 * b], M, G)
                    for i in range(nq):
                        _set(x, i, q[i] + 0.5 * part * (slow[i] + fast[i]))
                        x[i, 1] = q[i]
                    _set(x, n, now + part)
                    x[n, 1] = now
                    run_lanes(rows, x, z)
                    _read_law(z, m, nv, 0, last[: 3 * b], G_last)
                    _read_law(z, m, nv, 1, first[: 3 * b], G_first)
                    _as_in_the_middle(H, drift, 3 * b, 3 * T, first, last)
                    before[:] = change
                    residuals[k], more = _hit(touched, active[:T], H, M, G, last, G_last, first, v, unbound, kinds, ratios, axes, begun,
                                              sought, most, made, change)  # fmt: skip
                    sweeps[k] += more
                    if _close(change, before, tolerance) or not residuals[k] <= tolerance:
                        break
                    before[:] = unbound
                    fine = theta_step(
                        motion,
                        rows,
                        x,
                        n,
                        nq,
                        quaternions,
                        q,
                        v,
                        now,
                        part,
                        theta,
                        change,
                        y,
                        z,
                        middle,
                        unbound,
                        slow,
                        fast,
                    )
                    if not fine or _close(unbound, before, ROUND_OFF):
                        break
                    begun[:] = made
                if not fine and not lenient and _all_finite(unbound):
                    return k, done, UNSETTLED
                for j in range(3 * b):
                    percussions[k, j] = P[j] = made[j]
                if not kept_in_mind(k, count, work, axes[:T], triple, active, made):
                    return k, done, FULL
                for j in range(nv):
                    after[j] = unbound[j] + change[j]
                _set_all(x, 0, middle)
                _set_all(x, nq, after)
                _set(x, n, now + 0.5 * part)
                run_lanes(rows, x, z)
                for i in range(nq):
                    rates[k, 0, i], rates[k, 1, i], rates[k, 2, i] = slow[i], fast[i], z[wide - nq + i, 0]
                    q[i] += 0.5 * part * (slow[i] + rates[k, 2, i])
                _to_length_one(q, quaternions)
                now = end if whole else now + part
                moved = _corrected(rows, x, n, nq, m, b, q, now, quaternions, z, gap, drift, H, M, G, active, made, touched,
                                   change, shapes, work, kinds, ratios, axes, triple)  # fmt: skip
                if moved < 0.0:
                    return k, done, FULL
                corrections[k] = moved
                for j in range(nv):
                    v[j], free[k, j], jumps[k, j] = after[j], unbound[j], after[j] - unbound[j]
                ends[k] = now
                if held:
                    _set_all(x, 0, q)
                    _set_all(x, nq, v)
                    _set(x, n, now)
                    waiting[:] = True
                    hold(held, x, n, holding, unused, waiting, broken)
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
                _read(z, gap[:m], drift[: 3 * b], H[: 3 * b], M, G)
                touched = np.int64(0)
                for c in range(b):
                    active[c] = active[int(axes[c, 2])] if axes[c, 2] >= 0.0 else hit[c] or gap[c] <= touching(q)
                    touched += active[c]
                for j in range(3 * b):
                    begun[j] = 0.0
                _read_law(z, m, nv, 0, last[: 3 * b], G_last)
                made[:] = change[:] = 0.0
                residuals[k], sweeps[k] = 0.0, 0
                if touched:
                    residuals[k], sweeps[k] = _hit(touched, active[:b], H, M, G, last, G_last, last, v, v, kinds, ratios, axes, begun,
                                                   sought, most, made, change)  # fmt: skip
                for j in range(3 * b):
                    percussions[k, j] = P[j] = made[j]
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
def _corrected(rows, x, n, nq, m, b, q, t, quaternions, z, gap, drift, H, M, G, active, percussions, touched, change, shapes, work,
               kinds, ratios, axes, triple):  # fmt: skip
    """How far the coordinates are moved, in place, to open the gaps that press; negative where there was no room for contacts."""
    _set_all(x, 0, q)
    _set(x, n, t)
    moved, first = 0.0, len(z) - nq
    for _ in range(CORRECTIONS if touched else 0):
        run_lanes(rows, x, z)
        _read(z, gap[:m], drift[: 3 * b], H[: 3 * b], M, G)
        T, count = with_contacts(shapes, x, nq, 0.0, work, b, gap, drift, H, kinds, ratios, axes, triple)
        if count < 0:
            return -1.0
        pressed(count, work, triple, active, percussions)
        if not _pushed_out(gap[:T], H, M, G, active, percussions, q, change):
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
def _forecast(c, m, gaps, gap, drift, H, v, unbound, h):
    """The gap at the end of a step in which nothing is touched, and by how much its speed has changed then."""
    if c < m:
        return gaps[c, 0], abs(gaps[m + 3 * c, 0] - gaps[m + 3 * c, 1])
    speed, more = drift[3 * c], 0.0
    for j in range(len(v)):
        speed += H[3 * c, j] * 0.5 * (v[j] + unbound[j])
        more += H[3 * c, j] * (unbound[j] - v[j])
    return gap + 0.5 * h * speed, abs(more)


@njit(nogil=True, cache=True)
def _to_the_middle(x, n, nq, q, slow, fast, t, h, quaternions, place):
    """Set coordinates and time to where a step is in its middle, on its own parabola: there impulses act."""
    for i in range(nq):
        place[i] = q[i] + h * (0.375 * slow[i] + 0.125 * fast[i])
    _to_length_one(place, quaternions)
    _set_all(x, 0, place)
    _set(x, n, t + 0.5 * h)


@njit(nogil=True, cache=True)
def _close(a, b, tolerance):
    """Whether velocities (nv,) differ by no more than this part of the largest."""
    apart, size = 0.0, 0.0
    for j in range(len(a)):
        apart, size = max(apart, abs(a[j] - b[j])), max(size, abs(a[j]))
    return apart <= tolerance * size


@njit(nogil=True, cache=True)
def _all_finite(a):
    fine = True
    for j in range(len(a)):
        fine = fine and np.isfinite(a[j])
    return fine


@njit(nogil=True, cache=True)
def _hit(
    touched, active, H, M, G, last, G_last, first, v, unbound, law, e, mu, P, tolerance, most, percussions, change
):
    """Percussions of the active boundaries and the change of velocity they make; residual and sweeps.

    ``H``, ``M``, ``G``: in the middle of the step, where impulses act. The law is about speeds at its ends, (3 m, nv + 1) with drifts in
    the last column: ``first`` where it begins and ``last`` where it would end, so that what stays closed moves along the boundary there.
    Speeds are those of velocities that the two-sided conditions ``G_last`` allow.
    """
    nv, size = len(v), 3 * touched
    J_last = np.empty((size, nv))
    J, u_free, u_before, part = np.empty((size, nv)), np.empty(size), np.empty(size), np.empty(size)
    kinds, ratios, axes = np.empty(touched, dtype=np.int64), np.empty(touched), np.empty((touched, 3))
    place = np.empty(len(active), dtype=np.int64)
    K, bound, nowhere = inverse(M), unbound.copy(), np.zeros(nv)
    put_on_bonds(K.copy(), G_last, bound, nowhere)
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
    error, count = finished_shock(between(J_last, K, J), u_free, u_before, kinds, ratios, axes, part, tolerance, most)
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
    impulses(congruence(J, K), free, nothing, nothing, -np.ones((count, 2)), P, 1e-12, np.int64(2000))
    work = np.empty(nv)
    transposed_product(J, P, work)
    product(K, work, change)
    return True


@njit(nogil=True, cache=True)
def _read(z, gap, drift, H, M, G):
    """Gaps, drifts, slopes, mass matrix, and slopes with drifts of two-sided conditions, from one evaluation."""
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
        G[i, nv] = z[first + len(G) * nv + i, 0]


@njit(nogil=True, cache=True)
def _as_in_the_middle(H, drift, begin, end, first, last):
    """The law of contacts between shapes, which are found in the middle of a step, is about speeds there."""
    nv = H.shape[1]
    for k in range(begin, end):
        first[k, nv] = last[k, nv] = drift[k]
        for j in range(nv):
            first[k, j] = last[k, j] = H[k, j]


@njit(nogil=True, cache=True)
def _read_law(z, m, nv, lane, H, G):
    """Slopes with drifts of boundaries and of two-sided conditions, from one lane of an evaluation."""
    rows = len(H)
    for k in range(rows):
        H[k, nv] = z[m + k, lane]
        for j in range(nv):
            H[k, j] = z[m + rows + k * nv + j, lane]
    start = m + rows + rows * nv + nv * nv
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
