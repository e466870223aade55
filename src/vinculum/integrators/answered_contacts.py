"""Contacts of shapes that answered at an instant, as they are recorded."""

import numpy as np

from vinculum.collision.arrays import Contacts
from vinculum.motion.impulses.meetings import Meetings
from vinculum.tolerances.event_driven import ANSWERS_WITHIN
from vinculum.tolerances.sizes import TREE_RECORD


def closed_within(pull: float, h: float) -> float:
    """The largest gap [m] of a contact that answers, where weights accelerate by ``pull`` [m/s²], for steps of length h [s]."""
    return ANSWERS_WITHIN * pull * h * h


def recorded_answer(contacts: Contacts, impulses: np.ndarray, moments: np.ndarray | None = None) -> Meetings:
    """Those of m contacts that have ``impulses`` (m, 3) along their axes, and ``moments`` (m, 3) about them."""
    own = np.flatnonzero(impulses[:, 0] > 0.0)
    rows = np.zeros((len(own), TREE_RECORD))
    rows[:, 1:3], rows[:, 3:6], rows[:, 15] = contacts.who[own], contacts.place[own], contacts.gap[own]
    rows[:, 6:15], rows[:, 16:19] = contacts.frame[own].reshape(-1, 9), impulses[own]
    if moments is not None:
        rows[:, 19:] = moments[own]
    return Meetings(rows)
