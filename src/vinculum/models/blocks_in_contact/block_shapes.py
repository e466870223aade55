"""`BlockShapes`: shapes of the bodies of many blocks and of fixed walls, as arrays. Plain data, like a tape."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, final

import numpy as np

from vinculum.collision.pool import Pool
from vinculum.collision.stored_shapes import check_axes, check_laws, check_shapes, check_that
from vinculum.errors import FileError
from vinculum.models.shapes.tree_shapes import APART


@final
@dataclass(frozen=True, eq=False)
class BlockShapes:
    """``moving`` shapes of bodies, and after them the fixed ones; n of both together.

    ``kinds`` (n,), ``sizes`` (n, 3), ``reaches`` (n,): shapes and their bounding spheres; ``places`` (n − moving, 3), ``turns``
    (n − moving, 3, 3): of the fixed ones. ``bodies`` (moving,): the numbers of their bodies; ``offsets`` (moving, 3), ``tilts``
    (moving, 3, 3): where a shape's center and axes are in its body's frame. ``carried`` (moving, w): which velocities of its block move
    a shape. ``parents`` (moving,): the shape of the body to which a joint connects this one, −1 if there is none; ``closed`` (c, 2): shapes
    of bodies that closing joints connect. ``groups`` (n,): shapes
    of one group meet the same others by the same laws; ``laws_of`` (g, g): the number of the laws of two groups, −1 if they do not meet;
    ``laws`` (k, 4): restitution, μ (−1 without friction), lengths of spinning and rolling [m]; ``joined`` (k,): whether bodies that a
    joint connects meet by these laws. ``gravity`` (3,) [m/s²]. ``pool``: corners and faces of polytopes and surfaces, which name them in
    ``sizes``.
    """

    kinds: np.ndarray
    sizes: np.ndarray
    reaches: np.ndarray
    places: np.ndarray
    turns: np.ndarray
    bodies: np.ndarray
    offsets: np.ndarray
    tilts: np.ndarray
    carried: np.ndarray
    parents: np.ndarray
    closed: np.ndarray
    groups: np.ndarray
    laws_of: np.ndarray
    laws: np.ndarray
    joined: np.ndarray
    gravity: np.ndarray
    pool: Pool = field(default_factory=Pool)

    @property
    def moving(self) -> int:
        return len(self.bodies)

    @property
    def pull(self) -> float:
        """|g| [m/s²]."""
        return float(np.linalg.norm(self.gravity))

    def law_of(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The number of the laws of pairs of shapes, −1 for those that do not meet."""
        found = self.laws_of[self.groups[first], self.groups[second]]
        parents = np.concatenate([self.parents, np.full(len(self.kinds) - self.moving, -2)])
        connected = (parents[first] == second) | (parents[second] == first) | self._are_closed(first, second)
        return np.where(connected & ~self.joined[found], APART, found)

    def _are_closed(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Whether closing joints connect pairs of shapes."""
        n = len(self.kinds)
        low, high = self.closed.min(axis=1, initial=n), self.closed.max(axis=1, initial=0)
        return np.isin(np.minimum(first, second) * n + np.maximum(first, second), low * n + high)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        arrays = {f.name: np.asarray(getattr(self, f.name)).tolist() for f in fields(self) if f.name != "pool"}
        return arrays | {"pool": self.pool.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], deforms: np.ndarray) -> "BlockShapes":
        """The shapes of `to_dict`, checked. ``deforms`` (b,): which of the bodies of the system deform."""
        n, m, k, g = len(data["kinds"]), len(data["bodies"]), len(data["laws"]), len(data["laws_of"])
        shapes = {"kinds": (n,), "sizes": (n, 3), "reaches": (n,), "places": (n - m, 3), "turns": (n - m, 3, 3), "bodies": (m,),
                  "offsets": (m, 3), "tilts": (m, 3, 3), "carried": (m, -1), "parents": (m,), "closed": (-1, 2),
                  "groups": (n,), "laws_of": (g, g), "laws": (k, 4), "joined": (k,), "gravity": (3,)}  # fmt: skip
        dtypes: dict[str, Any] = dict.fromkeys(("kinds", "bodies", "parents", "closed", "groups", "laws_of"), np.int64)
        dtypes |= dict.fromkeys(("carried", "joined"), bool)
        try:
            found = cls(
                **{name: np.array(data[name], dtype=dtypes.get(name, float)).reshape(x) for name, x in shapes.items()},
                pool=Pool.from_dict(data["pool"]),
            )
        except (ValueError, TypeError, OverflowError) as error:
            raise FileError("stored shapes are damaged: their arrays do not fit the bodies") from error
        ranges = ((found.bodies, 0, len(deforms)), (found.parents, -1, m), (found.closed, 0, m), (found.groups, 0, g))
        if any(x.size and (x.min() < low or x.max() >= high) for x, low, high in ranges):
            raise FileError("stored shapes are damaged: they name bodies, shapes or groups that do not exist")
        own = deforms[found.bodies]
        check_shapes(found.kinds, found.sizes, found.reaches, found.places, found.turns, m, found.pool, own)
        check_laws(found.laws_of, found.laws)
        check_axes(found.kinds[:m], found.tilts)
        check_that(np.isfinite(found.offsets), "the position of a shape in its body is not finite")
        check_that(np.isfinite(found.gravity), "gravity is not finite")
        return found


@final
class Meets:
    """Which shapes meet, asked with indices as a matrix (n, n) would be."""

    def __init__(self, shapes: BlockShapes):
        self._shapes, self._all = shapes, np.arange(len(shapes.kinds))

    def __getitem__(self, pair) -> np.ndarray:
        first, second = (self._all[x] for x in pair)
        return self._shapes.law_of(first, second) != APART
