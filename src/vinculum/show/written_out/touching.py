"""Active contacts between shapes of a tree at instants."""

import numpy as np

from vinculum.motion.record import Record
from vinculum.show.drawing.contacts import check_count, numbers_between, touching_of
from vinculum.show.scene import Touching


def met_shapes(motion: Record, time: np.ndarray) -> Touching | None:
    """Contacts of the steps in which the instants lie, with their mean forces there; impacts at single instants are not among them."""
    atoms = motion.atoms
    if atoms is None or atoms.meetings is None or not len(atoms.meetings):
        return None
    met, spans = atoms.meetings, atoms.durations
    last = np.searchsorted(atoms.times, time, side="right") - 1
    begins = np.searchsorted(met.atoms, np.arange(len(atoms) + 1))
    chosen = []
    for t, k in zip(time, last, strict=True):
        near = k >= 0 and spans[k] > 0.0 and t - atoms.times[k] <= 1.5 * spans[k]
        chosen.append(numbers_between(begins, k) if near else np.zeros(0, dtype=int))
    check_count(sum(map(len, chosen)))
    force = np.einsum("ci,cij->cj", met.impulses, met.axes)
    lengths = spans[met.atoms][:, None]
    return touching_of(chosen, met.places, np.divide(force, lengths, out=np.zeros_like(force), where=lengths > 0.0))
