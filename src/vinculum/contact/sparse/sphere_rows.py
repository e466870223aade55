r"""Impulses between spheres: every lever arm is along the normal, so the Delassus block of a contact is diagonal.

.. math:: u = v_i - v_j - (a_i \omega_i + a_j \omega_j)\times n,\qquad w_N = \tfrac1{m_i} + \tfrac1{m_j},\quad
    w_T = w_N + \tfrac{a_i^2}{I_i} + \tfrac{a_j^2}{I_j}

Velocities V (n, 8): those of the mass centers in columns 0 to 2, angular velocities in columns 4 to 6, in world axes.
"""

from vinculum.compile.kernels import njit
from vinculum.contact.cones import project_on_cone, within
from vinculum.contact.sparse.residual import own_part


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def weigh_round(m, rows, gap, radius, moving, bodies):
    """Write lever arms (m, 2), which meet in the middle of the gap, and effective masses 1/w (m, 2) of contacts of spheres."""
    who, arms, weight, inverse_mass, spin = rows.who, rows.arms, rows.weight, bodies.inverse_mass, bodies.spin
    for c in range(m):
        i, j = who[c, 0], who[c, 1]
        a, b = radius[i] + 0.5 * gap[c], (radius[j] + 0.5 * gap[c] if j < moving else 0.0)
        arms[c, 0], arms[c, 1] = a, b
        w = inverse_mass[i] + inverse_mass[j]
        weight[c, 0] = 1.0 / w
        weight[c, 1] = 1.0 / (w + a * a * spin[i] + b * b * spin[j])


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _speeds(c, who, frame, arms, V):
    i, j = who[c, 0], who[c, 1]
    a, b = arms[c, 0], arms[c, 1]
    x, y, z = V[i, 0] - V[j, 0], V[i, 1] - V[j, 1], V[i, 2] - V[j, 2]
    f, g, h = a * V[i, 4] + b * V[j, 4], a * V[i, 5] + b * V[j, 5], a * V[i, 6] + b * V[j, 6]
    n = frame[c]
    return (
        x * n[0, 0] + y * n[0, 1] + z * n[0, 2],
        x * n[1, 0] + y * n[1, 1] + z * n[1, 2] - (f * n[2, 0] + g * n[2, 1] + h * n[2, 2]),
        x * n[2, 0] + y * n[2, 1] + z * n[2, 2] + (f * n[1, 0] + g * n[1, 1] + h * n[1, 2]),
    )


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _kick(c, rows, V, bodies, impulse):
    """Apply an impulse (3) along the contact's axes to the velocities."""
    who, frame, arms = rows
    inverse_mass, spin = bodies
    p, q, r = impulse
    i, j = who[c, 0], who[c, 1]
    n = frame[c]
    x = p * n[0, 0] + q * n[1, 0] + r * n[2, 0]
    y = p * n[0, 1] + q * n[1, 1] + r * n[2, 1]
    z = p * n[0, 2] + q * n[1, 2] + r * n[2, 2]
    f, g, h = r * n[1, 0] - q * n[2, 0], r * n[1, 1] - q * n[2, 1], r * n[1, 2] - q * n[2, 2]
    s, a = inverse_mass[i], arms[c, 0] * spin[i]
    V[i, 0] += s * x
    V[i, 1] += s * y
    V[i, 2] += s * z
    V[i, 4] += a * f
    V[i, 5] += a * g
    V[i, 6] += a * h
    s, b = inverse_mass[j], arms[c, 1] * spin[j]
    if s > 0.0:
        V[j, 0] -= s * x
        V[j, 1] -= s * y
        V[j, 2] -= s * z
        V[j, 4] += b * f
        V[j, 5] += b * g
        V[j, 6] += b * h


