"""Error of q̇ = N v in time stepping: N is constant within a step, although bodies rotate."""

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows


def middles_of_steps(motion: Record) -> np.ndarray:
    """The positions (S, nq) at which the steps of all pieces took their rates: halfway between both ends, with unit quaternions.

    A step with impulses in its middle is two pieces. Jean, Comput. Methods Appl. Mech. Engrg. 177 (1999) 235.
    """
    starts, ends = [], []
    for times, coefficients in motion.pieces.blocks():
        starts.append(coefficients[:, :, 0])
        ends.append(horner(coefficients, np.diff(times)))
    start, end = np.concatenate(starts), np.concatenate(ends)
    atoms = motion.atoms.times[motion.atoms.durations > 0.0] if motion.atoms is not None else np.zeros(0)
    first = np.flatnonzero(np.isin(np.asarray(motion.pieces.times)[1:-1], atoms))
    start[first + 1], end[first] = start[first], end[first + 1]
    return motion.model.on_charts(0.5 * (start + end))[:, : motion.model.nq]


def missed_rates(
    motion: Record, time: np.ndarray, states: np.ndarray, middles: np.ndarray, dense: np.ndarray
) -> np.ndarray:
    r"""The error (T, nq) of a step in the rates of coordinates at states (T, n) in it, from the model alone.

    .. math:: \delta\dot q = \bigl(N(q(t)) - N(q_{1/2})\bigr)\,v(t)

    ``dense``: the same states of the dense output. Their quaternions are not quite of length one, and so rotate faster or slower.
    """
    frozen = np.concatenate([middles, dense[:, motion.model.nq :]], axis=1)
    here, taken = (
        evaluate_groups(motion.model.tape("rates"), tape_rows(motion, time, x))["q_dot"] for x in (states, frozen)
    )
    for first, last in motion.model.layout.quaternions:
        taken[:, first:last] /= np.linalg.norm(dense[:, first:last], axis=1, keepdims=True)
    return here - taken
