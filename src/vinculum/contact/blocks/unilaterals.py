"""Unilateral constraints and stops of joints as rows beside the contacts of shapes.

Constraint k stands among contacts with the numbers (s + k, s + k) in place of those of two of the s shapes; its axes are its own, and its
place is nowhere.
"""

from vinculum.compile.kernels import njit
from vinculum.contact.blocks.rows import answer_of_block, hold_by_conditions


@njit(nogil=True, cache=True, error_model="numpy")
def add_unilaterals(m, shapes, held, contacts):
    """Write all unilateral constraints after m contacts between so many shapes; returns the number of both together."""
    gap = held.unilaterals.gap
    for k in range(len(gap)):
        c = m + k
        contacts.who[c, 0] = contacts.who[c, 1] = shapes + k
        contacts.gap[c] = held.Z[gap[k]]
        for i in range(3):
            contacts.place[c, i] = 0.0
            for j in range(3):
                contacts.frame[c, i, j] = 1.0 if i == j else 0.0
    return m + len(gap)


@njit(nogil=True, cache=True, error_model="numpy")
def entries_of_unilaterals(m, shapes, contacts, held):
    """How many numbers the rows of unilateral constraints among m contacts have."""
    total = 0
    for c in range(m):
        if contacts.who[c, 0] >= shapes:
            k = contacts.who[c, 0] - shapes
            for side in range(2):
                if held.unilaterals.group[k, side] >= 0:
                    total += 3 * held.groups.count[held.unilaterals.group[k, side]]
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def write_unilateral_rows(m, shapes, contacts, held, sides, used):
    """Write the rows of unilateral constraints among m contacts, and their products with the inverse masses under conditions; the first
    ``used`` numbers are taken."""
    own, groups, Z = held.unilaterals, held.groups, held.Z
    for c in range(m):
        k = contacts.who[c, 0] - shapes
        if k < 0:
            continue
        for r in range(3):
            sides.drift[c, r] = Z[own.drift[k] + r]
            for e in range(own.begins[k], own.begins[k + 1]):
                if own.moved[e] >= 0:
                    sides.drift[c, r] += _speed_of_prescribed(
                        own.jacobian[e] + r * own.stride[e], own.moved[e], own.place[e], Z
                    )
        for side in range(2):
            group = own.group[k, side]
            n = groups.count[group] if group >= 0 else 0
            sides.first[c, side] = groups.first[group] if n else 0
            sides.count[c, side], sides.at[c, side] = n, used
            if n:
                _write_side(k, side, used, n, held, sides)
            used += 3 * n


@njit(nogil=True, cache=True, error_model="numpy")
def _speed_of_prescribed(row, twist, x, Z):
    """The velocity along a row of six numbers that prescribed motions of a body at x make."""
    u, v, w, p, q, r = Z[twist], Z[twist + 1], Z[twist + 2], Z[twist + 3], Z[twist + 4], Z[twist + 5]
    s = Z[row] * (u + q * Z[x + 2] - r * Z[x + 1]) + Z[row + 1] * (v + r * Z[x] - p * Z[x + 2])
    return s + Z[row + 2] * (w + p * Z[x + 1] - q * Z[x]) + Z[row + 3] * p + Z[row + 4] * q + Z[row + 5] * r


@njit(nogil=True, cache=True, error_model="numpy")
def _write_side(k, side, at, n, held, sides):
    """Write the rows (3, n) of unilateral constraint k by the velocities of a group, which begin at ``at``, and their products."""
    own, blocks, groups = held.unilaterals, held.blocks, held.groups
    group = own.group[k, side]
    for e in range(3 * n):
        sides.H[at + e] = sides.B[at + e] = 0.0
    for e in range(own.begins[k], own.begins[k + 1]):
        b = own.block[e]
        if blocks.group[b] == group:
            begin = at + blocks.first[b] - groups.first[group]
            for r in range(3):
                _add_end(e, r, begin + n * r, blocks.count[b], held, sides.H)
    for r in range(3):
        for e in range(own.begins[k], own.begins[k + 1]):
            b = own.block[e]
            if own.is_first[e] and blocks.group[b] == group:
                answer_of_block(b, at + n * r, held, sides)
        if groups.rows[group, 0] < groups.rows[group, 1]:
            hold_by_conditions(group, at + n * r, held, sides)


@njit(nogil=True, cache=True, error_model="numpy")
def _add_end(e, r, at, n, held, H):
    """Add the r-th velocity by the end e to the row of the n velocities of its block, which begins at ``at``."""
    own, Z = held.unilaterals, held.Z
    row, twists = own.jacobian[e] + r * own.stride[e], own.twists[e]
    for i in range(own.width[e]):
        if twists < 0:
            H[at + own.offset[e] + i] += Z[row + i]
            continue
        for j in range(n):
            H[at + j] += Z[row + i] * Z[twists + n * i + j]


@njit(nogil=True, cache=True, error_model="numpy")
def write_unilateral_laws(m, shapes, contacts, held, cones, ratios):
    """Write μ and e of the unilateral constraints among m contacts."""
    for c in range(m):
        k = contacts.who[c, 0] - shapes
        if k >= 0:
            cones[c], ratios[c] = max(held.unilaterals.laws[k, 1], 0.0), held.unilaterals.laws[k, 0]


@njit(nogil=True, cache=True, error_model="numpy")
def warm_unilaterals(m, shapes, contacts, held, h, guess):
    """Write what the last impulses of unilateral constraints are in a step of h [s]."""
    for c in range(m):
        k = contacts.who[c, 0] - shapes
        if k >= 0:
            for r in range(3):
                guess[c, r] = h * held.unilaterals.last[k, r]


@njit(nogil=True, cache=True, error_model="numpy")
def remember_unilaterals(m, shapes, contacts, held, h, P):
    """Store the impulses of unilateral constraints per duration of the step."""
    last = held.unilaterals.last
    for k in range(len(last)):
        last[k, 0] = last[k, 1] = last[k, 2] = 0.0
    for c in range(m):
        k = contacts.who[c, 0] - shapes
        if k >= 0:
            for r in range(3):
                last[k, r] = P[c, r] / h
