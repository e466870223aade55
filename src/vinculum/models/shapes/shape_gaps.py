"""Contacts between shapes as unilateral constraints with gaps, for runs from event to event.

Spheres, capsules, boxes and polytopes meet planes with balls: the ends of a capsule, or corners of radius zero. Ellipsoids meet them with
their lowest points. Spheres and capsules also meet each other, on bodies and as fixed solids, and spheres meet fixed boxes. The gaps of
these pairs are functions of the positions, and there is a fixed number of them. All are smooth but those of capsules and boxes, whose
slopes are only continuous where the axis of a capsule or a side of a box ends.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.shape_pose import longest_semiaxis, shape_frame, shape_pose
from vinculum.bonds import Contact, FixedSolid, HalfSpace, TwoSidedPlane, Unilateral, end_name
from vinculum.errors import MethodError, ModelError
from vinculum.measures.meshes.polytope import Polytope
from vinculum.measures.solids.corners import Corners
from vinculum.measures.solids.elementary import Box, Capsule, Ellipsoid, Sphere
from vinculum.models.shapes.round_gaps import Functions, ball_on_box, between_rounds, fixed_round, round_of
from vinculum.scalars.math import norm
from vinculum.systems.system import System
from vinculum.tolerances.sizes import MOST_GAPS_OF_SHAPES

Ball = tuple[np.ndarray, Any]
"""A center in the body's frame, and a radius."""


def with_gaps(system: System) -> System:
    """A copy of the system with a unilateral constraint for every gap between its shapes, in place of its contacts."""
    other = system.with_contacts({})
    for bond in (*system.unilaterals.values(), *system.impulses.values(), *_gaps(system)):
        other.add(bond)
    return other


def with_gaps_of_corners(system: System) -> System:
    """The system, or a copy in which corners of bodies have unilateral constraints, and their contacts all other bodies."""
    cornered = {
        name for contact in system.contacts.values() for name in contact.names if _has_corners(system.bodies[name])
    }
    if not cornered:
        return system
    other, found = system.with_contacts({}), []
    for contact in system.contacts.values():
        _check_partners(contact, cornered)
        found += [gap for name in contact.walled if name in cornered for gap in _on_walls(contact, system.bodies[name])]
        sides = (
            [x for x, name in zip(side, names, strict=True) if name not in cornered] for side, names in _sides(contact)
        )
        bodies, against = sides
        if bodies:
            other.add(replace(contact, bodies=bodies, against=against))
    for bond in (*system.unilaterals.values(), *system.impulses.values(), *found):
        other.add(bond)
    return other


def _has_corners(body: Body) -> bool:
    return isinstance(getattr(body, "shape", None), Corners)


def _sides(contact: Contact) -> tuple[tuple[Sequence, Sequence[str]], tuple[Sequence, Sequence[str]]]:
    """Both groups of bodies of a contact, with their names."""
    count = len(contact.bodies)
    return (contact.bodies, contact.names[:count]), (contact.against, contact.names[count:])


def _check_partners(contact: Contact, cornered: set[str]) -> None:
    """Refuse other bodies that corners would meet."""
    for first, second in combinations(contact.names, 2):
        if contact.lists(first, second) and cornered & {first, second}:
            own, other = (first, second) if first in cornered else (second, first)
            raise ModelError(
                f"{contact.called}: the corners of body '{own}' have no inside, so they meet planes and not body '{other}'; give '{own}' "
                "a vc.Contact of its own with its walls, and a vc.Unilateral for what it meets besides"
            )


def _gaps(system: System) -> list[Unilateral]:
    near = {frozenset((end_name(joint.parent), end_name(joint.child))) for joint in system.joints.values()}
    found: dict[str, Unilateral] = {}
    for contact in system.contacts.values():
        for name in contact.walled:
            found |= {one.name: one for one in _on_walls(contact, system.bodies[name])}
        for first, second in combinations(contact.names, 2):
            if contact.lists(first, second) and (contact.joined or frozenset((first, second)) not in near):
                one = _between(contact, system.bodies[first], system.bodies[second])
                found[one.name] = one
    if len(found) > MOST_GAPS_OF_SHAPES:
        raise MethodError(
            f"system '{system.name}': its shapes have {len(found)} gaps, and a run from event to event can follow "
            f"{MOST_GAPS_OF_SHAPES}; use method='moreau'"
        )
    return list(found.values())


def _on_walls(contact: Contact, body: Body) -> list[Unilateral]:
    return [gap for k, wall in enumerate(contact.walls) for gap in _on_wall(contact, body, wall, k)]


def _on_wall(contact: Contact, body: Body, wall, number: int) -> list[Unilateral]:
    name = f"{contact.name}: {body.name}"
    if isinstance(wall, (HalfSpace, TwoSidedPlane)):
        found = _on_plane(contact, body, wall)
    else:
        found = _on_solid(body, wall) if isinstance(wall, FixedSolid) else None
    if found is None:
        what = type(wall.shape if isinstance(wall, FixedSolid) else wall).__name__
        raise _refusal(contact, f"{_description(body)} against a wall, {what}")
    several = len(found) > 1
    return [
        _unilateral(contact, f"{name}{f' {i + 1}' * several} on wall {number + 1}", [body.name], gap, point)
        for i, (gap, point) in enumerate(found)
    ]


