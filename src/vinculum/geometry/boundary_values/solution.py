"""The discrete problem solved by IPOPT: a least action, or any stationary one near a guess."""

from typing import Any, NamedTuple

import numpy as np

from vinculum.geometry.boundary_values.discrete import Discrete
from vinculum.tolerances.boundary_values import IPOPT_ACCEPTED, IPOPT_ITERATIONS, IPOPT_TOLERANCE

SOLVED = frozenset({"Solve_Succeeded", "Solved_To_Acceptable_Level", "Feasible_Point_Found"})


class Solution(NamedTuple):
    """Variables ``x``, ``multipliers`` of the rows, the ``action``, and what IPOPT said."""

    x: np.ndarray
    multipliers: np.ndarray
    action: float
    status: str

    @property
    def is_solved(self) -> bool:
        return self.status in SOLVED


def solver(problem: dict[str, Any]) -> Any:
    """IPOPT on a problem of CasADi, without words."""
    import casadi as ca

    ipopt = {"print_level": 0, "sb": "yes", "max_iter": IPOPT_ITERATIONS, "tol": IPOPT_TOLERANCE, "acceptable_tol": IPOPT_ACCEPTED,
             "constr_viol_tol": IPOPT_TOLERANCE, "mu_strategy": "adaptive"}  # fmt: skip
    options = {"ipopt": ipopt, "print_time": False, "error_on_fail": False, "calc_lam_p": False}
    return ca.nlpsol("solver", "ipopt", problem, options)


def bounds(discrete: Discrete) -> tuple[np.ndarray, np.ndarray]:
    """Limits of the variables: those of the end time; the others have none."""
    low, high = (np.full(discrete.x.shape[0], x) for x in (-np.inf, np.inf))
    low[-1], high[-1] = discrete.conditions.until
    return low, high


def solve_least(discrete: Discrete, guess: np.ndarray) -> Solution:
    """A curve whose action is least among its neighbors."""
    low, high = bounds(discrete)
    run = solver({"x": discrete.x, "f": discrete.objective, "g": discrete.rows})
    found = run(x0=guess, lbx=low, ubx=high, lbg=discrete.low, ubg=discrete.high)
    return Solution(_row(found["x"]), _row(found["lam_g"]), float(found["f"]), run.stats()["return_status"])


def solve_stationary(discrete: Discrete, guess: np.ndarray, multipliers: np.ndarray | None = None) -> Solution:
    """A curve near the guess whose action is stationary: a root of the gradient of the action with multipliers."""
    import casadi as ca

    lam = ca.MX.sym("lam", discrete.rows.shape[0])
    timed = discrete.conditions.is_timed
    whole = discrete.objective + ca.dot(lam, discrete.rows)
    slopes = ca.gradient(whole, discrete.x)
    slopes = slopes[:-1] if timed else slopes
    low, high = bounds(discrete)
    none = np.full(len(discrete.low), np.inf)
    run = solver({"x": ca.vertcat(discrete.x, lam), "f": 0, "g": ca.vertcat(slopes, discrete.rows)})
    zeros = np.zeros(slopes.shape[0])
    start = np.zeros(len(none)) if multipliers is None else multipliers
    found = run(x0=np.concatenate([guess, start]), lbx=np.concatenate([low, -none]), ubx=np.concatenate([high, none]),
                lbg=np.concatenate([zeros, discrete.low]), ubg=np.concatenate([zeros, discrete.high]))  # fmt: skip
    both = _row(found["x"])
    x, lam_x = both[: len(guess)], both[len(guess) :]
    action = float(ca.Function("action", [discrete.x], [discrete.objective])(x))
    return Solution(x, lam_x, action, run.stats()["return_status"])


def _row(x: Any) -> np.ndarray:
    return np.asarray(x.full(), dtype=float).ravel()
