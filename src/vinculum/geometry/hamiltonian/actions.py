"""Action and angle variables where one degree of freedom at a time oscillates or turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import MethodError, RunError
from vinculum.geometry.hamiltonian.arguments import name_list, positive_number
from vinculum.geometry.hamiltonian.flow.flow import Flow, check_free, check_tolerance
from vinculum.geometry.hamiltonian.functions import PhaseFunction
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.starts import Starts, starts_of
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.geometry.hamiltonian.walls import check_unbounded
from vinculum.scalars import depends_on, gradient
from vinculum.scalars import math as m
from vinculum.tolerances.functions import POSITIVE
from vinculum.tolerances.iterations import ACTION_CROSSINGS, ACTION_RETURN
from vinculum.tolerances.samples import FEWEST_POINTS_OF_AN_ACTION, MOST_POINTS_OF_AN_ACTION
from vinculum.tolerances.sizes import MOST_STEPS_OF_AN_ACTION
from vinculum.tolerances.steps import ORBIT_TOLERANCE

TURN = 2.0 * np.pi


@final
@dataclass(frozen=True, eq=False)
class ActionAngles:
    """``actions`` (n,), ``frequencies`` ω = ∂H/∂J (n,) and ``angles`` θ (n,) at a state, in the order of the coordinates.

    The angle of an oscillation is 0 where its coordinate is largest; that of a coordinate that turns is 0 where the coordinate is.
    """

    actions: np.ndarray
    frequencies: np.ndarray
    angles: np.ndarray

    def __repr__(self):
        return f"ActionAngles(actions {np.array2string(self.actions, precision=9)})"


def action_angles(hamiltonian: Hamiltonian, q, p, *, until: float = 1e4, angles: Sequence[str] = (), tolerance: float = ORBIT_TOLERANCE,
                  parameters: Mapping[str, float] | None = None) -> ActionAngles:  # fmt: skip
    r"""Action and angle variables at a state ``q``, ``p`` (n,).

    .. math:: J_i = \frac1{2\pi}\oint p_i\,dq^i,\qquad \dot\theta_i = \omega_i = \frac{\partial H}{\partial J_i}

    They exist here for one degree of freedom, for sums of such, and with cyclic coordinates, whose momenta are their actions: each
    coordinate that H holds must move by itself if momenta of cyclic ones are constant. ``angles``: coordinates with period 2π, which may
    turn. ``until``: time within which every oscillation must return.
    """
    starts = starts_of(hamiltonian, q, p, 0.0, parameters)
    space = starts.space
    if not starts.one:
        raise MethodError(f"{space.where}: action and angle variables are those of one state; give one")
    check_free(space, "action and angle variables")
    check_unbounded(space, "a round trip of action variables")
    _check_separable(space)
    angles, until = (
        name_list(space.where, "angles", angles, space.coordinates),
        positive_number(space.where, "until", until),
    )
    tolerance, n = check_tolerance(space.where, tolerance), space.n
    cyclic = _cyclic(space)
    J, omega, theta = starts.states[0, n:].copy(), np.zeros(n), starts.states[0, :n].copy()
    rates = PhaseFunction(space, ("f",), space.explicit(space.rates))
    first = rates.at_rows(np.concatenate([starts.states[0], [0.0], starts.values])[None])[0]
    drift = {i: first[i] for i in cyclic}
    back = dict.fromkeys(cyclic, 0.0)
    for i in (k for k in range(n) if k not in cyclic):
        cycle = _Cycle(
            starts, i, space.coordinates[i] in angles, until, tolerance, float(first[i]), float(first[n + i])
        )
        round_trip = cycle.measure(rates, cyclic)
        sign = -1.0 if round_trip.turns and first[i] < 0.0 else 1.0
        J[i], omega[i] = sign * round_trip.action, sign * TURN / round_trip.period
        theta[i] = -sign * TURN * round_trip.reference / round_trip.period % TURN
        for k in cyclic:
            drift[k] += round_trip.means[k] - first[k]
            back[k] += round_trip.gained[k] - round_trip.means[k] * round_trip.reference
    for k in cyclic:
        omega[k] = drift[k]
        theta[k] = (theta[k] + back[k]) % TURN if space.coordinates[k] in angles else theta[k] + back[k]
    return ActionAngles(J, omega, theta)


def _cyclic(space: PhaseSpace) -> list[int]:
    """Coordinates that H does not hold."""
    return [i for i in range(space.n) if not depends_on(np.append(space.explicit(space.rates), 0.0), [space.q[i]])]


def _check_separable(space: PhaseSpace) -> None:
    f, n = space.explicit(space.rates), space.n
    if depends_on(f, [space.t]):
        raise MethodError(f"{space.where} depends on time, so that it has no action and angle variables here")
    cyclic = _cyclic(space)
    moving = [i for i in range(n) if i not in cyclic]
    for i in moving:
        for j in moving:
            if j != i and depends_on(f[[i, n + i]], [space.q[j], space.p[j]]):
                raise MethodError(
                    f"{space.where}: {space.coordinates[i]} and {space.coordinates[j]} move each other, and only sums of degrees of "
                    "freedom that move by themselves, with cyclic coordinates, are treated; find coordinates in which H is such a sum, or "
                    "use frequencies() on a motion"
                )


@final
@dataclass(frozen=True, eq=False)
class _RoundTrip:
    """Period, time to the reference, whether the coordinate turns, action, and for each cyclic coordinate its mean rate and its change up
    to the reference."""

    period: float
    reference: float
    turns: bool
    action: float
    means: dict[int, float]
    gained: dict[int, float]


@final
@dataclass(frozen=True, eq=False)
class _Cycle:
    """One oscillation or rotation: that of coordinate ``i``; its rate at the start is ``speed``, and that of its momentum ``force``."""

    starts: Starts
    i: int
    is_angle: bool
    until: float
    tolerance: float
    speed: float
    force: float

    def measure(self, rates: PhaseFunction, cyclic: list[int]) -> "_RoundTrip":
        """Everything that one round gives; ``cyclic``: coordinates whose rates are averaged over it."""
        period, reference, turns = self._times()
        points, before = FEWEST_POINTS_OF_AN_ACTION, np.inf
        while True:
            states, found = self._rates(rates, period * np.arange(1, points + 1) / points)
            action = float((states[:, self.starts.space.n + self.i] * found[:, self.i]).mean() * period / TURN)
            if abs(action - before) <= POSITIVE * abs(action) or points >= MOST_POINTS_OF_AN_ACTION:
                break
            before, points = action, 2 * points
        means = {k: float(found[:, k].mean()) for k in cyclic}
        gained = dict.fromkeys(cyclic, 0.0)
        if reference > 0.0 and cyclic:
            nodes, weights = np.polynomial.legendre.leggauss(FEWEST_POINTS_OF_AN_ACTION)
            _, found = self._rates(rates, 0.5 * reference * (nodes + 1.0))
            gained = {k: float(0.5 * reference * weights @ found[:, k]) for k in cyclic}
        return _RoundTrip(period, reference, turns, abs(action) if turns else action, means, gained)

    def _rates(self, rates: PhaseFunction, instants: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """States (T, 2n) with this degree of freedom moving and the others at the start, and the rates there."""
        i, n, count = self.i, self.starts.space.n, len(instants)
        states = np.broadcast_to(self.starts.states[0], (count, 2 * n)).copy()
        states[:, [i, n + i]] = self._states(instants)[:, [i, n + i]]
        values = np.broadcast_to(self.starts.values, (count, len(self.starts.values)))
        return states, rates.at_rows(np.concatenate([states, np.zeros((count, 1)), values], axis=1))

    def _states(self, instants: np.ndarray) -> np.ndarray:
        flow = Flow(self.starts.space)
        return flow.run(self.starts.states, self.starts.parameters, 0.0, instants, self.tolerance).states[0]

    def _times(self) -> tuple[float, float, bool]:
        """Period, time up to the reference, and whether the coordinate turns."""
        space, i, n = self.starts.space, self.i, self.starts.space.n
        start, f = self.starts.states[0], space.explicit(space.rates)
        here = (space.q[i] - start[i]) * self.speed + (space.p[i] - start[n + i]) * self.force
        sections = [here, f[i]]
        sides = [1, -1]
        if self.is_angle:
            sections += [space.q[i] - (start[i] + TURN * np.sign(self.speed or 1.0)), m.sin(0.5 * space.q[i])]
            sides += [0, 0]
        functions = tuple(PhaseFunction(space, ("section",), np.array(one, dtype=object)) for one in sections)
        flow = Flow(space, 0, functions, tuple(sides))
        course = flow.run(
            self.starts.states,
            self.starts.parameters,
            0.0,
            np.array([self.until]),
            self.tolerance,
            crossings=ACTION_CROSSINGS,
            most=MOST_STEPS_OF_AN_ACTION,
        )
        times, states, which = course.crossings[0]
        size = np.abs(start[[i, n + i]]).max()
        if self.speed == 0.0 and self.force == 0.0:
            raise MethodError(
                f"{space.where}: {space.coordinates[i]} is at rest, so that it has no action here; start beside the equilibrium"
            )
        if self.is_angle:
            around = times[which == 2]
            if len(around) and not (np.any((which == 1) & (times < around[0]))):
                zero = times[which == 3]
                return float(around[0]), float(zero[0]) if len(zero) and zero[0] < around[0] else 0.0, True
        back = (which == 0) & (
            np.abs(states[:, [i, n + i]] - start[[i, n + i]]).max(axis=1) <= ACTION_RETURN * max(size, 1.0)
        )
        top = times[which == 1]
        if not back.any() and course.failed[0]:
            raise RunError(
                f"{space.where}: {space.coordinates[i]} does not return to its start, and its steps became too short or too many; it may "
                "be on a separatrix, which tends to an equilibrium and has no action: start beside it; or come near a place where H is not "
                "defined; or be unbounded, or an angle that turns: name it in angles="
            )
        if not back.any():
            raise RunError(
                f"{space.where}: {space.coordinates[i]} does not return to its start before t = {self.until:g}; it may be unbounded, or "
                "an angle that turns: name it in angles=, or give a later until="
            )
        period = float(times[back][0])
        at_top = self.speed == 0.0 and self.force * _slope(self.starts, f[i], i) < 0.0
        return period, 0.0 if at_top or not len(top) else float(top[0] % period), False


def _slope(starts: Starts, rate, i: int) -> float:
    """∂q̇/∂p of one degree of freedom at the start."""
    space = starts.space
    made = PhaseFunction(space, ("slope",), np.asarray(gradient(rate, [space.p[i]]), dtype=object))
    return float(made.at_rows(np.concatenate([starts.states[0], [0.0], starts.values])[None])[0, 0])
