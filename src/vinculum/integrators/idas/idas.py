"""Implicit steps of variable order by SUNDIALS' IDAS: for stiff forces, and constraints with their multipliers eliminated."""

import io
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Any

import numpy as np

from vinculum.compile.evaluate import evaluate_one
from vinculum.compile.targets.casadi import casadi_function
from vinculum.equations.constraints.closures import STIFFNESS
from vinculum.errors import MethodError
from vinculum.integrators.idas.through_states import interpolants, refine
from vinculum.integrators.watch.loops import LoopWatch
from vinculum.models.conditions.closed_loops import close
from vinculum.models.conditions.gaps import gaps_at
from vinculum.models.model import Model
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.screws import chart as chart_of
from vinculum.tolerances.constraints import LOOPS_OPEN
from vinculum.tolerances.iterations import IDAS_ROUNDS
from vinculum.tolerances.rank import CHART_LOST_BY_IDAS
from vinculum.tolerances.samples import FIRST_POINTS
from vinculum.tolerances.sizes import IDAS_CHUNK, IDAS_STEPS, MOST_POINTS
from vinculum.tolerances.steps import IDAS_DECAY, LEAST_MIXED, LOOSENESS


def check_idas(model: Model, has_events: bool) -> None:
    """Refuse models that need events or switches to be located, which IDAS does not do."""
    if has_events:
        raise MethodError(
            f"system '{model.name}': method 'idas' does not look for events; leave them out, or use method='taylor' or 'dop853'"
        )
    if model.tape("motion").is_piecewise():
        raise MethodError(
            f"system '{model.name}' has piecewise forces, whose switches method 'idas' does not look for; use method='dop853'"
        )


def idas_steps(problem: Problem) -> StepSource:
    """The steps of a run: states of IDAS at some instants, projected onto the constraints, and polynomials through eight of them.

    Instants are added where the polynomials of degree 5 and 7 differ, so that brief transients are resolved.
    """
    model, tolerance = problem.model, problem.method.tolerance
    assert tolerance is not None
    layout = model.layout
    if layout.rank < len(layout.kept):
        raise MethodError(f"system '{model.name}' has conditions that depend on each other, and method 'idas' cannot change the "
                          "independent ones during a run; use method='taylor', or leave redundant ones out")  # fmt: skip
    integrator, log, failure, known, interrupted = _Integrator(problem), [], None, None, False
    times = np.linspace(problem.begin, problem.until, FIRST_POINTS + 1)
    coefficients = np.empty((0, len(problem.state), 1))
    for last in range(IDAS_ROUNDS):
        try:
            states, broken = integrator.states(times)
        except KeyboardInterrupt:
            if known is None:
                raise
            (times, coefficients), interrupted = known, True
            break
        states, broken = _on_conditions(problem, times[: len(states)], states, broken)
        times, failure = times[: len(states)], broken or failure
        if len(times) < 2:
            yield Steps(times[:1], np.empty((0, states.shape[1], 1)), [], log, failure)
            return
        coefficients, apart = interpolants(times, states)
        known, coarse = (times, coefficients), apart > LOOSENESS * tolerance
        if not coarse.any():
            break
        finer = refine(times, coarse)
        if last == IDAS_ROUNDS - 1 or len(finer) > MOST_POINTS or np.any(np.diff(finer) <= 0.0):
            log.append(
                f"idas: {len(times)} instants show the motion to {apart.max():.1e} only; it has fast oscillations"
            )
            break
        times = finer
    watch = LoopWatch(problem)
    for first in range(0, len(coefficients), IDAS_CHUNK):
        end = min(first + IDAS_CHUNK, len(coefficients))
        reason = failure if end == len(coefficients) else None
        chunk = Steps(times[first : end + 1], coefficients[first:end], [], log, reason)
        chunk, log = watch.check_steps(chunk) if watch.needed else chunk, []
        yield chunk
        if chunk.failure:
            return
    if interrupted:
        raise KeyboardInterrupt


