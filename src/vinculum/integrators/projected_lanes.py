"""Projection of the states of eight runs onto their constraints and closed loops."""

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH
from vinculum.tolerances.steps import (
    OPEN_SQUARED,
    PROJECTED_SQUARED,
    PROJECTION_ROUNDS,
    RATES_PROJECTED_SQUARED,
    TORN_SQUARED,
)

GAP, RATE, REACH, SPEED, INDEPENDENCE = 0, 1, 2, 3, 4
MEASURES = 5
"""Number of outputs of the tape `projection` after rates and new state.

These are the squares of gaps, of their rates, of coordinates and of velocities, and the independence of the conditions.
"""


@njit(nogil=True, cache=True)
def space(n):
    """Workspace of `hold` for states with n entries."""
    return np.empty((2 * n + MEASURES, WIDTH))


@njit(nogil=True, cache=True)
def hold(address, x, n, work, rates, waiting, broken):
    """Project the states x[:n] of the ``waiting`` lanes (8,) with the tape `projection`; ``rates`` (n, 8) receives their rates.

    Projection steps are repeated until a state was closed before the last of them, so that only round-off remains. The rates are those
    before the last step. ``broken`` (8,) is set for lanes whose conditions are dependent, stay open, or were wide open. No lane is left
    waiting.
    """
    last = 2 * n
    for _ in range(PROJECTION_ROUNDS):
        run_lanes(address, x, work)
        settled = 0
        for j in range(WIDTH):
            closed = (work[last + GAP, j] <= PROJECTED_SQUARED * work[last + REACH, j]) & (
                work[last + RATE, j] <= RATES_PROJECTED_SQUARED * work[last + SPEED, j]
            )
            settled += closed & waiting[j] & (work[last + INDEPENDENCE, j] > 0.0)
        if settled == WIDTH:
            for i in range(n):
                for j in range(WIDTH):
                    rates[i, j] = work[i, j]
                    x[i, j] = work[n + i, j]
            waiting[:] = False
            return
        if _accept_projection(x, n, work, rates, waiting, broken):
            return
    for j in range(WIDTH):
        broken[j] = broken[j] or (waiting[j] and not work[last + GAP, j] <= OPEN_SQUARED * work[last + REACH, j])
        waiting[j] = False


@njit(nogil=True, cache=True)
def _accept_projection(x, n, work, rates, waiting, broken):
    """Accept one projection step where not all lanes are closed; returns whether no lane is left waiting."""
    last, every = 2 * n, True
    for j in range(WIDTH):
        if not waiting[j]:
            continue
        gap, reach, speed = work[last + GAP, j], work[last + REACH, j], work[last + SPEED, j]
        sound = (
            np.isfinite(reach)
            and np.isfinite(speed)
            and work[last + INDEPENDENCE, j] > 0.0
            and gap <= TORN_SQUARED * reach
        )
        for i in range(n):
            rates[i, j] = work[i, j]
            x[i, j] = work[n + i, j] if sound else x[i, j]
        broken[j] = broken[j] or not sound
        waiting[j] = sound and not (
            gap <= PROJECTED_SQUARED * reach and work[last + RATE, j] <= RATES_PROJECTED_SQUARED * speed
        )
        every = every and not waiting[j]
    return every
