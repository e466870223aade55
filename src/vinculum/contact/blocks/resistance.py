"""Moments that resist rolling and spinning at contacts between blocks: their triples, and their records."""

from vinculum.collision.meeting import law_between
from vinculum.compile.kernels import njit
from vinculum.tolerances.sizes import FREE_BODIES_RECORD


@njit(nogil=True, cache=True, error_model="numpy")
def write_resistance(m, contacts, meeting, resistance):
    """Write the triples of moments after m contacts; returns the number of rows with them."""
    total = m
    for c in range(m):
        resistance.partner[c], resistance.arm[c] = -1, 0.0
    for c in range(m):
        if contacts.who[c, 0] >= len(meeting.groups):
            continue
        law = law_between(meeting, contacts.who[c, 0], contacts.who[c, 1])
        spinning, rolling = meeting.laws[law, 2], meeting.laws[law, 3]
        arm = max(spinning, rolling)
        if arm > 0.0:
            resistance.partner[total], resistance.arm[total] = c, arm
            resistance.limits[total, 0], resistance.limits[total, 1] = spinning / arm, rolling / arm
            total += 1
    return total


@njit(nogil=True, cache=True, error_model="numpy")
def record_moments(m, total, first, contacts, P, resistance, pressed):
    """Write the moments of contacts, in world axes, after what is recorded of these from row ``first`` on. P: impulses of all rows."""
    row, triple = first, m
    for c in range(m):
        while triple < total and resistance.partner[triple] < c:
            triple += 1
        if P[c, 0] > 0.0:
            for k in range(3):
                pressed[row, FREE_BODIES_RECORD + k] = 0.0
            if triple < total and resistance.partner[triple] == c:
                n, arm = contacts.frame[c], resistance.arm[triple]
                for k in range(3):
                    about = P[triple, 0] * n[0, k] + P[triple, 1] * n[1, k] + P[triple, 2] * n[2, k]
                    pressed[row, FREE_BODIES_RECORD + k] = arm * about
            row += 1
