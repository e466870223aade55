r"""Time steps of free bodies, with impulses in the middle of a step.

.. math:: X = x + \tfrac d2 v,\qquad v' = v + d\,g + M^{-1} H(X)^T P,\qquad x' = X + \tfrac d2 v'

The next middle is X + s v', where s is the mean of this d and the next one. So the contact law holds for v': u_N ≥ 0 where bodies touch
at X, u_N ≥ −gap/s where they are about to touch. Moreau, in Nonsmooth Mechanics and Applications, CISM 302 (1988); Jean, Comput. Methods
Appl. Mech. Engrg. 177 (1999) 235, with θ = 1/2.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.free_bodies.arrays import LISTED, RECORDED, Step
from vinculum.contact.free_bodies.closings import WATCHED, WITHHELD, closes_soon, let_pass, withhold
from vinculum.contact.free_bodies.contacts import find_contacts, least_speeds
from vinculum.contact.free_bodies.depenetration import push_apart, turn_apart
from vinculum.contact.free_bodies.flights import add_moments, begin_flight, end_flight, free_spins, place_shapes
from vinculum.contact.free_bodies.rest import keep_at_rest
from vinculum.contact.free_bodies.velocities import renew_velocities
from vinculum.contact.free_bodies.warm_start import record_contacts, remember_impulses, restore_pairs, warm_start
from vinculum.contact.sparse.admitted_work import residual_work
from vinculum.contact.sparse.arrays import ContactProblem, Iterate, Pace, Settings, Solver, Team
from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, residual_of, solve
from vinculum.contact.sparse.general_rows import weigh_any
from vinculum.contact.sparse.islands import leave_out_settled
from vinculum.contact.sparse.partition import divide
from vinculum.contact.sparse.redundancy import surplus
from vinculum.contact.sparse.rest import bring_to_rest, moves_from_rest
from vinculum.contact.sparse.sphere_rows import weigh_round
from vinculum.contact.sparse.thread_pair import next_task, offer
from vinculum.tolerances.contact import CONTACTS_WORTH_SHARING, DEPENETRATION_RESIDUAL, SWEEPS_BEFORE_RENEWAL

DONE, MISSED, PAIRS, CONTACTS, INFINITE, PRESSES, HIT = 0, 1, 2, 3, 4, 5, 6
RESIDUAL, SWEEPS, COUNT, DEPTH, MOVED, SURPLUS, SPARE, FINISHER = 0, 1, 2, 3, 4, 5, 6, 7
"""Columns of the report of a step."""
PUSHES = np.int64(30)
"""Largest number of sweeps that move bodies of equal mass out of penetration."""
SECOND, BOTH = np.int64(1), np.int64(2)


@njit(nogil=True, cache=True, error_model="numpy")
def time_steps(durations, threads, law, work, records, report):
    """Take steps of ``durations`` [s] one after the other; returns a status and the number of steps taken.

    ``records`` (steps, moving, 13): position, attitude, velocity and angular velocity at the end of every step. ``report`` (steps, 8):
    statistics of the contact solver in every step.
    """
    is_round, gravity, shapes, bodies, state = work.is_round, work.gravity, work.shapes, work.bodies, work.state
    flight, pairs, contacts, rows, memory = work.flight, work.pairs, work.contacts, work.rows, work.memory
    P, D, parts, counts, clusters, mounting = work.P, work.D, work.parts, work.counts, work.clusters, work.mounting
    board, sums, told = work.threads
    inertia, entry, finisher_entry, copies = work.inertia, work.entry, work.finisher, work.copies
    v, L, X, V, half, inverse, spun = state.v, state.L, flight.X, flight.V, flight.half, flight.inverse, flight.spun
    gap, reach, spin, own_inverse = contacts.gap, shapes.reach, bodies.spin, inertia.own_inverse
    slack, tolerance, guess, cones, targets = law.slack, law.tolerance, copies.old.P, work.cones, work.targets
    pull = np.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2)
    moving, room = len(v), len(pairs.now.first)
    iterate, moved = Iterate(P, V), Iterate(P, D)
    settings = Settings(tolerance, law.most)
    alone = Solver(Team(FIRST, ALONE, board, sums, parts), settings, copies, finisher_entry)
    for k in range(len(durations)):
        d = durations[k]
        following = durations[k + 1] if k + 1 < len(durations) else law.after
        step = Step(d, 0.5 * (d + (following if following > 0.0 else d)), gravity)
        begin_flight(is_round, step, state, flight, spin, own_inverse)
        place_shapes(is_round, X, half, shapes, mounting, inertia, flight)
        free_spins(is_round, L, flight)
        count, m = find_contacts(max(d, step.span), shapes, None, entry, V, pairs, counts, len(gap))
        if count > room:
            return PAIRS, k
        if m > len(gap):
            return CONTACTS, k
        if counts[RECORDED] + m > len(memory.pressed):
            restore_pairs(pairs, counts)
            return PRESSES, k
        problem = ContactProblem(m, is_round, rows, bodies, cones, targets, Pace(v, d * pull))
        _weigh(rows.arms, rows.wide, problem, contacts, reach, X, inverse)
        if law.impacts == WATCHED and closes_soon(problem, gap, step, law, V):
            restore_pairs(pairs, counts)
            return HIT, k
        if law.impacts == WITHHELD:
            let_pass(problem, gap, step, law, V)
        depth = 0.0
        for c in range(m):
            depth = max(depth, -gap[c])
        report[k, DEPTH], report[k, COUNT], report[k, MOVED] = depth, m, 0.0
        divide(contacts, m, X, parts)
        if depth > slack:
            report[k, MOVED] = push_apart(problem, gap, X, moved, law.pushes, alone)
        least_speeds(problem, gap, step, law, V)
        if law.impacts >= WITHHELD:
            withhold(problem, gap, step, law, V)
        warm_start(problem, iterate, d, contacts, pairs, int(counts[LISTED]), memory, guess)
        error, sweeps, finisher, settled = 0.0, 0, 0, 0.0
        if m > 0:
            error = residual_of(problem, iterate, parts)
            if error > tolerance:
                settled = leave_out_settled(problem, iterate, parts, tolerance, guess)
                together = threads if parts.cut[3] >= CONTACTS_WORTH_SHARING else ALONE
                if together > 1:
                    told[0], told[1], told[2], told[3] = m, tolerance, law.most, d * pull
                    offer(board)
                team = Team(FIRST, together, board, sums, parts)
                error, sweeps, finisher = solve(problem, iterate, Solver(team, settings, copies, finisher_entry))
            if sweeps >= SWEEPS_BEFORE_RENEWAL:
                found = error, sweeps, finisher
                error, sweeps, finisher = renew_velocities(found, problem, iterate, step, spun, alone)
            error = max(error, settled)
            if error <= tolerance and (sweeps > 0 or moves_from_rest(v, V, tolerance, d * pull)):
                bring_to_rest(problem, iterate, parts, tolerance, sweeps > 0, guess)
        report[k, RESIDUAL], report[k, SWEEPS], report[k, FINISHER] = error, sweeps, finisher
        report[k, SURPLUS] = surplus(m, rows.who, moving, is_round, cones, P, parts.people, clusters)
        report[k, SPARE] = residual_work(problem, iterate, guess)
        if not error <= tolerance:
            restore_pairs(pairs, counts)
            return MISSED, k
        remember_impulses(m, d, contacts, P, memory)
        keep_at_rest(v, spun, reach, d * pull, V)
        add_moments(is_round, L, flight, spin, inertia.own)
        if depth > slack:
            turn_apart(moving, is_round, half, D)
        if not end_flight(is_round, d, state, flight, own_inverse, records[k]):
            return INFINITE, k
        record_contacts(k, m, d, contacts, P, memory, counts)
    return DONE, len(durations)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _weigh(arms, wide, problem, contacts, radius, x, inverse):
    """Write lever arms and effective masses of the contacts of bodies at x. ``arms``, ``wide``: those of the rows."""
    # Numba does not compile the branch of an argument that is None.
    if arms is not None:
        weigh_round(problem.m, problem.rows, contacts.gap, radius, len(problem.pace.before), problem.blocks)
    if wide is not None:
        weigh_any(problem.m, problem.rows, contacts.place, x, inverse, problem.blocks.inverse_mass)


@njit(nogil=True, cache=True, error_model="numpy")
def serve(work):
    """Run as the second thread beside `time_steps`: solve for the impulses of every step until there are no more tasks."""
    board, sums, told = work.threads
    team, iterate, done = Team(SECOND, BOTH, board, sums, work.parts), Iterate(work.P, work.flight.V), 0
    while next_task(board, done):
        done += 1
        m, tolerance, most, least = int(told[0]), told[1], int(told[2]), told[3]
        pace = Pace(work.state.v, least)
        problem = ContactProblem(m, work.is_round, work.rows, work.bodies, work.cones, work.targets, pace)
        solve(problem, iterate, Solver(team, Settings(tolerance, most), work.copies, work.finisher))


@njit(nogil=True, cache=True, error_model="numpy")
def look(work):
    """A status and the number of contacts of bodies at their present positions; no step is taken."""
    state, flight, pairs, gap, V = work.state, work.flight, work.pairs, work.contacts.gap, work.flight.V
    place_shapes(work.is_round, state.x, state.Q, work.shapes, work.mounting, work.inertia, flight)
    for i in range(len(V)):
        for k in range(8):
            V[i, k] = 0.0
    count, m = find_contacts(0.0, work.shapes, None, work.entry, V, pairs, work.counts, len(gap))
    if count > len(pairs.now.first):
        return PAIRS, 0
    return (CONTACTS, 0) if m > len(gap) else (DONE, m)


@njit(nogil=True, cache=True, error_model="numpy")
def separate(m, work):
    """Move bodies out of penetration at the contacts that `look` has found; returns the largest displacement [m]."""
    is_round, contacts, state, parts = work.is_round, work.contacts, work.state, work.parts
    problem = ContactProblem(m, is_round, work.rows, work.bodies, work.cones, work.targets, Pace(state.v, 0.0))
    arms, wide = work.rows.arms, work.rows.wide
    _weigh(arms, wide, problem, contacts, work.shapes.reach, state.x, work.flight.inverse)
    divide(contacts, m, state.x, parts)
    team = Team(FIRST, ALONE, work.threads.board, work.threads.sums, parts)
    solver = Solver(team, Settings(DEPENETRATION_RESIDUAL, PUSHES), work.copies, work.finisher)
    moved = push_apart(problem, contacts.gap, state.x, Iterate(work.P, work.D), PUSHES, solver)
    turn_apart(len(state.v), is_round, state.Q, work.D)
    return moved
