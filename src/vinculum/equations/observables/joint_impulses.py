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
from vinculum.equations.observables.exchanges import DRIVE, WIDTH, out_of_plane, transmitter
from vinculum.equations.observables.loads import pushed_links
from vinculum.equations.recursions.newton_euler import at_parent, inverse_dynamics
from vinculum.scalars.math import cross
from vinculum.systems import Acting, Bounded, Constrained, Link, Placement, Tree, placements, world_poses
from vinculum.systems.tree import at_rest
from vinculum.systems.unilaterals import unilateral_views

CONTACTS = "contacts of shapes"


class Impulses(NamedTuple):
    """What acts at an instant at which velocities jump; arrays of floats or symbols."""

    given: np.ndarray
    """Share of each impulse of the user's that acts (k,)."""
    multipliers: np.ndarray
    """Impulses of closing joints and constraints, by their rows (c,)."""
    unilateral: np.ndarray
    """Those of unilateral constraints (3 m,)."""
    pressed: np.ndarray
    """Those of contacts of shapes (links, 6), at the world's origin in world axes; where a body deforms (links, 15), with the sums of
    f xᵀ over the points x at which the impulses f act."""


def joint_impulses(tree: Tree, q, v, t, jump, impulses: Impulses) -> dict[str, np.ndarray]:
    r"""Impulse of the parent on the child in every joint (6,), in world axes at the child's joint origin [N s, N m s].

    .. math:: \Theta_i\,(V_i^+ - V_i^-) = P_i + \sum_{joints} \pm P_j

    Newton's and Euler's recursion at rest, with the ``jump`` v⁺ − v⁻ in place of accelerations and impulses in place of forces. ``v``: the
    velocities before. Moreau, An expression of classical dynamics, (4.3).
    """
    placed = placements(tree, q, v)
    pushes = [(i, F) for _, i, F in pushes_of(tree, q, v, t, impulses)]
    closing = closing_wrenches(tree, q, impulses.multipliers)
    still = replace(at_rest(tree), gravity=np.zeros(3))
    wrenches = inverse_dynamics(still, q, np.zeros(tree.nv), jump, sum_wrenches(tree, pushes))[1]
    found = {}
    for link, X_WL, F in zip(tree.links, world_poses(tree, q), wrenches, strict=True):
        moment = F[3:6] - cross(link.joint_origin, F[:3])
        found[link.joint.name] = np.concatenate([X_WL.R @ F[:3], X_WL.R @ moment])
    ends = zip(tree.closures, closing, strict=True)
    return found | {closure.joint.name: world_wrench(closure, placed, F)[0] for closure, F in ends}


def pushes_of(tree: Tree, q, v, t, impulses: Impulses) -> list[tuple[str, int, np.ndarray]]:
    """Everything but joints that strikes a link, as (name, link, impulse (6,) in the link's axes at its origin)."""
    placed = placements(tree, q, v)
    pushes: list[tuple[str, int, np.ndarray]] = []
    for one, share in zip(tree.impulses, impulses.given, strict=True):
        if one.kind == "body":
            struck = Acting(one.impulse, (one.link,))
            efforts = one.impulse.law.efforts_at(action_views(tree, struck, placed), t) or []
            pushes += [(one.impulse.name, i, share * F) for i, F in on_links(tree, struck, placed, efforts)]
    for closure, F in zip(tree.closures, closing_wrenches(tree, q, impulses.multipliers), strict=True):
        alone = replace(tree, closures=(closure,))
        pushes += [(closure.joint.name, i, on) for i, on in wrenches_on_links(alone, q, [F])]
    constrained = [one for one in tree.constraints if one.holds]
    for one, lam in zip(constrained, constraint_multipliers(tree, impulses.multipliers), strict=True):
        kept = pushed_links(tree, one, placed, keeping(tree, one, placed, q, v, lam))
        pushes += [(one.constraint.name, i, F) for i, F in kept]
    for k, one in enumerate(tree.unilaterals):
        for part, lam in _as_constraints(tree, one, placed, q, v, t, impulses.unilateral[3 * k : 3 * k + 3]):
            kept = pushed_links(tree, part, placed, keeping(tree, part, placed, q, v, lam))
            pushes += [(one.unilateral.name, i, F) for i, F in kept]
    pressed = zip(tree.links, placed, impulses.pressed, strict=False)
    return pushes + [(CONTACTS, link.index, _pressed_on(link, at, F)) for link, at, F in pressed]


