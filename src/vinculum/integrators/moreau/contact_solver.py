"""Impulses of a step of a tree that are consistent with the forces they change, and those of a located impact."""

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.contact.trees.steps import count_contacts, renew_contacts
from vinculum.integrators.moreau.accumulation import end_accumulation
from vinculum.integrators.moreau.arrays import StepRows
from vinculum.integrators.moreau.impact_times import touching
from vinculum.integrators.moreau.impulses import find_impulses
from vinculum.integrators.moreau.rows import (
    ONE,
    ZERO,
    as_in_the_middle,
    put,
    put_all,
    read,
    read_law,
    to_both_ends,
    to_the_middle,
)
from vinculum.integrators.moreau.theta import theta_step
from vinculum.tolerances.event_driven import IMPACT_RESIDUAL
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS
from vinculum.tolerances.time_stepping import FORCE_ROUNDS


@njit(nogil=True, cache=True)
def solve_step(program, step, rules, rows, active, impulses, work, fine):
    """Find impulses consistent with the forces that they change in the same step; returns whether forces converged, residual and sweeps.

    ``fine``: whether forces converged without impulses.
    """
    x, z, change, every = program.x, program.z, impulses.change, rows.every
    m, own, nv = len(rows.own.gap), len(rows.own.drift), len(step.v)
    before, G_first = np.empty(nv), np.empty_like(rows.G_last)
    residual, sweeps = 0.0, 0
    sought = rules.residual, rules.tolerance, rules.most
    for turn in range(FORCE_ROUNDS):
        to_the_middle(program, step)
        run_lanes(program.unilaterals, x, z)
        read(z, rows.own)
        if turn > 0:
            renew_contacts(x, work, own // 3, every, rows.laws)
        to_both_ends(program, step)
        run_lanes(program.unilaterals, x, z)
        read_law(z, m, nv, ZERO, rows.last[:own], rows.G_last)
        read_law(z, m, nv, ONE, rows.first[:own], G_first)
        as_in_the_middle(every.H, every.drift, own, 3 * len(active), rows.first, rows.last)
        for i in range(nv):
            before[i] = change[i]
        residual, more = find_impulses(active, rows, step.v, step.unbound, sought, impulses)
        sweeps += more
        # Contacts of shapes move while forces converge, so the tolerance will do; otherwise the residual sought or reached.
        agreed = rules.tolerance if count_contacts(work) > 0 else max(rules.residual, residual)
        if _are_close(change, before, program.units.v, agreed) or not residual <= rules.tolerance:
            break
        for i in range(nv):
            before[i] = step.unbound[i]
        fine = theta_step(program, step, rules.theta, change)
        if not fine or _are_close(step.unbound, before, program.units.v, HUNDRED_ROUND_OFFS):
            break
        for i in range(len(impulses.made)):
            impulses.begun[i] = impulses.made[i]
    return fine, residual, sweeps


@njit(nogil=True, cache=True)
def impact_at_once(program, step, rules, rows, watched, hits, active, impulses) -> tuple[float, int]:
    """Residual and sweeps of a located impact of the unilateral constraints that are hit and those that are already closed.

    A constraint that was active in the last step and is at rest counts as closed, because steps may leave a gap of second order. The
    impulses are found to round-off: an error would grow with the time until the next impact, and split what closes at one instant.
    ``hits``: the last instants (m, k) of impulses, which tell where infinitely many impacts end.
    """
    x, z, q, v = program.x, program.z, step.q, step.v
    last, G_last, nv = rows.last, rows.G_last, len(step.v)
    put_all(x, ZERO, q)
    put_all(x, program.nq, v)
    put(x, program.n, step.t)
    run_lanes(program.unilaterals, x, z)
    read(z, rows.own)
    gap, axes, touched = rows.every.gap, rows.laws.axes, np.int64(0)
    read_law(z, len(watched.struck), nv, ZERO, last[: 3 * len(active)], G_last)
    for c in range(len(active)):
        if axes[c, 2] >= 0.0:
            active[c] = active[int(axes[c, 2])]
        else:
            speed = last[3 * c, nv]
            for j in range(nv):
                speed += last[3 * c, j] * v[j]
            pressed = watched.lately[c] and abs(speed) <= watched.slow[c]
            active[c] = watched.struck[c] or gap[c] <= touching(program.units, q) or pressed
        touched += active[c]
    for j in range(3 * len(active)):
        impulses.begun[j] = 0.0
    if not touched:
        return 0.0, 0
    sought = min(rules.residual, IMPACT_RESIDUAL), rules.tolerance, rules.most
    kept = end_accumulation(program, step, watched, rows, hits, active)
    residual, sweeps = find_impulses(
        active, StepRows(rows.every, rows.own, last, last, G_last, rows.laws), v, v, sought, impulses
    )
    for c in range(len(kept)):
        rows.laws.ratio[c] = kept[c]
    return residual, sweeps


@njit(nogil=True, cache=True)
def _are_close(a, b, units, tolerance):
    """Whether velocities (nv,) differ by no more than ``tolerance`` times the largest, all of them as speeds: times ``units`` (nv,)."""
    apart, size = 0.0, 0.0
    for j in range(len(a)):
        apart, size = max(apart, units[j] * abs(a[j] - b[j])), max(size, units[j] * abs(a[j]))
    return apart <= tolerance * size
