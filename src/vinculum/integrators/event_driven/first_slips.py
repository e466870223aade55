"""Beginning of sliding from rest: by one implicit step, or with a small velocity in the direction of sliding."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import comb
from typing import final

import numpy as np

from vinculum.bonds.unilaterals import STICKS
from vinculum.compile.evaluate import evaluate_again
from vinculum.integrators.event_driven.collocation import Rates, Slips, collocate, radau
from vinculum.integrators.event_driven.contacts import Contacts
from vinculum.integrators.event_driven.slow_slips import USE_STEPS
from vinculum.integrators.event_driven.touching import Touching
from vinculum.integrators.taylor.series import series_order
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.event_driven import (
    BARELY,
    DEPENDENT_CHANGES,
    DIRECTED,
    DIRECTIONS_APART,
    FIRST_SLIP_GUESS,
    SHORTEST_FIRST_STEP,
    SLIP_NOISE,
    SLIP_STAGES,
    SLIP_TRIALS,
)
from vinculum.tolerances.rank import DEPENDENT_ROWS


@final
@dataclass(frozen=True, eq=False)
class Begin:
    """Contacts at which slips begin from rest at one instant.

    ``rows``: the rows of their slips among all contact velocities. ``directions`` (r,): directions of the slips to come, scaled so that
    the largest entry is one. ``closed``: rows that stay zero. ``strength``: the largest acceleration without contacts.
    """

    touching: Touching
    rows: np.ndarray
    directions: np.ndarray
    closed: np.ndarray
    strength: float

    def may_turn(self, t: float, state: np.ndarray) -> bool:
        """Whether some slip that begins has two possible directions, so that its direction has to be found. In planar motion it has only
        one.
        """
        W = _mobility(self.touching.at(t, state), self.rows, self.closed)
        sizes = [np.linalg.eigvalsh(W[k : k + 2, k : k + 2]) for k in range(0, len(self.rows), 2)]
        return any(low > DEPENDENT_ROWS * high for low, high in sizes)

    def give_slips(self, t: float, state: np.ndarray, slips: np.ndarray | None = None) -> np.ndarray:
        """The state with these slips (r,) [m/s]; by default in proportion to those to come. The velocity change is the smallest in the
        kinetic metric.
        """
        here, nq = self.touching.at(t, state), self.touching.model.nq
        if slips is None:
            slips = self.directions * (self.directions @ here.speeds[self.rows]) / (self.directions @ self.directions)
        J = here.jacobians[np.concatenate([self.rows, self.closed])]
        wanted = np.concatenate([slips - here.speeds[self.rows], np.zeros(len(self.closed))])
        change = here.K @ (J.T @ np.linalg.lstsq(J @ here.K @ J.T, wanted, rcond=DEPENDENT_CHANGES)[0])
        return np.concatenate([state[:nq], state[nq:] + change])


def begin_of_slips(touching: Touching, t: float, state: np.ndarray, closed: Mapping[str, str]) -> Begin | None:
    """The contacts among the ``closed`` ones at which slips begin, with their directions; None if no slip begins.

    If a force has only just exceeded friction, the slip is along the normal of the friction ellipse, u ∝ D⁻² λ.
    """
    here = touching.at(t, state)
    chosen = [c for c, name in enumerate(touching.names) if name in closed]
    rough = [c for c in chosen if touching.laws.friction[c, 0] > 0.0]
    held = [c for c in rough if closed[touching.names[c]] == STICKS]
    resting = [c for c in rough if c not in held and np.hypot(*here.speeds[3 * c + 1 : 3 * c + 3]) <= touching.still]
    rows = np.array([3 * c + k for c in resting for k in (1, 2)], dtype=int)
    if not len(rows):
        return None
    kept = np.array([3 * c for c in chosen] + [3 * c + k for c in held for k in (1, 2)], dtype=int)
    force = touching.forces(here)[0]
    to_come = (here.jacobians @ (here.rates + here.K @ (here.jacobians.T @ force)) + here.biases)[rows]
    if np.abs(to_come).max() <= BARELY * np.abs(here.jacobians[rows] @ here.rates + here.biases[rows]).max():
        axes = touching.laws.friction[resting].ravel()
        ways = (-force[rows] * (axes.max() / axes) ** 2).reshape(-1, 2)
        to_come = (ways * _sizes(here, rows, kept, ways)[:, None]).ravel()
    size = np.abs(to_come).max()
    if not size > 0.0 or not np.all(np.linalg.norm(to_come.reshape(-1, 2), axis=1) > 0.0):
        return None
    strength = float(np.abs(here.rates).max())
    return Begin(touching, rows, to_come / size, kept, strength)


def _sizes(here: Contacts, rows: np.ndarray, kept: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """Magnitudes (r,) of slips along the directions ``ways`` (r, 2) that the bodies can have at the same time, with the velocities
    ``kept`` zero.

    Ones if no such slips exist.
    """
    sizes, turned = np.linalg.eigh(_mobility(here, rows, kept))
    beyond = turned[:, sizes <= DEPENDENT_ROWS * np.abs(sizes).max()].T.reshape(-1, len(ways), 2)
    _, missed, combined = np.linalg.svd(np.einsum("brk,rk->br", beyond, ways) / np.abs(ways).max(), full_matrices=True)
    together = combined[int(np.sum(missed > DIRECTIONS_APART)) :]
    found = together.T @ together.sum(axis=1)
    return found if np.all(found > 0.0) and len(found) else np.ones(len(ways))


def _mobility(here: Contacts, rows: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Delassus matrix of some rows while the velocities ``kept`` stay zero: it maps impulses along the rows to changes of their
    velocities.
    """
    J = here.jacobians[kept]
    K = here.K - here.K @ J.T @ np.linalg.pinv(J @ here.K @ J.T, rcond=DEPENDENT_ROWS, hermitian=True) @ J @ here.K
    return here.jacobians[rows] @ K @ here.jacobians[rows].T


