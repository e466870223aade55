"""Sizes of the terms of velocities and momenta that may cancel."""

from collections.abc import Sequence

import numpy as np

from vinculum.scalars.math import abs as absolute
from vinculum.scalars.math import maximum
from vinculum.systems import Placement, Tree, joint_twist, link_steps
from vinculum.tolerances.round_off import CANCELED


def at_least(size, terms):
    """A size, or a small part of the terms that cancel in it where that is more: what is left of them is round-off then."""
    return maximum(size, CANCELED * terms)


def speed_sizes(tree: Tree, q, v) -> list[tuple]:
    """Σ |terms| of the velocity of every link's origin [m/s] and of its angular velocity [rad/s], joint by joint from the ground."""
    found: list[tuple] = []
    for link in tree.links:
        speed, spin = found[link.parent] if link.parent >= 0 else (0.0, 0.0)
        speed = speed + spin * sum((_length(X.p) for X in link_steps(link, q)), 0.0)
        u, w = joint_twist(link, q, v)
        found.append((speed + _length(u), spin + _length(w)))
    return found


def momentum_sizes(tree: Tree, placed: list[Placement], q, v) -> list[tuple]:
    """Σ |terms| of every link's momentum [N s] and of its angular momentum [N m s] at the world's origin.

    A body that swings about its mass center at rest has no momentum, but the motion of its origin and its turning have.
    """
    found = []
    for link, at, (speed, spin) in zip(tree.links, placed, speed_sizes(tree, q, v), strict=True):
        momentum = link.mass * (speed + spin * _length(link.center))
        turning = _length(link.inertia.ravel()) * spin
        if at.inner is not None and link.inner_inertia is not None:
            turning = turning + _length(at.inner[0].ravel()) * _length(link.inner_inertia.ravel()) * _length(
                at.inner[1]
            )
        if link.extra_inertia is not None:
            added = _length(link.extra_inertia.ravel()) * (speed + spin)
            momentum, turning = momentum + added, turning + added
        found.append((momentum, _length(at.X_WL.apply(link.center)) * momentum + turning))
    return found


def kinetic_size(tree: Tree, q, v, links: Sequence[int]):
    """The kinetic energy [J] that a set of links would have if the terms of their velocities did not cancel."""
    speeds, total = speed_sizes(tree, q, v), 0.0
    for i in links:
        link, (speed, spin) = tree.links[i], speeds[i]
        fast = speed + spin * _length(link.center)
        total = total + 0.5 * (link.mass * fast * fast + _length(link.inertia.ravel()) * spin * spin)
        if link.inner_inertia is not None:
            rate = _length(v[link.inner_v])
            total = total + 0.5 * _length(link.inner_inertia.ravel()) * rate * rate
        if link.extra_inertia is not None:
            total = total + 0.5 * _length(link.extra_inertia.ravel()) * (speed + spin) * (speed + spin)
    return total


def _length(x):
    return sum(absolute(np.asarray(x, dtype=object)), 0.0)
