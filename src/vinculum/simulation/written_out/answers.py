"""Runs of models whose equations are graphs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import final

import numpy as np

from vinculum.compile.engines import has_heyoka
from vinculum.compile.tape import Tape
from vinculum.derivations.starts.checks import check_paths, check_regular
from vinculum.derivations.starts.constraint_starts import check_constraints, check_efforts, check_multipliers, meets_all
from vinculum.integrators.sources import steps_of
from vinculum.integrators.taylor.integrator import has_kinks
from vinculum.integrators.watch.encounters import check_actions
from vinculum.integrators.watch.table_ends import check_start
from vinculum.models.model import Model
from vinculum.motion.arguments import grid_instants, step_ends
from vinculum.motion.events import event_tape
from vinculum.motion.method import Method
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.simulation.by_type import Prepared, RunOfType, Watched
from vinculum.simulation.chosen_method import NO_SERIES, by_dop853, method_asked_for, method_that_can_run
from vinculum.simulation.closed_starts import closed_start
from vinculum.simulation.contact_step import told_step
from vinculum.simulation.multipliers.rules import with_found_multipliers
from vinculum.simulation.options import Options
from vinculum.simulation.resolving import check_resolvable
from vinculum.simulation.runs import NoSeriesError, run
from vinculum.tolerances.samples import DEFAULT_GRID
from vinculum.tolerances.sizes import LARGEST_TAYLOR_TAPE, ROOM_OF_TRIALS


@final
class WrittenOutRun(RunOfType):
    """Closed loops and constraints are met at the start, contacts are open or touch, and any integrator may run."""

    def watch(self, model: Model, options: Options, given: Mapping[str, float]) -> Watched:
        tape, own, shown = event_tape(model, options.events, given)
        return Watched(tape, frozenset(own), shown)

    def check_start(self, prepared: Prepared, options: Options) -> Prepared:
        model = prepared.model
        assert model.tree is not None
        check_resolvable(model, options)
        check_paths(model, prepared.begin, prepared.values)
        if model.tree.is_conditioned:
            prepared = _on_constraints(prepared, options)
        else:
            check_regular(model, prepared.state[: model.nq], prepared.values)
        check_actions(prepared.model, prepared.state, prepared.begin, prepared.values)
        return prepared

    def default_method(self, model: Model, watched: Tape | None) -> str:
        if not has_heyoka():
            return "dop853"
        fits = len(model.tape("motion").code) <= LARGEST_TAYLOR_TAPE and not (watched and watched.is_piecewise())
        return "taylor" if fits and not has_kinks(model) else "dop853"

    def check_method(self, model: Model, name: str) -> None:
        """Every integrator can run equations that are written out."""

    def method(self, prepared: Prepared, options: Options) -> Method:
        return method_asked_for(prepared, options)

    def instants(self, prepared: Prepared, method: Method, options: Options) -> np.ndarray:
        begin, until = prepared.begin, prepared.until
        if options.grid is None and method.claims.name == "moreau" and method.step is not None:
            # what rests is at rest between steps, not within
            return step_ends(begin, until, method.step, DEFAULT_GRID)
        return grid_instants(DEFAULT_GRID if options.grid is None else options.grid, begin, until)

    def problem(self, prepared: Prepared, method: Method, options: Options) -> tuple[Problem, list[str]]:
        model, begin = prepared.model, prepared.begin
        state, told = _apart(prepared, options)
        problem = Problem(model, method, begin, prepared.until, state, prepared.values, options.events,
                          prepared.watched.tape, prepared.watched.shown, options.thorough)  # fmt: skip
        check_start(problem)
        method, remarks = method_that_can_run(model, method, problem.row(state, begin), prepared.span)
        problem = replace(problem, method=method) if remarks else problem
        problem, found = with_found_multipliers(
            problem, lambda one, at: run(one, at, prepared.named, None, False, [], room=ROOM_OF_TRIALS)
        )
        if options.step is None and model.shapes is not None and method.step is not None:
            told = [*told, told_step(method.step)]
        return problem, [*told, *found, *remarks]

    def run(
        self, prepared: Prepared, problem: Problem, instants: np.ndarray, options: Options, log: list[str]
    ) -> Motion:
        named, out, progress = prepared.named, options.out, options.progress
        if prepared.model.layout.unilaterals and problem.method.claims.name != "moreau":
            from vinculum.integrators.event_driven.event_driven import event_driven_steps

            return run(problem, instants, named, out, progress, log,
                       lambda problem, limits: event_driven_steps(prepared.system, problem, prepared.given, steps_of))  # fmt: skip
        try:
            return run(problem, instants, named, out, progress, list(log))
        except NoSeriesError as error:
            where = "the start" if error.instant == problem.begin else f"t = {error.instant:.9g} s"
            told = NO_SERIES.format(where)
            problem = replace(problem, method=by_dop853(problem.method))
            return run(problem, instants, named, out, progress, [*log, told])


def _on_constraints(prepared: Prepared, options: Options) -> Prepared:
    """The start on the constraints and closed loops of a model, and the model on that branch of them."""
    described, begin, values = prepared.model, prepared.begin, prepared.values
    q, v = prepared.state[: described.nq], prepared.state[described.nq :]
    met = meets_all(described, prepared.state, begin, values)
    if not options.repair and not met:
        check_constraints(described, q, v, begin, values)
    model, q, v, found, log = closed_start(described, q, v, values, options.start or {}, begin, met, options.repair)
    check_multipliers(model, q, v, begin, found)
    check_efforts(described, q, v, begin, values)
    watched = prepared.watched
    if options.events:
        tape, _, shown = event_tape(model, options.events, prepared.given)
        watched = Watched(tape, watched.own, shown)
    return replace(prepared, model=model, state=np.concatenate([q, v]), values=found, watched=watched, log=tuple(log))


def _apart(prepared: Prepared, options: Options) -> tuple[np.ndarray, list[str]]:
    """The start without penetration, and what was done about it."""
    model, begin, state, values, told = prepared.model, prepared.begin, prepared.state, prepared.values, []
    if options.resolve and model.is_bounded:
        from vinculum.simulation.moved_apart import moved_apart

        state, told = moved_apart(model, begin, state, values)
    if model.layout.unilaterals:
        from vinculum.integrators.event_driven.touching import check_apart

        check_apart(model, begin, state, values)
    if model.shapes is not None:
        from vinculum.integrators.moreau.contacts import check_shapes_apart

        check_shapes_apart(model, begin, state, values)
    return state, list(told)