def _on_plane(contact: Contact, body: Body, wall: HalfSpace | TwoSidedPlane) -> list[Functions] | None:
    """Gaps and contact points of a shape on a plane; None if it has no smooth gap. On a plane with two sides the normal is on the side of
    the shape's center.
    """
    frame, shape = shape_frame(body), getattr(body, "shape", None)

    def normal(b):
        if isinstance(wall, HalfSpace):
            return wall.normal
        height = wall.normal @ b.point(frame.p) - wall.offset
        return height / norm((height,)) * wall.normal

    if isinstance(shape, Ellipsoid):
        axes = frame.R * longest_semiaxis(shape)
        return [_above(normal, wall, lambda b, n: _support_of_ellipsoid(b, frame.p, axes, n))]
    balls = _balls(contact, body)
    if balls is None:
        return None
    return [
        _above(
            normal,
            wall,
            (lambda b, n, c=center: b.point(c))
            if isinstance(shape, Corners)
            else lambda b, n, c=center, r=radius: b.point(c) - r * b._state.kinematics.ball_end(b._state.X_WB.R, n),
        )
        for center, radius in balls
    ]


def _above(normal: Callable, wall: HalfSpace | TwoSidedPlane, lowest: Callable) -> Functions:
    """Gap and contact point of the lowest point of a body along a normal."""

    def gap(b):
        n = normal(b)
        side = n @ wall.normal if isinstance(wall, TwoSidedPlane) else 1.0
        return n @ lowest(b, n) - side * wall.offset

    return gap, lambda b: lowest(b, normal(b))


def _support_of_ellipsoid(b, center, axes, n):
    """c − K Kᵀn/|Kᵀn|, with the semiaxes in the columns of K."""
    K = b._state.X_WB.R @ axes
    return b.point(center) - K @ (K.T @ n) / norm(K.T @ n)


def _on_solid(body: Body, wall: FixedSolid) -> list[Functions] | None:
    own = None if body.mechanics.kinematics.deforms else round_of(body)
    other = fixed_round(wall.shape, wall.pose)
    if own is not None and other is not None:
        return [between_rounds(own, other)]
    if own is not None and isinstance(wall.shape, Box) and isinstance(body.shape, Sphere):  # type: ignore[attr-defined]
        return [ball_on_box(own, wall.shape.size, wall.pose)]
    return None


def _between(contact: Contact, first: Body, second: Body) -> Unilateral:
    deform = any(body.mechanics.kinematics.deforms for body in (first, second))
    if isinstance(getattr(first, "shape", None), Capsule) and isinstance(getattr(second, "shape", None), Sphere):
        first, second = second, first
    one, other = round_of(first), round_of(second)
    if deform or one is None or other is None:
        raise _refusal(contact, f"{_description(first)} against {_description(second)}")
    gap, point = between_rounds(one, other)
    name = f"{contact.name}: {first.name} and {second.name}"
    return _unilateral(contact, name, [first.name, second.name], lambda a, b: gap(a, b), lambda a, b: point(a, b))


def _unilateral(contact: Contact, name: str, bodies: list[str], gap, point) -> Unilateral:
    rough = {} if contact.friction is None else {"friction": contact.friction, "point": point}
    return Unilateral(name, bodies, gap=gap, impact=contact.impact, **rough)


def _balls(contact: Contact, body: Body) -> list[Ball] | None:
    """The balls with which a shape meets a plane; None if it has none."""
    shape = getattr(body, "shape", None)
    contact.check_shape(f"body '{body.name}'", shape)
    pose = shape_pose(body)
    if isinstance(shape, Sphere):
        return [(pose.p, shape.radius)]
    if isinstance(shape, Capsule):
        return [(pose.p + 0.5 * side * shape.length * pose.R[:, 2], shape.radius) for side in (-1.0, 1.0)]
    if isinstance(shape, Box):
        corners = [0.5 * np.array(signs) * shape.size for signs in product((-1.0, 1.0), repeat=3)]
        return [(pose.p + pose.R @ corner, 0.0) for corner in corners]
    if isinstance(shape, Corners):
        return [(corner, 0.0) for corner in shape.points]
    if isinstance(shape, Polytope):
        return [(pose.p + pose.R @ (corner - shape.center), 0.0) for corner in shape.corners]
    return None


def _description(body: Body) -> str:
    return f"'{body.name}' ({type(getattr(body, 'shape', None)).__name__})"


def _refusal(contact: Contact, pair: str) -> MethodError:
    return MethodError(
        f"{contact.called}: a run from event to event knows the gaps of spheres, capsules, ellipsoids, boxes and polytopes on half-spaces "
        f"and planes, of spheres and capsules with each other and with fixed ones, and of spheres with fixed boxes, but not of {pair}; use "
        "method='moreau'"
    )
