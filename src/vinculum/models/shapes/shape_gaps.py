"""Contacts between shapes as unilateral constraints with gaps, for runs from event to event.

Spheres, capsules, boxes and polytopes meet half-spaces with balls: the ends of a capsule, or corners of radius zero. Ellipsoids meet them
with their lowest points. Spheres also meet each other and capsules. The gaps of these pairs are functions of the positions, and there is a
fixed number of them. All are smooth but those of spheres and capsules, whose slopes are only continuous where the axis of a capsule ends.
"""

from itertools import combinations, product
from typing import Any

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.shape_pose import longest_semiaxis, shape_frame, shape_pose
from vinculum.bonds import Contact, HalfSpace, Unilateral, end_name
from vinculum.errors import MethodError
from vinculum.measures.meshes.polytope import Polytope
from vinculum.measures.solids.elementary import Box, Capsule, Ellipsoid, Sphere
from vinculum.scalars.math import maximum, minimum, norm
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


def _gaps(system: System) -> list[Unilateral]:
    near = {frozenset((end_name(joint.parent), end_name(joint.child))) for joint in system.joints.values()}
    found: dict[str, Unilateral] = {}
    for contact in system.contacts.values():
        for name in contact.walled:
            for k, wall in enumerate(contact.walls):
                found |= {one.name: one for one in _on_wall(contact, system.bodies[name], wall, k)}
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


def _on_wall(contact: Contact, body: Body, wall, number: int) -> list[Unilateral]:
    if isinstance(wall, HalfSpace) and isinstance(getattr(body, "shape", None), Ellipsoid):
        return [_ellipsoid_on_plane(contact, body, wall, f"{contact.name}: {body.name} on wall {number + 1}")]
    balls = _balls(contact, body)
    if not isinstance(wall, HalfSpace) or balls is None:
        raise _refusal(contact, f"{_description(body)} against a wall, {type(wall).__name__}")
    n, several = wall.normal, len(balls) > 1
    found = []
    for i, (center, radius) in enumerate(balls):
        point = lambda b, c=center, r=radius: b.point(c) - r * b._state.kinematics.ball_end(b._state.X_WB.R, n)
        gap = lambda b, at=point: n @ at(b) - wall.offset
        name = f"{contact.name}: {body.name}{f' {i + 1}' * several} on wall {number + 1}"
        found.append(_unilateral(contact, name, [body.name], gap, point))
    return found


def _ellipsoid_on_plane(contact: Contact, body: Body, wall: HalfSpace, name: str) -> Unilateral:
    """The gap of the lowest point c − K Kᵀn/|Kᵀn|, with the semiaxes in the columns of K."""
    frame, n = shape_frame(body), wall.normal
    axes = frame.R * longest_semiaxis(body.shape)  # type: ignore[attr-defined]

    def point(b):
        K = b._state.X_WB.R @ axes
        return b.point(frame.p) - K @ (K.T @ n) / norm(K.T @ n)

    return _unilateral(contact, name, [body.name], lambda b: n @ point(b) - wall.offset, point)


def _between(contact: Contact, first: Body, second: Body) -> Unilateral:
    one, other = (getattr(body, "shape", None) for body in (first, second))
    deform = any(body.mechanics.kinematics.deforms for body in (first, second))
    if not deform and isinstance(one, Capsule) and isinstance(other, Sphere):
        return _ball_on_capsule(contact, second, first)
    if not deform and isinstance(one, Sphere) and isinstance(other, Capsule):
        return _ball_on_capsule(contact, first, second)
    if deform or not isinstance(one, Sphere) or not isinstance(other, Sphere):
        raise _refusal(contact, f"{_description(first)} against {_description(second)}")
    centers, (r, s) = [shape_pose(body).p for body in (first, second)], (one.radius, other.radius)

    def gap(a, b):
        return norm(b.point(centers[1]) - a.point(centers[0])) - r - s

    def point(a, b):
        way = b.point(centers[1]) - a.point(centers[0])
        return a.point(centers[0]) + r * way / norm(way)

    return _unilateral(
        contact, f"{contact.name}: {first.name} and {second.name}", [first.name, second.name], gap, point
    )


def _ball_on_capsule(contact: Contact, ball: Body, rod: Body) -> Unilateral:
    """The gap of a sphere and the nearest point of the axis of a capsule."""
    center, pose = shape_pose(ball).p, shape_pose(rod)
    small, thick = (body.shape.radius for body in (ball, rod))  # type: ignore[attr-defined]
    half = 0.5 * rod.shape.length  # type: ignore[attr-defined]

    def offset(a, b):
        """From the nearest point of the axis to the center of the sphere, and that point."""
        c, p, u = a.point(center), b.point(pose.p), b._state.X_WB.R @ pose.R[:, 2]
        near = p + minimum(maximum(u @ (c - p), -half), half) * u
        return c - near, near

    def point(a, b):
        d, near = offset(a, b)
        return near + thick * d / norm(d)

    name = f"{contact.name}: {ball.name} and {rod.name}"
    return _unilateral(contact, name, [ball.name, rod.name], lambda a, b: norm(offset(a, b)[0]) - small - thick, point)


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
    if isinstance(shape, Polytope):
        return [(pose.p + pose.R @ (corner - shape.center), 0.0) for corner in shape.corners]
    return None


def _description(body: Body) -> str:
    return f"'{body.name}' ({type(getattr(body, 'shape', None)).__name__})"


def _refusal(contact: Contact, pair: str) -> MethodError:
    return MethodError(
        f"{contact.called}: a run from event to event knows the gaps of spheres, capsules, ellipsoids, boxes and polytopes on half-spaces, "
        f"and of spheres with each other and with capsules, but not of {pair}; use method='moreau'"
    )
