"""Runs of Lagrangian systems."""

from dataclasses import replace

import numpy as np

from vinculum.compile.engines import has_heyoka
from vinculum.compile.tape import Tape
from vinculum.derivations.lagrangian.numbers import LagrangianNumbers
from vinculum.derivations.lagrangian.redundancy import without_redundant_rows
from vinculum.derivations.lagrangian.start import lagrangian_state
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.equations.lagrangian.first_order_form import DECAY
from vinculum.errors import MethodError, RunError, did_you_mean
from vinculum.integrators.by_type import STEPS
from vinculum.integrators.table import INTEGRATORS
from vinculum.integrators.watch.loops import cut
from vinculum.integrators.watch.stalls import StallWatch
from vinculum.integrators.watch.troubled_conditions import state_told
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model import Model
from vinculum.motion.arguments import grid_instants, named_values, reached_instants, whole_span
from vinculum.motion.lagrangian.models import event_parameters, lagrangian_events, lagrangian_model
from vinculum.motion.lagrangian.motion import LagrangianMotion
from vinculum.motion.lagrangian.record import LagrangianRecord
from vinculum.motion.method import Method
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps
from vinculum.motion.progress import Progress
from vinculum.motion.storage.sinks import sink_of
from vinculum.screws.entries import is_number, shorten
from vinculum.simulation.chosen_method import NO_SERIES, by_dop853
from vinculum.simulation.lagrangian.shooting import reaching_state
from vinculum.simulation.options import Options
from vinculum.tolerances.constraints import DECAYS
from vinculum.tolerances.iterations import EVENT_HALVINGS
from vinculum.tolerances.samples import DEFAULT_GRID, FEWEST_STEPS, LOOKS_AT_SWITCHES

RUNNABLE = ("taylor", "dop853")


def lagrangian_run(system: LagrangianSystem, options: Options) -> LagrangianMotion:
    """The motion of a Lagrangian system."""
    for name, told in (("impacts", options.impacts), ("theta", options.theta)):
        if told is not None:
            raise MethodError(
                f"{name} {shorten(told)} is of method='moreau', which Lagrangian systems do not have; leave it out"
            )
    if options.step is not None:
        raise MethodError(f"'{system.name}' is a Lagrangian system, whose runs have no step=; leave it out")
    events, max_step = options.events, options.max_step
    begin, until = whole_span(options.begin, options.until)
    numbers, given = system.numbers, named_values(options.parameters)
    own = event_parameters(system, events)
    values = numbers.values({name: x for name, x in given.items() if name not in own})
    decay = DECAYS / (until - begin)
    values[sorted(numbers.parameters).index(DECAY)] = decay
    state, log = lagrangian_state(numbers, options.start, begin, values, options.repair)
    system, remarks = without_redundant_rows(system, state, begin, values)
    log = [*log, *remarks]
    if system.numbers is not numbers:
        named = dict(zip(sorted(numbers.parameters), values.tolist(), strict=True))
        numbers = system.numbers
        values = np.array([named[name] for name in sorted(numbers.parameters)])
    augmented = numbers.needs_augmenting(state, begin, values)
    instants = grid_instants(DEFAULT_GRID if options.grid is None else options.grid, begin, until)
    model = lagrangian_model(system, augmented, decay)
    if max_step is None and model.type.is_timed(model):
        max_step = (until - begin) / FEWEST_STEPS
    watched = lagrangian_events(system, events, given)
    chosen = _method(model, watched, options.method, options.tolerance, max_step)
    problem = Problem(model, chosen, begin, until, state, values, events, watched, thorough=options.thorough)
    found = reaching_state(system, problem, lambda one, at: _run(system, one, decay, at, [], False))
    if found is not None:
        problem, log = replace(problem, state=found[0]), [*log, found[1]]
    return _run(system, problem, decay, instants, log, options.progress, options.out)


