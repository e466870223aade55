"""The arrays on which contacts of a tree are looked for, made as large as they have to be."""

from typing import final

import numpy as np

from vinculum.collision.beneath import beneath, rays_of
from vinculum.collision.broad_phase import SURFACE
from vinculum.collision.narrow_phase.choice import phase_of
from vinculum.collision.narrow_phase.entry import table_of
from vinculum.compile.width import WIDTH
from vinculum.contact.trees.contacts import CONTACTS, FINE, PAIRS, RECORDS, ROWS, STATUS, located
from vinculum.models.shapes.tree_shapes import TreeShapes
from vinculum.tolerances.sizes import TREE_RECORD


@final
class TreeWork:
    """Shapes of a tree and room for their pairs, contacts and records; ``parts`` is what the compiled loops get."""

    def __init__(self, shapes: TreeShapes, outputs: int):
        n, moving = len(shapes.kinds), shapes.moving
        self.shapes = shapes
        center = np.concatenate([np.zeros((moving, 3)), shapes.places])
        turn = np.concatenate([np.tile(np.eye(3), (moving, 1, 1)), shapes.turns])
        self._places = np.empty((outputs, WIDTH)), center, turn, np.zeros((n, 8))
        self._shape = (shapes.kinds, shapes.sizes, shapes.reaches, shapes.carried, shapes.pairs, shapes.laws)
        surfaces = shapes.pool.surfaces
        self._address, self._pool = phase_of(shapes.kinds), (*shapes.pool.solids, *surfaces)
        self._rays, self._lengths = rays_of(shapes.pool, surfaces), np.zeros(2)
        self._numbers = np.zeros(3, dtype=np.int64)
        self._near, self._found = self._lists(4 * n + 32), self._rows(4 * n + 32)
        self._memory, self._records = self._kept(4 * n + 32), np.empty((1024, TREE_RECORD))

    @property
    def parts(self) -> tuple:
        _out, center, turn, V = self._places
        arrays = (
            *self._near[:4],
            center,
            turn,
            *self._shape[:2],
            V,
            self._shape[2],
            self._lengths,
            *self._pool,
            *self._found,
        )
        shape = (*self._shape, (self._address, table_of(arrays), self._lengths))
        return (*self._places, self._found, self._near, shape, self._memory, self._numbers, self._records)

    @property
    def status(self) -> int:
        return int(self._numbers[STATUS])

    def begin(self) -> None:
        """Forget the records, which have been taken out."""
        self._numbers[ROWS], self._numbers[STATUS] = 0, FINE

    def records(self) -> np.ndarray:
        """What has been recorded, (C, 22)."""
        return self._records[: self._numbers[ROWS]].copy()

    def grow(self) -> None:
        """Make room where it was not enough."""
        if self.status == PAIRS:
            self._near = self._lists(2 * len(self._near[0]))
        elif self.status == CONTACTS:
            self._found, old = self._rows(2 * len(self._found[0])), self._memory
            self._memory = self._kept(len(self._found[0]))
            for new, known in zip(self._memory, old, strict=True):
                new[: len(known)] = known
        elif self.status == RECORDS and not self._numbers[ROWS]:
            self._records = np.empty((2 * len(self._records), TREE_RECORD))
        elif self.status == RECORDS:
            self._records = np.empty((max(len(self._records), 64 * len(self._found[0])), TREE_RECORD))

    def look(self, out: np.ndarray, v: np.ndarray, h: float) -> int:
        """The number of contacts where the shapes stand, ``out`` being what their tape gives, that may close within h."""
        while True:
            self.begin()
            count = located(out[:, None], v[:, None], 0, h, self.parts)
            if self.status == FINE:
                return count
            self.grow()

    def contacts(self, count: int) -> tuple[np.ndarray, ...]:
        """Shapes (C, 2), axes (C, 3, 3), places (C, 3) and gaps (C,) of those that were found."""
        return tuple(part[:count].copy() for part in self._found)

    def beneath(self) -> tuple[float, int, int]:
        """How deep the center of a shape is beyond a surface that it meets [m], where `look` has placed it, with both; zero if none is."""
        worst, moving = (0.0, 0, 0), self.shapes.moving
        if self._rays is None:
            return worst
        ways, kinds, surfaces = self._rays
        depth, which = np.zeros(moving), np.zeros(moving, dtype=np.int64)
        for wall in np.flatnonzero(self.shapes.kinds == SURFACE):
            only = np.where(np.arange(len(kinds)) == self.shapes.sizes[wall, 0], kinds, 0)
            beneath(self._places[1], moving, ways, only, surfaces, depth, which)
            own = np.where(self.shapes.pairs[:moving, wall] >= 0, depth, 0.0)
            body = int(np.argmax(own))
            worst = max(worst, (float(own[body]), body, int(wall)))
        return worst

    def _lists(self, size: int) -> tuple[np.ndarray, ...]:
        total = len(self.shapes.kinds)
        buckets = 1 << int(np.ceil(np.log2(2 * total + 2)))
        return (*(np.zeros(size, dtype=np.int64) for _ in range(4)), np.empty(buckets, dtype=np.int64),
                np.empty(total, dtype=np.int64), np.empty((total, 4), dtype=np.int64))  # fmt: skip

    def _rows(self, size: int) -> tuple[np.ndarray, ...]:
        return np.empty((size, 2), dtype=np.int64), np.empty((size, 3, 3)), np.empty((size, 3)), np.empty(size)

    def _kept(self, size: int) -> tuple[np.ndarray, ...]:
        return np.zeros((size, 2), dtype=np.int64), np.zeros((size, 3)), np.zeros((size, 6))
