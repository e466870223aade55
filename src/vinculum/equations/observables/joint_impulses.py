"""Impulses transmitted by joints where velocities jump."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from vinculum.bonds.unilaterals import STICKS, contact_frame, kept_closed
from vinculum.equations.actions import action_views, on_links
from vinculum.equations.constraints.closing_wrenches import (
    closing_wrenches,
    sum_wrenches,
    world_wrench,
    wrenches_on_links,
)
from vinculum.equations.constraints.efforts import constraint_multipliers, keeping
from vinculum.equations.observables.loads import pushed_links
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.scalars.math import cross
from vinculum.systems import Acting, Bounded, Constrained, Tree, placements, world_poses
from vinculum.systems.tree import at_rest
from vinculum.systems.unilaterals import unilateral_views


class Impulses(NamedTuple):
    """What acts at an instant at which velocities jump; arrays of floats or symbols."""

    given: np.ndarray
    """Share of each impulse of the user's that acts (k,)."""
    multipliers: np.ndarray
    """Impulses of closing joints and constraints, by their rows (c,)."""
    unilateral: np.ndarray
    """Those of unilateral constraints (3 m,)."""
    pressed: np.ndarray
    """Those of contacts of shapes (links, 6), at the world's origin in world axes."""


def joint_impulses(tree: Tree, q, v, t, jump, impulses: Impulses) -> dict[str, np.ndarray]:
    r"""Impulse of the parent on the child in every joint (6,), in world axes at the child's joint origin [N s, N m s].

    .. math:: \Theta_i\,(V_i^+ - V_i^-) = P_i + \sum_{joints} \pm P_j

    Newton's and Euler's recursion at rest, with the ``jump`` v⁺ − v⁻ in place of accelerations and impulses in place of forces. ``v``: the
    velocities before. Moreau, An expression of classical dynamics, (4.3).
    """
    placed = placements(tree, q, v)
    pushes = []
    for one, share in zip(tree.impulses, impulses.given, strict=True):
        if one.kind == "body":
            struck = Acting(one.impulse, (one.link,))
            efforts = one.impulse.law.efforts_at(action_views(tree, struck, placed), t) or []
            pushes += [(i, share * F) for i, F in on_links(tree, struck, placed, efforts)]
    closing = closing_wrenches(tree, q, impulses.multipliers)
    pushes += wrenches_on_links(tree, q, closing)
    constrained = [one for one in tree.constraints if one.holds]
    for one, lam in zip(constrained, constraint_multipliers(tree, impulses.multipliers), strict=True):
        pushes += pushed_links(tree, one, placed, keeping(tree, one, placed, q, v, lam))
    for k, one in enumerate(tree.unilaterals):
        for part, lam in _as_constraints(tree, one, placed, q, v, t, impulses.unilateral[3 * k : 3 * k + 3]):
            pushes += pushed_links(tree, part, placed, keeping(tree, part, placed, q, v, lam))
    for i, (F, place) in enumerate(zip(impulses.pressed, placed, strict=False)):
        R, p = place.X_WL.R, place.X_WL.p
        pushes.append((i, np.concatenate([R.T @ F[:3], R.T @ (F[3:] - cross(p, F[:3]))])))
    still = replace(at_rest(tree), gravity=np.zeros(3))
    wrenches = inverse_dynamics(still, q, np.zeros(tree.nv), jump, sum_wrenches(tree, pushes))[1]
    found = {}
    for link, X_WL, F in zip(tree.links, world_poses(tree, q), wrenches, strict=True):
        moment = F[3:6] - cross(link.joint_origin, F[:3])
        found[link.joint.name] = np.concatenate([X_WL.R @ F[:3], X_WL.R @ moment])
    ends = zip(tree.closures, closing, strict=True)
    return found | {closure.joint.name: world_wrench(closure, placed, F)[0] for closure, F in ends}


def _as_constraints(tree: Tree, one: Bounded, placed, q, v, t, P) -> list[tuple[Constrained, np.ndarray]]:
    """A closed unilateral constraint as rows that it keeps, with a multiplier for each."""
    parts = kept_closed(one.unilateral, STICKS)
    if one.unilateral.friction is None:
        return [(Constrained(parts[0], one.things, 1), P[:1])]
    size, _, _ = contact_frame(one.unilateral, unilateral_views(tree, one, placed, q, v), t)
    return [(Constrained(parts[0], one.things, 1), P[:1] / size), (Constrained(parts[1], one.things, 2), P[1:])]
