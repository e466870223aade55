"""A time step of blocks in contact: what it begins with, and what it gives."""

from typing import NamedTuple

import numpy as np

from vinculum.collision.arrays import Contacts
from vinculum.contact.free_bodies.closings import PLAIN
from vinculum.contact.sparse.arrays import Resistance

DONE, MISSED, INFINITE, UNSETTLED, OPENED, HIT = 0, 1, 2, 3, 4, 5
"""How a step ends: well, with impulses that miss their tolerance, with numbers that are not finite, with forces that do not converge,
with conditions that cannot be kept, or before it began, as something may be hit in it."""
PAIRS, CONTACTS, ROWS, RECORDS, SINGULAR = 6, 7, 8, 9, 10
"""Why a step did not begin: no room for near pairs, contacts, their rows or their records, or a block whose mass matrix is singular."""


class Step(NamedTuple):
    """A step: its beginning and length [s], the mean of its length and the next [s], and coordinates and velocities before it; ``impacts``,
    ``swift``: what it does with impacts of their own, as in `contact.free_bodies.closings`."""

    t: float
    h: float
    span: float
    q: np.ndarray
    v: np.ndarray
    impacts: int | np.integer = PLAIN
    swift: float = np.inf

    @property
    def middle(self) -> float:
        """The instant in its middle [s]."""
        return self.t + 0.5 * self.h


class Steps(NamedTuple):
    """Steps one after the other: the first instant and the lengths (k,) [s], the length of the step after them [s], the number under which
    contacts of the first are recorded; ``impacts``, ``swift`` as in `Step`, and the length of the steps of the run [s]."""

    t: float
    lengths: np.ndarray
    after: float
    number: int
    impacts: int
    swift: float
    h: float


RESIDUAL, SWEEPS, COUNT, DEPTH, MOVED, WORK, FINISHED, REPORT = range(8)
"""Columns of the report of a step, as in `ContactSolver`, and their number."""


class Taken(NamedTuple):
    """Where steps write: states (k + 1, n), coordinates in their middles (k, nq), reports (k, 7), and centers (k, s, 3) and axes
    (k, s, 3, 3) of the shapes that move."""

    states: np.ndarray
    middles: np.ndarray
    reports: np.ndarray
    centers: np.ndarray
    axes: np.ndarray

    def part(self, k: int) -> "Taken":
        """The first k steps."""
        return Taken(self.states[: k + 1], *(x[:k] for x in self[1:]))


def room_for(count: int, state: np.ndarray, nq: int, moving: int) -> Taken:
    """Room for so many steps from a state."""
    states = np.empty((count + 1, len(state)))
    states[0] = state
    return Taken(
        states,
        np.empty((count, nq)),
        np.zeros((count, REPORT)),
        np.empty((count, moving, 3)),
        np.empty((count, moving, 3, 3)),
    )


class StepContacts(NamedTuple):
    """The m contacts of a step: with gaps after penetration was removed, the coordinates of its ``middle`` then, smallest normal
    velocities (m,), μ (m,), and effective masses 1/w of the normal and of the stiffest tangent (m, 2). ``resistance`` and
    ``turned``: triples of moments, and their effective masses. Unilateral constraints follow the contacts of shapes, with numbers after
    those of all shapes."""

    contacts: Contacts
    middle: np.ndarray
    targets: np.ndarray
    cones: np.ndarray
    weights: np.ndarray
    resistance: Resistance
    turned: np.ndarray

    def split(self, shapes: int) -> "tuple[StepContacts, StepContacts]":
        """The contacts between so many shapes, and the unilateral constraints."""
        own = self.contacts.who[:, 0] < shapes
        first, others = (
            self._replace(
                contacts=Contacts(*(x[k] for x in self.contacts)),
                targets=self.targets[k],
                cones=self.cones[k],
                weights=self.weights[k],
            )
            for k in (own, ~own)
        )
        return first, others
