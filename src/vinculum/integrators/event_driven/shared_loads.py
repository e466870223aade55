"""Non-unique loads of unilateral constraints: the forces farthest inside all friction cones."""

from typing import final

import numpy as np

from vinculum.integrators.event_driven.contacts import Contacts
from vinculum.tolerances.event_driven import (
    BALANCED,
    BARRIER_RCOND,
    FINER_BARRIER,
    FINEST_BARRIER,
    LARGEST_LOAD,
    LOAD_DAMPED,
    LOAD_FOUND,
    LOAD_HALVINGS,
    LOAD_NEWTON_STEPS,
)
from vinculum.tolerances.rank import DEPENDENT_ROWS

SIGNS = np.array([1.0, -1.0, -1.0])


@final
class Shares:
    r"""All forces λ (n,) with A λ = b, and their distance s to the friction cones, λ_N − |D⁻¹ λ_T| ≥ s, relative to the largest force.

    ``columns`` (m, 3): positions of the normal and friction forces of each contact among the n unknowns; friction has the position n if
    there is none or if it follows from the normal force. ``axes`` (m, 2): half axes of the ellipse D. ``free`` (m,): contacts whose
    forces may vary, because no friction follows from them. ``spread``: matrix that maps λ to the forces of all unilateral constraints.
    ``shared``: contacts among the m whose forces are not unique. ``balanced``: whether A λ = b has a solution.
    """

    def __init__(
        self, A: np.ndarray, b: np.ndarray, columns: np.ndarray, axes: np.ndarray, free: np.ndarray, spread: np.ndarray
    ):
        n = A.shape[1]
        units = np.ones(n + 1)
        held = columns[:, 1] < n
        units[columns[held, 1:]] = axes[held]
        self._units, self._columns, self._spread = units[:n], columns, spread
        scaled = A * self._units
        self._least = np.linalg.lstsq(scaled, b, rcond=DEPENDENT_ROWS)[0]
        self._scale = max(float(np.abs(self._least).max(initial=0.0)), np.finfo(float).tiny)
        terms = np.abs(scaled) @ np.abs(self._least)
        self.balanced = bool(np.all(np.abs(scaled @ self._least - b) <= BALANCED * terms.max(initial=0.0)))
        places = np.unique(columns[free])
        places = places[places < n]
        idle = _idle(scaled, columns[held, 1:], DEPENDENT_ROWS * float(np.linalg.norm(scaled, ord=2)) if n else 0.0)
        _, sizes, turned = np.linalg.svd(np.concatenate([scaled, idle])[:, places])
        rank = int(np.sum(sizes > DEPENDENT_ROWS * sizes.max(initial=0.0)))
        self._ways = np.zeros((n + 1, len(places) - rank))
        self._ways[places] = turned[rank:].T
        self.shared = np.flatnonzero(np.abs(self._ways[columns]).max(axis=(1, 2), initial=0.0) > DEPENDENT_ROWS)

    def every(self, forces: np.ndarray) -> np.ndarray:
        """The forces λ (n,) as forces of all unilateral constraints."""
        return self._spread @ forces

    def room(self, forces: np.ndarray, among: np.ndarray) -> float:
        """Distance of the forces (n,) to the edge of the cones, the smallest over the contacts ``among``."""
        w = np.append(forces / self._units / self._scale, 0.0)[self._columns[among]]
        return float((w[:, 0] - np.hypot(w[:, 1], w[:, 2])).min(initial=np.inf))

    def nearest(self, forces: np.ndarray) -> np.ndarray:
        """The forces that balance the load and are nearest to given forces (n,)."""
        wanted = forces / self._units - self._least
        return self._units * (self._least + self._ways[:-1] @ (self._ways[:-1].T @ wanted))

    def best(self, among: np.ndarray) -> np.ndarray:
        """The forces farthest inside the cones of the contacts ``among``.

        A second-order cone program with a logarithmic barrier: Boyd and Vandenberghe, Convex Optimization, 11.3 and 11.6.
        """
        chosen = self._columns[among]
        begin = np.append(self._least / self._scale, 0.0)[chosen]
        z = _deepest(begin, self._ways[chosen])
        return self._units * (self._least + self._scale * (self._ways[:-1] @ z))


