"""Both halves of a step of blocks: forces that are consistent with velocities, and coordinates on charts and conditions."""

from typing import final

import numpy as np

from vinculum.integrators.blocks_in_contact.fixed_points import next_iterate
from vinculum.integrators.blocks_in_contact.step import End, Step
from vinculum.integrators.blocks_in_contact.tables import BlockTables
from vinculum.models.model import Model
from vinculum.models.tabled.type import tabled_in
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.steps import (
    CONVERGED,
    IMPLICIT_ITERATIONS,
    NEARLY_CONVERGED,
    PLAIN_ITERATIONS,
    POINTS_KEPT,
)
from vinculum.tolerances.time_stepping import FORCE_ROUNDS


@final
class BlockFlights:
    """Halves of steps of a model over ``tables``; ``last``: the accelerations of the step before, from which the next ones begin."""

    def __init__(self, model: Model, tables: BlockTables):
        self._model, self._tables, self._is_piecewise = model, tables, tabled_in(model).is_piecewise
        places = [range(*place) for place in model.layout.quaternions]
        self._quaternions = np.array(places, dtype=np.int64).reshape(-1, 4)
        self.last = np.zeros(model.nv)

    def begin(self, step: Step) -> tuple[np.ndarray, np.ndarray, bool]:
        """Coordinates in the middle of a step, accelerations there without impulses, and whether these converged."""
        middle = self.on_charts(step.q + 0.5 * step.h * self._tables.coordinate_rates(step.q, step.v, step.t))
        self._tables.write_damping(middle, step.v, step.middle, step.h)
        return middle, *self.accelerate(middle, step, np.zeros_like(step.v), self.last)

    def accelerate(self, q: np.ndarray, step: Step, change: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, bool]:
        """The mean of the accelerations for the velocities before and after a step with a velocity ``change`` by impulses, from the guess
        ``a``, and whether they converged."""
        h, v, older, last = step.h, step.v, np.inf, np.inf
        begun, points, defects = self._tables.accelerations(q, v, step.middle), [], []
        for k in range(IMPLICIT_ITERATIONS):
            b = 0.5 * (begun + self._tables.accelerations(q, v + h * a + change, step.middle))
            size = max(*(np.abs(x).max(initial=0.0) for x in (v, h * b, change)), NEXT_TO_ZERO)
            left = float(np.abs(h * (b - a)).max(initial=0.0)) / size
            if left <= CONVERGED or (left <= NEARLY_CONVERGED and k > 1 and left >= older):
                return b, True
            if not np.isfinite(left):
                break
            older, last = last, left
            defect = self._tables.damping.with_forces(b - a)
            points, defects = [*points, a][-POINTS_KEPT:], [*defects, defect][-POINTS_KEPT:]
            a = next_iterate(points, defects) if k >= PLAIN_ITERATIONS else a + defect
        return a, last <= NEARLY_CONVERGED or self._is_piecewise

    def settle(self, middle: np.ndarray, step: Step, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Velocities after a step without contacts, how conditions change them at its end, consistent with the forces in the step, and
        accelerations."""
        h, v, closing, last = step.h, step.v, np.zeros_like(step.v), np.inf
        for _ in range(FORCE_ROUNDS):
            a, _settled = self.accelerate(middle, step, closing, a)
            end = self.end(middle, v + h * a, closing, step)
            left, size = (float(np.abs(x).max(initial=0.0)) for x in (end.closing - closing, v + h * a))
            closing = end.closing
            if not end.kept or left <= NEARLY_CONVERGED * size or not left < last:
                break
            last = left
        return v + h * a, closing, a

    def end(self, middle: np.ndarray, after: np.ndarray, closing: np.ndarray, step: Step) -> End:
        """The end of a step: q = q_m + h/2 N(q) v, brought onto all conditions. ``after``: velocities without what conditions change at the
        end; ``closing``: about how much that is."""
        v, h, t = after + closing, step.h, step.t + step.h
        q, last = middle, np.inf
        size = max(1.0, float(np.abs(middle).max(initial=0.0)))
        for _ in range(IMPLICIT_ITERATIONS):
            new = self.on_charts(middle + 0.5 * h * self._tables.coordinate_rates(q, v, t))
            left = float(np.abs(new - q).max(initial=0.0)) / size
            q = new
            if left <= CONVERGED or (left <= NEARLY_CONVERGED and left >= last) or not np.isfinite(left):
                break
            last = left
        if not self._tables.is_conditioned:
            return End(q, closing)
        q, kept = self.close(q, t)
        return End(q, self._tables.closing_change(q, after, t), kept)

    def close(self, q: np.ndarray, t: float) -> tuple[np.ndarray, bool]:
        """The nearest coordinates on all conditions, and whether there are some."""
        return self._tables.put_on_conditions(self._model, q, t)

    def on_charts(self, q: np.ndarray) -> np.ndarray:
        """Coordinates (nq,) with their quaternions brought back to length one."""
        if len(self._quaternions):
            Q = q[self._quaternions]
            q[self._quaternions] = Q / np.linalg.norm(Q, axis=1, keepdims=True)
        return q
