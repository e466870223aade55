"""Impacts of their own in steps of free bodies: fast approaches, which a run may locate within a step.

A step is cut into one that ends shortly before the impact, a short one with the impact in its middle, and the rest. All are ordinary steps;
only contacts that are to be hit later are withheld from them.
"""

import numpy as np

from vinculum.collision.arrays import Contacts
from vinculum.compile.kernels import njit
from vinculum.contact.free_bodies.contacts import find_contacts, separation_speed
from vinculum.contact.free_bodies.flights import place_shapes
from vinculum.tolerances.time_stepping import WITHHELD_SPEED

PLAIN, WATCHED, WITHHELD, STRUCK = 0, 1, 2, 3
"""Impacts in steps: in the middle of the step; the run stops before the step in which a gap may close; contacts with fast approaches are
left out; those that close within the step itself are hit, and other fast ones left out."""


@njit(nogil=True, cache=True, error_model="numpy")
def closes_soon(problem, gap, step, law, V):
    """Whether a gap that closes fast may close within the step."""
    for c in range(problem.m):
        approach = _approach(problem, step, V, c)
        if approach < -law.swift and gap[c] < -step.d * approach:
            return True
    return False


@njit(nogil=True, cache=True, error_model="numpy")
def let_pass(problem, gap, step, law, V):
    """Let fast contacts be no penetration: a step in which they close is cut before, and taken as a whole only to see where."""
    for c in range(problem.m):
        if gap[c] < 0.0 and _approach(problem, step, V, c) < -law.swift:
            gap[c] = 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def withhold(problem, gap, step, law, V):
    """Write targets that leave out fast contacts which are not hit in the middle of this step."""
    for c in range(problem.m):
        approach = _approach(problem, step, V, c)
        if approach < -law.swift:
            problem.targets[c] = target_of_withheld(problem.targets[c], gap[c], approach, step.d, law)


@njit(nogil=True, cache=True, error_model="numpy")
def target_of_withheld(target, gap, approach, d, law):
    """The target of a contact with a fast approach; ``target``: that without located impacts."""
    if law.impacts == WITHHELD:
        return WITHHELD_SPEED * approach
    if gap > law.touch and not gap + d * approach < 0.0:
        return -gap / d
    return target


@njit(nogil=True, cache=True, error_model="numpy")
def _approach(problem, step, V, c):
    """The separation velocity of a contact in the middle of a step, for the velocities V at its end without impulses."""
    who, n = problem.rows.who[c], problem.rows.frame[c, 0]
    i, j, g = who[0], who[1], step.gravity
    u = separation_speed(V, i, j, n, problem.rows.wide, c)
    return u if j < len(problem.pace.before) else u - 0.5 * step.d * (g[0] * n[0] + g[1] * n[1] + g[2] * n[2])


@njit(nogil=True, cache=True, error_model="numpy")
def find_ahead(d, work):
    """Numbers of near pairs and of contacts of bodies at their present positions that may close within d [s] with the velocities V."""
    state, flight = work.state, work.flight
    place_shapes(work.is_round, state.x, state.Q, work.shapes, work.mounting, work.inertia, flight)
    return find_contacts(d, work.shapes, None, work.entry, flight.V, work.pairs, work.counts, len(work.contacts.gap))


def separation_speeds(contacts: Contacts, m: int, x: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Separation velocities (m,) at the first m contacts, for mass centers x (n, 3) and velocities V (n, 8)."""
    (first, second), place, n = contacts.who[:m].T, contacts.place[:m], contacts.frame[:m, 0]
    one, other = (V[k, :3] + np.cross(V[k, 4:7], place - x[k]) for k in (first, second))
    return np.einsum("ck,ck->c", n, one - other)
