"""Working frames that make a tree's constants sparse.

A joint with one axis works the same in any frame whose z is that axis. For two such joints in a row the frames can be
laid along the common normal of their axes (Denavit and Hartenberg), which leaves a turn about x and a shift along x
between them, and a constant offset in the coordinate: half the arithmetic of a general pose.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.screws import Pose
from vinculum.tolerances.round_off import TIDY
from vinculum.tolerances.shapes import FARTHEST_CROSSING, PARALLEL_AXES


@final
@dataclass(frozen=True)
class Screw:
    """A turn [rad] about z and a shift [m] along it."""

    turn: float = 0.0
    shift: float = 0.0

    def pose(self) -> Pose:
        """Pose of the moved frame in the unmoved one."""
        c, s = tidy(np.cos(self.turn)), tidy(np.sin(self.turn))
        return Pose.of(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.array([0.0, 0.0, self.shift]))


@final
@dataclass(frozen=True)
class Normal:
    """Two axes and their common normal: where the frames of both must go, and what is left between them."""

    parent: Screw
    child: Screw
    angle_cosine: float
    angle_sine: float
    arm: tuple[float, ...]

    def between(self) -> Pose:
        """Pose of the child's frame in the parent's: a shift (along x, unless the normal is far away) and a turn about x."""
        c, s = tidy(self.angle_cosine), tidy(self.angle_sine)
        return Pose.of(np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]), np.array(self.arm))


def common_normal(X: Pose, shift: float) -> Normal:
    """The common normal of the z axis of a frame and the z axis of a frame at X; ``shift`` is preferred if they are parallel."""
    z0, z1, p = np.array([0.0, 0.0, 1.0]), X.R[:, 2], X.p
    across = np.cross(z0, z1)
    sine, cosine = np.linalg.norm(across), float(z1[2])
    if sine > PARALLEL_AXES:
        normal = across / sine
        s1 = (cosine * p[2] - p @ z1) / sine**2
        s0 = p[2] + s1 * cosine
    else:
        sine, cosine = 0.0, np.sign(cosine)
        flat = np.array([p[0], p[1], 0.0])
        size = np.linalg.norm(flat)
        normal = flat / size if size > TIDY * max(1.0, abs(p[2])) else np.array([1.0, 0.0, 0.0])
        s0 = shift
        s1 = (s0 - p[2]) * cosine
    if abs(s0) + abs(s1) > FARTHEST_CROSSING * np.linalg.norm(p):
        s0, s1 = shift, 0.0
    n_child = X.R.T @ normal
    gap = p + s1 * z1 - s0 * z0
    arm = (gap @ normal, gap @ np.cross(z0, normal), gap @ z0)
    return Normal(Screw(float(np.arctan2(normal[1], normal[0])), float(s0)),
                  Screw(float(np.arctan2(n_child[1], n_child[0])), float(s1)), float(cosine), float(sine),
                  tuple(tidy(float(x)) for x in arm))  # fmt: skip


def tidy(x: float) -> float:
    """0 and ±1 where round-off has only missed them."""
    nearest = float(np.rint(x))
    return nearest if abs(x - nearest) < TIDY else float(x)


def tidy_pose(X: Pose) -> Pose:
    """A numeric pose without round-off where zeros and ones should be."""
    if not is_numeric(X):
        return X
    size = max(1.0, float(np.abs(X.p).max()))
    return Pose.of(np.vectorize(tidy)(X.R), np.where(np.abs(X.p) < TIDY * size, 0.0, X.p))


def is_identity(X: Pose) -> bool:
    """Whether a pose changes nothing."""
    return is_numeric(X) and np.array_equal(X.R, np.eye(3)) and not X.p.any()


def is_numeric(X: Pose) -> bool:
    """Whether a pose holds numbers only, no parameters."""
    return X.R.dtype != object and X.p.dtype != object
