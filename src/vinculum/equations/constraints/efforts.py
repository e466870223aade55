"""Efforts of multipliers on the bodies of constraints, and their power."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

from vinculum.bodies.kinematics import RIGID, BodyKinematics
from vinculum.bonds import Effort
from vinculum.bonds.body_view import change_view
from vinculum.equations.constraints.closures import gap_names, mixing
from vinculum.equations.constraints.conditions import condition_names
from vinculum.scalars import gradient, substitute, symbol, symbols
from vinculum.scalars.math import dot
from vinculum.systems import (
    Constrained,
    Placement,
    Tree,
    body_acceleration,
    body_view,
    free_views,
    ground_view,
    twist_rates,
)
from vinculum.systems.constraint_rows import NO_VELOCITY
from vinculum.systems.views import JointView


@final
@dataclass(frozen=True, eq=False)
class Keeping:
    """Efforts of one constraint: force and moment on each of its bodies at their origins in world axes (None for a joint), and
    the power [W] of all of them, those along joints included. ``along``: generalized forces on the velocities of each joint."""

    efforts: tuple[Effort | None, ...]
    power: Any
    along: tuple[Any, ...]
    multipliers: Any


@final
@dataclass(frozen=True, eq=False)
class Seen:
    """A body or a joint at a place and in a motion that are symbols: its view, all its symbols with what stands for them, those
    by which efforts are derivatives, and how fast these change."""

    view: Any
    leaves: list
    values: list
    place: tuple | None
    moving: list
    speeds: list
    kinematics: BodyKinematics = RIGID

    @property
    def count(self) -> int:
        """Number of the numbers in an effort on it."""
        return 3 + self.kinematics.count


def all_multipliers(tree: Tree, lam) -> np.ndarray:
    """A multiplier for every condition, (m,), from those of the independent combinations, (rank,)."""
    full = np.zeros(len(condition_names(tree)), dtype=object)
    full[list(tree.kept)] = mixing(tree).T @ lam
    return full


def constraint_multipliers(tree: Tree, full) -> list[np.ndarray]:
    """The multipliers of each constraint that is kept by some, (k,)."""
    first, parts = len(gap_names(tree)), []
    for one in tree.constraints:
        if one.holds:
            parts.append(full[first : first + one.count])
            first += one.count
    return parts


def multiplier_rates(tree: Tree, lam) -> np.ndarray:
    """μ̇ of the multipliers that are part of the state, from the multipliers λ (rank,) of all independent conditions."""
    constrained = [one for one in tree.constraints if one.holds]
    parts = zip(constrained, constraint_multipliers(tree, all_multipliers(tree, lam)), strict=True)
    return np.concatenate([np.zeros(0), *(-rows for one, rows in parts if one.varies)])


def keeping(tree: Tree, constrained: Constrained, placed: list[Placement], q, v, lam, a=None) -> Keeping:
    r"""Efforts λ ∂F/∂x, λ f_R of a constraint on positions, λ ∂F/∂v, λ ∂F/∂ω of one on velocities, or λ ∂F/∂v̇, λ ∂F/∂ω̇ of one on
    accelerations, where ``a`` are the rates of the tree's velocities.

    O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles, (20).
    """
    t = symbol("t")
    things = seen_things(tree, constrained, placed, q, v, a)
    leaves = [t, *(leaf for thing in things for leaf in thing.leaves)]
    values = [tree.instant, *(x for thing in things for x in thing.values)]
    total = dot(np.asarray(lam, dtype=object), constrained.constraint.rows([thing.view for thing in things], t))
    jacobians = dict(zip(map(id, leaves), gradient(total, np.array(leaves, dtype=object)), strict=True))
    parts = [x for thing in things if thing.place is not None for x in _effort(thing, jacobians)]
    moving = [jacobians[id(leaf)] for thing in things for leaf in thing.moving]
    found = substitute(np.array([*parts, *moving, 0.0], dtype=object), leaves, values)[:-1]
    efforts = iter(_split_efforts(found[: len(parts)], [thing.count for thing in things if thing.place is not None]))
    speeds = np.array([*(x for thing in things for x in thing.speeds), 0.0], dtype=object)[:-1]
    power = sum((a * b for a, b in zip(found[len(parts) :], speeds, strict=True)), 0.0)
    along = _along_joints(tree, constrained, found[len(parts) :], things, q)
    return Keeping(
        tuple(None if thing.place is None else next(efforts) for thing in things),
        power,
        along,
        np.asarray(lam, dtype=object),
    )


def seen_things(tree: Tree, constrained: Constrained, placed: list[Placement], q, v, a=None) -> list[Seen]:
    """The bodies and joints of a constraint with symbolic positions and velocities; ``a``: rates of the velocities,
    for one on accelerations."""
    level = constrained.constraint.level
    faster = twist_rates(tree, placed, q, v, a) if level == 2 else []
    return [
        _joint(tree, i, q, v, level, a) if kind == "joint" else _body(tree, i, placed, level, faster)
        for kind, i in constrained.things
    ]


def _along_joints(tree: Tree, constrained: Constrained, jacobians, things, q) -> tuple:
    """Generalized forces (nv of the joint,) of a constraint on each of its joints; None for a body."""
    first, forces = 0, []
    for (kind, i), thing in zip(constrained.things, things, strict=True):
        own = jacobians[first : first + len(thing.moving)]
        first += len(thing.moving)
        if kind != "joint":
            forces.append(None)
        elif constrained.constraint.level:
            forces.append(own)
        else:
            link = tree.links[i]
            forces.append(
                np.array(
                    [own @ link.joint.kind.coordinates.rates(q[link.q], unit) for unit in np.eye(link.joint.nv)],
                    dtype=object,
                )
            )
    return tuple(forces)


def kept_power(tree: Tree, constrained: Constrained, by: Keeping, moving: list[Placement], w):
    """Power [W] of a constraint's efforts in another motion, of the velocities ``w`` that place the links ``moving``."""
    power = 0.0
    for (_, i), effort, force in zip(constrained.ends, by.efforts, by.along, strict=True):
        if effort is None:
            power = power + dot(force, w[tree.links[i].v])
        elif i >= 0:
            motion = body_view(tree.links[i], moving[i])._state.motion
            power = power + dot(effort[0], motion[0]) + dot(effort[1], motion[1])
    return power


