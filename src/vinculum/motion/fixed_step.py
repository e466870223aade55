"""Fixed-step integrators for those who ask: RK4, velocity Verlet, implicit midpoint; dense output by cubic Hermite."""

import numpy as np

from vinculum.kernels import fixed_step as loops
from vinculum.kernels.arrays import evaluate
from vinculum.kernels.llvm import WIDTH, compile_tape
from vinculum.motion.events import Crossing
from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import Problem, Steps, StepSource

CHUNK = 4096
KINDS = {"rk4": loops.RK4, "verlet": loops.VERLET, "midpoint": loops.MIDPOINT}
BISECTIONS = 60


def fixed_steps(problem: Problem) -> StepSource:
    """The steps of a run in chunks; the last step is shortened to end on time."""
    kernel = compile_tape(problem.tape)
    n, nq, h = problem.tape.n_out, problem.model.nq, problem.method.step
    assert h is not None
    x = np.zeros((kernel.tape.n_in, WIDTH))
    x[:n], x[n], x[n + 1 :] = problem.state[:, None], problem.begin, problem.parameters[:, None]
    span = problem.until - problem.begin
    whole = int(span / h * (1 + 1e-12))
    rest = span - whole * h
    state, rate = problem.state, np.zeros((n, WIDTH))
    loops.run_lanes(kernel.lanes, x, rate)
    rate = rate[:, 0].copy()
    plan = [(min(CHUNK, whole - done), done * h, h) for done in range(0, whole, CHUNK)]
    if rest > 1e-12 * span:
        plan.append((1, whole * h, rest))
    for steps, offset, length in plan:
        begin = problem.begin + offset
        states, rates = np.empty((steps, n, WIDTH)), np.empty((steps, n, WIDTH))
        taken = loops.advance(
            KINDS[problem.method.claims.name], kernel.lanes, x, n, nq, begin, length, steps, 1, states, rates
        )
        values = np.concatenate([state[None], states[:taken, :, 0]])
        slopes = np.concatenate([rate[None], rates[:taken, :, 0]])
        times = begin + length * np.arange(taken + 1)
        if offset + steps * length >= span * (1 - 1e-14) and taken == steps:
            times[-1] = problem.until
        finite = np.isfinite(values).all(axis=1) & np.isfinite(slopes).all(axis=1)
        failure = None
        if not finite.all():
            taken = max(int(np.argmin(finite)) - 1, 0)
            failure = f"the state stopped being finite after t = {times[taken]:.9g} s; try a smaller step"
        chunk = Steps(times[: taken + 1], hermite(times, values, slopes)[:taken], [], [], failure)
        chunk = _with_events(problem, chunk) if problem.event_tape is not None and taken else chunk
        yield chunk
        if chunk.failure or chunk.stopped:
            return
        state, rate = values[-1], slopes[-1]


def hermite(times: np.ndarray, values: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Cubic coefficients (S, n, 4) that meet values and slopes at both ends of every step."""
    h = np.diff(times)[:, None]
    a, b, da, db = values[:-1], values[1:], slopes[:-1], slopes[1:]
    chord = (b - a) / h
    return np.stack([a, da, (3 * chord - 2 * da - db) / h, (da + db - 2 * chord) / h**2], axis=2)


def _with_events(problem: Problem, steps: Steps) -> Steps:
    """The steps with the crossings found on their dense output; a stopping event cuts them off."""
    assert problem.event_tape is not None
    pieces = Pieces(steps.times, steps.coefficients)

    def functions(t: np.ndarray) -> np.ndarray:
        given = np.broadcast_to(problem.parameters, (len(t), len(problem.parameters)))
        return evaluate(problem.event_tape, np.concatenate([pieces.state(t), t[:, None], given], axis=1))

    values = functions(steps.times)
    crossings, stop = [], None
    for k, event in enumerate(problem.events):
        signs = np.sign(values[:, k])
        for i in np.flatnonzero(signs[:-1] * signs[1:] < 0):
            direction = int(signs[i + 1])
            if event.direction not in (0, direction):
                continue
            low, high = steps.times[i], steps.times[i + 1]
            for _ in range(BISECTIONS):
                middle = 0.5 * (low + high)
                if np.sign(functions(np.array([middle]))[0, k]) == signs[i]:
                    low = middle
                else:
                    high = middle
            crossings.append(Crossing(event.name, float(high), direction))
            if event.stop and (stop is None or high < stop):
                stop = float(high)
    crossings.sort(key=lambda c: c.time)
    if stop is None:
        return Steps(steps.times, steps.coefficients, crossings, steps.log, steps.failure)
    kept = int(np.searchsorted(steps.times, stop))
    times = np.append(steps.times[:kept], stop)
    return Steps(times, steps.coefficients[:kept], [c for c in crossings if c.time <= stop], steps.log, None, True)
