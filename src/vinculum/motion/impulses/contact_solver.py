"""Statistics of the contact solver, for every step or impact."""

from dataclasses import dataclass, fields
from typing import final

import numpy as np

from vinculum.motion.impulses.pressing import PressingContacts

UNCOUNTED = -1.0
"""Stored in place of numbers that were not counted."""


@final
@dataclass(frozen=True, eq=False)
class ContactSolver:
    """One row for every instant of impulses, ``times`` (K,) [s].

    ``residual``: ‖P − proj(P − u/w)‖ / ‖P‖, for free bodies in contact at least 1/200 of the largest residual of a
    contact relative to its own scale; ``sweeps``; ``contacts``: their number; ``penetration`` [m]: the deepest before
    it was corrected; ``moved`` [m]: the largest of these corrections; ``seconds`` of wall time, distributed evenly
    over a chunk of steps. ``surplus``: the number of impulses of sticking and sliding contacts in excess of the
    degrees of freedom they act on, cluster by cluster. If it is not zero the impulses are not unique (the velocities
    may be), and the result depends on the impulses of the step before. ``residual_work`` [J]: a bound of the work of
    impulses with this residual on the velocities after them, where exact ones do no work or dissipate. These two are
    NaN if they are not counted (in steps of bodies connected by joints; the certificate counts them). In the
    event-driven method ``surplus`` is exact, from the rank of the active rows. ``finished``: 1 if an interior-point
    method and Newton's method computed the last digits instead of sweeps, else 0. ``pressing``: the impulses
    themselves, for free bodies and blocks in contact.
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

    def until(self, t: float) -> "ContactSolver":
        """The statistics of instants up to t, including it."""
        inside = self.times <= t
        numbers = (getattr(self, name)[inside] for name in NUMBERS)
        return type(self)(*numbers, pressing=None if self.pressing is None else self.pressing.first(int(inside.sum())))

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
