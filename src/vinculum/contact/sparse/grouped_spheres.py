r"""Sweeps over groups of eight contacts of spheres that share no moving body: the formulas of `packed_spheres`, eight contacts at once.

A group takes the place of eight rows of ``packed`` and of ``seats``: there each of their columns stands as eight numbers, one after the
other. Contacts of a group do not act on each other, so their order does not matter.
"""

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic

from vinculum.compile.kernels import njit
from vinculum.compile.vectors.octads import (
    LANES,
    Octad,
    columns_at,
    dot,
    number,
    numbers_at,
    octad_at,
    put_columns,
    put_numbers,
    put_octad,
    words_at,
)
from vinculum.contact.sparse.residual import own_part
from vinculum.tolerances.contact import CONTACTS_WORTH_GROUPS

COLUMNS, SEATS, ROW = 19, 3, 24
MISSING, ROUGH = 19, 20
"""Columns to which a residual writes the squares of the velocities by which contacts miss their law, and that begins with the number of
contacts with friction."""
SLOTS = 62
"""Groups that are filled at the same time; their numbers are bits of a word."""


@njit(nogil=True, cache=True, error_model="numpy")
def group(who, moving, order, begin, end, taken):
    """Reorder a part of the contacts: first groups of eight that share no moving body, then the others; returns where the groups end.

    ``taken`` (moving,): the groups that are being filled and have a contact of this body, as bits; all zero before and after.
    """
    if end - begin < CONTACTS_WORTH_GROUPS:
        return begin
    slots, fill = np.empty((SLOTS, LANES), dtype=np.int64), np.zeros(SLOTS, dtype=np.int64)
    left, done, others = np.empty(end - begin, dtype=np.int64), begin, 0
    for k in range(begin, end):
        c = order[k]
        i, j = who[c, 0], who[c, 1]
        closed = (taken[i] if i < moving else 0) | (taken[j] if j < moving else 0)
        slot = 0
        while slot < SLOTS and closed & (1 << slot):
            slot += 1
        if slot == SLOTS:
            left[others] = c
            others += 1
            continue
        slots[slot, fill[slot]] = c
        fill[slot] += 1
        if fill[slot] < LANES:
            _mark(c, who, moving, 1 << slot, taken)
            continue
        for lane in range(LANES):
            c = slots[slot, lane]
            order[done + lane] = c
            _clear(c, who, moving, 1 << slot, taken)
        done, fill[slot] = done + LANES, 0
    for slot in range(SLOTS):
        for lane in range(fill[slot]):
            c = slots[slot, lane]
            _clear(c, who, moving, 1 << slot, taken)
            left[others] = c
            others += 1
    for k in range(others):
        order[done + k] = left[k]
    return done


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _mark(c, who, moving, bit, taken):
    for side in range(2):
        if who[c, side] < moving:
            taken[who[c, side]] |= bit


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _clear(c, who, moving, bit, taken):
    for side in range(2):
        if who[c, side] < moving:
            taken[who[c, side]] &= ~bit


def _pointers(b: Any, row: Any, seats: Any, velocities: Any, impulses: Any):
    """Addresses of the velocities of both bodies and of the impulses, eight each."""
    i, j, c = (words_at(b, seats, LANES * k) for k in range(SEATS))

    def places(base, words, width):
        return [b.add(base, b.mul(word, word.type(8 * width))) for word in words]

    return places(velocities, i, 8), places(velocities, j, 8), places(impulses, c, 3)


def _relative(b: Any, column: list[Octad], i: Any, j: Any):
    """Velocities of both bodies, and the relative velocities along the normal and both tangents."""
    v, w, other_v, other_w = columns_at(b, i, 0), columns_at(b, i, 4), columns_at(b, j, 0), columns_at(b, j, 4)
    n, s, t, (one, two) = column[0:3], column[3:6], column[6:9], column[9:11]
    x = [a - c for a, c in zip(v, other_v, strict=True)]
    y = [one * a + two * c for a, c in zip(w, other_w, strict=True)]
    return (v, w, other_v, other_w), (dot(n, x), dot(s, x) - dot(t, y), dot(t, x) + dot(s, y))


