"""Fixed-step integrators for those who ask: RK4, velocity Verlet, implicit midpoint; dense output by cubic Hermite."""

from itertools import pairwise

import numpy as np

from vinculum.kernels import fixed_step as loops
from vinculum.kernels.evaluate import evaluate
from vinculum.kernels.llvm import WIDTH, compile_tape
from vinculum.motion.events import Crossing
from vinculum.motion.loops import LoopWatch
from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.motion.variables import field, inward, is_canonical, outward

CHUNK = 4096
CHUNK_OF_LOOPS = 64
KINDS = {"rk4": loops.RK4, "verlet": loops.VERLET, "midpoint": loops.MIDPOINT}
BISECTIONS = 60


def fixed_steps(problem: Problem) -> StepSource:
    """The steps of a run in chunks; the last step is shortened to end on time."""
    name, model, h = problem.method.claims.name, problem.model, problem.method.step
    kernel = compile_tape(field(name, model))
    n = problem.tape.n_out
    assert h is not None
    x = np.zeros((kernel.tape.n_in, WIDTH))
    x[n], x[n + 1 :] = problem.begin, problem.parameters[:, None]
    x[:n] = inward(name, model, _rows(problem, problem.state[None], np.array([problem.begin]))).T
    span = problem.until - problem.begin
    whole = int(span / h * (1 + 1e-12))
    rest = span - whole * h
    chunk_size = CHUNK_OF_LOOPS if model.layout["closing"] else CHUNK
    plan = [(min(chunk_size, whole - done), done * h, h) for done in range(0, whole, chunk_size)]
    if rest > 1e-12 * span:
        plan.append((1, whole * h, rest))
    state, signs = problem.state, None
    log = _remarks(problem)
    loops_watch = LoopWatch(problem)
    for steps, offset, length in plan:
        begin = problem.begin + offset
        own = np.empty((steps, n, WIDTH))
        taken = loops.advance(KINDS[name], kernel.lanes, x, n, model.nq, begin, length, steps, 1, own)
        times = begin + length * np.arange(taken + 1)
        if offset + steps * length >= span * (1 - 1e-14) and taken == steps:
            times[-1] = problem.until
        moved = outward(name, model, _rows(problem, own[:taken, :, 0], times[1:]))
        values = np.concatenate([state[None], moved])
        slopes = evaluate(problem.tape, _rows(problem, values, times))
        finite = np.isfinite(values).all(axis=1) & np.isfinite(slopes).all(axis=1)
        failure = None
        if not finite.all():
            taken = max(int(np.argmin(finite)) - 1, 0)
            failure = f"the state stopped being finite after t = {times[taken]:.9g} s; try a smaller step"
        chunk = Steps(times[: taken + 1], hermite(times, values, slopes)[:taken], [], log, failure)
        if problem.event_tape is not None and taken:
            chunk, signs = _with_events(problem, chunk, signs)
        if loops_watch.needed:
            chunk = loops_watch.checked(chunk)
            loops_watch.settle(chunk)
            x[n + 1 :] = problem.parameters[:, None]
        yield chunk
        if chunk.failure or chunk.stopped:
            return
        state, log = values[-1], []


def _rows(problem: Problem, states: np.ndarray, times: np.ndarray) -> np.ndarray:
    given = np.broadcast_to(problem.parameters, (len(times), len(problem.parameters)))
    return np.concatenate([states, times[:, None], given], axis=1)


def _remarks(problem: Problem) -> list[str]:
    name = problem.method.claims.name
    if problem.method.claims.symplectic and not is_canonical(name, problem.model):
        why = "loops are closed" if problem.model.layout["closing"] else "some velocities are not rates of coordinates"
        return [f"{name} is reversible but not symplectic here: {why}"]
    return []


def hermite(times: np.ndarray, values: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Cubic coefficients (S, n, 4) that meet values and slopes at both ends of every step."""
    h = np.diff(times)[:, None]
    a, b, da, db = values[:-1], values[1:], slopes[:-1], slopes[1:]
    chord = (b - a) / h
    return np.stack([a, da, (3 * chord - 2 * da - db) / h, (da + db - 2 * chord) / h**2], axis=2)


def _with_events(problem: Problem, steps: Steps, before: np.ndarray | None) -> tuple[Steps, np.ndarray]:
    """The steps with the crossings found on their dense output, and the last signs; a stopping event cuts them off.

    ``before``: signs at the end of the steps before these, so that a zero on the edge between them counts once.
    """
    assert problem.event_tape is not None
    pieces = Pieces(steps.times, steps.coefficients)

    def functions(t: np.ndarray) -> np.ndarray:
        return evaluate(problem.event_tape, _rows(problem, pieces.state(t), t))

    signs = np.sign(functions(steps.times))
    if before is not None:
        signs[0] = before
    crossings, stop = [], None
    for k, event in enumerate(problem.events):
        known = np.flatnonzero(signs[:, k])
        for a, b in pairwise(known.tolist()):
            direction = int(signs[b, k])
            if signs[a, k] == direction or event.direction not in (0, direction):
                continue
            low, high = steps.times[a], steps.times[b]
            for _ in range(BISECTIONS):
                middle = 0.5 * (low + high)
                if np.sign(functions(np.array([middle]))[0, k]) == signs[a, k]:
                    low = middle
                else:
                    high = middle
            crossings.append(Crossing(event.name, float(high), direction))
            if event.stop and (stop is None or high < stop):
                stop = float(high)
    crossings.sort(key=lambda c: c.time)
    last = np.array([column[np.flatnonzero(column)[-1]] if column.any() else 0.0 for column in signs.T])
    if stop is None:
        return Steps(steps.times, steps.coefficients, crossings, steps.log, steps.failure), last
    kept = int(np.searchsorted(steps.times, stop))
    times = np.append(steps.times[:kept], stop)
    passed = [c for c in crossings if c.time <= stop]
    return Steps(times, steps.coefficients[:kept], passed, steps.log, None, True), last