class _Integrator:
    """The motion as a CasADi integrator."""

    def __init__(self, problem: Problem):
        import casadi as ca

        self._problem = problem
        tape, n = problem.tape, problem.tape.n_out
        x, t, p = ca.MX.sym("x", n), ca.MX.sym("t"), ca.MX.sym("p", len(problem.parameters))
        rates: Any = casadi_function(tape)(ca.vertcat(x, t, p))
        self._dae = {"x": x, "t": t, "p": p, "ode": rates}
        method = problem.method
        assert method.tolerance is not None
        sizes, begins = _sizes(problem)
        self._options = {"reltol": method.tolerance, "abstolv": (method.tolerance * sizes).tolist(), "max_num_steps": IDAS_STEPS,
                         "calc_ic": False, "init_xdot": begins.tolist(),
                         "max_step_size": method.max_step or 0.0, "disable_internal_warnings": True,
                         "show_eval_warnings": False}  # fmt: skip

    def states(self, times: np.ndarray) -> tuple[np.ndarray, str | None]:
        """States (T, n) at the instants that can be reached, and the reason why the others cannot."""
        whole = self._up_to(times, len(times) - 1)
        if whole is not None:
            return whole, None
        good, bad, states = 0, len(times) - 1, self._problem.state[None]
        while bad - good > 1:
            middle = (good + bad) // 2
            found = self._up_to(times, middle)
            if found is None:
                bad = middle
                continue
            good, states = middle, found
            if _first_opened(self._problem, times[: len(states)], states) is not None:
                break
        return states, f"idas cannot continue after t = {times[good]:.9g} s"

    def _up_to(self, times: np.ndarray, last: int) -> np.ndarray | None:
        import casadi as ca

        problem = self._problem
        values = problem.parameters.copy()
        names = problem.model.parameter_names
        if STIFFNESS in names:
            values[names.index(STIFFNESS)] = IDAS_DECAY / float(times[1] - times[0])
        try:
            with _heard_interrupts(), redirect_stderr(io.StringIO()):
                integrator = ca.integrator(
                    "motion", "idas", self._dae, float(times[0]), times[1 : last + 1].tolist(), self._options
                )
                found = np.array(integrator(x0=problem.state, p=values)["xf"]).T
        except RuntimeError:
            return None
        states = np.concatenate([problem.state[None], found])
        return states if np.all(np.isfinite(states)) else None


def _sizes(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Sizes (n,) of the numbers of the state below which their errors are absolute, and their rates at the start (n,).

    The size of a number is its own, or what its rate at the start leads to in the duration of the run: the largest of those that share a
    joint, a kind and a unit, and at most one. So a system of micrometers is followed as one of meters is.
    """
    tape, begin, span = problem.tape, np.array([problem.begin]), problem.until - problem.begin
    nq, state = problem.model.nq, problem.state
    rates = evaluate_one(tape, problem.rows(state[None], begin)[0])
    faster = state.copy()
    faster[nq:] += span * rates[nq:]
    driven = evaluate_one(tape, problem.rows(faster[None], begin)[0])
    own = np.maximum(np.abs(state), span * np.abs(rates))
    own[:nq] = np.maximum(own[:nq], span * np.abs(driven[:nq]))
    groups = np.asarray(problem.model.layout.groups, dtype=int)
    largest = np.zeros(groups.max(initial=-1) + 1)
    np.maximum.at(largest, groups, np.where(np.isfinite(own), own, 1.0))
    sizes = np.minimum(largest[groups], 1.0)
    return np.where(sizes > LEAST_MIXED * np.abs(state).max(initial=0.0), sizes, 1.0), rates


@contextmanager
def _heard_interrupts() -> Iterator[None]:
    """Let Ctrl-C end the integration. Otherwise CasADi reports it as a failure of its own and the interrupt is lost."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield
        return
    heard, before = [], signal.getsignal(signal.SIGINT)

    def hear(number, frame):
        heard.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    except (RuntimeError, SystemError):
        if not heard:
            raise
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


def _first_opened(problem: Problem, times: np.ndarray, states: np.ndarray) -> tuple[int, float] | None:
    """The first state that violates conditions on positions, and by how much; None if they hold."""
    if not problem.model.layout.gaps:
        return None
    gaps = np.abs(gaps_at(problem.model, states, times, problem.parameters).values).max(axis=1, initial=0.0)
    k = int(np.argmax(gaps > LOOPS_OPEN))
    return (k, float(gaps[k])) if gaps[k] > LOOPS_OPEN else None


def _on_conditions(problem: Problem, times: np.ndarray, states: np.ndarray, failure: str | None) -> tuple:
    """States projected onto their charts and conditions, and the reason why the run ends, if it does.

    The states end before the first one that cannot be projected or is near a singularity of a chart.
    """
    model, values = problem.model, problem.parameters
    opened = _first_opened(problem, times, states)
    if opened is not None:
        k, gap = max(opened[0], 1), opened[1]
        failure = f"the conditions came to be violated by {gap:.2g} near t = {times[opened[0]]:.9g} s; use a smaller tolerance"
        times, states = times[:k], states[:k]
    for entry in model.layout.charts:
        near = chart_of(entry.chart).condition(states[:, slice(*entry.q)]) < CHART_LOST_BY_IDAS
        if near.any():
            k = max(int(np.argmax(near)), 1)
            failure = (f"the chart '{entry.chart}' of joint '{entry.joint}' comes near a singularity at t = {times[k]:.9g} s, and "
                       "method 'idas' does not change charts; use chart='quaternion'")  # fmt: skip
            times, states = times[:k], states[:k]
    return close(model, states, times, values, tight=True), failure
