r"""Impulses between bodies of any shape: lever arms r × t and their products with the inverse inertia are stored for every contact.

.. math:: W = H M^{-1} H^T,\qquad H = \begin{bmatrix} t_k^T & (r_i\times t_k)^T & -t_k^T & -(r_j\times t_k)^T\end{bmatrix}_{k=N,1,2}

Velocities V (n, 8) as for spheres.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.cones import project_on_cone, within
from vinculum.contact.sparse.residual import own_part
from vinculum.tolerances.contact import OWN_ROUNDS


@njit(nogil=True, cache=True, error_model="numpy")
def weigh_any(m, rows, place, x, inverse, inverse_mass):
    """Write lever arms, diagonal blocks W and effective masses of contacts at ``place`` (m, 3), of bodies at x with inverse inertias (n,
    3, 3).
    """
    who, frame, arms, W, weight = rows.who, rows.frame, rows.wide, rows.W, rows.weight
    for c in range(m):
        A = arms[c]
        for side in range(2):
            b = who[c, side]
            r0, r1, r2 = place[c, 0] - x[b, 0], place[c, 1] - x[b, 1], place[c, 2] - x[b, 2]
            for k in range(3):
                t = frame[c, k]
                A[side, k, 0] = r1 * t[2] - r2 * t[1]
                A[side, k, 1] = r2 * t[0] - r0 * t[2]
                A[side, k, 2] = r0 * t[1] - r1 * t[0]
                for d in range(3):
                    A[2 + side, k, d] = (
                        inverse[b, d, 0] * A[side, k, 0]
                        + inverse[b, d, 1] * A[side, k, 1]
                        + inverse[b, d, 2] * A[side, k, 2]
                    )
        s = inverse_mass[who[c, 0]] + inverse_mass[who[c, 1]]
        for k in range(3):
            for d in range(3):
                w = s if k == d else 0.0
                for e in range(3):
                    w += A[0, k, e] * A[2, d, e] + A[1, k, e] * A[3, d, e]
                W[c, k, d] = w
        a, b, e = W[c, 1, 1], W[c, 2, 2], W[c, 1, 2]
        weight[c, 0] = 1.0 / W[c, 0, 0]
        weight[c, 1] = 1.0 / (0.5 * (a + b) + np.sqrt(0.25 * (a - b) ** 2 + e * e))


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _speed(k, i, j, t, A, V):
    return (
        (V[i, 0] - V[j, 0]) * t[k, 0] + (V[i, 1] - V[j, 1]) * t[k, 1] + (V[i, 2] - V[j, 2]) * t[k, 2]
        + V[i, 4] * A[0, k, 0] + V[i, 5] * A[0, k, 1] + V[i, 6] * A[0, k, 2]
        - V[j, 4] * A[1, k, 0] - V[j, 5] * A[1, k, 1] - V[j, 6] * A[1, k, 2]
    )  # fmt: skip


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _kick(i, j, n, A, V, inverse_mass, impulse):
    p, q, r = impulse
    x = p * n[0, 0] + q * n[1, 0] + r * n[2, 0]
    y = p * n[0, 1] + q * n[1, 1] + r * n[2, 1]
    z = p * n[0, 2] + q * n[1, 2] + r * n[2, 2]
    s = inverse_mass[i]
    V[i, 0] += s * x
    V[i, 1] += s * y
    V[i, 2] += s * z
    V[i, 4] += p * A[2, 0, 0] + q * A[2, 1, 0] + r * A[2, 2, 0]
    V[i, 5] += p * A[2, 0, 1] + q * A[2, 1, 1] + r * A[2, 2, 1]
    V[i, 6] += p * A[2, 0, 2] + q * A[2, 1, 2] + r * A[2, 2, 2]
    s = inverse_mass[j]
    if s > 0.0:
        V[j, 0] -= s * x
        V[j, 1] -= s * y
        V[j, 2] -= s * z
        V[j, 4] -= p * A[3, 0, 0] + q * A[3, 1, 0] + r * A[3, 2, 0]
        V[j, 5] -= p * A[3, 0, 1] + q * A[3, 1, 1] + r * A[3, 2, 1]
        V[j, 6] -= p * A[3, 0, 2] + q * A[3, 1, 2] + r * A[3, 2, 2]


@njit(nogil=True, cache=True, error_model="numpy")
def any_sweep(order, begin, end, problem, iterate):
    """One pass over a part of the contacts in place; returns the squares of the change and of the size of P.

    The diagonal block of a contact is solved in `OWN_ROUNDS` rounds.
    """
    who, frame, arms, W, weight = (
        problem.rows.who,
        problem.rows.frame,
        problem.rows.wide,
        problem.rows.W,
        problem.rows.weight,
    )
    cones, target, inverse_mass, P, V = (
        problem.cones,
        problem.targets,
        problem.blocks.inverse_mass,
        iterate.P,
        iterate.V,
    )
    change = size = 0.0
    for k in range(begin, end):
        c = order[k]
        i, j = who[c, 0], who[c, 1]
        n, A, B = frame[c], arms[c], W[c]
        u, s, t = _speed(0, i, j, n, A, V) - target[c], _speed(1, i, j, n, A, V), _speed(2, i, j, n, A, V)
        p0, q0, r0 = P[c, 0], P[c, 1], P[c, 2]
        if p0 == 0.0 and q0 == 0.0 and r0 == 0.0 and u >= 0.0:
            continue
        p, q, r, mu = p0, q0, r0, cones[c]
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
        _kick(i, j, n, A, V, inverse_mass, (p, q, r))
    return change, size, 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def any_residual(order, begin, end, problem, iterate):
    """Squares of the natural map's defect P − proj(P − u / w) and of the size of P for a part of the contacts, and the worst `own_part`."""
    who, frame, arms, weight = problem.rows.who, problem.rows.frame, problem.rows.wide, problem.rows.weight
    cones, target, inverse_mass = problem.cones, problem.targets, problem.blocks.inverse_mass
    pace, P, V = problem.pace, iterate.P, iterate.V
    change = size = worst = 0.0
    for k in range(begin, end):
        c = order[k]
        i, j = who[c, 0], who[c, 1]
        n, A = frame[c], arms[c]
        p0, q0, r0 = P[c, 0], P[c, 1], P[c, 2]
        p = max(p0 - (_speed(0, i, j, n, A, V) - target[c]) * weight[c, 0], 0.0)
        q, r = q0 - _speed(1, i, j, n, A, V) * weight[c, 1], r0 - _speed(2, i, j, n, A, V) * weight[c, 1]
        q, r = within(q, r, cones[c] * p0)
        size += p0 * p0 + q0 * q0 + r0 * r0
        tangential = (q - q0) ** 2 + (r - r0) ** 2
        change += (p - p0) ** 2 + tangential
        missing = ((p - p0) / weight[c, 0]) ** 2 + tangential / (weight[c, 1] * weight[c, 1])
        worst = max(worst, own_part(i, j, missing, V, inverse_mass, pace))
    return change, size, worst


