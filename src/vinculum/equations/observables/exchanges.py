"""What every bond exerts on each of its bodies, as a screw at the world's origin and as a power; and the motion of each body alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds import exchange_effort
from vinculum.bonds.actions.mass_exchange import EXCHANGE
from vinculum.bonds.body_view import change_view
from vinculum.bonds.efforts import moment_of
from vinculum.equations.actions import action_views, effort_power, exerted_efforts
from vinculum.equations.energies import center_velocity, kinetic_energy, momentum_screw
from vinculum.equations.observables.loads import loads_of
from vinculum.equations.recursions.coordinate_rates import mass_rates
from vinculum.equations.recursions.newton_euler import at_parent
from vinculum.scalars import directional
from vinculum.scalars.math import cross
from vinculum.systems import Link, Placement, Tree, body_view, ground_view

GRAVITY, SOURCES, DRIVE, PLANE = "gravity", "sources of mass", "drive of '{}'", "plane of '{}'"
"""Names of what acts from outside the system."""
STATE = "state"
WIDTH = 7
"""Numbers of one exchange: force and moment at the world's origin, and power."""


@final
@dataclass(frozen=True)
class Acts:
    """What acts on bodies: its ``name``, the links of its ``ends`` in order (−1 is the ground), and whether its partner is outside
    the system."""

    name: str
    ends: tuple[int, ...]
    external: bool = False


def exchanges(tree: Tree, q, v, t) -> dict[str, np.ndarray]:
    """For everything that acts (`models.acting.acts_in`) the exchanges (ends, 7) with each of its ends; ``state`` (n, 11): of every body
    its momentum screw at the world's origin, its kinetic energy, its mass and its mass center. The masses in ``q`` must be symbols.

    Cheremensky, On Concept of Mechanical System, (12), (15).
    """
    loads = loads_of(tree, q, v, t)
    placed, groups = loads.placed, {}
    for link, F in zip(tree.links, loads.joints, strict=True):
        F = out_of_plane(F) if link.body.mechanics.kinematics.is_planar else F
        on_child = _of_link(placed, link.index, F[:3], F[3:6])
        if link.joint.kind.path is not None:
            groups[DRIVE.format(link.body.name)] = on_child
        elif (name := transmitter(link)) is not None:
            parent = at_parent(link, q, -F[:3], -F[3:6])
            groups[name] = np.concatenate([on_child, _of_link(placed, link.parent, *parent)])
    for closure, (on_child, on_parent) in zip(tree.closures, loads.pairs, strict=True):
        both = _of_link(placed, closure.child, on_child[:3], on_child[3:]), _of_link(placed, closure.parent, *on_parent)
        groups[closure.joint.name] = np.concatenate(both)
    for acting in _others(tree):
        does, views = exerted_efforts(tree, acting, placed, t), action_views(tree, acting, placed)
        rows = [_of_effort(view, pair) for view, pair in zip(views, does.efforts(), strict=True)]
        groups[acting.action.name] = np.concatenate(rows)
    for one, by in [*loads.kept, *loads.yields, *loads.varied]:
        rows = [
            _of_effort(body_view(tree.links[i], placed[i]) if i >= 0 else ground_view(), effort)
            for (kind, i), effort in zip(one.ends, by.efforts, strict=True)
            if kind == "body" and effort is not None
        ]
        if rows:
            groups[one.constraint.name] = np.concatenate(rows)
    groups[GRAVITY] = np.concatenate([_weight(tree, i, placed) for i in range(len(tree.links))])
    motions = [
        np.concatenate([momentum_screw(link, placed[link.index]), [kinetic_energy(tree, placed, [link.index])]])
        for link in tree.links
    ]
    if tree.varying:
        groups[SOURCES] = _sources(tree, q, v, t, placed, motions)
    places = [np.concatenate([[link.mass], placed[link.index].X_WL.apply(link.center)]) for link in tree.links]
    groups[STATE] = np.concatenate([np.concatenate(pair) for pair in zip(motions, places, strict=True)])
    return groups


def transmitter(link: Link) -> str | None:
    """What stands between a link and its parent: a joint, or the plane of a planar body; nothing holds other free bodies."""
    if link.body.mechanics.kinematics.is_planar:
        return PLANE.format(link.body.name)
    return link.joint.name if link.joint.name != link.body.name else None


def out_of_plane(F) -> np.ndarray:
    """Of a wrench in a joint (6,) what keeps a body in the plane x-y: the force along z, and moments about x and y."""
    return np.concatenate([np.zeros(2), F[2:5], [0.0]])


def _others(tree: Tree) -> list:
    """The actions that are not those of mass that comes and goes."""
    own = {EXCHANGE.format(link.body.name) for link in tree.varying}
    return [acting for acting in tree.actions if acting.action.name not in own]


def _of_link(placed: Sequence[Placement], i: int, force, moment) -> np.ndarray:
    """An exchange (7,) from a wrench on a link in its axes at its origin; the ground has no power."""
    if i < 0:
        return np.concatenate([force, moment, [0.0]])
    at = placed[i]
    f, power = at.X_WL.R @ force, force @ at.v + moment @ at.w
    return np.concatenate([f, at.X_WL.R @ moment + cross(at.X_WL.p, f), [power]])


def _of_effort(view, effort) -> np.ndarray:
    """An exchange (7,) from an effort on a body."""
    moment = moment_of(view, effort) + cross(view.position, effort[0])
    return np.concatenate([effort[0], moment, [effort_power(view, effort)]])


def _weight(tree: Tree, i: int, placed: Sequence[Placement]) -> np.ndarray:
    link, at = tree.links[i], placed[i]
    force = link.mass * tree.gravity
    return np.concatenate([force, cross(at.X_WL.apply(link.center), force), [force @ center_velocity(link, at)]])


def _sources(tree: Tree, q, v, t, placed: Sequence[Placement], motions: Sequence[np.ndarray]) -> np.ndarray:
    """Exchanges (7 n,) with mass that comes and goes: what it exerts, and what it brings to bodies at rest in their places, ∂L/∂m ν."""
    nu: Any = mass_rates(tree, q, v)
    symbols = [q[link.mass_place] for link in tree.varying]
    total = np.asarray(directional(np.concatenate(motions), symbols, list(nu)), dtype=object)
    for link in tree.varying:
        view = change_view(body_view(link, placed[link.index]), turns=link.body.turns)
        own = slice(WIDTH * link.index, WIDTH * (link.index + 1))
        total[own] = total[own] + _of_effort(view, exchange_effort(link.body, view, t))
    return total
