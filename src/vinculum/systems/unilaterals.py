"""Unilateral constraints in a tree: their bodies and joints, and the views of these."""

from dataclasses import replace

import numpy as np

from vinculum.bodies import GROUND
from vinculum.bonds import Unilateral
from vinculum.bonds.body_view import change_view
from vinculum.bonds.unilaterals import contact_frame
from vinculum.bonds.unilaterals.impact_laws import SEQUENTIAL
from vinculum.errors import ModelError
from vinculum.scalars import Scalar, symbol, symbols
from vinculum.scalars.differentiate import gradient
from vinculum.systems.actions_in_tree import Bounded
from vinculum.systems.constraint_rows import check_masses
from vinculum.systems.kinematics import placements
from vinculum.systems.tree import Tree
from vinculum.systems.views import body_view, ground_view, joint_view


def with_unilaterals(tree: Tree, unilaterals: list[Unilateral]) -> Tree:
    """The tree with its unilateral constraints, each tested on symbols."""
    if unilaterals and tree.varied:
        raise ModelError(
            f"system '{tree.name}': constraint '{tree.varied[0].constraint.name}' adds to the Lagrangian, and what an impact does to its "
            "multipliers is not known; realize it with vc.DAlembert() or vc.Chetaev(), or leave the unilaterals out"
        )
    bounded = []
    for unilateral in unilaterals:
        one = Bounded(unilateral, tuple(_thing(tree, unilateral, name) for name in unilateral.names))
        if unilateral.friction is not None and any(kind != "body" for kind, _ in one.things[:2]):
            raise ModelError(f"{unilateral.called}: friction acts between bodies; list the sliding bodies first")
        if unilateral.friction is not None and unilateral.friction.resists:
            still = [tree.links[i].body.name for _, i in one.things if i >= 0 and not tree.links[i].body.turns]
            if still:
                raise ModelError(
                    f"{unilateral.called}: friction resists rolling or spinning, but '{still[0]}' does not turn; leave rolling= and "
                    "spinning= out, or make it a vc.RigidBody"
                )
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        there = tree.at(t)
        views = unilateral_views(there, one, placements(there, q, v), q, v)
        gap = unilateral.gap_at(views, t)
        check_masses(tree, unilateral.called, np.array([gap], dtype=object))
        jacobians = gradient(gap, q)
        if not any(isinstance(x, Scalar) or x for x in jacobians):
            raise ModelError(
                f"{unilateral.called}: its gap does not change when {' and '.join(unilateral.names)} move, so no reaction can keep it from "
                "closing; write it as a distance that their places change"
            )
        if unilateral.friction is not None:
            contact_frame(unilateral, views, t)
        bounded.append(one)
    return replace(tree, unilaterals=tuple(bounded))


def goes_over_tables(tree: Tree, one: Bounded) -> bool:
    """Whether tables know a unilateral constraint: of bodies that do not deform, with friction that is the same in all directions and
    resists no rolling, and with all impacts at once by Newton's ratio."""
    friction, impact = one.unilateral.friction, one.unilateral.impact
    if friction is not None and (friction.resists or len(set(friction.coefficients)) > 1):
        return False
    if impact is not None and (impact.by_impulses or impact.treatment == SEQUENTIAL):
        return False
    return not any(
        kind == "body" and i >= 0 and tree.links[i].body.mechanics.kinematics.deforms for kind, i in one.things
    )


def unilateral_views(tree: Tree, one: Bounded, placed, q, v) -> list:
    """Views of the bodies and joints of a unilateral constraint."""
    views = []
    for kind, i in one.things:
        if kind == "joint":
            views.append(joint_view(tree.links[i], q, v))
            continue
        view = body_view(tree.links[i], placed[i]) if i >= 0 else ground_view()
        views.append(change_view(view, turns=i < 0 or tree.links[i].body.turns))
    return views


def _thing(tree: Tree, unilateral: Unilateral, name: str) -> tuple[str, int]:
    if name == GROUND:
        return "body", -1
    if name in tree.bodies:
        return "body", tree.bodies[name]
    if name in tree.joints:
        return "joint", tree.joints[name]
    raise ModelError(
        f"{unilateral.called}: joint '{name}' closes a loop and has no coordinates; name its bodies instead"
    )
