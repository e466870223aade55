"""Reactions of a principle of first order: their power by the equations of motion, and by the rows of constraints."""

from typing import Any

import numpy as np

from vinculum.equations.lagrangian.first_order_form import FirstOrder
from vinculum.equations.lagrangian.principle import Rows
from vinculum.scalars import depends_on, directional, gradient, jacobian, substitute, vector
from vinculum.scalars.math import abs as absolute


def reaction_groups(form: FirstOrder, augmented: bool) -> dict[str, Any]:
    r"""Powers of reactions as graphs: ``by motion``, ``by rows``, the ``reaction size`` of the terms, and for every constraint its own.

    .. math:: \Big(\frac{d}{dt}\frac{\partial L}{\partial v} - \frac{\partial L}{\partial q} - D\Big)\cdot v
        = \sum_{ideal}\lambda\Big(\frac{\partial F}{\partial v}\cdot v\Big)
        - \sum_{vak}\Big[\frac{d}{dt}\Big(\lambda\frac{\partial F}{\partial v}\cdot v\Big) + \lambda\frac{\partial F}{\partial t}\Big]

    ``power NAME`` is the part of one constraint, ``held NAME`` the energy λ v·∂F/∂v of a vakonomic one. The first sum is −λ ∂F/∂t for
    rows on positions and −λ c for linear rows with the drift c. Gołubowska (22), (41), (57), (79)–(90).
    """
    principle = form.principle
    q, v, t = principle.jet.levels[0], principle.jet.levels[1], principle.jet.t
    free = principle.jet.multipliers[0]
    a, y = form.solution(augmented)
    state, rates = np.concatenate([q, v, free, [t]]), np.concatenate([v, a, y[: len(free)], [1.0]])

    def rate(x) -> np.ndarray:
        return np.asarray(directional(np.asarray(x, dtype=object), state, rates), dtype=object)

    R = rate(vector(gradient(principle.L, v))) - vector(gradient(principle.L, q)) - principle.D
    groups: dict[str, Any] = {"by motion": [R @ v], "reaction size": [absolute(R * v).sum()]}
    total: Any = 0.0
    reactions, first = -y[len(free) :], 0
    for rows in principle.ideal:
        lam = reactions[first : first + len(rows.F)]
        first += len(rows.F)
        groups[f"power {rows.name}"] = [lam @ (jacobian(rows.F, principle.jet.levels[rows.level]) @ v)]
        total = total + lam @ _velocity_terms(rows, v, t)
    first = 0
    for rows in principle.stationary:
        lam = free[first : first + len(rows.F)]
        first += len(rows.F)
        constrained = lam @ (jacobian(rows.F, v) @ v)
        slope = directional(np.array([lam @ rows.F, 0.0], dtype=object), np.array([t]), np.ones(1))[0]
        own = (lam @ jacobian(rows.F, q) - rate(lam @ jacobian(rows.F, v))) @ v
        groups |= {f"power {rows.name}": [own], f"held {rows.name}": [constrained]}
        total = total - rate([constrained, 0.0])[0] - slope
    return groups | {"by rows": [total]}


def _velocity_terms(rows: Rows, v, t) -> np.ndarray:
    """(∂F/∂v) · v of an ideal constraint where it holds, (k,)."""
    if rows.level == 0:
        return -np.asarray(jacobian(rows.F, np.array([t], dtype=object)), dtype=object)[:, 0]
    J = jacobian(rows.F, v)
    if depends_on(np.append(J.ravel(), 0.0), v):
        return J @ v
    return -substitute(rows.F, v, np.zeros(len(v)))
