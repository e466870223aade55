"""The pile of a tree whose free bodies meet, as numbers."""

import numpy as np

from vinculum.bodies.shape_pose import centered, shape_pose
from vinculum.bonds import Contact, HalfSpace, HeightField, Mesh, Plane
from vinculum.errors import ModelError
from vinculum.kernels.pile import Pile
from vinculum.kernels.pile_pairs import BOX, CAPSULE, CYLINDER, PLANE, POLYTOPE, SHEET, SPHERE, SURFACE
from vinculum.kernels.pile_pool import Pool
from vinculum.measures import Box, Capsule, Cylinder, Polytope, Sphere
from vinculum.scalars import Scalar
from vinculum.screws import Pose
from vinculum.systems import Tree


def pile_of(tree: Tree) -> Pile:
    """The pile of a tree with a contact."""
    contact = tree.contact
    assert contact is not None and contact.shock is not None
    bodies = [link.body for link in tree.links]
    masses = _numbers(contact, [body.mass for body in bodies])
    inertias = _numbers(contact, [body.inertia_at_center for body in bodies])
    centers = _numbers(contact, [body.center for body in bodies])
    poses = [shape_pose(body) for body in bodies]
    shapes = [body.shape for body in bodies]  # type: ignore[attr-defined]
    polytopes, surfaces, pool = pooled(shapes, contact.walls)
    walls = [fixed_shape(contact, wall, polytopes, surfaces) for wall in contact.walls]
    own = [shape_numbers(contact, shape, polytopes) for shape in shapes]
    kinds, sizes, reaches = zip(*own, *(wall[0] for wall in walls), strict=True)
    return Pile(
        masses,
        0.5 * (inertias + np.swapaxes(inertias, 1, 2)),
        centers,
        np.array(kinds, dtype=np.int64),
        np.array(sizes, dtype=float),
        np.array(reaches, dtype=float),
        _numbers(contact, [pose.p for pose in poses]) - centers,
        _numbers(contact, [pose.R for pose in poses]),
        np.array([pose.p for _, pose in walls], dtype=float).reshape(-1, 3),
        np.array([pose.R for _, pose in walls], dtype=float).reshape(-1, 3, 3),
        _numbers(contact, tree.gravity),
        0.0 if contact.friction is None else float(contact.friction.mu),
        float(contact.shock.restitution),
        pool,
    )


def pooled(shapes, walls) -> tuple[dict, dict, Pool]:
    """Polytopes and surfaces by their identity, in order, and their corners and faces."""
    polytopes = _distinct([*shapes, *(getattr(wall, "shape", None) for wall in walls)], Polytope)
    surfaces = _distinct(walls, (Mesh, HeightField))
    corners = tuple((p.corners - p.center, p.faces) for p in polytopes.values())
    return polytopes, surfaces, Pool(corners, tuple(s.placed for s in surfaces.values()))


def _distinct(things, kinds) -> dict:
    """Things of some kinds by their identity, in order."""
    return {id(thing): thing for thing in things if isinstance(thing, kinds)}


def fixed_shape(contact: Contact, wall, polytopes: dict, surfaces: dict) -> tuple[tuple[int, tuple, float], Pose]:
    """Kind, size and bounding sphere of a wall, and its pose."""
    if isinstance(wall, (HalfSpace, Plane)):
        kind = PLANE if isinstance(wall, HalfSpace) else SHEET
        return (kind, tuple(wall.normal), np.inf), Pose(wall.offset * wall.normal)
    if isinstance(wall, (Mesh, HeightField)):
        corners = wall.placed[0]
        middle = 0.5 * (corners.min(0) + corners.max(0))
        reach = float(np.linalg.norm(corners - middle, axis=1).max())
        return (SURFACE, (float(list(surfaces).index(id(wall))), 0.0, 0.0), reach), Pose(middle)
    return shape_numbers(contact, wall.shape, polytopes), centered(wall.pose, wall.shape)


def shape_numbers(contact: Contact, shape, polytopes: dict) -> tuple[int, tuple, float]:
    """Kind, size and radius of the bounding sphere."""
    if isinstance(shape, Sphere):
        r = float(_numbers(contact, shape.radius))
        return SPHERE, (r, r, r), r
    if isinstance(shape, Box):
        half = 0.5 * _numbers(contact, shape.size)
        return BOX, tuple(half), float(np.linalg.norm(half))
    if isinstance(shape, Polytope):
        reach = float(np.linalg.norm(shape.corners - shape.center, axis=1).max())
        return POLYTOPE, (2.0 + list(polytopes).index(id(shape)), 0.0, 0.0), reach
    if isinstance(shape, Cylinder):
        r, half = float(_numbers(contact, shape.radius)), 0.5 * float(_numbers(contact, shape.length))
        return CYLINDER, (r, half, 0.0), float(np.hypot(r, half))
    assert isinstance(shape, Capsule)
    r, half = float(_numbers(contact, shape.radius)), 0.5 * float(_numbers(contact, shape.length))
    return CAPSULE, (r, half, 0.0), r + half


def _numbers(contact: Contact, given) -> np.ndarray:
    array = np.array(given)
    if array.dtype == object and any(isinstance(x, Scalar) for x in array.ravel()):
        raise ModelError(
            f"{contact.called}: its bodies hold parameters, but shapes that meet need numbers; write the numbers themselves"
        )
    return array.astype(float)
