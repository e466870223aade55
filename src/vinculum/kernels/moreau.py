"""Moreau–Jean time stepping of a tree with boundaries: velocities jump, positions do not."""

import numpy as np
from numba import njit

from vinculum.kernels.calls import WIDTH, run_lanes
from vinculum.kernels.shock_laws import impulses, inverse_on_bonds, shock

CORRECTIONS = 4


@njit(nogil=True, cache=True)
def time_steps(motion, rows, x, n, nq, m, kept, quaternions, t, h, steps, law, e, mu, tolerance, most, P, out):
    """Take ``steps`` steps of length h from the state in x[:n]; the number taken, fewer if one has no solution.

    ``motion``, ``rows``: addresses of the tapes `motion` and `boundaries`. ``kept``: rows of two-sided conditions. ``P``: (3 m,),
    the last impulses, with which the next are begun. ``out``: arrays that are written a row a step, see `Records`.
    """
    states, free, rates, percussions, residuals, sweeps, gaps, corrections = out
    nv = n - nq
    wide = m + 3 * m + 3 * m * nv + nv * nv + kept * nv + nq
    y, z = np.empty((n, WIDTH)), np.empty((wide, WIDTH))
    v, middle = np.empty(nv), np.empty(nv)
    active = np.empty(m, dtype=np.bool_)
    for step in range(steps):
        now = t + step * h
        _at(x, n, now)
        run_lanes(motion, x, y)
        q0 = x[:nq, 0].copy()
        v[:] = x[nq:n, 0]
        middle[:] = v + 0.5 * h * y[nq:n, 0]
        _put(x, 0, q0 + 0.5 * h * y[:nq, 0])
        _put(x, nq, middle)
        _at(x, n, now + 0.5 * h)
        run_lanes(motion, x, y)
        unbound = v + h * y[nq:n, 0]
        _put(x, nq, unbound)
        run_lanes(rows, x, z)
        gap, drift, H, M, G = _parts(z, m, nv, kept)
        from_free = z[wide - nq :, 0].copy()
        touched = 0
        for c in range(m):
            active[c] = gap[c] + 0.5 * h * (H[3 * c] @ unbound + drift[3 * c]) <= 0.0
            touched += active[c]
        after = unbound
        residuals[step], sweeps[step] = 0.0, 0
        percussions[step] = 0.0
        K = inverse_on_bonds(M, G) if touched else M
        if touched:
            places = np.empty(3 * touched, dtype=np.int64)
            own = 0
            for c in range(m):
                if active[c]:
                    for k in range(3):
                        places[3 * own + k] = 3 * c + k
                    own += 1
            chosen = places[::3] // 3
            J = H[places]
            W = J @ K @ J.T
            part = P[places]
            error, count = shock(
                W,
                J @ unbound + drift[places],
                J @ v + drift[places],
                law[chosen],
                e[chosen],
                mu[chosen],
                part,
                tolerance,
                most,
            )
            residuals[step], sweeps[step] = error, count
            percussions[step][places] = part
            after = unbound + K @ (J.T @ part)
        P[:] = percussions[step]
        _put(x, nq, v)
        run_lanes(rows, x, z)
        from_start = z[wide - nq :, 0].copy()
        _put(x, nq, after)
        run_lanes(rows, x, z)
        from_end = z[wide - nq :, 0].copy()
        q1 = q0 + 0.5 * h * (from_start + from_end)
        _unit(q1, quaternions)
        _put(x, 0, q1)
        _at(x, n, now + h)
        corrections[step] = 0.0
        for _ in range(CORRECTIONS):
            run_lanes(rows, x, z)
            gap, drift, H, M, G = _parts(z, m, nv, kept)
            deepest = 0.0
            for c in range(m):
                if active[c] and percussions[step][3 * c] > 0.0:
                    deepest = max(deepest, -gap[c])
            if deepest <= 1e-14 * (1.0 + np.abs(q1).max()):
                break
            moved = _pushed_out(gap, H, M, G, active & (gap < 0.0))
            _put(x, nq, moved)
            run_lanes(rows, x, z)
            way = z[wide - nq :, 0]
            corrections[step] = max(corrections[step], np.abs(way).max())
            q1 = x[:nq, 0] + way
            _unit(q1, quaternions)
            _put(x, 0, q1)
        _put(x, nq, after)
        gaps[step] = gap
        free[step] = unbound
        rates[step, 0], rates[step, 1], rates[step, 2] = from_start, from_free, from_end
        states[step, :nq], states[step, nq:] = q1, after
        if not np.all(np.isfinite(states[step])) or not residuals[step] <= tolerance:
            return step
    return steps


@njit(nogil=True, cache=True)
def _parts(z, m, nv, kept):
    """Gaps, drifts, slopes, mass matrix and slopes of two-sided conditions, from one evaluation."""
    a, b = m, 4 * m
    c = b + 3 * m * nv
    d = c + nv * nv
    gap, drift = z[:a, 0].copy(), z[a:b, 0].copy()
    H = z[b:c, 0].copy().reshape(3 * m, nv)
    M = z[c:d, 0].copy().reshape(nv, nv)
    G = z[d : d + kept * nv, 0].copy().reshape(kept, nv)
    return gap, drift, H, M, G


@njit(nogil=True, cache=True)
def _pushed_out(gap, H, M, G, wrong):
    """The smallest displacement (nv,) in the kinetic metric after which no gap of those named is negative."""
    places = 3 * np.flatnonzero(wrong)
    J = H[places]
    K = inverse_on_bonds(M, G)
    W = np.zeros((3 * len(places), 3 * len(places)))
    W[::3, ::3] = J @ K @ J.T
    P = np.zeros(3 * len(places))
    free = np.zeros(3 * len(places))
    free[::3] = gap[places // 3]
    nothing = np.zeros(len(places))
    impulses(W, free, nothing, nothing, -np.ones((len(places), 2)), P, 1e-12, 2000)
    return K @ (J.T @ P[::3].copy())


@njit(nogil=True, cache=True)
def _put(x, first, values):
    for i in range(len(values)):
        for j in range(WIDTH):
            x[first + i, j] = values[i]


@njit(nogil=True, cache=True)
def _at(x, n, t):
    for j in range(WIDTH):
        x[n, j] = t


@njit(nogil=True, cache=True)
def _unit(q, quaternions):
    for k in range(len(quaternions)):
        i = quaternions[k]
        size = np.sqrt((q[i : i + 4] ** 2).sum())
        q[i : i + 4] /= size
