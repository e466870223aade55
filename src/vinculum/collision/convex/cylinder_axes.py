r"""Exact separating directions of cylinders by Newton's method, from the final points of a distance search.

.. math:: f(n) = n\cdot(p - q) - r_A |n_\perp| - r_B |n_\perp|,\qquad \nabla f = a - b,\qquad
    \nabla^2 f = -\sum \tfrac{r}{|n_\perp|} v v^T, \quad v = u\times n_\perp/|n_\perp|

holds as long as the corners p, q of the cores, or their rims, stay the same; u is the axis of a cylinder and n⊥ the part of n
perpendicular to it. An edge of a core, or both rims of a cylinder, constrain n to be perpendicular to them. f is largest over unit
directions where a − b is along n.
"""

import numpy as np

from vinculum.collision.convex.gjk import COUNT, OF_A, OF_B, SHARE
from vinculum.collision.supports import FIRST, apart
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import AXIS_DONE, AXIS_LONGEST, AXIS_STEPS, NEAREST_POINTS, PARALLEL_CROSS


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def refine(gap, slack, witness, workspace):
    """The maximum of f ≥ ``gap`` − ``slack`` near n, −∞ if none is found, and whether it is certain.

    The witness is replaced. The simplex of the search is read, the ties are scratch.
    """
    A, B, G, E = workspace.first, workspace.second, workspace.simplex, workspace.ties
    n, a, b = witness
    of_a, of_b = _ties(A, G, 1, E, 0), _ties(B, G, 2, E, 2)
    p0, p1, p2 = _base(A, of_a > 0, G, OF_A, 1)
    q0, q1, q2 = _base(B, of_b > 0, G, OF_B, 2)
    if of_a == 2 or of_b == 2:
        row = 0 if of_a == 2 else 2
        good = _put_cross_product(E, row, row + 1, n)
    elif of_a == 1 and of_b == 1:
        good = _put_cross_product(E, 0, 2, n)
    elif A[1, 0] == 0.0 and of_a == 0:
        good = _of_corner(B, of_b, p0 - q0, p1 - q1, p2 - q2, 1.0, E, n)
    elif B[1, 0] == 0.0 and of_b == 0:
        good = _of_corner(A, of_a, q0 - p0, q1 - p1, q2 - p2, -1.0, E, n)
    else:
        good = _climb(A, B, of_a, of_b, (p0 - q0, p1 - q1, p2 - q2), E, n)
    if not good:
        return -np.inf, False
    x, y, z = E[5, 0], E[5, 1], E[5, 2]
    value = apart(A, B, x, y, z)
    if value < gap - slack:
        return -np.inf, False
    n[0], n[1], n[2] = x, y, z
    if of_a == 2 or of_b == 2:
        return value, False
    i0, i1, i2 = _side(A, x, y, z)[:3]
    j0, j1, j2 = _side(B, x, y, z)[:3]
    a[0], a[1], a[2] = p0 - A[1, 0] * i0, p1 - A[1, 0] * i1, p2 - A[1, 0] * i2
    b[0], b[1], b[2] = q0 + B[1, 0] * j0, q1 + B[1, 0] * j1, q2 + B[1, 0] * j2
    return value, _touch(A, B, of_a, of_b, value, slack, E, witness)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _ties(K, G, column, E, row):
    """Number of directions of a core (at most 2) to which the simplex constrains n to be perpendicular; they are written to E from a row
    on.
    """
    count, made = np.int64(G[COUNT, 0]), np.int64(0)
    first, last = G[SHARE, column], G[SHARE, column]
    for k in range(1, count):
        own = G[SHARE + k, column]
        if own in (first, last) or made == 2:
            continue
        last = own
        p, q = FIRST + np.int64(own), FIRST + np.int64(first)
        for c in range(3):
            E[row + made, c] = K[FIRST + 1, c] if K[1, 0] > 0.0 else K[p, c] - K[q, c]
        made += 1
    return made


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _put_cross_product(E, i, j, n):
    """Whether two rows of E are not parallel; their normalized cross product, on the side of n, is written to the last row."""
    x, y, z = (
        E[i, 1] * E[j, 2] - E[i, 2] * E[j, 1],
        E[i, 2] * E[j, 0] - E[i, 0] * E[j, 2],
        E[i, 0] * E[j, 1] - E[i, 1] * E[j, 0],
    )
    d = np.sqrt(x * x + y * y + z * z)
    e = np.sqrt(E[i, 0] ** 2 + E[i, 1] ** 2 + E[i, 2] ** 2) * np.sqrt(E[j, 0] ** 2 + E[j, 1] ** 2 + E[j, 2] ** 2)
    if d < PARALLEL_CROSS * e:
        return False
    d = d if x * n[0] + y * n[1] + z * n[2] > 0.0 else -d
    E[5, 0], E[5, 1], E[5, 2] = x / d, y / d, z / d
    return True


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _base(K, tied, G, row, column):
    """The contact point (3) of a core, without the radius of a cylinder."""
    if K[1, 0] > 0.0:
        s = 0.0 if tied else K[1, 1] * (2.0 * G[SHARE, column] - 1.0)
        return K[FIRST, 0] + s * K[FIRST + 1, 0], K[FIRST, 1] + s * K[FIRST + 1, 1], K[FIRST, 2] + s * K[FIRST + 1, 2]
    return G[row, 0], G[row, 1], G[row, 2]


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _side(K, x, y, z):
    """The outward unit vector of a cylinder's side along n, the radius divided by |n⊥|, and the third direction v."""
    u0, u1, u2, r = K[FIRST + 1, 0], K[FIRST + 1, 1], K[FIRST + 1, 2], K[1, 0]
    if r == 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    along = x * u0 + y * u1 + z * u2
    m0, m1, m2 = x - along * u0, y - along * u1, z - along * u2
    rho = np.sqrt(m0 * m0 + m1 * m1 + m2 * m2)
    m0, m1, m2 = m0 / rho, m1 / rho, m2 / rho
    return m0, m1, m2, r / rho, u1 * m2 - u2 * m1, u2 * m0 - u0 * m2, u0 * m1 - u1 * m0


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _of_corner(K, tied, x, y, z, sign, E, n):
    """Whether the direction from a cylinder to a point agrees with n; it is written to the last row.

    The direction starts from the rim of the cylinder, or from its side if n is ``tied``. The point is relative to the center of the rim,
    or of the cylinder. ``sign`` −1: n goes from the point to the cylinder.
    """
    u0, u1, u2 = K[FIRST + 1, 0], K[FIRST + 1, 1], K[FIRST + 1, 2]
    along = x * u0 + y * u1 + z * u2
    m0, m1, m2 = x - along * u0, y - along * u1, z - along * u2
    if not tied:
        r = K[1, 0] / np.sqrt(m0 * m0 + m1 * m1 + m2 * m2)
        m0, m1, m2 = x - r * m0, y - r * m1, z - r * m2
    d = sign * np.sqrt(m0 * m0 + m1 * m1 + m2 * m2)
    E[5, 0], E[5, 1], E[5, 2] = m0 / d, m1 / d, m2 / d
    return E[5, 0] * n[0] + E[5, 1] * n[1] + E[5, 2] * n[2] > 0.0


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _climb(A, B, of_a, of_b, p, E, n):
    """Whether Newton's method converges to a direction of largest f, perpendicular to at most one row of E; it is written to the last
    row.

    p (3): from the contact point of B to that of A, without their radii.
    """
    p0, p1, p2 = p
    x, y, z = n[0], n[1], n[2]
    held, e0, e1, e2 = of_a + of_b == 1, 0.0, 0.0, 0.0
    if held:
        row = 0 if of_a else 2
        e0, e1, e2 = E[row, 0], E[row, 1], E[row, 2]
        d = np.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
        e0, e1, e2 = e0 / d, e1 / d, e2 / d
        d = x * e0 + y * e1 + z * e2
        x, y, z = x - d * e0, y - d * e1, z - d * e2
        d = np.sqrt(x * x + y * y + z * z)
        x, y, z = x / d, y / d, z / d
    for _ in range(AXIS_STEPS):
        i0, i1, i2, ca, v0, v1, v2 = _side(A, x, y, z)
        j0, j1, j2, cb, w0, w1, w2 = _side(B, x, y, z)
        g0, g1, g2 = (
            p0 - A[1, 0] * i0 - B[1, 0] * j0,
            p1 - A[1, 0] * i1 - B[1, 0] * j1,
            p2 - A[1, 0] * i2 - B[1, 0] * j2,
        )
        f = g0 * x + g1 * y + g2 * z
        if not held:
            if abs(x) < 0.6:
                e0, e1, e2 = 0.0, z, -y
            else:
                e0, e1, e2 = -z, 0.0, x
            d = np.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
            e0, e1, e2 = e0 / d, e1 / d, e2 / d
        t0, t1, t2 = y * e2 - z * e1, z * e0 - x * e2, x * e1 - y * e0
        slope, vt, wt = g0 * t0 + g1 * t1 + g2 * t2, v0 * t0 + v1 * t1 + v2 * t2, w0 * t0 + w1 * t1 + w2 * t2
        tt = ca * vt * vt + cb * wt * wt + f
        if held:
            s, step = 0.0, slope / tt
            good = tt > 0.0
        else:
            other, ve, we = g0 * e0 + g1 * e1 + g2 * e2, v0 * e0 + v1 * e1 + v2 * e2, w0 * e0 + w1 * e1 + w2 * e2
            ee, et = ca * ve * ve + cb * we * we + f, ca * ve * vt + cb * we * wt
            d = ee * tt - et * et
            s, step = (other * tt - slope * et) / d, (slope * ee - other * et) / d
            good = d > 0.0 and ee + tt > 0.0
        size = np.sqrt(s * s + step * step)
        if not good or not size < np.inf:
            return False
        if size > AXIS_LONGEST:
            s, step = s * AXIS_LONGEST / size, step * AXIS_LONGEST / size
        x, y, z = x + s * e0 + step * t0, y + s * e1 + step * t1, z + s * e2 + step * t2
        d = np.sqrt(x * x + y * y + z * z)
        x, y, z = x / d, y / d, z / d
        if size < AXIS_DONE:
            E[5, 0], E[5, 1], E[5, 2] = x, y, z
            return True
    return False


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _touch(A, B, of_a, of_b, gap, slack, E, witness):
    """Whether two cores have points that are ``gap`` apart along n; a, b are moved to them along edges or axes."""
    n, a, b = witness
    aa = bb = ab = ar = br = 0.0
    for c in range(3):
        e, f, r = E[0, c], E[2, c], a[c] - b[c] - gap * n[c]
        aa, bb, ab, ar, br = aa + e * e, bb + f * f, ab + e * f, ar + e * r, br + f * r
    if of_a and of_b:
        d = aa * bb - ab * ab
        s, t = (ab * br - bb * ar) / d, (aa * br - ab * ar) / d
    else:
        s, t = -ar / aa if of_a else 0.0, br / bb if of_b else 0.0
    error = 0.0
    for c in range(3):
        a[c] += s * E[0, c] if of_a else 0.0
        b[c] += t * E[2, c] if of_b else 0.0
        error += abs(a[c] - b[c] - gap * n[c])
    return error <= NEAREST_POINTS * slack and (not of_a or _is_on(A, s)) and (not of_b or _is_on(B, t))


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _is_on(K, s):
    """Whether a point is between the rims of a cylinder, or the ends of an edge."""
    return abs(s) <= K[1, 1] if K[1, 0] > 0.0 else 0.0 <= s <= 1.0
