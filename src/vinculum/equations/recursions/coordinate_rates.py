"""Rates of coordinates and velocities, each from the other."""

import numpy as np

from vinculum.scalars import symbols
from vinculum.systems import Tree


def rates(tree: Tree, q, v) -> np.ndarray:
    """q̇ = N(q) v, (nq,); zero for multipliers that are part of the state, whose rates no kinematics knows."""
    parts = [link.joint.kind.coordinates.rates(q[link.q], v[link.v]) for link in tree.links]
    return np.concatenate([np.zeros(0), *parts, np.zeros(tree.multipliers)])


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
