"""Scales of the gaps of closed loops."""

import numpy as np

from vinculum.equations.constraints.closures import gap_names
from vinculum.scalars.math import sqrt
from vinculum.systems import Closure, Tree

LENGTHS = ("x", "y", "z")


def gap_sizes(tree: Tree) -> np.ndarray:
    r"""A length of its loop for every gap that is a length, one for the others, (m,).

    .. math:: \ell = \sqrt{\sum |p|^2} \quad\text{over the constant offsets on the way around the loop}

    A loop without offsets has length zero.
    """
    lengths = {closure.joint.name: sqrt(_squares(tree, closure)) for closure in tree.closures}
    sizes = [lengths[joint] if label in LENGTHS else 1.0 for joint, label in gap_names(tree)]
    return np.array([*sizes, None], dtype=object)[:-1]


def _squares(tree: Tree, closure: Closure):
    paths = [tree.path(closure.parent), tree.path(closure.child)]
    links = [tree.links[i] for i in set(paths[0]) ^ set(paths[1])]
    poses = [closure.X_PJ, closure.X_CJ, *(X for link in links for X in (*link.before, *link.after))]
    return sum((X.p @ X.p for X in poses), 0.0)
