"""Spans of an event-driven run that are handed over to time stepping because its phases cannot be continued."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.errors import MethodError
from vinculum.integrators.event_driven.contacts import Contacts
from vinculum.integrators.event_driven.touching import Touching, removing_impulses, steepness
from vinculum.integrators.watch.loops import end_state
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.method import Method, time_stepping
from vinculum.motion.phases import Phase
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.certificates import IMPACTS_LUMPED
from vinculum.tolerances.event_driven import FIRST_SPAN, SETTLED_SPEED, SOON, STEPS_BACK, STEPS_OF_A_SPAN

GROWTH = np.sqrt(2.0)
"""Factor by which both the step and the number of steps grow from a span to one that follows soon: the length of a span doubles."""


@final
class HandOver:
    """Hands spans of a run over to time stepping. Spans that follow each other soon grow, and so do all spans of a run whose cause goes
    on: these are few, and the last of them lasts to its end."""

    def __init__(self, problem: Problem, touching: Touching):
        self._problem, self._touching = problem, touching
        self._end, self._length, self._again = -np.inf, 0.0, 0

    def over(self, t: float, state: np.ndarray, why: str, until: float, width: int, goes_on: bool):
        """Yield the steps of a span from a state, at most up to ``until``, with ``width`` coefficients. ``goes_on``: whether the cause
        is likely to last: the run derives no further equations, or impacts follow each other without end.

        Returns the instant and the state after the span and the impulses (3 m,) that bring nearly resting contacts to rest there; None
        if the run ends within the span.
        """
        problem = self._problem
        self._again = self._again + 1 if goes_on or t - self._end <= SOON * self._length else 0
        whole, grown = problem.until - problem.begin, GROWTH**self._again
        h, length = FIRST_SPAN / STEPS_OF_A_SPAN * whole * grown, FIRST_SPAN * whole * grown**2
        end = until if until - t < 1.5 * length else t + length
        self._end, self._length = end, length
        # All steps are equal: contacts that rest within the error of a step would seem to fly in a shorter last step.
        h = (end - t) / np.ceil((end - t) / h)
        told = (
            f"from t = {t:.9g} to {end:.9g} s the run was handed over to time stepping with steps of {h:.1e} s, because it could not "
            f"continue from event to event: {why}"
        )
        phase = Phase(0, (), problem.model, problem.parameters.copy(), t, h)
        yield Steps(np.array([t]), np.empty((0, len(state), 1)), log=[told], phase=phase)
        here = replace(problem, begin=t, until=end, state=state, method=time_stepping(h), parameters=problem.parameters.copy(),
                       sized=problem.sizes)  # fmt: skip
        last: list[Atoms] = []
        for steps in _time_steps(here):
            failure = (
                steps.failure
                and f"{why}; and time stepping, to which the run was handed over, fails as well: {steps.failure}"
            )
            yield replace(
                steps, coefficients=pad_coefficients(np.asarray(steps.coefficients), width), failure=failure, log=[]
            )
            if len(steps.coefficients):
                t, state = float(steps.times[-1]), end_state(steps)
                last = [*last, steps.atoms] if steps.atoms is not None else last
            if failure or steps.stopped:
                return None
        self._touching.steps = h
        return t, *self._close_gaps(t, state, self._pressing(t - STEPS_BACK * h, last))

    def _pressing(self, since: float, atoms: list[Atoms]) -> np.ndarray:
        """Which unilateral constraints (m,) were active since an instant."""
        m = len(self._touching.names)
        recent = [one.contact_impulses[one.times >= since][:, : 3 * m : 3] for one in atoms]
        return np.any(np.concatenate([*recent, np.zeros((1, m))]) > 0.0, axis=0)

    def _close_gaps(self, t: float, state: np.ndarray, pressing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The state with the gaps of active contacts closed and no gap negative, and the impulses (3 m,) that bring nearly resting
        contacts to rest.

        Both corrections are the smallest ones in the metric of the kinetic energy. The velocities of the state are those before the
        impulses: only impulses change velocities, and the run records them.
        """
        touching = self._touching
        here = touching.at(t, state)
        pressing &= np.abs(here.speeds[::3]) <= touching.unresolved_speeds(here)
        state = touching.put_on(t, state, pressing | (here.gaps < 0.0))
        here = touching.at(t, state)
        u, still = here.speeds.reshape(-1, 3), SETTLED_SPEED * touching.speed
        closed = pressing & (np.abs(u[:, 0]) <= still)
        resting = closed & (touching.laws.friction[:, 0] > 0.0) & (np.hypot(u[:, 1], u[:, 2]) <= still)
        rows = np.concatenate([3 * np.flatnonzero(closed), *(3 * np.flatnonzero(resting) + k for k in (1, 2))])
        return state, slight_impulses(here, rows, touching.unresolved_speeds(here))


def slight_impulses(here: Contacts, rows: np.ndarray, unresolved: np.ndarray) -> np.ndarray:
    """Impulses (3 m,) along some rows that bring contacts to rest, as large as steps leave them and no larger.

    The rows of links that lie nearly in line are nearly dependent. Tiny slips there would take impulses of any size, which no friction
    gives: such contacts go on as they are. ``unresolved`` (m,): speeds that steps do not resolve.
    """
    most = IMPACTS_LUMPED * unresolved / np.maximum(steepness(here) ** 2, np.finfo(float).tiny)
    limits = np.repeat(most, 3)
    while True:
        P = removing_impulses(here, rows, here.speeds)
        beyond = np.abs(P[rows]) / np.maximum(limits[rows], np.finfo(float).tiny)
        if not np.any(beyond > 1.0):
            return P
        worst = rows[int(np.argmax(beyond))]
        # what is not held normally has no friction either
        rows = rows[rows // 3 != worst // 3] if worst % 3 == 0 else rows[rows != worst]


def _time_steps(problem: Problem) -> StepSource:
    """The time steps of a problem; a failed step if time stepping refuses the problem."""
    try:
        from vinculum.integrators.moreau.moreau import moreau_steps

        yield from moreau_steps(problem)
    except MethodError as error:
        yield Steps(np.array([problem.begin]), np.empty((0, len(problem.state), 1)), failure=str(error))


def pad_coefficients(coefficients: np.ndarray, width: int) -> np.ndarray:
    """Coefficients (k, n, w) with zeros for higher powers up to ``width``."""
    return np.pad(coefficients, ((0, 0), (0, 0), (0, max(0, width - coefficients.shape[2]))))


def usual_width(method: Method) -> int:
    """Number of coefficients of the steps of an adaptive method."""
    if method.claims.name == "dop853":
        return 8
    from vinculum.integrators.taylor.series import series_order

    assert method.tolerance is not None
    return series_order(method.tolerance) + 1
