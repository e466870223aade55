r"""Impulses between blocks of any kind: the rows of a contact are dense in the velocities of its one or two blocks.

.. math:: u = \sum_{s} H_s V_s + d,\qquad V_s \leftarrow V_s + B_s P,\quad B_s = M_s^{-1} H_s^T,\qquad W = \sum_s H_s B_s

Velocities V (n, 8) hold those of a block one after the other; see `Sides`.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.cones import project_on_cone, within
from vinculum.tolerances.contact import IMMOVABLE, OWN_ROUNDS


@njit(nogil=True, cache=True, error_model="numpy")
def weigh_sides(m, rows):
    """Write the diagonal blocks W and effective masses of contacts whose sides are written.

    Where impulses along the tangents have no effect, these have the mass of the normal. A contact that no impulse moves has mass one.
    """
    (_first, count, at, H, B, _drift, _resistance), W, weight = rows.sides, rows.W, rows.weight
    for c in range(m):
        for k in range(3):
            for d in range(3):
                w = 0.0
                for side in range(2):
                    n = count[c, side]
                    a, b = at[c, side] + k * n, at[c, side] + d * n
                    for j in range(n):
                        w += H[a + j] * B[b + j]
                W[c, k, d] = w
        a, b, e = W[c, 1, 1], W[c, 2, 2], W[c, 1, 2]
        normal, most = W[c, 0, 0], 0.5 * (a + b) + np.sqrt(0.25 * (a - b) ** 2 + e * e)
        weight[c, 0] = 1.0 / normal if normal > 0.0 else 1.0
        weight[c, 1] = 1.0 / most if most > IMMOVABLE * normal else weight[c, 0]


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def side_speed(c, k, sides, V):
    """The relative velocity of contact c along its axis k, for the velocities V of all blocks, one after the other."""
    u = sides.drift[c, k]
    for side in range(2):
        n, first = sides.count[c, side], sides.first[c, side]
        at = sides.at[c, side] + k * n
        for j in range(n):
            u += sides.H[at + j] * V[first + j]
    return u


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _products(n, H, at, V, first):
    """Products of the three rows of a side with its velocities.

    Each is summed in four parts, which do not wait for each other.
    """
    u0 = u1 = u2 = u3 = s0 = s1 = s2 = s3 = t0 = t1 = t2 = t3 = 0.0
    b, d, whole = at + n, at + 2 * n, n - n % 4
    for j in range(0, whole, 4):
        i = first + j
        x0, x1, x2, x3 = V[i], V[i + 1], V[i + 2], V[i + 3]
        u0, u1, u2, u3 = (
            u0 + H[at + j] * x0, u1 + H[at + j + 1] * x1, u2 + H[at + j + 2] * x2, u3 + H[at + j + 3] * x3,
        )  # fmt: skip
        s0, s1, s2, s3 = (
            s0 + H[b + j] * x0, s1 + H[b + j + 1] * x1, s2 + H[b + j + 2] * x2, s3 + H[b + j + 3] * x3,
        )  # fmt: skip
        t0, t1, t2, t3 = (
            t0 + H[d + j] * x0, t1 + H[d + j + 1] * x1, t2 + H[d + j + 2] * x2, t3 + H[d + j + 3] * x3,
        )  # fmt: skip
    for j in range(whole, n):
        x = V[first + j]
        u0, s0, t0 = u0 + H[at + j] * x, s0 + H[b + j] * x, t0 + H[d + j] * x
    return (u0 + u1) + (u2 + u3), (s0 + s1) + (s2 + s3), (t0 + t1) + (t2 + t3)


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _contact_velocity(c, sides, V):
    """The relative velocity of contact c along its three axes."""
    u, s, t = sides.drift[c, 0], sides.drift[c, 1], sides.drift[c, 2]
    for side in range(2):
        a, b, d = _products(sides.count[c, side], sides.H, sides.at[c, side], V, sides.first[c, side])
        u, s, t = u + a, s + b, t + d
    return u, s, t


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _kick(c, sides, V, impulse):
    """Add the effect of an impulse (3) at contact c to the velocities."""
    p, q, r = impulse
    for side in range(2):
        n, first, at = sides.count[c, side], sides.first[c, side], sides.at[c, side]
        for j in range(n):
            V[first + j] += p * sides.B[at + j] + q * sides.B[at + n + j] + r * sides.B[at + 2 * n + j]


@njit(nogil=True, cache=True, error_model="numpy")
def side_sweep(order, begin, end, problem, iterate):
    """One pass over a part of the contacts in place; returns the squares of the change and of the size of P.

    The diagonal block of a contact is solved in `OWN_ROUNDS` rounds.
    """
    sides, W, weight = problem.rows.sides, problem.rows.W, problem.rows.weight
    cones, target, P, V = problem.cones, problem.targets, iterate.P, iterate.V.reshape(-1)
    change = size = 0.0
    for k in range(begin, end):
        c = order[k]
        if sides.resistance.partner[c] >= 0:
            moved, own = _resist(c, problem, iterate)
            change, size = change + moved, size + own
            continue
        B, mu = W[c], cones[c]
        u, s, t = _contact_velocity(c, sides, V)
        u -= target[c]
        p0, q0, r0 = P[c, 0], P[c, 1], P[c, 2]
        if p0 == 0.0 and q0 == 0.0 and r0 == 0.0 and u >= 0.0:
            continue
        p, q, r = p0, q0, r0
        for _ in range(OWN_ROUNDS):
            new = max(p - u * weight[c, 0], 0.0)
            d = new - p
            u, s, t, p = u + B[0, 0] * d, s + B[1, 0] * d, t + B[2, 0] * d, new
            a, b = within(q - s * weight[c, 1], r - t * weight[c, 1], mu * p)
            d, e = a - q, b - r
            u, s, t = u + B[0, 1] * d + B[0, 2] * e, s + B[1, 1] * d + B[1, 2] * e, t + B[2, 1] * d + B[2, 2] * e
            q, r = a, b
        P[c, 0], P[c, 1], P[c, 2] = p, q, r
        size += p * p + q * q + r * r
        p, q, r = p - p0, q - q0, r - r0
        change += p * p + q * q + r * r
        _kick(c, sides, V, (p, q, r))
    return change, size, 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _resist(c, problem, iterate):
    """Solve the triple c of moments in place; returns the squares of the change and of its size."""
    sides, B, weight, P, V = (
        problem.rows.sides,
        problem.rows.W[c],
        problem.rows.weight,
        iterate.P,
        iterate.V.reshape(-1),
    )
    p0, q0, r0 = P[c, 0], P[c, 1], P[c, 2]
    most, limit = moment_limits(c, sides, P)
    if most == 0.0 and limit == 0.0 and p0 == 0.0 and q0 == 0.0 and r0 == 0.0:
        return 0.0, 0.0
    u, s, t = _contact_velocity(c, sides, V)
    p, q, r = p0, q0, r0
    for _ in range(OWN_ROUNDS):
        new = min(max(p - u * weight[c, 0], -most), most)
        d = new - p
        u, s, t, p = u + B[0, 0] * d, s + B[1, 0] * d, t + B[2, 0] * d, new
        a, b = within(q - s * weight[c, 1], r - t * weight[c, 1], limit)
        d, e = a - q, b - r
        u, s, t = u + B[0, 1] * d + B[0, 2] * e, s + B[1, 1] * d + B[1, 2] * e, t + B[2, 1] * d + B[2, 2] * e
        q, r = a, b
    P[c, 0], P[c, 1], P[c, 2] = p, q, r
    size = p * p + q * q + r * r
    p, q, r = p - p0, q - q0, r - r0
    _kick(c, sides, V, (p, q, r))
    return p * p + q * q + r * r, size


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def moment_limits(c, sides, P):
    """The largest impulses of the triple c about the normal and about tangents."""
    pressing = max(P[sides.resistance.partner[c], 0], 0.0)
    return sides.resistance.limits[c, 0] * pressing, sides.resistance.limits[c, 1] * pressing


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _within_law(c, sides, cones, P, p, q, r):
    """The projection of (p, q, r) onto what the law of row c admits, beside the impulses P."""
    if sides.resistance.partner[c] >= 0:
        most, limit = moment_limits(c, sides, P)
        p = min(max(p, -most), most)
    else:
        p, limit = max(p, 0.0), cones[c] * P[c, 0]
    q, r = within(q, r, limit)
    return p, q, r


@njit(nogil=True, cache=True, error_model="numpy")
def side_residual(order, begin, end, problem, iterate):
    """Squares of the natural map's defect P − proj(P − u / w) and of the size of P for a part of the contacts, and the worst contact on
    its own scale: w |ε| / (|g| h + |Δv|), where Δv is the change of velocity at the contact of the side that changes less.
    """
    sides, weight = problem.rows.sides, problem.rows.weight
    cones, target, P, V = problem.cones, problem.targets, iterate.P, iterate.V.reshape(-1)
    before, least = problem.pace.before.reshape(-1), problem.pace.least
    change = size = worst = 0.0
    for k in range(begin, end):
        c = order[k]
        p0, q0, r0 = P[c, 0], P[c, 1], P[c, 2]
        u, s, t = _contact_velocity(c, sides, V)
        p, q, r = p0 - (u - target[c]) * weight[c, 0], q0 - s * weight[c, 1], r0 - t * weight[c, 1]
        p, q, r = _within_law(c, sides, cones, P, p, q, r)
        size += p0 * p0 + q0 * q0 + r0 * r0
        tangential = (q - q0) ** 2 + (r - r0) ** 2
        change += (p - p0) ** 2 + tangential
        missing = ((p - p0) / weight[c, 0]) ** 2 + tangential / (weight[c, 1] * weight[c, 1])
        if missing > 0.0:
            slower = np.inf
            for side in range(2):
                if sides.count[c, side] > 0:
                    slower = min(slower, _change(c, side, sides, V, before))
            worst = max(worst, np.sqrt(missing) / (least + np.sqrt(slower)))
    return change, size, worst


@njit(nogil=True, cache=True, error_model="numpy")
def hardest_of_sides(problem, iterate):
    """The largest change of velocity at a contact, of any side."""
    sides, V, before = problem.rows.sides, iterate.V.reshape(-1), problem.pace.before.reshape(-1)
    most = 0.0
    for c in range(problem.m):
        for side in range(2):
            most = max(most, _change(c, side, sides, V, before))
    return np.sqrt(most)


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _change(c, side, sides, V, before):
    """The square of the change of a side's velocity at its contact."""
    n, first, at = sides.count[c, side], sides.first[c, side], sides.at[c, side]
    u = s = t = 0.0
    for j in range(n):
        x = V[first + j] - before[first + j]
        u, s, t = u + sides.H[at + j] * x, s + sides.H[at + n + j] * x, t + sides.H[at + 2 * n + j] * x
    return u * u + s * s + t * t


