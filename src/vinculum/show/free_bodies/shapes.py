"""Shapes of bodies in contact as polygons in space."""

from itertools import pairwise

import numpy as np

from vinculum.collision.broad_phase import BOX, CAPSULE, CYLINDER, SPHERE
from vinculum.collision.pool import CUBE, CUBE_FACES
from vinculum.contact.free_bodies.bodies import FreeBodies

AROUND, UP = 18, 8


def polygons(free_bodies: FreeBodies, i: int) -> list[np.ndarray]:
    """Polygons (k, 3) of shape i in its own axes, counterclockwise from outside."""
    kind, (a, b, c) = free_bodies.kinds[i], free_bodies.sizes[i]
    if kind == SPHERE:
        return _turned(*_arc(a, 0.0))
    if kind == CAPSULE:
        return _turned(*_arc(a, b))
    if kind == CYLINDER:
        return _turned(np.array([0.0, a, a, 0.0]), np.array([-b, -b, b, b]))
    if kind == BOX:
        return [CUBE[list(loop)] * (a, b, c) for loop in CUBE_FACES]
    points, loops = free_bodies.pool.polytopes[int(a) - 2]
    return [points[list(loop)] for loop in loops]


def _arc(radius: float, half: float) -> tuple[np.ndarray, np.ndarray]:
    """Distances from the axis and heights of a half circle that is cut in its middle and pulled apart."""
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 2 * (UP // 2) + 1)
    low, high = angle[: UP // 2 + 1], angle[UP // 2 + (half == 0.0) :]
    across = np.concatenate([np.cos(low), np.cos(high)])
    return radius * across, radius * np.concatenate([np.sin(low), np.sin(high)]) + np.repeat(
        [-half, half], [len(low), len(high)]
    )


def _turned(across: np.ndarray, heights: np.ndarray) -> list[np.ndarray]:
    """Polygons of what a line (across, heights) sweeps when it is turned about z."""
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND + 1)
    rings = [
        np.stack([r * np.cos(turn), r * np.sin(turn), np.full(AROUND + 1, z)], axis=1)
        for r, z in zip(across, heights, strict=True)
    ]
    made = []
    for low, high in pairwise(rings):
        for k in range(AROUND):
            made.append(np.array([low[k], low[k + 1], high[k + 1], high[k]]))
    return made