@njit(nogil=True, cache=True, error_model="numpy")
def project_any(order, begin, end, problem, iterate):
    """Project the impulses of a part of the contacts onto their cones, and update the velocities."""
    who, frame, arms = problem.rows.who, problem.rows.frame, problem.rows.wide
    cones, inverse_mass, P, V = problem.cones, problem.blocks.inverse_mass, iterate.P, iterate.V
    for k in range(begin, end):
        c = order[k]
        p, q, r = project_on_cone(P[c, 0], P[c, 1], P[c, 2], cones[c])
        if p != P[c, 0] or q != P[c, 1] or r != P[c, 2]:
            change = p - P[c, 0], q - P[c, 1], r - P[c, 2]
            _kick(who[c, 0], who[c, 1], frame[c], arms[c], V, inverse_mass, change)
            P[c, 0], P[c, 1], P[c, 2] = p, q, r


@njit(nogil=True, cache=True, error_model="numpy")
def any_speeds(problem, V, out):
    """Write relative velocities (m, 3), the normal ones minus their targets."""
    who, frame, arms, target = problem.rows.who, problem.rows.frame, problem.rows.wide, problem.targets
    for c in range(problem.m):
        i, j, n, A = who[c, 0], who[c, 1], frame[c], arms[c]
        out[c, 0] = _speed(0, i, j, n, A, V) - target[c]
        out[c, 1], out[c, 2] = _speed(1, i, j, n, A, V), _speed(2, i, j, n, A, V)


@njit(nogil=True, cache=True, error_model="numpy")
def replace_any(problem, iterate, Q):
    """Replace impulses P by Q, and update the velocities."""
    who, frame, arms = problem.rows.who, problem.rows.frame, problem.rows.wide
    inverse_mass, P, V = problem.blocks.inverse_mass, iterate.P, iterate.V
    for c in range(problem.m):
        p, q, r = Q[c, 0] - P[c, 0], Q[c, 1] - P[c, 1], Q[c, 2] - P[c, 2]
        if p != 0.0 or q != 0.0 or r != 0.0:
            _kick(who[c, 0], who[c, 1], frame[c], arms[c], V, inverse_mass, (p, q, r))
            P[c, 0], P[c, 1], P[c, 2] = Q[c, 0], Q[c, 1], Q[c, 2]
