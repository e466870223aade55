"""Runs of blocks in contact."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.errors import MethodError, shorten
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.model import Model
from vinculum.models.tabled.starts import check_bonds
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.arguments import grid_instants
from vinculum.motion.method import Method
from vinculum.motion.problem import Problem
from vinculum.simulation.by_type import Prepared
from vinculum.simulation.contact_step import contact_step, told_step
from vinculum.simulation.looped import LoopedRun
from vinculum.simulation.options import Options


@final
class BlocksInContactRun(LoopedRun):
    """Time stepping over tables."""

    def check_start(self, prepared: Prepared, options: Options) -> Prepared:
        name = prepared.model.name
        if options.impacts not in (None, "stepped"):
            raise MethodError(
                f"impacts {shorten(options.impacts)}: those of '{name}' are not located, as its bodies meet; leave it out"
            )
        if options.theta is not None:
            raise MethodError(
                f"theta {shorten(options.theta)}: steps of many blocks in contact, as those of '{name}', take forces in their middle; "
                "leave it out"
            )
        prepared = super().check_start(prepared, options)
        row = np.concatenate([prepared.state, [prepared.begin], prepared.values])[None]
        check_bonds(prepared.model, tabled_in(prepared.model), row)
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
        if options.grid is not None:
            return grid_instants(options.grid, prepared.begin, prepared.until)
        from vinculum.integrators.free_bodies.steps import free_bodies_grid

        return free_bodies_grid(prepared.model, method, prepared.begin, prepared.until)

    def problem(self, prepared: Prepared, method: Method, options: Options) -> tuple[Problem, list[str]]:
        from vinculum.integrators.blocks_in_contact.steps import apart_at_start

        problem, log = super().problem(prepared, method, options)
        state, told = apart_at_start(prepared.model, prepared.state, prepared.begin, prepared.values, options.resolve)
        if options.step is None and method.step is not None:
            told = [*told, told_step(method.step)]
        return replace(problem, state=state), [*log, *told]


def _chosen_step(prepared: Prepared) -> float:
    """The step from the smallest shape and the fastest start."""
    shapes, model = block_shapes_of(prepared.model), prepared.model
    row = np.concatenate([prepared.state, [prepared.begin], prepared.values])[None]
    found = evaluate_groups(model.tape("bodies"), row)
    bodies, reaches = list(model.layout.bodies), shapes.reaches[: shapes.moving]
    speeds = [
        float(
            np.linalg.norm(found[f"{bodies[i]}/velocity"])
            + reach * np.linalg.norm(found[f"{bodies[i]}/angular_velocity"])
        )
        for i, reach in zip(shapes.bodies, reaches, strict=True)
    ]
    return contact_step(prepared, float(reaches.min()), max(speeds))
