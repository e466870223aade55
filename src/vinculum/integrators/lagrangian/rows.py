"""Rows of the constraints of a Lagrangian system, whose Jacobian is monitored during a run."""

from collections.abc import Callable
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_again, evaluate_groups
from vinculum.integrators.watch.troubled_conditions import list_names
from vinculum.integrators.watched_rows import WatchedRows
from vinculum.models.lagrangian.type import lagrangian_of
from vinculum.motion.problem import Problem
from vinculum.tolerances.watch import DEPENDENT_WATCHED, SHARE_OF_TROUBLE


@final
class LagrangianRows(WatchedRows):
    """Rows of the constraints of a Lagrangian system, with their Jacobian with respect to the highest derivatives."""

    def __init__(self, problem: Problem):
        self.model, self._problem = problem.model, problem
        self.tape = self.model.tape("conditions")
        of = self.tape.slices(self.tape.outputs)
        self.residuals = np.arange(of["residuals"].start, of["residuals"].stop)
        self._n = self.model.nq
        self._rows = of["rows"]
        self.rank = (self._rows.stop - self._rows.start) // self._n
        self.own = np.arange(self.rank)

    def jacobians(self, states: np.ndarray, times) -> np.ndarray:
        rows = self._problem.rows(states, np.broadcast_to(times, len(states)))
        return evaluate_again(self.tape, rows)[:, self._rows].reshape(len(states), self.rank, self._n)

    def turns(self) -> np.ndarray:
        return np.zeros(self._n, dtype=bool)

    def corrections(self, state: np.ndarray, t: float) -> Callable[[np.ndarray], np.ndarray]:
        at = evaluate_groups(self.tape, self._problem.rows(state[None], np.array([t])))
        G = at["gradients"].reshape(len(self.residuals), -1)
        inverse = np.zeros((len(state), len(G)))
        inverse[: G.shape[1]] = -np.linalg.pinv(G, rcond=DEPENDENT_WATCHED)
        return inverse.__matmul__

    def drift(self, state: np.ndarray, dt: np.ndarray) -> np.ndarray:
        states = np.repeat(state[None], len(dt), axis=0)
        states[:, : self._n] += dt[:, None] * state[self._n : 2 * self._n]
        return states

    def names(self) -> list[str]:
        return [
            f"row {i} of '{entry.name}'" if entry.rows > 1 else f"'{entry.name}'"
            for entry in lagrangian_of(self.model).constrained
            if entry.multipliers != "loose"
            for i in range(entry.rows)
        ]

    def of_constraints(self) -> np.ndarray:
        return np.ones(self.rank, dtype=bool)

    def subject(self, state: np.ndarray, t: float) -> str:
        J = self.jacobians(state[None], t)[0]
        size = np.linalg.norm(J, axis=1, keepdims=True)
        shares = np.abs(np.linalg.svd(J / np.where(size > 0.0, size, 1.0))[0][:, -1])
        names = [
            name for name, share in zip(self.names(), shares, strict=True) if share > SHARE_OF_TROUBLE * shares.max()
        ]
        return f"the constraint{'s' * (len(names) > 1)} {list_names(names)}"
