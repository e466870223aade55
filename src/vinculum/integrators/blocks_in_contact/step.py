"""A time step of blocks in contact: what it begins with, and what it gives."""

from typing import NamedTuple

import numpy as np

from vinculum.collision.arrays import Contacts
from vinculum.contact.free_bodies.closings import PLAIN
from vinculum.contact.sparse.arrays import Resistance

DONE, MISSED, INFINITE, UNSETTLED, OPENED, HIT = 0, 1, 2, 3, 4, 5
"""How a step ends: well, with impulses that miss their tolerance, with numbers that are not finite, with forces that do not converge,
with conditions that cannot be kept, or before it began, as something may be hit in it."""


class Step(NamedTuple):
    """A step: its beginning and length [s], the mean of its length and the next [s], and coordinates and velocities before it; ``impacts``,
    ``swift``: what it does with impacts of their own, as in `contact.free_bodies.closings`."""

    t: float
    h: float
    span: float
    q: np.ndarray
    v: np.ndarray
    impacts: int = PLAIN
    swift: float = np.inf

    @property
    def middle(self) -> float:
        """The instant in its middle [s]."""
        return self.t + 0.5 * self.h


class Report(NamedTuple):
    """Statistics of the contact solver in a step, as in `ContactSolver`."""

    residual: float
    sweeps: int
    contacts: int
    penetration: float
    moved: float
    residual_work: float
    finished: int


class StepResult(NamedTuple):
    """The result of a step: how it ended, the coordinates in its middle (nq,), coordinates and velocities at its end, and its report."""

    status: int
    middle: np.ndarray
    q: np.ndarray
    v: np.ndarray
    report: Report


class End(NamedTuple):
    """The end of a step: its coordinates (nq,), how much conditions change the velocities there (nv,), and whether they are kept."""

    q: np.ndarray
    closing: np.ndarray
    kept: bool = True


class StepContacts(NamedTuple):
    """The m contacts of a step: with gaps after penetration was removed, the coordinates of its ``middle`` then, smallest normal
    velocities (m,), μ (m,), and effective masses 1/w of the normal and of the stiffest tangent (m, 2). ``resistance`` and
    ``turned``: triples of moments, and their effective masses."""

    contacts: Contacts
    middle: np.ndarray
    targets: np.ndarray
    cones: np.ndarray
    weights: np.ndarray
    resistance: Resistance
    turned: np.ndarray
