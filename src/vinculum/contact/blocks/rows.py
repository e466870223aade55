r"""Rows of contacts between blocks, and the laws of each contact.

.. math:: H_{kj} = t_k\cdot(\sigma_j + \vartheta_j\times x + E_j x)\,(c_{ij} - c_{i'j})

with the screws (σ, ϑ) of the velocities at the world's origin, the strains E of those that deform a body, the contact point x, the axes t
of the contact, and c, which says which velocity moves which shape. Two shapes of one block have their rows on one side.
"""

from vinculum.collision.meeting import law_between
from vinculum.compile.kernels import njit
from vinculum.contact.sparse.block_rows import side_speed


@njit(nogil=True, cache=True, error_model="numpy")
def entries_of_rows(m, contacts, blocks, mounting):
    """How many numbers the rows of m contacts have."""
    total, moving, who = 0, len(mounting.block), contacts.who
    for c in range(m):
        for side in range(2):
            if who[c, side] < moving:
                total += 3 * blocks.count[mounting.block[who[c, side]]]
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def write_rows(m, contacts, Z, blocks, mounting, strains, sides):
    """Write the rows of m contacts, and their products with the inverse masses; Z: the long array with screws and drifts;
    ``strains``: where those of every block begin in it."""
    moving, who, used = len(mounting.block), contacts.who, 0
    for c in range(m):
        i, j = who[c, 0], who[c, 1]
        one = mounting.block[i] if i < moving else -1
        other = mounting.block[j] if j < moving else -1
        same = one >= 0 and one == other
        for k in range(3):
            sides.drift[c, k] = 0.0
        for side in range(2):
            block = one if side == 0 else other
            n = blocks.count[block] if block >= 0 and not (same and side == 1) else 0
            sides.first[c, side] = blocks.first[block] if n else 0
            sides.count[c, side], sides.at[c, side] = n, used
            shape = i if side == 0 else j
            if block >= 0:
                _add_drift(c, 1.0 - 2.0 * side, contacts, Z, mounting.drifts[shape], sides.drift)
            if not n:
                continue
            for e in range(3 * n):
                sides.H[used + e] = 0.0
            rows = blocks.screws[block], strains[block], n, used
            _add_rows(c, shape, 1.0 - 2.0 * side, contacts, Z, mounting.carried, rows, sides.H)
            if same:
                _add_rows(c, j, -1.0, contacts, Z, mounting.carried, rows, sides.H)
            inverse = blocks.inverse[blocks.inverse_at[block] : blocks.inverse_at[block] + n * n]
            for k in range(3):
                for a in range(n):
                    s = 0.0
                    for b in range(n):
                        s += inverse[n * a + b] * sides.H[used + n * k + b]
                    sides.B[used + n * k + a] = s
            used += 3 * n


@njit(nogil=True, cache=True, error_model="numpy")
def _add_rows(c, shape, sign, contacts, Z, carried, rows, H):
    """Add the rows of a shape at contact c. ``rows``: where the block's screws and strains begin, how many it has, and where its rows
    begin."""
    screws, strains, n, at = rows
    x, frame = contacts.place[c], contacts.frame[c]
    wide = carried.shape[1]
    for k in range(3):
        t = frame[k]
        # t · (σ + ϑ × x) = t · σ + (x × t) · ϑ
        a, b, d = x[1] * t[2] - x[2] * t[1], x[2] * t[0] - x[0] * t[2], x[0] * t[1] - x[1] * t[0]
        for j in range(min(n, wide)):
            if carried[shape, j]:
                s = screws + 6 * j
                along = t[0] * Z[s] + t[1] * Z[s + 1] + t[2] * Z[s + 2]
                along += a * Z[s + 3] + b * Z[s + 4] + d * Z[s + 5]
                if strains >= 0:
                    e = strains + 9 * j
                    for r in range(3):
                        along += t[r] * (Z[e + 3 * r] * x[0] + Z[e + 3 * r + 1] * x[1] + Z[e + 3 * r + 2] * x[2])
                H[at + n * k + j] += sign * along


@njit(nogil=True, cache=True, error_model="numpy")
def _add_drift(c, sign, contacts, Z, at, drift):
    x, frame = contacts.place[c], contacts.frame[c]
    for k in range(3):
        t = frame[k]
        a, b, d = x[1] * t[2] - x[2] * t[1], x[2] * t[0] - x[0] * t[2], x[0] * t[1] - x[1] * t[0]
        along = t[0] * Z[at] + t[1] * Z[at + 1] + t[2] * Z[at + 2]
        drift[c, k] += sign * (along + a * Z[at + 3] + b * Z[at + 4] + d * Z[at + 5])


@njit(nogil=True, cache=True, error_model="numpy")
def write_laws(m, contacts, meeting, cones, ratios):
    """Write μ and Newton's e of every contact."""
    for c in range(m):
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
        targets[c] = 0.0 if gap[c] <= touch else -gap[c] / span
        if ratios[c] > 0.0:
            u = side_speed(c, 0, sides, ended)
            approach = 0.5 * (u + side_speed(c, 0, sides, begun))
            if approach < 0.0 and (gap[c] <= touch or gap[c] + span * u < 0.0):
                targets[c] = max(targets[c], u - approach - ratios[c] * approach)


@njit(nogil=True, cache=True, error_model="numpy")
def close_gaps(problem, gap, D):
    """Add the change of every gap by displacements D (n, 8); nothing drifts."""
    sides, moved = problem.rows.sides, D.reshape(-1)
    for c in range(problem.m):
        gap[c] += side_speed(c, 0, sides, moved)
