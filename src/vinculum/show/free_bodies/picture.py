"""A picture of bodies in contact and fixed walls in space at an instant; a Matplotlib figure that needs no display."""

from typing import Any

import numpy as np

from vinculum.collision.broad_phase import PLANE, SHEET, SURFACE
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.observables import matrices
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.motion.states import states_at
from vinculum.show.free_bodies.shapes import polygons
from vinculum.show.plots import COLORS, checked_path, write_figure

LIGHT = np.array([0.35, -0.5, 0.8]) / np.linalg.norm([0.35, -0.5, 0.8])
EARTH = "#b9a98c"
SQUARES = 14


def picture_of_bodies(motion: Record, t: float | None, path, elevation: float, azimuth: float) -> Any:
    """Bodies with shapes at the instant ``t`` [s], the last by default, seen from two angles [degrees].

    ``path`` (PNG, SVG or PDF) also writes the figure, all or nothing. Half-spaces are drawn as a square under the bodies.
    """
    target = None if path is None else checked_path(path)
    free_bodies = free_bodies_of(motion.model)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import to_rgb
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    drawn, colors = _bodies(motion, free_bodies, motion.pieces.end if t is None else t)
    low, high = np.min([p.min(0) for p in drawn], axis=0), np.max([p.max(0) for p in drawn], axis=0)
    walls = _walls(free_bodies, low, high)
    every = drawn + walls
    shades = [_shade(to_rgb(color), p) for color, p in zip(colors + [EARTH] * len(walls), every, strict=True)]
    figure = Figure(figsize=(7.0, 6.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Any = figure.add_subplot(projection="3d")
    axes.add_collection3d(Poly3DCollection(every, facecolors=shades, edgecolors=(0, 0, 0, 0.25), linewidths=0.2))
    middle, half = 0.5 * (low + high), 0.55 * float((high - low).max())
    axes.set(xlim=middle[0] + np.array([-half, half]), ylim=middle[1] + np.array([-half, half]), zlim=low[2] + np.array([0.0, 2 * half]),
             xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", box_aspect=(1, 1, 1))  # fmt: skip
    axes.view_init(elevation, azimuth)
    if target is not None:
        write_figure(figure, target)
    return figure


def _bodies(motion: Record, free_bodies: FreeBodies, t: float) -> tuple[list[np.ndarray], list[str]]:
    """Polygons of all moving bodies in the world, and their colors."""
    q = states_at(motion, np.array([t]))[0, : motion.model.nq].reshape(-1, 7)
    drawn, colors = [], []
    for i, R in enumerate(matrices(q[:, 3:])):
        place, turn = q[i, :3] + R @ (free_bodies.centers[i] + free_bodies.offsets[i]), R @ free_bodies.tilts[i]
        own = [p @ turn.T + place for p in polygons(free_bodies, i)]
        drawn += own
        colors += [COLORS[i % (len(COLORS) - 1)]] * len(own)
    return drawn, colors


def _walls(free_bodies: FreeBodies, low: np.ndarray, high: np.ndarray) -> list[np.ndarray]:
    """Polygons of what stands still near the bodies between two corners."""
    drawn, middle, half = [], 0.5 * (low + high), 0.55 * float((high - low).max())
    for k in range(free_bodies.count, len(free_bodies.kinds)):
        place, turn = free_bodies.places[k - free_bodies.count], free_bodies.turns[k - free_bodies.count]
        if free_bodies.kinds[k] == SURFACE:
            corners, triangles = free_bodies.pool.meshes[int(free_bodies.sizes[k, 0])]
            drawn += list(corners[triangles])
        elif free_bodies.kinds[k] in (PLANE, SHEET):
            if abs(free_bodies.sizes[k, 2]) > 0.5:
                drawn += _floor(free_bodies.sizes[k], place, middle, half)
        else:
            drawn += [p @ turn.T + place for p in polygons(free_bodies, k)]
    reach = np.append(middle[:2] + half, middle[:2] - half)
    return [p for p in drawn if np.all(p[:, :2].min(0) < reach[:2]) and np.all(p[:, :2].max(0) > reach[2:])]


def _floor(normal: np.ndarray, place: np.ndarray, middle: np.ndarray, half: float) -> list[np.ndarray]:
    x, y = (c + half * np.linspace(-1.0, 1.0, SQUARES + 1) for c in middle[:2])
    X, Y = np.meshgrid(x, y, indexing="ij")
    Z = place[2] - ((X - place[0]) * normal[0] + (Y - place[1]) * normal[1]) / normal[2]
    P = np.stack([X, Y, Z], axis=-1)
    return [
        np.array([P[i, j], P[i + 1, j], P[i + 1, j + 1], P[i, j + 1]]) for i in range(SQUARES) for j in range(SQUARES)
    ]


def _shade(color: tuple[float, ...], polygon: np.ndarray) -> tuple[float, ...]:
    n = np.cross(polygon, np.roll(polygon, -1, axis=0)).sum(0)
    size = np.linalg.norm(n)
    bright = 0.55 + 0.45 * max(0.0, float(n @ LIGHT) / size) if size > 0.0 else 1.0
    return tuple(float(bright * c) for c in color)
