"""Boundaries in a tree: what they are about, their gaps, normals and what slips at them."""

from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.bodies import GROUND
from vinculum.bonds import Boundary
from vinculum.errors import ModelError
from vinculum.scalars import jacobian, substitute, symbol, symbols
from vinculum.scalars.math import abs, cross, dot, norm, where
from vinculum.screws import Pose
from vinculum.systems.acting import Bounded
from vinculum.systems.kinematics import Placement, placements
from vinculum.systems.tree import Tree
from vinculum.systems.views import body_view, ground_view, joint_view

NO_VELOCITY = "a gap is a matter of places alone"
STEEP = 0.6


def with_boundaries(tree: Tree, boundaries: list[Boundary]) -> Tree:
    """The tree with its boundaries, each tried on symbols."""
    bounded = []
    for boundary in boundaries:
        one = Bounded(boundary, tuple(_thing(tree, boundary, name) for name in boundary.names))
        if boundary.friction is not None and any(kind != "body" for kind, _ in one.things[:2]):
            raise ModelError(f"{boundary.called}: friction acts between bodies; list the bodies that slip first")
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        there = tree.at(t)
        placed = placements(there, q, v)
        gap_of(there, one, placed, q, t)
        if boundary.friction is not None:
            contact_frame(there, one, placed, q, t)
        bounded.append(one)
    return replace(tree, boundaries=tuple(bounded))


def gap_of(tree: Tree, one: Bounded, placed: list[Placement], q, t) -> Any:
    """The gap of a boundary where the tree stands."""
    return one.boundary.gap_at(_views(tree, one, placed, q), t)


def contact_frame(tree: Tree, one: Bounded, placed: list[Placement], q, t) -> tuple[Any, np.ndarray, np.ndarray]:
    """|∂g/∂x| of the first body, the place of contact (3,), and the normal and both tangents as rows (3, 3), world axes.

    The normal is the direction in which the first body moves away.
    """
    shift = symbols("shift", 3)
    moved = list(placed)
    first = one.things[0][1]
    here = placed[first]
    moved[first] = replace(here, X_WL=Pose.of(here.X_WL.R, here.X_WL.p + shift))
    slope = jacobian([gap_of(tree, one, moved, q, t)], shift)[0]
    slope = substitute(slope, shift, np.zeros(3))
    size = norm(slope)
    normal = slope / size
    assert one.boundary.friction is not None
    along = one.boundary.friction.along
    if along is None:
        steep = [where(abs(normal[0]) < STEEP, a, b) for a, b in ((1.0, 0.0), (0.0, 1.0), (0.0, 0.0))]
        along = np.array(steep, dtype=object)
    across = along - dot(along, normal) * normal
    tangent = across / norm(across)
    point = one.boundary.point_at(_views(tree, one, placed, q), t)
    return size, point, np.array([normal, tangent, cross(normal, tangent)], dtype=object)


def slip_velocity(tree: Tree, one: Bounded, placed: list[Placement], point: np.ndarray) -> np.ndarray:
    """Velocity of the first body's material point at the place of contact against the second's, (3,), world axes."""
    return _velocity_at(tree, one.things[0][1], placed, point) - _velocity_at(tree, one.second, placed, point)


def _velocity_at(tree: Tree, link: int, placed: list[Placement], point: np.ndarray) -> np.ndarray:
    if link < 0:
        return np.zeros(3)
    view = body_view(tree.links[link], placed[link])
    if not tree.links[link].body.turns:
        return view.velocity
    return view.velocity + cross(view.angular_velocity, point - view.position)


def _views(tree: Tree, one: Bounded, placed: list[Placement], q) -> list:
    views = []
    for kind, i in one.things:
        if kind == "joint":
            views.append(joint_view(tree.links[i], q, np.zeros(tree.nv)))
            continue
        view = body_view(tree.links[i], placed[i]) if i >= 0 else ground_view()
        turns = i < 0 or tree.links[i].body.turns
        views.append(replace(view, turns=turns, motion=NO_VELOCITY))
    return views


def _thing(tree: Tree, boundary: Boundary, name: str) -> tuple[str, int]:
    if name == GROUND:
        return "body", -1
    if name in tree.bodies:
        return "body", tree.bodies[name]
    if name in tree.joints:
        return "joint", tree.joints[name]
    raise ModelError(f"{boundary.called}: joint '{name}' closes a loop and has no coordinates; name its bodies instead")
