"""Correction of penetration of blocks: the smallest displacement in the metric of masses and damping."""

from vinculum.compile.kernels import njit
from vinculum.contact.blocks.placing import scatter_velocities
from vinculum.contact.blocks.rows import close_gaps, let_immovable_be
from vinculum.contact.free_bodies.steps import PUSHES
from vinculum.contact.sparse.arrays import Bodies, ContactProblem, ContactRows, Iterate, Pace, Settings, Sides
from vinculum.contact.sparse.gauss_seidel import solve
from vinculum.integrators.blocks_in_contact.flights import (
    CHANGE,
    NEW,
    RATES,
    largest,
    write_coordinate_rates,
    write_frames,
)
from vinculum.integrators.blocks_in_contact.problems import FOUND, solver_of, write_contact_rows
from vinculum.models.tabled.projection import on_charts
from vinculum.tolerances.contact import DEPENETRATION_RESIDUAL, UNEVEN


@njit(nogil=True, cache=True, error_model="numpy")
def depth_of(work):
    """How deep shapes penetrate each other at the contacts that were found last [m]."""
    depth = 0.0
    for c in range(work.met.told[FOUND]):
        depth = max(depth, -work.near.contacts.gap[c])
    return depth


@njit(nogil=True, cache=True, error_model="numpy")
def push_apart(work, q, t):
    """Move coordinates by the smallest displacement that removes penetration to first order, if there is more than is left; returns the
    depth before it [m], the largest displacement [m], and a status. Gaps and rows of contacts are changed with it."""
    near, met, flight, m = work.near, work.met, work.flight, work.met.told[FOUND]
    depth = depth_of(work)
    if depth <= near.slack:
        return depth, 0.0, 0
    D, P, sides = met.displaced, met.iterate.P, met.rows.sides
    for r in range(len(D)):
        for k in range(8):
            D[r, k] = 0.0
    for c in range(m):
        met.targets[c], met.smooth[c] = -near.contacts.gap[c], 0.0
        P[c, 0] = P[c, 1] = P[c, 2] = 0.0
        for k in range(3):
            met.still[c, k] = 0.0
    unmoved = Sides(sides.first, sides.count, sides.at, sides.H, sides.B, met.still, sides.resistance)
    rows, bodies = met.rows, Bodies(met.weightless, met.weightless)
    parted_rows = ContactRows(rows.who, rows.frame, None, None, unmoved, rows.W, rows.weight)
    parted = ContactProblem(m, False, parted_rows, bodies, met.smooth, met.targets, Pace(met.nothing, depth))
    let_immovable_be(parted, D)
    settings = Settings(DEPENETRATION_RESIDUAL, int(PUSHES * UNEVEN))
    solve(parted, Iterate(P, D), solver_of(met, m, settings))
    close_gaps(parted, near.contacts.gap, D)
    d, change, still = flight.room.v[CHANGE], flight.room.q[NEW], flight.room.q[RATES]
    for i in range(len(d)):
        d[i] = 0.0
    write_coordinate_rates(flight, q, d, t, still)
    scatter_velocities(work.held.blocks, D, d)
    write_coordinate_rates(flight, q, d, t, change)
    for i in range(len(q)):
        change[i] -= still[i]
        q[i] += change[i]
    moved = largest(change)
    on_charts(flight.quaternions, q)
    for i in range(len(d)):
        d[i] = 0.0
    write_frames(work.frames, flight, q, d, t)
    return depth, moved, write_contact_rows(work)
