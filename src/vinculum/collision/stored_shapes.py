"""Checks of stored shapes: compiled loops use their numbers without checks, so these must be in range."""

from typing import Any

import numpy as np

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
from vinculum.errors import FileError
from vinculum.tolerances.shapes import STORED_AGREES, STORED_ROTATION

SOLIDS = (SPHERE, BOX, CAPSULE, CYLINDER, POLYTOPE, ELLIPSOID, CONE)
FIRST_POLYTOPE = 2


def check_that(holds: Any, what: str) -> None:
    """Refuse stored shapes if a condition does not hold."""
    if not np.all(holds):
        raise FileError(f"stored shapes are damaged: {what}")


def check_shapes(kinds, sizes, reaches, places, turns, moving: int, pool: Pool, deforms: Any = False) -> None:
    """Refuse shapes that refer to kinds, corners or surfaces that do not exist, or that have no size.

    ``kinds`` (n,), ``sizes`` (n, 3), ``reaches`` (n,); ``places`` (n − moving, 3), ``turns`` (n − moving, 3, 3) of the fixed ones.
    ``deforms`` (moving,): which of the others may deform.
    """
    check_that(0 <= moving <= len(kinds), "there are more moving bodies than shapes")
    check_pool(pool)
    known = np.isin(kinds[:moving], SOLIDS) | ((kinds[:moving] == DEFORMED) & deforms)
    check_that(known, "a moving body has a shape of an unknown kind")
    check_that(np.isin(kinds[moving:], (*SOLIDS, PLANE, SURFACE, SHEET)), "a wall is of an unknown kind")
    check_that(np.isfinite(sizes), "a size is not finite")
    check_that(np.isfinite(places), "the position of a wall is not finite")
    check_axes(kinds[moving:], turns)
    flat = np.isin(kinds, (PLANE, SHEET))
    check_that(reaches > 0.0, "a bounding sphere has no radius")
    check_that(np.isfinite(reaches[~flat]), "a bounding sphere is not finite")
    check_that(np.abs(np.linalg.norm(sizes[flat], axis=1) - 1.0) < STORED_AGREES, "a plane has no unit normal")
    for kind, size, reach in zip(kinds.tolist(), sizes, reaches.tolist(), strict=True):
        if kind in (*SOLIDS, DEFORMED):
            check_that(
                abs(_reach(kind, size, pool) - reach) <= STORED_AGREES * reach,
                "a bounding sphere does not fit its shape",
            )
        elif kind == SURFACE:
            _check_index(size[0], 0, len(pool.meshes), "surface")


def check_pool(pool: Pool) -> None:
    """Refuse polytopes and surfaces whose faces refer to corners that do not exist."""
    for points, loops in pool.polytopes:
        check_that(np.isfinite(points), "a corner of a polytope is not finite")
        check_that(len(points) >= 4 and len(loops) >= 4, "a polytope has less than four corners or faces")
        for loop in loops:
            whole = all(type(k) is int and 0 <= k < len(points) for k in loop)
            check_that(
                len(loop) >= 3 and whole and len(set(loop)) == len(loop),
                "a face of a polytope refers to corners that do not exist",
            )
    for corners, triangles in pool.meshes:
        check_that(np.isfinite(corners), "a corner of a surface is not finite")
        check_that(len(triangles) > 0, "a surface has no triangles")
        check_that(
            (triangles >= 0) & (triangles < len(corners)), "a triangle of a surface refers to corners that do not exist"
        )
        e, f = (corners[triangles[:, k]] - corners[triangles[:, 0]] for k in (1, 2))
        check_that(np.linalg.norm(np.cross(e, f), axis=1) > 0.0, "a triangle of a surface has no area")


def check_bodies(masses, inertias, *others) -> None:
    """Refuse bodies without mass or inertia, and numbers that are not finite."""
    for array in (masses, inertias, *others):
        check_that(np.isfinite(array), "a number of a body is not finite")
    check_that(masses > 0.0, "a body has no mass")
    check_that(
        np.abs(inertias - np.swapaxes(inertias, 1, 2)) <= STORED_AGREES * np.abs(inertias).max(initial=0.0),
        "an inertia is not symmetric",
    )
    check_that(np.linalg.eigvalsh(inertias) > 0.0, "an inertia is not positive")


def check_axes(kinds: np.ndarray, axes: np.ndarray) -> None:
    """Refuse axes (m, 3, 3) of shapes that are not rotations. Those of an ellipsoid have the lengths of its semiaxes, the longest of which
    is one."""
    check_that(np.isfinite(axes), "an attitude is not finite")
    lengths = np.where((kinds == ELLIPSOID)[:, None], np.linalg.norm(axes, axis=1), 1.0)
    check_that(
        np.abs(lengths.max(axis=1, initial=0.0) - 1.0) < STORED_ROTATION, "an axis of an ellipsoid has no length"
    )
    check_that(lengths > 0.0, "an axis of an ellipsoid has no length")
    check_rotations(axes / lengths[:, None, :])


def check_rotations(R: np.ndarray) -> None:
    """Refuse matrices (…, 3, 3) that are not rotations."""
    check_that(np.isfinite(R), "an attitude is not finite")
    check_that(np.abs(R @ np.swapaxes(R, 1, 2) - np.eye(3)) < STORED_ROTATION, "an attitude is not a rotation")
    check_that(np.linalg.det(R) > 0.0, "an attitude is not a rotation")


def check_laws(pairs: np.ndarray, laws: np.ndarray) -> None:
    """Refuse pairs (n, n) that refer to laws that do not exist, and laws (k, 4) that no contact can have."""
    check_that((pairs >= -1) & (pairs < len(laws)), "a pair refers to laws that do not exist")
    check_that(pairs == pairs.T, "the laws of a pair depend on the order of its shapes")
    check_that(np.isfinite(laws), "a number of a law is not finite")
    check_that((laws[:, 0] >= 0.0) & (laws[:, 0] <= 1.0), "a ratio of restitution is not between 0 and 1")
    check_that((laws[:, 1] >= 0.0) | (laws[:, 1] == -1.0), "a coefficient of friction is negative")
    check_that(laws[:, 2:] >= 0.0, "a length of rolling or spinning friction is negative")


def _check_index(x: float, first: int, end: int, what: str) -> int:
    check_that(float(x).is_integer() and first <= x < end, f"a shape refers to a {what} that does not exist")
    return int(x)


def _reach(kind: int, size: np.ndarray, pool: Pool) -> float:
    """The radius of the bounding sphere of a solid."""
    if kind in (POLYTOPE, DEFORMED):
        number = _check_index(size[0], FIRST_POLYTOPE, FIRST_POLYTOPE + len(pool.polytopes), "polytope")
        return float(np.linalg.norm(pool.polytopes[number - FIRST_POLYTOPE][0], axis=1).max())
    r, half = float(size[0]), float(size[1])
    check_that(r > 0.0 and half > 0.0, "a shape has no size")
    if kind == BOX:
        check_that(size > 0.0, "a shape has no size")
        return float(np.linalg.norm(size))
    if kind == CONE:
        return reach_of_cone(r, half)
    return r if kind in (SPHERE, ELLIPSOID) else float(np.hypot(r, half)) if kind == CYLINDER else r + half