@njit(nogil=True, cache=True, error_model="numpy")
def project_sides(order, begin, end, problem, iterate):
    """Project the impulses of a part of the contacts onto their cones, and update the velocities."""
    sides, cones, P, V = problem.rows.sides, problem.cones, iterate.P, iterate.V.reshape(-1)
    for k in range(begin, end):
        c = order[k]
        if sides.resistance.partner[c] >= 0:
            p, q, r = _within_law(c, sides, cones, P, P[c, 0], P[c, 1], P[c, 2])
        else:
            p, q, r = project_on_cone(P[c, 0], P[c, 1], P[c, 2], cones[c])
        if p != P[c, 0] or q != P[c, 1] or r != P[c, 2]:
            _kick(c, sides, V, (p - P[c, 0], q - P[c, 1], r - P[c, 2]))
            P[c, 0], P[c, 1], P[c, 2] = p, q, r


@njit(nogil=True, cache=True, error_model="numpy")
def side_speeds(problem, V, out):
    """Write relative velocities (m, 3), the normal ones minus their targets."""
    sides, flat = problem.rows.sides, V.reshape(-1)
    for c in range(problem.m):
        u, s, t = _contact_velocity(c, sides, flat)
        out[c, 0], out[c, 1], out[c, 2] = u - problem.targets[c], s, t


