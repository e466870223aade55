"""Where a slip ends that a Runge–Kutta step has passed over: the friction there has the other direction, and small steps go to and fro."""

from dataclasses import replace

import numpy as np

from vinculum.motion.loops import cut
from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import Steps
from vinculum.motion.touching import Touching

BISECTIONS = 60


def until_reversal(touching: Touching, steps: Steps, sliding: list[str]) -> tuple[Steps, bool]:
    """The steps up to the first instant at which a slip u of one that slides is across its direction at the last edge, u · u₀ = 0;
    and whether there is one."""
    chosen = [c for c, name in enumerate(touching.names) if name in sliding and touching.laws.friction[c, 0] >= 0.0]
    if not chosen or not len(steps.coefficients):
        return steps, False
    pieces = Pieces(steps.times, steps.coefficients)

    def slips(t: np.ndarray) -> np.ndarray:
        return touching.slips(t, pieces.state(t))[:, chosen]

    u = slips(steps.times)
    turned = (np.einsum("tci,tci->tc", u[1:], u[:-1]) < 0.0).any(axis=1)
    if not turned.any():
        return steps, False
    k = int(np.argmax(turned))
    low, high, first = steps.times[k], steps.times[k + 1], u[k]
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if np.any(np.einsum("ci,ci->c", slips(np.array([middle]))[0], first) < 0.0):
            high = middle
        else:
            low = middle
    kept = cut(steps, k + 1)
    times = kept.times.copy()
    times[-1] = high
    return replace(kept, times=times, crossings=[c for c in kept.crossings if c.time <= high]), True
