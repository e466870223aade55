"""Active contacts between shapes of a tree at the atoms of a motion, with their impulses."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.tolerances.sizes import TREE_RECORD


@final
@dataclass(frozen=True, eq=False)
class Meetings:
    """One row for every active contact, (C, 22), in the order of the atoms.

    ``atoms`` (C,): which instant; ``shapes`` (C, 2): the numbers of the two shapes; ``places`` (C, 3) [m]; ``axes`` (C, 3, 3): normal, from
    the second shape to the first, and two tangents as rows; ``gaps`` (C,) [m]; ``impulses`` (C, 3) [N s] along these axes, ``moments``
    (C, 3) [N m s] about them. World axes.
    """

    rows: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    def fits(self, atoms: int, shapes: int) -> bool:
        """Whether all rows name instants and shapes of so many."""
        if self.rows.shape[1:] != (TREE_RECORD,):
            return False
        named = self.rows[:, :3]
        whole = (named >= 0.0) & (named < (atoms, shapes, shapes)) & (named == np.floor(named))
        return bool(whole.all())

    @property
    def atoms(self) -> np.ndarray:
        return self.rows[:, 0].astype(np.int64)

    @property
    def shapes(self) -> np.ndarray:
        return self.rows[:, 1:3].astype(np.int64)

    @property
    def places(self) -> np.ndarray:
        return self.rows[:, 3:6]

    @property
    def axes(self) -> np.ndarray:
        return self.rows[:, 6:15].reshape(-1, 3, 3)

    @property
    def gaps(self) -> np.ndarray:
        return self.rows[:, 15]

    @property
    def impulses(self) -> np.ndarray:
        return self.rows[:, 16:19]

    @property
    def moments(self) -> np.ndarray:
        return self.rows[:, 19:22]

    def renumber(self, atoms: np.ndarray) -> "Meetings":
        """The same contacts at atoms with other numbers (C,)."""
        return Meetings(np.column_stack([atoms, self.rows[:, 1:]]).reshape(-1, TREE_RECORD))

    def choose(self, kept: np.ndarray) -> "Meetings":
        """The contacts at the selected atoms (K,), with new numbers."""
        mine = kept[self.atoms]
        return Meetings(self.rows[mine]).renumber((np.cumsum(kept) - 1)[self.atoms[mine]])
