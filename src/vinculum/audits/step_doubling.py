"""What a fixed-step method admits: one step against two half steps, from the recorded states."""

import numpy as np

from vinculum.audits.quantities import samples
from vinculum.kernels.evaluate import evaluate
from vinculum.motion import Motion
from vinculum.motion.chart_changes import stretch_of
from vinculum.motion.method import MIDDLE
from vinculum.motion.one_step import advance
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.motion.variables import field, inward, outward

MOST_DOUBLED_STEPS = 4000
FIXED = ("rk4", "verlet", "midpoint", "moreau")


def doubled_steps(motion: Motion, edges, coefficients, steps: int, first: int) -> np.ndarray | float:
    """Change of every quantity that two half steps make against one, summed over a block of steps from the number ``first`` on, (m,).

    Every step ends where loops are closed and constraints hold, as those of the run do.
    """
    name = motion.method.claims.name
    if name not in FIXED:
        return 0.0
    stride = max(1, steps // MOST_DOUBLED_STEPS)
    whole = np.flatnonzero(~_inside_steps(motion, edges))
    begin = np.arange(-first % stride, len(whole) - 1, stride)
    if not len(begin):
        return 0.0
    chosen = whole[begin]
    t, h, x = edges[chosen], edges[whole[begin + 1]] - edges[chosen], coefficients[chosen, :, 0]
    model, stretch = motion.model, stretch_of(motion.changes, first + chosen)

    def rates(instants, states):
        return evaluate(field(name, model), tape_rows(motion, instants, states, stretch))

    def stepped(instants, states, lengths):
        own = inward(name, model, tape_rows(motion, instants, states, stretch))
        ends = advance(name, rates, instants, own, lengths, model.nq, motion.method.theta or MIDDLE)
        after = instants + lengths
        return recorded_states(motion, after, outward(name, model, tape_rows(motion, after, ends, stretch)), stretch)

    once, twice = stepped(t, x, h), stepped(t + h / 2, stepped(t, x, h / 2), h / 2)
    once, twice = (samples(motion, t + h, end, stretch).L for end in (once, twice))
    return stride * np.abs(once - twice).sum(axis=0)


def _inside_steps(motion: Motion, edges: np.ndarray) -> np.ndarray:
    """Which edges (E,) of a block stand inside a step, as impulses of time stepping do; never the first and the last."""
    atoms = motion.atoms
    inside = (
        np.isin(edges, atoms.times[atoms.durations > 0.0]) if atoms is not None else np.zeros(len(edges), dtype=bool)
    )
    inside[[0, -1]] = False
    return inside
