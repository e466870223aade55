r"""One step of the θ-scheme of a tree with given velocity changes by impulses, by iteration.

.. math:: v_1 = v_0 + h\,a(t_0 + \theta h, q_\theta, v_\theta) + \Delta v,\qquad q_1 = q_0 + h\,N(q_{1/2})\,v_{1/2}

with q_θ = q₀ + θ (q₁ − q₀), v_θ = v₀ + θ (v₁ − v₀), and quaternions normalized to length one. The forces include the effect of the
impulses in the same step. θ = 1/2 is the implicit midpoint rule, which neither damps nor amplifies oscillations and rotations. Jean,
Comput. Methods Appl. Mech. Engrg. 177 (1999) 235.
"""

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.steps import CONVERGED, IMPLICIT_ITERATIONS, NEARLY_CONVERGED


@njit(nogil=True, cache=True)
def theta_step(program, step, theta, change):
    """Write a step whose impulses cause the velocity ``change`` (nv,): its velocities, middle and rates, and the contact rows in z.

    Forces are those of lane 0 at θ. Rates of coordinates are those of the other lanes at 1/2, with quaternions of length one. Returns
    whether the iteration converged.
    """
    x, y, z, n, nq, quaternions = program.x, program.y, program.z, program.n, program.nq, program.quaternions
    units = program.units
    t, h, _whole, q, v, unbound, middle, slow, fast = step
    nv = n - nq
    for j in range(WIDTH):
        part = theta if j == 0 else 0.5
        for i in range(nq):
            x[i, j] = middle[i] = q[i]
        for i in range(nv):
            x[nq + i, j] = v[i] + part * change[i]
        x[n, j] = t + part * h
    settled, last, older = False, 0.0, 0.0
    for k in range(IMPLICIT_ITERATIONS):
        run_lanes(program.motion, x, y)
        for i in range(nq):
            for j in range(WIDTH):
                x[i, j] = q[i] + (theta if j == 0 else 0.5) * h * y[i, 1]
        _to_length_one(x, quaternions)
        moved, size, turned, speed = 0.0, units.size, 0.0, NEXT_TO_ZERO
        for i in range(nq):
            moved, size = max(moved, units.q[i] * abs(x[i, 1] - middle[i])), max(size, units.q[i] * abs(x[i, 1]))
            middle[i] = x[i, 1]
        for i in range(nv):
            gain = h * y[nq + i, 0] + change[i]
            turned = max(turned, units.v[i] * abs(v[i] + 0.5 * gain - x[nq + i, 1]))
            speed = max(speed, units.v[i] * max(abs(v[i]), abs(h * y[nq + i, 0]), abs(change[i])))
            for j in range(WIDTH):
                x[nq + i, j] = v[i] + (theta if j == 0 else 0.5) * gain
        left = max(moved / size, turned / speed)
        settled = left <= NEARLY_CONVERGED
        # Positions and velocities are updated in turn, so only every other round reduces the error.
        if left <= CONVERGED or (settled and k > 3 and left >= older):
            break
        older, last = last, left
    for j in range(WIDTH):
        for i in range(nq):
            x[i, j] = middle[i]
        x[n, j] = t + 0.5 * h
    for i in range(nv):
        unbound[i] = v[i] + h * y[nq + i, 0]
        for j in range(WIDTH):
            x[nq + i, j] = v[i] if j == 1 else unbound[i]
    run_lanes(program.unilaterals, x, z)
    first = len(z) - nq
    for i in range(nq):
        slow[i], fast[i] = z[first + i, 1], z[first + i, 0]
    return settled


@njit(nogil=True, cache=True)
def _to_length_one(x, quaternions):
    for k in range(len(quaternions)):
        i = quaternions[k]
        for j in range(WIDTH):
            size = np.sqrt(x[i, j] ** 2 + x[i + 1, j] ** 2 + x[i + 2, j] ** 2 + x[i + 3, j] ** 2)
            for d in range(4):
                x[i + d, j] /= size