def _run(
    system: LagrangianSystem,
    problem: Problem,
    decay: float,
    instants: np.ndarray,
    log: list[str],
    progress: bool,
    out=None,
) -> LagrangianMotion:
    """A run by whichever form of the equations can be solved at its start."""
    numbers, begin, until, values = system.numbers, problem.begin, problem.until, problem.parameters
    model = lagrangian_model(system, numbers.needs_augmenting(problem.state, begin, values), decay)
    problem = replace(problem, model=model)
    named = visible(dict(zip(sorted(numbers.parameters), values.tolist(), strict=True)))
    crossings, failure, interrupted, stall, lost, told = [], None, False, StallWatch(problem), None, list(log)
    with sink_of(out, problem, named, instants) as sink, Progress(begin, until, progress) as bar:
        try:
            for chunk in STEPS.of(problem.model).steps(problem):
                chunk = _determinate_steps(numbers, problem, chunk)
                crossings += [c for c in chunk.crossings if c.time <= chunk.times[-1]]
                sink.append(replace(chunk, crossings=[c for c in chunk.crossings if c.time <= chunk.times[-1]]))
                log += chunk.log
                failure = chunk.failure or stall.failure(chunk, sink.full)
                bar.update(float(chunk.times[-1]))
                lost = None if chunk.expanded else float(chunk.times[-1])
                if failure:
                    break
        except KeyboardInterrupt:
            log.append(f"interrupted by the user at t = {sink.end(begin):.9g}")
            interrupted = True
            if sink.empty:
                raise
        if lost is not None and (sink.empty or (out is None and problem.tape.is_piecewise())):
            told.append(NO_SERIES.format("the start" if lost == begin else f"t = {lost:.9g}"))
            again = replace(problem, method=by_dop853(problem.method))
            return _run(system, again, decay, instants, told, progress, out)
        if failure:
            log.append(failure)
        if sink.empty:
            raise RunError(f"the run of '{system.name}' could not start: {failure}")
        pieces = sink.pieces(crossings, log)
    inside = reached_instants(instants, pieces.begin, pieces.end) if pieces.end < instants[-1] else instants
    record = LagrangianRecord(
        model, pieces, inside, problem.method, named, tuple(crossings), tuple(log), interrupted, system
    )
    motion = LagrangianMotion(record)
    if failure:
        raise RunError(
            f"the run of '{system.name}' stopped: {failure}; what was computed until t = {pieces.end:.9g} is in the error's `motion`",
            motion,
        )
    return motion


def method_refusal(name: object) -> str | None:
    """Why a Lagrangian system has no method of this name, to follow the name in a message; None if there is one."""
    if isinstance(name, str) and name in ("auto", *RUNNABLE):
        return None
    hint = did_you_mean(name, ("auto", *RUNNABLE))
    return f" is not known for Lagrangian systems{hint}; use auto, taylor or dop853"


def _method(model: Model, watched: Tape | None, name, tolerance, max_step) -> Method:
    refused = method_refusal(name)
    if refused is not None:
        raise MethodError(f"method {shorten(name)}{refused}")
    if name == "auto":
        name = "taylor" if has_heyoka() else "dop853"
    integrator = INTEGRATORS[name]
    integrator.check(model, watched)
    low = integrator.least
    tolerance = integrator.tolerance if tolerance is None else tolerance
    if tolerance is None or not (is_number(tolerance) and low <= tolerance <= 1e-1):
        raise MethodError(f"tolerance {shorten(tolerance)} must lie between {low:.2g} and 0.1 for method '{name}'")
    if max_step is not None and not (is_number(max_step) and max_step > 0.0):
        raise MethodError(f"max_step {shorten(max_step)} must be a positive number")
    return Method(integrator.claims, tolerance=float(tolerance), max_step=max_step)


def _determinate_steps(numbers: LagrangianNumbers, problem: Problem, steps: Steps) -> Steps:
    """The steps until the bordered Hessian changes its sign: beyond it the motion is not determined."""
    if not len(steps.coefficients):
        return steps

    def signs(k: np.ndarray, local: np.ndarray) -> np.ndarray:
        rows = problem.rows(horner(steps.coefficients[k], local), steps.times[k] + local)
        return np.linalg.slogdet(numbers.bordered_matrices(rows))[0]

    h = np.diff(steps.times)
    fractions = np.linspace(0.0, 1.0, LOOKS_AT_SWITCHES + 1)
    which, local = np.repeat(np.arange(len(h)), len(fractions)), np.outer(h, fractions).ravel()
    found = signs(which, local)
    turned = np.flatnonzero((found[1:] != found[:-1]) | (found[1:] == 0.0))
    if not len(turned):
        return steps
    i = int(turned[0])
    k, low, high = int(which[i + 1]), local[i] if which[i] == which[i + 1] else 0.0, local[i + 1]
    for _ in range(EVENT_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if signs(np.array([k]), np.array([middle]))[0] == found[i] else (low, middle)
    whole = cut(steps, k + 1)
    end = float(steps.times[k] + low)
    failure = (
        f"near t = {end:.6g} the equations stop determining the motion, as the Hessian with its constraints and multipliers "
        f"becomes singular; its state there is {state_told(problem.model, horner(steps.coefficients[k : k + 1], np.array([low]))[0])}"
    )
    if end <= steps.times[k]:
        return replace(cut(steps, k), failure=failure)
    return replace(whole, times=np.append(whole.times[:-1], end), failure=failure)
