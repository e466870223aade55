"""The contact problem of a step of blocks: where contacts are, their rows and targets, and impulses by sweeps."""

from vinculum.compile.calls import run_indexed
from vinculum.compile.kernels import njit
from vinculum.contact.blocks.placing import gather_velocities, invert_masses, place_shapes, stretch_reaches
from vinculum.contact.blocks.resistance import record_moments, write_resistance
from vinculum.contact.blocks.rows import (
    entries_of_rows,
    least_speeds,
    let_immovable_be,
    write_answers,
    write_laws,
    write_rows,
)
from vinculum.contact.blocks.unilaterals import (
    add_unilaterals,
    entries_of_unilaterals,
    remember_unilaterals,
    warm_unilaterals,
    write_unilateral_laws,
    write_unilateral_rows,
)
from vinculum.contact.free_bodies.arrays import LISTED, MARGIN, RECORDED
from vinculum.contact.free_bodies.contacts import find_contacts
from vinculum.contact.free_bodies.warm_start import record_contacts, remember_impulses, warm_start
from vinculum.contact.sparse.arrays import Bodies, ContactProblem, Pace, Settings, Solver, Team
from vinculum.contact.sparse.block_rows import weigh_sides
from vinculum.contact.sparse.first_sweeps import residual_of_rows
from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, solve
from vinculum.contact.sparse.impulses import replace_impulses
from vinculum.integrators.blocks_in_contact.damping import add_forces
from vinculum.integrators.blocks_in_contact.flights import write_frames
from vinculum.integrators.blocks_in_contact.step import CONTACTS, DONE, PAIRS, RECORDS, ROWS, SINGULAR
from vinculum.models.tabled.reactions import prepare
from vinculum.tolerances.contact import SWEEPS_AFTER_RENEWAL
from vinculum.tolerances.time_stepping import SOUGHT

FOUND, TOTAL, BLOCK, ENTRIES = range(4)
"""Indices into ``told``: numbers of contacts and of rows with moments, a block with a singular mass matrix, and numbers that rows need."""


@njit(nogil=True, cache=True, error_model="numpy")
def find(work, q, v, t, d):
    """Find the contacts at (q, v) that may close within d [s], and all unilateral constraints after them; returns a status, and writes
    their number."""
    near, told = work.near, work.met.told
    write_frames(work.frames, work.flight, q, v, t)
    place_shapes(work.held.Z, work.held.mounting, work.carriers, near.placed, near.velocity)
    if stretch_reaches(work.carriers, near.placed, near.reaches):
        near.counts[MARGIN] = -1.0  # near pairs are listed anew
    told[FOUND] = told[TOTAL] = 0
    room = len(near.contacts.gap) - len(work.held.unilaterals.gap)
    count, m = find_contacts(d, near.placed, work.meeting, near.entry, near.velocity, near.pairs, near.counts, room)
    if count > len(near.pairs.now.first):
        return PAIRS
    if m > room:
        return CONTACTS
    told[FOUND] = told[TOTAL] = add_unilaterals(m, len(near.placed.kind), work.held, near.contacts)
    return DONE


@njit(nogil=True, cache=True, error_model="numpy")
def problem_of(met, total, h):
    """The contact problem of so many rows, for a step of h [s]; its targets may not be set yet."""
    bodies = Bodies(met.weightless, met.weightless)
    return ContactProblem(total, False, met.rows, bodies, met.cones, met.targets, Pace(met.before, h * met.pull))


@njit(nogil=True, cache=True, error_model="numpy")
def write_contact_rows(work):
    """Write the rows of the contacts that were found last, for the blocks where they are now; returns a status."""
    held, met, contacts, flight = work.held, work.met, work.near.contacts, work.flight
    told, Z, m = met.told, held.Z, met.told[FOUND]
    told[BLOCK] = invert_masses(Z, held.blocks)
    if told[BLOCK] >= 0:
        return SINGULAR
    add_forces(flight.damped, held.blocks.inverse)
    if flight.is_conditioned:
        run_indexed(flight.tables.conditions, Z, Z)
        prepare(flight.tables.reactions, Z)
        write_answers(held)
    resistance = met.rows.sides.resistance
    total = m
    if met.resists:
        total = write_resistance(m, contacts, work.meeting, resistance)
    told[TOTAL] = total
    shapes = len(work.near.placed.kind)
    told[ENTRIES] = entries_of_rows(total, contacts, held, resistance)
    told[ENTRIES] += entries_of_unilaterals(m, shapes, contacts, held)
    if told[ENTRIES] > len(met.rows.sides.H):
        return ROWS
    used = write_rows(total, contacts, held, met.rows.sides)
    write_unilateral_rows(m, shapes, contacts, held, met.rows.sides, used)
    weigh_sides(total, met.rows)
    return DONE


