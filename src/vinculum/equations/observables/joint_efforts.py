"""Wrenches of joints along their velocities, and the forces exerted there."""

from typing import Any

import numpy as np

from vinculum.equations.applied import joint_forces
from vinculum.equations.observables.loads import Loads, length
from vinculum.scalars.math import abs as absolute
from vinculum.systems import Tree, link_steps


def joint_efforts(tree: Tree, q, v, t, loads: Loads) -> dict:
    r"""For every joint with velocities: its wrench on the child projected on them (``transmitted``), less what springs, dampers, drives and
    constraints exert along them (``unexplained``), the size of the terms (``effort size``), and what the forces and moments of the whole
    system would be along them (``system size``), (k,) each.

    .. math:: S^T F = \tau

    F is what Newton and Euler ask of the joint for the motion of all that it carries and the efforts on it; an ideal joint has none of its
    own along its velocities. Cheremensky (22).
    """
    exerted = joint_forces(tree, t, q, v)
    for constrained, by in [*loads.kept, *loads.yields, *loads.varied]:
        for (_, i), effort, force in zip(constrained.ends, by.efforts, by.along, strict=True):
            if effort is None:
                exerted[tree.links[i].v] = exerted[tree.links[i].v] + force
    forces, moments = _sizes(tree, q, loads)
    roots = [link.index for link in tree.links if link.parent < 0]
    whole = [sum((sizes[i] for i in roots), 0.0) for sizes in (forces, moments)]
    groups: dict = {}
    for link in tree.links:
        if not link.joint.nv:
            continue
        S, own = link.joint.kind.subspace(q[link.q]), exerted[link.v]
        transmitted = S.T @ loads.joints[link.index]
        size = _along(S, forces[link.index], moments[link.index]) + absolute(own)
        name = link.joint.name
        groups |= {
            f"{name}/transmitted": transmitted,
            f"{name}/unexplained": transmitted - own,
            f"{name}/effort size": size,
            f"{name}/system size": _along(S, *whole) + absolute(own),
        }
    return groups


def _along(S, force, moment):
    """Sizes (k,) along the velocities of a joint of a force and a moment of any direction."""
    return absolute(S[:3].T) @ np.full(3, force, dtype=object) + absolute(S[3:].T) @ np.full(3, moment, dtype=object)


def _sizes(tree: Tree, q, loads: Loads) -> tuple[list, list]:
    """Sizes of the forces and moments that meet in every joint: of weights, of inertia, of all that it carries, and of what acts there."""
    forces: list[Any] = [length(F[:3]) for F in loads.joints]
    moments: list[Any] = [length(F[3:]) for F in loads.joints]
    for link, at in zip(tree.links, loads.placed, strict=True):
        turning = length(at.w)
        forces[link.index] = forces[link.index] + link.mass * (length(tree.gravity) + turning * length(at.v))
        moments[link.index] = moments[link.index] + length(np.ravel(link.inertia)) * turning * turning
        if link.extra_inertia is not None:
            gyroscopic = length(np.ravel(link.extra_inertia)) * (turning + length(at.v)) * (turning + length(at.v))
            forces[link.index], moments[link.index] = forces[link.index] + gyroscopic, moments[link.index] + gyroscopic
    for i, F in loads.on_links:
        forces[i], moments[i] = forces[i] + length(F[:3]), moments[i] + length(F[3:6])
    for link in reversed(tree.links):
        i, p = link.index, link.parent
        moments[i] = moments[i] + length(link.center) * forces[i]
        if p >= 0:
            arm = sum(length(X.p) for X in link_steps(link, q))
            forces[p], moments[p] = forces[p] + forces[i], moments[p] + moments[i] + arm * forces[i]
    return forces, moments
