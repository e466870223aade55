"""Where a picture is taken from."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.show.scene import GROUND_BODY, Framing, Scene

VIEW = np.tan(np.deg2rad(14.0))
"""Half of the picture's height at distance one."""
MARGIN = 1.18


@final
@dataclass(frozen=True, eq=False)
class Camera:
    """An eye at ``eye`` (3,) with ``axes`` (3, 3): rows to the right, upward and back to the eye."""

    eye: np.ndarray
    axes: np.ndarray

    def project(self, points: np.ndarray, width: int, height: int) -> np.ndarray:
        """Pixels and distances (n, 3) of points (n, 3)."""
        x, y, z = (self.axes @ (points - self.eye).T).reshape(3, -1)
        depth = -z
        safe = np.where(depth > 0.0, depth, 1.0)
        half = 0.5 * height / VIEW
        return np.stack([0.5 * width + half * x / safe, 0.5 * height - half * y / safe, depth], axis=1)


def camera_of(
    scene: Scene, frame: int, aspect: float, elevation: float | None = None, azimuth: float | None = None
) -> Camera:
    """The camera of a scene at a frame: everything that moves is in the picture, or the followed body and what is near it.

    ``elevation``, ``azimuth`` [degrees]: other directions, above the horizontal and about the upward axis.
    """
    framing = scene.framing
    toward = framing.toward if elevation is None and azimuth is None else _seen_from(framing, elevation, azimuth)
    low, high = framing.low, framing.high
    if framing.follows != GROUND_BODY:
        place = scene.poses.positions[frame].mean(axis=0)
        low, high = place - 0.42 * framing.size, place + 0.42 * framing.size
    right = np.cross(framing.up, toward)
    right = right / np.linalg.norm(right) if right.any() else np.eye(3)[0]
    axes = np.stack([right, np.cross(toward, right), toward])
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    least = 0.05 * framing.size
    target, distance = 0.5 * (low + high), least
    for _ in range(3):
        seen = (corners - target) @ axes.T
        distance = max(float((np.abs(seen[:, :2]) / (VIEW * aspect, VIEW) * MARGIN + seen[:, 2:]).max()), least)
        screen = seen[:, :2] / (distance - seen[:, 2:])
        shift = 0.5 * (screen.min(axis=0) + screen.max(axis=0)) * distance
        target = target + shift[0] * axes[0] + shift[1] * axes[1]
    return Camera(target + distance * axes[2], axes)


def _seen_from(framing: Framing, elevation: float | None, azimuth: float | None) -> np.ndarray:
    up = framing.up
    along = np.eye(3)[0] if abs(up[0]) < 0.9 else np.eye(3)[1]
    right = along - (along @ up) * up
    right /= np.linalg.norm(right)
    back = np.cross(up, right)
    flat = framing.toward - (framing.toward @ up) * up
    el = (
        np.arcsin(np.clip(framing.toward @ up, -1.0, 1.0))
        if elevation is None
        else np.deg2rad(np.clip(elevation, -89.0, 89.0))
    )
    az = np.arctan2(flat @ back, flat @ right) if azimuth is None else np.deg2rad(azimuth)
    return np.cos(el) * (np.cos(az) * right + np.sin(az) * back) + np.sin(el) * up
