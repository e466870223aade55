"""Power of constraints on their bodies, from their rows alone."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.equations.constraints.efforts import seen_things
from vinculum.equations.constraints.rows import rows_of
from vinculum.scalars import gradient, jacobian, substitute, symbol, symbols
from vinculum.scalars.math import abs as absolute
from vinculum.scalars.math import dot
from vinculum.systems import Constrained, Placement, Tree


@final
@dataclass(frozen=True, eq=False)
class RowPowers:
    """Of every row (k,): ``virial`` v·∂F/∂v over the motions of all its bodies and joints, of a row on positions its rate by these, and
    v·∂F/∂v̇ of a row on accelerations;
    the ``size`` of the terms in it; ``time_slope`` ∂F/∂t, of the clock alone; ``drift`` F at rest, of a row on velocities."""

    virial: np.ndarray
    size: np.ndarray
    time_slope: np.ndarray
    drift: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class ConstraintEnergy:
    """Of a constraint that adds Λ to the Lagrangian: ``energy`` v·∂Λ/∂v − Λ [J], which on the constraint is E[M] = μ v·∂F/∂v of a vakonomic
    one, the ``size`` of its terms, and ``time_slope`` ∂Λ/∂t [W]. Gołubowska (87)–(90)."""

    energy: Any
    size: Any
    time_slope: Any


def row_powers(tree: Tree, constrained: Constrained, placed: list[Placement], q, v, a=None) -> RowPowers:
    """The rows of a constraint along the motion of its bodies and joints, including prescribed bodies.

    ``a``: rates of the velocities, for one on accelerations.
    """
    things, t = seen_things(tree, constrained, placed, q, v, a), symbol("t")
    leaves = [t, *(leaf for thing in things for leaf in thing.leaves)]
    values = [tree.instant, *(x for thing in things for x in thing.values)]
    moving = np.array([0.0, *(leaf for thing in things for leaf in thing.moving)], dtype=object)[1:]
    speeds = np.array([0.0, *(x for thing in things for x in thing.speeds)], dtype=object)[1:]
    F = constrained.constraint.rows([thing.view for thing in things], t)
    J = np.asarray(jacobian(F, moving), dtype=object)
    time_slope = np.asarray(jacobian(F, np.array([t], dtype=object)), dtype=object)[:, 0]
    at_rest = substitute(F, moving, np.zeros(len(moving))) if constrained.constraint.level else np.zeros(len(F))
    found = substitute(np.concatenate([J.ravel(), time_slope, at_rest, [0.0]]), leaves, values)[:-1]
    jacobians, k = found[: J.size].reshape(J.shape), len(F)
    terms = jacobians * speeds
    return RowPowers(terms.sum(axis=1), absolute(terms).sum(axis=1), found[J.size : J.size + k], found[J.size + k :])


def reaction_power(tree: Tree, constrained: Constrained, placed: list[Placement], q, v, lam, a=None):
    r"""Power [W] of the reactions λ ∂F/∂v of a constraint on all its bodies and joints, from its rows.

    .. math:: \lambda\Big(\dot F - \frac{\partial F}{\partial t}\Big),\qquad \lambda\,(F - c),\qquad
        \lambda\,v\cdot\frac{\partial F}{\partial v}

    for rows on positions, linear rows with the drift c, and others; λ v·∂F/∂v̇ for rows on accelerations, where ``a`` are the rates of
    the tree's velocities. Ḟ and F vanish where multipliers keep the constraint, and are left out there. O'Reilly and
    Srinivasa (21), after (27); Gołubowska (41), (57), (79), (80).
    """
    by = row_powers(tree, constrained, placed, q, v, a)
    lam = np.asarray(lam, dtype=object)
    if constrained.constraint.level == 2 or (constrained.constraint.level and not constrained.is_linear):
        return dot(lam, by.virial)
    left = by.drift if constrained.constraint.level else by.time_slope
    return dot(lam, (0.0 if constrained.holds else rows_of(tree, [constrained], q, v).rates) - left)


def constraint_energy(tree: Tree, constrained: Constrained, placed: list[Placement], q, v) -> ConstraintEnergy:
    """The energy that a constraint which adds to the Lagrangian holds."""
    things, t = seen_things(tree, constrained, placed, q, v), symbol("t")
    mu = symbols("mu", constrained.mu.stop - constrained.mu.start)
    leaves = [t, *mu, *(leaf for thing in things for leaf in thing.leaves)]
    values = [tree.instant, *q[constrained.mu], *(x for thing in things for x in thing.values)]
    moving = np.array([0.0, *(leaf for thing in things for leaf in thing.moving)], dtype=object)[1:]
    speeds = np.array([0.0, *(x for thing in things for x in thing.speeds)], dtype=object)[1:]
    assert constrained.constraint.realization is not None
    Lambda = constrained.constraint.realization.lagrangian(
        constrained.constraint.rows([thing.view for thing in things], t), mu
    )
    jacobians = gradient(Lambda, np.array([t, *moving], dtype=object))
    found = substitute(np.concatenate([jacobians, [Lambda, 0.0]]), leaves, values)
    terms = found[1 : 1 + len(moving)] * speeds
    value = found[1 + len(moving)]
    return ConstraintEnergy(terms.sum() - value, absolute(terms).sum() + absolute(value), found[0])
