"""Boundaries in a tree: what they are about, and how their bodies are seen."""

from dataclasses import replace

from vinculum.bodies import GROUND
from vinculum.bonds import Boundary
from vinculum.bonds.boundaries import contact_frame
from vinculum.errors import ModelError
from vinculum.scalars import Scalar, symbol, symbols
from vinculum.scalars.differentiate import gradient
from vinculum.systems.acting import Bounded
from vinculum.systems.kinematics import placements
from vinculum.systems.tree import Tree
from vinculum.systems.views import body_view, ground_view, joint_view


def with_boundaries(tree: Tree, boundaries: list[Boundary]) -> Tree:
    """The tree with its boundaries, each tried on symbols."""
    if boundaries and tree.varied:
        raise ModelError(
            f"system '{tree.name}': constraint '{tree.varied[0].constraint.name}' adds to the Lagrangian, and what a shock does to its "
            "multipliers is not known; realize it with vc.DAlembert() or vc.Chetaev(), or leave the boundaries out"
        )
    bounded = []
    for boundary in boundaries:
        one = Bounded(boundary, tuple(_thing(tree, boundary, name) for name in boundary.names))
        if boundary.friction is not None and any(kind != "body" for kind, _ in one.things[:2]):
            raise ModelError(f"{boundary.called}: friction acts between bodies; list the bodies that slip first")
        if boundary.friction is not None and boundary.friction.resists:
            still = [tree.links[i].body.name for _, i in one.things if i >= 0 and not tree.links[i].body.turns]
            if still:
                raise ModelError(
                    f"{boundary.called}: friction resists rolling or spinning, but '{still[0]}' does not turn; leave rolling= and "
                    "spinning= out, or make it a vc.RigidBody"
                )
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        there = tree.at(t)
        views = boundary_views(there, one, placements(there, q, v), q, v)
        slopes = gradient(boundary.gap_at(views, t), q)
        if not any(isinstance(x, Scalar) or x for x in slopes):
            raise ModelError(
                f"{boundary.called}: its gap does not change when {' and '.join(boundary.names)} move, so no reaction can keep it from "
                "closing; write it as a distance that their places change"
            )
        if boundary.friction is not None:
            contact_frame(boundary, views, t)
        bounded.append(one)
    return replace(tree, boundaries=tuple(bounded))


def boundary_views(tree: Tree, one: Bounded, placed, q, v) -> list:
    """The things of a boundary as they stand and move."""
    views = []
    for kind, i in one.things:
        if kind == "joint":
            views.append(joint_view(tree.links[i], q, v))
            continue
        view = body_view(tree.links[i], placed[i]) if i >= 0 else ground_view()
        views.append(replace(view, turns=i < 0 or tree.links[i].body.turns))
    return views


def _thing(tree: Tree, boundary: Boundary, name: str) -> tuple[str, int]:
    if name == GROUND:
        return "body", -1
    if name in tree.bodies:
        return "body", tree.bodies[name]
    if name in tree.joints:
        return "joint", tree.joints[name]
    raise ModelError(f"{boundary.called}: joint '{name}' closes a loop and has no coordinates; name its bodies instead")
