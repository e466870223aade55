"""Whether a curve of stationary action has the least one among its neighbors: the sign of the second variation."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vinculum.geometry.boundary_values.discrete import Discrete
from vinculum.geometry.boundary_values.solution import Solution, solve_least
from vinculum.tolerances.boundary_values import DESCENTS, LENGTH_OF_A_DESCENT, MET, NEGATIVE_SECOND_VARIATION


class Descent(NamedTuple):
    """A variation ``direction`` (of all variables) that conditions allow, and the negative second variation ``curvature`` along it,
    relative to the largest second derivatives."""

    direction: np.ndarray
    curvature: float


def steepest_descent(discrete: Discrete, found: Solution, error: float = 0.0) -> Descent | None:
    r"""The variation along which the action of a stationary curve, known up to ``error``, falls most; None if it falls along none.

    .. math:: \delta^2 S = d\cdot(\partial^2_x S + \lambda\,\partial^2_x g)\,d\ \ge\ 0\qquad(\partial_x g\,d = 0)

    with the rows g that are active. Curvatures are measured against ∫ (δq² + δq̇²) over the time as a unit, times the largest second
    derivative of each coordinate, so that they depend neither on units nor on the mesh. Nocedal and Wright, Numerical Optimization (2006),
    theorem 12.5.
    """
    from scipy.linalg import eigh, null_space

    H, J, rows = _derivatives(discrete, found)
    active = (discrete.low == discrete.high) | (rows <= discrete.low + MET) | (rows >= discrete.high - MET)
    early, late = discrete.conditions.until
    if min(found.x[-1] - early, late - found.x[-1]) <= MET:
        J, active = np.concatenate([J, np.eye(len(H))[-1:]]), np.append(active, True)
    J = J[active]
    sizes = np.abs(J).max(axis=1, initial=0.0)
    J = J[sizes > 0.0] / sizes[sizes > 0.0, None]
    Z = null_space(J) if len(J) else np.eye(len(H))
    if not Z.shape[1] or not H.any():
        return None
    W = _norm(discrete, found, H)
    values, vectors = eigh(Z.T @ H @ Z, Z.T @ W @ Z, subset_by_index=(0, 0))
    if not values[0] < -max(NEGATIVE_SECOND_VARIATION, error):
        return None
    return Descent(Z @ vectors[:, 0], float(values[0]))


def descend_to_least(discrete: Discrete, found: Solution) -> Solution:
    """A curve beyond those along which the action still falls, if a few attempts find one; the curve itself otherwise."""
    at = found
    for _ in range(DESCENTS):
        descent = steepest_descent(discrete, at)
        if descent is None:
            return at
        step = LENGTH_OF_A_DESCENT * descent.direction / np.abs(descent.direction / _scales(discrete, at)).max()
        trials = (solve_least(discrete, at.x + sign * step) for sign in (1.0, -1.0))
        lower = next((one for one in trials if one.is_solved and one.action < at.action), None)
        if lower is None:
            return found
        at = lower
    return found if steepest_descent(discrete, at) is not None else at


def _derivatives(discrete: Discrete, found: Solution) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Second derivatives of the action with multipliers, first ones of the rows, and the rows."""
    import casadi as ca

    lam = ca.MX.sym("lam", discrete.rows.shape[0])
    H, _ = ca.hessian(discrete.objective + ca.dot(lam, discrete.rows), discrete.x)
    both = ca.Function("both", [discrete.x, lam], [H, ca.jacobian(discrete.rows, discrete.x), discrete.rows])
    H, J, rows = (one.full() for one in both(found.x, found.multipliers))
    return H, J, rows.ravel()


def _scales(discrete: Discrete, found: Solution) -> np.ndarray:
    """One, or the size of its coordinate, for every variable."""
    states, controls, until = discrete.unpack(found.x)
    large = lambda values: np.broadcast_to(np.maximum(1.0, np.abs(values).max(axis=0, initial=0.0)), values.shape)
    return discrete.pack(large(states), large(controls), max(1.0, abs(until)))


def _norm(discrete: Discrete, found: Solution, H: np.ndarray) -> np.ndarray:
    """The matrix of ∫ (δq² + δq̇²) over the time as a unit, with the weight of every coordinate from its second derivatives."""
    mesh, moving = discrete.mesh, discrete.conditions.moving
    A, D = (one.toarray() for one in mesh.matrices())
    of_states = A.T @ (mesh.weights[:, None] * A) + D.T @ (mesh.weights[:, None] * D)
    blocks = [of_states] * int(moving.sum()) + [np.diag(mesh.weights)] * int((~moving).sum()) + [np.ones((1, 1))]
    W, ends = np.zeros_like(H), np.cumsum([0, *(len(one) for one in blocks)])
    parts = [slice(*pair) for pair in pairwise(ends)]
    scales = _scales(discrete, found)
    for part, block in zip(parts, blocks, strict=True):
        W[part, part] = block / scales[part.start] ** 2
    sizes = np.sqrt(np.diag(W))
    largest = (np.abs(H) / sizes / sizes[:, None]).max(axis=1)
    weights = np.array([largest[part].max() for part in parts])
    weights[weights == 0.0] = weights.max()
    for part, weight in zip(parts, weights, strict=True):
        W[part, part] *= weight
    return W
