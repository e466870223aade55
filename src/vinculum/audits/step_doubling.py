"""What a fixed-step method admits: one step against two half steps, from the recorded states."""

import numpy as np

from vinculum.audits.quantities import samples
from vinculum.equations.closures import STIFFNESS
from vinculum.kernels.evaluate import evaluate
from vinculum.motion import Motion
from vinculum.motion.chart_changes import stretch_of
from vinculum.motion.loops import USUAL_DECAY
from vinculum.motion.one_step import advance
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.motion.variables import field, inward, outward

MOST_DOUBLED_STEPS = 4000
FIXED = ("rk4", "verlet", "midpoint", "moreau")


def doubled_steps(motion: Motion, edges, coefficients, steps: int, first: int) -> np.ndarray | float:
    """Change of every quantity that two half steps make against one, summed over a block of steps from the number ``first`` on, (m,).

    The half steps begin where loops are closed and constraints hold; the whole ones where the run stood, with its feedback, as
    reactions do work on states that have drifted off.
    """
    name = motion.method.claims.name
    if name not in FIXED:
        return 0.0
    stride = max(1, steps // MOST_DOUBLED_STEPS)
    chosen = np.arange(-first % stride, len(edges) - 1, stride)
    if not len(chosen):
        return 0.0
    t, h, x = edges[:-1][chosen], np.diff(edges)[chosen], coefficients[chosen, :, 0]
    model, stretch = motion.model, stretch_of(motion.changes, first + chosen)
    own, held = (
        inward(name, model, tape_rows(motion, t, y, stretch)) for y in (x, recorded_states(motion, t, x, stretch))
    )

    def rates(instants, states, feedback=0.0):
        rows = tape_rows(motion, instants, states, stretch)
        if feedback:
            rows[:, states.shape[1] + 1 + sorted(model.parameters).index(STIFFNESS)] = feedback
        return evaluate(field(name, model), rows)

    fed_back = USUAL_DECAY / float(h.max()) if model.layout["gaps"] and model.layout["rank"] else 0.0
    once = advance(name, lambda instants, states: rates(instants, states, fed_back), t, own, h, model.nq)
    half = advance(name, rates, t, held, h / 2, model.nq)
    twice = advance(name, rates, t + h / 2, half, h / 2, model.nq)
    once, twice = (outward(name, model, tape_rows(motion, t + h, end, stretch)) for end in (once, twice))
    once, twice = (
        samples(motion, t + h, recorded_states(motion, t + h, end, stretch), stretch).L for end in (once, twice)
    )
    return stride * np.abs(once - twice).sum(axis=0)
