"""Rates of coordinates and velocities, each from the other."""

import numpy as np

from vinculum.bonds import mass_rate
from vinculum.bonds.body_view import change_view
from vinculum.scalars import symbols
from vinculum.systems import Tree, body_view, placements


def rates(tree: Tree, q, v) -> np.ndarray:
    """q̇ = N(q) v, (nq,); zero for masses and multipliers that are part of the state, whose rates no kinematics knows."""
    parts = [link.joint.kind.coordinates.rates(q[link.q], v[link.v]) for link in tree.links]
    return np.concatenate([np.zeros(0), *parts, np.zeros(tree.nq - tree.placed)])


def mass_rates(tree: Tree, q, v) -> np.ndarray:
    """ν [kg/s] of every mass that is part of the state, where the tree stands at its instant. Cheremensky (18)."""
    placed = placements(tree, q, v)
    found = np.empty(len(tree.varying), dtype=object)
    for i, link in enumerate(tree.varying):
        view = change_view(body_view(link, placed[link.index]), turns=link.body.turns)
        found[i] = mass_rate(link.body, view, tree.instant)
    return found


def with_mass_rates(tree: Tree, q_dot, q, v) -> np.ndarray:
    """q̇ (nq,) with the rates of the masses that are part of the state."""
    if not tree.varying:
        return q_dot
    first = tree.placed
    return np.concatenate([q_dot[:first], mass_rates(tree, q, v), q_dot[first + len(tree.varying) :]])


def with_multiplier_rates(q_dot, mu_dot) -> np.ndarray:
    """q̇ (nq,) with the rates of the multipliers that are part of the state, which stand last."""
    return np.concatenate([q_dot[: len(q_dot) - len(mu_dot)], mu_dot])


def velocities(tree: Tree, q, q_dot) -> np.ndarray:
    """v of given rates q̇, (nv,): the inverse of `rates`."""
    return np.concatenate(
        [np.zeros(0), *(link.joint.kind.coordinates.velocities(q[link.q], q_dot[link.q]) for link in tree.links)]
    )


def rates_are_velocities(tree: Tree) -> bool:
    """Whether v is q̇ in every joint."""
    q, v = symbols("q", tree.nq), symbols("v", tree.nv)
    return all(link.joint.kind.coordinates.rates(q[link.q], own) is own for link in tree.links for own in [v[link.v]])
