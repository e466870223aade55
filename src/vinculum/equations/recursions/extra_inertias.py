"""Wrenches of added inertias: those of a kinetic energy ½ V·Θ V besides that of mass and moments of inertia."""

import numpy as np

from vinculum.screws import Phi
from vinculum.systems import Link, Placement, Tree, placements, twist_rates


def extra_wrenches(tree: Tree, q, v, a) -> list[np.ndarray | None]:
    r"""Wrench (6,) that gives the added inertia of every link its motion, in link axes at its origin; None where there is none.

    .. math:: F = \Theta\dot V + \Phi\Theta V

    Cheremensky, On Concept of Mechanical System, (22) and section 2.4.2.
    """
    if all(link.extra_inertia is None for link in tree.links):
        return [None] * len(tree.links)
    placed = placements(tree, q, v)
    rates = twist_rates(tree, placed, q, v, a)
    return [
        None if link.extra_inertia is None else link.extra_inertia @ rate[:6] + gyroscopic_wrench(link, at)
        for link, at, rate in zip(tree.links, placed, rates, strict=True)
    ]


def gyroscopic_wrench(link: Link, at: Placement) -> np.ndarray:
    """Φ Θ V (6,) of the added inertia of a link."""
    V = np.concatenate([at.v, at.w])
    return Phi(V) @ (link.extra_inertia @ V)
