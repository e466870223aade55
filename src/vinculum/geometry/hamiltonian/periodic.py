"""Periodic orbits by shooting, and their Floquet multipliers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import MethodError, RunError, shorten
from vinculum.geometry.hamiltonian.arguments import one_choice, positive_number
from vinculum.geometry.hamiltonian.flow.flow import Flow, Keep, check_course, check_free, check_tolerance
from vinculum.geometry.hamiltonian.functions import PhaseFunction
from vinculum.geometry.hamiltonian.phase_space import depends_on_time
from vinculum.geometry.hamiltonian.starts import Starts, starts_of
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.geometry.hamiltonian.walls import Wall, with_walls
from vinculum.motion.arguments import floats
from vinculum.screws.entries import is_number
from vinculum.tolerances.iterations import ORBIT_HALVINGS, ORBIT_ROUNDS, PERIOD_KNOWN, SHOOTING_ENOUGH
from vinculum.tolerances.rank import LEFT_OUT_OF_STEPS
from vinculum.tolerances.sizes import MOST_STEPS_OF_A_PERIOD
from vinculum.tolerances.steps import ORBIT_TOLERANCE


@final
@dataclass(frozen=True, eq=False)
class PeriodicOrbit:
    """A state ``q``, ``p`` (n,) to which the motion returns after ``period``, its ``energy``, and the ``monodromy`` matrix (2n, 2n) of the
    flow over a period. ``residual``: the largest distance from the start after a period; ``impacts``: how many it has."""

    q: np.ndarray
    p: np.ndarray
    period: float
    energy: float
    monodromy: np.ndarray
    residual: float
    impacts: int

    @property
    def multipliers(self) -> np.ndarray:
        """Floquet multipliers (2n,): eigenvalues of the monodromy matrix, largest modulus first."""
        found = np.linalg.eigvals(self.monodromy)
        return found[np.argsort(-np.abs(found), kind="stable")]

    def __repr__(self):
        return f"PeriodicOrbit(period {self.period:.9g}, energy {self.energy:.9g}, largest multiplier {np.abs(self.multipliers[0]):.6g})"


def periodic_orbit(hamiltonian: Hamiltonian, q, p, period: float, *, at_energy: float | None = None, fixed: str = "energy",
                   shift=None, tolerance: float = ORBIT_TOLERANCE, walls: Sequence[Wall] = (),
                   parameters: Mapping[str, float] | None = None) -> PeriodicOrbit:  # fmt: skip
    r"""The periodic orbit near a guess ``q``, ``p`` (n,) and ``period``, by Newton's method.

    .. math:: x(T; x_0) = x_0 + (s, 0),\qquad f(x_0)\cdot\delta x_0 = 0

    ``fixed``: "energy" keeps H at ``at_energy``, or at its value at the guess, and finds the period; "period" keeps it. A Hamiltonian
    that depends on time keeps the period always, and so does a wall that moves: give that of the forcing, or a multiple of it.
    ``shift`` (n,): how much coordinates grow in a period, as 2π for an angle that turns. ``walls``: beside the unilateral constraints
    of a system; the saltation of impacts enters the monodromy matrix.
    """
    period = positive_number("periodic_orbit", "period", period)
    hamiltonian = with_walls(hamiltonian, walls)
    starts = starts_of(hamiltonian, q, p, 0.0, parameters)
    space = starts.space
    if not starts.one:
        raise MethodError(f"{space.where}: shooting is for one guess; give one start")
    check_free(space, "shooting")
    fixed = one_choice(space.where, "fixed", fixed, ("energy", "period"))
    moving = depends_on_time(space)
    if at_energy is not None and (moving or fixed == "period" or not is_number(at_energy)):
        why = (
            "H depends on time"
            if moving
            else "the period is fixed"
            if fixed == "period"
            else f"it is {shorten(at_energy)}"
        )
        raise MethodError(f"{space.where}: at_energy= cannot be met: {why}; give a number, or leave it out")
    n = 2 * space.n
    goal = np.zeros(n)
    if shift is not None:
        goal[: space.n] = _shift(space.where, shift, space.n)
    shot = _Shot(starts, Flow(space, n), check_tolerance(space.where, tolerance), goal)
    slopes = PhaseFunction(space, ("H",), np.append(space.explicit(space.K), space.explicit(space.rates)))
    x, T = starts.states[0], period
    E = hamiltonian(x[: space.n], x[space.n :], 0.0, starts.parameters) if at_energy is None else float(at_energy)
    free_period = fixed == "energy" and not moving
    shot.flow.check_starts(starts.states, starts.parameters, 0.0)
    miss, M, f_end, impacts = shot.fire(x, T)
    enough = SHOOTING_ENOUGH * max(shot.tolerance, ORBIT_TOLERANCE)
    for _ in range(ORBIT_ROUNDS):
        H, *rates = slopes(x[: space.n], x[space.n :], 0.0, starts.parameters)
        f = np.array(rates)
        size = max(1.0, np.abs(x).max())
        off = (H - E) if free_period else 0.0
        if np.abs(miss).max() <= enough * size and abs(off) <= enough * max(1.0, abs(E)):
            break
        rows, right = [M - np.eye(n)], [-miss]
        if free_period:
            gradient = np.concatenate([-f[space.n :], f[: space.n]])
            rows[0] = np.concatenate([rows[0], f_end[:, None]], axis=1)
            rows += [np.append(f, 0.0)[None], np.append(gradient, 0.0)[None]]
            right += [[0.0], [-off]]
        elif not moving:
            rows += [f[None]]
            right += [[0.0]]
        step = np.linalg.lstsq(np.concatenate(rows), np.concatenate(right), rcond=LEFT_OUT_OF_STEPS)[0]
        for half in range(ORBIT_HALVINGS):
            trial, T_new = x + 0.5**half * step[:n], T + (0.5**half * step[n] if free_period else 0.0)
            if period / PERIOD_KNOWN < T_new < period * PERIOD_KNOWN:
                found = shot.attempt(trial, T_new)
                if found is not None and (
                    np.abs(found[0]).max() < max(np.abs(miss).max(), abs(off))
                    or np.abs(found[0]).max() <= enough * size
                ):
                    x, T, (miss, M, f_end, impacts) = trial, T_new, found
                    break
        else:
            raise _search_error(space.where, miss)
    else:
        raise _search_error(space.where, miss)
    H = float(slopes(x[: space.n], x[space.n :], 0.0, starts.parameters)[0])
    return PeriodicOrbit(x[: space.n], x[space.n :], T, H, M, float(np.abs(miss).max()), impacts)


def _shift(where: str, shift, n: int) -> np.ndarray:
    found = floats(f"{where}: shift", shift)
    if found.shape != (n,):
        raise MethodError(
            f"{where}: shift has shape {found.shape}; give {n} numbers, by how much coordinates grow in a period"
        )
    return found


def _search_error(where: str, miss: np.ndarray) -> RunError:
    return RunError(
        f"{where}: no periodic orbit was found near the guess, the motion misses its start by {np.abs(miss).max():.3g}; give a better "
        "guess, from a section that the motion nearly returns to"
    )


@final
@dataclass(frozen=True, eq=False)
class _Shot:
    """Runs over a period with all deviations."""

    starts: Starts
    flow: Flow
    tolerance: float
    goal: np.ndarray

    def attempt(self, x: np.ndarray, T: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, int] | None:
        """The same from a trial start; None if it is behind a wall, or if its motion cannot be followed."""
        if self.flow.behind_wall(x[None], self.starts.parameters, 0.0) is not None:
            return None
        try:
            return self.fire(x, T)
        except RunError:
            return None

    def fire(self, x: np.ndarray, T: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        """What the motion misses its start by (2n,), the monodromy matrix, the rates at the end, and the number of impacts."""
        n, space = len(x), self.starts.space
        start = np.concatenate([x, np.eye(n).ravel()])[None]
        course = self.flow.run(
            start, self.starts.parameters, 0.0, np.array([T]), self.tolerance, Keep(steps=MOST_STEPS_OF_A_PERIOD)
        )
        check_course(space, course)
        end = course.states[0, 0]
        rates = PhaseFunction(space, ("f",), space.rates)
        row = np.concatenate([end[:n], [T], self.starts.values])[None]
        return end[:n] - x - self.goal, end[n:].reshape(n, n).T, rates.at_rows(row)[0], int(course.impacts[0])