def shares_of(
    here: Contacts, pressing: np.ndarray, axes: np.ndarray, slipping: np.ndarray, drags: np.ndarray
) -> Shares:
    """The forces that keep the ``pressing`` (m,) contacts closed, and at rest those with friction that do not slip.

    For all unilateral constraints: ``axes`` (b, 2), half axes of the friction ellipse; ``slipping`` (b,); ``drags`` (b, 2), friction
    force against the slip per unit normal force.
    """
    rough = (axes[pressing, 0] > 0.0) & ~slipping[pressing]
    ends = np.cumsum(np.where(rough, 3, 1))
    n = int(ends[-1]) if len(ends) else 0
    columns = np.where(
        rough[:, None], ends[:, None] - [3, 2, 1], np.column_stack([ends - 1, ends * 0 + n, ends * 0 + n])
    )
    spread = np.zeros((len(here.biases), n))
    for c, own, held in zip(pressing, columns, rough, strict=True):
        spread[3 * c, own[0]] = 1.0
        if held:
            spread[3 * c + 1, own[1]] = spread[3 * c + 2, own[2]] = 1.0
        else:
            spread[3 * c + 1 : 3 * c + 3, own[0]] = -drags[c]
    rows = np.concatenate(
        [3 * c + np.arange(3 if held else 1) for c, held in zip(pressing, rough, strict=True)] or [[]]
    )
    J = here.jacobians[rows.astype(int)]
    b = -(J @ here.rates + here.biases[rows.astype(int)])
    free = ~slipping[pressing] | (axes[pressing, 0] <= 0.0)
    return Shares(J @ here.K @ (here.jacobians.T @ spread), b, columns, axes[pressing], free, spread)


def _idle(A: np.ndarray, pairs: np.ndarray, small: float) -> np.ndarray:
    """Directions (k, n) of friction, given as pairs of columns, that have no effect, such as friction normal to a plane that a joint
    enforces.

    They are scaled to the norm of A.
    """
    found = [np.zeros((0, A.shape[1]))]
    for pair in pairs:
        _, sizes, turned = np.linalg.svd(A[:, pair])
        ways = np.zeros((2 - int(np.sum(sizes > small)), A.shape[1]))
        ways[:, pair] = turned[2 - len(ways) :] * small / DEPENDENT_ROWS
        found.append(ways)
    return np.concatenate(found)


def _deepest(begin: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """z (k,) with the largest s ≤ 1 such that all begin (m, 3) + ways (m, 3, k) z are inside the circular cone by the distance s."""
    m, _, k = ways.shape
    if not k:
        return np.zeros(0)
    B = np.concatenate([ways, np.zeros((m, 3, 1))], axis=2)
    B[:, 0, k] = -1.0
    x = np.zeros(k + 1)
    x[k] = min(float((begin[:, 0] - np.hypot(begin[:, 1], begin[:, 2])).min()), 0.0) - 1.0
    weight = 1.0
    while weight < FINEST_BARRIER:
        for _ in range(LOAD_NEWTON_STEPS):
            now, slope, bend = _barrier(x, weight, begin, B)
            size = 1.0 / np.sqrt(np.diag(bend))
            step = -size * np.linalg.lstsq(bend * np.outer(size, size), size * slope, rcond=BARRIER_RCOND)[0]
            gain = -float(slope @ step)
            if not gain > LOAD_FOUND:
                break
            part = 1.0 / (1.0 + np.sqrt(gain)) if gain > LOAD_DAMPED else 1.0
            for _ in range(LOAD_HALVINGS):
                if _barrier(x + part * step, weight, begin, B)[0] < now:
                    break
                part *= 0.5
            else:
                break
            x = x + part * step
        weight *= FINER_BARRIER
    return x[:k]


def _barrier(x: np.ndarray, weight: float, begin: np.ndarray, B: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Barrier function −weight s − Σ log of the slack in the cones, in the largest normal force and in the largest s; its gradient and
    Hessian.
    """
    w = begin + B @ x
    left = w[:, 0] ** 2 - w[:, 1] ** 2 - w[:, 2] ** 2
    pressure, rest = LARGEST_LOAD - w[:, 0] - x[-1], 1.0 - x[-1]
    if not (np.all(w[:, 0] > 0.0) and np.all(left > 0.0) and np.all(pressure > 0.0) and rest > 0.0):
        return np.inf, x, np.eye(len(x))
    value = -weight * x[-1] - float(np.log(left).sum() + np.log(pressure).sum() + np.log(rest))
    flat = B.reshape(-1, len(x))
    inward = ((SIGNS * w)[:, None] @ B)[:, 0] / left[:, None]
    up = B[:, 0] / pressure[:, None]
    up[:, -1] = 0.0
    slope = -2.0 * inward.sum(axis=0) + up.sum(axis=0)
    slope[-1] += 1.0 / rest - weight
    bend = 4.0 * inward.T @ inward + up.T @ up - 2.0 * (flat * (SIGNS / left[:, None]).reshape(-1, 1)).T @ flat
    bend[-1, -1] += rest**-2.0
    return value, slope, bend
