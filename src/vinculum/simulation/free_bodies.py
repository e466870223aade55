"""A run of free bodies that meet."""

import numpy as np

from vinculum.errors import MethodError, shortened
from vinculum.integrators.free_bodies.steps import pile_grid, pile_method, started_apart
from vinculum.models.model import Model
from vinculum.motion.arguments import grid_instants
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.simulation.runs import run


def pile_run(
    model: Model, begin, until, state, method, tolerance, step, grid, events, out, progress, resolve, impacts, theta
) -> Motion:
    """The motion of a pile from a state, its options checked."""
    if impacts not in (None, "stepped"):
        raise MethodError(
            f"impacts {shortened(impacts)}: those of '{model.name}' are not located, as its bodies meet; leave it out"
        )
    if theta is not None:
        raise MethodError(
            f"theta {shortened(theta)}: free bodies under gravity, as those of '{model.name}', have no forces to take elsewhere; "
            "leave it out"
        )
    if events:
        raise MethodError(
            f"events of '{model.name}' are not looked for, as its bodies meet in a compiled loop; leave events out"
        )
    chosen = pile_method(model, method, tolerance, step, until - begin, max(abs(begin), abs(until)))
    instants = pile_grid(model, chosen, begin, until) if grid is None else grid_instants(grid, begin, until)
    state, log = started_apart(model, state, resolve)
    return run(Problem(model, chosen, begin, until, state, np.zeros(0)), instants, {}, out, progress, log)
