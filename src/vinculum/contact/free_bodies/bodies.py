"""`FreeBodies`: free bodies with shapes, and fixed walls, as arrays. Plain data, like a tape."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, final

import numpy as np

from vinculum.collision.pool import Pool
from vinculum.collision.stored_shapes import check_axes, check_bodies, check_laws, check_shapes
from vinculum.errors import FileError
from vinculum.tolerances.contact import EQUAL_INERTIAS


@final
@dataclass(frozen=True, eq=False)
class FreeBodies:
    """``count`` moving bodies followed by the fixed shapes; n is the number of both together.

    ``masses`` (count,); ``inertias`` (count, 3, 3) about the mass centers in body axes; ``centers`` (count, 3) of mass in the body
    frames. ``kinds`` (n,), ``sizes`` (n, 3), ``reaches`` (n,): shapes and their bounding spheres. ``offsets`` (count, 3), ``tilts``
    (count, 3, 3): positions of the shapes' centers relative to the mass centers, and their axes, in body axes (those of
    ellipsoids have their proportions). ``places`` (n − count,
    3), ``turns`` (n − count, 3, 3): the same for the fixed shapes, in the world. ``mu``: friction; ``e``: Newton's ratio. ``pool``:
    corners and faces of polytopes and surfaces, whose numbers are in ``sizes``.
    """

    masses: np.ndarray
    inertias: np.ndarray
    centers: np.ndarray
    kinds: np.ndarray
    sizes: np.ndarray
    reaches: np.ndarray
    offsets: np.ndarray
    tilts: np.ndarray
    places: np.ndarray
    turns: np.ndarray
    gravity: np.ndarray
    mu: float
    e: float
    pool: Pool = field(default_factory=Pool)

    @property
    def count(self) -> int:
        return len(self.masses)

    @property
    def is_round(self) -> bool:
        """Whether every moving body is a sphere about its mass center with equal principal moments of inertia."""
        same = self.inertias[:, 0, 0, None, None] * np.eye(3)
        return bool(
            np.all(self.kinds[: self.count] == 0)
            and not self.offsets.any()
            and np.all(np.abs(self.inertias - same) <= EQUAL_INERTIAS * np.abs(same).max(initial=0.0))
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        arrays = {f.name: np.asarray(getattr(self, f.name)).tolist() for f in fields(self) if f.name != "pool"}
        return arrays | {"pool": self.pool.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "FreeBodies":
        """The free bodies of `to_dict`, checked."""
        n, m = len(data["kinds"]), len(data["masses"])
        shapes = {"masses": (m,), "inertias": (m, 3, 3), "centers": (m, 3), "kinds": (n,), "sizes": (n, 3), "reaches": (n,),
                  "offsets": (m, 3), "tilts": (m, 3, 3), "places": (n - m, 3), "turns": (n - m, 3, 3), "gravity": (3,),
                  "mu": (), "e": ()}  # fmt: skip
        arrays = {name: np.array(data[name], dtype=np.int64 if name == "kinds" else float) for name in shapes}
        try:
            arrays = {name: arrays[name].reshape(shape) for name, shape in shapes.items()}
        except ValueError as error:
            raise FileError("stored free bodies are damaged: their arrays have the wrong shapes") from error
        mu, e = (float(arrays.pop(name)) for name in ("mu", "e"))
        free_bodies = cls(**arrays, mu=mu, e=e, pool=Pool.from_dict(data["pool"]))
        check_shapes(
            free_bodies.kinds,
            free_bodies.sizes,
            free_bodies.reaches,
            free_bodies.places,
            free_bodies.turns,
            free_bodies.count,
            free_bodies.pool,
        )
        check_bodies(
            free_bodies.masses,
            free_bodies.inertias,
            free_bodies.centers,
            free_bodies.offsets,
            free_bodies.gravity,
        )
        check_axes(free_bodies.kinds[: free_bodies.count], free_bodies.tilts)
        check_laws(np.zeros((0, 0)), np.array([[free_bodies.e, free_bodies.mu, 0.0, 0.0]]))
        return free_bodies
