"""Rows of constraints with multipliers: values, rates, Jacobians and second derivatives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, final

import numpy as np

from vinculum.bonds.body_view import change_view
from vinculum.equations.constraints.named_rows import named_rows
from vinculum.equations.recursions.body_motions import BodyMotion, body_motions
from vinculum.scalars import directional, jacobian, substitute, symbol, symbols
from vinculum.screws import Pose
from vinculum.systems import Constrained, Link, Tree
from vinculum.systems.constraint_rows import NO_VELOCITY, constraint_values
from vinculum.systems.views import ground_view, joint_view


@final
@dataclass(frozen=True, eq=False)
class Rows:
    r"""Conditions of a tree, (m,) each, ``derivatives`` (m, nv): values F, rates Ḟ = J v + drifts, and biases with J v̇ + bias = F̈.

    A row on velocities has no value of its own; its "rate" is F(q, v, t), its derivatives are ∂F/∂v, and J v̇ + bias = Ḟ. A row on
    accelerations has neither value nor rate, and J v̇ + bias = F. ``along`` (m, nv): the generalized forces of unit multipliers, which
    are the derivatives unless a servo names others.
    """

    values: np.ndarray
    rates: np.ndarray
    drifts: np.ndarray
    jacobians: np.ndarray
    biases: np.ndarray
    along: np.ndarray


def constraint_names(tree: Tree) -> list[tuple[str, str]]:
    """Constraint and number of every row that a multiplier keeps."""
    return [(one.constraint.name, str(i)) for one in tree.constraints if one.holds for i in range(one.count)]


def constraint_levels(tree: Tree) -> list[int]:
    """0 for rows on positions, 1 for rows on velocities, 2 for rows on accelerations."""
    return [one.constraint.level for one in tree.constraints if one.holds for _ in range(one.count)]


def constraint_rows(tree: Tree, q, v) -> Rows:
    """The rows of every constraint that is kept by multipliers, where the tree stands at its instant."""
    return rows_of(tree, [one for one in tree.constraints if one.holds], q, v)


def rows_of(tree: Tree, constrained: list[Constrained], q, v) -> Rows:
    """The rows of some constraints, one after the other."""
    nothing, none = np.zeros(0), np.zeros((0, tree.nv))
    if not constrained:
        return Rows(nothing, nothing, nothing, none, nothing, none)
    seen = {i for one in constrained if one.constraint.level < 2 for kind, i in one.things if kind == "body" and i >= 0}
    moving = body_motions(tree, q, v, seen)
    parts = [_rows_on_accelerations(tree, one, q, v) if one.constraint.level == 2 else _rows_of_one(tree, one, moving, q, v)
             for one in constrained]  # fmt: skip
    return Rows(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Rows)))


def _rows_on_accelerations(tree: Tree, constrained: Constrained, q, v) -> Rows:
    """J v̇ + bias = F, from derivatives by the accelerations of coordinates."""
    s, w, t, a = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t"), symbols("a", tree.nv)
    F = constraint_values(tree.at(t), constrained, s, w, t, a)
    zero = np.zeros(len(F))
    outputs = np.concatenate([substitute(F, a, np.zeros(tree.nv)), jacobian(F, a).ravel()])
    found = substitute(outputs, [*s, *w, t], [*q, *v, tree.instant])
    J = found[len(F) :].reshape(len(F), tree.nv)
    return Rows(zero, zero, zero, J, found[: len(F)], _along(tree, constrained, J, q, v))


def _along(tree: Tree, constrained: Constrained, J, q, v) -> np.ndarray:
    """The generalized forces (m, nv) of unit multipliers."""
    return named_rows(tree, constrained, q, v) if constrained.directions else J


def _rows_of_one(tree: Tree, constrained: Constrained, moving: Mapping[int, BodyMotion], q, v) -> Rows:
    r"""Rows from derivatives by what the constraint sees: places x, R of bodies with their motions u, w, and coordinates of joints.

    .. math:: \dot F = F_x u + F_R\,(w\times R),\qquad J = \frac{\partial\dot F}{\partial(u, w)}\,T,\qquad
              \text{bias} = \frac{\partial\dot F}{\partial(x, R)}(u,\ w\times R) + \frac{\partial\dot F}{\partial(u, w)}(a, \alpha)

    T: twists of the bodies, a and α their accelerations where v̇ = 0.
    """
    t, seen = (
        symbol("t"),
        [_symbolic_view(tree, thing, moving, constrained.constraint.level, q, v) for thing in constrained.things],
    )
    F = constrained.constraint.rows([one.view for one in seen], t)
    places, steps = [*(x for one in seen for x in one.places), t], [*(x for one in seen for x in one.steps), 1.0]
    motions = [x for one in seen for x in one.motions]
    rate = F if constrained.constraint.level else np.asarray(directional(F, places, steps), dtype=object)
    G, turning = jacobian(rate, motions), np.asarray(directional(rate, places, steps), dtype=object)
    value = np.zeros(len(F)) if constrained.constraint.level else F
    there = [x for one in seen for x in one.there]
    m, outputs = len(F), np.concatenate([value, rate, turning, G.ravel()])
    found = substitute(outputs, [*(x for one in seen for x in (*one.places, *one.motions)), t], [*there, tree.instant])
    value, rate, turning, G = found[:m], found[m : 2 * m], found[2 * m : 3 * m], found[3 * m :].reshape(m, -1)
    twists = np.concatenate([np.zeros((0, tree.nv)), *(one.twists for one in seen)])
    accelerations = np.concatenate([np.zeros(0), *(one.accelerations for one in seen)])
    J = G @ twists
    return Rows(value, rate, rate - J @ v, J, turning + G @ accelerations, _along(tree, constrained, J, q, v))


@final
@dataclass(frozen=True, eq=False)
class _SymbolicView:
    """A body or joint as symbols: its view, ``places`` and the ``steps`` at which they change, ``motions``; then what stands for places and
    motions (``there``), how velocities make motions, and the rates of these where v̇ = 0."""

    view: Any
    places: Sequence
    steps: Sequence
    motions: Sequence
    there: Sequence
    twists: np.ndarray
    accelerations: np.ndarray


def _symbolic_view(
    tree: Tree, thing: tuple[str, int], moving: Mapping[int, BodyMotion], level: int, q, v
) -> _SymbolicView:
    kind, i = thing
    if kind == "joint":
        return _symbolic_joint_view(tree, tree.links[i], q, v)
    if i < 0:
        view = ground_view() if level else change_view(ground_view(), motion=NO_VELOCITY)
        return _SymbolicView(view, (), (), (), (), np.zeros((0, tree.nv)), np.zeros(0))
    body, kind = moving[i], tree.links[i].body.mechanics.kinematics
    x, R, u, w = symbols("x", 3), kind.symbolic_matrix(""), symbols("u", 3), symbols("w", kind.count)
    view = change_view(body.view, X_WB=Pose.of(R, x), turns=kind.turns, motion=(u, w) if level else NO_VELOCITY)
    turned = kind.matrix_rate(R, w)
    places, steps = [*x, *kind.free_entries(R)], [*u, *kind.free_entries(turned)]
    at = [*body.view._state.X_WB.p, *kind.free_entries(body.view._state.X_WB.R)]
    there = [*at, *body.view.velocity, *body.view._state.motion[1]]
    return _SymbolicView(
        view,
        places,
        steps,
        [*u, *w],
        there,
        body.twists,
        np.concatenate([body.acceleration, body.angular_acceleration]),
    )


def _symbolic_joint_view(tree: Tree, link: Link, q, v) -> _SymbolicView:
    s, w = symbols("q", link.joint.nq), symbols("v", link.joint.nv)
    own_q, own_v = np.empty(tree.nq, dtype=object), np.empty(tree.nv, dtype=object)
    own_q[link.q], own_v[link.v] = s, w
    twists = np.zeros((link.joint.nv, tree.nv))
    twists[:, link.v] = np.eye(link.joint.nv)
    return _SymbolicView(joint_view(link, own_q, own_v), list(s), list(link.joint.kind.coordinates.rates(s, w)), list(w),
                         [*q[link.q], *v[link.v]], twists,
                         np.zeros(link.joint.nv))  # fmt: skip