def _joint(tree: Tree, i: int, q, v, level: int, a) -> Seen:
    link = tree.links[i]
    own_q, own_v = symbols("q", link.joint.nq), symbols("v", link.joint.nv)
    own_a = symbols("a", link.joint.nv) if level == 2 else np.zeros(0)
    place, speed, faster = (x[0] if len(x) == 1 else x for x in (own_q, own_v, own_a))
    view = JointView(link.joint.name, place, speed, faster) if level == 2 else JointView(link.joint.name, place, speed)
    rates = link.joint.kind.coordinates.rates(q[link.q], v[link.v])
    moving, speeds = ((own_q, rates), (own_v, v[link.v]), (own_a, v[link.v]))[level]
    values = [*q[link.q], *v[link.v], *(a[link.v] if level == 2 else ())]
    return Seen(view, [*own_q, *own_v, *own_a], values, None, list(moving), list(speeds))


def _body(tree: Tree, i: int, placed: list[Placement], level: int, faster: list) -> Seen:
    free = free_views([tree.links[i].body if i >= 0 else None])
    there = body_view(tree.links[i], placed[i]) if i >= 0 else ground_view()
    ((x, R),), ((u, w),) = free.places, free.motions
    assert not isinstance(there._state.motion, str)
    velocity, spin = there._state.motion
    (kind,) = free.kinematics
    leaves = [*x, *kind.free_entries(R), *u, *w]
    values = [*there._state.X_WB.p, *kind.free_entries(there._state.X_WB.R), *velocity, *spin]
    if level == 2:
        u_dot, w_dot = symbols("acceleration", 3), symbols("angular acceleration", kind.count)
        rates = body_acceleration(tree.links[i], placed[i], faster[i]) if i >= 0 else (np.zeros(3), np.zeros(3))
        view = change_view(free.moving[0], motion_rate=(u_dot, w_dot))
        values = [*values, *rates[0], *rates[1]]
        return Seen(view, [*leaves, *u_dot, *w_dot], values, (u_dot, w_dot), [*u_dot, *w_dot], [*velocity, *spin], kind)
    if level:
        return Seen(free.moving[0], leaves, values, (u, w), [*u, *w], [*velocity, *spin], kind)
    moving = [*x, *kind.free_entries(R)]
    speeds = [*velocity, *kind.free_entries(kind.matrix_rate(there._state.X_WB.R, spin))]
    return Seen(change_view(free.still[0], motion=NO_VELOCITY), leaves, values, (x, R), moving, speeds, kind)


def _effort(thing: Seen, jacobians: dict) -> list:
    """Slopes by position and turning, or by velocity and angular velocity, (6,); by a deformation or its rates where a body deforms."""
    assert thing.place is not None
    first, second = thing.place
    force = [jacobians[id(a)] for a in first]
    if second.ndim == 1:
        return [*force, *(jacobians[id(a)] for a in second)]
    P = np.array([[jacobians.get(id(r), 0.0) for r in row] for row in second], dtype=object)
    return [*force, *thing.kinematics.gradient(P, second)]


def _split_efforts(numbers: np.ndarray, counts: list[int]) -> list[Effort]:
    """Efforts from their numbers in one row, of which each has some."""
    ends = np.cumsum([0, *counts])
    return [(numbers[first : first + 3], numbers[first + 3 : last]) for first, last in pairwise(ends)]
