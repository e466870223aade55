"""`simulate`: a system's motion from a start to an end."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from vinculum.derivations.assembly import Assembly, assembled
from vinculum.derivations.checks import check_paths, check_regular
from vinculum.derivations.constraint_starts import check_constraints, check_efforts, check_multipliers, meets_all
from vinculum.derivations.lagrangian_system import LagrangianSystem
from vinculum.derivations.mobility import mobility_of
from vinculum.errors import MethodError, RunError, StartError
from vinculum.kernels import arrays
from vinculum.kernels.closed_loops import visible
from vinculum.kernels.model import Model
from vinculum.kernels.models import model_for
from vinculum.motion.arguments import grid_instants, named_values, reached, whole_span
from vinculum.motion.atoms import Atoms
from vinculum.motion.blows import check_instants, with_blows
from vinculum.motion.chosen_method import by_dop853, chosen_method, method_that_can_run, with_impacts, with_theta
from vinculum.motion.encounters import check_actions, nearest_bodies
from vinculum.motion.events import event_tape
from vinculum.motion.lagrangian_motion import LagrangianMotion
from vinculum.motion.limits import LimitWatch
from vinculum.motion.loops import end_state
from vinculum.motion.motion import Motion
from vinculum.motion.multiplier_rules import with_found_multipliers
from vinculum.motion.passages import with_passages
from vinculum.motion.phases import Phase
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.motion.progress import Progress
from vinculum.motion.sinks import LARGEST, MemorySink
from vinculum.motion.solves import Solves
from vinculum.motion.stalls import crawling
from vinculum.motion.table_ends import check_start, with_watched_tables
from vinculum.motion.troubled_conditions import dependent_ones, last_state, rows_without_slope
from vinculum.screws.entries import shortened
from vinculum.systems import Event, System, named_in_start, start_parameters, start_state

DEFAULT_GRID = 1001
ROOM_OF_TRIALS = 2**25
"""Bytes of steps after which a run that only tries multipliers is given up."""


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
    default). ``out``: a zarr folder to stream very long runs to. ``thorough``: True lets the Taylor engine compile for some
    seconds to run about twice as fast, False never; by default it does where the run is long enough.
    ``repair``: True moves a start that violates constraints as little as possible, with a remark in the motion's log.
    ``resolve``: True moves what starts in penetration apart, with a remark. Bodies that meet (`Contact`) run by method
    "moreau" with a ``step``; ``tolerance`` is then the residual that the impulses of every step must reach.
    ``impacts`` of method "moreau": "located" (the default) cuts a step where a gap closes swiftly and lets the shock happen there, so that
    motions between shocks are of the second order; "stepped" takes every impulse as one of its whole step, the first order.
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
        if impacts not in (None, "stepped"):
            raise MethodError(
                f"impacts {shortened(impacts)}: those of '{model.name}' are not located, as its bodies meet; leave it out"
            )
        if theta is not None:
            raise MethodError(
                f"theta {shortened(theta)}: free bodies under gravity, as those of '{model.name}', have no forces to take elsewhere; "
                "leave it out"
            )
        return _pile_run(
            model, begin, until, np.concatenate([q, v]), method, tolerance, step, grid, events, out, progress, resolve
        )
    check_paths(model, begin, values)
    if model.tree.is_conditioned:
        described, described_values = model, values
        met = meets_all(model, np.concatenate([q, v]), begin, values)
        if not repair and not met:
            check_constraints(model, q, v, begin, values)
        model, q, v, values, log = _closed(model, q, v, values, start or {}, begin, met)
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
        from vinculum.motion.swarm import check_grid, largest_grid

        usual = min(DEFAULT_GRID, largest_grid(model))
    instants = grid_instants(usual if grid is None else grid, begin, until)
    if model.swarm is not None:
        check_grid(model, instants)
    if resolve and model.is_bounded:
        from vinculum.motion.moved_apart import moved_apart

        state, told = moved_apart(model, begin, state, values)
        log = [*log, *told]
    if model.layout["boundaries"]:
        from vinculum.motion.touching import check_apart

        check_apart(model, begin, state, values)
    if model.shapes is not None:
        from vinculum.motion.tree_contacts import check_shapes_apart

        check_shapes_apart(model, begin, state, values)
    shown_values = visible(named)
    problem = Problem(model, chosen, begin, until, state, values, events, watched, shown, thorough)
    check_start(problem)
    chosen, remarks = method_that_can_run(model, chosen, problem.row(state, begin), until - begin)
    if remarks:
        problem = replace(problem, method=chosen)
    problem, found = with_found_multipliers(
        problem, lambda one, at: _run(one, at, shown_values, None, False, [], room=ROOM_OF_TRIALS)
    )
    remarks = [*found, *remarks]
    if model.layout["boundaries"] and chosen.claims.name != "moreau":
        from vinculum.motion.event_driven import event_driven_steps

        return _run(problem, instants, shown_values, out, progress, [*log, *remarks],
                    lambda problem, limits: event_driven_steps(system, problem, given, _steps))  # fmt: skip
    try:
        return _run(problem, instants, shown_values, out, progress, [*log, *remarks])
    except _NoSeriesError:
        told = "the motion has no finite Taylor series at the start (a root of zero there, or numbers out of range)"
        problem = replace(problem, method=by_dop853(chosen))
        return _run(problem, instants, shown_values, out, progress, [*log, *remarks, f"{told}: dop853 ran instead"])


def _lagrangian(system: LagrangianSystem, until, start, step, events, out, **options) -> LagrangianMotion:
    from vinculum.motion.lagrangian_runs import lagrangian_run

    if step is not None:
        raise MethodError(f"'{system.name}' is a Lagrangian system, whose runs have no step=; leave it out")
    return lagrangian_run(system, until, start, events=_events(events), out=out, **options)


def _pile_run(
    model: Model, begin, until, state, method, tolerance, step, grid, events, out, progress, resolve
) -> Motion:
    from vinculum.motion.pile import pile_grid, pile_method, started_apart

    if events:
        raise MethodError(
            f"events of '{model.name}' are not looked for, as its bodies meet in a compiled loop; leave events out"
        )
    chosen = pile_method(model, method, tolerance, step, until - begin, max(abs(begin), abs(until)))
    instants = pile_grid(model, chosen, begin, until) if grid is None else grid_instants(grid, begin, until)
    state, log = started_apart(model, state, resolve)
    return _run(Problem(model, chosen, begin, until, state, np.zeros(0)), instants, {}, out, progress, log)


def _closed(model: Model, q, v, values, start: Mapping[str, object], begin: float, met: bool) -> tuple:
    """The model of the branch on which the start lies once its loops are closed, its state and parameters, and remarks."""
    made = assembled(model, q, v, values, *named_in_start(start), t=begin, met=met)
    if made.singular:
        who = dependent_ones(made.model, np.concatenate([made.q, made.v]), begin, made.values)
        raise StartError(
            f"system '{model.name}': the start {(np.round(made.q, 6) + 0.0).tolist()} of {model.layout['q_names']} is a singular position, "
            f"where {who} leave{'s' * who.startswith('the constraint ')} more freedoms than nearby and the motion is not determined; start "
            "a little away from it"
        )
    return made.model, made.q, made.v, made.values, [*made.log, *_remarks(model, made, values, begin)]


def _remarks(model: Model, made: Assembly, values, begin: float) -> list[str]:
    """What is to be said about gaps that follow from others, if there are such."""
    layout = made.model.layout
    if layout["rank"] == len(layout["gaps"]):
        return []
    found = mobility_of(model, made, values, begin)
    return [f"{found.subject}: {line}" for line in str(found).splitlines()] if found.redundant else []


def _smooth(problem: Problem, limits: LimitWatch) -> StepSource:
    if problem.model.layout["impulses"]:
        return with_blows(problem, lambda part: with_passages(part, _steps, limits))
    return with_passages(problem, _steps, limits)


def _run(
    problem: Problem, instants, named, out, progress: bool, log: list[str], source=_smooth, room: int = LARGEST
) -> Motion:
    if out is None:
        sink = MemorySink(room)
    else:
        from vinculum.motion.storage import StreamSink

        sink = StreamSink(out, problem, named, instants)
    limits = LimitWatch(problem)
    limits.check_start()
    touches = None
    if problem.model.layout.get("boundaries"):
        from vinculum.motion.gap_touches import GapTouches

        touches = GapTouches(problem)
    atoms: list[Atoms] = []
    phases: list[Phase] = []
    solves: list[Solves] = []
    crossings, changes, count, failure, stopped, interrupted, unexpanded = [], [], 0, None, False, False, False
    last: tuple[float, Steps | None] = problem.begin, None
    with sink, Progress(problem.begin, problem.until, progress) as bar:
        try:
            for chunk in source(problem, limits):
                broken = chunk.failure
                chunk = with_watched_tables(problem, chunk)
                chunk = chunk if touches is None else touches.checked(chunk)
                crossings += chunk.crossings
                if chunk.change is not None:
                    chunk = replace(chunk, change=replace(chunk.change, step=count))
                    changes.append(chunk.change)
                count += len(chunk.coefficients)
                sink.append(chunk)
                log += chunk.log
                atoms += [chunk.atoms] if chunk.atoms is not None else []
                phases += [replace(chunk.phase, step=count)] if chunk.phase is not None else []
                if chunk.solves is not None:
                    solves.append(chunk.solves if out is None else replace(chunk.solves, presses=None))
                last = (float(chunk.times[-1]), chunk) if len(chunk.coefficients) else last
                failure = chunk.failure or crawling(problem, count, last[0]) or sink.full
                stopped, unexpanded = chunk.stopped, not chunk.expanded
                if broken and chunk.failure == broken:
                    state = problem.state if last[1] is None else end_state(last[1])
                    failure += nearest_bodies(problem.model, state, last[0], problem.parameters)
                    length = float(chunk.times[-1] - chunk.times[-2]) if len(chunk.times) > 1 else 0.0
                    if not any(told in broken for told in ("singular position", "ever shorter", "keeps nothing")):
                        failure += rows_without_slope(problem.model, state, last[0], problem.parameters, length) or last_state(
                            problem.model, state, last[0])  # fmt: skip
                bar.update(float(chunk.times[-1]))
                if failure:
                    break
        except KeyboardInterrupt:
            log.append(f"interrupted by the user at t = {sink.end(problem.begin):.9g} s")
            interrupted = True
            if sink.empty:
                raise
        if failure:
            log.append(failure)
        if sink.empty and unexpanded and np.all(np.isfinite(_rates(problem))):
            raise _NoSeriesError
        if sink.empty:
            raise RunError(f"the run of '{problem.model.name}' could not start: {failure}")
        pieces = sink.pieces(crossings, log)
        solved = Solves.joined(solves)
        if solved is not None and out is not None and problem.model.pile is not None:
            solved = replace(solved, presses=sink.presses())
    inside = reached(instants, pieces.begin, pieces.end) if failure or stopped or interrupted else instants
    motion = Motion(
        problem.model,
        pieces,
        inside,
        problem.method,
        named,
        tuple(crossings),
        tuple(log),
        interrupted,
        tuple(changes),
        Atoms.joined(atoms),
        tuple(phases),
        solved,
    )
    exceeded = motion.servo_excess()
    if exceeded:
        motion = replace(motion, log=(*log, *map(str, exceeded)))
    if failure:
        raise RunError(
            f"the run of '{problem.model.name}' stopped: {failure}; what was computed until "
            f"t = {pieces.end:.9g} s is in the error's `motion`",
            motion,
        )
    return motion


def _steps(problem: Problem) -> StepSource:
    name = problem.method.claims.name
    if problem.model.nq == 0:
        from vinculum.motion.rest import rest_steps

        return rest_steps(problem)
    if problem.model.pile is not None:
        from vinculum.motion.pile import pile_steps

        return pile_steps(problem)
    if problem.model.swarm is not None:
        from vinculum.motion.swarm import swarm_steps

        return swarm_steps(problem)
    if name == "taylor":
        from vinculum.motion.taylor import taylor_steps

        return taylor_steps(problem)
    if name == "series":
        from vinculum.motion.series import series_steps

        return series_steps(problem)
    if name == "idas":
        from vinculum.motion.idas import idas_steps

        return idas_steps(problem)
    if name == "dop853":
        from vinculum.motion.dop853 import dop853_steps

        return dop853_steps(problem)
    if name == "moreau":
        from vinculum.motion.moreau import moreau_steps

        return moreau_steps(problem)
    from vinculum.motion.fixed_step import fixed_steps

    return fixed_steps(problem)


def _rates(problem: Problem) -> np.ndarray:
    return arrays.evaluate(problem.tape, problem.rows(problem.state[None], np.array([problem.begin])))


class _NoSeriesError(Exception):
    """A start that has rates but no finite Taylor series."""


def _events(given) -> tuple[Event, ...]:
    listed = (given,) if isinstance(given, Event) else () if given is None else given
    if not isinstance(listed, (list, tuple)) or not all(isinstance(event, Event) for event in listed):
        raise StartError(f"events is {shortened(given)} and must be a list of vc.Event objects, or None")
    return tuple(listed)
