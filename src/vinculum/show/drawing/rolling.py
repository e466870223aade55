"""Contact points of what rolls."""

import numpy as np

from vinculum.models.geometry import Mark
from vinculum.show.scene import Poses

ROLLING = ("disc", "ball", "ellipsoid")


def rolled_path(mark: Mark, poses: Poses, bodies: tuple[str, ...]) -> np.ndarray:
    """The contact point (F, 3) of a disc, ball or ellipsoid on its plane."""
    first, second = (bodies.index(name) if name in bodies else -1 for name in mark.on)
    normal = poses.axes(second, np.reshape(mark.axes[1], (3, 3)))[:, :, 2]
    R = poses.axes(first, np.reshape(mark.axes[0], (3, 3)))
    u = -np.einsum("fji,fj->fi", R, normal)
    if mark.kind == "disc":
        across = u * (1.0, 1.0, 0.0)
        length = np.linalg.norm(across, axis=1, keepdims=True)
        point = mark.sizes[0] * across / np.where(length > 0.0, length, 1.0)
    else:
        axes = np.array((mark.sizes * 3)[:3])
        point = axes**2 * u / np.linalg.norm(axes * u, axis=1, keepdims=True)
    return poses.points(first, np.array(mark.points[0])) + np.einsum("fij,fj->fi", R, point)