@njit(nogil=True, cache=True, error_model="numpy")
def replace_on_sides(problem, iterate, Q):
    """Replace impulses P by Q, and update the velocities."""
    sides, P, V = problem.rows.sides, iterate.P, iterate.V.reshape(-1)
    for c in range(problem.m):
        p, q, r = Q[c, 0] - P[c, 0], Q[c, 1] - P[c, 1], Q[c, 2] - P[c, 2]
        if p != 0.0 or q != 0.0 or r != 0.0:
            _kick(c, sides, V, (p, q, r))
            P[c, 0], P[c, 1], P[c, 2] = Q[c, 0], Q[c, 1], Q[c, 2]


@njit(nogil=True, cache=True, error_model="numpy")
def project_rows(problem, Q):
    """Project impulses Q (m, 3) in place onto what the laws of all rows admit; contacts come before their triples."""
    sides, cones = problem.rows.sides, problem.cones
    for c in range(problem.m):
        if sides.resistance.partner[c] >= 0:
            Q[c, 0], Q[c, 1], Q[c, 2] = _within_law(c, sides, cones, Q, Q[c, 0], Q[c, 1], Q[c, 2])
        else:
            Q[c, 0], Q[c, 1], Q[c, 2] = project_on_cone(Q[c, 0], Q[c, 1], Q[c, 2], cones[c])


@njit(nogil=True, cache=True, error_model="numpy")
def side_defect(c, problem, P, u):
    """|P − proj(P − u/w)| of row c, for velocities u (m, 3), the normal ones minus their targets."""
    weight = problem.rows.weight
    p, q, r = P[c, 0] - u[c, 0] * weight[c, 0], P[c, 1] - u[c, 1] * weight[c, 1], P[c, 2] - u[c, 2] * weight[c, 1]
    p, q, r = _within_law(c, problem.rows.sides, problem.cones, P, p, q, r)
    return np.sqrt((p - P[c, 0]) ** 2 + (q - P[c, 1]) ** 2 + (r - P[c, 2]) ** 2)
