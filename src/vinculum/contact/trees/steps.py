"""Contacts between shapes in the steps of a tree; ``work`` is None if there are no shapes."""

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.contact.trees.arrays import FOUND, STATUS, TreeContacts
from vinculum.contact.trees.contacts import FINE, add_rows, find_contacts, mark, record, warm


def room_for_contacts(work: TreeContacts | None) -> int:
    """Largest number of triples of rows that contacts may take."""
    return 0 if work is None else 2 * len(work.found.gap)


@njit(nogil=True, cache=True)
def with_contacts(x, nq, h, work, b, rows, laws):
    """Find contacts and add their rows after the first b triples; returns the numbers of triples and of contacts, −1 if they do not fit."""
    if work is None:
        return b, 0
    count = find_contacts(x, nq, h, work)
    work.counts[FOUND] = count
    if work.counts[STATUS] != FINE:
        return b, -1
    return add_rows(count, b, work, rows, laws), count


@njit(nogil=True, cache=True)
def count_contacts(work):
    """Number of contacts between shapes that were found last."""
    if work is None:
        return 0
    return work.counts[FOUND]


@njit(nogil=True, cache=True)
def renew_contacts(x, work, b, rows, laws):
    """Recompute the rows of the same contacts for the positions in x, since impulses have moved the middle of the step."""
    if work is not None:
        run_lanes(work.tape, x, work.out)
        add_rows(work.counts[FOUND], b, work, rows, laws)


@njit(nogil=True, cache=True)
def warm_start(count, work, mu, triple, P):
    """Write the last impulses of the same contacts as a warm start; returns the number of contacts."""
    if work is None:
        return 0
    warm(count, work, mu, triple, P)
    return count


@njit(nogil=True, cache=True)
def record_contacts(step, count, work, mu, triple, active, P):
    """Record every active contact; returns whether they fit."""
    if work is None:
        return True
    return record(step, count, work, mu, triple, active, P)


@njit(nogil=True, cache=True)
def mark_pressing(count, work, triple, active, P):
    """Mark the recomputed contacts whose bodies are in active contact in this step; returns the number of contacts."""
    if work is None:
        return 0
    mark(count, work, triple, active, P)
    return count
