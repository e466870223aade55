"""One frame of a scene as an array of pixels."""

import numpy as np

from vinculum.screws import rotation_onto
from vinculum.show.drawing.framing import grid_step
from vinculum.show.drawing.parts import JOINT_TINT, LINE_TINT, WALL_TINT
from vinculum.show.plots.panels import COLORS
from vinculum.show.render.camera import Camera
from vinculum.show.render.raster import NEAR, Pen, average, cover, fill, stroke, tint
from vinculum.show.scene import Part, Scene

TINTS = {JOINT_TINT: (0.33, 0.36, 0.42), WALL_TINT: (0.80, 0.78, 0.74), LINE_TINT: (0.45, 0.48, 0.55)}
PAPER, FLOOR = 1.0, (0.965, 0.97, 0.975)
GRID, SHADOW = (0.80, 0.83, 0.87), 0.86
FINE = 2
"""Pixels are averaged from so many each way."""
MOST_SQUARES = 60
"""Squares of the grid from its middle to its edge."""
SUN = np.array([0.45, -0.35, 1.0])


def tint_color(tint: int) -> tuple[float, float, float]:
    """The color of a part: of a body by its number, of joints, walls and lines their own."""
    if tint < 0:
        return TINTS[tint]
    text = COLORS[tint % (len(COLORS) - 1)]
    r, g, b = (int(text[k : k + 2], 16) / 255.0 for k in (1, 3, 5))
    return r, g, b


def pixels_of(scene: Scene, frame: int, camera: Camera, width: int, height: int, traces: bool = True) -> np.ndarray:
    """The picture (height, width, 3) of a frame, eight bits a channel."""
    w, h = FINE * width, FINE * height
    image = np.full((h, w, 3), PAPER, dtype=np.float32)
    depth = np.full((h, w), np.inf, dtype=np.float32)
    near = NEAR * scene.framing.size
    corners, triangles, normals, colors, shading = _triangles(scene, frame)
    up = scene.framing.up
    tilt = rotation_onto(np.array([0.0, 0.0, 1.0]), up)
    sun = tilt @ SUN / np.linalg.norm(SUN)
    light = np.stack([sun, camera.axes[2]])
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    behind = ~shading & (
        np.einsum("ti,ti->t", np.cross(b - a, c - a), camera.eye - a) <= 0.0
    )  # walls are seen from outside alone
    triangles, colors, shading = triangles[~behind], colors[~behind], shading[~behind]
    _draw_floor(scene, camera, image, depth, near, (corners, triangles[shading]), sun)
    pixels = camera.project(corners, w, h)
    fill(pixels, triangles, normals, colors, image, depth, light, near)
    if traces:
        for trace in scene.traces:
            path = trace.path[: frame + 1]
            if len(path) > 1:
                line = camera.project(path, w, h)
                order = np.stack([np.arange(len(path) - 1), np.arange(1, len(path))], axis=1)
                stroke(line, order, Pen(np.array(tint_color(trace.body)), 0.75, 3, 0.002), image, depth, near)
    return average(image, FINE)


