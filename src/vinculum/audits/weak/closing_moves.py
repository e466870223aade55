"""Small leaps of an event-driven motion: onto gaps that closed together up to round-off, and of slips to their rest."""

from collections.abc import Iterator

import numpy as np

from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import RESTARTED


def closing_moves(motion: Record) -> np.ndarray:
    """Instants at which coordinates jump at the beginning of a phase, by no more than `RESTARTED` of the coordinates, as in the balances.

    An angle that closes a gap changes by the gap over its lever arm, which is more than the gap. Larger jumps are not due to the method
    and remain in the weak form.
    """
    nq = motion.model.nq
    return np.array([t for t, before, after in _phase_begins(motion) if _is_jump(before[:nq], after[:nq], 1.0)])


def stopped_slips(motion: Record) -> np.ndarray:
    """Instants without an impact at which velocities jump at the beginning of a phase, by no more than `RESTARTED` of them.

    A slip that comes to rest is as slow as counts for none, and the phase in which it sticks begins with none.
    """
    nq, hit = motion.model.nq, np.zeros(0) if motion.atoms is None else motion.atoms.times
    return np.array([
        t for t, before, after in _phase_begins(motion) if t not in hit and _is_jump(before[nq:], after[nq:], 0.0)
    ])  # fmt: skip


def _phase_begins(motion: Record) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Instants at which phases begin within the motion, and the states on both sides."""
    edges = np.asarray(motion.pieces.times)
    begins = np.unique([phase.begin for phase in motion.phases])
    places = np.searchsorted(edges, begins)
    inner = (places > 0) & (places < len(edges) - 1)
    for k in places[inner & (edges[np.minimum(places, len(edges) - 1)] == begins)]:
        last = np.asarray(motion.pieces.coefficients[k - 1])[None]
        yield (
            float(edges[k]),
            horner(last, edges[k : k + 1] - edges[k - 1])[0],
            np.asarray(motion.pieces.coefficients[k])[:, 0],
        )


def _is_jump(before: np.ndarray, after: np.ndarray, least: float) -> bool:
    """Whether numbers change, and by little beside them or beside ``least``."""
    size = max(least, float(np.abs(before).max(initial=0.0)))
    return 0.0 < float(np.abs(after - before).max(initial=0.0)) <= RESTARTED * size
