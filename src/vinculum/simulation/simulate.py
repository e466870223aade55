"""`simulate`: a system's motion from a start to an end."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.derivations.starts.checks import check_paths, check_regular
from vinculum.derivations.starts.constraint_starts import check_constraints, check_efforts, check_multipliers, meets_all
from vinculum.errors import MethodError, StartError, shortened
from vinculum.integrators.event_driven.given_impulses import check_instants
from vinculum.integrators.sources import steps_of
from vinculum.integrators.watch.encounters import check_actions
from vinculum.integrators.watch.table_ends import check_start
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.kept import model_for
from vinculum.models.model import Model
from vinculum.motion.arguments import grid_instants, named_values, step_ends, whole_span
from vinculum.motion.events import event_tape
from vinculum.motion.lagrangian.motion import LagrangianMotion
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.simulation.chosen_method import by_dop853, chosen_method, method_that_can_run, with_impacts, with_theta
from vinculum.simulation.closed_starts import closed_start
from vinculum.simulation.multipliers.rules import with_found_multipliers
from vinculum.simulation.runs import NoSeriesError, run
from vinculum.systems import Event, System, start_parameters, start_state
from vinculum.tolerances.samples import DEFAULT_GRID
from vinculum.tolerances.sizes import ROOM_OF_TRIALS


@overload
def simulate(
    system: LagrangianSystem, until: float, start: Any = None, *, begin: float = 0.0,
    parameters: Mapping[str, float] | None = None, method: str = "auto", tolerance: float | None = None,
    max_step: float | None = None, grid: Any = None, progress: bool = True, thorough: bool | None = None,
    repair: bool = False,
) -> LagrangianMotion: ...  # fmt: skip


@overload
def simulate(
    system: System | Model, until: float, start: Mapping[str, object] | None = None, *, begin: float = 0.0,
    parameters: Mapping[str, float] | None = None, method: str = "auto", tolerance: float | None = None,
    step: float | None = None, max_step: float | None = None, grid: Any = None,
    events: Sequence[Event] | Event | None = (), out: Any = None, progress: bool = True, thorough: bool | None = None,
    repair: bool = False, resolve: bool = False, impacts: str | None = None, theta: float | None = None,
) -> Motion: ...  # fmt: skip


def simulate(
    system,
    until: float,
    start: Any = None,
    *,
    begin: float = 0.0,
    parameters: Mapping[str, float] | None = None,
    method: str = "auto",
    tolerance: float | None = None,
    step: float | None = None,
    max_step: float | None = None,
    grid=None,
    events: Sequence[Event] | Event | None = (),
    out=None,
    progress: bool = True,
    thorough: bool | None = None,
    repair: bool = False,
    resolve: bool = False,
    impacts: str | None = None,
    theta: float | None = None,
) -> Motion | LagrangianMotion:
    """The motion of ``system`` from ``begin`` to ``until`` [s].

    ``start`` maps joints and free bodies to a position or `At`. ``method``: "auto", "taylor" (machine precision), "series"
    (the same without heyoka, for smooth forces), "dop853", "idas" (implicit, for stiff forces), "rk4", "verlet", "midpoint"; the last
    three need ``step`` [s].
    ``max_step`` [s] keeps the adaptive ones from passing over something short, such as a brief pulse (1/500 of the run by
    default if a drive looks at t or a body is prescribed). ``grid``: a number of instants or the instants themselves (1001 by
    default; of method "moreau" ends of steps, at most 1001). ``out``: a zarr folder to stream very long runs to.
    ``thorough``: True lets the Taylor engine compile for some seconds to run about twice as fast, False never; by default it does where
    the run is long enough.
    ``repair``: True moves a start that violates constraints as little as possible, with a remark for every change in the motion's log
    and a warning where it changes what was given.
    ``resolve``: True moves what starts in penetration apart, with a remark. Bodies that meet (`Contact`) run by method
    "moreau" with a ``step``; its ``tolerance`` is the residual that the impulses of every step must reach, also those of unilateral
    constraints.
    ``impacts`` of method "moreau": "located" (the default) cuts a step where a gap closes swiftly and lets the impact happen there, so that
    motions between impacts are of the second order; "stepped" takes every impulse as one of its whole step, the first order.
    ``theta`` of method "moreau": where in a step forces are taken, from 1/2 (the default: the middle, which damps nothing) to 1 (the end,
    which damps what swings fast, at the first order).
    A `LagrangianSystem` starts from ``(q, v)`` or a mapping of its coordinates, and its motion is a `LagrangianMotion`.
    Ctrl-C returns what was computed; a run that fails raises `RunError`, whose ``motion`` holds it.
    """  # fmt: skip
    if repair not in (True, False):
        raise MethodError(f"repair {shortened(repair)} must be True or False")
    if not isinstance(resolve, bool):
        raise MethodError(f"resolve {shortened(resolve)} must be True or False")
    if isinstance(system, LagrangianSystem):
        for name, given in (("impacts", impacts), ("theta", theta)):
            if given is not None:
                raise MethodError(
                    f"{name} {shortened(given)} is of method='moreau', which Lagrangian systems do not have; leave it out"
                )
        return _lagrangian(system, until, start, step, events, out, begin=begin, parameters=parameters, method=method,
                           tolerance=tolerance, max_step=max_step, grid=grid, progress=progress, thorough=thorough,
                           repair=repair)  # fmt: skip
    model = model_for(system)
    begin, until = whole_span(begin, until)
    if model.tree is None:
        raise StartError(f"'{model.name}' is a loaded run; simulate needs the System it came from")
    if thorough not in (None, True, False):
        raise MethodError(f"thorough {shortened(thorough)} must be True, False or None")
    check_instants(model, begin, until)
    given = named_values(parameters)
    events = _events(events)
    watched, own, shown = event_tape(model, events, given) if model.pile is None else (None, set(), frozenset())
    if given and isinstance(start, Mapping):
        own |= start_parameters(start)
    values = model.parameter_values({name: x for name, x in given.items() if name not in own - set(model.parameters)})
    named = dict(zip(model.parameter_names, values.tolist(), strict=True))
    q, v = start_state(model.tree, start, given | named)
    log: list[str] = []
    if model.pile is not None:
        from vinculum.simulation.free_bodies import pile_run

        return pile_run(model, begin, until, np.concatenate([q, v]), method, tolerance, step, grid, events, out, progress, resolve,
                        impacts, theta)  # fmt: skip
    if resolve and not model.is_bounded:
        raise MethodError(f"resolve=True moves what meets apart, and nothing of '{model.name}' meets; leave it out")
    check_paths(model, begin, values)
    if model.tree.is_conditioned:
        described, described_values = model, values
        met = meets_all(model, np.concatenate([q, v]), begin, values)
        if not repair and not met:
            check_constraints(model, q, v, begin, values)
        model, q, v, values, log = closed_start(model, q, v, values, start or {}, begin, met, repair)
        check_multipliers(model, q, v, begin, values)
        check_efforts(described, q, v, begin, described_values)
        watched, _, shown = event_tape(model, events, given) if events else (None, own, shown)
    elif model.swarm is None:
        check_regular(model, q, values)
    state = np.concatenate([q, v])
    if model.swarm is None:
        check_actions(model, state, begin, values)
    chosen = chosen_method(
        model, method, tolerance, step, max_step, until - begin, max(abs(begin), abs(until)), watched
    )
    chosen = with_theta(with_impacts(chosen, impacts, model), theta, model)
    usual = DEFAULT_GRID
    if model.swarm is not None:
        from vinculum.integrators.pair_loop.steps import check_grid, largest_grid

        usual = min(DEFAULT_GRID, largest_grid(model))
    if (
        grid is None and chosen.claims.name == "moreau" and chosen.step is not None
    ):  # what rests is at rest between steps, not within
        instants = step_ends(begin, until, chosen.step, DEFAULT_GRID)
    else:
        instants = grid_instants(usual if grid is None else grid, begin, until)
    if model.swarm is not None:
        check_grid(model, instants)
    if resolve and model.is_bounded:
        from vinculum.simulation.moved_apart import moved_apart

        state, told = moved_apart(model, begin, state, values)
        log = [*log, *told]
    if model.layout.unilaterals:
        from vinculum.integrators.event_driven.touching import check_apart

        check_apart(model, begin, state, values)
    if model.shapes is not None:
        from vinculum.integrators.moreau.contacts import check_shapes_apart

        check_shapes_apart(model, begin, state, values)
    shown_values = visible(named)
    problem = Problem(model, chosen, begin, until, state, values, events, watched, shown, thorough)
    check_start(problem)
    chosen, remarks = method_that_can_run(model, chosen, problem.row(state, begin), until - begin)
    if remarks:
        problem = replace(problem, method=chosen)
    problem, found = with_found_multipliers(
        problem, lambda one, at: run(one, at, shown_values, None, False, [], room=ROOM_OF_TRIALS)
    )
    remarks = [*found, *remarks]
    if model.layout.unilaterals and chosen.claims.name != "moreau":
        from vinculum.integrators.event_driven.event_driven import event_driven_steps

        return run(problem, instants, shown_values, out, progress, [*log, *remarks],
                   lambda problem, limits: event_driven_steps(system, problem, given, steps_of))  # fmt: skip
    try:
        return run(problem, instants, shown_values, out, progress, [*log, *remarks])
    except NoSeriesError:
        told = "the motion has no finite Taylor series at the start (a root of zero there, or numbers out of range)"
        problem = replace(problem, method=by_dop853(chosen))
        return run(problem, instants, shown_values, out, progress, [*log, *remarks, f"{told}: dop853 ran instead"])


def _lagrangian(system: LagrangianSystem, until, start, step, events, out, **options) -> LagrangianMotion:
    from vinculum.simulation.lagrangian.runs import lagrangian_run

    if step is not None:
        raise MethodError(f"'{system.name}' is a Lagrangian system, whose runs have no step=; leave it out")
    return lagrangian_run(system, until, start, events=_events(events), out=out, **options)


def _events(given) -> tuple[Event, ...]:
    listed = (given,) if isinstance(given, Event) else () if given is None else given
    if not isinstance(listed, (list, tuple)) or not all(isinstance(event, Event) for event in listed):
        raise StartError(f"events is {shortened(given)} and must be a list of vc.Event objects, or None")
    return tuple(listed)