def _triangles(scene: Scene, frame: int) -> tuple[np.ndarray, ...]:
    """Corners, triangles, normals of corners and colors of triangles of everything at a frame, and which triangles cast shadows."""
    R, p = scene.poses.carriers_at(frame), scene.poses.positions[frame]
    corners, triangles, normals, colors, shading, begin = [], [], [], [], [], 0

    def add(mesh: int, A: np.ndarray, turn: np.ndarray, shift: np.ndarray, color, shades: bool) -> None:
        nonlocal begin
        one = scene.meshes[mesh]
        corners.append(one.corners @ A.T + shift)
        slope = normal_of[mesh] @ turn.T
        length = np.linalg.norm(slope, axis=1, keepdims=True)
        normals.append(slope / np.where(length > 0.0, length, 1.0))
        triangles.append(one.triangles + begin)
        colors.append(np.broadcast_to(color, (len(one.triangles), 3)))
        shading.append(np.full(len(one.triangles), shades))
        begin += len(one.corners)

    normal_of = [mesh.normals for mesh in scene.meshes]
    for part in scene.parts:
        turn, shift = _part_pose(part, R, p)
        scale = np.where(part.scale == 0.0, 1.0, part.scale)
        slopes = turn / scale if scene.poses.carriers is None else np.linalg.inv(turn * scale).T
        add(part.mesh, turn * part.scale, slopes, shift, tint_color(part.tint), part.role != "wall")
    for line in scene.lines:
        a, b = (
            point if body < 0 else p[body] + R[body] @ point
            for body, point in zip(line.bodies, line.points, strict=True)
        )
        length = float(np.linalg.norm(b - a))
        if length > 0.0:
            turn = rotation_onto(np.array([0.0, 0.0, 1.0]), (b - a) / length)
            scale = np.array([line.radius, line.radius, length])
            add(line.mesh, turn * scale, turn / scale, 0.5 * (a + b), tint_color(LINE_TINT), True)
    if not corners:
        return (
            np.zeros((0, 3)),
            np.zeros((0, 3), dtype=np.int64),
            np.zeros((0, 3)),
            np.zeros((0, 3)),
            np.zeros(0, dtype=bool),
        )
    return (np.concatenate(corners), np.concatenate(triangles).astype(np.int64), np.concatenate(normals),
            np.ascontiguousarray(np.concatenate(colors)), np.concatenate(shading))  # fmt: skip


def _part_pose(part: Part, R: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if part.body < 0:
        return part.axes, part.position
    return R[part.body] @ part.axes, p[part.body] + R[part.body] @ part.position


def _draw_floor(
    scene: Scene, camera: Camera, image, depth, near: float, casting: tuple[np.ndarray, np.ndarray], sun
) -> None:
    """A grid under the system, with shadows; it is not in the depth buffer, as everything is above it."""
    framing, (h, w) = scene.framing, depth.shape
    up, middle = framing.up, 0.5 * (framing.low + framing.high)
    tilt = rotation_onto(np.array([0.0, 0.0, 1.0]), up)
    width = max(float(np.ptp((np.array([framing.low, framing.high]) @ tilt)[:, :2], axis=0).max()), framing.size)
    step = grid_step(framing)
    count = min(int(np.ceil(0.75 * width / step)) + 1, MOST_SQUARES)
    if camera.eye @ up <= framing.floor:
        return
    # in small pieces, as one with a corner behind the eye is left out
    ticks = np.arange(-count, count + 1) * step
    x0, y0 = np.round((middle @ tilt)[:2] / step) * step
    X, Y = np.meshgrid(x0 + ticks, y0 + ticks, indexing="ij")
    lattice = np.stack([X, Y, np.full_like(X, framing.floor)], axis=-1).reshape(-1, 3) @ tilt.T
    number = np.arange(len(lattice)).reshape(len(ticks), len(ticks))
    a, b, c, d = (part.ravel() for part in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
    pixels, area = camera.project(lattice, w, h), np.zeros((h, w), dtype=np.bool_)
    cover(pixels, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]), area, near)
    corners, triangles = casting
    mask = np.zeros((h, w), dtype=np.bool_)
    if len(triangles) and framing.weighs:
        heights = corners @ up - framing.floor
        flattened = corners - np.outer(heights / (sun @ up), sun)
        cover(camera.project(flattened, w, h), triangles, mask, near)
    tint(image, area, np.array(FLOOR), mask, SHADOW)
    pairs = ((number[:-1], number[1:]), (number[:, :-1], number[:, 1:]))
    lines = np.concatenate([np.stack([one.ravel(), other.ravel()], axis=1) for one, other in pairs])
    stroke(pixels, lines, Pen(np.array(GRID), 0.8, 1, 0.0), image, depth, near)
