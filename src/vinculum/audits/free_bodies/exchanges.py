r"""Exchanges of free bodies in contact, step by step: weights and the recorded impulses of contacts.

A step of length d has its impulses P at places a, in the middle :math:`x_m = x^- + \tfrac d2 v^-` of its way, and with momenta p, L

.. math:: p^+ - p^- = d\,m g + \sum P,\qquad
    (x \times p + L)^+ - (x \times p + L)^- = d\,x_m \times m g + \sum a \times P + r \times p^+

where r is the way by which penetration is corrected. On the means of the velocities before and after, these do the work by which the
kinetic energy changes, up to :math:`\tfrac12 (L^- \cdot \omega^+ - L^+ \cdot \omega^-)` by inertia that turns with a body.
"""

from typing import NamedTuple

import numpy as np

from vinculum.audits.exchanges.by_type import Wrenches
from vinculum.audits.exchanges.stepped import BETWEEN, steps_at
from vinculum.audits.exchanges.window import BY_METHOD, Sums, Window
from vinculum.audits.free_bodies.energy import has_halved_steps
from vinculum.contact.free_bodies.observables import matrices
from vinculum.equations.observables.exchanges import GRAVITY, WIDTH
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.tolerances.round_off import POSITIONS_ROUND_OFF
from vinculum.tolerances.sizes import NUMBERS_OF_FIELDS


class Moving(NamedTuple):
    """Bodies at instants: mass centers x, velocities v, angular velocities w, momenta p = m v, and L = I w, (…, b, 3) each."""

    x: np.ndarray
    v: np.ndarray
    w: np.ndarray
    p: np.ndarray
    L: np.ndarray

    def motions(self, masses: np.ndarray) -> np.ndarray:
        """Momentum screws at the world's origin, kinetic energies, masses and mass centers (…, b, 11)."""
        kinetic = 0.5 * (self.p * self.v + self.L * self.w).sum(axis=-1, keepdims=True)
        mass = np.broadcast_to(masses[:, None], kinetic.shape)
        return np.concatenate([self.p, np.cross(self.x, self.p) + self.L, kinetic, mass, self.x], axis=-1)


class Pressing(NamedTuple):
    """Impulses P (C, 3) at ``places`` (C, 3) on the first of two shapes ``who`` (C, 2), at the instants with numbers ``when`` (C,)."""

    when: np.ndarray
    who: np.ndarray
    places: np.ndarray
    P: np.ndarray


def moving_bodies(record: Record, bodies: np.ndarray, states: np.ndarray) -> Moving:
    """Bodies (b,) at states (…, n)."""
    free_bodies = free_bodies_of(record.model)
    shape, nq = states.shape[:-1], record.model.nq
    q, u = (
        states[..., :nq].reshape(*shape, -1, 7)[..., bodies, :],
        states[..., nq:].reshape(*shape, -1, 6)[..., bodies, :],
    )
    R, center = matrices(q[..., 3:]), free_bodies.centers[bodies]
    w = np.einsum("...nij,...nj->...ni", R, u[..., 3:])
    v = np.einsum("...nij,...nj->...ni", R, u[..., :3] + np.cross(u[..., 3:], center))
    L = np.einsum("...nij,njk,...nk->...ni", R, free_bodies.inertias[bodies], u[..., 3:])
    x = q[..., :3] + np.einsum("...nij,nj->...ni", R, center)
    return Moving(x, v, w, free_bodies.masses[bodies, None] * v, L)


def knows_steps(record: Record) -> bool:
    """Whether the impulses of every step of a motion are recorded."""
    solver = record.contact_solver
    return solver is not None and solver.pressing is not None and has_halved_steps(record)


