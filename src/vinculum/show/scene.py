"""`Scene`: shapes and their poses over time. Pages, pictures and films are made from it and from nothing else."""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from vinculum.show.plots.panels import Panel

GROUND_BODY = -1
"""The number of the ground among bodies."""


@final
@dataclass(frozen=True, eq=False)
class Mesh:
    """``corners`` (n, 3) and ``triangles`` (t, 3), counterclockwise from outside. Edges that are seen have corners of their own on
    either side, so that normals may be averaged at corners."""

    corners: np.ndarray
    triangles: np.ndarray

    @property
    def normals(self) -> np.ndarray:
        """Unit normals (n, 3) at the corners, averaged over the triangles by area."""
        a, b, c = (self.corners[self.triangles[:, k]] for k in range(3))
        area = np.cross(b - a, c - a)
        total = np.zeros_like(self.corners)
        for k in range(3):
            np.add.at(total, self.triangles[:, k], area)
        length = np.linalg.norm(total, axis=1, keepdims=True)
        return total / np.where(length > 0.0, length, 1.0)

    def flat(self) -> "Mesh":
        """The same surface with corners of its own for every triangle."""
        return Mesh(self.corners[self.triangles].reshape(-1, 3), np.arange(3 * len(self.triangles)).reshape(-1, 3))


@final
@dataclass(frozen=True, eq=False)
class Poses:
    """``positions`` (F, B, 3) [m] and ``quaternions`` (F, B, 4), vector first, of the bodies at instants ``time`` (F,) [s].

    ``carriers`` (F, B, 3, 3): the matrices that carry the points of bodies where some body deforms; otherwise None, and they are the
    rotations.
    """

    time: np.ndarray
    positions: np.ndarray
    quaternions: np.ndarray
    carriers: np.ndarray | None = None

    def carriers_at(self, frame: int | slice = slice(None)) -> np.ndarray:
        """Matrices (…, B, 3, 3) that carry the points of the bodies."""
        return matrices(self.quaternions[frame]) if self.carriers is None else self.carriers[frame]

    def points(self, body: int, place: np.ndarray) -> np.ndarray:
        """Positions (F, 3) of a material point of a body, or of the ground."""
        if body == GROUND_BODY:
            return np.broadcast_to(place, (len(self.time), 3))
        return self.positions[:, body] + self._carriers_of(body) @ place

    def axes(self, body: int, R: np.ndarray) -> np.ndarray:
        """Axes (F, 3, 3) that are fixed in a body, or in the ground."""
        return np.broadcast_to(R, (len(self.time), 3, 3)) if body == GROUND_BODY else self._carriers_of(body) @ R

    def _carriers_of(self, body: int) -> np.ndarray:
        return matrices(self.quaternions[:, body]) if self.carriers is None else self.carriers[:, body]


@final
@dataclass(frozen=True, eq=False)
class Part:
    """A mesh that is fixed in a body: at ``position`` (3,) with the rotation matrix ``axes``, stretched by ``scale`` (3,).

    ``role``: "solid", "link", "joint", "mass" or "wall", which a viewer may hide; ``tint``: the number of its color.
    """

    mesh: int
    body: int
    position: np.ndarray
    axes: np.ndarray
    scale: np.ndarray
    role: str
    name: str
    tint: int


@final
@dataclass(frozen=True, eq=False)
class Line:
    """A mesh along z that is stretched between a point of one body and a point of another: a spring, a damper or a rod."""

    mesh: int
    bodies: tuple[int, int]
    points: tuple[np.ndarray, np.ndarray]
    radius: float
    role: str
    name: str


@final
@dataclass(frozen=True, eq=False)
class Trace:
    """The path (F, 3) [m] of a point in the world; ``body``: the one it is a point of."""

    name: str
    path: np.ndarray
    body: int


