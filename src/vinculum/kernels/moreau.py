"""Moreau–Jean time stepping of a tree with boundaries: velocities jump, positions do not."""

import numpy as np
from numba import njit

from vinculum.kernels.calls import WIDTH, run_lanes
from vinculum.kernels.held_lanes import hold, space
from vinculum.kernels.impact_times import first_impact, overshoot, touching
from vinculum.kernels.step_impulses import ROUND_OFF, corrected, hit
from vinculum.kernels.step_rows import as_in_the_middle, put, put_all, read, read_law, to_length_one, to_the_middle
from vinculum.kernels.theta_steps import theta_step
from vinculum.kernels.tree_steps import kept_in_mind, moved_contacts, room_for_contacts, warmed, with_contacts

LOCATED = 4
"""Most times that one step is cut for a shock."""
REFINED = 4
ROUNDS = 40
"""Most times that impulses are solved for anew with the forces that they change."""
DONE, UNSOLVED, TORN, FULL, UNSETTLED = 0, 1, 2, 3, 4
CLOSING = 0.125
"""A gap between shapes is closed that would be at the end of a step within this part of the way that forces make of the fastest there:
what stays closed only since others press on it neither closes nor opens by itself."""


@njit(nogil=True, cache=True)
def time_steps(tapes, x, sizes, quaternions, t, h, steps, rules, law, P, records, work):
    """Take up to ``steps`` steps of length h from the state in x[:n]; the number of records written, of steps taken, and whether all went
    well: `DONE`, `UNSOLVED`, `TORN`, `FULL` or `UNSETTLED`; what went wrong is one record beyond.

    ``tapes``: addresses of `motion`, `boundaries`, `distances`, `held`, the last one zero without two-sided conditions, which hold where a
    step ends, and `shapes`, whose contacts are found in ``work``; both are None if no shapes meet, and if they do, no step is cut.
    ``sizes``: n, nq, m boundaries, and rows of two-sided conditions. ``rules``: θ as in `theta_step`; whether a step is cut where a gap
    closes swiftly, and the shock happens there in no time; whether steps go on whose forces do not settle, as those that leap; the residual
    to which impulses are sought, the one above which the run ends, and the most sweeps.
    ``P``: (3 b,), the last impulses, with which the next are begun, of b triples of rows: those of m boundaries, and about axes of those
    that resist rolling. ``law``: kinds and ratios (b,), half axes (b, 3) as in `add_rows`.
    ``records`` are written a row each, which is a step, a part of one or a shock of no duration: the instant at its end, the state after
    it, velocities that it would end with if nothing were touched, what impulses change in them, q̇ at its middle for the velocities at its
    start, for these and at its end, percussions, residuals and sweeps of the solver, and how far positions were pushed out of boundaries.
    """
    motion, tape, distances, held, shapes = tapes
    n, nq, m, kept = sizes
    theta, located, lenient, residual, tolerance, most = rules
    ends, states, free, jumps, rates, percussions, residuals, sweeps, corrections = records
    nv, b = n - nq, len(law[1])
    room = b + room_for_contacts(work)
    y, z = np.empty((n, WIDTH)), np.empty((m + 3 * b + 3 * b * nv + nv * nv + kept * (nv + 1) + nq, WIDTH))
    gaps = np.empty((m + 3 * b, WIDTH))
    q, v, place, after, change, made = (
        np.empty(nq),
        np.empty(nv),
        np.empty(nq),
        np.empty(nv),
        np.zeros(nv),
        np.zeros(3 * room),
    )
    unbound, middle, slow, fast = np.empty(nv), np.empty(nq), np.empty(nq), np.empty(nq)
    first, last, G_last = np.empty((3 * room, nv + 1)), np.empty((3 * room, nv + 1)), np.empty((kept, nv + 1))
    gap, drift, H = np.full(room, np.inf), np.empty(3 * room), np.empty((3 * room, nv))
    M, G = np.empty((nv, nv)), np.empty((kept, nv + 1))
    active, struck, apart = np.zeros(room, dtype=np.bool_), np.zeros(m, dtype=np.bool_), np.ones(m, dtype=np.bool_)
    later, nothing, begun = np.zeros(m, dtype=np.bool_), np.zeros(nv), np.zeros(3 * room)
    kinds, ratios, axes, triple = (
        np.empty(room, dtype=np.int64),
        np.empty(room),
        np.empty((room, 3)),
        np.empty(room, dtype=np.int64),
    )
    kinds[:b], ratios[:b], axes[:b] = law
    holding, unused = space(n), np.empty((n, WIDTH))
    waiting, broken = np.zeros(WIDTH, dtype=np.bool_), np.zeros(WIDTH, dtype=np.bool_)
    program, found, whole_rows = (
        (motion, tape, x, n, nq, quaternions),
        (unbound, middle, slow, fast),
        (gap, drift, H, M, G),
    )
    rows = (gap[:m], drift[: 3 * b], H[: 3 * b], M, G)
    laws, sides, sought, answer = (kinds, ratios, axes, triple), (first, last, G_last), (residual, most), (made, change)
    watched = (gaps, apart, struck, later)
    done, k = 0, 0
    for i in range(nq):
        q[i] = x[i, 0]
    for i in range(nv):
        v[i] = x[nq + i, 0]
    while done < steps and k + 2 * LOCATED + 1 <= len(states):
        now, end, cuts = t + done * h, t + (done + 1) * h, 0
        length, whole = h, False
        while not whole:
            fine, cut = _cut(
                program,
                distances,
                q,
                v,
                now,
                length,
                h,
                theta,
                nothing,
                y,
                z,
                found,
                watched,
                located and cuts < LOCATED,
            )
            whole = cut < 0.0
            part = length if whole else cut
            if part > 0.0:
                to_the_middle(program, q, (slow, fast), now, part, place)
                put_all(x, nq, unbound)
                begun[: 3 * b] = P
                T, count = with_contacts(shapes, x, nq, part, work, b, gap, drift, H, kinds, ratios, axes, triple)
                if count < 0:
                    return k, done, FULL
                warmed(count, work, axes[:T], triple, begun)
                left_out = later if whole else struck
                touched = _closed(
                    program, distances, q, v, now, part, found, whole_rows, gaps, axes[:T], left_out, active
                )
                made[:] = change[:] = 0.0
                residuals[k], sweeps[k] = 0.0, 0
                if touched:
                    fine, residuals[k], sweeps[k] = _solved(
                        program, q, v, now, part, theta, (y, z, place), found, whole_rows, rows, sides, touched, active[:T], laws, begun,
                        sought, tolerance, answer, fine, (shapes, work, count),
                    )  # fmt: skip
                if not fine and not lenient and _all_finite(unbound):
                    return k, done, UNSETTLED
                for j in range(3 * b):
                    percussions[k, j] = P[j] = made[j]
                if not kept_in_mind(k, count, work, axes[:T], triple, active, made):
                    return k, done, FULL
                for j in range(nv):
                    after[j] = unbound[j] + change[j]
                put_all(x, 0, middle)
                put_all(x, nq, after)
                put(x, n, now + 0.5 * part)
                run_lanes(tape, x, z)
                for i in range(nq):
                    rates[k, 0, i], rates[k, 1, i], rates[k, 2, i] = slow[i], fast[i], z[len(z) - nq + i, 0]
                    q[i] += 0.5 * part * (slow[i] + rates[k, 2, i])
                to_length_one(q, quaternions)
                now = end if whole else now + part
                corrections[k] = corrected(
                    program, q, now, whole_rows, active, answer, touched, shapes, work, laws, m, b, z
                )
                if corrections[k] < 0.0:
                    return k, done, FULL
                for j in range(nv):
                    v[j], free[k, j], jumps[k, j] = after[j], unbound[j], after[j] - unbound[j]
                ends[k] = now
                if held:
                    put_all(x, 0, q)
                    put_all(x, nq, v)
                    put(x, n, now)
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
                made[:] = change[:] = 0.0
                residuals[k], sweeps[k] = _struck(
                    program, q, v, now, z, struck, whole_rows, rows, sides, active[:b], laws, begun, sought, answer
                )
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
    put_all(x, 0, q)
    put_all(x, nq, v)
    return k, done, DONE


