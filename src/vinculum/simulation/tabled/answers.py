"""Runs of tables."""

from collections.abc import Mapping
from typing import final

import numpy as np

from vinculum.compile.memory import check_room
from vinculum.compile.tape import Tape
from vinculum.derivations.starts.checks import check_paths
from vinculum.errors import StartError
from vinculum.integrators.tabled.memory import bytes_of_steps
from vinculum.models.model import Model
from vinculum.models.tabled.starts import check_bonds
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.arguments import grid_instants
from vinculum.motion.method import Method
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.simulation.by_type import Prepared, RunOfType, Watched
from vinculum.simulation.chosen_method import method_asked_for
from vinculum.simulation.options import Options
from vinculum.simulation.resolving import check_resolvable
from vinculum.simulation.runs import run
from vinculum.simulation.tabled.condition_starts import on_conditions
from vinculum.simulation.tabled.problems import checked_problem, watched_events
from vinculum.tolerances.samples import DEFAULT_GRID


@final
class TabledRun(RunOfType):
    """Runs of blocks and tables of bonds. Bodies meet nothing; their number bounds the grid."""

    def watch(self, model: Model, options: Options, given: Mapping[str, float]) -> Watched:
        return watched_events(model, options, given)

    def check_start(self, prepared: Prepared, options: Options) -> Prepared:
        model = prepared.model
        needed = bytes_of_steps(model.nq + model.nv)
        what = f"system '{model.name}': the steps of a run of {len(model.layout.bodies)} bodies"
        check_room(what, needed, StartError, "use fewer bodies")
        check_resolvable(model, options)
        check_paths(model, prepared.begin, prepared.values)
        if tabled_in(model).conditions:
            prepared = on_conditions(prepared, options)
        row = np.concatenate([prepared.state, [prepared.begin], prepared.values])[None]
        check_bonds(prepared.model, tabled_in(prepared.model), row)
        return prepared

    def default_method(self, model: Model, watched: Tape | None) -> str:
        return "dop853"

    def check_method(self, model: Model, name: str) -> None:
        from vinculum.integrators.tabled.field import check_method

        check_method(model, name)

    def method(self, prepared: Prepared, options: Options) -> Method:
        return method_asked_for(prepared, options)

    def instants(self, prepared: Prepared, method: Method, options: Options) -> np.ndarray:
        from vinculum.integrators.tabled.steps import check_grid, largest_grid

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
