"""Moreau–Jean time stepping of a tree with unilateral constraints: velocities jump, positions do not."""

import numpy as np
from numba import njit

from vinculum.compile.calls import run_lanes
from vinculum.compile.width import WIDTH
from vinculum.contact.trees.steps import kept_in_mind, room_for_contacts, warmed, with_contacts
from vinculum.integrators.moreau.closings import closed, cut_at
from vinculum.integrators.moreau.contact_solver import solved, struck_at_once
from vinculum.integrators.moreau.impulses import corrected
from vinculum.integrators.moreau.rows import put, put_all, to_length_one, to_the_middle
from vinculum.integrators.projected_lanes import hold, space
from vinculum.tolerances.time_stepping import LOCATED, STEP_DONE

DONE, UNSOLVED, TORN, FULL, UNSETTLED = 0, 1, 2, 3, 4


@njit(nogil=True, cache=True)
def time_steps(tapes, x, sizes, quaternions, t, h, steps, rules, law, P, records, work):
    """Take up to ``steps`` steps of length h from the state in x[:n]; the number of records written, of steps taken, and whether all went
    well: `DONE`, `UNSOLVED`, `TORN`, `FULL` or `UNSETTLED`; what went wrong is one record beyond.

    ``tapes``: addresses of `motion`, `unilaterals`, `distances`, `projection`, the last one zero without two-sided conditions, which
    hold where a
    step ends, and `shapes`, whose contacts are found in ``work``; both are None if no shapes meet, and if they do, no step is cut.
    ``sizes``: n, nq, m unilateral constraints, and rows of two-sided conditions. ``rules``: θ as in `theta_step`; whether a step is cut
    where a gap
    closes swiftly, and the impact happens there in no time; whether steps go on whose forces do not settle, as those that leap; the
    residual to which impulses are sought, the one above which the run ends, and the most sweeps.
    ``P``: (3 b,), the last impulses, with which the next are begun, of b triples of rows: those of m unilateral constraints, and about
    axes of those that resist rolling. ``law``: kinds and ratios (b,), half axes (b, 3) as in `add_rows`.
    ``records`` are written a row each, which is a step, a part of one or an impact of no duration: the instant at its end, the state after
    it, velocities that it would end with if nothing were touched, what impulses change in them, q̇ at its middle for the velocities at its
    start, for these and at its end, impulses, residuals and sweeps of the solver, and how far positions were pushed out of unilateral
    constraints.
    """
    motion, tape, distances, projection, shapes = tapes
    n, nq, m, kept = sizes
    theta, located, lenient, residual, tolerance, most = rules
    ends, states, free, jumps, rates, contact_impulses, residuals, sweeps, corrections = records
    nv, b = n - nq, len(law[1])
    room = b + room_for_contacts(work)
    y, z = np.empty((n, WIDTH)), np.empty((m + 3 * b + 3 * b * nv + nv * nv + kept * (nv + 1) + nq, WIDTH))
    gaps = np.empty((m + 3 * b, WIDTH))
    q, place, middle, slow, fast = np.empty(nq), np.empty(nq), np.empty(nq), np.empty(nq), np.empty(nq)
    v, after, unbound, change, made = np.empty(nv), np.empty(nv), np.empty(nv), np.zeros(nv), np.zeros(3 * room)
    first, last, G_last = np.empty((3 * room, nv + 1)), np.empty((3 * room, nv + 1)), np.empty((kept, nv + 1))
    gap, drift, H = np.full(room, np.inf), np.empty(3 * room), np.empty((3 * room, nv))
    M, G = np.empty((nv, nv)), np.empty((kept, nv + 1))
    active, struck, apart = np.zeros(room, dtype=np.bool_), np.zeros(m, dtype=np.bool_), np.ones(m, dtype=np.bool_)
    later, nothing, begun = np.zeros(m, dtype=np.bool_), np.zeros(nv), np.zeros(3 * room)
    kinds, triple = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    ratios, axes = np.empty(room), np.empty((room, 3))
    kinds[:b], ratios[:b], axes[:b] = law
    holding = (space(n), np.empty((n, WIDTH)), np.zeros(WIDTH, dtype=np.bool_), np.zeros(WIDTH, dtype=np.bool_))
    program, found = (motion, tape, x, n, nq, quaternions), (unbound, middle, slow, fast)
    whole_rows = (gap, drift, H, M, G)
    rows = (gap[:m], drift[: 3 * b], H[: 3 * b], M, G)
    laws, sides, answer = (kinds, ratios, axes, triple), (first, last, G_last), (made, change)
    sought = residual, tolerance, most
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
            fine, cut = cut_at(program, distances, q, v, now, length, h, theta, nothing, y, z, found, watched,
                               located and cuts < LOCATED)  # fmt: skip
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
                touched = closed(program, distances, q, v, now, part, found, whole_rows, gaps, axes[:T], later,
                                 active)  # fmt: skip
                made[:] = change[:] = 0.0
                residuals[k], sweeps[k] = 0.0, 0
                if touched:
                    fine, residuals[k], sweeps[k] = solved(program, q, v, now, part, theta, (y, z, place), found, whole_rows, rows, sides,
                                                           touched, active[:T], laws, begun, sought, tolerance, answer, fine,
                                                           (shapes, work, count))  # fmt: skip
                if not fine and not lenient and _all_finite(unbound):
                    return k, done, UNSETTLED
                for j in range(3 * b):
                    contact_impulses[k, j] = P[j] = made[j]
                if not kept_in_mind(k, count, work, axes[:T], triple, active, made):
                    return k, done, FULL
                for j in range(nv):
                    after[j] = unbound[j] + change[j]
                _moved_on(program, q, now, part, found, after, z, rates[k])
                now = end if whole else now + part
                corrections[k] = corrected(program, q, now, whole_rows, active, answer, touched, shapes, work, laws, m, b,
                                           z)  # fmt: skip
                if corrections[k] < 0.0:
                    return k, done, FULL
                for j in range(nv):
                    v[j], free[k, j], jumps[k, j] = after[j], unbound[j], after[j] - unbound[j]
                ends[k] = now
                if projection and not _brought_back(projection, x, n, q, v, now, holding):
                    return k, done, TORN
                if not _written(states[k], q, v, residuals[k] <= tolerance):
                    return k, done, UNSOLVED
                k += 1
            if not whole:
                made[:] = change[:] = 0.0
                residuals[k], sweeps[k] = struck_at_once(program, q, v, now, z, struck, whole_rows, rows, sides, active[:b], laws, begun,
                                                         sought, answer)  # fmt: skip
                for j in range(3 * b):
                    contact_impulses[k, j] = P[j] = made[j]
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
                whole = length <= STEP_DONE * h
        done += 1
    put_all(x, 0, q)
    put_all(x, nq, v)
    return k, done, DONE