@njit(nogil=True, cache=True, error_model="numpy")
def write_problem(work, v):
    """Write the contact problem at the contacts that were found last, without its targets, for velocities v (nv,) before the step; returns
    a status."""
    met = work.met
    status = write_contact_rows(work)
    if status == DONE:
        m, contacts, shapes = met.told[FOUND], work.near.contacts, len(work.near.placed.kind)
        write_laws(m, contacts, work.meeting, met.cones, met.ratios)
        write_unilateral_laws(m, shapes, contacts, work.held, met.cones, met.ratios)
        gather_velocities(work.held.blocks, v, met.before)
    return status


@njit(nogil=True, cache=True, error_model="numpy")
def set_targets(work, problem, after, span):
    """Set the smallest velocities of separation, for velocities ``after`` (nv,) a step without impulses."""
    met, near = work.met, work.near
    gather_velocities(work.held.blocks, after, met.free)
    least_speeds(problem, near.contacts.gap, met.ratios, near.touch, span, met.before, met.free)
    let_immovable_be(problem, met.free)


@njit(nogil=True, cache=True, error_model="numpy")
def solver_of(met, m, settings):
    """The solver of m rows."""
    cut = met.parts.cut
    cut[0], cut[1], cut[3] = m, m, m
    return Solver(Team(FIRST, ALONE, met.board, met.sums, met.parts), settings, met.copies, met.finisher)


@njit(nogil=True, cache=True, error_model="numpy")
def add_rows(one, factor, other, found):
    """Write rows of eight, and others times a factor, to a third array."""
    for r in range(len(found)):
        for k in range(8):
            found[r, k] = one[r, k] + factor * other[r, k]


@njit(nogil=True, cache=True, error_model="numpy")
def start_without_impulses(met, m):
    """Set all impulses to zero, and velocities to those without them."""
    P = met.iterate.P
    add_rows(met.free, 0.0, met.free, met.iterate.V)
    for c in range(m):
        P[c, 0] = P[c, 1] = P[c, 2] = 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def start_warm(work, problem, h):
    """Begin with the impulses of the same contacts in the step before."""
    met, near, guess = work.met, work.near, work.met.copies.old.P
    start_without_impulses(met, problem.m)
    for c in range(problem.m):
        guess[c, 0] = guess[c, 1] = guess[c, 2] = 0.0
    warm_unilaterals(met.told[FOUND], len(near.placed.kind), near.contacts, work.held, h, guess)
    warm_start(problem, met.iterate, h, near.contacts, near.pairs, int(near.counts[LISTED]), met.memory, guess)


@njit(nogil=True, cache=True, error_model="numpy")
def sweep(met, problem, settings):
    """Residual, sweeps and the finisher's flag of impulses whose velocities are recomputed from them, so that no round-off is left."""
    total, finished, error, (tolerance, most) = 0, 0, 0.0, settings
    for _ in range(SWEEPS_AFTER_RENEWAL):
        error, sweeps, flag = solve(problem, met.iterate, solver_of(met, problem.m, Settings(SOUGHT * tolerance, most)))
        total, finished = total + sweeps, max(finished, flag)
        kept = met.copies.old.P
        for c in range(problem.m):
            for k in range(3):
                kept[c, k] = met.iterate.P[c, k]
        start_without_impulses(met, problem.m)
        replace_impulses(problem, met.iterate, kept)
        if sweeps == 0 or not error <= tolerance:
            break
        error = residual_of(met, problem)
        if error <= tolerance:
            break
    return error, total, finished


@njit(nogil=True, cache=True, error_model="numpy")
def residual_of(met, problem):
    """The residual of the present impulses."""
    cut = met.parts.cut
    cut[0], cut[1], cut[3] = problem.m, problem.m, problem.m
    return residual_of_rows(problem, met.iterate, met.parts)


@njit(nogil=True, cache=True, error_model="numpy")
def remember(work, number, h):
    """Store the impulses of a step for the next one, and record its active contacts under its ``number``."""
    near, met, m = work.near, work.met, work.met.told[FOUND]
    P, first = met.iterate.P, int(near.counts[RECORDED])
    remember_impulses(m, h, near.contacts, P, met.memory)
    remember_unilaterals(m, len(near.placed.kind), near.contacts, work.held, h, P)
    record_contacts(number, m, h, near.contacts, P, met.memory, near.counts)
    if met.resists:
        record_moments(m, met.told[TOTAL], first, near.contacts, P, met.rows.sides.resistance, met.memory.pressed)


@njit(nogil=True, cache=True, error_model="numpy")
def has_room_for_records(work):
    """Whether all contacts that were found last can be recorded."""
    return work.near.counts[RECORDED] + work.met.told[FOUND] <= len(work.met.memory.pressed)


STATUSES_OF_ROOM = (PAIRS, CONTACTS, ROWS, RECORDS)
"""Statuses after which arrays must grow."""
