"""Taylor series of a motion in quadruple precision, from a state that satisfies its conditions to that precision.

Suppose a state near a singular position violates its conditions by δ. Its motion departs from the correct one after a time of about √δ.
The high orders of its series show this much earlier. With δ of 1e-33 they do not.
"""

import math
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.compile.targets.heyoka import expressions, heyoka
from vinculum.equations.constraints.closures import STIFFNESS
from vinculum.equations.lagrangian.first_order_form import DECAY
from vinculum.integrators.watch.modes import switched_of
from vinculum.integrators.watched_rows import WatchedRows
from vinculum.motion.problem import Problem
from vinculum.tolerances.iterations import EXACT_ROUNDS

_one_at_a_time = Lock()


def exact_series(
    problem: Problem, rows: WatchedRows, t: float, state: np.ndarray, numbers: np.ndarray, left: np.ndarray, order: int
) -> np.ndarray:
    """Coefficients (n, order + 1) of the series from the corrected state, at which the conditions have the residuals ``left``.

    ``numbers``: modes and parameters, as the integrator has them. Violations do not decay in these series.
    """
    number = _precise()
    x = _on_conditions(rows, t, _precisely(state), problem.parameters, left)
    numbers = numbers.copy()
    feedback = [name in (STIFFNESS, DECAY) for name in problem.model.parameter_names]
    numbers[len(numbers) - len(feedback) :][feedback] = 0.0
    with _one_at_a_time:
        ta = _integrator(problem.tape, order)
        ta.time = number(t)
        ta.state[:] = x
        ta.pars[:] = _precisely(numbers)
        ta.step(write_tc=True)
        return np.array(ta.tc).astype(float)


def exact_residuals(rows: WatchedRows, t: float, state: np.ndarray, parameters: np.ndarray) -> np.ndarray:
    """Residuals of the conditions at a state, in quadruple precision."""
    return np.array(_residuals(rows.tape, tuple(rows.residuals.tolist()))(_precisely([*state, t, *parameters])))


def _on_conditions(rows: WatchedRows, t: float, x: np.ndarray, parameters: np.ndarray, left: np.ndarray) -> np.ndarray:
    change = rows.corrections(x.astype(float), t)
    for _ in range(EXACT_ROUNDS):
        x = x + _precisely(change((exact_residuals(rows, t, x, parameters) - left).astype(float)))
    return x


def _precisely(x) -> np.ndarray:
    number = _precise()
    return np.array([a if isinstance(a, number) else number(float(a)) for a in x])


def _precise() -> Any:
    """The number type with the most digits that heyoka supports."""
    return getattr(heyoka(), "real128", np.longdouble)


@lru_cache(maxsize=16)
def _residuals(tape: Tape, which: tuple[int, ...]) -> Any:
    hy = heyoka()
    inputs = [hy.make_vars(f"x{i}") for i in range(tape.n_in)]
    every = expressions(tape, inputs)
    return hy.cfunc([every[i] for i in which], vars=inputs, fp_type=_precise(), compact_mode=True)


@lru_cache(maxsize=16)
def _integrator(tape: Tape, order: int) -> Any:
    hy, number = heyoka(), _precise()
    form = switched_of(tape) if tape.is_piecewise() else None
    n, modes = tape.n_out, form.width if form else 0
    state = [hy.make_vars(f"s{i}") for i in range(n)]
    given = [hy.par[i] for i in range(modes + tape.n_in - n - 1)]
    right = expressions(form.smooth if form else tape, [*state, hy.time, *given])
    return hy.taylor_adaptive(
        list(zip(state, right, strict=True)), [number(0.0)] * n, tol=number(_tolerance_of(order)), fp_type=number,
        pars=[number(0.0)] * len(given), compact_mode=True,
    )  # fmt: skip


def _tolerance_of(order: int) -> float:
    """The largest tolerance for which heyoka takes series of this order: it takes the least order above 1 − ½ log tolerance."""
    return math.exp(2.0 * (1.25 - order))