@final
@dataclass(frozen=True, eq=False)
class Arrows:
    """A force or moment over time: it acts at ``places`` (F, 3) [m]; ``vectors`` (F, 3) [N or N m], zero where there is none.

    ``kind``: "reaction", "force" or "moment".
    """

    name: str
    kind: str
    places: np.ndarray
    vectors: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Touching:
    """Active contacts of the frames, one after the other: ``places`` (C, 3) [m], ``vectors`` (C, 3) [N] on the first body.

    ``begins`` (F + 1,): where those of a frame begin.
    """

    begins: np.ndarray
    places: np.ndarray
    vectors: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Impacts:
    """Impulses at single instants: ``times`` (K,) [s] in order, ``places`` (K, 3) [m], ``vectors`` (K, 3) [N s]."""

    times: np.ndarray
    places: np.ndarray
    vectors: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class States:
    """Velocities (F, B, 3) of the origins and angular velocities (F, B, 3) in world axes, and kinetic energies (F, B) of the bodies."""

    velocities: np.ndarray
    spins: np.ndarray
    kinetic: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Framing:
    """Where to look from. ``low``, ``high`` (3,) [m]: the box of what moves; ``size`` [m]: of the system at one instant.

    ``up``, ``toward`` (3,): unit vectors upward and from the system to the eye; ``floor`` [m]: the height of the grid along ``up``;
    ``follows``: the body that the eye goes along with, the ground if none; ``weighs``: whether there is gravity, so that the grid is a
    floor.
    """

    low: np.ndarray
    high: np.ndarray
    size: float
    up: np.ndarray
    toward: np.ndarray
    floor: float
    follows: int
    weighs: bool


@final
@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that is drawn of a motion. ``notes``: what is left out, and why."""

    name: str
    bodies: tuple[str, ...]
    masses: np.ndarray
    poses: Poses
    meshes: tuple[Mesh, ...]
    parts: tuple[Part, ...]
    framing: Framing
    lines: tuple[Line, ...] = ()
    traces: tuple[Trace, ...] = ()
    arrows: tuple[Arrows, ...] = ()
    touching: Touching | None = None
    impacts: Impacts | None = None
    states: States | None = None
    panels: tuple[Panel, ...] = ()
    unit: str = "m"
    notes: tuple[str, ...] = field(default=())


def matrices(quaternions: np.ndarray) -> np.ndarray:
    """Rotation matrices (…, 3, 3) of unit quaternions (…, 4), vector first."""
    x, y, z, w = np.moveaxis(np.asarray(quaternions, dtype=float), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]  # fmt: skip
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def unit_quaternions(rotations: np.ndarray) -> np.ndarray:
    r"""Unit quaternions Λ (…, 4), vector first, of rotations (…, 3, 3).

    Rows of 4ΛΛᵀ are sums of entries of R; the one with the largest diagonal entry is scaled to length one, as in `screws.quaternion_of`.
    """
    R = np.asarray(rotations, dtype=float)
    trace = np.trace(R, axis1=-2, axis2=-1)
    products = np.zeros((*R.shape[:-2], 4, 4))
    products[..., :3, :3] = R + np.swapaxes(R, -1, -2) + (1.0 - trace)[..., None, None] * np.eye(3)
    twice_axial = np.stack([R[..., k, j] - R[..., j, k] for j, k in ((1, 2), (2, 0), (0, 1))], axis=-1)
    products[..., :3, 3] = products[..., 3, :3] = twice_axial
    products[..., 3, 3] = 1.0 + trace
    largest = np.diagonal(products, axis1=-2, axis2=-1).argmax(axis=-1)
    rows = np.take_along_axis(products, largest[..., None, None], axis=-2)[..., 0, :]
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def quaternions_of(rotations: np.ndarray) -> np.ndarray:
    """Unit quaternions (F, B, 4), vector first, of rotations (F, B, 3, 3), continuous from frame to frame."""
    frames, count = rotations.shape[:2]
    if not frames * count:
        return np.zeros((frames, count, 4))
    found = unit_quaternions(rotations)
    flips = np.sign((found[1:] * found[:-1]).sum(axis=-1))
    flips = np.concatenate([np.ones((1, count)), np.where(flips < 0.0, -1.0, 1.0)])
    return found * np.cumprod(flips, axis=0)[..., None]
