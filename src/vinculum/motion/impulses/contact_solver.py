"""How the impulses of unilateral constraints and contacts were solved, step by step or event by event."""

from dataclasses import dataclass, fields
from typing import final

import numpy as np

from vinculum.motion.impulses.pressing import PressingContacts

UNCOUNTED = -1.0
"""What stands on the disk for numbers that were not counted."""


@final
@dataclass(frozen=True, eq=False)
class ContactSolver:
    """One row for every instant of impulses, ``times`` (K,) [s].

    ``residual``: ‖P − proj(P − u/w)‖ / ‖P‖, in a pile at least 1/200 of what any contact misses of its own scale; ``sweeps``;
    ``contacts``: how many were looked at; ``penetration`` [m]: the deepest
    before bodies were moved apart; ``moved`` [m]: the largest of these moves; ``seconds`` of the wall clock, those of a chunk of
    steps shared out among them; ``surplus``: by how many the impulses of sticking and sliding contacts are more than the freedoms they act
    on, cluster by cluster: where it is not zero the impulses are not unique (the velocities may be), and which ones are found depends on
    those of the step before; ``spare`` [J]: the most that impulses with this residual do on the velocities after them, where exact ones
    do nothing or take energy. These two are NaN where they are not counted (in steps of bodies that hang together by joints; the
    certificate counts). Event by event ``surplus`` is exact, from the rank of the rows that press. ``finished``: 1 where the
    last digits are not those of sweeps but of an interior-point method and Newton's, else 0. ``presses``: the
    impulses of a pile themselves.
    """

    times: np.ndarray
    residual: np.ndarray
    sweeps: np.ndarray
    contacts: np.ndarray
    penetration: np.ndarray
    moved: np.ndarray
    seconds: np.ndarray
    surplus: np.ndarray
    residual_work: np.ndarray
    finished: np.ndarray
    pressing: PressingContacts | None = None

    def __len__(self) -> int:
        return len(self.times)

    @classmethod
    def join(cls, parts: "list[ContactSolver]") -> "ContactSolver | None":
        """Those of consecutive parts of a run; None if there are none."""
        parts = [part for part in parts if len(part)]
        if not parts:
            return None
        numbers = (np.concatenate([getattr(part, name) for part in parts]) for name in NUMBERS)
        return cls(
            *numbers, pressing=PressingContacts.join([part.pressing for part in parts], [len(part) for part in parts])
        )

    @property
    def rows(self) -> np.ndarray:
        """All numbers (K, 10) as they are stored."""
        found = np.column_stack([getattr(self, name) for name in NUMBERS])
        return np.where(np.isnan(found), UNCOUNTED, found)

    @classmethod
    def of_rows(cls, rows: np.ndarray, pressing: PressingContacts | None) -> "ContactSolver":
        """Those that were stored as rows (K, 10)."""
        columns = rows.T.copy()
        for name in ("surplus", "residual_work"):
            k = NUMBERS.index(name)
            columns[k] = np.where(columns[k] == UNCOUNTED, np.nan, columns[k])
        return cls(*columns, pressing=pressing)


NUMBERS = tuple(f.name for f in fields(ContactSolver) if f.name != "pressing")
