r"""Sweeps over contacts of spheres with four numbers at once, from data packed in the order of the sweep.

.. math:: u = (n\cdot x,\; s\cdot x - t\cdot w,\; t\cdot x + s\cdot w),\qquad x = v_i - v_j,\quad w = a_i \omega_i + a_j \omega_j

Rows of ``packed`` (m, 24): normal n and tangents s, t, each followed by a zero; then lever arms, 1/w of both directions, target, the
effect of an impulse on both bodies, and μ. Rows of ``seats`` (m, 3): positions of both velocities and of the impulse.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.compile.vectors.quads import difference, less_product, product, put_quad, quad_at, sums, with_product
from vinculum.contact.cones import within
from vinculum.contact.sparse.residual import own_part
from vinculum.tolerances.contact import PAIRED_AHEAD

NUMBERS_OF_A_ROW, SEATS = 24, 3


@njit(nogil=True, cache=True, error_model="numpy")
def spread(who, moving, order, begin, end):
    """Reorder contacts so that successive ones share no moving body. Then none waits for velocities that the previous one writes."""
    for k in range(begin + 1, end):
        i, j = who[order[k - 1], 0], who[order[k - 1], 1]
        for other in range(k, min(k + PAIRED_AHEAD, end)):
            a, b = who[order[other], 0], who[order[other], 1]
            if a != i and a != j and b != i and (b != j or b >= moving):
                order[k], order[other] = order[other], order[k]
                break


@njit(nogil=True, cache=True, error_model="numpy")
def pack(begin, end, parts, problem):
    """Write the rows of a part of the contacts."""
    who, frame, arms, weight = problem.rows.who, problem.rows.frame, problem.rows.arms, problem.rows.weight
    (inverse_mass, spin), cones, target = problem.blocks, problem.cones, problem.targets
    order, packed, seats = parts.order, parts.packed, parts.seats
    for k in range(begin, end):
        c, row = order[k], packed[k]
        i, j = who[c, 0], who[c, 1]
        seats[k, 0], seats[k, 1], seats[k, 2] = i, j, c
        for d in range(3):
            row[4 * d + 3] = 0.0
            for x in range(3):
                row[4 * d + x] = frame[c, d, x]
        a, b = arms[c, 0], arms[c, 1]
        row[12], row[13], row[14], row[15], row[16] = a, b, weight[c, 0], weight[c, 1], target[c]
        row[17], row[18], row[19], row[20] = inverse_mass[i], a * spin[i], inverse_mass[j], b * spin[j]
        row[21] = cones[c]


@njit(nogil=True, cache=True, error_model="numpy")
def packed_sweep(begin, end, packed, seats, P, V):
    """One pass over a part of the contacts in place; returns the squares of the change and of the size of P.

    Contacts without friction need only their normals.
    """
    change = size = 0.0
    velocities, rows = V.ctypes.data, packed.ctypes.data
    for k in range(begin, end):
        i, j, c, frame = (
            velocities + 64 * seats[k, 0],
            velocities + 64 * seats[k, 1],
            seats[k, 2],
            rows + 8 * NUMBERS_OF_A_ROW * k,
        )
        p0, q0, r0 = P[c, 0], P[c, 1], P[c, 2]
        if packed[k, 21] == 0.0 and q0 == 0.0 and r0 == 0.0:
            v, other_v, n = quad_at(i), quad_at(j), quad_at(frame)
            x, y, z, _zero = product(n, difference(v, other_v))
            p = max(p0 - (x + y + z - packed[k, 16]) * packed[k, 14], 0.0)
            if p != p0:
                P[c, 0] = p
                change += (p - p0) * (p - p0)
                kick = product(p - p0, n)
                put_quad(i, with_product(v, packed[k, 17], kick))
                if packed[k, 19] > 0.0:
                    put_quad(j, less_product(other_v, packed[k, 19], kick))
            size += p * p
            continue
        n, s, t = quad_at(frame), quad_at(frame + 32), quad_at(frame + 64)
        v, w, other_v, other_w = quad_at(i), quad_at(i + 32), quad_at(j), quad_at(j + 32)
        x, y = difference(v, other_v), with_product(product(packed[k, 12], w), packed[k, 13], other_w)
        u, along, across = sums(product(n, x), less_product(product(s, x), t, y), with_product(product(t, x), s, y))
        p = p0 - (u - packed[k, 16]) * packed[k, 14]
        if p <= 0.0:
            if p0 == 0.0 and q0 == 0.0 and r0 == 0.0:
                continue
            p = q = r = 0.0
        else:
            q, r = within(q0 - along * packed[k, 15], r0 - across * packed[k, 15], packed[k, 21] * p)
        P[c, 0], P[c, 1], P[c, 2] = p, q, r
        size += p * p + q * q + r * r
        p, q, r = p - p0, q - q0, r - r0
        change += p * p + q * q + r * r
        kick, twist = with_product(with_product(product(p, n), q, s), r, t), less_product(product(r, s), q, t)
        put_quad(i, with_product(v, packed[k, 17], kick))
        put_quad(i + 32, with_product(w, packed[k, 18], twist))
        if packed[k, 19] > 0.0:
            put_quad(j, less_product(other_v, packed[k, 19], kick))
            put_quad(j + 32, with_product(other_w, packed[k, 20], twist))
    return change, size, 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def packed_residual(begin, end, packed, seats, P, V, inverse_mass, pace):
    """Squares of the natural map's defect P − proj(P − u / w) and of the size of P for a part of the contacts, and the worst `own_part`."""
    change = size = worst = bound = 0.0
    velocities, rows = V.ctypes.data, packed.ctypes.data
    for k in range(begin, end):
        i, j, c, frame = (
            velocities + 64 * seats[k, 0],
            velocities + 64 * seats[k, 1],
            seats[k, 2],
            rows + 8 * NUMBERS_OF_A_ROW * k,
        )
        n, s, t = quad_at(frame), quad_at(frame + 32), quad_at(frame + 64)
        x = difference(quad_at(i), quad_at(j))
        y = with_product(product(packed[k, 12], quad_at(i + 32)), packed[k, 13], quad_at(j + 32))
        u, along, across = sums(product(n, x), less_product(product(s, x), t, y), with_product(product(t, x), s, y))
        p0, q0, r0 = P[c, 0], P[c, 1], P[c, 2]
        p = max(p0 - (u - packed[k, 16]) * packed[k, 14], 0.0)
        q, r = within(q0 - along * packed[k, 15], r0 - across * packed[k, 15], packed[k, 21] * p0)
        size += p0 * p0 + q0 * q0 + r0 * r0
        tangential = (q - q0) ** 2 + (r - r0) ** 2
        change += (p - p0) ** 2 + tangential
        missing = ((p - p0) / packed[k, 14]) ** 2 + tangential / (packed[k, 15] * packed[k, 15])
        if missing > bound:
            worst = max(worst, own_part(seats[k, 0], seats[k, 1], missing, V, inverse_mass, pace))
            bound = (worst * pace.least) ** 2  # below this none is the worst, whatever its Δv
    return change, size, worst


def room(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Arrays for the rows and seats of ``size`` contacts."""
    return aligned_zeros((size, NUMBERS_OF_A_ROW)), np.zeros((size, SEATS), dtype=np.int64)


def aligned_zeros(shape: tuple[int, ...]) -> np.ndarray:
    """Zeros whose rows of eight do not straddle cache lines, so that two threads do not share a line."""
    count = int(np.prod(shape))
    whole = np.zeros(count + 8)
    first = -(whole.ctypes.data // 8) % 8
    return whole[first : first + count].reshape(shape)
