"""Callbacks of the events and switches of a Taylor run."""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from vinculum.compile.targets import arrays
from vinculum.errors import MethodError
from vinculum.integrators.watch.crossings import soonest_return
from vinculum.integrators.watch.modes import ChatterWatch, cross, mode_inputs
from vinculum.motion.events import Crossing
from vinculum.motion.problem import Problem
from vinculum.tolerances.functions import EVENT_SLOPE_STEP, ZERO_SLOPE_STEP
from vinculum.tolerances.time import AT_BEGIN, SAME_INSTANT


@final
@dataclass
class Listener:
    """Handles the events of one run. The compiled integrator outlives the run and calls the current listener.

    ``crossings`` and ``switches`` are those since they were last taken. ``lingers``: an event function is zero where the next step
    begins. The integrator reports such a root but none of the others in that step, so the step must be short.
    """

    problem: Problem | None = None
    crossings: list[Crossing] = field(default_factory=list)
    switches: list[float] = field(default_factory=list)
    modes: np.ndarray = field(default_factory=lambda: np.zeros(0))
    chatter: str | None = None
    stopped: bool = False
    lingers: bool = False
    _watch: ChatterWatch = field(default_factory=lambda: ChatterWatch(1.0))
    _last: dict[str, float] = field(default_factory=dict)

    def __deepcopy__(self, memo):
        return self  # heyoka copies its callbacks; all copies must use this listener

    def listen(self, problem: Problem) -> None:
        self.problem, self.crossings, self.chatter, self.stopped, self.switches = problem, [], None, False, []
        self._watch, self._last = ChatterWatch(problem.until - problem.begin), {}
        here = problem.state, problem.begin
        self.lingers = bool(self._zeros(*here)) or self._leaves_flatly(*here) or soonest_return(problem, *here) < np.inf

    def take(self) -> tuple[list[Crossing], list[float]]:
        """Crossings and instants of switches since the last call, in order of time."""
        taken = sorted(self.crossings, key=lambda c: c.time), self.switches
        self.crossings, self.switches = [], []
        return taken

    def go_back_to(self, t: float) -> None:
        """Forget what happened after t, where the run resumes."""
        self.stopped, self.chatter, self.lingers = False, None, False
        self.crossings = [c for c in self.crossings if c.time <= t]
        self._last = {name: instant for name, instant in self._last.items() if instant <= t}

    def switch(self, index: int, ta, direction: int) -> bool:
        """Handle a switch of the model that ended the step; returns whether the integrator continues."""
        problem = self.problem
        assert problem is not None
        if ta.time - problem.begin <= AT_BEGIN * (problem.until - problem.begin):
            return True
        self.switches.append(ta.time)
        over = problem.is_over(ta.time)
        try:
            self.modes = cross(problem.tape, ta.state, ta.time, problem.parameters, self.modes, index, direction, over)
        except MethodError as error:
            self.chatter = str(error)
            return False
        self.set_parameters(ta)
        self.chatter = self._watch.note_switch(ta.time)
        self._note_all_at(ta.state.copy(), ta.time)
        return self.chatter is None and not self.stopped and not self.lingers

    def set_parameters(self, ta) -> None:
        """Set the integrator's parameters: modes and their slots first, then the model's. heyoka has only as many as its expressions
        use.
        """
        assert self.problem is not None
        values = self.problem.parameters
        if len(self.modes):
            values = np.concatenate([mode_inputs(self.problem.tape, self.modes), values])
        kept = ta.pars
        kept[:] = values[: len(kept)]

    def stop(self, index: int, ta, direction: int) -> bool:
        """Handle a stopping event that ended the step; an event function that is zero at the start does not count."""
        self.stopped = self._note(index, ta.time, direction) or self.stopped
        if self.stopped:
            self._note_all_at(ta.state.copy(), ta.time)
        return not self.stopped

    def note(self, index: int, ta, t: float, direction: int) -> None:
        """Record an event within a step."""
        self._note(index, t, direction)

    def _note(self, index: int, t: float, direction: int) -> bool:
        """Record a crossing; returns whether it is new. A function that starts at zero has not crossed it."""
        problem = self.problem
        assert problem is not None
        name = problem.events[index].name
        known = name in self._last and abs(self._last[name] - t) <= SAME_INSTANT * problem.latest
        if known or t - problem.begin <= AT_BEGIN * (problem.until - problem.begin):
            return False
        self._last[name] = float(t)
        self.crossings.append(Crossing(name, float(t), int(direction)))
        return True

    def _note_all_at(self, state: np.ndarray, t: float) -> None:
        """Record all events whose function vanishes where a step ended, since heyoka reports only the first of them."""
        assert self.problem is not None
        zeros = self._zeros(state, t)
        for k, direction in zeros:
            event = self.problem.events[k]
            if event.direction in (0, direction) and self._note(k, t, direction):
                self.stopped = self.stopped or event.stop
        self.lingers = bool(zeros) or self._leaves_flatly(state, t)

    def _zeros(self, state: np.ndarray, t: float) -> list[tuple[int, int]]:
        """Events whose function is zero at a state but not soon after, and the direction in which it leaves zero."""
        problem = self.problem
        if problem is None or problem.event_tape is None:
            return []
        here, dt = problem.rows(state[None], np.array([t])), EVENT_SLOPE_STEP * problem.brief
        rates = arrays.evaluate(problem.tape, here)[0]
        later = problem.rows((state + dt * rates)[None], np.array([t + dt]))
        values = arrays.evaluate(problem.event_tape, here)[0]
        jacobians = (arrays.evaluate(problem.event_tape, later)[0] - values) / dt
        near = (np.abs(values) <= SAME_INSTANT * problem.latest * np.abs(jacobians)) & (jacobians != 0.0)
        return [(int(k), int(np.sign(jacobians[k]))) for k in np.flatnonzero(near)]

    def _leaves_flatly(self, state: np.ndarray, t: float) -> bool:
        """Whether an event function and its slope are both zero at a state, to within `ZERO_SLOPE_STEP`.

        An example is a gap that opens after a soft impact.
        """
        problem = self.problem
        if problem is None or problem.event_tape is None:
            return False
        events, dt = problem.event_tape, ZERO_SLOPE_STEP * problem.brief

        def rate(y: np.ndarray, at: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            row = problem.rows(y[None], np.array([at]))
            rates = arrays.evaluate(problem.tape, row)[0]
            later = problem.rows((y + dt * rates)[None], np.array([at + dt]))
            values = arrays.evaluate(events, row)[0]
            return rates, values, (arrays.evaluate(events, later)[0] - values) / dt

        rates, values, jacobians = rate(state, t)
        bends = np.abs(rate(state + dt * rates, t + dt)[2] - jacobians) / dt
        return bool(np.any((bends > 0.0) & (np.abs(values) <= 0.5 * dt**2 * bends) & (np.abs(jacobians) <= dt * bends)))
