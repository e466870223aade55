"""Rotation charts with their own reference attitudes, so that a run can avoid the singularities of a chart.

Where a chart comes near a singularity, the joint's rotation is written R = R_base R_chart(q) with another constant R_base;
the angular velocity in the child's axes, and with it q̇ = D⁻¹ ω, does not see R_base. The bases are hidden parameters.
"""

from dataclasses import replace

import numpy as np

from vinculum.bonds.joints import with_base
from vinculum.bonds.joints.joint import compliance_of
from vinculum.scalars import Scalar, vector
from vinculum.screws import Quaternion
from vinculum.systems.tree import Link, Tree


def turning_links(tree: Tree) -> list[Link]:
    """Links whose joint has a chart with singularities."""
    return [link for link in tree.links if link.joint.kind.coordinates.turn is not None]


def base_names(link: Link) -> list[str]:
    """Names of the hidden parameters that hold a joint's base as a unit quaternion; none where a drive sees the chart."""
    movable = link.joint.kind.coordinates.turn is not None and not compliance_of(link.joint).shows_turn
    return [f"~base {link.joint.name} {i}" for i in range(4)] if movable else []


def base_parameters(tree: Tree) -> dict[str, float]:
    """Names and defaults of all bases: no rotation."""
    return {name: x for link in tree.links for name, x in zip(base_names(link), Quaternion.identity, strict=False)}


def with_bases(tree: Tree) -> Tree:
    """The same tree with the reference attitudes of its charts."""
    if not base_parameters(tree):
        return tree
    return replace(tree, links=tuple(_link_with_base(link) for link in tree.links))


def _link_with_base(link: Link) -> Link:
    names = base_names(link)
    if not names:
        return link
    base = vector([Scalar("parameter", name, x) for name, x in zip(names, Quaternion.identity, strict=True)])
    return replace(link, joint=with_base(link.joint, np.asarray(Quaternion().matrix(base))))