def mean_wrenches(record: Record, bodies: tuple[int, ...]) -> Wrenches:
    """Weights, and the forces of contacts from outside: impulses divided by the length of the step that an instant belongs to."""
    chosen, edges = np.array(bodies), np.asarray(record.pieces.times)[::2]
    steps = steps_at(edges, record.time, record.side)
    free_bodies, T = free_bodies_of(record.model), len(record.time)
    x = moving_bodies(record, chosen, record.pieces.state(record.time, side=record.side)).x
    weight = free_bodies.masses[chosen, None] * free_bodies.gravity
    found = Wrenches({}, {})
    if np.any(weight):
        on = np.concatenate([np.broadcast_to(weight, x.shape), np.cross(x, weight)], axis=2).sum(axis=1)
        found.on[GRAVITY], found.back[GRAVITY] = on, -on
    pressing = pressing_in(record, 0, len(edges) - 1)
    own = _sides(pressing, bodies, free_bodies.count)
    across = own[:, 0] != own[:, 1]
    sign = np.where(own[across, 0], 1.0, -1.0)[:, None]
    P = sign * pressing.P[across] / np.diff(edges)[pressing.when[across], None]
    wrench = np.zeros((len(edges) - 1, 6))
    np.add.at(wrench, pressing.when[across], np.concatenate([P, np.cross(pressing.places[across], P)], axis=1))
    on = wrench[steps] if T else np.zeros((0, 6))
    if np.any(on):
        (name,) = record.model.layout.contacts
        found.on[name], found.back[name] = on, -on
    return found


def pressing_in(record: Record, first: int, last: int) -> Pressing:
    """The recorded impulses of the steps from ``first`` to ``last``, the last one not included, with steps counted from the first."""
    assert record.contact_solver is not None and record.contact_solver.pressing is not None
    pressing = record.contact_solver.pressing
    some = slice(*np.searchsorted(pressing.contact_solver, [first, last]))
    rows = np.asarray(pressing.rows[some])
    return Pressing(rows[:, 0].astype(int) - first, rows[:, 1:3].astype(int), rows[:, 3:6], rows[:, 9:12])


def _sides(pressing: Pressing, bodies: tuple[int, ...], count: int) -> np.ndarray:
    """Which sides (C, 2) of contacts are among the bodies."""
    chosen = np.zeros(count + 1, dtype=bool)
    chosen[list(bodies)] = True
    return chosen[np.minimum(pressing.who, count)]


