"""Impulses of a step of a tree that agree with the forces which they change, and those of an impact of no duration."""

import numpy as np
from numba import njit

from vinculum.compile.calls import run_lanes
from vinculum.contact.trees.steps import moved_contacts
from vinculum.integrators.moreau.impact_times import touching
from vinculum.integrators.moreau.impulses import hit
from vinculum.integrators.moreau.rows import as_in_the_middle, put, put_all, read, read_law, to_both_ends, to_the_middle
from vinculum.integrators.moreau.theta import theta_step
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS
from vinculum.tolerances.time_stepping import FORCE_ROUNDS


@njit(nogil=True, cache=True)
def solved(
    program, q, v, t, h, theta, scratch, found, whole_rows, rows, sides, touched, active, laws, begun, sought, tolerance, answer, fine,
    contacts,
):  # fmt: skip
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
    for turn in range(FORCE_ROUNDS):
        to_the_middle(program, q, (slow, fast), t, h, place)
        run_lanes(tape, x, z)
        read(z, rows)
        if turn > 0:
            moved_contacts(shapes, x, count, work, own // 3, gap, drift, H, kinds, ratios, axes, triple)
        to_both_ends(program, q, slow, fast, t, h)
        run_lanes(tape, x, z)
        read_law(z, m, nv, 0, last[:own], G_last)
        read_law(z, m, nv, 1, first[:own], G_first)
        as_in_the_middle(H, drift, own, 3 * len(active), first, last)
        before[:] = change
        residual, more = hit(touched, active, whole_rows, sides, v, unbound, laws, begun, sought, answer)
        sweeps += more
        # contacts of shapes move while forces settle; unilateral constraints are held to what is sought, or reached
        agreed = tolerance if count > 0 else max(sought[0], residual)
        if _close(change, before, agreed) or not residual <= tolerance:
            break
        before[:] = unbound
        fine = theta_step(program, q, v, t, h, theta, change, y, z, found)
        if not fine or _close(unbound, before, HUNDRED_ROUND_OFFS):
            break
        begun[:] = made
    return fine, residual, sweeps


@njit(nogil=True, cache=True)
def struck_at_once(
    program, q, v, t, z, struck, whole_rows, rows, sides, active, laws, begun, sought, answer
) -> tuple[float, int]:
    """Residual and sweeps of an impact of no duration, of the unilateral constraints that are ``struck`` and of those that are closed
    already."""
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
def _close(a, b, tolerance):
    """Whether velocities (nv,) differ by no more than this part of the largest."""
    apart, size = 0.0, 0.0
    for j in range(len(a)):
        apart, size = max(apart, abs(a[j] - b[j])), max(size, abs(a[j]))
    return apart <= tolerance * size