def _pressed_on(link: Link, at: Placement, F) -> np.ndarray:
    """The impulse of contacts of shapes on a link, in its axes at its origin, from that at the world's origin in world axes. On a point
    mass impulses act at its position, wherever its shape is touched."""
    R, p = at.X_WL.R, at.X_WL.p
    moment = R.T @ (F[3:6] - cross(p, F[:3])) if link.body.turns else np.zeros(3)
    on = np.concatenate([R.T @ F[:3], moment])
    if at.inner is None:
        return on
    kinematics, K = link.body.mechanics.kinematics, at.inner[0]
    P = (F[6:].reshape(3, 3) - np.outer(F[:3], p)) @ kinematics.inverse(K).T
    return np.concatenate([on, kinematics.gradient(P, K)])


def impulse_exchanges(tree: Tree, q, v, t, jump, impulses: Impulses) -> dict[str, np.ndarray]:
    """For everything that strikes, joints included, its impulse on every link as a screw at the world's origin, and its work on the mean of
    the velocities before and after, (7 n,)."""
    placed, count = placements(tree, q, v + 0.5 * jump), len(tree.links)
    pushes = pushes_of(tree, q, v, t, impulses)
    still = replace(at_rest(tree), gravity=np.zeros(3))
    acting = sum_wrenches(tree, [(i, F) for _, i, F in pushes])
    wrenches = inverse_dynamics(still, q, np.zeros(tree.nv), jump, acting)[1]
    for link, F in zip(tree.links, wrenches, strict=True):
        name = transmitter(link) if link.joint.kind.path is None else DRIVE.format(link.body.name)
        if name is not None:
            F = out_of_plane(F) if link.body.mechanics.kinematics.is_planar else F
            pushes.append((name, link.index, F[:6]))
            if link.parent >= 0:
                pushes.append((name, link.parent, np.concatenate(at_parent(link, q, -F[:3], -F[3:6]))))
    found: dict[str, np.ndarray] = {}
    for name, i, F in pushes:
        rows = found.setdefault(name, np.zeros((count, WIDTH), dtype=object))
        rows[i] = rows[i] + _exchange(placed[i], F)
    return {name: rows.ravel() for name, rows in found.items()}


def _exchange(at: Placement, F) -> np.ndarray:
    """An exchange (7,) from an impulse on a link; that on a body that deforms has numbers for its inner velocities too."""
    f, work = at.X_WL.R @ F[:3], F[:3] @ at.v + F[3:6] @ at.w
    if len(F) > 6 and at.inner is not None:
        work = work + F[6:] @ at.inner[1]
    return np.concatenate([f, at.X_WL.R @ F[3:6] + cross(at.X_WL.p, f), [work]])


def _as_constraints(tree: Tree, one: Bounded, placed, q, v, t, P) -> list[tuple[Constrained, np.ndarray]]:
    """A closed unilateral constraint as rows that it keeps, with a multiplier for each."""
    parts = kept_closed(one.unilateral, STICKS)
    if one.unilateral.friction is None:
        return [(Constrained(parts[0], one.things, 1), P[:1])]
    size, _, _ = contact_frame(one.unilateral, unilateral_views(tree, one, placed, q, v), t)
    return [(Constrained(parts[0], one.things, 1), P[:1] / size), (Constrained(parts[1], one.things, 2), P[1:])]
