"""Generalized forces of a system's springs, dampers, drives, actions, and constraints realized by penalty or friction."""

import numpy as np

from vinculum.bonds.joints.joint import compliance_of
from vinculum.equations.actions import exerted_efforts, on_links, project_wrenches
from vinculum.equations.constraints.closing_wrenches import sum_wrenches
from vinculum.equations.constraints.forces import constraint_forces
from vinculum.systems import Tree, placements


def spring_forces(tree: Tree, q) -> np.ndarray:
    """Forces of the joints' springs, (nv,)."""
    return _concatenate_over_links(tree, lambda link: compliance_of(link.joint).spring_force(q[link.q]))


def dissipative_forces(tree: Tree, v) -> np.ndarray:
    """Forces of the joints' dampers, (nv,)."""
    return _concatenate_over_links(tree, lambda link: compliance_of(link.joint).damping_force(v[link.v]))


def drive_forces(tree: Tree, t, q, v) -> np.ndarray:
    """Forces of the joints' drives, (nv,)."""
    return _concatenate_over_links(tree, lambda link: compliance_of(link.joint).drive_force(t, q[link.q], v[link.v]))


def action_forces(tree: Tree, t, q, v, potential: bool = True, other: bool = True) -> np.ndarray:
    """Generalized forces (nv,) of the actions: those that follow from energies, the others, or both."""
    if not tree.actions:
        return np.zeros(tree.nv)
    return project_wrenches(tree, q, action_wrenches(tree, placements(tree, q, v), t, potential, other))


def action_wrenches(tree: Tree, placed, t, potential: bool = True, other: bool = True) -> list[np.ndarray | None]:
    """Wrenches (6,) of the actions on each link, in its axes at its origin; None where nothing acts."""
    acting = []
    for one in tree.actions:
        does = exerted_efforts(tree, one, placed, t)
        efforts = does.efforts() if potential and other else does.potential if potential else does.other
        acting += on_links(tree, one, placed, efforts)
    return sum_wrenches(tree, acting)


def applied_forces(tree: Tree, t, q, v) -> np.ndarray:
    """All of them, (nv,)."""
    force = joint_forces(tree, t, q, v)
    force = force + action_forces(tree, t, q, v) if tree.actions else force
    return force + constraint_forces(tree, q, v) if tree.constraints else force


def joint_forces(tree: Tree, t, q, v) -> np.ndarray:
    """Forces of the joints' springs, dampers and drives, (nv,)."""
    return spring_forces(tree, q) + dissipative_forces(tree, v) + drive_forces(tree, t, q, v)


def _concatenate_over_links(tree: Tree, of_link) -> np.ndarray:
    return np.concatenate([np.zeros(0), *(of_link(link) for link in tree.links if link.joint.nv)])
