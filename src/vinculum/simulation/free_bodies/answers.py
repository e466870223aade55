"""Runs of free bodies in contact."""

from collections.abc import Mapping
from typing import final

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.errors import MethodError, shorten
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model import Model
from vinculum.motion.arguments import grid_instants
from vinculum.motion.method import Method
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.simulation.by_type import Prepared, RunOfType, Watched
from vinculum.simulation.contact_step import contact_step, told_step
from vinculum.simulation.options import Options
from vinculum.simulation.runs import run


@final
class FreeBodiesRun(RunOfType):
    """Time stepping in a compiled loop, without events."""

    def watch(self, model: Model, options: Options, given: Mapping[str, float]) -> Watched:
        return Watched()

    def check_start(self, prepared: Prepared, options: Options) -> Prepared:
        name = prepared.model.name
        if options.impacts not in (None, "stepped"):
            raise MethodError(
                f"impacts {shorten(options.impacts)}: those of '{name}' are not located, as its bodies meet; leave it out"
            )
        if options.theta is not None:
            raise MethodError(
                f"theta {shorten(options.theta)}: free bodies under gravity, as those of '{name}', have no forces to take elsewhere; "
                "leave it out"
            )
        if options.events:
            raise MethodError(
                f"events of '{name}' are not looked for, as its bodies run in a compiled loop; leave events out"
            )
        return prepared

    def default_method(self, model: Model, watched: Tape | None) -> str:
        return "moreau"

    def check_method(self, model: Model, name: str) -> None:
        if name not in ("auto", "moreau"):
            raise MethodError(
                f"method {shorten(name)} does not support contact, which '{model.name}' has; use method='moreau' with a step"
            )

    def method(self, prepared: Prepared, options: Options) -> Method:
        from vinculum.integrators.free_bodies.steps import free_bodies_method

        self.check_method(prepared.model, options.method)
        step = _chosen_step(prepared) if options.step is None else options.step
        return free_bodies_method(options.tolerance, step, prepared.span, prepared.latest)

    def instants(self, prepared: Prepared, method: Method, options: Options) -> np.ndarray:
        begin, until = prepared.begin, prepared.until
        if options.grid is None:
            from vinculum.integrators.free_bodies.steps import free_bodies_grid

            return free_bodies_grid(prepared.model, method, begin, until)
        return grid_instants(options.grid, begin, until)

    def problem(self, prepared: Prepared, method: Method, options: Options) -> tuple[Problem, list[str]]:
        from vinculum.integrators.free_bodies.steps import started_apart

        state, log = started_apart(prepared.model, prepared.state, options.resolve)
        if options.step is None and method.step is not None:
            log = [*log, told_step(method.step)]
        return Problem(prepared.model, method, prepared.begin, prepared.until, state, np.zeros(0)), log

    def run(
        self, prepared: Prepared, problem: Problem, instants: np.ndarray, options: Options, log: list[str]
    ) -> Motion:
        return run(problem, instants, {}, options.out, options.progress, log)


def _chosen_step(prepared: Prepared) -> float:
    """The step from the smallest body and the fastest start."""
    bodies = free_bodies_of(prepared.model)
    reaches, v = bodies.reaches[: bodies.count], prepared.state[prepared.model.nq :].reshape(bodies.count, 6)
    speeds = np.linalg.norm(v[:, :3], axis=1) + reaches * np.linalg.norm(v[:, 3:], axis=1)
    return contact_step(prepared, float(reaches.min()), float(speeds.max()))
