"""States of eight runs brought back to where their constraints hold and their loops are closed."""

import numpy as np
from numba import njit

from vinculum.kernels.calls import WIDTH, run_lanes

ROUNDS = 6
CLOSED = 1e-13
NEARLY = 1e-7
OPEN = 1e-9
TORN = 1e-3
GAP, RATE, REACH, SPEED, KNOWN = 0, 1, 2, 3, 4
PARTS = 5


@njit(nogil=True, cache=True)
def space(n, m):
    """Working space of `hold` for states of n numbers under m conditions."""
    return np.empty((2 * n + 2 * m + 1 + PARTS, WIDTH))


@njit(nogil=True, cache=True)
def hold(address, x, n, nq, m, work, rates, waiting, broken):
    """Move the states x[:n] of the ``waiting`` lanes (8,) by the tape `held`; ``rates`` (n, 8) get those of the state.

    Steps are repeated until a state was closed before the last of them, so that what remains is round-off; rates are those
    before the last step. ``broken`` (8,) is set where conditions depend on each other, stay open, or were wide open. No lane is left
    waiting.
    """
    size = 2 * n + 2 * m + 1
    found = work[size:]
    for _ in range(ROUNDS):
        run_lanes(address, x, work)
        _measure(x, n, nq, m, work, found)
        every = True
        for j in range(WIDTH):
            sound = found[KNOWN, j] == 0.0 and work[size - 1, j] > 0.0 and found[GAP, j] <= TORN * found[REACH, j]
            if waiting[j] and not sound:
                broken[j] = True
                waiting[j] = False
                for i in range(n):
                    rates[i, j] = work[i, j]
        for i in range(n):
            for j in range(WIDTH):
                rates[i, j] = work[i, j] if waiting[j] else rates[i, j]
                x[i, j] = work[n + i, j] if waiting[j] else x[i, j]
        for j in range(WIDTH):
            closed = found[GAP, j] <= CLOSED * found[REACH, j] and found[RATE, j] <= NEARLY * found[SPEED, j]
            waiting[j] = waiting[j] and not closed
            every = every and not waiting[j]
        if every:
            return
    for j in range(WIDTH):
        broken[j] = broken[j] or (waiting[j] and not found[GAP, j] <= OPEN * found[REACH, j])
        waiting[j] = False


@njit(nogil=True, cache=True)
def _measure(x, n, nq, m, work, found):
    """Largest gap, rate of a gap, coordinate and velocity of every lane; and zero if its new state is finite."""
    for j in range(WIDTH):
        found[GAP, j] = found[RATE, j] = found[KNOWN, j] = 0.0
        found[REACH, j] = found[SPEED, j] = 1.0
    for i in range(nq):
        for j in range(WIDTH):
            found[REACH, j] = max(found[REACH, j], abs(x[i, j]))
    for i in range(nq, n):
        for j in range(WIDTH):
            found[SPEED, j] = max(found[SPEED, j], abs(x[i, j]))
    for i in range(n, 2 * n):
        for j in range(WIDTH):
            found[KNOWN, j] += 0.0 * work[i, j]
    for i in range(2 * n, 2 * n + m):
        for j in range(WIDTH):
            found[GAP, j] = max(found[GAP, j], abs(work[i, j]))
            found[RATE, j] = max(found[RATE, j], abs(work[m + i, j]))