def _within(b: Any, q: Octad, r: Octad, limit: Octad) -> tuple[Octad, Octad]:
    """The tangential impulse nearest to (q, r) whose size is at most ``limit``."""
    slip = q * q + r * r
    scale = slip.where_larger(limit * limit, limit / slip.root(), number(b, 1.0))
    return q * scale, r * scale


def _after_kick(x: list[Octad], factor: Octad, change: list[Octad]) -> list[Octad]:
    return [a + factor * c for a, c in zip(x, change, strict=True)]


def _of_a_group(write: Any) -> Any:
    """An intrinsic of the addresses of a group's row and seats, of velocities and of impulses, which returns three numbers."""

    def signature_of(context, row, seats, velocities, impulses):
        def generate(context, builder, signature, args):
            found = write(builder, *args)
            return context.make_tuple(builder, signature.return_type, found)

        return types.UniTuple(types.float64, 3)(types.int64, types.int64, types.int64, types.int64), generate

    return intrinsic(signature_of)


@_of_a_group
def sweep_of_group(b, row, seats, velocities, impulses):
    """Solve the contacts of a group; the squares of the change and of the size of their impulses."""
    i, j, c = _pointers(b, row, seats, velocities, impulses)
    column = [octad_at(b, row, LANES * k) for k in range(COLUMNS)]
    n, s, t = column[0:3], column[3:6], column[6:9]
    normal, tangent, target, mass, spin, other_mass, other_spin, mu = column[11:19]
    (v, w, other_v, other_w), (u, along, across) = _relative(b, column, i, j)
    p0, q0, r0 = (numbers_at(b, c, k) for k in range(3))
    zero, p = number(b, 0.0), p0 - (u - target) * normal
    p = p.where_larger(zero, p, zero)
    q, r = _within(b, q0 - along * tangent, r0 - across * tangent, mu * p)
    for k, x in enumerate((p, q, r)):
        put_numbers(b, c, k, x)
    d, e, f = p - p0, q - q0, r - r0
    kick = [d * n[k] + e * s[k] + f * t[k] for k in range(3)]
    twist = [f * s[k] - e * t[k] for k in range(3)]
    put_columns(b, i, 0, _after_kick(v, mass, kick), mass)
    put_columns(b, i, 4, _after_kick(w, spin, twist), mass)
    put_columns(b, j, 0, _after_kick(other_v, zero - other_mass, kick), other_mass)
    put_columns(b, j, 4, _after_kick(other_w, other_spin, twist), other_mass)
    return (d * d + e * e + f * f).total(), (p * p + q * q + r * r).total(), number(b, 0.0).lane(0)


@_of_a_group
def normal_sweep_of_group(b, row, seats, velocities, impulses):
    """The same for contacts without friction, whose impulses are along their normals."""
    i, j, c = _pointers(b, row, seats, velocities, impulses)
    n, (normal, target, mass, other_mass) = (
        [octad_at(b, row, LANES * k) for k in range(3)],
        (octad_at(b, row, LANES * k) for k in (11, 13, 14, 16)),
    )
    v, other_v, p0, zero = columns_at(b, i, 0), columns_at(b, j, 0), numbers_at(b, c, 0), number(b, 0.0)
    p = p0 - (dot(n, [x - y for x, y in zip(v, other_v, strict=True)]) - target) * normal
    p = p.where_larger(zero, p, zero)
    put_numbers(b, c, 0, p)
    d = p - p0
    kick = [d * x for x in n]
    put_columns(b, i, 0, _after_kick(v, mass, kick), mass)
    put_columns(b, j, 0, _after_kick(other_v, zero - other_mass, kick), other_mass)
    return (d * d).total(), (p * p).total(), zero.lane(0)


