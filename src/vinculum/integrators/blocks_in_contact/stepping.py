r"""Time steps of blocks in contact, with impulses in the middle of a step.

.. math:: q_m = q + \tfrac h2 N(q)\,v,\qquad v' = v + \tfrac h2\bigl(a(q_m, v) + a(q_m, v')\bigr) + M^{-1} H^T P,\qquad
    q' = q_m + \tfrac h2 N(q')\,v'

The contacts, H, M and the forces are those of q_m. The next middle is about q_m + s N v', where s is the mean of this h and the next
one, so the contact law holds for v', as for free bodies. Twists are in the axes of bodies, which turn with ω before the middle and with
ω' after it: the mean of a, not a at the mean of the velocities, keeps momenta through an impact. Moreau, in Nonsmooth Mechanics and
Applications, CISM 302 (1988).

With conditions F(q, t) = 0 and J v = d, a has their reactions, M⁻¹Hᵀ is what they leave of it (see `rows`), and (q', v') is brought onto
them by the smallest change in the metric M. That change is of third order in smooth motion. Contacts hold for v' after it.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.blocks.placing import gather_velocities, scatter_velocities
from vinculum.contact.free_bodies.closings import WATCHED, WITHHELD
from vinculum.contact.free_bodies.warm_start import restore_pairs
from vinculum.contact.sparse.admitted_work import residual_work
from vinculum.integrators.blocks_in_contact.closings import approaches, closes_soon, let_pass, withhold
from vinculum.integrators.blocks_in_contact.damping import multiply
from vinculum.integrators.blocks_in_contact.depenetration import push_apart
from vinculum.integrators.blocks_in_contact.flights import (
    FREE,
    GUESS,
    OLD,
    accelerate,
    begin_accelerations,
    begin_step,
    end_step,
    largest,
    settle,
)
from vinculum.integrators.blocks_in_contact.problems import (
    FOUND,
    TOTAL,
    add_rows,
    find,
    has_room_for_records,
    problem_of,
    remember,
    residual_of,
    set_targets,
    start_warm,
    sweep,
    write_problem,
)
from vinculum.integrators.blocks_in_contact.step import (
    COUNT,
    DEPTH,
    DONE,
    FINISHED,
    HIT,
    INFINITE,
    MISSED,
    MOVED,
    OPENED,
    RECORDS,
    RESIDUAL,
    SWEEPS,
    UNSETTLED,
    WORK,
    Step,
)
from vinculum.tolerances.time_stepping import FORCE_ROUNDS, SLOWEST_HIT, SWIFT

CLOSING, SCATTERED, WITH_FORCES, WITHOUT = range(4)
"""Rows of the changes to work in: by conditions at the end of a step, by impulses, with the forces that these change, and velocities
without impulses."""


@njit(nogil=True, cache=True, error_model="numpy")
def take_steps(work, steps, settings, taken):
    """Take steps one after the other; returns a status and the number of steps taken."""
    h, nq, t, moving = steps.lengths, taken.middles.shape[1], steps.t, taken.centers.shape[1]
    placed, states, swift = work.near.placed, taken.states, steps.swift
    for k in range(len(h)):
        following = h[k + 1] if k + 1 < len(h) else steps.after
        span = 0.5 * (h[k] + following if following > 0.0 else 2.0 * h[k])
        if steps.impacts == WATCHED:
            swift = max(SWIFT * work.met.pull * steps.h, SLOWEST_HIT * fastest(work))
        step = Step(t, h[k], span, states[k, :nq], states[k, nq:], steps.impacts, swift)
        status = take_step(work, steps.number + k, step, settings, taken.middles[k], states[k + 1], taken.reports[k])
        for s in range(moving):
            for d in range(3):
                taken.centers[k, s, d] = placed.center[s, d]
                for e in range(3):
                    taken.axes[k, s, d, e] = placed.turn[s, d, e]
        if status != DONE:
            return status, k
        t += h[k]
    return DONE, len(h)


@njit(nogil=True, cache=True, error_model="numpy")
def fastest(work):
    """The largest speed [m/s] of a shape where contacts were found last."""
    v, most = work.near.velocity, 0.0
    for s in range(len(work.held.mounting.block)):
        most = max(most, v[s, 0] ** 2 + v[s, 1] ** 2 + v[s, 2] ** 2)
    return np.sqrt(most)


@njit(nogil=True, cache=True, error_model="numpy")
def take_step(work, number, step, settings, middle, end, report):
    """Take a step; its contacts are recorded under its ``number``. Writes the coordinates in its ``middle`` (nq,), the state at its
    ``end``, and its ``report``; returns a status."""
    flight, near, met, n = work.flight, work.near, work.met, len(step.v)
    h, v, nq, room = step.h, step.v, len(middle), work.flight.room
    t = step.t + 0.5 * h
    a, after, closing = room.v[GUESS], end[nq:], room.changes[CLOSING]
    for k in range(len(report)):
        report[k] = 0.0
    if not begin_step(flight, step, middle, a):
        return UNSETTLED
    for i in range(n):
        after[i], closing[i] = v[i] + h * a[i], 0.0
    if not np.isfinite(largest(after)):
        return INFINITE
    status = find(work, middle, after, t, max(h, step.span))
    if status != DONE:
        return status
    m = met.told[FOUND]
    report[COUNT] = m - len(work.held.unilaterals.gap)
    if m:
        if not has_room_for_records(work):
            restore_pairs(near.pairs, near.counts)
            return RECORDS
        status = write_problem(work, v)
        if status != DONE:
            restore_pairs(near.pairs, near.counts)
            return status
        gap = near.contacts.gap[:m]
        if step.impacts >= WATCHED:
            gather_velocities(work.held.blocks, after, met.free)
            u = approaches(m, met.rows.sides, met.before, met.free)
            if step.impacts == WATCHED and closes_soon(u, gap, step):
                restore_pairs(near.pairs, near.counts)
                return HIT
            if step.impacts == WITHHELD:
                let_pass(gap, u, step)
        report[DEPTH], report[MOVED], status = push_apart(work, middle, t)
        if status != DONE:
            return status
        if report[MOVED] > 0.0:
            begin_accelerations(flight, middle, step)
        problem = problem_of(met, met.told[TOTAL], h)
        set_targets(work, problem, after, step.span)
        if step.impacts > WATCHED:
            u = approaches(m, met.rows.sides, met.before, met.free)
            withhold(met.targets[:m], gap, u, near.touch, step)
        error, sweeps, finished = _solve(work, problem, middle, step, settings, a, after)
        report[RESIDUAL], report[SWEEPS], report[FINISHED] = error, sweeps, finished
        report[WORK] = residual_work(problem, met.iterate, met.copies.old.P)
        if not error <= settings.tolerance:
            restore_pairs(near.pairs, near.counts)
            return MISSED
    elif flight.is_conditioned:
        settle(flight, middle, step, a, after, closing)
    if not end_step(flight, middle, after, closing, step, end[:nq]):
        restore_pairs(near.pairs, near.counts)
        return OPENED
    if m:
        remember(work, number, h)
    for i in range(n):
        flight.last[i] = a[i]
        after[i] += closing[i]
    return DONE if np.isfinite(largest(end)) else INFINITE


@njit(nogil=True, cache=True, error_model="numpy")
def _solve(work, problem, middle, step, settings, a, after):
    """Write velocities ``after`` impulses that are consistent with the forces they change in the same step, and accelerations ``a``;
    returns residual, sweeps and the finisher's flag. What conditions change at its end is written, and not a part of ``after``."""
    flight, met, blocks, room = work.flight, work.met, work.held.blocks, work.flight.room
    h, v, n, closing, made = step.h, step.v, len(step.v), room.changes[CLOSING], met.made
    changed, change, free = room.changes[SCATTERED], room.changes[WITH_FORCES], room.changes[WITHOUT]
    total, finished, error = 0, 0, np.inf
    for i in range(n):
        free[i] = v[i] + h * a[i]
    start_warm(work, problem, h)
    for _ in range(FORCE_ROUNDS):
        error, sweeps, flag = sweep(met, problem, settings)
        total, finished = total + sweeps, max(finished, flag)
        add_rows(met.iterate.V, -1.0, met.free, made)
        for i in range(n):
            changed[i] = 0.0
        scatter_velocities(blocks, made, changed)
        for i in range(n):
            change[i] = changed[i]
        multiply(flight.damped, flight.damped.factors, change)
        for i in range(n):
            room.v[FREE, i] = change[i] + closing[i]
        accelerate(flight, middle, step, room.v[FREE], a)
        if flight.is_conditioned:
            for i in range(n):
                room.v[FREE, i] = v[i] + h * a[i] + change[i]
            end_step(flight, middle, room.v[FREE], closing, step, room.q[OLD])
        apart, size = 0.0, 0.0
        for i in range(n):
            new = v[i] + h * a[i] + change[i] - changed[i] + closing[i]
            far = abs(new - free[i])
            apart = apart if far <= apart else far
            size, free[i] = max(size, abs(h * a[i]), abs(change[i])), new
        gather_velocities(blocks, free, met.free)
        add_rows(met.free, 1.0, made, met.iterate.V)
        if not error <= settings.tolerance:
            break
        if apart <= settings.tolerance * size:
            error = residual_of(met, problem)
            if error <= settings.tolerance:
                break
    for i in range(n):
        after[i] = v[i] + h * a[i] + closing[i]
    scatter_velocities(blocks, met.iterate.V, after)
    for i in range(n):
        after[i] -= closing[i]
    return error, total, finished
