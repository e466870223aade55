r"""Rows of contacts between blocks, and the laws of each contact.

.. math:: H_{kj} = t_k\cdot(\sigma_j + \vartheta_j\times x + E_j x)\,(c_{ij} - c_{i'j})

with the screws (σ, ϑ) of the velocities at the world's origin, the strains E of those that deform a body, the contact point x, the axes t
of the contact, and c, which says which velocity moves which shape. Two shapes of one group of blocks have their rows on one side.

Conditions J V = d answer every impulse at once, so that it changes velocities along them alone:

.. math:: B = M^{-1}H^T - Y\,(J Y)^{-1}\,Y^T H^T,\qquad Y = M^{-1}J^T
"""

import numpy as np

from vinculum.collision.meeting import law_between
from vinculum.compile.kernels import njit
from vinculum.contact.sparse.block_rows import side_speed
from vinculum.contact.sparse.factors import solve_part
from vinculum.tolerances.contact import IMMOVABLE


@njit(nogil=True, cache=True, error_model="numpy")
def entries_of_rows(m, contacts, held, resistance):
    """How many numbers m rows of contacts and moments have."""
    total, block, who = 0, held.mounting.block, contacts.who
    for row in range(m):
        c = row if resistance.partner[row] < 0 else resistance.partner[row]
        for side in range(2):
            if who[c, side] < len(block):
                total += 3 * held.groups.count[held.blocks.group[block[who[c, side]]]]
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def write_answers(held):
    """Write the velocities M⁻¹Jᵀ that the multipliers of conditions make in blocks whose inverse masses are written."""
    Z, blocks, conditions = held.Z, held.blocks, held.conditions
    along = np.empty(blocks.count.max())
    for b in range(len(blocks.count)):
        n = blocks.count[b]
        for e in range(conditions.begins[b], conditions.begins[b + 1]):
            k, twists = conditions.count[e], conditions.twists[e]
            for r in range(k):
                row = conditions.jacobian[e] + r * conditions.stride[e]
                for j in range(n):
                    s = 0.0
                    for i in range(6):
                        s += Z[row + i] * Z[twists + n * i + j]
                    along[j] = s
                for a in range(n):
                    s = 0.0
                    for j in range(n):
                        s += blocks.inverse[blocks.inverse_at[b] + n * j + a] * along[j]
                    conditions.answers[conditions.at[e] + k * a + r] = s


