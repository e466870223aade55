"""Vakonomic multipliers, if they exist, for which the motion is that of d'Alembert's or Chetaev's reactions."""

from collections.abc import Callable, Sequence
from typing import final

import numpy as np

from vinculum.bonds import Chetaev
from vinculum.compile.evaluate import evaluate_groups, evaluate_one
from vinculum.derivations.starts.assembly import assemble
from vinculum.equations.constraints.realized import realized_by
from vinculum.errors import StartError
from vinculum.models.conditions.closed_loops import mix_parameters, visible
from vinculum.models.types import model_of
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.motion.states import recorded_states, shown_states
from vinculum.simulation.chosen_method import chosen_method
from vinculum.systems import Constrained
from vinculum.tolerances.constraints import (
    DEPENDENT_MULTIPLIERS,
    IDEAL_STEP,
    MULTIPLIERS_FOUND,
    MULTIPLIERS_SAME,
)
from vinculum.tolerances.iterations import MULTIPLIER_ROUNDS
from vinculum.tolerances.methods import INTEGRATED
from vinculum.tolerances.samples import MULTIPLIER_INSTANTS


def ideal_multipliers(
    problem: Problem, ruled: Sequence[Constrained], run: Callable[[Problem, np.ndarray], Motion]
) -> tuple[np.ndarray, str]:
    r"""The state (n,) with the multipliers found, and how.

    Along the motion q(t) with reactions λ ∂F/∂v the multipliers follow their own rates, and both motions are one where

    .. math:: \dot v_{vak}(q, v, \mu) = \dot v(q, v)\quad\text{at all instants};

    μ(0) is what brings this about as nearly as possible (Gauss and Newton), and is refused where that is not near. Gołubowska, after (57).
    """
    along = _Along(problem, ruled, run)
    mu = np.zeros(len(along.unknown))
    apart, J = along.apart(mu), np.zeros((0, len(mu)))
    for _ in range(MULTIPLIER_ROUNDS):
        J = along.jacobians(mu)
        if np.abs(apart).max(initial=0.0) <= MULTIPLIERS_FOUND:
            break
        step = np.linalg.lstsq(J, apart, rcond=DEPENDENT_MULTIPLIERS)[0]
        tried = along.apart(mu - step)
        if not np.all(np.isfinite(tried)) or np.abs(tried).max() >= np.abs(apart).max():
            break
        mu, apart = mu - step, tried
        if np.abs(step).max(initial=0.0) <= MULTIPLIERS_FOUND * max(1.0, np.abs(mu).max(initial=0.0)):
            break
    residual = float(np.abs(apart).max(initial=0.0))
    if not residual <= MULTIPLIERS_SAME:
        names = ", ".join(f"'{one.constraint.name}'" for one in ruled)
        raise StartError(
            f"system '{problem.model.name}': no multipliers of {names} make the vakonomic motion the one of d'Alembert's principle from "
            f"this start: with the best, {np.round(mu, 9).tolist()}, accelerations still differ by {residual:.3g} of their size; the two "
            "realizations part here, so give numbers, or use vc.DAlembert() or vc.Chetaev()"
        )
    free = len(mu) - int(np.linalg.matrix_rank(J, tol=DEPENDENT_MULTIPLIERS * max(1.0, np.abs(J).max(initial=0.0))))
    many = f"; {free} of {len(mu)} may be anything" if free else ""
    state = problem.state.copy()
    state[along.unknown] = mu
    return state, f"by the rule 'dalembert': accelerations agree to {residual:.1e} of their size{many}"


