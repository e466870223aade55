"""Active contacts of free bodies in every step: position, bodies and impulses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.tolerances.sizes import FREE_BODIES_RECORD


@final
@dataclass(frozen=True, eq=False)
class PressingContacts:
    """One row for every active contact, (C, 12), or (C, 15) with moments, in the order of the steps; the rows may be on disk.

    ``contact_solver`` (C,): which of the instants in `motion.record.contact_solver`; ``bodies`` (C, 2): numbers of shapes, walls last;
    ``places`` (C, 3) [m]; ``normals`` (C, 3), from the second to the first; ``impulses`` (C, 3) [N s] and ``moments`` (C, 3) [N m s] on the
    first. World axes. Unilateral constraints among blocks have the numbers after those of all shapes, and impulses along their own axes.
    """

    rows: Any

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def contact_solver(self) -> np.ndarray:
        return np.asarray(self.rows)[:, 0].astype(np.int64)

    @property
    def bodies(self) -> np.ndarray:
        return np.asarray(self.rows)[:, 1:3].astype(np.int64)

    @property
    def places(self) -> np.ndarray:
        return np.asarray(self.rows)[:, 3:6]

    @property
    def normals(self) -> np.ndarray:
        return np.asarray(self.rows)[:, 6:9]

    @property
    def impulses(self) -> np.ndarray:
        return np.asarray(self.rows)[:, 9:12]

    @property
    def moments(self) -> np.ndarray:
        return np.asarray(self.rows)[:, 12:] if self.width > FREE_BODIES_RECORD else np.zeros((len(self.rows), 3))

    @property
    def width(self) -> int:
        """Numbers in a row."""
        return self.rows.shape[1]

    def fits(self, steps: int, shapes: int) -> bool:
        """Whether all rows name instants and shapes of so many."""
        if self.rows.shape[1:] not in ((FREE_BODIES_RECORD,), (FREE_BODIES_RECORD + 3,)):
            return False
        named = np.asarray(self.rows)[:, :3]
        whole = (named >= 0.0) & (named < (steps, shapes, shapes)) & (named == np.floor(named))
        return bool(whole.all())

    def split(self, shapes: int) -> "tuple[PressingContacts, PressingContacts]":
        """The rows of contacts between so many shapes, and those of unilateral constraints, which have numbers after these."""
        own = self.bodies[:, 0] < shapes
        return type(self)(np.asarray(self.rows)[own]), type(self)(np.asarray(self.rows)[~own])

    def first(self, count: int) -> "PressingContacts":
        """The rows of the first ``count`` instants."""
        return type(self)(np.asarray(self.rows)[self.contact_solver < count])

    def shift(self, count: int) -> np.ndarray:
        """The rows with instants that are counted from ``count`` on."""
        return np.asarray(self.rows) + np.eye(1, self.width)[0] * count

    @classmethod
    def join(cls, parts: "Sequence[PressingContacts | None]", counts: Sequence[int]) -> "PressingContacts | None":
        """Those of consecutive parts of a run that have so many instants each; None if none has any."""
        before = np.cumsum([0, *counts])
        rows = [part.shift(int(n)) for part, n in zip(parts, before, strict=False) if part is not None]
        return cls(np.concatenate(rows)) if rows else None


def tangents(normals: np.ndarray) -> np.ndarray:
    """Two tangents (C, 2, 3) to normals (C, 3), as right-handed axes."""
    x, y, z = normals.T
    o = np.zeros_like(x)
    steep = (np.abs(x) < 0.6)[:, None]
    first = np.where(steep, np.column_stack([o, z, -y]), np.column_stack([-z, o, x]))
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return np.stack([first, np.cross(normals, first)], axis=1)
