"""Settling: the coordinates of a nearby equilibrium, by Newton's method."""

import numpy as np

from vinculum.derivations.linearization.perturbations import allowed_perturbations, perturbation_rates
from vinculum.derivations.linearization.turning_velocities import turned_rates
from vinculum.models.conditions.closed_loops import close, move
from vinculum.models.model import Model
from vinculum.tolerances.iterations import NEWTON_DONE, SETTLING_LONGEST, SETTLING_STEPS
from vinculum.tolerances.rank import DEPENDENT_TURNS, LEFT_OUT_OF_STEPS


def settle_state(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> np.ndarray:
    """The state with its coordinates moved to a place nearby where velocities are steady, if there is one; velocities stay.

    Every step solves the linear equations of the perturbations for the place at which they predict no acceleration, the nearest one.
    """
    nv = model.nv
    for _ in range(SETTLING_STEPS):
        here = perturbation_rates(model, state[None], np.array([t]), values)
        free = allowed_perturbations(model, state, t, values)
        n = here.A.shape[1]
        jacobians = here.A[0, n - nv :, :nv] @ free.P + here.A[0, n - nv :, n - nv :] @ free.L
        ahead = turned_rates(model, state[model.nq :], values)
        off = np.eye(nv) - ahead @ np.linalg.pinv(ahead, rcond=DEPENDENT_TURNS)
        step = free.P @ np.linalg.lstsq(off @ jacobians, -off @ here.rates[0, n - nv :], rcond=LEFT_OUT_OF_STEPS)[0]
        longest = np.abs(step).max(initial=0.0)
        if not np.isfinite(longest) or longest <= NEWTON_DONE:
            break
        step *= min(1.0, SETTLING_LONGEST / longest)
        state = close(model, move(model, state[None], step[None], values), t, values)[0]
    return state