@njit(nogil=True, cache=True)
def _moved_on(program, q, t, h, found, after, z, rates):
    """Take the coordinates, in place, to the end of a step that ends with the velocities ``after``; ``rates`` (3, nq) of it are written."""
    _motion, tape, x, n, nq, quaternions = program
    _unbound, middle, slow, fast = found
    put_all(x, 0, middle)
    put_all(x, nq, after)
    put(x, n, t + 0.5 * h)
    run_lanes(tape, x, z)
    for i in range(nq):
        rates[0, i], rates[1, i], rates[2, i] = slow[i], fast[i], z[len(z) - nq + i, 0]
        q[i] += 0.5 * h * (slow[i] + rates[2, i])
    to_length_one(q, quaternions)


@njit(nogil=True, cache=True)
def _brought_back(projection, x, n, q, v, t, holding):
    """Whether a state could be brought back, in place, to the two-sided conditions."""
    around, unused, waiting, broken = holding
    nq = len(q)
    put_all(x, 0, q)
    put_all(x, nq, v)
    put(x, n, t)
    waiting[:] = True
    hold(projection, x, n, around, unused, waiting, broken)
    for i in range(nq):
        q[i] = x[i, 0]
    for j in range(len(v)):
        v[j] = x[nq + j, 0]
    return not broken[0]


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
def _all_finite(a):
    fine = True
    for j in range(len(a)):
        fine = fine and np.isfinite(a[j])
    return fine
