"""What a fixed-step method admits: one step against two half steps, from the recorded states."""

import numpy as np

from vinculum.audits.quantities import samples
from vinculum.kernels.evaluate import evaluate
from vinculum.motion import Motion
from vinculum.motion.chart_changes import stretch_of
from vinculum.motion.one_step import advance
from vinculum.motion.states import tape_rows
from vinculum.motion.variables import field, inward, outward

MOST_DOUBLED_STEPS = 4000
FIXED = ("rk4", "verlet", "midpoint")


def doubled_steps(motion: Motion, edges, coefficients, steps: int, first: int) -> np.ndarray | float:
    """Change of every quantity that two half steps make against one, summed over a block of steps from the number ``first`` on, (m,)."""
    name = motion.method.claims.name
    if name not in FIXED:
        return 0.0
    stride = max(1, steps // MOST_DOUBLED_STEPS)
    chosen = np.arange(-first % stride, len(edges) - 1, stride)
    if not len(chosen):
        return 0.0
    t, h, x = edges[:-1][chosen], np.diff(edges)[chosen], coefficients[chosen, :, 0]
    model, stretch = motion.model, stretch_of(motion.changes, first + chosen)
    own = inward(name, model, tape_rows(motion, t, x, stretch))

    def rates(instants, states):
        return evaluate(field(name, model), tape_rows(motion, instants, states, stretch))

    once = advance(name, rates, t, own, h, model.nq)
    half = advance(name, rates, t, own, h / 2, model.nq)
    twice = advance(name, rates, t + h / 2, half, h / 2, model.nq)
    once, twice = (outward(name, model, tape_rows(motion, t + h, end, stretch)) for end in (once, twice))
    once, twice = (samples(motion, t + h, end, stretch).L for end in (once, twice))
    return stride * np.abs(once - twice).sum(axis=0)
