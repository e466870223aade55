"""Random states of a Lagrangian system that keep its constraints."""

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.lagrangian.numbers import LagrangianNumbers
from vinculum.tolerances.constraints import CONSTRAINT_MET
from vinculum.tolerances.iterations import LAGRANGIAN_START_ROUNDS
from vinculum.tolerances.rank import LEFT_OUT_OF_STEPS


def keep_constraints(numbers: LagrangianNumbers, rows: np.ndarray) -> np.ndarray:
    """Rows (state, t, parameters) moved onto the constraints, each time as little as possible; those that do not get there are left out."""
    principle = numbers.principle
    if not principle.ideal and not principle.stationary:
        return rows
    moving = (principle.order + 1) * principle.n
    rows = rows.copy()
    with np.errstate(all="ignore"):
        for _ in range(LAGRANGIAN_START_ROUNDS):
            F, J = _residuals(numbers, rows, moving)
            rows[:, :moving] -= np.einsum("bnm,bm->bn", np.linalg.pinv(J, rcond=LEFT_OUT_OF_STEPS), F)
        F, J = _residuals(numbers, rows, moving)
        size = 1.0 + np.einsum("bmn,bn->bm", np.abs(J), np.abs(rows[:, :moving]))
        return rows[np.all(np.abs(F) <= CONSTRAINT_MET * size, axis=1)]


def _residuals(numbers: LagrangianNumbers, rows: np.ndarray, moving: int) -> tuple[np.ndarray, np.ndarray]:
    """What vanishes on the constraints (B, m), and its gradients (B, m, k); rows where one is not finite do not move and are not met."""
    found = evaluate_groups(numbers.conditions, rows)
    F, J = found["residuals"], found["gradients"].reshape(len(rows), -1, moving)
    good = np.asarray(np.isfinite(F).all(axis=1) & np.isfinite(J).all(axis=(1, 2)))
    return np.where(good[:, None], F, np.inf), np.where(good[:, None, None], J, 0.0)
