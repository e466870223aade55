"""Segments that pass through a convex shape."""

from collections.abc import Sequence

import numpy as np

from vinculum.collision.broad_phase import BOX, CAPSULE, CONE, CYLINDER, DEFORMED, ELLIPSOID, POLYTOPE, SPHERE
from vinculum.collision.pool import Pool
from vinculum.tolerances.shapes import THROUGH

Spans = tuple[np.ndarray, np.ndarray]


def pass_through(kinds: np.ndarray, sizes: np.ndarray, pool: Pool, begins: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Whether (m,) segments begin outside of shapes (m,), pass through their interiors and end outside.

    ``begins``, ``ends`` (m, 3) in the axes of each shape at its center. Only solid shapes can be passed through.
    """
    found = np.zeros(len(kinds), dtype=bool)
    for kind in np.unique(kinds):
        own = np.flatnonzero(kinds == kind)
        a, d, size = begins[own], ends[own] - begins[own], sizes[own]
        if kind in (SPHERE, ELLIPSOID):
            first, last = _in_ball(a, d, size[:, 0])
        elif kind == BOX:
            first, last = _between(*(_in_slab(a[:, k], d[:, k], size[:, k]) for k in range(3)))
        elif kind == CYLINDER:
            first, last = _in_cylinder(a, d, size)
        elif kind == CONE:
            first, last = _in_cone(a, d, size)
        elif kind == CAPSULE:
            caps = [_in_ball(a - s * size[:, 1:2] * [0.0, 0.0, 1.0], d, size[:, 0]) for s in (-1.0, 1.0)]
            first, last = _union([_in_cylinder(a, d, size), *caps])
        elif kind in (POLYTOPE, DEFORMED):
            spans = [_in_polytope(pool.polytopes[int(s[0]) - 2], x, y) for s, x, y in zip(size, a, d, strict=True)]
            first, last = np.array(spans).T
        else:
            continue
        found[own] = (first > 0.0) & (last < 1.0) & (last - first > THROUGH)
    return found


def _in_ball(a: np.ndarray, d: np.ndarray, radius: np.ndarray) -> Spans:
    """Parameters s at which a + s d enters and leaves balls about the origin, in any number of dimensions."""
    square, along = (d * d).sum(axis=1), (a * d).sum(axis=1)
    inside = (a * a).sum(axis=1) - radius**2
    root = along**2 - square * inside
    with np.errstate(divide="ignore", invalid="ignore"):
        way = np.sqrt(np.maximum(root, 0.0))
        first, last = (-along - way) / square, (-along + way) / square
    still = np.where(inside < 0.0, np.inf, -np.inf)
    return (
        np.where(square > 0.0, np.where(root > 0.0, first, np.inf), -still),
        np.where(square > 0.0, np.where(root > 0.0, last, -np.inf), still),
    )


def _in_slab(a: np.ndarray, d: np.ndarray, half: np.ndarray) -> Spans:
    """Parameters s at which a + s d enters and leaves |x| ≤ half."""
    with np.errstate(divide="ignore", invalid="ignore"):
        s, t = (-half - a) / d, (half - a) / d
    still = np.where(np.abs(a) < half, np.inf, -np.inf)
    moves = d != 0.0
    return np.where(moves, np.minimum(s, t), -still), np.where(moves, np.maximum(s, t), still)


def _in_cylinder(a: np.ndarray, d: np.ndarray, size: np.ndarray) -> Spans:
    return _between(_in_ball(a[:, :2], d[:, :2], size[:, 0]), _in_slab(a[:, 2], d[:, 2], size[:, 1]))


def _in_cone(a: np.ndarray, d: np.ndarray, size: np.ndarray) -> Spans:
    """Parameters at which a + s d enters and leaves cones about their mass centers, by |x⊥|² ≤ (r/h)² (¾ h − z)² below the apex."""
    r, h = size[:, 0], size[:, 1]
    slope, below = r / h, 0.75 * h - a[:, 2]
    square = (d[:, :2] ** 2).sum(axis=1) - (slope * d[:, 2]) ** 2
    along = (a[:, :2] * d[:, :2]).sum(axis=1) + slope**2 * below * d[:, 2]
    outside = (a[:, :2] ** 2).sum(axis=1) - (slope * below) ** 2
    root = along**2 - square * outside
    with np.errstate(divide="ignore", invalid="ignore"):
        way = np.sqrt(np.maximum(root, 0.0))
        low, high = (-along - np.copysign(way, square)) / square, (-along + np.copysign(way, square)) / square
        once = -0.5 * outside / along
    # steeper than the side, a line is inside of both halves of the double cone: below the apex before the first root or after the last
    steep, up = square < 0.0, d[:, 2] > 0.0
    first, last = (
        np.where(steep & up, -np.inf, np.where(steep, high, low)),
        np.where(steep & ~up, np.inf, np.where(steep, low, high)),
    )
    first, last = np.where(root < 0.0, np.inf, first), np.where(root < 0.0, -np.inf, last)
    # parallel to the side, or at rest
    flat = square == 0.0
    first = np.where(
        flat, np.where(along < 0.0, once, np.where((along > 0.0) | (outside < 0.0), -np.inf, np.inf)), first
    )
    last = np.where(flat, np.where(along > 0.0, once, np.where((along < 0.0) | (outside < 0.0), np.inf, -np.inf)), last)
    return _between((first, last), _in_slab(a[:, 2] - 0.25 * h, d[:, 2], 0.5 * h))


def _in_polytope(polytope: tuple[np.ndarray, Sequence[Sequence[int]]], a: np.ndarray, d: np.ndarray) -> Sequence[float]:
    """Parameters at which one segment enters and leaves a polytope, from the planes of its faces."""
    points, loops = polytope
    first, last = -np.inf, np.inf
    for loop in loops:
        p, q, r = points[list(loop[:3])]
        n = np.cross(q - p, r - p)
        height, slope = float(n @ (a - p)), float(n @ d)
        if slope == 0.0:
            last = last if height < 0.0 else -np.inf
        elif slope < 0.0:
            first = max(first, -height / slope)
        else:
            last = min(last, -height / slope)
    return first, last


def _between(*spans: Spans) -> Spans:
    """The intersection of spans."""
    return np.maximum.reduce([first for first, _ in spans]), np.minimum.reduce([last for _, last in spans])


def _union(spans: Sequence[Spans]) -> Spans:
    """The union of the spans that are not empty; they overlap."""
    some = [(np.where(last > first, first, np.inf), np.where(last > first, last, -np.inf)) for first, last in spans]
    return np.minimum.reduce([first for first, _ in some]), np.maximum.reduce([last for _, last in some])
