"""Rows of conditions whose Jacobian a run watches: of closed loops and constraints of bodies, or of a Lagrangian system."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_again, evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.integrators.watch.troubled_conditions import dependent_ones, listed, row_told
from vinculum.models.conditions.closed_loops import changed_coordinates, moved, pulled
from vinculum.models.conditions.gaps import gaps_at
from vinculum.models.model import Model
from vinculum.motion.problem import Problem
from vinculum.tolerances.watch import DEPENDENT_WATCHED, SHARE_OF_TROUBLE


class WatchedRows(ABC):
    """``rank``: how many rows are independent; ``tape``: functions of (state, t, parameters), of which the outputs ``residuals`` vanish;
    ``own`` (k,): places among them of what each row keeps at zero."""

    model: Model
    rank: int
    tape: Tape
    residuals: np.ndarray
    own: np.ndarray

    @abstractmethod
    def jacobians(self, states: np.ndarray, times) -> np.ndarray:
        """J (B, k, n) of the rows at states."""

    @abstractmethod
    def correction(self, state: np.ndarray, t: float, found: np.ndarray) -> np.ndarray:
        """The least change of a state that takes the small residuals ``found`` away."""

    @abstractmethod
    def drifted(self, state: np.ndarray, dt: np.ndarray) -> np.ndarray:
        """States (B, n) whose coordinates go on from a state for some times with its velocities, which stay."""

    @abstractmethod
    def names(self) -> list[str]:
        """Every row in words."""

    @abstractmethod
    def of_constraints(self) -> np.ndarray:
        """Which rows belong to constraints, (k,); the others are gaps of closing joints."""

    @abstractmethod
    def subject(self, state: np.ndarray, t: float) -> str:
        """The rows that depend on each other at a state, as the subject of a sentence."""


@final
class TreeRows(WatchedRows):
    """Gaps of closing joints and rows of constraints of a system of bodies; ``given``: parameters at instants, if they change."""

    def __init__(self, problem: Problem, given: Callable[[np.ndarray], np.ndarray] | None = None):
        self.model, self._problem, self._given = problem.model, problem, given
        layout = self.model.layout
        self.rank, self._kept, self._levels = layout.rank, layout.kept, np.array(layout.levels)
        self.tape = self.model.tape("closures")
        of = self.tape.slices(self.tape.outputs)
        self.residuals = np.concatenate([np.arange(of[name].start, of[name].stop) for name in ("gaps", "gap_rates")])
        self.own = np.array(self._kept) + len(self._levels) * (self._levels[self._kept] > 0)

    def jacobians(self, states: np.ndarray, times) -> np.ndarray:
        values = self._problem.parameters if self._given is None else self._given(np.broadcast_to(times, len(states)))
        return gaps_at(self.model, states, times, values, watching=True).jacobians[:, self._kept]

    def correction(self, state: np.ndarray, t: float, found: np.ndarray) -> np.ndarray:
        model, values = self.model, self._problem.parameters
        at = gaps_at(model, state[None], t, values)
        F, rates = found.reshape(2, 1, -1) / at.sizes
        on_places, on_speeds = np.flatnonzero(self._levels == 0), np.flatnonzero(self._levels < 2)
        change = np.zeros(model.nq + model.nv)
        if len(on_places):
            along = -pulled(at.jacobians[:, on_places], at.mass, F[:, on_places], self.rank)
            change[: model.nq] = changed_coordinates(model, state[None], along, values)[0]
        change[model.nq :] = -pulled(at.jacobians[:, on_speeds], at.mass, rates[:, on_speeds], self.rank)[0]
        return change

    def drifted(self, state: np.ndarray, dt: np.ndarray) -> np.ndarray:
        states = np.repeat(state[None], len(dt), axis=0)
        return moved(self.model, states, dt[:, None] * state[self.model.nq :], self._problem.parameters)

    def names(self) -> list[str]:
        return [row_told(self.model, i) for i in self._kept]

    def of_constraints(self) -> np.ndarray:
        layout = self.model.layout
        return np.array([layout.gaps[i][0] in layout.constraints for i in self._kept])

    def subject(self, state: np.ndarray, t: float) -> str:
        return dependent_ones(self.model, state, t, self._problem.parameters)


@final
class LagrangianRows(WatchedRows):
    """Rows of the constraints of a Lagrangian system, by the derivatives that they hold."""

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

    def correction(self, state: np.ndarray, t: float, found: np.ndarray) -> np.ndarray:
        at = evaluate_groups(self.tape, self._problem.rows(state[None], np.array([t])))
        G = at["gradients"].reshape(len(found), -1)
        change = np.zeros(len(state))
        change[: G.shape[1]] = -np.linalg.pinv(G, rcond=DEPENDENT_WATCHED) @ found
        return change

    def drifted(self, state: np.ndarray, dt: np.ndarray) -> np.ndarray:
        states = np.repeat(state[None], len(dt), axis=0)
        states[:, : self._n] += dt[:, None] * state[self._n : 2 * self._n]
        return states

    def names(self) -> list[str]:
        return [
            f"row {i} of '{entry.name}'" if entry.rows > 1 else f"'{entry.name}'"
            for entry in self.model.lagrangian.constrained
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
        return f"the constraint{'s' * (len(names) > 1)} {listed(names)}"


def watched_rows(problem: Problem, given: Callable[[np.ndarray], np.ndarray] | None = None) -> WatchedRows | None:
    """The rows that a run watches, None if there are none; ``given``: parameters at instants, if they change."""
    layout = problem.model.layout
    if layout.lagrangian is not None:
        constrained = any(entry.multipliers != "loose" for entry in layout.lagrangian.constrained)
        return LagrangianRows(problem) if constrained else None
    return TreeRows(problem, given) if layout.gaps and layout.rank > 0 else None
