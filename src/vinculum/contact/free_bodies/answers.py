r"""What touching contacts answer to a change of velocities at an instant, such as that of an applied impulse.

.. math:: 0 \le P_N \perp u_N^+ + e\,\min(u_N^-, 0) \ge 0,\qquad u^+ = H (v + \Delta v + M^{-1} H^T P)

with friction as in steps, for u⁻ before the change. So a body that rests answers without restitution.
"""

from typing import NamedTuple

import numpy as np

from vinculum.collision.arrays import Contacts
from vinculum.contact.free_bodies.workspace import FreeBodiesWork
from vinculum.contact.sparse.arrays import ContactProblem, Iterate, Pace, Settings, Solver, Team
from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, solve
from vinculum.contact.sparse.general_rows import weigh_any
from vinculum.contact.sparse.impulses import replace_impulses
from vinculum.contact.sparse.partition import divide
from vinculum.contact.sparse.sphere_rows import weigh_round
from vinculum.tolerances.contact import HARDEST


class Answer(NamedTuple):
    """Velocities (n, 6) of the mass centers and angular velocities after an instant, in world axes; the contacts that answered, their
    impulses (m, 3) along their axes, and the residual of these."""

    velocities: np.ndarray
    contacts: Contacts
    impulses: np.ndarray
    residual: float


def answer(work: FreeBodiesWork, change: np.ndarray, within: float, settings: Settings) -> Answer:
    """The answer to a ``change`` (n, 6) of the velocities of all bodies. Gaps below ``within`` [m] are closed."""
    m, n, free_bodies = work.closed_contacts(within), work.free_bodies.count, work.free_bodies
    now = work.arrays()
    contacts, state, V, P = now.contacts, now.state, now.flight.V, now.P
    V[:], P[:m] = 0.0, 0.0
    V[:n, :3], V[:n, 4:7] = state.v, work.record()[:, 10:]
    now.targets[:m] = -free_bodies.e * np.minimum(_separations(contacts, m, state.x, V), 0.0)
    V[:n, :3] += change[:, :3]
    V[:n, 4:7] += change[:, 3:]
    least = HARDEST * float(np.linalg.norm(change[:, :3], axis=1).max(initial=0.0))
    problem = ContactProblem(m, now.is_round, now.rows, now.bodies, now.cones, now.targets, Pace(state.v, least))
    if now.is_round:
        weigh_round(m, now.rows, contacts.gap, now.shapes.reach, n, now.bodies)
    else:
        weigh_any(m, now.rows, contacts.place, state.x, now.flight.inverse, now.bodies.inverse_mass)
    divide(contacts, m, state.x, now.parts)
    free, iterate = V.copy(), Iterate(P, V)
    work.aim_finisher(problem, iterate, now.parts)
    team = Team(FIRST, ALONE, now.threads.board, now.threads.sums, now.parts)
    found = 0.0
    if m:
        found = solve(problem, iterate, Solver(team, settings, now.copies, now.finisher))[0]
        work.check_finisher()
        kept = P[:m].copy()
        V[:], P[:m] = free, 0.0
        replace_impulses(problem, iterate, kept)
    velocities = np.concatenate([V[:n, :3], V[:n, 4:7]], axis=1)
    return Answer(velocities, Contacts(*(part[:m].copy() for part in contacts)), P[:m].copy(), float(found))


def _separations(contacts: Contacts, m: int, x: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Normal velocities of separation (m,) at contacts of bodies with mass centers at x, for velocities V (n, 8)."""
    who, normal, place = contacts.who[:m], contacts.frame[:m, 0], contacts.place[:m]
    u = [V[i, :3] + np.cross(V[i, 4:7], place - x[i]) for i in who.T]
    return np.einsum("ck,ck->c", normal, u[0] - u[1])
