"""Triangles of the shapes that are drawn; those of unit size are stretched to the sizes of bodies."""

from functools import cache

import numpy as np

from vinculum.show.scene import Mesh
from vinculum.tolerances.round_off import POSITIONS_ROUND_OFF

FINE, COARSE, SQUARES = 32, 14, 12
"""Corners of a circle, of one among many, and squares along a plane."""
TURNS, OF_A_TURN, WIRE = 9, 14, 6


def join(*parts: Mesh) -> Mesh:
    """Several surfaces as one."""
    begins = np.cumsum([0, *(len(part.corners) for part in parts)])
    triangles = [part.triangles + begin for part, begin in zip(parts, begins, strict=False)]
    return Mesh(np.concatenate([part.corners for part in parts]), np.concatenate(triangles))


@cache
def ball(around: int = FINE) -> Mesh:
    """A sphere of radius one."""
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, around // 2 + 1)
    return _surface_of_revolution(np.cos(angle), np.sin(angle), around)


@cache
def cylinder(around: int = FINE) -> Mesh:
    """A cylinder of radius one along z from −½ to ½."""
    side = _surface_of_revolution(np.ones(2), np.array([-0.5, 0.5]), around)
    return join(side, _disc(0.5, around), _disc(-0.5, around))


@cache
def cone(around: int = FINE) -> Mesh:
    """A cone of radius one with its base at z = 0 and its apex at z = 1."""
    return join(_surface_of_revolution(np.array([1.0, 0.0]), np.array([0.0, 1.0]), around), _disc(0.0, around))


@cache
def box() -> Mesh:
    """A cube of edge one about the origin."""
    faces = []
    for axis in range(3):
        for side in (-0.5, 0.5):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            corners = np.zeros((4, 3))
            corners[:, axis] = side
            corners[:, u], corners[:, v] = (-0.5, 0.5, 0.5, -0.5), (-0.5, -0.5, 0.5, 0.5)
            order = np.array([[0, 1, 2], [0, 2, 3]])
            faces.append(Mesh(corners, order if side > 0.0 else order[:, ::-1]))
    return join(*faces)


@cache
def plane() -> Mesh:
    """A square of edge one across z, in small squares."""
    x = np.linspace(-0.5, 0.5, SQUARES + 1)
    X, Y = np.meshgrid(x, x, indexing="ij")
    corners = np.stack([X, Y, np.zeros_like(X)], axis=-1).reshape(-1, 3)
    a = (np.arange(SQUARES)[:, None] * (SQUARES + 1) + np.arange(SQUARES)).ravel()
    b = a + SQUARES + 1
    return Mesh(corners, np.concatenate([np.stack([a, b, b + 1], axis=1), np.stack([a, b + 1, a + 1], axis=1)]))


@cache
def capsule(length: float, around: int = FINE) -> Mesh:
    """A capsule of radius one with a cylinder of this length along z."""
    low = np.linspace(-0.5 * np.pi, 0.0, around // 4 + 1)
    across = np.concatenate([np.cos(low), np.cos(low)[::-1]])
    heights = np.concatenate([np.sin(low) - 0.5 * length, 0.5 * length - np.sin(low)[::-1]])
    return _surface_of_revolution(across, heights, around)


@cache
def coil() -> Mesh:
    """A spring of radius one along z from −½ to ½, with straight ends."""
    turn = np.linspace(0.0, 1.0, TURNS * OF_A_TURN + 1)
    reach = np.minimum(1.0, 8.0 * np.minimum(turn, 1.0 - turn))
    angle = 2.0 * np.pi * TURNS * turn
    middle = np.stack([reach * np.cos(angle), reach * np.sin(angle), -0.4 + 0.8 * turn], axis=1)
    ends = np.array([[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]])
    return _tube(np.concatenate([ends[:1], middle, ends[1:]]), np.array([0.16, 0.16, 0.012]))


@cache
def damper() -> Mesh:
    """A dashpot of radius one along z from −½ to ½."""
    return join(
        _stretch(cylinder(), 0.35, -0.25, 0.5),
        _stretch(cylinder(), 1.0, 0.0, 0.4),
        _stretch(cylinder(), 0.35, 0.3, 0.4),
    )


@cache
def arrow() -> Mesh:
    """An arrow of length one along z, its shaft of radius 0.03 and its head of radius 0.08."""
    tip = cone()
    head = Mesh(tip.corners * (0.08, 0.08, 0.24) + (0.0, 0.0, 0.76), tip.triangles)
    return join(_stretch(cylinder(), 0.03, 0.38, 0.76), head)


def _stretch(mesh: Mesh, radius: float, middle: float, length: float) -> Mesh:
    return Mesh(mesh.corners * (radius, radius, length) + (0.0, 0.0, middle), mesh.triangles)


def _surface_of_revolution(across: np.ndarray, heights: np.ndarray, around: int) -> Mesh:
    """The surface that a line (across, heights) sweeps when it is turned about z."""
    turn = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    rings = [
        np.stack([r * np.cos(turn), r * np.sin(turn), np.full(around, z)], axis=1)
        for r, z in zip(across, heights, strict=True)
    ]
    return _strips(np.stack(rings))


def _strips(rings: np.ndarray) -> Mesh:
    """The surface between rings (k, n, 3) of corners, one after the other; triangles without area are left out."""
    k, n, _ = rings.shape
    place = np.arange(k * n).reshape(k, n)
    low, high = place[:-1], place[1:]
    ahead = np.roll(low, -1, axis=1), np.roll(high, -1, axis=1)
    first, second = np.stack([low, ahead[0], ahead[1]], axis=-1), np.stack([low, ahead[1], high], axis=-1)
    corners = rings.reshape(-1, 3)
    triangles = np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)])
    a, b, c = (corners[triangles[:, i]] for i in range(3))
    return Mesh(corners, triangles[np.linalg.norm(np.cross(b - a, c - a), axis=1) > POSITIONS_ROUND_OFF])


def _disc(height: float, around: int) -> Mesh:
    """A disc of radius one at a height, seen from above if that is positive, else from below."""
    turn = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    corners = np.stack([np.cos(turn), np.sin(turn), np.full(around, height)], axis=1)
    fan = np.stack([np.zeros(around - 2, dtype=int), np.arange(1, around - 1), np.arange(2, around)], axis=1)
    return Mesh(corners, fan if height > 0.0 else fan[:, ::-1])


def _tube(line: np.ndarray, radii: np.ndarray) -> Mesh:
    """A tube around a line (n, 3); ``radii`` (3,): of its section along x, y and z."""
    ahead = np.gradient(line, axis=0)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    side = np.cross(ahead, np.where(np.abs(ahead[:, 2:]) < 0.9, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]]))
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    over = np.cross(side, ahead)
    turn = np.linspace(0.0, 2.0 * np.pi, WIRE, endpoint=False)
    circle = side[:, None] * np.cos(turn)[None, :, None] - over[:, None] * np.sin(turn)[None, :, None]
    return _strips(line[:, None] + circle * radii)
