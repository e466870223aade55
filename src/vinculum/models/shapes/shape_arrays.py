"""Shapes of bodies in contact and of fixed walls, as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, final

import numpy as np

from vinculum.bodies.shape_pose import center_pose, contact_frame, longest_semiaxis
from vinculum.bonds import Contact, HalfSpace, HeightField, Mesh, TwoSidedPlane
from vinculum.collision.broad_phase import (
    BOX,
    CAPSULE,
    CONE,
    CYLINDER,
    DEFORMED,
    ELLIPSOID,
    PLANE,
    POLYTOPE,
    SHEET,
    SPHERE,
    SURFACE,
)
from vinculum.collision.pool import Pool
from vinculum.collision.primitives.cones import reach_of_cone
from vinculum.errors import ModelError
from vinculum.measures.meshes.polytope import Polytope
from vinculum.measures.solids.elementary import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from vinculum.scalars import Scalar
from vinculum.screws import Pose

Owned = Sequence[tuple[Contact, Any]]
DEFORMING = {POLYTOPE: DEFORMED, SPHERE: ELLIPSOID}
"""What a shape becomes on a body that deforms."""


@final
@dataclass(frozen=True, eq=False)
class ShapeNumbers:
    """``kinds`` (n,), ``sizes`` (n, 3), ``reaches`` (n,): shapes of bodies, then walls, and their bounding spheres.

    ``places`` (w, 3), ``turns`` (w, 3, 3): of the walls. ``pool``: corners and faces of polytopes and surfaces, which ``sizes`` name.
    """

    kinds: np.ndarray
    sizes: np.ndarray
    reaches: np.ndarray
    places: np.ndarray
    turns: np.ndarray
    pool: Pool


def shape_numbers(shapes: Owned, walls: Owned, deforming: Sequence[bool] = ()) -> ShapeNumbers:
    """Shapes of bodies and walls as numbers, each with the contact that has it; ``deforming``: which shapes of bodies deform."""
    shapes = _as_polytopes(shapes, deforming) if any(deforming) else shapes
    polytopes = _distinct(
        [shape for _, shape in shapes] + [getattr(wall, "shape", None) for _, wall in walls], Polytope
    )
    surfaces = _distinct([wall for _, wall in walls], (Mesh, HeightField))
    fixed = [_wall_numbers(contact, wall, polytopes, surfaces) for contact, wall in walls]
    own = [_solid_numbers(contact, shape, polytopes) for contact, shape in shapes]
    own = [(DEFORMING[x[0]], *x[1:]) if k < len(deforming) and deforming[k] else x for k, x in enumerate(own)]
    kinds, sizes, reaches = zip(*own, *(wall[0] for wall in fixed), strict=True)
    return ShapeNumbers(
        np.array(kinds, dtype=np.int64),
        np.array(sizes, dtype=float),
        np.array(reaches, dtype=float),
        np.array([pose.p for _, pose in fixed], dtype=float).reshape(-1, 3),
        np.array([pose.R for _, pose in fixed], dtype=float).reshape(-1, 3, 3),
        Pool(
            tuple((p.corners - p.center, p.faces) for p in polytopes.values()),
            tuple(s.placed for s in surfaces.values()),
        ),
    )


def _as_polytopes(shapes: Owned, deforming: Sequence[bool]) -> list[tuple[Contact, Any]]:
    """The shapes, with boxes that deform as polytopes; boxes of one size share a polytope."""
    boxes, found = dict[tuple, Polytope](), []
    for (contact, shape), deforms in zip(shapes, deforming, strict=True):
        if deforms and isinstance(shape, Box):
            half = 0.5 * plain_numbers(contact, shape.size)
            size = tuple(half.tolist())
            if size not in boxes:
                boxes[size] = Polytope(half * np.array(list(product((-1.0, 1.0), repeat=3))))
            shape = boxes[size]
        found.append((contact, shape))
    return found


def plain_numbers(contact: Contact, given) -> np.ndarray:
    """The array of what is given, which holds no parameters."""
    array = np.array(given)
    if array.dtype == object and any(isinstance(x, Scalar) for x in array.ravel()):
        raise ModelError(
            f"{contact.called}: its bodies contain parameters, but shapes in contact need numbers; write the numbers themselves"
        )
    return array.astype(float)


def _distinct(things, kinds) -> dict:
    """Things of some kinds by their identity, in order."""
    return {id(thing): thing for thing in things if isinstance(thing, kinds)}


def _wall_numbers(contact: Contact, wall, polytopes: dict, surfaces: dict) -> tuple[tuple[int, tuple, float], Pose]:
    """Kind, size and bounding sphere of a wall, and its pose."""
    if isinstance(wall, (HalfSpace, TwoSidedPlane)):
        kind = PLANE if isinstance(wall, HalfSpace) else SHEET
        return (kind, tuple(wall.normal), np.inf), Pose(wall.offset * wall.normal)
    if isinstance(wall, (Mesh, HeightField)):
        corners = wall.placed[0]
        middle = 0.5 * (corners.min(0) + corners.max(0))
        reach = float(np.linalg.norm(corners - middle, axis=1).max())
        return (SURFACE, (float(list(surfaces).index(id(wall))), 0.0, 0.0), reach), Pose(middle)
    return _solid_numbers(contact, wall.shape, polytopes), contact_frame(center_pose(wall.pose, wall.shape), wall.shape)


def _solid_numbers(contact: Contact, shape, polytopes: dict) -> tuple[int, tuple, float]:
    """Kind, size and radius of the bounding sphere."""
    if isinstance(shape, Sphere):
        r = float(plain_numbers(contact, shape.radius))
        return SPHERE, (r, r, r), r
    if isinstance(shape, Ellipsoid):
        r = float(plain_numbers(contact, longest_semiaxis(shape)))
        return ELLIPSOID, (r, r, r), r
    if isinstance(shape, Box):
        half = 0.5 * plain_numbers(contact, shape.size)
        return BOX, tuple(half), float(np.linalg.norm(half))
    if isinstance(shape, Polytope):
        reach = float(np.linalg.norm(shape.corners - shape.center, axis=1).max())
        return POLYTOPE, (2.0 + list(polytopes).index(id(shape)), 0.0, 0.0), reach
    if isinstance(shape, Cone):
        r, height = (float(plain_numbers(contact, x)) for x in (shape.radius, shape.height))
        return CONE, (r, height, 0.0), reach_of_cone(r, height)
    assert isinstance(shape, (Cylinder, Capsule))
    r, half = float(plain_numbers(contact, shape.radius)), 0.5 * float(plain_numbers(contact, shape.length))
    if isinstance(shape, Cylinder):
        return CYLINDER, (r, half, 0.0), float(np.hypot(r, half))
    return CAPSULE, (r, half, 0.0), r + half
