"""Efforts of servos in chosen directions on bodies and joints."""

import numpy as np

from vinculum.equations.actions import effort_power
from vinculum.equations.constraints.efforts import Keeping, kept_power
from vinculum.equations.constraints.named_rows import named_rows, unit_efforts
from vinculum.scalars.math import dot
from vinculum.systems import Acting, AlongJoint, Constrained, Placement, Tree, body_view, placements


def named_efforts(tree: Tree, constrained: Constrained, placed: list[Placement], v, lam) -> Keeping:
    """Efforts λ of a servo on the bodies and joints that they act on, and their power [W]."""
    lam = np.asarray(lam, dtype=object)
    wrenches: dict[tuple[str, int], tuple] = {}
    forces = {end: np.zeros(tree.links[end[1]].joint.nv, dtype=object) for end in constrained.ends if end[0] == "joint"}
    for one, size in zip(constrained.directions, lam, strict=True):
        if isinstance(one, AlongJoint):
            forces["joint", one.link][one.velocity] = forces["joint", one.link][one.velocity] + size
            continue
        for end, (force, moment) in zip(one.ends, unit_efforts(tree, one, placed), strict=True):
            known = wrenches.get(end, (np.zeros(3), np.zeros(len(moment))))
            wrenches[end] = known[0] + size * np.asarray(force), known[1] + size * np.asarray(moment)
    by = Keeping(
        tuple(wrenches.get(end) for end in constrained.ends),
        0.0,
        tuple(forces.get(end) for end in constrained.ends),
        lam,
    )
    return Keeping(by.efforts, kept_power(tree, constrained, by, placed, v), by.along, lam)


def unit_powers(tree: Tree, constrained: Constrained, placed: list[Placement], q, v) -> np.ndarray:
    r"""Power of each unit effort of a servo, (k,), from its generalized forces.

    .. math:: B v + P_0

    P₀ is what bodies that move by the clock take up where all velocities are zero.
    """
    known = named_rows(tree, constrained, q, v) @ v
    if not tree.prescribed:
        return known
    standing = placements(tree, q, np.zeros(tree.nv))
    return known + np.array([_drift(tree, one, placed, standing) for one in constrained.directions], dtype=object)


def named_power(tree: Tree, constrained: Constrained, placed: list[Placement], q, v, lam):
    """Power [W] of the efforts λ of a servo, without the efforts on its bodies."""
    return dot(np.asarray(lam, dtype=object), unit_powers(tree, constrained, placed, q, v))


def _drift(tree: Tree, one: AlongJoint | Acting, placed: list[Placement], standing: list[Placement]):
    if isinstance(one, AlongJoint):
        return 0.0
    pairs = zip(one.links, unit_efforts(tree, one, placed), strict=True)
    return sum((effort_power(body_view(tree.links[i], standing[i]), effort) for i, effort in pairs if i >= 0), 0.0)
