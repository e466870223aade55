"""The scene of a Lagrangian motion: points that the user computes from the coordinates, joined by rods."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from vinculum.errors import MethodError, StartError, VinculumError, shorten
from vinculum.models.geometry import Geometry, Mark
from vinculum.motion.lagrangian.record import LagrangianRecord
from vinculum.show.drawing.bodies import Wanted, frame_times
from vinculum.show.drawing.framing import framing_of
from vinculum.show.drawing.parts import Builder
from vinculum.show.plots.panels import Panel
from vinculum.show.scene import Poses, Scene, Trace


def scene_of_points(motion: LagrangianRecord, wanted: Wanted) -> Scene:
    """Points that ``wanted.draw`` makes of the coordinates, each joined to the one before."""
    if wanted.draw is None:
        raise MethodError(
            f"system '{motion.model.name}' is given by a Lagrangian and has no bodies, so nothing of it can be drawn; give draw=, a "
            "function of its coordinates q that returns points (k, 3), as draw=lambda q: [(0, 0, 0), (q[0], 0, q[1])]"
        )
    time = frame_times(motion, wanted.frames, instant=wanted.instant)  # type: ignore[arg-type]
    grid = motion.at(time)
    places, flat = _places(wanted.draw, grid.q)
    count = places.shape[1]
    names = tuple(f"point {k + 1}" for k in range(count))
    still = np.broadcast_to([0.0, 0.0, 0.0, 1.0], (len(time), count, 4))
    poses = Poses(time, places, np.array(still))
    size = (
        float(np.median(np.linalg.norm(np.ptp(places, axis=1), axis=1)))
        or float(np.linalg.norm(np.ptp(places, axis=(0, 1))))
        or 1.0
    )
    geometry = _geometry(names, flat)
    builder = Builder(geometry, names, poses, size)
    builder.build()
    framing = framing_of(geometry, poses, size, builder.meshes, builder.parts, builder.lines)
    energy = Panel("energy", ["E"], grid.total_energy[:, None])
    shown = [
        Panel("coordinates", list(motion.coordinates), grid.q),
        Panel("rates", [f"d{n}/dt" for n in motion.coordinates], grid.v),
    ]
    return Scene(
        name=motion.model.name,
        bodies=names,
        masses=np.zeros(count),
        poses=poses,
        meshes=builder.meshes,
        parts=tuple(builder.parts),
        framing=framing,
        lines=tuple(builder.lines),
        traces=(Trace(names[-1], places[:, -1], count - 1),),
        panels=(energy, *shown),
        unit="",
    )


def _places(draw: Callable, q: np.ndarray) -> tuple[np.ndarray, bool]:
    """The points (F, k, 3) at all frames, and whether the user gave them in a plane."""
    found = []
    for row in q:
        try:
            points = np.asarray(draw(row), dtype=float)
        except VinculumError:
            raise
        except Exception as error:
            raise StartError(
                f"draw failed on numbers: {type(error).__name__}: {error}; it is a function of the coordinates q"
            ) from error
        points = points[None] if points.ndim == 1 else points
        if points.ndim != 2 or points.shape[1] not in (2, 3) or not np.all(np.isfinite(points)):
            raise StartError(
                f"draw gave {shorten(points.tolist())}; return finite points, each of three numbers, or of two in a plane"
            )
        found.append(points)
    if len({points.shape for points in found}) > 1:
        raise StartError("draw gave different numbers of points at different instants; return as many every time")
    every = np.stack(found)
    flat = every.shape[2] == 2
    return (np.concatenate([every, np.zeros((*every.shape[:2], 1))], axis=2) if flat else every), flat


def _geometry(names: tuple[str, ...], flat: bool) -> Geometry:
    eye: Any = np.eye(3).ravel().tolist()
    marks = [Mark("body", name, [name], [[0.0] * 3], [eye], [1.0, 0.0, 0.0, 0.0]) for name in names]
    marks += [Mark("rod", f"rod {k + 1}", [a, b], [[0.0] * 3] * 2, [eye] * 2)
              for k, (a, b) in enumerate(pairwise(names))]  # fmt: skip
    return Geometry([0.0, -1.0, 0.0] if flat else [0.0, 0.0, -1.0], marks)
