"""Constraints that add to the Lagrangian: their terms in inertia and forces."""

import numpy as np

from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.equations.recursions.velocity_fields import along_brackets, along_columns
from vinculum.scalars import Scalar, directional, gradient, jacobian, substitute, symbol, symbols
from vinculum.systems import Tree
from vinculum.systems.constraint_rows import constraint_values


def added_lagrangian(tree: Tree, q, v, t):
    """Λ [J], what the constraints add to the Lagrangian: μ F of vakonomic ones, ½ κ F² of added inertia."""
    total, there = 0.0, tree.at(t)
    for one in tree.varied:
        assert one.constraint.realization is not None
        total = total + one.constraint.realization.lagrangian(constraint_values(there, one, q, v, t), q[one.mu])
    return total


def added_inertia_and_force(tree: Tree, q, v) -> tuple[np.ndarray, np.ndarray]:
    r"""S (nv, nv) and f (nv,) with which the constraints' Lagrangian Λ enters (M + S) v̇ + h = τ + f − μ̇ ∂F/∂v.

    .. math:: S = \frac{\partial^2\Lambda}{\partial v^2},\qquad f_j = X_j(\Lambda) + c^k_{ij}v^i\frac{\partial\Lambda}{\partial v_k}
        - \Big(\frac{d}{dt}\frac{\partial\Lambda}{\partial v_j}\Big)_{\dot v = 0,\,\dot\mu = 0}

    X_j are the columns of N in q̇ = N v as fields on the coordinates. Gołubowska (72), for velocities that need not be rates.
    """
    if not tree.varied:
        return np.zeros((tree.nv, tree.nv)), np.zeros(tree.nv)
    s, w, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    there = tree.at(t)
    Lambda = added_lagrangian(there, s, w, t)
    jacobians = gradient(Lambda, np.concatenate([w, s]))
    p, by_q = jacobians[: tree.nv], jacobians[tree.nv :]
    p_dot = np.asarray(directional(p, [*s, t], [*rates(there, s, w), 1.0]), dtype=object)
    f = along_columns(there, by_q, s) + along_brackets(there, s, w, p) - p_dot
    S = np.asarray(jacobian(p, w), dtype=object)
    found = substitute(np.concatenate([f, S.ravel()]), [*s, *w, t], [*q, *v, tree.instant])
    return found[tree.nv :].reshape(tree.nv, tree.nv), found[: tree.nv]


def is_zero(S: np.ndarray) -> bool:
    """Whether nothing is added to the inertia, as by constraints that are linear in the velocities."""
    return not any(isinstance(x, Scalar) or x != 0.0 for x in S.ravel())