@njit(nogil=True, cache=True, error_model="numpy")
def write_rows(m, contacts, held, sides):
    """Write m rows of contacts and of moments at them, and their products with the inverse masses under conditions; returns how many
    numbers they take."""
    blocks, groups, mounting, resistance = held.blocks, held.groups, held.mounting, sides.resistance
    moving, who, used = len(mounting.block), contacts.who, 0
    for row in range(m):
        c = row if resistance.partner[row] < 0 else resistance.partner[row]
        arm = resistance.arm[row]
        i, j = who[c, 0], who[c, 1]
        one = mounting.block[i] if i < moving else -1
        other = mounting.block[j] if j < moving else -1
        same = one >= 0 and other >= 0 and blocks.group[one] == blocks.group[other]
        for k in range(3):
            sides.drift[row, k] = 0.0
        for side in range(2):
            block = one if side == 0 else other
            shape = i if side == 0 else j
            if block >= 0:
                _add_drift(c, arm, 1.0 - 2.0 * side, contacts, held.Z, mounting.drifts[shape], sides.drift[row])
            group = blocks.group[block] if block >= 0 else 0
            n = groups.count[group] if block >= 0 and not (same and side == 1) else 0
            sides.first[row, side] = groups.first[group] if n else 0
            sides.count[row, side], sides.at[row, side] = n, used
            if not n:
                continue
            for e in range(3 * n):
                sides.H[used + e] = sides.B[used + e] = 0.0
            for own in range(2 if same else 1):
                sign = 1.0 - 2.0 * side if own == 0 else -1.0
                _add_rows(c, arm, shape if own == 0 else j, sign, contacts, held, used, sides.H)
            twin = other if same and other != one else -1
            for k in range(3):
                for own in range(2 if twin >= 0 else 1):
                    answer_of_block(block if own == 0 else twin, used + n * k, held, sides)
                if groups.rows[group, 0] < groups.rows[group, 1]:
                    _hold(block, twin, used + n * k, held, sides)
            used += 3 * n
    return used


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _add_rows(c, arm, shape, sign, contacts, held, at, H):
    """Add the rows of a shape at contact c to those of its group, which begin at ``at``. ``arm``: those of angular velocities times this
    length, if it is not zero."""
    Z, blocks, groups, carried = held.Z, held.blocks, held.groups, held.mounting.carried
    block = held.mounting.block[shape]
    x, frame, strains = contacts.place[c], contacts.frame[c], held.strains[block]
    group, own = blocks.group[block], blocks.count[block]
    n, offset = groups.count[group], blocks.first[block] - groups.first[group]
    for k in range(3):
        t = frame[k]
        # t · (σ + ϑ × x) = t · σ + (x × t) · ϑ
        a, b, d = x[1] * t[2] - x[2] * t[1], x[2] * t[0] - x[0] * t[2], x[0] * t[1] - x[1] * t[0]
        for j in range(min(own, carried.shape[1])):
            if carried[shape, j]:
                s = blocks.screws[block] + 6 * j
                if arm > 0.0:
                    H[at + n * k + offset + j] += sign * arm * (t[0] * Z[s + 3] + t[1] * Z[s + 4] + t[2] * Z[s + 5])
                    continue
                along = t[0] * Z[s] + t[1] * Z[s + 1] + t[2] * Z[s + 2]
                along += a * Z[s + 3] + b * Z[s + 4] + d * Z[s + 5]
                if strains >= 0:
                    e = strains + 9 * j
                    for r in range(3):
                        along += t[r] * (Z[e + 3 * r] * x[0] + Z[e + 3 * r + 1] * x[1] + Z[e + 3 * r + 2] * x[2])
                H[at + n * k + offset + j] += sign * along


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def answer_of_block(block, at, held, sides):
    """Add the velocities of a block by an impulse along the row of its group that begins at ``at``, without conditions."""
    blocks = held.blocks
    n, begin = blocks.count[block], at + blocks.first[block] - held.groups.first[blocks.group[block]]
    H, B, own = sides.H[begin : begin + n], sides.B[begin : begin + n], blocks.inverse_at[block]
    for b in range(n):
        h = H[b]
        if h != 0.0:
            column = blocks.inverse[own + n * b : own + n * b + n]
            for a in range(n):
                B[a] += column[a] * h


@njit(nogil=True, cache=True, error_model="numpy")
def _hold(block, twin, at, held, sides):
    """Subtract what conditions take from these velocities, in all blocks of the group. An impulse that they take whole has no effect.

    ``twin``: the other block of this group that the row moves, −1 if there is none.
    """
    group = held.blocks.group[block]
    held.conditions.x[held.groups.rows[group, 0] : held.groups.rows[group, 1]] = 0.0
    for own in (block, twin):
        if own >= 0:
            _add_along(own, at, group, held, sides)
    _take_conditions(group, at, held, sides)


@njit(nogil=True, cache=True, error_model="numpy")
def hold_by_conditions(group, at, held, sides):
    """The same for a row that any blocks of its group move."""
    groups = held.groups
    held.conditions.x[groups.rows[group, 0] : groups.rows[group, 1]] = 0.0
    for place in range(groups.begins[group], groups.begins[group + 1]):
        _add_along(groups.members[place], at, group, held, sides)
    _take_conditions(group, at, held, sides)


@njit(nogil=True, cache=True, error_model="numpy")
def _add_along(own, at, group, held, sides):
    """Add what a block's part of the row at ``at`` does along conditions."""
    blocks, conditions, x = held.blocks, held.conditions, held.conditions.x
    begin, count = at + blocks.first[own] - held.groups.first[group], blocks.count[own]
    for e in range(conditions.begins[own], conditions.begins[own + 1]):
        k = conditions.count[e]
        for a in range(count):
            h = sides.H[begin + a]
            if h != 0.0:
                for r in range(k):
                    x[conditions.row[e] + r] += conditions.answers[conditions.at[e] + k * a + r] * h