@njit(nogil=True, cache=True)
def _cut(program, distances, q, v, t, length, h, theta, nothing, y, z, found, watched, located) -> tuple[bool, float]:
    """Whether forces settled, and the part [s] of a step at whose end a gap closes swiftly, negative if none does; the step to there in
    which nothing is touched is ``found``."""
    _motion, _tape, x, n, nq, _quaternions = program
    unbound, _middle, slow, fast = found
    gaps, apart, struck, later = watched
    fine, cut = theta_step(program, q, v, t, length, theta, nothing, y, z, found), -1.0
    later[:] = False
    if located:
        cut = first_impact(distances, x, n, nq, q, slow, fast, v, unbound, t, length, h, gaps, apart, struck, later)
    for _ in range(REFINED if 0.0 < cut < length else 0):
        theta_step(program, q, v, t, cut, theta, nothing, y, z, found)
        better = cut - overshoot(distances, x, n, nq, q, slow, fast, t, cut, gaps, struck)
        small = abs(better - cut) <= 1e-15 * (abs(t) + cut)
        cut = min(max(better, 0.0), length)
        if small:
            break
    if cut > 0.0:
        fine = theta_step(program, q, v, t, cut, theta, nothing, y, z, found)
    return fine, cut


@njit(nogil=True, cache=True)
def _closed(program, distances, q, v, t, h, found, rows, gaps, mu, left_out, active):
    """How many triples of rows are ``active``: closed at the end of a step in which nothing is touched, or axes of such."""
    _motion, _tape, x, _n, nq, _quaternions = program
    unbound, _middle, slow, fast = found
    gap, drift, H, _M, _G = rows
    m = len(left_out)
    _to_both_ends(program, q, slow, fast, t, h)
    for j in range(len(v)):
        x[nq + j, 1] = v[j]
    if m:
        run_lanes(distances, x, gaps)
    gain = 0.0
    forecast = np.empty(len(mu))
    for c in range(len(mu)):
        if mu[c, 2] < 0.0:
            forecast[c], more = _forecast(c, m, gaps, gap[c], drift, H, v, unbound, h)
            gain = max(gain, more)
    # a count that begins as a plain 0 has a type of its own, for which all that is called would be compiled once more
    touched = np.int64(0)
    for c in range(len(mu)):
        if mu[c, 2] >= 0.0:
            active[c] = active[int(mu[c, 2])]
        else:
            active[c] = not forecast[c] > (touching(q) if c < m else CLOSING * h * gain)
            if c < m and left_out[c]:
                active[c] = False
        touched += active[c]
    return touched


