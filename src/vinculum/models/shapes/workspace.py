"""Work arrays for the contacts of a tree, of sufficient size."""

from typing import final

import numpy as np

from vinculum.collision.arrays import Contacts, Grid, Pairs, Polyhedra, Shapes
from vinculum.collision.beneath import depths_by_surface, rays_of
from vinculum.collision.narrow_phase.choice import phase_of
from vinculum.collision.narrow_phase.entry import entry_of
from vinculum.compile.width import WIDTH
from vinculum.contact.trees.arrays import RECORDED, STATUS, Memory, TreeContacts
from vinculum.contact.trees.contacts import CONTACTS, FINE, PAIRS, RECORDS, locate_contacts
from vinculum.models.shapes.tree_shapes import TreeShapes
from vinculum.tolerances.sizes import TREE_RECORD


@final
class TreeWork:
    """Shapes of a tree and room for their pairs, contacts and records; ``parts`` is what the compiled loops get.

    ``tape``: address of the tape `shapes` in machine code, for those that run it.
    """

    def __init__(self, shapes: TreeShapes, outputs: int, tape: int = 0):
        n, moving = len(shapes.kinds), shapes.moving
        self.shapes, self._tape = shapes, tape
        center = np.concatenate([np.zeros((moving, 3)), shapes.places])
        turn = np.concatenate([np.tile(np.eye(3), (moving, 1, 1)), shapes.turns])
        self._out, self._velocity = np.empty((outputs, WIDTH)), np.zeros((n, 8))
        self._placed = Shapes(center, turn, shapes.kinds, shapes.sizes, shapes.reaches.copy())
        self._address, self._polyhedra = phase_of(shapes.kinds), Polyhedra(*shapes.pool.solids, shapes.pool.surfaces)
        self._rays = rays_of(shapes.pool)
        self._counts = np.zeros(4, dtype=np.int64)
        buckets = 1 << int(np.ceil(np.log2(2 * n + 2)))
        self._grid = Grid(
            np.empty(buckets, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty((n, 4), dtype=np.int64)
        )
        self._pairs, self._found = self._lists(4 * n + 32), self._rows(4 * n + 32)
        self._memory, self._records = self._empty_warm_start(4 * n + 32), np.empty((1024, TREE_RECORD))

    @property
    def parts(self) -> TreeContacts:
        entry = entry_of(self._address, self._pairs, self._placed, self._velocity, self._found, self._polyhedra)
        shapes = self.shapes
        return TreeContacts(self._tape, self._out, self._placed, shapes.reaches, self._velocity, shapes.carried, shapes.strained,
                            shapes.pairs, shapes.laws, shapes.by_impulses.astype(np.int64), entry, self._pairs, self._grid,
                            self._found, self._memory, self._counts, self._records)  # fmt: skip

    @property
    def status(self) -> int:
        return int(self._counts[STATUS])

    def begin(self) -> None:
        """Forget the records, which have been taken out."""
        self._counts[RECORDED], self._counts[STATUS] = 0, FINE

    def records(self) -> np.ndarray:
        """What has been recorded, (C, 22)."""
        return self._records[: self._counts[RECORDED]].copy()

    def grow(self) -> None:
        """Make room where it was not enough."""
        if self.status == PAIRS:
            self._pairs = self._lists(2 * len(self._pairs.first))
        elif self.status == CONTACTS:
            self._found, old = self._rows(2 * len(self._found.gap)), self._memory
            self._memory = self._empty_warm_start(len(self._found.gap))
            for new, known in zip(self._memory, old, strict=True):
                new[: len(known)] = known
        elif self.status == RECORDS and not self._counts[RECORDED]:
            self._records = np.empty((2 * len(self._records), TREE_RECORD))
        elif self.status == RECORDS:
            self._records = np.empty((max(len(self._records), 64 * len(self._found.gap)), TREE_RECORD))

    def look(self, out: np.ndarray, v: np.ndarray, h: float) -> int:
        """The number of contacts where the shapes stand, ``out`` being what their tape gives, that may close within h."""
        while True:
            self.begin()
            count = locate_contacts(out[:, None], v[:, None], 0, h, self.parts)
            if self.status == FINE:
                return count
            self.grow()

    def contacts(self, count: int) -> tuple[np.ndarray, ...]:
        """Shapes (C, 2), axes (C, 3, 3), places (C, 3) and gaps (C,) of those that were found."""
        return tuple(part[:count].copy() for part in self._found)

    def beneath(self) -> tuple[float, int, int]:
        """How deep the center of a shape is beyond a surface that it meets [m], where `look` has placed it, with both; zero if none is."""
        worst, shapes, moving = (0.0, 0, 0), self.shapes, self.shapes.moving
        for wall, depth in depths_by_surface(self._rays, self._placed.center, moving, shapes.kinds, shapes.sizes):
            own = np.where(shapes.pairs[:moving, wall] >= 0, depth, 0.0)
            body = int(np.argmax(own))
            worst = max(worst, (float(own[body]), body, wall))
        return worst

    def _lists(self, size: int) -> Pairs:
        return Pairs(*(np.zeros(size, dtype=np.int64) for _ in Pairs._fields))

    def _rows(self, size: int) -> Contacts:
        return Contacts(
            np.empty((size, 2), dtype=np.int64), np.empty((size, 3, 3)), np.empty((size, 3)), np.empty(size)
        )

    def _empty_warm_start(self, size: int) -> Memory:
        return Memory(np.zeros((size, 2), dtype=np.int64), np.zeros((size, 3)), np.zeros((size, 6)))