@njit(nogil=True, cache=True, error_model="numpy")
def _take_conditions(group, at, held, sides):
    """Subtract the velocities that conditions take, in all blocks of a group."""
    blocks, groups, conditions, x = held.blocks, held.groups, held.conditions, held.conditions.x
    first, last, n = groups.rows[group, 0], groups.rows[group, 1], groups.count[group]
    solve_part(held.factors, x, first, last)
    free = _mobility(at, n, sides)
    for place in range(groups.begins[group], groups.begins[group + 1]):
        own = groups.members[place]
        begin, count = at + blocks.first[own] - groups.first[group], blocks.count[own]
        for e in range(conditions.begins[own], conditions.begins[own + 1]):
            k = conditions.count[e]
            for a in range(count):
                s = 0.0
                for r in range(k):
                    s += conditions.answers[conditions.at[e] + k * a + r] * x[conditions.row[e] + r]
                sides.B[begin + a] -= s
    if not _mobility(at, n, sides) > IMMOVABLE * free:
        for a in range(n):
            sides.B[at + a] = 0.0


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _mobility(at, n, sides):
    """The velocity along a row of n numbers that an impulse along it makes."""
    s = 0.0
    for a in range(n):
        s += sides.H[at + a] * sides.B[at + a]
    return s


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _add_drift(c, arm, sign, contacts, Z, at, drift):
    """Add the velocities of a shape by prescribed motions along the axes of contact c, or its angular velocities times an ``arm``."""
    x, frame = contacts.place[c], contacts.frame[c]
    for k in range(3):
        t = frame[k]
        a, b, d = x[1] * t[2] - x[2] * t[1], x[2] * t[0] - x[0] * t[2], x[0] * t[1] - x[1] * t[0]
        if arm > 0.0:
            drift[k] += sign * arm * (t[0] * Z[at + 3] + t[1] * Z[at + 4] + t[2] * Z[at + 5])
            continue
        along = t[0] * Z[at] + t[1] * Z[at + 1] + t[2] * Z[at + 2]
        drift[k] += sign * (along + a * Z[at + 3] + b * Z[at + 4] + d * Z[at + 5])


@njit(nogil=True, cache=True, error_model="numpy")
def write_laws(m, contacts, meeting, cones, ratios):
    """Write μ and Newton's e of every contact of shapes."""
    for c in range(m):
        if contacts.who[c, 0] >= len(meeting.groups):
            continue
        law = law_between(meeting, contacts.who[c, 0], contacts.who[c, 1])
        cones[c], ratios[c] = max(meeting.laws[law, 1], 0.0), meeting.laws[law, 0]


@njit(nogil=True, cache=True, error_model="numpy")
def least_speeds(problem, gap, ratios, touch, span, before, free):
    """Write the smallest separation velocities: zero at a touching contact, Newton's law after a hit, otherwise such that a gap just
    closes by the middle of the next step, ``span`` [s] later.

    ``before``, ``free``: velocities (n, 8) at the beginning of the step and at its end without impulses. The approach is that in the
    middle of the step.
    """
    sides, targets = problem.rows.sides, problem.targets
    begun, ended = before.reshape(-1), free.reshape(-1)
    for c in range(problem.m):
        if sides.resistance.partner[c] >= 0:
            targets[c] = 0.0
            continue
        targets[c] = 0.0 if gap[c] <= touch else -gap[c] / span
        if ratios[c] > 0.0:
            u = side_speed(c, 0, sides, ended)
            approach = 0.5 * (u + side_speed(c, 0, sides, begun))
            if approach < 0.0 and (gap[c] <= touch or gap[c] + span * u < 0.0):
                targets[c] = max(targets[c], u - approach - ratios[c] * approach)


@njit(nogil=True, cache=True, error_model="numpy")
def let_immovable_be(problem, V):
    """Set targets that hold already at contacts which no impulse moves, for velocities V (n, 8)."""
    sides, flat = problem.rows.sides, V.reshape(-1)
    for c in range(problem.m):
        if sides.resistance.partner[c] < 0 and not problem.rows.W[c, 0, 0] > 0.0:
            problem.targets[c] = side_speed(c, 0, sides, flat) - 1.0


@njit(nogil=True, cache=True, error_model="numpy")
def close_gaps(problem, gap, D):
    """Add the change of every gap by displacements D (n, 8); nothing drifts."""
    sides, moved = problem.rows.sides, D.reshape(-1)
    for c in range(problem.m):
        gap[c] += side_speed(c, 0, sides, moved)
