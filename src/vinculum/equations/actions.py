"""Efforts of potentials, forces and interactions on the bodies of a tree: `exerted_efforts` differentiates an energy into
forces and moments.
"""

from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

from vinculum.bonds import BodyView, Effort, end_name
from vinculum.bonds.body_view import change_view
from vinculum.equations.recursions.newton_euler import at_parent
from vinculum.errors import ModelError
from vinculum.scalars import directional, gradient, substitute
from vinculum.scalars.math import abs as absolute
from vinculum.scalars.math import cross, dot
from vinculum.systems import Acting, FreeViews, Placement, Tree, body_view, free_views, ground_view


@final
@dataclass(frozen=True, eq=False)
class Exerted:
    """Result of one action: its ``energy`` [J], the explicit time derivative ∂U/∂t, and the efforts on each of its
    bodies, those of the energy (``potential``) and the others (``other``).

    ``moment_size``: Σ |∂U/∂R| over all entries, which the round-off of the moments is measured against; of a deformation φ also
    Σ |∂²U/∂φ² φ|, since its slopes vanish in a state without stress.
    """

    energy: Any
    time_slope: Any
    potential: tuple[Effort, ...]
    other: tuple[Effort, ...]
    moment_size: Any = 0.0

    def efforts(self) -> tuple[Effort, ...]:
        """Force and moment on each body at its origin, in world axes."""
        return tuple((f + g, m + n) for (f, m), (g, n) in zip(self.potential, self.other, strict=True))


def action_views(tree: Tree, acting: Acting, placed: Sequence[Placement]) -> list[BodyView]:
    """Views of the bodies of an action."""
    views = [body_view(tree.links[i], placed[i]) if i >= 0 else ground_view() for i in acting.links]
    turns = [i < 0 or tree.links[i].body.turns for i in acting.links]
    return [view if turn else change_view(view, turns=False) for view, turn in zip(views, turns, strict=True)]


def action_energy(tree: Tree, acting: Acting, placed: Sequence[Placement], t):
    """The energy of an action [J]."""
    free = _views_at_symbols(tree, acting)
    energy = acting.action.law.energy_at(free.still, free.t)
    values = free.values(action_views(tree, acting, placed), t)
    with _somewhere_finite(acting):
        return substitute(np.array([energy, 0.0], dtype=object), free.leaves(), values)[0]


def exerted_efforts(tree: Tree, acting: Acting, placed: Sequence[Placement], t) -> Exerted:
    r"""Energy and efforts of an action at the poses and twists ``placed`` of the links.

    .. math:: F_\Theta = -\frac{\partial U}{\partial x_\Theta},\qquad M_\Theta = -u_{R_\Theta}

    The energy is differentiated with respect to positions and the nine entries of rotations, so no chart enters. O'Reilly and
    Srinivasa, (23) with direct differentiation.
    """
    free, views = _views_at_symbols(tree, acting), action_views(tree, acting, placed)
    energy = acting.action.law.energy_at(free.still, free.t)
    leaves = free.leaves()
    jacobians = dict(zip(map(id, leaves), gradient(energy, leaves), strict=True))
    parts: list = []
    moment_size = 0.0
    for (x, R), kind in zip(free.places, free.kinematics, strict=True):
        P = np.array([[jacobians.get(id(r), 0.0) for r in row] for row in R], dtype=object)
        moment_size = moment_size + sum((abs(p) for p in P.ravel()), 0.0)
        moment = kind.gradient(P, R)
        if kind.deforms:
            moment_size = moment_size + _size_unstressed(moment, kind.free_entries(R))
        parts.extend([*(-jacobians[id(k)] for k in x), *-moment])
    outputs = np.array([energy, jacobians[id(free.t)], moment_size, *parts], dtype=object)
    with _somewhere_finite(acting):
        there = substitute(outputs, leaves, free.values(views, t))
        other = acting.action.law.efforts_at(views, t) or [(np.zeros(3), np.zeros(k.count)) for k in free.kinematics]
    ends = np.cumsum([3, *(3 + kind.count for kind in free.kinematics)])
    potential = [(there[first : first + 3], there[first + 3 : last]) for first, last in pairwise(ends)]
    return Exerted(there[0], there[1], tuple(potential), tuple(other), there[2])


