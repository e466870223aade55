"""The contacts of one step of free bodies, found by repeating the step."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.contact.free_bodies import steps as codes
from vinculum.contact.free_bodies.closings import PLAIN
from vinculum.integrators.free_bodies.steps import free_bodies_work
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model import Model
from vinculum.tolerances.time_stepping import FREE_BODIES_SWEEPS

LOOSER = (1.0, 100.0)


@final
@dataclass(frozen=True, eq=False)
class StepContacts:
    """The m contacts in the middle of a step.

    ``who`` (m, 2): bodies; walls are numbered after them. ``frame`` (m, 3, 3): normal, from the second to the first, and two tangents as
    rows. ``place`` (m, 3), ``gap`` (m,) [m]. ``impulses`` (m, 3) [N s] along the frame.

    ``touch`` [m]: gaps below this count as zero. ``moved`` [m]: how far bodies were moved out of penetration; the gaps are those
    afterwards. ``residual`` and ``residual_work`` [J] as in `ContactSolver`, for impulses that were found without a warm start.
    """

    who: np.ndarray
    frame: np.ndarray
    place: np.ndarray
    gap: np.ndarray
    impulses: np.ndarray
    touch: float
    moved: float
    residual: float
    residual_work: float

    def __len__(self) -> int:
        return len(self.gap)


def closed_contacts(model: Model, state: np.ndarray, within: float) -> StepContacts:
    """The contacts at a state (q, v) at which bodies touch, or whose gaps are below ``within`` [m]; without impulses."""
    work = free_bodies_work(free_bodies_of(model), state)
    who, frame, place, gap, impulses = work.last_contacts(work.closed_contacts(within))
    return StepContacts(who, frame, place, gap, np.zeros_like(impulses), work.touch, 0.0, 0.0, 0.0)


def contacts_of_step(
    model: Model, state: np.ndarray, duration: float, tolerance: float, impacts: int = PLAIN, swift: float = np.inf
) -> StepContacts | None:
    """The contacts of the step of ``duration`` [s] from a state (q, v); None if the impulses cannot be found without a warm start.
    ``impacts``, ``swift``: as in `contact.free_bodies.closings`."""
    for looser in LOOSER:
        work = free_bodies_work(free_bodies_of(model), state)
        status, _, report = work.steps(np.array([duration]), looser * tolerance, FREE_BODIES_SWEEPS, impacts, swift)
        if status == codes.DONE:
            last = report[0]
            who, frame, place, gap, impulses = work.last_contacts(int(last[codes.COUNT]))
            moved, residual, residual_work = (float(last[k]) for k in (codes.MOVED, codes.RESIDUAL, codes.SPARE))
            return StepContacts(who, frame, place, gap, impulses, work.touch, moved, residual, residual_work)
    return None
