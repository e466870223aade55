"""Implicit steps of variable order by SUNDIALS' IDAS: for stiff forces, and constraints with their multipliers eliminated."""

from typing import Any

import numpy as np

from vinculum.equations.closures import STIFFNESS
from vinculum.errors import MethodError
from vinculum.kernels.closed_loops import closed, gaps_at
from vinculum.kernels.model import Model
from vinculum.kernels.vm import casadi_function
from vinculum.motion.loops import LoopWatch
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.motion.splines import spline_pieces
from vinculum.screws import chart as chart_of

FIRST_POINTS, FEWEST_POINTS, MOST_POINTS = 256, 16, 1 << 17
MOST_STEPS = 10_000_000
DEGREE = 7
GAIN = 2.0 ** (DEGREE + 1)
DECAY = 0.1
LOST = 0.01
OPEN = 1e-4
PER_CHUNK = 4096


def check_idas(model: Model, has_events: bool) -> None:
    """Refuse what IDAS does not look for on its way."""
    if has_events:
        raise MethodError(f"system '{model.name}': method 'idas' does not look for events; leave them out, or use method='taylor' or 'dop853'")
    if model.tape("motion").is_piecewise():
        raise MethodError(f"system '{model.name}' has piecewise forces, whose switches method 'idas' does not look for; use method='dop853'")


def idas_steps(problem: Problem) -> StepSource:
    """The steps of a run: states of IDAS at evenly spread instants, brought to where constraints hold, and the spline through them.

    There are as many instants as the spline needs: it is compared to the one through every second of them.
    """
    model, tolerance = problem.model, problem.method.tolerance
    assert tolerance is not None
    layout = model.layout
    if layout["rank"] < len(layout["kept"]):
        raise MethodError(f"system '{model.name}' has conditions that depend on each other, of which method 'idas' cannot change the independent "
                          "ones on the way; use method='taylor', or leave redundant ones out")  # fmt: skip
    integrator = _Integrator(problem)
    count, failure, log = FIRST_POINTS, None, []
    while True:
        times = np.linspace(problem.begin, problem.until, count + 1)
        states, failure = integrator.states(times)
        states, failure = _on_conditions(problem, times[: len(states)], states, failure)
        if len(states) < FEWEST_POINTS or _apart(times[: len(states)], states) <= tolerance:
            break
        if count >= MOST_POINTS:
            log.append(f"idas: {count} instants do not resolve the motion to its tolerance; it has fast oscillations")
            break
        count *= 2
    made = times[: len(states)]
    if len(made) < 2:
        yield Steps(made[:1], np.empty((0, states.shape[1], 1)), [], log, failure)
        return
    pieces = spline_pieces(made, states, DEGREE)
    watch = LoopWatch(problem)
    for first in range(0, len(pieces), PER_CHUNK):
        last = min(first + PER_CHUNK, len(pieces))
        reason = failure if last == len(pieces) else None
        chunk = Steps(made[first : last + 1], pieces.coefficients[first:last], [], log, reason)
        chunk, log = watch.checked(chunk) if watch.needed else chunk, []
        yield chunk
        if chunk.failure:
            return


class _Integrator:
    """The motion as CasADi's integrator knows it."""

    def __init__(self, problem: Problem):
        import casadi as ca

        self._problem = problem
        tape, n = problem.tape, problem.tape.n_out
        x, t, p = ca.MX.sym("x", n), ca.MX.sym("t"), ca.MX.sym("p", len(problem.parameters))
        rates: Any = casadi_function(tape)(ca.vertcat(x, t, p))
        self._dae = {"x": x, "t": t, "p": p, "ode": rates}
        method = problem.method
        self._options = {"reltol": method.tolerance, "abstol": method.tolerance, "max_num_steps": MOST_STEPS, "calc_ic": True,
                         "max_step_size": method.max_step or 0.0, "disable_internal_warnings": True, "show_eval_warnings": False}  # fmt: skip

    def states(self, times: np.ndarray) -> tuple[np.ndarray, str | None]:
        """States (T, n) at the instants that can be reached, and why the others cannot."""
        whole = self._up_to(times, len(times) - 1)
        if whole is not None:
            return whole, None
        good, bad, states = 0, len(times) - 1, self._problem.state[None]
        while bad - good > 1:
            middle = (good + bad) // 2
            found = self._up_to(times, middle)
            good, bad, states = (middle, bad, found) if found is not None else (good, middle, states)
        return states, f"idas cannot go on after t = {times[good]:.9g} s"

    def _up_to(self, times: np.ndarray, last: int) -> np.ndarray | None:
        import casadi as ca

        problem = self._problem
        values = problem.parameters.copy()
        names = sorted(problem.model.parameters)
        if STIFFNESS in names:
            values[names.index(STIFFNESS)] = DECAY / float(times[1] - times[0])
        try:
            integrator = ca.integrator("motion", "idas", self._dae, float(times[0]), times[1 : last + 1].tolist(), self._options)
            found = np.array(integrator(x0=problem.state, p=values)["xf"]).T
        except RuntimeError:
            return None
        states = np.concatenate([problem.state[None], found])
        return states if np.all(np.isfinite(states)) else None


def _on_conditions(problem: Problem, times: np.ndarray, states: np.ndarray, failure: str | None) -> tuple:
    """States on their charts where all conditions hold, up to the first that cannot be brought there or is near a singular place of a
    chart, and why the run ends."""
    model, values = problem.model, problem.parameters
    if model.layout["gaps"]:
        gaps = np.abs(gaps_at(model, states, times, values).values).max(axis=1, initial=0.0)
        if np.any(gaps > OPEN):
            k = max(int(np.argmax(gaps > OPEN)), 1)
            failure = f"the conditions came to be violated by {gaps[k]:.2g} near t = {times[k]:.9g} s; use a smaller tolerance"
            times, states = times[:k], states[:k]
    for entry in model.layout.get("charts", ()):
        near = chart_of(entry["chart"]).condition(states[:, slice(*entry["q"])]) < LOST
        if near.any():
            k = max(int(np.argmax(near)), 1)
            failure = (f"the chart '{entry['chart']}' of joint '{entry['joint']}' comes near a singular place at t = {times[k]:.9g} s, and method "
                       "'idas' does not change charts; use chart='quaternion'")  # fmt: skip
            times, states = times[:k], states[:k]
    return closed(model, states, times, values, tight=True), failure


def _apart(times: np.ndarray, states: np.ndarray) -> float:
    """How far the spline is estimated to be from the motion, against the size of each number.

    By the splines through every second and every fourth state: the error falls as it did between these, at best by the order.
    """
    fourth, second = (_between(times, states, stride) for stride in (4, 2))
    return second * max(second / max(fourth, np.finfo(float).tiny), 1.0 / GAIN)


def _between(times: np.ndarray, states: np.ndarray, stride: int) -> float:
    """Largest distance of the spline through every ``stride``-th state from those half way."""
    kept = times[::stride]
    middle = slice(stride // 2, stride * (len(kept) - 1), stride)
    off = np.abs(spline_pieces(kept, states[::stride], DEGREE).state(times[middle]) - states[middle])
    size = np.maximum(np.abs(states).max(axis=0), 1e-3 * np.abs(states).max(initial=1.0))
    return float((off.max(axis=0) / size).max(initial=0.0))