@njit(nogil=True, cache=True)
def _solved(
    program,
    q,
    v,
    t,
    h,
    theta,
    scratch,
    found,
    whole_rows,
    rows,
    sides,
    touched,
    active,
    laws,
    begun,
    sought,
    tolerance,
    answer,
    fine,
    contacts,
):
    """Whether forces settled, the residual and the sweeps of impulses that agree with the forces which they change in the same step."""
    _motion, tape, x, _n, _nq, _quaternions = program
    unbound, _middle, slow, fast = found
    first, last, G_last = sides
    made, change = answer
    y, z, place = scratch
    gap, drift, H, _M, _G = whole_rows
    kinds, ratios, axes, triple = laws
    shapes, work, count = contacts
    m, own, nv = len(rows[0]), len(rows[1]), len(v)
    before, G_first = np.empty(nv), np.empty_like(G_last)
    residual, sweeps = 0.0, 0
    for turn in range(ROUNDS):
        to_the_middle(program, q, (slow, fast), t, h, place)
        run_lanes(tape, x, z)
        read(z, rows)
        if turn > 0:
            moved_contacts(shapes, x, count, work, own // 3, gap, drift, H, kinds, ratios, axes, triple)
        _to_both_ends(program, q, slow, fast, t, h)
        run_lanes(tape, x, z)
        read_law(z, m, nv, 0, last[:own], G_last)
        read_law(z, m, nv, 1, first[:own], G_first)
        as_in_the_middle(H, drift, own, 3 * len(active), first, last)
        before[:] = change
        residual, more = hit(touched, active, whole_rows, sides, v, unbound, laws, begun, sought, answer)
        sweeps += more
        if _close(change, before, tolerance) or not residual <= tolerance:
            break
        before[:] = unbound
        fine = theta_step(program, q, v, t, h, theta, change, y, z, found)
        if not fine or _close(unbound, before, ROUND_OFF):
            break
        begun[:] = made
    return fine, residual, sweeps


@njit(nogil=True, cache=True)
def _struck(
    program, q, v, t, z, struck, whole_rows, rows, sides, active, laws, begun, sought, answer
) -> tuple[float, int]:
    """Residual and sweeps of a shock of no duration, of the boundaries that are ``struck`` and of those that are closed already."""
    _motion, tape, x, n, nq, _quaternions = program
    _first, last, G_last = sides
    put_all(x, 0, q)
    put_all(x, nq, v)
    put(x, n, t)
    run_lanes(tape, x, z)
    read(z, rows)
    gap, axes, touched = whole_rows[0], laws[2], np.int64(0)
    for c in range(len(active)):
        active[c] = active[int(axes[c, 2])] if axes[c, 2] >= 0.0 else struck[c] or gap[c] <= touching(q)
        touched += active[c]
    for j in range(3 * len(active)):
        begun[j] = 0.0
    read_law(z, len(struck), len(v), 0, last[: 3 * len(active)], G_last)
    if not touched:
        return 0.0, 0
    return hit(touched, active, whole_rows, (last, last, G_last), v, v, laws, begun, sought, answer)


@njit(nogil=True, cache=True)
def _to_both_ends(program, q, slow, fast, t, h):
    """Set coordinates and time of all lanes to the end of a step, and of lane 1 to its beginning."""
    _motion, _tape, x, n, nq, _quaternions = program
    for i in range(nq):
        put(x, i, q[i] + 0.5 * h * (slow[i] + fast[i]))
        x[i, 1] = q[i]
    put(x, n, t + h)
    x[n, 1] = t


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
