"""Runs with a fixed step: RK4, velocity Verlet, implicit midpoint."""

from typing import Any

import numpy as np

from vinculum.compile.calls import Field
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.width import WIDTH
from vinculum.ensembles.guards import conditions
from vinculum.ensembles.runs import Runs, runs_of, shared_work
from vinculum.errors import StartError
from vinculum.integrators.fixed_step import lanes as loops
from vinculum.integrators.variables import inward, outward, stepping_field
from vinculum.models.conditions.closed_loops import mix_parameters, violations
from vinculum.models.model import Model
from vinculum.tolerances.constraints import CONTRADICTED
from vinculum.tolerances.rank import CHART_LOST_BY_FIXED_STEPS
from vinculum.tolerances.sizes import CALL_OF_REDUNDANT_CONDITIONS, LONGEST_CALL, SHORT_CALL
from vinculum.tolerances.time import GRID_IN_STEPS

KINDS = {"rk4": loops.RK4, "verlet": loops.VERLET, "midpoint": loops.MIDPOINT}


def fixed_runs(model: Model, method: str, states, values, begin: float, instants, step: float, threads: int) -> Runs:
    """Runs on a grid of whole steps; where there are constraints every step ends on them."""
    later = instants[instants > begin]
    strides = _strides(later, begin, step)
    count, n = states.shape
    result, steps = np.full((count, len(later), n), np.nan), np.zeros(count, dtype=np.int64)
    own = inward(method, model, np.concatenate([states, np.full((count, 1), begin), values], axis=1))
    watched = bool(model.layout.charts)

    def job(first: int, last: int, halt: np.ndarray) -> None:
        block = _Block(model, method, step)
        for start in range(first, last, WIDTH):
            rows = np.minimum(np.arange(start, start + WIDTH), last - 1)
            live = min(WIDTH, last - start)
            block.place(own[rows], values[rows])
            done = 0
            for g, stride in enumerate(strides):
                for taken in [block.longest] * (stride // block.longest) + [stride % block.longest]:
                    if halt[0]:
                        return
                    if taken:
                        block.advance(begin + done * step, taken, watched)
                        done += taken
                result[start : start + live, g] = np.where(block.lost, np.nan, block.x[:n])[:, :live].T
                steps[start : start + live] = done

    interrupted = shared_work(count, threads, job)
    for g, instant in enumerate(later):
        result[:, g] = outward(
            method, model, np.concatenate([result[:, g], np.full((count, 1), instant), values], axis=1)
        )
    return runs_of(model, begin, instants, states, values, result, steps, interrupted)


def _strides(later: np.ndarray, begin: float, step: float) -> list[int]:
    counts = np.rint((later - begin) / step).astype(np.int64)
    if np.abs(begin + counts * step - later).max() > GRID_IN_STEPS * max(1.0, abs(later[-1])):
        raise StartError(f"every instant of grid must be a whole number of steps of {step:g} s after {begin:g} s")
    return np.diff(np.concatenate([[0], counts])).tolist()


class _Block:
    """Eight runs at a time; ``x`` holds them, ``lost`` marks those that have failed."""

    def __init__(self, model: Model, method: str, step: float):
        self.model, self.step, self.kind = model, step, KINDS[method]
        self.n, self.m = model.nq + model.nv, len(model.layout.kept)
        self.rank = model.layout.rank if self.m else 0
        self.kernel: Any = compile_tape(stepping_field(method, model))
        self.projection = compile_tape(model.tape("projection")).lanes if self.rank else 0
        watched = bool(model.layout.charts)
        self.redundant = 0 < self.rank < self.m
        self.longest = SHORT_CALL if watched else LONGEST_CALL
        self.longest = min(self.longest, CALL_OF_REDUNDANT_CONDITIONS) if self.redundant else self.longest
        self.record = np.empty((SHORT_CALL if watched else 1, self.n, WIDTH))
        self.x, self.lost = np.zeros((self.kernel.tape.n_in, WIDTH)), np.zeros(WIDTH, dtype=bool)

    def place(self, states: np.ndarray, values: np.ndarray) -> None:
        """Begin with other runs."""
        self.x[: self.n], self.x[self.n + 1 :] = states.T, values.T
        self.lost[:] = False

    def advance(self, t: float, taken: int, watched: bool) -> None:
        """Take steps from the instant t."""
        plan = loops.Plan(self.kind, t, self.step, taken, 1 if watched else taken)
        field = Field(self.kernel.lanes, self.x, self.n)
        if self.rank:
            if self.redundant:
                self._mix(t)
            made = loops.advance_projected(field, self.model.nq, plan, self.projection, self.record, self.lost)
        else:
            made = loops.advance(field, self.model.nq, plan, self.record)
        if self.redundant:
            self._watch(t + taken * self.step)
        if watched:
            near = conditions(self.model, np.moveaxis(self.record[:made], 1, 2)) < CHART_LOST_BY_FIXED_STEPS
            self.lost |= near.any(axis=0)

    def _watch(self, t: float) -> None:
        """Conditions that depend on each other may come to contradict each other: such runs have failed."""
        fine = np.flatnonzero(np.isfinite(self.x).all(axis=0))
        rows = self.x[:, fine].T
        broken = (
            violations(self.model, rows[:, : self.n], t, rows[:, self.n + 1 :]).max(axis=1, initial=0.0) > CONTRADICTED
        )
        self.lost[fine] |= broken

    def _mix(self, t: float) -> None:
        """Independent combinations of conditions that depend on each other, where the runs are now."""
        fine = np.flatnonzero(np.isfinite(self.x).all(axis=0))
        rows = self.x[:, fine].T
        self.x[self.n + 1 :, fine] = mix_parameters(self.model, rows[:, : self.n], t, rows[:, self.n + 1 :]).T
