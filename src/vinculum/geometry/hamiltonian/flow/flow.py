"""`Flow`: compiled tapes of a Hamiltonian's flow, and runs of many states with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.compile.calls import Field
from vinculum.compile.targets.llvm.machine import Compiled, compile_tape
from vinculum.compile.width import WIDTH
from vinculum.errors import MethodError, ModelError, RunError, StartError, shorten
from vinculum.geometry.hamiltonian.flow.lanes import (
    ACCUMULATED,
    FAILED,
    Chatter,
    Clocks,
    Crossings,
    Events,
    Frame,
    Growth,
    run_flow,
)
from vinculum.geometry.hamiltonian.flow.tapes import deviations, flow_tape, impact_tape, watch_tape
from vinculum.geometry.hamiltonian.functions import PhaseFunction, one_of, place
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.starts import lane_inputs, share_lanes
from vinculum.geometry.hamiltonian.walls import Wall
from vinculum.integrators.dop853.lanes import Control
from vinculum.scalars import depends_on
from vinculum.screws.entries import is_number
from vinculum.tolerances.constraints import BEHIND_A_WALL
from vinculum.tolerances.sizes import MOST_STEPS_OF_A_FLOW
from vinculum.tolerances.steps import TIGHTEST_FLOW


class Course(NamedTuple):
    """Runs at their instants: states (B, G, n), sums of logarithms (B, G, k) since the start, factors R (B, G, k, k) since the instant
    before, crossings as lists of (times, states, sections) by run, impacts (B,), which runs failed (B,), and where their impacts
    accumulate, the instant (B,), else NaN."""

    states: np.ndarray
    sums: np.ndarray
    R: np.ndarray
    crossings: list[tuple[np.ndarray, np.ndarray, np.ndarray]]
    impacts: np.ndarray
    failed: np.ndarray
    accumulated: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Flow:
    """The flow of a phase space with ``k`` deviations, walls, and sections with the sides from which they are crossed."""

    space: PhaseSpace
    k: int = 0
    walls: tuple[Wall, ...] = ()
    sections: tuple[PhaseFunction, ...] = ()
    sides: tuple[int, ...] = ()

    @cached_property
    def parameters(self) -> dict[str, float]:
        """Names and default values of all parameters."""
        found = dict(self.space.parameters)
        for one in (*self._gaps, *self.sections):
            found |= one.parameters
        return found

    @cached_property
    def _gaps(self) -> tuple[PhaseFunction, ...]:
        found = tuple(one_of(self.space, "gap", wall.gap) for wall in self.walls)
        for one in found:
            if depends_on(one.graphs.ravel(), [*self.space.p, self.space.t]):
                raise ModelError(f"{self.space.where}: a wall's gap must be a function of coordinates alone")
        return found

    @cached_property
    def _codes(self) -> tuple[Compiled, Compiled | None, tuple[Compiled, ...]]:
        space, known = self.space, self.parameters
        Y = deviations(space, self.k)
        motion = compile_tape(flow_tape(space, Y, known))
        watched = [one.graphs[()] for one in (*self._gaps, *self.sections)]
        watch = compile_tape(watch_tape(space, Y, watched, known)) if watched else None
        impacts = tuple(
            compile_tape(impact_tape(space, Y, wall, gap.graphs[()], known))
            for wall, gap in zip(self.walls, self._gaps, strict=True)
        )
        return motion, watch, impacts

    def run(self, states: np.ndarray, values: dict[str, float], begin: float, instants: np.ndarray, tolerance: float,
            *, normal: bool = False, keep: bool = False, crossings: int = 0, most: int = MOST_STEPS_OF_A_FLOW) -> Course:  # fmt: skip
        """Runs from states (B, n) through all instants (G,) or (B, G). ``normal``: make deviations orthonormal; ``keep``: keep R;
        ``crossings``: most crossings that are kept, after which a run ends; ``most``: most steps between two instants."""
        motion, watch, impacts = self._codes
        n, d2, k = states.shape[1], 2 * self.space.n, self.k
        ends = np.broadcast_to(instants, (len(states), np.shape(instants)[-1]))
        count, G = ends.shape
        course = Course(
            np.full((count, G, n), np.nan), np.zeros((count, G, k)), np.zeros((count, G, k, k) if keep else (0, 0, 0, 0)),
            [(np.zeros(0), np.zeros((0, n)), np.zeros(0, dtype=int))] * count, np.zeros(count, dtype=int), np.zeros(count, dtype=bool),
            np.full(count, np.nan),
        )  # fmt: skip
        order = np.array([values.get(name, default) for name, default in sorted(self.parameters.items())])
        control = Control(tolerance, self._groups(), 0.0)
        events = Events(watch.lanes if watch else 0, len(self.walls), len(self.sections),
                        np.array([one.lanes for one in impacts], dtype=np.int64),
                        np.array([wall.restitution for wall in self.walls], dtype=float),
                        np.array(self.sides, dtype=np.int64))  # fmt: skip
        frame = Frame(d2, k, normal)

        def job(first: int, last: int) -> None:
            lanes = last - first
            x = lane_inputs(motion.tape.n_in, states[first:last], n + 1, order)
            y = x[:n].copy()
            clocks = Clocks(np.full(WIDTH, begin), np.empty(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH, dtype=np.int64),
                            np.zeros(WIDTH, dtype=np.int64))  # fmt: skip
            found = Crossings(np.empty((crossings, n, WIDTH)), np.empty((crossings, WIDTH)),
                              np.empty((crossings, WIDTH), dtype=np.int64), np.zeros(WIDTH, dtype=np.int64),
                              np.zeros(WIDTH, dtype=np.int64))  # fmt: skip
            chatter = Chatter(np.full(WIDTH, begin), np.full(WIDTH, -1), np.zeros(WIDTH), np.zeros(WIDTH),
                              np.zeros(WIDTH, dtype=np.int64))  # fmt: skip
            stretch = Growth(np.zeros((k, WIDTH)), np.zeros((k, k, WIDTH) if keep else (0, 0, WIDTH)))
            inside = np.minimum(np.arange(WIDTH), lanes - 1)
            for g in range(G):
                clocks.end[:] = ends[first + inside, g]
                if keep:
                    stretch.R[:] = np.eye(k)[:, :, None]
                run_flow(Field(motion.lanes, x, n), frame, events, control, clocks, y, found, chatter, stretch, most)
                course.states[first:last, g] = y[:, :lanes].T
                course.sums[first:last, g] = stretch.sums[:, :lanes].T
                if keep:
                    course.R[first:last, g] = np.moveaxis(stretch.R[:, :, :lanes], 2, 0)
                if (clocks.status != 0).all():
                    break
            for j in range(lanes):
                m = found.found[j]
                course.crossings[first + j] = (found.times[:m, j], found.states[:m, :, j], found.which[:m, j])
            course.impacts[first:last] = found.impacts[:lanes]
            why = clocks.status[:lanes]
            course.failed[first:last] = (why == FAILED) | (why == ACCUMULATED)
            course.accumulated[first:last] = np.where(why == ACCUMULATED, clocks.t[:lanes], np.nan)

        share_lanes(count, job)
        return course

    def behind_wall(self, states: np.ndarray, values: dict[str, float]) -> tuple[int, int, float] | None:
        """The first of the states (B, 2n) that is behind a wall, the number of the wall, and the gap; None if none is."""
        sizes = np.maximum(1.0, np.abs(states).max(axis=1))
        for k, one in enumerate(self._gaps):
            known = [values.get(name, default) for name, default in sorted(one.parameters.items())]
            rows = np.concatenate(
                [states, np.zeros((len(states), 1)), np.broadcast_to(known, (len(states), len(known)))], axis=1
            )
            gaps = one.at_rows(rows)[:, 0]
            bad = np.flatnonzero(~(gaps >= -BEHIND_A_WALL * sizes))
            if len(bad):
                return int(bad[0]), k, float(gaps[bad[0]])
        return None

    def check_starts(self, states: np.ndarray, values: dict[str, float]) -> None:
        """Refuse states behind a wall."""
        behind = self.behind_wall(states, values)
        if behind is None:
            return
        b, k, gap = behind
        which = f"wall {k + 1}" if len(self.walls) > 1 else "the wall"
        raise StartError(
            f"{self.space.where}: the gap of {which} is {gap:.3g} at {place(self.space, states[b])}, behind it; start where it is "
            "not negative, or change its sign"
        )

    def _groups(self) -> np.ndarray:
        """Errors are measured against the largest coordinate, the largest momentum, and the largest number of each deviation."""
        n, k = self.space.n, self.k
        groups = np.concatenate([np.zeros(n), np.ones(n), np.repeat(np.arange(2, 2 + k), 2 * n)]).astype(np.int64)
        return np.stack([groups, np.full(len(groups), -1), np.zeros(len(groups), dtype=np.int64)])


def check_course(where: str, course: Course) -> None:
    """Refuse runs that did not reach their end."""
    if not course.failed.any():
        return
    run = int(np.argmax(course.failed))
    which = f" of run {run}" if len(course.failed) > 1 else ""
    if np.isfinite(course.accumulated[run]):
        raise RunError(
            f"{where}: the impacts{which} accumulate: there are infinitely many before t = {course.accumulated[run]:.6g}, and the motion "
            "stays at the wall then; end the run before, or raise the restitution"
        )
    raise RunError(
        f"{where}: the steps{which} became too short, or too many; the motion comes near a place where H is not defined"
    )


def check_tolerance(where: str, tolerance: Any) -> float:
    """A relative tolerance of steps."""
    if not is_number(tolerance) or not TIGHTEST_FLOW <= tolerance <= 1e-2:
        raise MethodError(f"{where}: tolerance {shorten(tolerance)}; give a number between {TIGHTEST_FLOW:g} and 0.01")
    return float(tolerance)


def check_walls(where: str, walls: Any) -> tuple[Wall, ...]:
    """The walls of a run."""
    found = (walls,) if isinstance(walls, Wall) else walls
    if not isinstance(found, Sequence) or not all(isinstance(one, Wall) for one in found):
        raise ModelError(f"{where}: walls is {shorten(walls)}; give vc.hamiltonian.Wall objects")
    return tuple(found)


def check_free(space: PhaseSpace, what: str) -> None:
    """Refuse constraints, off which small deviations would lead."""
    if len(space.constraints):
        raise MethodError(
            f"{space.where} has constraints, and {what} is for free coordinates; give coordinates= that satisfy them"
        )
