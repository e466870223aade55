"""Contacts between shapes in the steps of a tree, or none where no shapes meet: then ``work`` is None."""

from numba import njit

from vinculum.compile.calls import run_lanes
from vinculum.contact.trees.contacts import FINE, STATUS, add_rows, found_contacts, pressing, recorded, warm


@njit(nogil=True, cache=True)
def room_for_contacts(work):
    """How many triples of rows contacts may take."""
    if work is None:
        return 0
    return 2 * len(work[4][3])


@njit(nogil=True, cache=True)
def with_contacts(shapes, x, nq, h, work, b, gap, drift, H, kinds, ratios, axes, triple):
    """The number of triples of rows after those of contacts are added to the first b, and of contacts; that is −1 without room for all."""
    if work is None:
        return b, 0
    count = found_contacts(shapes, x, nq, h, work)
    if work[8][STATUS] != FINE:
        return b, -1
    return add_rows(count, b, work, gap, drift, H, kinds, ratios, axes, triple), count


@njit(nogil=True, cache=True)
def moved_contacts(shapes, x, count, work, b, gap, drift, H, kinds, ratios, axes, triple):
    """Write the rows of the same contacts anew for the places in x, to which impulses have moved the middle of the step."""
    if work is not None:
        run_lanes(shapes, x, work[0])
        add_rows(count, b, work, gap, drift, H, kinds, ratios, axes, triple)


@njit(nogil=True, cache=True)
def warmed(count, work, mu, triple, P):
    """Write the last impulses of the same contacts as a beginning; how many there are."""
    if work is None:
        return 0
    warm(count, work, mu, triple, P)
    return count


@njit(nogil=True, cache=True)
def kept_in_mind(step, count, work, mu, triple, active, P):
    """Record every contact that presses; whether there was room."""
    if work is None:
        return True
    return recorded(step, count, work, mu, triple, active, P)


@njit(nogil=True, cache=True)
def pressed(count, work, triple, active, P):
    """Mark the contacts, found anew, whose bodies press on each other since this step; how many there are."""
    if work is None:
        return 0
    pressing(count, work, triple, active, P)
    return count