@_of_a_group
def defect_of_group(b, row, seats, velocities, impulses):
    """Squares of the defect of the natural map and of the size of the impulses; the largest square of a velocity by which a contact
    misses its law. These squares are written to the column `MISSING`."""
    i, j, c = _pointers(b, row, seats, velocities, impulses)
    column = [octad_at(b, row, LANES * k) for k in range(COLUMNS)]
    normal, tangent, target, mu, zero = column[11], column[12], column[13], column[18], number(b, 0.0)
    _velocities, (u, along, across) = _relative(b, column, i, j)
    p0, q0, r0 = (numbers_at(b, c, k) for k in range(3))
    p = p0 - (u - target) * normal
    d = p.where_larger(zero, p, zero) - p0
    q, r = _within(b, q0 - along * tangent, r0 - across * tangent, mu * p0)
    e, f = q - q0, r - r0
    tangential = e * e + f * f
    missing = d * d / (normal * normal) + tangential / (tangent * tangent)
    put_octad(b, row, LANES * MISSING, missing)
    return (d * d + tangential).total(), (p0 * p0 + q0 * q0 + r0 * r0).total(), missing.most()


@njit(nogil=True, cache=True, error_model="numpy")
def grouped_sweep(begin, end, packed, seats, P, V):
    """One pass over groups in place; returns the squares of the change and of the size of P."""
    change = size = 0.0
    rows, places, velocities, impulses = packed.ctypes.data, seats.ctypes.data, V.ctypes.data, P.ctypes.data
    numbers = packed.reshape(-1)
    for k in range(begin, end, LANES):
        row, seat = rows + 8 * ROW * k, places + 8 * SEATS * k
        if numbers[ROW * k + LANES * ROUGH] == 0.0:
            a, b, _zero = normal_sweep_of_group(row, seat, velocities, impulses)
        else:
            a, b, _zero = sweep_of_group(row, seat, velocities, impulses)
        change, size = change + a, size + b
    return change, size, 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def grouped_residual(begin, end, packed, seats, P, V, inverse_mass, pace):
    """The defect of groups, their size and their worst contact, as in `packed_spheres`."""
    change = size = worst = bound = 0.0
    rows, places, velocities, impulses = packed.ctypes.data, seats.ctypes.data, V.ctypes.data, P.ctypes.data
    missing, bodies = packed.reshape(-1), seats.reshape(-1)
    for k in range(begin, end, LANES):
        a, b, most = defect_of_group(rows + 8 * ROW * k, places + 8 * SEATS * k, velocities, impulses)
        change, size = change + a, size + b
        if not most > bound:
            continue
        for lane in range(LANES):
            own = missing[ROW * k + LANES * MISSING + lane]
            if own > bound:
                i, j = bodies[SEATS * k + lane], bodies[SEATS * k + LANES + lane]
                worst = max(worst, own_part(i, j, own, V, inverse_mass, pace))
                bound = (worst * pace.least) ** 2
    return change, size, worst


@njit(nogil=True, cache=True, error_model="numpy")
def pack_groups(begin, end, parts, problem):
    """Write the columns of groups: normal and tangents, lever arms, 1/w of both directions, target, the effect of an impulse on both
    bodies, and μ; positions of both velocities and of the impulse."""
    who, frame, arms, weight = problem.rows.who, problem.rows.frame, problem.rows.arms, problem.rows.weight
    (inverse_mass, spin), cones, target = problem.blocks, problem.cones, problem.targets
    order, packed, seats = parts.order, parts.packed.reshape(-1), parts.seats.reshape(-1)
    for k in range(begin, end):
        first, lane = k - (k - begin) % LANES, (k - begin) % LANES
        row, seat, c = ROW * first + lane, SEATS * first + lane, order[k]
        i, j = who[c, 0], who[c, 1]
        seats[seat], seats[seat + LANES], seats[seat + 2 * LANES] = i, j, c
        for d in range(3):
            for x in range(3):
                packed[row + LANES * (3 * d + x)] = frame[c, d, x]
        if lane == 0:
            packed[row + LANES * ROUGH] = 0.0
        packed[row - lane + LANES * ROUGH] += cones[c] > 0.0
        a, b = arms[c, 0], arms[c, 1]
        numbers = (
            a,
            b,
            weight[c, 0],
            weight[c, 1],
            target[c],
            inverse_mass[i],
            a * spin[i],
            inverse_mass[j],
            b * spin[j],
            cones[c],
        )
        for n in range(10):
            packed[row + LANES * (9 + n)] = numbers[n]