@njit(nogil=True, cache=True, error_model="numpy")
def round_sweep(order, begin, end, problem, iterate):
    """One pass over a part of the contacts in place; returns the squares of the change and of the size of P."""
    who, frame, arms, weight = problem.rows.who, problem.rows.frame, problem.rows.arms, problem.rows.weight
    cones, target, bodies, P, V = problem.cones, problem.targets, problem.blocks, iterate.P, iterate.V
    rows, change, size = (who, frame, arms), 0.0, 0.0
    for k in range(begin, end):
        c = order[k]
        u, s, t = _speeds(c, who, frame, arms, V)
        p0, q0, r0 = P[c, 0], P[c, 1], P[c, 2]
        p = p0 - (u - target[c]) * weight[c, 0]
        q, r = q0 - s * weight[c, 1], r0 - t * weight[c, 1]
        p, q, r = project_on_cone(p, q, r, cones[c])
        if p == 0.0 and p0 == 0.0 and q0 == 0.0 and r0 == 0.0:
            continue
        P[c, 0], P[c, 1], P[c, 2] = p, q, r
        size += p * p + q * q + r * r
        p, q, r = p - p0, q - q0, r - r0
        change += p * p + q * q + r * r
        _kick(c, rows, V, bodies, (p, q, r))
    return change, size, 0.0


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def round_defect(c, problem, iterate):
    """Squares of the natural map's defect P − proj(P − u / w) and of the size of P for contact c, and the square of the velocity by which
    it misses its law."""
    rows, P = problem.rows, iterate.P
    weight, mu = rows.weight[c], problem.cones[c]
    u, s, t = _speeds(c, rows.who, rows.frame, rows.arms, iterate.V)
    p0, q0, r0 = P[c, 0], P[c, 1], P[c, 2]
    p = max(p0 - (u - problem.targets[c]) * weight[0], 0.0)
    q, r = within(q0 - s * weight[1], r0 - t * weight[1], mu * p0)
    normal, tangential = (p - p0) ** 2, (q - q0) ** 2 + (r - r0) ** 2
    missing = normal / (weight[0] * weight[0]) + tangential / (weight[1] * weight[1])
    return normal + tangential, p0 * p0 + q0 * q0 + r0 * r0, missing


@njit(nogil=True, cache=True, error_model="numpy")
def round_residual(order, begin, end, problem, iterate):
    """Sums of the squares of `round_defect` for a part of the contacts, and the worst `own_part`."""
    who, inverse_mass, pace, V = problem.rows.who, problem.blocks.inverse_mass, problem.pace, iterate.V
    change = size = worst = bound = 0.0
    for k in range(begin, end):
        c = order[k]
        moved, own, missing = round_defect(c, problem, iterate)
        change, size = change + moved, size + own
        if missing > bound:
            worst = max(worst, own_part(who[c, 0], who[c, 1], missing, V, inverse_mass, pace))
            bound = (worst * pace.least) ** 2  # below this none is the worst, whatever its Δv
    return change, size, worst


@njit(nogil=True, cache=True, error_model="numpy")
def project_round(order, begin, end, problem, iterate):
    """Project the impulses of a part of the contacts onto their cones, and update the velocities."""
    rows, bodies = (problem.rows.who, problem.rows.frame, problem.rows.arms), problem.blocks
    cones, P, V = problem.cones, iterate.P, iterate.V
    for k in range(begin, end):
        c = order[k]
        p, q, r = project_on_cone(P[c, 0], P[c, 1], P[c, 2], cones[c])
        if p != P[c, 0] or q != P[c, 1] or r != P[c, 2]:
            _kick(c, rows, V, bodies, (p - P[c, 0], q - P[c, 1], r - P[c, 2]))
            P[c, 0], P[c, 1], P[c, 2] = p, q, r


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def round_speeds(problem, V, out):
    """Write relative velocities (m, 3), the normal ones minus their targets."""
    who, frame, arms, target = problem.rows.who, problem.rows.frame, problem.rows.arms, problem.targets
    for c in range(problem.m):
        u, s, t = _speeds(c, who, frame, arms, V)
        out[c, 0], out[c, 1], out[c, 2] = u - target[c], s, t


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def replace_round(problem, iterate, Q):
    """Replace impulses P by Q, and update the velocities."""
    rows, bodies = (problem.rows.who, problem.rows.frame, problem.rows.arms), problem.blocks
    P, V = iterate.P, iterate.V
    for c in range(problem.m):
        p, q, r = Q[c, 0] - P[c, 0], Q[c, 1] - P[c, 1], Q[c, 2] - P[c, 2]
        if p != 0.0 or q != 0.0 or r != 0.0:
            _kick(c, rows, V, bodies, (p, q, r))
            P[c, 0], P[c, 1], P[c, 2] = Q[c, 0], Q[c, 1], Q[c, 2]
