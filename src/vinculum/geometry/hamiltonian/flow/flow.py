"""`Flow`: compiled tapes of a Hamiltonian's flow, and runs of many states with them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.compile.calls import Field
from vinculum.compile.targets.llvm.machine import Compiled, compile_tape
from vinculum.compile.width import WIDTH
from vinculum.errors import MethodError, RunError, StartError, shorten
from vinculum.geometry.hamiltonian.flow.lanes import (
    ACCUMULATED,
    FAILED,
    TOGETHER,
    Chatter,
    Clocks,
    Crossings,
    Events,
    Frame,
    Growth,
    Records,
    run_flow,
)
from vinculum.geometry.hamiltonian.flow.tapes import deviations, flow_tape, impact_tape, normal_products, watch_tape
from vinculum.geometry.hamiltonian.functions import PhaseFunction, place
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace, UnilateralGraph
from vinculum.geometry.hamiltonian.starts import lane_inputs, share_lanes
from vinculum.integrators.dop853.lanes import Control
from vinculum.scalars import Scalar
from vinculum.screws.entries import is_number
from vinculum.tolerances.constraints import BEHIND_A_WALL
from vinculum.tolerances.sizes import MOST_STEPS_OF_A_FLOW
from vinculum.tolerances.steps import TIGHTEST_FLOW


class Keep(NamedTuple):
    """What a run keeps: ``normal``: make deviations orthonormal; ``factors``: keep R; ``crossings``: most crossings that are kept, after
    which a run ends; ``steps``: most steps between two instants."""

    normal: bool = False
    factors: bool = False
    crossings: int = 0
    steps: int = MOST_STEPS_OF_A_FLOW


STATES_ALONE = Keep()


class Course(NamedTuple):
    """Runs at their instants: states (B, G, n), sums of logarithms (B, G, k) since the start, factors R (B, G, k, k) since the instant
    before, crossings as lists of (times, states, sections) by run, impacts (B,), which runs failed (B,), and where their impacts
    accumulate, the instant (B,), else NaN; and where two walls are met together, the instant (B,), else NaN, and these walls (B, 2)."""

    states: np.ndarray
    sums: np.ndarray
    R: np.ndarray
    crossings: list[tuple[np.ndarray, np.ndarray, np.ndarray]]
    impacts: np.ndarray
    failed: np.ndarray
    accumulated: np.ndarray
    together: np.ndarray
    corners: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Flow:
    """The flow of a phase space with its walls, ``k`` deviations, and sections with the sides from which they are crossed."""

    space: PhaseSpace
    k: int = 0
    sections: tuple[PhaseFunction, ...] = ()
    sides: tuple[int, ...] = ()

    @cached_property
    def parameters(self) -> dict[str, float]:
        """Names and default values of all parameters."""
        found = dict(self.space.parameters)
        for one in self.sections:
            found |= one.parameters
        return found

    @property
    def walls(self) -> tuple[UnilateralGraph, ...]:
        """The unilateral constraints of the phase space."""
        return self.space.unilaterals

    @cached_property
    def _gaps(self) -> PhaseFunction:
        """All gaps (walls,)."""
        return PhaseFunction(
            self.space, tuple(one.called for one in self.walls), np.array([one.gap for one in self.walls], dtype=object)
        )

    @cached_property
    def _orthogonal(self) -> np.ndarray:
        """Which walls (walls, walls) are orthogonal to each other everywhere, in the metric of the kinetic energy."""
        products = normal_products(self.space, self.walls)
        return np.array([[not isinstance(x, Scalar) and x == 0.0 for x in row] for row in products])

    @cached_property
    def _codes(self) -> tuple[Compiled, Compiled | None, tuple[Compiled, ...]]:
        space, known = self.space, self.parameters
        Y = deviations(space, self.k)
        motion = compile_tape(flow_tape(space, Y, known))
        watched = [*(one.gap for one in self.walls), *(one.graphs[()] for one in self.sections)]
        watch = compile_tape(watch_tape(space, Y, watched, known)) if watched else None
        impacts = tuple(compile_tape(impact_tape(space, Y, wall, known)) for wall in self.walls)
        return motion, watch, impacts

    def run(self, states: np.ndarray, values: dict[str, float], begin: float, instants: np.ndarray, tolerance: float,
            keep: Keep = STATES_ALONE) -> Course:  # fmt: skip
        """Runs from states (B, n) through all instants (G,) or (B, G)."""
        motion, watch, impacts = self._codes
        n, d2, k = states.shape[1], 2 * self.space.n, self.k
        ends = np.broadcast_to(instants, (len(states), np.shape(instants)[-1]))
        count, G = ends.shape
        course = Course(
            np.full((count, G, n), np.nan), np.zeros((count, G, k)), np.zeros((count, G, k, k) if keep.factors else (0, 0, 0, 0)),
            [(np.zeros(0), np.zeros((0, n)), np.zeros(0, dtype=int))] * count, np.zeros(count, dtype=int), np.zeros(count, dtype=bool),
            np.full(count, np.nan), np.full(count, np.nan), np.zeros((count, 2), dtype=int),
        )  # fmt: skip
        order = np.array([values.get(name, default) for name, default in sorted(self.parameters.items())])
        control = Control(tolerance, self._groups(), 0.0)
        events = Events(watch.lanes if watch else 0, len(self.walls), len(self.sections),
                        np.array([one.lanes for one in impacts], dtype=np.int64),
                        np.array([wall.restitution for wall in self.walls], dtype=float),
                        self._orthogonal if len(self.walls) > 1 else np.ones((1, 1), dtype=bool),
                        np.array(self.sides, dtype=np.int64))  # fmt: skip
        frame = Frame(d2, k, keep.normal)

        def job(first: int, last: int) -> None:
            lanes = last - first
            x = lane_inputs(motion.tape.n_in, states[first:last], n + 1, order)
            y = x[:n].copy()
            clocks = Clocks(np.full(WIDTH, begin), np.empty(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH, dtype=np.int64),
                            np.zeros(WIDTH, dtype=np.int64))  # fmt: skip
            found = Crossings(np.empty((keep.crossings, n, WIDTH)), np.empty((keep.crossings, WIDTH)),
                              np.empty((keep.crossings, WIDTH), dtype=np.int64), np.zeros(WIDTH, dtype=np.int64),
                              np.zeros(WIDTH, dtype=np.int64))  # fmt: skip
            chatter = Chatter(np.full(WIDTH, begin), np.full(WIDTH, -1), np.full(WIDTH, -1), np.zeros(WIDTH), np.zeros(WIDTH),
                              np.zeros(WIDTH, dtype=np.int64))  # fmt: skip
            stretch = Growth(np.zeros((k, WIDTH)), np.zeros((k, k, WIDTH) if keep.factors else (0, 0, WIDTH)))
            inside = np.minimum(np.arange(WIDTH), lanes - 1)
            for g in range(G):
                clocks.end[:] = ends[first + inside, g]
                if keep.factors:
                    stretch.R[:] = np.eye(k)[:, :, None]
                run_flow(
                    Field(motion.lanes, x, n),
                    frame,
                    events,
                    control,
                    clocks,
                    y,
                    Records(found, chatter, stretch),
                    keep.steps,
                )
                course.states[first:last, g] = y[:, :lanes].T
                course.sums[first:last, g] = stretch.sums[:, :lanes].T
                if keep.factors:
                    course.R[first:last, g] = np.moveaxis(stretch.R[:, :, :lanes], 2, 0)
                if (clocks.status != 0).all():
                    break
            for j in range(lanes):
                m = found.found[j]
                course.crossings[first + j] = (found.times[:m, j], found.states[:m, :, j], found.which[:m, j])
            course.impacts[first:last] = found.impacts[:lanes]
            why = clocks.status[:lanes]
            course.failed[first:last] = (why == FAILED) | (why == ACCUMULATED) | (why == TOGETHER)
            course.together[first:last] = np.where(why == TOGETHER, clocks.t[:lanes], np.nan)
            course.corners[first:last] = np.stack([chatter.before[:lanes], chatter.wall[:lanes]], axis=1)
            course.accumulated[first:last] = np.where(why == ACCUMULATED, clocks.t[:lanes], np.nan)

        share_lanes(count, job)
        return course

    def behind_wall(self, states: np.ndarray, values: dict[str, float], t: float) -> tuple[int, int, float] | None:
        """The first of the states (B, 2n) that is behind a wall at ``t``, the number of the wall, and the gap; None if none is."""
        if not self.walls:
            return None
        sizes = np.maximum(1.0, np.abs(states).max(axis=1))
        known = [values.get(name, default) for name, default in sorted(self._gaps.parameters.items())]
        rows = np.concatenate(
            [states, np.full((len(states), 1), t), np.broadcast_to(known, (len(states), len(known)))], axis=1
        )
        gaps = self._gaps.at_rows(rows)
        for k in range(len(self.walls)):
            bad = np.flatnonzero(~(gaps[:, k] >= -BEHIND_A_WALL * sizes))
            if len(bad):
                return int(bad[0]), k, float(gaps[bad[0], k])
        return None

    def check_starts(self, states: np.ndarray, values: dict[str, float], t: float) -> None:
        """Refuse states behind a wall."""
        behind = self.behind_wall(states, values, t)
        if behind is None:
            return
        b, k, gap = behind
        raise StartError(
            f"{self.space.where}: the gap of {self.walls[k].called} is {gap:.3g} at {place(self.space, states[b])}, behind it; start where "
            "it is not negative, or change its sign"
        )

    def _groups(self) -> np.ndarray:
        """Errors are measured against the largest coordinate, the largest momentum, and the largest number of each deviation."""
        n, k = self.space.n, self.k
        groups = np.concatenate([np.zeros(n), np.ones(n), np.repeat(np.arange(2, 2 + k), 2 * n)]).astype(np.int64)
        return np.stack([groups, np.full(len(groups), -1), np.zeros(len(groups), dtype=np.int64)])


def check_course(space: PhaseSpace, course: Course) -> None:
    """Refuse runs that did not reach their end."""
    where = space.where
    if not course.failed.any():
        return
    run = int(np.argmax(course.failed))
    which = f" of run {run}" if len(course.failed) > 1 else ""
    if np.isfinite(course.accumulated[run]):
        raise RunError(
            f"{where}: the impacts{which} accumulate: there are infinitely many before t = {course.accumulated[run]:.6g}, and the motion "
            "stays at the wall then; end the run before, or raise the restitution"
        )
    if np.isfinite(course.together[run]):
        one, other = (space.unilaterals[k].called for k in course.corners[run])
        raise RunError(
            f"{where}: the motion{which} meets {one} and {other} at the same instant t = {course.together[run]:.6g}; what follows depends "
            "on which is met first, and small deviations have no derivative there; change the start a little"
        )
    raise RunError(
        f"{where}: the steps{which} became too short, or too many; the motion comes near a place where H is not defined"
    )


def check_tolerance(where: str, tolerance: Any) -> float:
    """A relative tolerance of steps."""
    if not is_number(tolerance) or not TIGHTEST_FLOW <= tolerance <= 1e-2:
        raise MethodError(f"{where}: tolerance {shorten(tolerance)}; give a number between {TIGHTEST_FLOW:g} and 0.01")
    return float(tolerance)


def check_free(space: PhaseSpace, what: str) -> None:
    """Refuse constraints, off which small deviations would lead."""
    if len(space.constraints):
        raise MethodError(
            f"{space.where} has constraints, and {what} is for free coordinates; give coordinates= that satisfy them"
        )