def first_step(problem: Problem, begin: Begin, slips: Slips, longest: float) -> Steps | None:
    r"""One step from a state with tiny slips; None if no step is accurate enough.

    After the instant at which a force exceeds friction the slip is u = s² w(s); after a jump of the force it is u = s w(s). The equation
    m u' = F − μN u/|u| has one bounded solution, and that solution is smooth in s. Other solutions approach it at the rate μN/(m |u|).
    An explicit method would have to follow that rate from |u| = 0 on; the collocation polynomial lies on the bounded solution. ``slips``
    returns the slips that begin; ``longest`` [s] is the first step length to try.
    """
    nq, t, tolerance = problem.model.nq, problem.begin, problem.method.tolerance or 0.0
    by_series = problem.method.claims.name in ("taylor", "series")
    stages = min(SLIP_STAGES, series_order(tolerance)) if by_series else SLIP_STAGES
    form = radau(stages)
    allowed, strength = max(tolerance, SLIP_NOISE) * begin.touching.speed, begin.strength
    edges = np.concatenate([[0.0], form.nodes])
    between = 0.5 * (edges[1:] + edges[:-1])

    def rates(states: np.ndarray, times: np.ndarray) -> np.ndarray:
        return evaluate_again(problem.tape, problem.rows(states, times))

    tau = min(longest, 0.5 * (problem.until - t), problem.method.max_step or np.inf)
    for _ in range(SLIP_TRIALS):
        if tau < SHORTEST_FIRST_STEP * max(longest, abs(t)):
            return None
        found = collocate(rates, slips, t, problem.state, tau, _guess(rates, problem, begin, tau * form.nodes))
        if found is None or not _is_free_of_events(
            problem, found, t, tau * np.sort(np.concatenate([form.nodes, between]))
        ):
            tau *= 0.2
            continue
        places = np.repeat(found[None], len(between), axis=0)
        jacobians = places[:, nq:, 1:] * np.arange(1, found.shape[1])
        f = rates(horner(places, tau * between), t + tau * between)[:, nq:]
        defect = float(np.abs(horner(jacobians, tau * between) - f).max())
        last = float(np.abs(jacobians[0, :, -1]).max()) * tau ** (stages - 1) / comb(2 * stages - 2, stages - 1)
        limit = max(allowed / tau, SLIP_NOISE * strength)
        if last <= limit and defect <= DIRECTED * strength:
            return Steps(np.array([t, t + tau]), found[None])
        tau *= float(np.clip(0.8 * (limit / max(last, limit)) ** (1.0 / stages), 0.2, 0.8))
    return None


def _guess(rates: Rates, problem: Problem, begin: Begin, s: np.ndarray) -> np.ndarray:
    """Initial guess for the velocity changes (s, nv) at times s (s,) after the start, along the slips to come and as fast as forces
    grow.
    """
    nq, t, state = problem.model.nq, problem.begin, problem.state
    first = rates(state[None], np.array([t]))[0]
    later = begin.give_slips(
        t + s[-1], state + s[-1] * first, FIRST_SLIP_GUESS * begin.touching.speed * begin.directions
    )
    bend = (rates(later[None], t + s[-1:])[0] - first) / s[-1]
    bend[:nq] = 0.0
    guess = [begin.give_slips(t + one, state + one * first + 0.5 * one * one * bend) for one in s]
    return np.array(guess)[:, nq:] - state[nq:]


def _is_free_of_events(problem: Problem, found: np.ndarray, t: float, places: np.ndarray) -> bool:
    """Whether no event occurs on the way.

    Event functions may fall below their value at the tiny slip, since slips begin with less.
    """
    if problem.event_tape is None:
        return True
    states = horner(np.repeat(found[None], len(places), axis=0), places)
    values = evaluate_again(problem.event_tape, problem.rows(states, t + places))
    begin = evaluate_again(problem.event_tape, problem.rows(found[None, :, 0], np.array([t])))
    values = np.concatenate([np.where(np.isfinite(begin), begin, 0.0), values])
    crossed = values[1:] * values[:-1] < 0.0
    directions = np.array([event.direction for event in problem.events])
    return bool(np.all(np.isfinite(values))) and not np.any(crossed & (directions * values[1:] >= 0.0))


def without_direction(begin: Begin, t: float, state: np.ndarray) -> str | None:
    """A message that a slip begins from rest and its direction was not found; None if it has only one direction."""
    if not begin.may_turn(t, state):
        return None
    name = begin.touching.names[int(begin.rows[0]) // 3]
    return (
        f"unilateral constraint '{name}' begins to slip at t = {t:.9g} s, and the direction was not found; {USE_STEPS}"
    )


def precede(first: Steps, source: StepSource, width: int) -> StepSource:
    """A step and the steps that follow it, padded to the same number of coefficients, or to the usual ``width`` if none follow."""
    held: list[Steps] = []
    for steps in source:
        held.append(steps)
        if len(steps.coefficients) or steps.failure:
            break
    wide = max([steps.coefficients.shape[2] for steps in held if len(steps.coefficients)], default=width)
    n, own = first.coefficients.shape[1:]
    yield replace(
        first, coefficients=np.concatenate([first.coefficients, np.zeros((1, n, max(wide - own, 0)))], axis=2)
    )
    yield from held
    yield from source
