"""Steps of a Taylor series that may have missed a steep layer or a corner: they are detected and repeated with shorter lengths.

A series of finite order does not see tanh(v/ε) until v is within a few ε of zero, because its terms are exponentially small. The series
of |v| = √(v·v) continues as −|v| beyond v = 0. A step that ends beyond such a position has the wrong rates there, and this can be
checked.
"""

from functools import lru_cache
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_again
from vinculum.compile.tape import Tape
from vinculum.integrators.taylor.sizes import series_sizes
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.round_off import NEAR_ROUND_OFF, NEXT_TO_ZERO
from vinculum.tolerances.steps import (
    DEFECT_SAFETY,
    DOUBTFUL,
    FORETOLD,
    LAST_ORDERS,
    MOST_NOISE,
    OF_THE_RUN,
    SAFE_STEP,
    SHORTER,
    SHORTEST,
)
from vinculum.tolerances.time import SAME_INSTANT

ANALYTIC = frozenset({"add", "sub", "mul", "div", "neg", "sin", "cos"})
PLACES = (0.5, 1.0)


@final
class Careful:
    """Limits on the length and the end of the next steps."""

    def __init__(self, problem: Problem):
        self._problem = problem
        self._needed = not _continues_itself(problem.tape)
        self._given = np.inf if problem.method.max_step is None else problem.method.max_step
        self._short, self._short_until = np.inf, -np.inf

    @property
    def longest(self) -> float:
        return min(self._given, self._short)

    def until(self, t: float) -> float:
        """Where the next call must end; steps may be long again after the doubtful interval."""
        if t >= self._short_until:
            self._short, self._short_until = np.inf, -np.inf
            return self._problem.until
        return min(self._short_until, self._problem.until)

    def bounds(self, order: int) -> tuple[int, np.ndarray]:
        """The lowest of the orders before the last two of a series that are checked, and the largest acceptable terms of these orders."""
        return _bounds(order, self._problem.method.tolerance or 0.0)

    def too_long(self, steps: Steps) -> int | None:
        """The first step whose length follows from coefficients that happen to be small, while other coefficients forbid it; None if
        there is none.

        Step lengths follow from the last two orders of the series. A pendulum released where its force is largest has only every fourth
        order, and those two may both vanish. Therefore each order j of the four before them predicts the first omitted term, as (term
        j)^((p + 1)/j).
        """
        c = steps.coefficients
        if not len(c):
            return None
        order, h = c.shape[2] - 1, np.diff(steps.times)
        upper = _upper(order)
        values, terms = series_sizes(c, upper[0], upper[-1] + 1)
        norms = terms / np.maximum(values, 1.0)[:, None]
        powers = np.multiply.accumulate(np.repeat(h[:, None], len(upper), axis=1), axis=1)
        powers *= (h ** (upper[0] - 1))[:, None]
        largest = self.bounds(order)[1]
        suspect = (norms * powers > largest).any(axis=1)
        if not suspect.any():
            return None
        with np.errstate(divide="ignore", over="ignore"):
            safe = np.exp(-2.0) * (norms ** (-1.0 / upper)).min(axis=1)
        clock = SAFE_STEP * np.maximum(np.abs(steps.times[:-1]), self._problem.until - self._problem.begin)
        wrong = suspect & (h > 1.05 * safe) & (safe > clock)
        if not wrong.any():
            return None
        k = int(np.argmax(wrong))
        self._short, self._short_until = float(safe[k]), float(steps.times[k] + safe[k])
        return k

    def first_doubtful(self, steps: Steps, switches: list[float]) -> int | None:
        """The first step whose series disagrees with the model's rates in its middle or at its end."""
        if not self._needed or not len(steps.coefficients):
            return None
        h = np.diff(steps.times)
        orders = np.arange(1, steps.coefficients.shape[2])
        jacobians = steps.coefficients[:, :, 1:] * orders
        half = self._problem.model.nq
        bad, noise = np.zeros(len(h), dtype=bool), np.zeros(len(h))
        for place in (0.0, *PLACES):
            t = steps.times[:-1] + place * h
            states, rates = horner(np.asarray(steps.coefficients), place * h), horner(jacobians, place * h)
            model = evaluate_again(self._problem.tape, self._problem.rows(states, t))
            defect = np.abs(rates - model) * h[:, None]
            if place == 0.0:
                seen = defect.max(axis=1, initial=0.0)
                noise = np.where(seen < MOST_NOISE, DEFECT_SAFETY * seen, 0.0) + NEAR_ROUND_OFF
                continue
            wrong = np.zeros(len(h), dtype=bool)
            for part in (slice(0, half), slice(half, None)):
                size = np.abs(states[:, part]).max(axis=1, initial=0.0) + (np.abs(rates[:, part]) * h[:, None]).max(
                    axis=1, initial=0.0
                )
                wrong |= ~(defect[:, part].max(axis=1, initial=0.0) <= DOUBTFUL * size + noise)
            if place == 1.0 and switches:
                wrong &= np.abs(np.array(switches)[:, None] - t).min(axis=0) > SAME_INSTANT * np.maximum(
                    np.abs(t), NEXT_TO_ZERO
                )
            bad |= wrong
        return int(np.argmax(bad)) if bad.any() else None

    def shorten(self, steps: Steps, doubtful: int) -> bool:
        """Request shorter steps over a doubtful one; False if they are already as short as allowed."""
        begin, end = steps.times[doubtful], steps.times[doubtful + 1]
        shorter = SHORTER * (end - begin)
        if shorter < SHORTEST * max(abs(end), self._problem.until - self._problem.begin) * OF_THE_RUN:
            return False
        self._short, self._short_until = shorter, max(end, self._short_until)
        return True


@lru_cache(maxsize=64)
def _bounds(order: int, tolerance: float) -> tuple[int, np.ndarray]:
    upper = _upper(order)
    return int(upper[0]), (FORETOLD * tolerance) ** (upper / (order + 1))


def _upper(order: int) -> np.ndarray:
    return np.arange(max(order - LAST_ORDERS, 1), max(order - 1, 2))


@lru_cache(maxsize=64)
def _continues_itself(tape: Tape) -> bool:
    """Whether the series of all operations of a tape give their values wherever they converge: no root changes its sign."""
    if tape.names() - ANALYTIC - {"pow"}:
        return False
    exponents = np.array([operands[1] for name, _, operands in tape.rows() if name == "pow"], dtype=int)
    given = exponents - tape.n_in
    if np.any((given < 0) | (given >= len(tape.constants))):
        return False
    powers = tape.constants[given]
    return bool(np.all((powers < 0.0) | (powers == np.rint(powers))))
