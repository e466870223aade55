"""How large a system is, and where to look at it from."""

from collections.abc import Sequence

import numpy as np

from vinculum.models.geometry import Geometry, Mark
from vinculum.show.drawing.parts import SOLIDS
from vinculum.show.scene import GROUND_BODY, Framing, Line, Mesh, Part, Poses, Scene, matrices

SAMPLES, SQUARES = 48, 10
FLAT = 0.03
"""What is this thin, relative to its width, is seen from the side of its plane."""
TRAVELS, ROLLS = 10.0, 40.0
"""A system that goes this many times its own size is followed; a single body that goes so many times."""
ON_RAILS = ("slider", "sprung slider", "cylindrical", "sprung cylindrical", "screw")
"""Joints that lead a body along an axis, where its joint may lie at its mass center."""
WALLS = 1.2
"""Walls up to this many times the size of the system are seen whole."""
OUTLIER = 3.0
"""A box this many times wider than that of nearly all points has strays, which are left out of it."""


def system_size(geometry: Geometry, bodies: tuple[str, ...], poses: Poses) -> float:
    """The size [m] of the system at one instant, the median over time; of a lone point, or a body on a rail, that of its path."""
    number = {name: i for i, name in enumerate(bodies)}
    points = [(number.get(name, GROUND_BODY), np.array(point))
              for mark in geometry.marks if mark.kind not in ("plane", "free", *SOLIDS)
              for name, point in zip(mark.on, mark.points, strict=True)]  # fmt: skip
    points += [(number.get(mark.on[0], GROUND_BODY), corner)
               for mark in geometry.marks if mark.kind in SOLIDS and (mark.kind != "mesh" or mark.on[0] in number)
               for corner in _corners(geometry, mark)]  # fmt: skip
    if len(points) > 1600:
        points = points[:: len(points) // 1600]
    some = _sample_poses(poses)
    if not points or not len(some.time):
        return 1.0
    places = np.stack([some.points(body, p) for body, p in points], axis=1)
    extents = np.linalg.norm(np.ptp(places, axis=1), axis=1)
    size = float(np.median(extents))
    path = float(np.linalg.norm(np.ptp(places, axis=(0, 1))))
    lone = len({body for body, _ in points if body != GROUND_BODY}) == 1
    if lone and all(mark.kind in ("body", "free", *ON_RAILS) for mark in geometry.marks):
        size = max(size, path)
    inertia = max((max(mark.sizes[1:4]) for mark in geometry.marks if mark.kind == "body"), default=0.0)
    return next((float(one) for one in (size, path, inertia) if one > 0.0), 1.0)


def framing_of(
    geometry: Geometry, poses: Poses, size: float, meshes: Sequence[Mesh], parts: Sequence[Part], lines: Sequence[Line]
) -> Framing:
    """The view of everything that moves: a box, upward against gravity, and a direction in which a plane system is seen flat."""
    some = _sample_poses(poses)
    low, high, middles = _box(some, meshes, [part for part in parts if part.role != "wall"], lines, size)
    for part in parts:
        if (
            part.role == "wall"
            and part.name != "plane"
            and np.ptp(meshes[part.mesh].corners, axis=0).max() * part.scale.max() < WALLS * size
        ):
            corners = (meshes[part.mesh].corners * part.scale) @ part.axes.T + part.position
            low, high = np.minimum(low, corners.min(axis=0)), np.maximum(high, corners.max(axis=0))
    g = np.array(geometry.gravity)
    up = -g / np.linalg.norm(g) if g.any() else np.array([0.0, 0.0, 1.0])
    travels = (
        float(np.linalg.norm(np.ptp(middles, axis=0))) > (TRAVELS if some.positions.shape[1] > 1 else ROLLS) * size
    )
    floor = _floor(some, meshes, parts, up) if g.any() else float(0.5 * (low + high) @ up)
    return Framing(
        low, high, size, up, _direction(middles, some, up), floor, 0 if travels else GROUND_BODY, bool(g.any())
    )


def box_at(scene: Scene, frame: int) -> tuple[np.ndarray, np.ndarray] | None:
    """The box of what is drawn at a frame: bodies, bonds and the paths until then, without walls; None if there is nothing."""
    parts = [part for part in scene.parts if part.role != "wall"]
    if not parts and not scene.lines:
        return None
    low, high, _ = _box(_poses_at(scene.poses, np.array([frame])), scene.meshes, parts, scene.lines, scene.framing.size)
    paths = [trace.path[: frame + 1] for trace in scene.traces if frame > 0]
    if paths:
        drawn = np.concatenate(paths)
        low, high = np.fmin(low, np.nanmin(drawn, axis=0)), np.fmax(high, np.nanmax(drawn, axis=0))
    return low, high


def _sample_poses(poses: Poses) -> Poses:
    pick = np.unique(np.linspace(0, len(poses.time) - 1, SAMPLES).astype(int)) if len(poses.time) else np.zeros(0, int)
    return _poses_at(poses, pick)


def _poses_at(poses: Poses, pick: np.ndarray) -> Poses:
    carriers = None if poses.carriers is None else poses.carriers[pick]
    return Poses(poses.time[pick], poses.positions[pick], poses.quaternions[pick], carriers)


def _corners(geometry: Geometry, mark: Mark) -> np.ndarray:
    """Corners (8, 3) of the box around a solid, along its axes, in the frame of its body."""
    a, b, c = (*mark.sizes, 0.0, 0.0, 0.0)[:3]
    if mark.facets:
        surface = np.array(geometry.surfaces[mark.facets[0]].corners, dtype=float).reshape(-1, 3)
        low, high = surface.min(axis=0), surface.max(axis=0)
    else:
        half = {"box": (0.5 * a, 0.5 * b, 0.5 * c), "ellipsoid": (a, b, c), "cylinder": (a, a, 0.5 * b),
                "capsule": (a, a, a + 0.5 * b), "cone": (a, a, 0.5 * b), "disc": (a, a, 0.0)}.get(mark.kind, (a, a, a))  # fmt: skip
        middle = np.array([0.0, 0.0, 0.5 * b if mark.kind == "cone" else 0.0])
        low, high = middle - half, middle + half
    ends = np.stack(np.meshgrid(*np.stack([low, high], axis=1), indexing="ij"), axis=-1).reshape(-1, 3)
    return ends @ np.reshape(mark.axes[0], (3, 3)).T + np.array(mark.points[0])


def _centers(poses: Poses, part: Part) -> np.ndarray:
    return poses.points(part.body, part.position)


def _box(
    poses: Poses, meshes: Sequence[Mesh], parts: Sequence[Part], lines: Sequence[Line], size: float
) -> tuple[np.ndarray, ...]:
    """The box of all moving parts and ends of lines, without strays, and the middle of the parts over time."""
    chosen = parts if len(parts) <= 3000 else parts[:: len(parts) // 3000]
    lows, highs, centers = [], [], []
    for part in chosen:
        center, half = _part_box(poses, meshes[part.mesh], part)
        lows.append(center - half)
        highs.append(center + half)
        if part.role != "joint":
            centers.append(center)
    for line in lines:
        for body, point in zip(line.bodies, line.points, strict=True):
            place = poses.points(body, point)
            lows.append(place)
            highs.append(place)
    if not lows:
        point = poses.positions.reshape(-1, 3)
        point = point if len(point) else np.zeros((1, 3))
        return point.min(axis=0) - 0.5 * size, point.max(axis=0) + 0.5 * size, point
    bottom, top = np.concatenate(lows), np.concatenate(highs)
    low, high = bottom.min(axis=0), top.max(axis=0)
    if len(chosen) >= 20:
        inner_low, inner_high = np.percentile(bottom, 3, axis=0), np.percentile(top, 97, axis=0)
        if np.linalg.norm(high - low) > OUTLIER * np.linalg.norm(inner_high - inner_low):
            low, high = inner_low, inner_high
    centers = centers or lows
    return low, high, np.mean(centers, axis=0)


def _part_box(poses: Poses, mesh: Mesh, part: Part) -> tuple[np.ndarray, np.ndarray]:
    """Middles (F, 3) and half widths (F, 3) of the box of a part."""
    low, high = (mesh.corners * part.scale).min(axis=0), (mesh.corners * part.scale).max(axis=0)
    middle = poses.points(part.body, part.position + part.axes @ (0.5 * (low + high)))
    return middle, np.abs(poses.axes(part.body, part.axes)) @ (0.5 * (high - low))


def _floor(poses: Poses, meshes: Sequence[Mesh], parts: Sequence[Part], up: np.ndarray) -> float:
    """The height of the lowest point of all, or of a level plane."""
    level = [float(part.position @ up) for part in parts if part.name == "plane" and abs(part.axes[:, 2] @ up) > 0.99]
    if level:
        return level[0]
    lowest = np.inf
    for part in parts if len(parts) <= 400 else parts[:: len(parts) // 400]:
        if part.role == "wall":
            continue
        corners = mesh_corners(meshes[part.mesh]) * part.scale
        heights = _centers(poses, part) @ up + (
            np.einsum("fij,kj->fki", poses.axes(part.body, part.axes), corners) @ up
        ).min(axis=1)
        lowest = min(lowest, float(heights.min()))
    return lowest if np.isfinite(lowest) else 0.0


def mesh_corners(mesh: Mesh) -> np.ndarray:
    """Corners of a mesh, of a large one some."""
    return mesh.corners if len(mesh.corners) <= 600 else mesh.corners[:: len(mesh.corners) // 600]


def _direction(middles: np.ndarray, poses: Poses, up: np.ndarray) -> np.ndarray:
    """The direction from the system to the eye."""
    along = np.eye(3)[0] if abs(up[0]) < 0.9 else np.eye(3)[1]
    right = along - (along @ up) * up
    right /= np.linalg.norm(right)
    back = np.cross(up, right)
    usual = 0.46 * right - 0.78 * back + 0.42 * up
    points = poses.positions.reshape(-1, 3)
    points = np.concatenate([points, middles.reshape(-1, 3)])
    spread = points - points.mean(axis=0)
    if len(points) > 2 and spread.any():
        _, widths, axes = np.linalg.svd(spread, full_matrices=False)
        normal = axes[2]
        flat = widths[2] < FLAT * widths[0] and widths[1] > FLAT * widths[0]
        if flat and abs(normal @ up) < 0.5 and _turns_about(poses, normal):
            side = np.cross(up, normal)
            normal = normal if side @ right > 0.0 or (abs(side @ right) < 0.1 and side @ back > 0.0) else -normal
            usual = normal + 0.26 * np.cross(up, normal) + 0.24 * up
        elif flat and abs(normal @ up) >= 0.5:
            usual = 0.25 * right - 0.6 * back + 0.75 * up
    return usual / np.linalg.norm(usual)


def _turns_about(poses: Poses, normal: np.ndarray) -> bool:
    """Whether every body keeps a direction across the plane of motion."""
    R = matrices(poses.quaternions)
    relative = R @ np.swapaxes(R[:1], -1, -2)
    return bool(np.abs(relative @ normal - normal).max(initial=0.0) < FLAT)


def grid_step(framing: Framing) -> float:
    """The distance of lines of the grid: one, two or five times a power of ten, near a tenth of what is seen."""
    width = max(float((framing.high - framing.low).max()), framing.size)
    rough = (width if framing.follows < 0 else min(width, 4.0 * framing.size)) / SQUARES
    power = 10.0 ** np.floor(np.log10(rough))
    return float(next(k for k in (1.0, 2.0, 5.0, 10.0) if k * power >= rough) * power)
