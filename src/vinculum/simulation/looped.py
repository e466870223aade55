"""Runs of compiled loops over many bodies: what pair loops and tables have in common."""

from abc import abstractmethod
from collections.abc import Mapping

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.derivations.starts.checks import check_paths
from vinculum.integrators.watch.table_ends import check_start
from vinculum.models.model import Model
from vinculum.motion.arguments import grid_instants
from vinculum.motion.events import event_tape
from vinculum.motion.method import Method
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.simulation.by_type import Prepared, RunOfType, Watched
from vinculum.simulation.chosen_method import method_asked_for
from vinculum.simulation.options import Options
from vinculum.simulation.resolving import check_resolvable
from vinculum.simulation.runs import run
from vinculum.tolerances.samples import DEFAULT_GRID


class LoopedRun(RunOfType):
    """Bodies meet nothing; their number bounds the grid."""

    def watch(self, model: Model, options: Options, given: Mapping[str, float]) -> Watched:
        return watched_events(model, options, given)

    def check_start(self, prepared: Prepared, options: Options) -> Prepared:
        check_resolvable(prepared.model, options)
        check_paths(prepared.model, prepared.begin, prepared.values)
        return prepared

    def default_method(self, model: Model, watched: Tape | None) -> str:
        return "dop853"

    @abstractmethod
    def check_method(self, model: Model, name: str) -> None:
        """Refuse a method that has no loop over these bodies."""

    def method(self, prepared: Prepared, options: Options) -> Method:
        return method_asked_for(prepared, options)

    def instants(self, prepared: Prepared, method: Method, options: Options) -> np.ndarray:
        from vinculum.integrators.looped.steps import check_grid, largest_grid

        usual = min(DEFAULT_GRID, largest_grid(prepared.model))
        instants = grid_instants(usual if options.grid is None else options.grid, prepared.begin, prepared.until)
        check_grid(prepared.model, instants)
        return instants

    def problem(self, prepared: Prepared, method: Method, options: Options) -> tuple[Problem, list[str]]:
        return checked_problem(prepared, method, options), []

    def run(
        self, prepared: Prepared, problem: Problem, instants: np.ndarray, options: Options, log: list[str]
    ) -> Motion:
        return run(problem, instants, prepared.named, options.out, options.progress, log)


def watched_events(model: Model, options: Options, given: Mapping[str, float]) -> Watched:
    """The functions of events, traced."""
    tape, own, shown = event_tape(model, options.events, given)
    return Watched(tape, frozenset(own), shown)


def checked_problem(prepared: Prepared, method: Method, options: Options) -> Problem:
    """The problem of a prepared run. A start beyond the ends of a table is refused."""
    problem = Problem(prepared.model, method, prepared.begin, prepared.until, prepared.state, prepared.values,
                      options.events, prepared.watched.tape, prepared.watched.shown, options.thorough)  # fmt: skip
    check_start(problem)
    return problem
