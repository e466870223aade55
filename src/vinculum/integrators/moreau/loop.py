"""Moreau–Jean time stepping of a tree with unilateral constraints: velocities jump, positions do not."""

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.contact.trees.steps import record_contacts, warm_start, with_contacts
from vinculum.integrators.moreau.accumulation import note_hits
from vinculum.integrators.moreau.arrays import Step
from vinculum.integrators.moreau.closings import find_active, find_cut, shorten
from vinculum.integrators.moreau.contact_solver import impact_at_once, solve_step
from vinculum.integrators.moreau.impulses import correct_positions
from vinculum.integrators.moreau.rows import ZERO, put, put_all, to_length_one, to_the_middle
from vinculum.integrators.projected_lanes import hold
from vinculum.tolerances.time_stepping import LOCATED, STEP_DONE

DONE, UNSOLVED, TORN, FULL, UNSETTLED = 0, 1, 2, 3, 4


@njit(nogil=True, cache=True)
def time_steps(projection, inputs, span, rules, memory, records, work, scratch):
    """Take steps from the state in the inputs; returns the numbers of records written and of steps taken, and a status.

    The status is `DONE`, `UNSOLVED`, `TORN`, `FULL` or `UNSETTLED`. A failed step is stored one record beyond the others. Contacts of
    shapes are found in ``work``, which is None without shapes in contact; with shapes no step is cut. ``projection``: the address of its
    tape, zero without. ``scratch``: a `Workspace`.
    """
    x, n, nq, m = inputs.x, inputs.n, inputs.nq, inputs.m
    t, h, steps = span
    P, pressed, hits = memory
    theta, tolerance, located, lenient = rules.theta, rules.tolerance, rules.located, rules.lenient
    ends, states, free, jumps, rates, made_impulses, residuals, sweeps, corrections = records
    program, rows, impulses, watched, active, arrays, after, holding = scratch
    q, v, unbound, middle, slow, fast = arrays.q, arrays.v, arrays.unbound, arrays.middle, arrays.slow, arrays.fast
    every, laws, lately = rows.every, rows.laws, watched.lately
    axes, triple = laws.axes, laws.triple
    begun, made, change = impulses
    nv, b = n - nq, len(P) // 3
    done, k = ZERO, ZERO
    for i in range(nq):
        q[i] = x[i, 0]
    for i in range(nv):
        v[i] = x[nq + i, 0]
    while done < steps and k + 2 * LOCATED + 1 <= len(states):
        now, end, cuts = t + done * h, t + (done + 1) * h, 0
        length, whole = h, False
        for c in range(m):
            lately[c], pressed[c] = pressed[c], False
        while not whole:
            step = Step(now, length, h, q, v, unbound, middle, slow, fast)
            fine, cut = find_cut(program, step, theta, watched, located and cuts < LOCATED)
            whole = cut < 0.0
            part = length if whole else cut
            if part > 0.0:
                step = shorten(step, part)
                to_the_middle(program, step)
                put_all(x, nq, unbound)
                for i in range(3 * b):
                    begun[i] = P[i]
                T, count = with_contacts(x, nq, part, work, b, every, laws)
                if count < 0:
                    return k, done, FULL
                warm_start(count, work, axes[:T], triple, begun)
                touched = find_active(program, step, every, axes[:T], watched, active)
                made[:] = change[:] = 0.0
                residuals[k], sweeps[k] = 0.0, 0
                if touched:
                    fine, residuals[k], sweeps[k] = solve_step(
                        program, step, rules, rows, active[:T], impulses, work, fine
                    )
                if not fine and not lenient and _all_finite(unbound):
                    return k, done, UNSETTLED
                for j in range(3 * b):
                    made_impulses[k, j] = P[j] = made[j]
                _note_pressing(made, pressed, lately)
                note_hits(hits, made, now + 0.5 * part)
                if not record_contacts(k, count, work, axes[:T], triple, active, made):
                    return k, done, FULL
                for j in range(nv):
                    after[j] = unbound[j] + change[j]
                _move_on(program, step, after, rates[k])
                now = end if whole else now + part
                corrections[k] = correct_positions(program, q, now, rows, active, impulses, touched, work)
                if corrections[k] < 0.0:
                    return k, done, FULL
                for j in range(nv):
                    v[j], free[k, j], jumps[k, j] = after[j], unbound[j], after[j] - unbound[j]
                ends[k] = now
                if projection and not _bring_back(projection, x, n, q, v, now, holding):
                    return k, done, TORN
                if not _write(states[k], q, v, residuals[k] <= tolerance):
                    return k, done, UNSOLVED
                k += 1
            if not whole:
                made[:] = change[:] = 0.0
                at_once = Step(now, 0.0, h, q, v, unbound, middle, slow, fast)
                residuals[k], sweeps[k] = impact_at_once(
                    program, at_once, rules, rows, watched, hits, active[:b], impulses
                )
                note_hits(hits, made, now)
                for j in range(3 * b):
                    made_impulses[k, j] = P[j] = made[j]
                for j in range(nv):
                    free[k, j], jumps[k, j] = v[j], change[j]
                    v[j] += change[j]
                rates[k, :, :] = 0.0
                corrections[k], ends[k] = 0.0, now
                if not _write(states[k], q, v, residuals[k] <= tolerance):
                    return k, done, UNSOLVED
                k += 1
                cuts += 1
                length = end - now
                whole = length <= STEP_DONE * h
        done += 1
    put_all(x, ZERO, q)
    put_all(x, nq, v)
    return k, done, DONE


@njit(nogil=True, cache=True)
def _note_pressing(made, pressed, lately):
    """Mark the unilateral constraints that have an impulse."""
    for c in range(len(pressed)):
        if made[3 * c] > 0.0:
            pressed[c] = lately[c] = True


@njit(nogil=True, cache=True)
def _move_on(program, step, after, rates):
    """Advance the coordinates, in place, to the end of a step that ends with the velocities ``after``; writes its ``rates`` (3, nq)."""
    x, z, nq, q, h, slow, fast = program.x, program.z, program.nq, step.q, step.length, step.slow, step.fast
    put_all(x, ZERO, step.middle)
    put_all(x, nq, after)
    put(x, program.n, step.t + 0.5 * h)
    run_lanes(program.unilaterals, x, z)
    for i in range(nq):
        rates[0, i], rates[1, i], rates[2, i] = slow[i], fast[i], z[len(z) - nq + i, 0]
        q[i] += 0.5 * h * (slow[i] + rates[2, i])
    to_length_one(q, program.quaternions)


@njit(nogil=True, cache=True)
def _bring_back(projection, x, n, q, v, t, holding):
    """Project a state, in place, onto the bilateral conditions; returns whether that succeeded."""
    around, unused, waiting, broken = holding
    nq = len(q)
    put_all(x, ZERO, q)
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
def _write(state, q, v, solved):
    """Write the state reached; returns whether it is finite and its impulses are ``solved``."""
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
