"""Round trips: one degree of freedom moves around its level curve of H, and the others are held."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.errors import MethodError, RunError
from vinculum.geometry.hamiltonian.flow.flow import Flow, Keep
from vinculum.geometry.hamiltonian.functions import PhaseFunction
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.starts import Starts
from vinculum.scalars import gradient, parameter, substitute
from vinculum.scalars import math as m
from vinculum.screws.sheets import TURN
from vinculum.tolerances.functions import POSITIVE
from vinculum.tolerances.iterations import ACTION_CROSSINGS, ACTION_RETURN
from vinculum.tolerances.samples import FEWEST_POINTS_OF_AN_ACTION, MOST_POINTS_OF_AN_ACTION
from vinculum.tolerances.sizes import MOST_STEPS_OF_AN_ACTION


@final
@dataclass(frozen=True, eq=False)
class RoundTrip:
    """A closed level curve of H over one degree of freedom: the ``period`` of the motion around it, the time up to its ``reference``,
    ``sign``: −1 where a coordinate turns backward, else 1; at N equal times, the start first, the ``curve`` (N, 2) of coordinate and
    momentum, and the ``rates`` (N, 2n) of all coordinates and momenta there."""

    period: float
    reference: float
    sign: float
    curve: np.ndarray
    rates: np.ndarray
    own: int

    @property
    def action(self) -> float:
        """∮ p dq / 2π, with the coordinate increasing if it turns."""
        return self.sign * float((self.curve[:, 1] * self.rates[:, self.own]).mean()) * self.period / TURN

    @property
    def means(self) -> np.ndarray:
        """Means of all rates (2n,) over the period."""
        return self.rates.mean(axis=0)

    def integral_of_rates(self, until: float) -> np.ndarray:
        """Integrals (2n,) of all rates from the start up to a time, of their trigonometric interpolants."""
        count = len(self.rates)
        terms = np.fft.rfft(self.rates, axis=0)[1 : (count + 1) // 2] / count
        speed = 1j * TURN / self.period * np.arange(1, len(terms) + 1)
        return self.means * until + 2.0 * np.real(((np.exp(speed * until) - 1.0) / speed) @ terms)


@final
@dataclass(frozen=True, eq=False)
class SingleFreedomMotion:
    """The motion of degree of freedom ``i`` of a Hamiltonian, from a start at which all others are held."""

    starts: Starts
    i: int
    is_angle: bool
    until: float
    tolerance: float

    @cached_property
    def space(self) -> PhaseSpace:
        """The phase space of one degree of freedom; the others are parameters."""
        whole, i, n = self.starts.space, self.i, self.starts.space.n
        others = [k for k in range(2 * n) if k not in (i, n + i)]
        graphs = np.array([whole.K, *whole.hessian.ravel()], dtype=object)
        graphs = substitute(
            graphs, [whole.x[k] for k in others], [parameter(self._parameter_name(k), 0.0) for k in others]
        )
        return PhaseSpace(
            whole.name, (whole.coordinates[i],), (whole.momenta[i],), whole.q[i : i + 1], whole.p[i : i + 1], whole.t, graphs[0], whole.w,
            graphs[1:].reshape(whole.hessian.shape), np.zeros(0, dtype=object),
        )  # fmt: skip

    def _parameter_name(self, k: int) -> str:
        whole = self.starts.space
        return f"_held_{(*whole.coordinates, *whole.momenta)[k]}"

    @cached_property
    def values(self) -> dict[str, float]:
        """Values of the parameters, those that are held included."""
        return self.starts.parameters | {self._parameter_name(k): float(x) for k, x in enumerate(self.starts.states[0])}

    @cached_property
    def start(self) -> np.ndarray:
        """Its coordinate and momentum (2,)."""
        return self.starts.states[0, [self.i, self.starts.space.n + self.i]]

    def measure(self, rates: PhaseFunction) -> RoundTrip:
        """One round, at as many points as its integrals need; ``rates``: those of the whole phase space."""
        own = PhaseFunction(self.space, ("f",), self.space.rates)
        speed, force = self._at(own, self.start)
        if speed == 0.0 and force == 0.0:
            raise MethodError(
                f"{self.space.where}: {self.space.coordinates[0]} is at rest, so that it has no action here; start beside the equilibrium"
            )
        period, reference, turns = self._times(speed, force)
        sign = -1.0 if turns and speed < 0.0 else 1.0
        points, before = FEWEST_POINTS_OF_AN_ACTION, None
        while True:
            trip = self._sample(rates, period, reference, sign, points)
            after = np.append(trip.means, trip.action)
            sizes = np.append(np.abs(trip.rates).max(axis=0), abs(trip.action))
            if before is not None and (np.abs(after - before) <= POSITIVE * sizes).all():
                return trip
            if points >= MOST_POINTS_OF_AN_ACTION:
                return trip
            before, points = after, 2 * points

    def _sample(self, rates: PhaseFunction, period: float, reference: float, sign: float, points: int) -> RoundTrip:
        instants = period * np.arange(1, points) / points
        later = Flow(self.space).run(self.start[None], self.values, 0.0, instants, self.tolerance).states[0]
        curve = np.concatenate([self.start[None], later])
        n = self.starts.space.n
        states = np.broadcast_to(self.starts.states[0], (points, 2 * n)).copy()
        states[:, [self.i, n + self.i]] = curve
        values = np.broadcast_to(self.starts.values, (points, len(self.starts.values)))
        found = rates.at_rows(np.concatenate([states, np.zeros((points, 1)), values], axis=1))
        return RoundTrip(period, reference, sign, curve, found, self.i)

    def _at(self, function: PhaseFunction, state: np.ndarray) -> np.ndarray:
        known = [self.values[name] for name in sorted(function.parameters)]
        return function.at_rows(np.concatenate([state, [0.0], known])[None])[0]

    def _times(self, speed: float, force: float) -> tuple[float, float, bool]:
        """Period, time up to the reference, and whether the coordinate turns."""
        space, start = self.space, self.start
        q, p, rate = space.q[0], space.p[0], space.explicit(space.rates)[0]
        sections = [(q - start[0]) * speed + (p - start[1]) * force, rate]
        sides = [1, -1]
        if self.is_angle:
            sections += [q - (start[0] + TURN * np.sign(speed or 1.0)), m.sin(0.5 * q)]
            sides += [0, 0]
        functions = tuple(PhaseFunction(space, ("section",), np.array(one, dtype=object)) for one in sections)
        flow = Flow(space, 0, functions, tuple(sides))
        course = flow.run(start[None], self.values, 0.0, np.array([self.until]), self.tolerance,
                          Keep(crossings=ACTION_CROSSINGS, steps=MOST_STEPS_OF_AN_ACTION))  # fmt: skip
        times, states, which = course.crossings[0]
        if self.is_angle:
            around = times[which == 2]
            if len(around) and not (np.any((which == 1) & (times < around[0]))):
                zero = times[which == 3]
                return float(around[0]), float(zero[0]) if len(zero) and zero[0] < around[0] else 0.0, True
        back = (which == 0) & (np.abs(states - start).max(axis=1) <= ACTION_RETURN * max(np.abs(start).max(), 1.0))
        if not back.any() and course.failed[0]:
            raise RunError(
                f"{space.where}: {space.coordinates[0]} does not return to its start, and its steps became too short or too many; it may "
                "be on a separatrix, which tends to an equilibrium and has no action: start beside it; or come near a place where H is not "
                "defined; or be unbounded, or an angle that turns: name it in angles="
            )
        if not back.any():
            raise RunError(
                f"{space.where}: {space.coordinates[0]} does not return to its start before t = {self.until:g}; it may be unbounded, or "
                "an angle that turns: name it in angles=, or give a later until="
            )
        period = float(times[back][0])
        slope = PhaseFunction(space, ("slope",), np.asarray(gradient(rate, [p]), dtype=object))
        at_top = speed == 0.0 and force * self._at(slope, start)[0] < 0.0
        top = times[which == 1]
        return period, 0.0 if at_top or not len(top) else float(top[0] % period), False
