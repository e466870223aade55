"""Thin regions: surfaces and lines, given by corners or by functions."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.measures.charts import Charts, Images, map_cube, simplices
from vinculum.measures.meshes.reading import check_simplices
from vinculum.scalars import jacobian, symbols, vector
from vinculum.screws.entries import numeric
from vinculum.tolerances.samples import SAMPLES_OF_A_CURVE
from vinculum.tolerances.shapes import FLAT_TRIANGLE


class Thin(NamedTuple):
    """``charts``: of area or length; ``points`` (n, 3): that its bounding ball holds; ``facets``: what is drawn, or None."""

    charts: Charts
    points: np.ndarray
    facets: tuple[np.ndarray, np.ndarray] | None

    @property
    def ball(self) -> tuple[np.ndarray, float]:
        """A point (3,) and the distance to the farthest of the points [m]."""
        center = 0.5 * (self.points.min(0) + self.points.max(0))
        return center, float(np.linalg.norm(self.points - center, axis=1).max())


def triangle_surface(corners, triangles) -> Thin:
    """A surface of triangles, open or closed."""
    points, cells = check_simplices("surface", corners, triangles, 3)
    three = points[cells]
    areas = 0.5 * np.linalg.norm(np.cross(three[:, 1] - three[:, 0], three[:, 2] - three[:, 0]), axis=1)
    _check_sizes("surface: triangle", "area", areas, np.ptp(three, axis=1).max(1) ** 2, cells)
    return Thin(simplices(three, areas), points[np.unique(cells)], (points, cells))


def polyline(corners) -> Thin:
    """Segments from each corner to the next."""
    points = numeric("line: corners", corners)
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2 or not np.isfinite(points).all():
        raise ModelError(f"line: corners {shorten(corners)} must be at least two finite positions, of shape (n, 3) [m]")
    cells = np.stack([np.arange(len(points) - 1), np.arange(1, len(points))], axis=1)
    lengths = np.linalg.norm(points[1:] - points[:-1], axis=1)
    _check_sizes("line: segment", "length", lengths, np.ptp(points, axis=0).max() * np.ones(len(lengths)), cells)
    return Thin(simplices(points[cells], lengths), points, None)


def image_of_function(what: str, function: Callable, over) -> Thin:
    """The image of an interval or rectangle under a function of one or two numbers, written with `vc.math`."""
    edges = numeric(f"{what}: over", over)
    edges = edges[None] if edges.ndim == 1 else edges
    d = 1 if what == "line" else 2
    if edges.shape != (d, 2) or not np.isfinite(edges).all() or not np.all(edges[:, 0] < edges[:, 1]):
        words = "an interval (low, high)" if d == 1 else "two intervals ((low, high), (low, high))"
        raise ModelError(f"{what}: over={shorten(over)}; give {words} of the numbers that the function takes")
    from vinculum.compile.evaluate import evaluate_groups  # describing a system does not load Numba
    from vinculum.compile.trace import trace

    s = symbols("s", d)
    try:
        x = vector(function(*s))
    except Exception as error:
        raise ModelError(
            f"{what}: the function failed: {type(error).__name__}: {error}; it takes {d} number{'s' * (d > 1)} and is written with vc.math"
        ) from error
    if x.shape != (3,):
        raise ModelError(f"{what}: the function returns shape {x.shape}; return a position of three numbers [m]")
    tape = trace({"s": s}, {"x": x, "J": jacobian(x, s)})
    wide, defaults = edges[:, 1] - edges[:, 0], np.array([x for _, x in tape.parameters])

    def images(u: np.ndarray) -> Images:
        if not len(u):
            return np.zeros((0, 3)), np.zeros(0)
        places = np.concatenate([edges[:, 0] + wide * u, np.tile(defaults, (len(u), 1))], axis=1)
        found = evaluate_groups(tape, places)
        J = found["J"].reshape(-1, 3, d)
        size = np.linalg.norm(J[:, :, 0] if d == 1 else np.cross(J[:, :, 0], J[:, :, 1]), axis=1)
        return found["x"], size * wide.prod()

    charts = map_cube(images, d)
    count = SAMPLES_OF_A_CURVE if d == 1 else int(np.sqrt(SAMPLES_OF_A_CURVE))
    t = np.linspace(0.0, 1.0, count)
    points, sizes = images(np.stack(np.meshgrid(*[t] * d, indexing="ij"), axis=-1).reshape(-1, d))
    if not (np.isfinite(points).all() and np.isfinite(sizes).all()):
        raise ModelError(
            f"{what}: the function or its derivative is not finite on all of over={shorten(over)}; divide it there"
        )
    return Thin(charts, points, None if d == 1 else (points, _grid_triangles(count)))


def _grid_triangles(count: int) -> np.ndarray:
    i, j = (one.ravel() for one in np.meshgrid(np.arange(count - 1), np.arange(count - 1), indexing="ij"))
    a = i * count + j
    return np.concatenate([np.stack([a, a + count, a + count + 1], 1), np.stack([a, a + count + 1, a + 1], 1)])


def _check_sizes(what: str, quantity: str, sizes: np.ndarray, scales: np.ndarray, cells: np.ndarray) -> None:
    flat = np.flatnonzero(~(sizes > FLAT_TRIANGLE * scales))
    if len(flat):
        k = int(flat[0])
        raise ModelError(
            f"{what} {k}, between the corners {cells[k].tolist()}, has the {quantity} {sizes[k]:.1e}; leave it out"
        )
