"""Applied impulses during a run: it stops at their instants and continues with new velocities."""

from collections.abc import Callable
from dataclasses import replace
from typing import final

import numpy as np

from vinculum.errors import StartError
from vinculum.integrators.by_type import STEPS
from vinculum.integrators.watch.loops import end_state
from vinculum.models.model import Model
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.time import SAME_INSTANT_OF_RUN


@final
class GivenImpulses:
    """The applied impulses of a run in order of time; each is due once. ``failure``: message if the last due impulses are not finite."""

    def __init__(self, problem: Problem):
        self._problem, self.failure = problem, ""
        entries = problem.model.layout.impulses
        self._ahead = sorted((at, name) for name, entry in entries.items() for at in entry.at)

    @property
    def next(self) -> float:
        """The instant of the next impulse, or the end of the run."""
        return self._ahead[0][0] if self._ahead else self._problem.until

    def due(self, t: float, state: np.ndarray) -> np.ndarray | None:
        """Generalized impulse (nv,): the sum of the impulses at t, for the state before them; None if no impulse is due."""
        problem, names = self._problem, []
        reach = t + SAME_INSTANT_OF_RUN * max(problem.until - problem.begin, abs(problem.until))
        while self._ahead and self._ahead[0][0] <= reach:
            names.append(self._ahead.pop(0)[1])
        if not names:
            return None
        given = STEPS.of(problem.model).impulses_along(problem.model, names, t, state, problem.parameters)
        if not np.all(np.isfinite(given)):
            told = ", ".join(f"'{name}'" for name in names)
            self.failure = f"at t = {t:.9g} s the impulse of {told} is not finite"
            return None
        return given


def check_instants(model: Model, begin: float, until: float) -> None:
    """Refuse impulses whose instants are outside the run."""
    for name, entry in model.layout.impulses.items():
        for at in entry.at:
            if not begin <= at < until:
                when = "at the end of the run, with nothing after it" if at == until else "outside the run"
                raise StartError(
                    f"impulse '{name}' of system '{model.name}' at t = {at:g} s is {when}: the run is from {begin:g} to {until:g} s; "
                    "run longer, or give it another instant"
                )


def with_given_impulses(problem: Problem, made: Callable[[Problem], StepSource]) -> StepSource:
    """The steps of ``made`` between the impulses, and the velocities after each impulse.

    Touching unilateral constraints respond at the same instant. In time stepping, so do those that were active in the last step.
    """
    model, given_impulses, held = problem.model, GivenImpulses(problem), False
    answering = STEPS.of(model).answering(problem)
    t, state, sized = problem.begin, problem.state, problem.sizes
    while True:
        given = given_impulses.due(t, state)
        if given_impulses.failure:
            yield Steps(np.array([t]), np.empty((0, len(state), 1)), failure=given_impulses.failure)
            return
        if given is not None and np.any(given):
            v, P = answering.after(t, state, given, held)
            state = np.concatenate([state[: model.nq], v])
            contact_solver = answering.contact_solver(t)
            atoms = Atoms(np.array([t]), P[None], given[None], answering.meetings())
            yield Steps(np.array([t]), np.empty((0, len(state), 1)), atoms=atoms, contact_solver=contact_solver)
        here = replace(problem, begin=t, until=given_impulses.next, state=state, sized=sized)
        for made_steps in made(here):
            steps = lasting(made_steps)
            yield steps
            if len(steps.coefficients):
                t, held = float(steps.times[-1]), _recent_contacts(steps, problem)
                state = end_state(steps) if steps.corrected is None else steps.corrected
            if steps.failure or steps.stopped:
                return
        if problem.is_over(t) or not here.is_over(t):
            return


def lasting(steps: Steps) -> Steps:
    """The steps without those of zero length, so that a jump occurs at one edge only."""
    kept = np.diff(steps.times) > 0.0
    if not len(steps.coefficients) or kept.all():
        return steps
    times = np.concatenate([steps.times[:1], steps.times[1:][kept]])
    return replace(steps, times=times, coefficients=np.asarray(steps.coefficients)[kept])


def _recent_contacts(steps: Steps, problem: Problem) -> np.ndarray | bool:
    """Which unilateral constraints (m,) were active in the last step."""
    atoms, step, count = steps.atoms, problem.method.step, len(problem.model.layout.unilaterals)
    if atoms is None or step is None or not len(atoms) or not count:
        return False
    recent = atoms.times > steps.times[-1] - step
    return np.any(atoms.contact_impulses[recent][:, : 3 * count : 3] > 0.0, axis=0)
