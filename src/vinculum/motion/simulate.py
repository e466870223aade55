"""`simulate`: a system's motion from a start to an end."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from vinculum.errors import MethodError, RunError, StartError
from vinculum.kernels.engines import has_heyoka
from vinculum.kernels.model import Model
from vinculum.kernels.models import model_for
from vinculum.kernels.tape import Tape
from vinculum.motion.checks import check_regular
from vinculum.motion.events import Event, event_tape
from vinculum.motion.method import DOP853, METHODS, Method
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem, StepSource
from vinculum.motion.progress import Progress
from vinculum.motion.sinks import MemorySink
from vinculum.systems import start_parameters, start_state

LARGEST_TAYLOR_TAPE = 12_000
DEFAULT_GRID = 1001
FEWEST_STEPS = 500
TOLERANCE = {"taylor": 2.0**-52, "series": 2.0**-52, "dop853": 2e-14}
FIXED_STEP = ("rk4", "verlet", "midpoint")


def simulate(
    system,
    until: float,
    start: Mapping[str, object] | None = None,
    *,
    begin: float = 0.0,
    parameters: Mapping[str, float] | None = None,
    method: str = "auto",
    tolerance: float | None = None,
    step: float | None = None,
    max_step: float | None = None,
    grid=None,
    events: Sequence[Event] = (),
    out=None,
    progress: bool = True,
) -> Motion:
    """The motion of ``system`` from ``begin`` to ``until`` [s].

    ``start`` maps joints and free bodies to a position or `At`. ``method``: "auto", "taylor" (machine precision), "series"
    (the same without heyoka, for smooth forces), "dop853", "rk4", "verlet", "midpoint"; the last three need ``step`` [s].
    ``max_step`` [s] keeps the adaptive ones from passing over something short, such as a brief pulse (1/500 of the run by
    default if a drive looks at t). ``grid``: a number of instants or the instants themselves (1001 by default). ``out``: a
    zarr folder to stream very long runs to.
    Ctrl-C returns what was computed; a run that fails raises `RunError`, whose ``motion`` holds it.
    """  # fmt: skip
    model = model_for(system)
    begin, until = _span(begin, until)
    if model.tree is None:
        raise StartError(f"'{model.name}' is a loaded run; simulate needs the System it came from")
    given = dict(parameters or {})
    events = (events,) if isinstance(events, Event) else tuple(events)
    if not all(isinstance(event, Event) for event in events):
        raise StartError(f"events must be vc.Event objects, got {[type(e).__name__ for e in events]}")
    watched, own = event_tape(model, events, given)
    own |= start_parameters(start if isinstance(start, Mapping) else None)
    values = model.parameter_values({name: x for name, x in given.items() if name not in own - set(model.parameters)})
    named = dict(zip(sorted(model.parameters), values.tolist(), strict=True))
    q, v = start_state(model.tree, start, given | named)
    check_regular(model, q, values)
    chosen = _method(model, method, tolerance, step, max_step, until - begin, max(abs(begin), abs(until)), watched)
    instants = _grid(grid, begin, until)
    problem = Problem(model, chosen, begin, until, np.concatenate([q, v]), values, events, watched)
    return _run(problem, _steps(problem), instants, named, out, progress)


def _run(problem: Problem, steps: StepSource, instants, named, out, progress: bool) -> Motion:
    if out is None:
        sink = MemorySink()
    else:
        from vinculum.motion.storage import StreamSink

        sink = StreamSink(out, problem, named, instants)
    crossings, log, failure, stopped, interrupted = [], [], None, False, False
    with sink, Progress(problem.begin, problem.until, progress) as bar:
        try:
            for chunk in steps:
                crossings += chunk.crossings
                sink.append(chunk)
                log += chunk.log
                failure, stopped = chunk.failure or sink.full, chunk.stopped
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
        if sink.empty:
            raise RunError(f"the run of '{problem.model.name}' could not start: {failure}")
        pieces = sink.pieces(crossings, log)
    inside = (
        instants[(instants >= pieces.begin) & (instants <= pieces.end)]
        if failure or stopped or interrupted
        else instants
    )
    if len(inside) < len(instants) and (len(inside) == 0 or inside[-1] < pieces.end):
        inside = np.append(inside, pieces.end)
    motion = Motion(problem.model, pieces, inside, problem.method, named, tuple(crossings), tuple(log), interrupted)
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
    if name == "taylor":
        from vinculum.motion.taylor import taylor_steps

        return taylor_steps(problem)
    if name == "series":
        from vinculum.motion.series import series_steps

        return series_steps(problem)
    if name == "dop853":
        from vinculum.motion.dop853 import dop853_steps

        return dop853_steps(problem)
    from vinculum.motion.fixed_step import fixed_steps

    return fixed_steps(problem)


def _method(
    model: Model, name: str, tolerance, step, max_step, span: float, latest: float, watched: Tape | None
) -> Method:
    if name == "auto":
        tape = model.tape("motion")
        fit = len(tape.code) <= LARGEST_TAYLOR_TAPE and not (watched and watched.is_piecewise())
        name = "taylor" if has_heyoka() and fit else "dop853"
    if name not in METHODS or name == "given":
        raise MethodError(f"method {name!r} is not known; use auto, taylor, series, dop853, rk4, verlet or midpoint")
    claims = METHODS[name]
    if name == "taylor" and not has_heyoka():
        raise MethodError("method 'taylor' needs heyoka, which is not installed here; use method='dop853'")
    if name in FIXED_STEP:
        if step is None:
            raise MethodError(f"method '{name}' needs step=, the length of a time step in seconds")
        if max_step is not None:
            raise MethodError(f"method '{name}' has a fixed step; leave max_step out")
        if tolerance is not None:
            raise MethodError(f"method '{name}' has a fixed step and no tolerance; leave tolerance out or use 'dop853'")
        if not (math.isfinite(step) and step > 0.0):
            raise MethodError(f"step {step!r} s must be positive and finite")
        if step < 8 * np.finfo(float).eps * latest:
            raise MethodError(
                f"step {step:g} s is below the resolution of the clock at t = {latest:g} s; begin nearer to zero"
            )
        if span / step > 1e9:
            raise MethodError(f"step {step:g} s would take {span / step:.1e} steps; use a longer one")
        return Method(claims, step=float(step))
    if step is not None:
        raise MethodError(f"method '{name}' chooses its own steps; leave step out, set tolerance, or use 'rk4'")
    if tolerance is not None and not _is_number(tolerance):
        raise MethodError(f"tolerance {tolerance!r} must be a number")
    tolerance = TOLERANCE[name] if tolerance is None else float(tolerance)
    low, high = (2.0**-52 if claims is not DOP853 else 1e-15), 1e-1
    if not low <= tolerance <= high:
        raise MethodError(f"tolerance {tolerance:g} must lie between {low:.2g} and {high:g} for method '{name}'")
    if max_step is not None and not (_is_number(max_step) and max_step > 0.0 and span / max_step < 1e9):
        raise MethodError(f"max_step {max_step!r} must be a positive number of seconds that leaves at most 1e9 steps")
    if max_step is None and _depends_on_time(model):
        max_step = span / FEWEST_STEPS
    return Method(claims, tolerance=tolerance, max_step=max_step)


def _depends_on_time(model: Model) -> bool:
    """Whether the equations of motion hold the time; what comes and goes by the clock is easily stepped over."""
    tape = model.tape("motion")
    return bool(np.any(tape.code[:, 1:] == model.nq + model.nv))


def _is_number(x) -> bool:
    return isinstance(x, (int, float, np.number)) and not isinstance(x, bool) and math.isfinite(x)


def _span(begin, until) -> tuple[float, float]:
    try:
        begin, until = float(begin), float(until)
    except (TypeError, ValueError) as error:
        raise StartError(f"begin {begin!r} and until {until!r} must be numbers") from error
    if not (math.isfinite(begin) and math.isfinite(until)):
        raise StartError(f"begin {begin} s and until {until} s must be finite")
    if until <= begin:
        raise StartError(f"the end time {until:g} s is not after the start time {begin:g} s")
    return begin, until


def _grid(grid, begin: float, until: float) -> np.ndarray:
    if grid is None:
        grid = DEFAULT_GRID
    if isinstance(grid, (int, np.integer)) and not isinstance(grid, bool):
        if grid < 2:
            raise StartError(f"grid={grid}: at least two instants are needed")
        return np.linspace(begin, until, int(grid))
    try:
        instants = np.asarray(grid, dtype=float)
    except (TypeError, ValueError) as error:
        raise StartError(f"grid must be a number of instants or the instants themselves, got {grid!r}") from error
    if instants.ndim != 1 or len(instants) == 0 or not np.all(np.isfinite(instants)):
        raise StartError("grid must be a row of finite instants")
    if np.any(np.diff(instants) <= 0) or instants[0] < begin or instants[-1] > until:
        raise StartError(f"the instants of grid must grow and lie between {begin:g} and {until:g} s")
    return instants
