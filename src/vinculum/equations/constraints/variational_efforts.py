"""Efforts of constraints that add to the Lagrangian on their bodies and joints."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies.kinematics import RIGID, BodyKinematics
from vinculum.equations.constraints.efforts import Keeping
from vinculum.equations.recursions.coordinate_rates import rates, with_multiplier_rates
from vinculum.equations.recursions.velocity_fields import bracket_terms
from vinculum.scalars import directional, gradient, substitute, symbol, symbols
from vinculum.scalars.math import dot
from vinculum.systems import Constrained, Tree, body_view, free_views, ground_view, placements
from vinculum.systems.constraint_rows import constraint_values
from vinculum.systems.views import JointView


@final
@dataclass(frozen=True, eq=False)
class _Varied:
    """A body or a joint at a place and in a motion that are symbols: its view, these symbols, what stands for them and how fast
    they change. ``place``: (x, R, u, ω) of a body, (q, v) of a joint."""

    view: Any
    leaves: list
    values: list
    rates: list
    place: tuple
    kinematics: BodyKinematics = RIGID


def variational_efforts(tree: Tree, constrained: Constrained, q, v, a, mu_dot) -> Keeping:
    r"""Force and moment on every body of a constraint that adds Λ(x, R, u, ω, t; μ) to the Lagrangian, and their power.

    .. math:: f = \frac{\partial\Lambda}{\partial x} - \frac{d}{dt}\frac{\partial\Lambda}{\partial u},\qquad
        m = \Lambda_R - \frac{d}{dt}\frac{\partial\Lambda}{\partial\omega} + \omega\times\frac{\partial\Lambda}{\partial\omega}

    since δu = (δx)˙ and δω = (δθ)˙ − ω × δθ in world axes; u is the velocity of the body's origin, Λ_R the slope by turning. Along
    joints the same in their own velocities. ``q``, ``v``: symbols; ``a``: v̇; ``mu_dot``: rates of all multipliers in the state.
    Gołubowska (71), (72).
    """
    t, mu = symbol("t"), symbols("mu", constrained.mu.stop - constrained.mu.start)
    q_dot = with_multiplier_rates(rates(tree, q, v), mu_dot)
    things = [
        _joint(tree, i, q, v, q_dot, a) if kind == "joint" else _body(tree, i, q, v, q_dot, a)
        for kind, i in constrained.things
    ]
    leaves = [t, *mu, *(x for thing in things for x in thing.leaves)]
    values = [tree.instant, *q[constrained.mu], *(x for thing in things for x in thing.values)]
    change = [1.0, *q_dot[constrained.mu], *(x for thing in things for x in thing.rates)]
    assert constrained.constraint.realization is not None
    Lambda = constrained.constraint.realization.lagrangian(
        constrained.constraint.rows([thing.view for thing in things], t), mu
    )
    jacobians = _Derivatives(leaves, gradient(Lambda, np.array(leaves, dtype=object)), change)
    parts = [
        _along_joint(tree.links[i], thing.place, jacobians) if kind == "joint" else _on_body(thing, jacobians)
        for (kind, i), thing in zip(constrained.things, things, strict=True)
    ]
    found = iter(substitute(np.concatenate([np.zeros(1), *parts]), leaves, values)[1:])
    efforts, along, power = [], [], 0.0
    for (kind, i), thing, part in zip(constrained.things, things, parts, strict=True):
        own = np.array([next(found) for _ in part], dtype=object)
        if kind == "joint":
            efforts.append(None)
            along.append(own)
            power = power + dot(own, v[tree.links[i].v])
        else:
            efforts.append((own[:3], own[3:]))
            along.append(None)
            power = power + dot(own, np.array(thing.values[-len(own) :], dtype=object))
    return Keeping(tuple(efforts), power, tuple(along), _multipliers(tree, constrained, q, v))


def _multipliers(tree: Tree, constrained: Constrained, q, v) -> np.ndarray:
    """μ (k,), part of the state or ∂Λ/∂F."""
    F, mu = symbols("F", constrained.count), symbols("mu", constrained.mu.stop - constrained.mu.start)
    assert constrained.constraint.realization is not None
    jacobians = gradient(constrained.constraint.realization.lagrangian(F, mu), F)
    return substitute(
        jacobians, [*F, *mu], [*constraint_values(tree, constrained, q, v, tree.instant), *q[constrained.mu]]
    )


@final
class _Derivatives:
    """Slopes of Λ by its symbols, and how fast these change along the motion; the rates do not hold the symbols themselves."""

    def __init__(self, leaves, jacobians, change):
        self._jacobians = {id(leaf): x for leaf, x in zip(leaves, jacobians, strict=True)}
        self._leaves, self._change = leaves, change

    def of(self, symbols_) -> np.ndarray:
        array = np.asarray(symbols_, dtype=object)
        return np.array([self._jacobians.get(id(x), 0.0) for x in array.ravel()], dtype=object).reshape(array.shape)

    def rate(self, symbols_) -> np.ndarray:
        return np.asarray(directional(self.of(symbols_), self._leaves, self._change), dtype=object)


def _on_body(thing: _Varied, jacobians: _Derivatives) -> np.ndarray:
    x, R, u, w = thing.place
    force = jacobians.of(x) - jacobians.rate(u)
    by_turning = thing.kinematics.gradient(jacobians.of(R), R)
    moment = by_turning - jacobians.rate(w) + thing.kinematics.momentum_rate(w, jacobians.of(w))
    return np.concatenate([force, moment])


def _along_joint(link, place, jacobians: _Derivatives) -> np.ndarray:
    q, v = place
    fields = [link.joint.kind.coordinates.rates(q, unit) for unit in np.eye(link.joint.nv)]
    by_place = np.array([X @ jacobians.of(q) for X in fields], dtype=object)
    return by_place - jacobians.rate(v) + bracket_terms(link, q, v, jacobians.of(v))


def _joint(tree: Tree, i: int, q, v, q_dot, a) -> _Varied:
    link = tree.links[i]
    own_q, own_v = symbols("q", link.joint.nq), symbols("v", link.joint.nv)
    place = own_q[0] if link.joint.nq == 1 else own_q
    view = JointView(link.joint.name, place, own_v[0] if link.joint.nv == 1 else own_v)
    return _Varied(view, [*own_q, *own_v], [*q[link.q], *v[link.v]], [*q_dot[link.q], *a[link.v]], (own_q, own_v))


def _body(tree: Tree, i: int, q, v, q_dot, a) -> _Varied:
    free = free_views([tree.links[i].body if i >= 0 else None])
    ((x, R),), ((u, w),) = free.places, free.motions
    (kind,) = free.kinematics
    there = body_view(tree.links[i], placements(tree, q, v)[i]) if i >= 0 else ground_view()
    assert not isinstance(there._state.motion, str)
    velocity, spin = there._state.motion
    moving = np.concatenate([velocity, spin])
    known = [] if tree.instant is None or isinstance(tree.instant, float) else [tree.instant]
    faster = directional(moving, [*q, *v, *known], [*q_dot, *a, *(1.0 for _ in known)])
    place = [*there._state.X_WB.p, *kind.free_entries(there._state.X_WB.R)]
    turning = kind.free_entries(kind.matrix_rate(there._state.X_WB.R, spin))
    return _Varied(free.moving[0], [*x, *kind.free_entries(R), *u, *w], [*place, *moving], [*velocity, *turning, *faster],
                   (x, R, u, w), kind)  # fmt: skip
