"""Small displacements of an event-driven motion onto gaps that closed together up to round-off."""

import numpy as np

from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.tolerances.event_driven import TOUCHING


def closing_moves(motion: Record) -> np.ndarray:
    """Instants at which coordinates jump at the beginning of a phase, by no more than a closed gap, relative to the
    coordinates.

    Other jumps are not due to the method and remain in the weak form.
    """
    edges, nq = np.asarray(motion.pieces.times), motion.model.nq
    begins = np.unique([phase.begin for phase in motion.phases])
    places = np.searchsorted(edges, begins)
    inner = (places > 0) & (places < len(edges) - 1)
    found = []
    for k in places[inner & (edges[np.minimum(places, len(edges) - 1)] == begins)]:
        before = horner(np.asarray(motion.pieces.coefficients[k - 1])[None], edges[k : k + 1] - edges[k - 1])[0, :nq]
        leap = np.abs(np.asarray(motion.pieces.coefficients[k])[:nq, 0] - before).max(initial=0.0)
        if 0.0 < leap <= TOUCHING * max(1.0, float(np.abs(before).max(initial=0.0))):
            found.append(edges[k])
    return np.array(found)