@final
class _Along:
    """The motion with ideal reactions, seen as states of the vakonomic model with multipliers to be filled in."""

    def __init__(self, problem: Problem, ruled: Sequence[Constrained], run):
        self._problem, self._model = problem, problem.model
        names = {one.constraint.name for one in ruled}
        self.unknown = np.concatenate([np.arange(one.mu.start, one.mu.stop) for one in ruled])
        tree = self._model.tree
        assert tree is not None
        ideal = model_of(realized_by(tree, names, Chetaev()))
        state, n = problem.state, self._model.nq
        self._kept = np.array([i for i in range(n) if i not in set(self.unknown.tolist())], dtype=int)
        known = dict(zip(self._model.parameter_names, problem.parameters.tolist(), strict=True))
        own = ideal.parameter_values({k: x for k, x in visible(known).items() if k in ideal.parameters})
        joints = list(tree.joints)
        made = assemble(ideal, state[self._kept], state[n:], own, joints, joints, t=problem.begin)
        span, latest = problem.until - problem.begin, max(abs(problem.begin), abs(problem.until))
        method = chosen_method(made.model, "auto", None, None, None, span, latest, None)
        start = np.concatenate([made.q, made.v])
        ideal_problem = Problem(made.model, method, problem.begin, problem.until, start, made.values)
        self.times = np.linspace(problem.begin, problem.until, MULTIPLIER_INSTANTS)
        self._motion = run(ideal_problem, self.times).record
        self._ideal = made.model
        there = self._ideal_states(self.times)
        rows = np.concatenate(
            [there, self.times[:, None], mix_parameters(made.model, there, self.times, made.values)], axis=1
        )
        self._asked = evaluate_groups(made.model.tape("motion"), rows)["v_dot"]
        speed = np.abs(there[:, made.model.nq :]).max(initial=0.0)
        self._size = max(float(np.abs(self._asked).max(initial=0.0)), speed / span, np.finfo(float).tiny)

    def apart(self, mu: np.ndarray) -> np.ndarray:
        """By what accelerations differ from those of the ideal motion, over their size, at all instants."""
        history = self._history(mu)
        if history is None:
            return np.full(self._asked.size, np.inf)
        found = self._rates(self.times, history)["v_dot"]
        return ((found - self._asked) / self._size).ravel()

    def jacobians(self, mu: np.ndarray) -> np.ndarray:
        """Slopes of `apart` by the multipliers, by differences that are exact where constraints are linear."""
        h = IDEAL_STEP * max(1.0, float(np.abs(mu).max(initial=0.0)))
        columns = [(self.apart(mu + h * unit) - self.apart(mu - h * unit)) / (2.0 * h) for unit in np.eye(len(mu))]
        return np.nan_to_num(np.stack(columns, axis=1), posinf=0.0, neginf=0.0)

    def _history(self, mu: np.ndarray) -> np.ndarray | None:
        """The multipliers (T, m) that start at mu and follow their rates along the ideal motion."""
        from scipy.integrate import solve_ivp

        tape = self._model.tape("motion")
        places = tape.slices(tape.outputs)["q_dot"].start + self.unknown

        def rates(t, y):
            return evaluate_one(tape, self._rows(np.array([t]), y[None])[0])[places]

        span = (self.times[0], self.times[-1])
        found = solve_ivp(
            rates,
            span,
            mu,
            "DOP853",
            self.times,
            rtol=INTEGRATED,
            atol=INTEGRATED * max(1.0, np.abs(mu).max()),
        )
        return found.y.T if found.success and found.y.shape[1] == len(self.times) else None

    def _rates(self, times: np.ndarray, history: np.ndarray) -> dict[str, np.ndarray]:
        return evaluate_groups(self._model.tape("motion"), self._rows(times, history))

    def _rows(self, times: np.ndarray, history: np.ndarray) -> np.ndarray:
        """Rows of the vakonomic model along the ideal motion with multipliers (T, m)."""
        there, n = self._ideal_states(times), self._model.nq
        states = np.zeros((len(times), n + self._model.nv))
        states[:, self._kept], states[:, self.unknown] = there[:, : self._ideal.nq], history
        states[:, n:] = there[:, self._ideal.nq :]
        return np.concatenate(
            [states, times[:, None], mix_parameters(self._model, states, times, self._problem.parameters)], axis=1
        )

    def _ideal_states(self, times: np.ndarray) -> np.ndarray:
        motion = self._motion
        times = np.clip(times, motion.pieces.begin, motion.pieces.end)
        return shown_states(motion, times, recorded_states(motion, times, motion.pieces.state(times)))