def _views_at_symbols(tree: Tree, acting: Acting) -> FreeViews:
    """Views of the bodies of an action at symbolic positions, with their masses as they are in the tree."""
    links = [tree.links[i] if i >= 0 else None for i in acting.links]
    masses = [(0.0, np.zeros(3)) if link is None else (link.mass, link.com) for link in links]
    return free_views([None if link is None else link.body for link in links], masses)


def _size_unstressed(slopes, entries):
    """Size [J] of the terms that cancel in the slopes of an energy by a deformation where that has no stress: their rate as it grows."""
    return sum((abs(x) for x in directional(slopes, np.array(entries, dtype=object), entries)), 0.0)


@contextmanager
def _somewhere_finite(acting: Acting):
    """Refuse an action that divides by zero in every position of its bodies, as at a fixed pivot."""
    try:
        with np.errstate(all="ignore"):
            yield
    except ZeroDivisionError as error:
        action = acting.action
        raise ModelError(
            f"{type(action).__name__} '{action.name}': its energy or force divides by zero in every position that the joints of "
            f"{', '.join(repr(end_name(end)) for end in action.ends)} allow, where a distance or divisor is always zero; "
            "act on points that can move apart, or leave it out"
        ) from error


def effort_power(view: BodyView, effort: Effort):
    """Power [W] of a force and a moment at a body's origin."""
    assert not isinstance(view._state.motion, str)
    return dot(effort[0], view._state.motion[0]) + dot(effort[1], view._state.motion[1])


def power_size(view: BodyView, effort: Effort):
    """Σ |f_k v_k| + |m_k ω_k| [W]: a force across a velocity has no power, but its components have."""
    assert not isinstance(view._state.motion, str)
    return sum(absolute(x) @ absolute(y) for x, y in zip(effort, view._state.motion, strict=True))


def on_links(
    tree: Tree, acting: Acting, placed: Sequence[Placement], efforts: Sequence[Effort]
) -> list[tuple[int, np.ndarray]]:
    """Efforts as (link, wrench (6,) in the link's axes at its origin); efforts on the ground are omitted."""
    return [
        (i, link_wrench(tree, placed, i, effort)) for i, effort in zip(acting.links, efforts, strict=True) if i >= 0
    ]


def link_wrench(tree: Tree, placed: Sequence[Placement], i: int, effort: Effort) -> np.ndarray:
    """An effort on the body of link ``i`` as a wrench (6,) in its axes at its origin; of a body that deforms its force, its moment and what
    has power with its inner velocities, (6 + n,)."""
    link, at = tree.links[i], placed[i]
    if at.inner is not None:
        return np.concatenate([effort[0], link.body.mechanics.kinematics.moment(at.inner[0], effort[1]), effort[1]])
    R_LW = at.X_WL.R.T
    f = R_LW @ effort[0]
    return np.concatenate([f, R_LW @ effort[1] + cross(link.X_LB.p, f)])


def energy_rate(tree: Tree, acting: Acting, placed: Sequence[Placement], q, q_dot, t):
    """dU/dt [W] along q̇, by differentiating the energy as a function of coordinates and time. ``q``, ``t``: symbols."""
    energy = action_energy(tree, acting, placed, t)
    return directional(np.array([energy], dtype=object), [*q, t], [*q_dot, 1.0])[0]


def project_wrenches(tree: Tree, q, wrenches: Sequence) -> np.ndarray:
    """Generalized forces (nv,) of wrenches on links, None or (6,) each in the link's axes at its origin; those on bodies that deform are
    longer, see `link_wrench`."""
    total = list(wrenches)
    result = np.zeros(tree.nv, dtype=object)
    for link in reversed(tree.links):
        F = total[link.index]
        if F is None:
            continue
        if link.joint.nv:
            result[link.v] = link.joint.kind.subspace(q[link.q]).T @ F[:6]
            result[link.inner_v] = F[6:]
        if link.parent >= 0:
            carried = np.concatenate(at_parent(link, q, F[:3], F[3:6]))
            above = total[link.parent]
            total[link.parent] = carried if above is None else above + carried
    return result
