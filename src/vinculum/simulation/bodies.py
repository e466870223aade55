"""Runs of bodies: prepare, choose a method, pose the problem, run."""

from collections.abc import Mapping

import numpy as np

from vinculum.errors import MethodError, StartError, shorten
from vinculum.integrators.event_driven.given_impulses import check_instants
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model_cache import model_for, stepping_model_for
from vinculum.models.shapes.shape_gaps import with_gaps, with_gaps_of_corners
from vinculum.motion.arguments import named_values, whole_span
from vinculum.motion.motion import Motion
from vinculum.simulation.by_type import RUNS, Prepared
from vinculum.simulation.chosen_method import is_event_driven, takes_plain_steps
from vinculum.simulation.options import Options
from vinculum.systems import System, start_parameters, start_state


def motion_of_bodies(system, options: Options) -> Motion:
    """The motion of a `System`. A run from event to event follows the gaps of its shapes."""
    if isinstance(system, System) and system.contacts:
        system = with_gaps_of_corners(system)
    if isinstance(system, System) and system.contacts and is_event_driven(options.method):
        system = with_gaps(system)
    prepared = prepare(system, options)
    of_type = RUNS.of(prepared.model)
    prepared = of_type.check_start(prepared, options)
    method = of_type.method(prepared, options)
    instants = of_type.instants(prepared, method, options)
    problem, told = of_type.problem(prepared, method, options)
    return of_type.run(prepared, problem, instants, options, [*prepared.log, *told])


def prepare(system, options: Options) -> Prepared:
    """Model, parameters, events and start of a run, as they are given."""
    model = stepping_model_for(system) if takes_plain_steps(options) else model_for(system)
    begin, until = whole_span(options.begin, options.until)
    if model.tree is None:
        raise StartError(f"'{model.name}' is a loaded run; simulate needs the System it came from")
    if options.thorough not in (None, True, False):
        raise MethodError(f"thorough {shorten(options.thorough)} must be True, False or None")
    check_instants(model, begin, until)
    given = named_values(options.parameters)
    watched = RUNS.of(model).watch(model, options, given)
    own = watched.own | (start_parameters(options.start) if given and isinstance(options.start, Mapping) else set())
    values = model.parameter_values({name: x for name, x in given.items() if name not in own - set(model.parameters)})
    named = dict(zip(model.parameter_names, values.tolist(), strict=True))
    q, v = start_state(model.tree, options.start, given | named)
    return Prepared(system, model, begin, until, np.concatenate([q, v]), values, given, visible(named), watched)
