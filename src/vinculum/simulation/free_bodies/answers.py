"""Runs of free bodies in contact."""

from collections.abc import Mapping
from typing import final

import numpy as np

from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model import Model
from vinculum.motion.method import Method
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.simulation.by_type import Prepared, Watched
from vinculum.simulation.contact_run import ContactRun, check_contact_options, told_impacts
from vinculum.simulation.contact_step import contact_step, told_step
from vinculum.simulation.options import Options
from vinculum.simulation.runs import run
from vinculum.simulation.tabled.problems import watched_events
from vinculum.tolerances.time_stepping import LOCATED_BODIES


@final
class FreeBodiesRun(ContactRun):
    """Time stepping in a compiled loop."""

    def watch(self, model: Model, options: Options, given: Mapping[str, float]) -> Watched:
        return watched_events(model, options, given)

    def check_start(self, prepared: Prepared, options: Options) -> Prepared:
        name = prepared.model.name
        forces = f"free bodies under gravity, as those of '{name}', have no forces to take elsewhere"
        check_contact_options(options, forces)
        return prepared

    def problem(self, prepared: Prepared, method: Method, options: Options) -> tuple[Problem, list[str]]:
        from vinculum.integrators.free_bodies.steps import started_apart

        state, log = started_apart(prepared.model, prepared.state, options.resolve)
        count = len(prepared.model.layout.bodies)
        log = [*log, *told_impacts(method, options, f", as {count} bodies hit each other often")]
        if options.step is None and method.step is not None:
            log = [*log, told_step(method.step)]
        watched = prepared.watched
        return Problem(prepared.model, method, prepared.begin, prepared.until, state, prepared.values, options.events, watched.tape,
                       watched.shown), log  # fmt: skip

    def run(
        self, prepared: Prepared, problem: Problem, instants: np.ndarray, options: Options, log: list[str]
    ) -> Motion:
        return run(problem, instants, prepared.named, options.out, options.progress, log)

    def locates_unasked(self, model: Model) -> bool:
        return len(model.layout.bodies) <= LOCATED_BODIES

    def chosen_step(self, prepared: Prepared) -> float:
        bodies = free_bodies_of(prepared.model)
        reaches, v = bodies.reaches[: bodies.count], prepared.state[prepared.model.nq :].reshape(bodies.count, 6)
        speeds = np.linalg.norm(v[:, :3], axis=1) + reaches * np.linalg.norm(v[:, 3:], axis=1)
        return contact_step(prepared, float(reaches.min()), float(speeds.max()))
