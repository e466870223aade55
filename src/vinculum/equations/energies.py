"""Energies, momentum screw and mass center of any set of bodies."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from vinculum.bonds.joints.joint import compliance_of
from vinculum.equations.actions import action_energy
from vinculum.equations.constraints.forces import constraint_energy
from vinculum.scalars.math import cross
from vinculum.systems import Link, Placement, Tree


def kinetic_energy(tree: Tree, placed: Sequence[Placement], links: Sequence[int] | None = None):
    """½ Σ (m v_c² + ω J ω) [J]. Cheremensky (11)."""
    total = 0.0
    for link in _select_links(tree, links):
        at = placed[link.index]
        v_c = at.v + cross(at.w, link.center)
        total = total + 0.5 * (link.mass * (v_c @ v_c) + at.w @ (link.inertia @ at.w))
        total = total + unframed_energy(link, at)
    return total


def unframed_energy(link: Link, at: Placement):
    """Kinetic energy [J] of a link besides that of its mass and inertia: of its inner velocities and its added inertia."""
    energy = 0.0
    if link.inner_inertia is not None and at.inner is not None:
        energy = energy + 0.5 * (at.inner[1] @ (link.inner_inertia @ at.inner[1]))
    if link.extra_inertia is not None:
        V = np.concatenate([at.v, at.w])
        energy = energy + 0.5 * (V @ (link.extra_inertia @ V))
    return energy


def potential_energy(tree: Tree, t, q, placed: Sequence[Placement], links: Sequence[int] | None = None):
    """Energy of gravity, of the joints' springs and of the actions within a set of links and the ground [J]."""
    total = 0.0
    for link in _select_links(tree, links):
        total = total - link.mass * (tree.gravity @ placed[link.index].X_WL.apply(link.center))
        if link.joint.nv:
            total = total + compliance_of(link.joint).spring_energy(q[link.q])
    for acting in tree.actions:
        if links is None or set(acting.links) <= {-1, *links}:
            total = total + action_energy(tree, acting, placed, t)
    if links is None or len(links) == len(tree.links):
        total = total + constraint_energy(tree, q)
    return total


def central_momentum(link: Link, at: Placement) -> np.ndarray:
    """Momentum and angular momentum (6,) of one link, reduced at its mass center, in world axes."""
    R = at.X_WL.R
    linear, angular = link.mass * (at.v + cross(at.w, link.center)), link.inertia @ at.w
    if link.extra_inertia is not None:
        added = link.extra_inertia @ np.concatenate([at.v, at.w])
        linear, angular = linear + added[:3], angular + added[3:] - cross(link.center, added[:3])
    if at.inner is not None and link.inner is not None:
        angular = angular + link.inner.spin(*at.inner)
    return np.concatenate([R @ linear, R @ angular])


def center_velocity(link: Link, at: Placement) -> np.ndarray:
    """Velocity (3,) of the mass center of one link, in world axes."""
    return at.X_WL.R @ (at.v + cross(at.w, link.center))


def momentum_screw(link: Link, at: Placement) -> np.ndarray:
    """Momentum and angular momentum (6,) of one link, reduced at the world's origin, in world axes. Lemma 1."""
    central = central_momentum(link, at)
    return np.concatenate([central[:3], cross(at.X_WL.apply(link.center), central[:3]) + central[3:]])


def mass_center(tree: Tree, placed: Sequence[Placement], links: Sequence[int] | None = None) -> np.ndarray:
    """Mass center (3,) of a set of links in the world."""
    chosen = _select_links(tree, links)
    mass = sum(link.mass for link in chosen)
    moment: Any = sum(link.mass * placed[link.index].X_WL.apply(link.center) for link in chosen)
    return moment / mass


def _select_links(tree: Tree, links: Sequence[int] | None) -> list[Link]:
    return [tree.links[i] for i in (range(len(tree.links)) if links is None else links)]
