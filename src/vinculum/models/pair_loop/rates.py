"""Rates of a pair loop at a state, in compiled code: positions into columns, the loop over pairs, sums into
accelerations.
"""

from vinculum.compile.calls import call_with, run_lanes
from vinculum.compile.kernels import njit


@njit(nogil=True, cache=True)
def pair_forces(points, work, x, t):
    """Forces (3n,) of all pairs at positions x (3n,) and the instant t, into the work's ``force``; sums stay in its ``sums``."""
    evaluate, board, members, starts, padded, at, slots, quantities, columns, sums, uniforms, force = work
    uniforms[0] = t
    for g in range(len(padded)):
        place, width = at[g, 0], padded[g]
        for k in range(starts[g], starts[g + 1]):
            i, row = members[k], place + k - starts[g]
            columns[row] = x[3 * i]
            columns[row + width] = x[3 * i + 1]
            columns[row + 2 * width] = x[3 * i + 2]
    call_with(evaluate, board)
    force[:] = 0.0
    for g in range(len(padded)):
        count, width = starts[g + 1] - starts[g], padded[g]
        for s in range(1, slots[g]):
            first, other = at[g, 1], at[g, 1] + s * quantities * width
            for k in range(quantities * width):
                sums[first + k] += sums[other + k]
        for c in range(3):
            row = at[g, 1] + c * width
            for k in range(count):
                force[3 * members[starts[g] + k] + c] += sums[row + k]


@njit(nogil=True, cache=True)
def rates(points, work, rest, y, t, out):
    """Rates (6n,) of the state y = (x, v) at t. ``points``: masses (n,) and gravity (3,); ``rest``: the tape of other forces."""
    masses, gravity = points
    n = len(masses)
    address, touched, inputs, outputs = rest
    force = work[-1]
    pair_forces(points, work, y, t)
    if len(touched) > 0:
        m = len(touched)
        for k in range(m):
            for c in range(3):
                inputs[3 * k + c, 0] = y[3 * touched[k] + c]
                inputs[3 * (m + k) + c, 0] = y[3 * (n + touched[k]) + c]
        inputs[6 * m, 0] = t
        run_lanes(address, inputs, outputs)
        for k in range(m):
            for c in range(3):
                force[3 * touched[k] + c] += outputs[3 * k + c, 0]
    for i in range(n):
        for c in range(3):
            out[3 * i + c] = y[3 * (n + i) + c]
            out[3 * (n + i) + c] = force[3 * i + c] / masses[i] + gravity[c]


@njit(nogil=True, cache=True)
def many_rates(points, work, rest, states, times, out):
    """Rates (B, 6n) of many states."""
    for r in range(len(times)):
        rates(points, work, rest, states[r], times[r], out[r])


@njit(nogil=True, cache=True)
def many_balances(points, work, totals, states, times, forces, sizes, wholes):
    """Of many states the pair forces (B, 3n), the sums of their sizes (B, n), and the totals of all pairs (B, w).

    ``totals``: (slots of all groups, w, 8), where the loop leaves them.
    """
    _, _, members, starts, padded, at, _, _, _, sums, _, force = work
    n = len(points[0])
    for r in range(len(times)):
        pair_forces(points, work, states[r], times[r])
        forces[r] = force
        for g in range(len(padded)):
            row = at[g, 1] + 3 * padded[g]
            for k in range(starts[g + 1] - starts[g]):
                sizes[r, members[starts[g] + k]] += sums[row + k]
        for s in range(totals.shape[0]):
            for w in range(totals.shape[1]):
                for j in range(totals.shape[2]):
                    wholes[r, w] += totals[s, w, j]
    return n
