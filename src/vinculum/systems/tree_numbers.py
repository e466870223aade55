"""The numbers and parameters in the description of a tree."""

from collections.abc import Mapping
from itertools import chain

import numpy as np

from vinculum.bodies.body import check_body
from vinculum.bonds import Joint
from vinculum.bonds.joints import check_joint
from vinculum.scalars import parameters
from vinculum.screws.entries import check_finite
from vinculum.systems.tree import Link, Tree


def tree_parameters(tree: Tree) -> dict[str, float]:
    """Name and default value of every parameter in bodies, joints and gravity."""
    described: list = list(np.ravel(tree.gravity))
    for k in tree.links:
        if k.like >= 0:
            continue
        further = [part for part in (k.inner_inertia, k.extra_inertia) if part is not None]
        for part in (k.mass, k.body.mass, k.center, k.inertia, *further, *_pose_numbers(k), *_joint_numbers(k.joint)):
            described.extend(np.ravel(np.asarray(part, dtype=object)))
    for closure in tree.closures:
        for part in (
            closure.X_PJ.R,
            closure.X_PJ.p,
            closure.X_CJ.R,
            closure.X_CJ.p,
            *_joint_numbers(closure.joint),
        ):
            described.extend(np.ravel(np.asarray(part, dtype=object)))
    return parameters(np.array([*described, 0.0], dtype=object))


def check_tree(tree: Tree, values: Mapping[str, float] | None = None) -> None:
    """Refuse parameter values that no body or joint can have."""
    check_finite(f"system '{tree.name}': gravity", tree.gravity, values)
    for link in tree.links:
        if link.like >= 0:
            continue
        check_body(link.body, values)
        check_joint(link.joint, values)
    for closure in tree.closures:
        check_joint(closure.joint, values)
    for acting in chain.from_iterable(one.samples for one in tree.acting):
        acting.action.law.check(values)
    for constrained in tree.constraints:
        if constrained.constraint.realization is not None:
            constrained.constraint.realization.check_values(f"constraint '{constrained.constraint.name}'", values)


def _pose_numbers(link: Link) -> list:
    return [part for X in (*link.before, *link.after, link.X_LB) for part in (X.R, X.p)]


ELSEWHERE = 0.37
"""Added to coordinates where the pose of a joint is asked a second time: a parameter may cancel at the usual ones."""


def _joint_numbers(joint: Joint) -> list:
    usual = np.array(joint.kind.coordinates.identity, dtype=float)
    found = [joint.damping, joint.stiffness, joint.rest]
    for q in (usual, usual + ELSEWHERE):
        pose = joint.kind.pose(q)
        found += [pose.R, pose.p, joint.kind.subspace(q)]
    return found