def summed_steps(record: Record, bodies: tuple[int, ...], window: Window) -> Sums:
    """What bodies exchange in the whole steps of a window, and by applied impulses."""
    found, edges = Sums(), np.asarray(record.pieces.times)[::2]
    masses = free_bodies_of(record.model).masses[list(bodies)]
    begin = record.pieces.state(np.array([window.begin]))
    found.note_sizes(moving_bodies(record, np.array(bodies), begin).motions(masses))
    first, last = (int(np.argmin(np.abs(edges - t))) for t in (window.begin, window.end))
    most = max(1, NUMBERS_OF_FIELDS // (26 * record.model.nq + 40 * len(bodies)))
    for k in range(first, last, most):
        _add_steps(found, record, bodies, k, min(k + most, last))
    _add_atoms(found, record, bodies, window)
    found.drop_rounded_corrections()
    return found


def _add_steps(found: Sums, record: Record, bodies: tuple[int, ...], first: int, last: int) -> None:
    """Add the steps from ``first`` to ``last``, the last one not included."""
    free_bodies, chosen = free_bodies_of(record.model), np.array(bodies)
    times = np.asarray(record.pieces.times)[2 * first : 2 * last + 1]
    d, half = (times[2::2] - times[:-1:2])[:, None, None], (times[2::2] - times[1::2])[:, None]
    c = np.asarray(record.pieces.coefficients[2 * first : 2 * last])
    ends = c[1::2, :, 0] + half * (c[1::2, :, 1] + half * c[1::2, :, 2])
    before, after = (moving_bodies(record, chosen, states) for states in (c[::2, :, 0], ends))
    masses = free_bodies.masses[chosen]
    found.note_sizes(after.motions(masses))
    found.steps += last - first
    middle, v, w = before.x + 0.5 * d * before.v, 0.5 * (before.v + after.v), 0.5 * (before.w + after.w)
    weight = d * masses[:, None] * free_bodies.gravity
    _add(
        found, GRAVITY, np.concatenate([weight, np.cross(middle, weight), (weight * v).sum(-1, keepdims=True)], axis=2)
    )
    _add_pressing(found, record, bodies, pressing_in(record, first, last), (middle, v, w))
    assert record.contact_solver is not None
    push = after.x - before.x - d * v
    real = np.linalg.norm(push, axis=2, keepdims=True)
    admitted = record.contact_solver.moved[first:last, None, None] + POSITIONS_ROUND_OFF * np.abs(after.x).max()
    push = np.where(real <= admitted, push, 0.0)
    turned = 0.5 * (before.L * after.w - after.L * before.w).sum(axis=2, keepdims=True)
    _add(found, BY_METHOD, np.concatenate([np.zeros_like(push), np.cross(push, after.p), turned], axis=2))


def _add_pressing(found: Sums, record: Record, bodies: tuple[int, ...], pressing: Pressing, at: tuple) -> None:
    """Add impulses of contacts: those from outside, and those between the bodies. ``at``: mass centers, velocities and angular velocities
    (instants, b, 3) on which they work."""
    x, v, w = at
    (name,), count = record.model.layout.contacts, free_bodies_of(record.model).count
    row = np.full(count, -1)
    row[list(bodies)] = np.arange(len(bodies))
    own = _sides(pressing, bodies, count)
    both = own.all(axis=1)
    for part, pairs in ((name, ~both), (BETWEEN.format(name), both)):
        for side, sign in ((0, 1.0), (1, -1.0)):
            among = own[:, side] & pairs
            k, b = pressing.when[among], row[pressing.who[among, side]]
            P, a = sign * pressing.P[among], pressing.places[among]
            work = (P * (v[k, b] + np.cross(w[k, b], a - x[k, b]))).sum(axis=1, keepdims=True)
            if len(P):
                _add(found, part, np.concatenate([P, np.cross(a, P), work], axis=1))
    if both.any():
        found.inside.add(BETWEEN.format(name))


def _add_atoms(found: Sums, record: Record, bodies: tuple[int, ...], window: Window) -> None:
    """Add applied impulses at instants of the window, and contacts that answer them. The state before one at the very beginning of a
    motion is not known."""
    atoms, chosen = record.atoms, np.array(bodies)
    if atoms is None or atoms.given is None or not len(atoms):
        return
    inside = window.holds(atoms.times) & (atoms.times > record.pieces.begin)
    states = [record.pieces.state(atoms.times, side=side) for side in ("left", "right")]
    left, right = (moving_bodies(record, chosen, one) for one in states)
    v, w = 0.5 * (left.v + right.v), 0.5 * (left.w + right.w)
    R = matrices(states[0][:, : record.model.nq].reshape(len(atoms), -1, 7)[:, chosen, 3:])
    given = atoms.given.reshape(len(atoms), -1, 6)[:, chosen]
    own = given[..., 3:] - np.cross(free_bodies_of(record.model).centers[chosen], given[..., :3])
    force, moment = (np.einsum("knij,knj->kni", R, one) for one in (given[..., :3], own))
    work = (force * v + moment * w).sum(axis=2, keepdims=True)
    exchanged = np.concatenate([force, np.cross(left.x, force) + moment, work], axis=2)
    for k in np.flatnonzero(inside):
        if np.any(exchanged[k]):
            _add(found, _named_impulse(record, float(atoms.times[k])), exchanged[k])
    met = atoms.meetings
    if met is not None and len(met):
        some = inside[met.atoms]
        P = np.einsum("ca,cak->ck", met.impulses[some], met.axes[some])
        pressing = Pressing(met.atoms[some], met.shapes[some], met.places[some], P)
        _add_pressing(found, record, bodies, pressing, (left.x, v, w))


def _named_impulse(record: Record, t: float) -> str:
    """The names of the applied impulses at an instant."""
    entries = record.model.layout.impulses.items()
    nearest = {name: min(abs(at - t) for at in entry.at) for name, entry in entries}
    least = min(nearest.values())
    return " and ".join(name for name, apart in nearest.items() if apart <= least)


def _add(found: Sums, name: str, exchanged: np.ndarray) -> None:
    """Add exchanges (…, 7) to a part."""
    rows = exchanged.reshape(-1, WIDTH)
    found.add(name, rows.sum(axis=0))
    found.gross += np.abs(rows).sum(axis=0)
