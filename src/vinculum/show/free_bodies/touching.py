"""Active contacts of free bodies at instants."""

import numpy as np

from vinculum.motion.record import Record
from vinculum.show.drawing.contacts import check_count, numbers_between, touching_of
from vinculum.show.scene import Touching


def pressing_contacts(motion: Record, time: np.ndarray) -> Touching | None:
    """Contacts of the steps in which the instants lie, with their mean forces there."""
    solver = motion.contact_solver
    if solver is None or solver.pressing is None or not len(solver) or not len(solver.pressing):
        return None
    rows = (
        solver.pressing.split(len(motion.model.layout.shapes))[0]
        if motion.model.layout.unilaterals
        else solver.pressing
    )
    if not len(rows):
        return None
    which = rows.contact_solver
    begins = np.searchsorted(which, np.arange(len(solver) + 1))
    step = np.clip(np.searchsorted(solver.times, time, side="right") - 1, 0, len(solver) - 1)
    counts = begins[step + 1] - begins[step]
    check_count(int(counts.sum()))
    span = motion.method.step or (np.median(np.diff(solver.times)) if len(solver) > 1 else 1.0)
    chosen = [numbers_between(begins, k) for k in step]
    return touching_of(chosen, rows.places, rows.impulses / span)
