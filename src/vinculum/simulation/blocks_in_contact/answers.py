"""Runs of blocks in contact."""

from collections.abc import Mapping
from dataclasses import replace
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.starts.checks import check_paths
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.model import Model
from vinculum.models.tabled.starts import check_bonds
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.method import Method
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.simulation.by_type import Prepared, Watched
from vinculum.simulation.contact_run import ContactRun, check_contact_options, told_impacts
from vinculum.simulation.contact_step import contact_step, told_step
from vinculum.simulation.options import Options
from vinculum.simulation.runs import run
from vinculum.simulation.tabled.condition_starts import on_conditions
from vinculum.simulation.tabled.problems import checked_problem, watched_events


@final
class BlocksInContactRun(ContactRun):
    """Time stepping over tables."""

    def watch(self, model: Model, options: Options, given: Mapping[str, float]) -> Watched:
        return watched_events(model, options, given)

    def check_start(self, prepared: Prepared, options: Options) -> Prepared:
        name = prepared.model.name
        forces = f"steps of many blocks in contact, as those of '{name}', take forces in their middle"
        check_contact_options(options, forces)
        check_paths(prepared.model, prepared.begin, prepared.values)
        if tabled_in(prepared.model).conditions:
            prepared = on_conditions(prepared, options)
        row = np.concatenate([prepared.state, [prepared.begin], prepared.values])[None]
        check_bonds(prepared.model, tabled_in(prepared.model), row)
        return prepared

    def locates_unasked(self, model: Model) -> bool:
        return False

    def chosen_step(self, prepared: Prepared) -> float:
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

    def problem(self, prepared: Prepared, method: Method, options: Options) -> tuple[Problem, list[str]]:
        from vinculum.integrators.blocks_in_contact.steps import apart_at_start

        problem = checked_problem(prepared, method, options)
        state, told = apart_at_start(prepared.model, prepared.state, prepared.begin, prepared.values, options.resolve)
        told = [*told, *told_impacts(method, options)]
        if options.step is None and method.step is not None:
            told = [*told, told_step(method.step)]
        return replace(problem, state=state), told

    def run(
        self, prepared: Prepared, problem: Problem, instants: np.ndarray, options: Options, log: list[str]
    ) -> Motion:
        return run(problem, instants, prepared.named, options.out, options.progress, log)
