"""Errors of time stepping between impacts, predicted from the model alone: the change of accelerations within a step."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.motion.method import MIDDLE
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows

HALVES = np.array([0.0, 0.5, 1.0])
SIMPSON = np.array([1.0, 4.0, 1.0]) / 6.0


@final
@dataclass(frozen=True, eq=False)
class StepErrors:
    """For every step between ``times`` (S + 1,): the change of momentum (S, nv) that the accelerations of its middle miss, and the first
    moment (S, nv) of this error. As momenta M δv, errors of some velocities also act on joints that do not move."""

    times: np.ndarray
    missed: np.ndarray
    moment: np.ndarray

    def within(self, low: float, high: float, roots, joints, w: np.ndarray, w_dot: np.ndarray) -> float:
        """An upper bound of the virtual power of the errors in a support: |L⁻¹ M δv| of joints, M = L Lᵀ their own, with the largest |w|
        and |ẇ|."""
        chosen = slice(max(0, int(np.searchsorted(self.times, low)) - 1), int(np.searchsorted(self.times, high)) + 1)
        total = np.zeros(2)
        for name, entry in joints:
            own = slice(*entry.v)
            L = roots[name][0]
            total += [
                np.linalg.norm(np.linalg.solve(L, x[chosen, own].T), axis=0).sum() for x in (self.missed, self.moment)
            ]
        return float(total @ [w.max(initial=0.0), w_dot.max(initial=0.0)])


def _accelerations(motion: Record, time: np.ndarray, states: np.ndarray) -> np.ndarray:
    rows = tape_rows(motion, time, motion.model.on_charts(recorded_states(motion, time, states)))
    return evaluate_groups(motion.model.tape("motion"), rows)["v_dot"]


def step_errors(motion: Record) -> StepErrors:
    """The errors of all steps: Simpson's rule for the accelerations over both halves of a step, minus those that the method uses."""
    edges = np.asarray(motion.pieces.times)
    atoms = motion.atoms.times[motion.atoms.durations > 0.0] if motion.atoms is not None else np.zeros(0)
    is_atom = np.isin(edges, atoms)
    is_atom[[0, -1]] = False
    theta = motion.method.theta or MIDDLE
    means, ends, taken = [], [], []
    for times, coefficients in motion.pieces.blocks():
        local = np.diff(times)[:, None] * HALVES
        which = np.repeat(np.arange(len(coefficients)), len(HALVES))
        instants = (times[:-1, None] + local).ravel()
        states = horner(coefficients, local.ravel(), which)
        a = _accelerations(motion, instants, states).reshape(len(coefficients), len(HALVES), -1)
        means.append(np.einsum("s,ksn->kn", SIMPSON, a) * np.diff(times)[:, None])
        ends.append(a)
        sides = states.reshape(len(coefficients), len(HALVES), -1)
        places = sides[:, 0] + theta * (sides[:, 2] - sides[:, 0])
        taken.append(_accelerations(motion, times[:-1] + theta * np.diff(times), places))
    mean, a, h = np.concatenate(means), np.concatenate(ends), np.diff(edges)[:, None]
    # a piece that ends in an atom is the first half of its step, and the next the second
    first, second = is_atom[1:], is_atom[:-1]
    middle = np.where(first[:, None], a[:, 2], np.where(second[:, None], a[:, 0], np.concatenate(taken)))
    missed = mean - h * middle
    missed[np.flatnonzero(first)] += missed[np.flatnonzero(second)]
    change = a[:, 2] - a[:, 0]
    change[np.flatnonzero(first)] += change[np.flatnonzero(second)]
    whole = ~second
    length = h + np.where(first[:, None], np.roll(h, -1, axis=0), 0.0)
    begins = edges[:-1][whole]
    states = recorded_states(motion, begins, motion.pieces.state(begins))
    made = [_momenta(motion, begins, states, x[whole]) for x in (missed, length**2 / 12.0 * change)]
    return StepErrors(np.append(begins, edges[-1]), *made)


def _momenta(motion: Record, times: np.ndarray, states: np.ndarray, velocities: np.ndarray) -> np.ndarray:
    """M v (S, nv) at the positions of states."""
    nq, tape = motion.model.nq, motion.model.tape("virtual")
    moving, still = (
        evaluate_groups(tape, tape_rows(motion, times, np.concatenate([states[:, :nq], x], axis=1)), again=True)[
            "momenta"
        ]
        for x in (velocities, np.zeros_like(velocities))
    )
    return moving - still
