"""Some free bodies in some steps: their path, their momenta in time stepping, and the impulses on them."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.contact.free_bodies.observables import matrices
from vinculum.integrators.free_bodies.flights import was_struck
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import PATHS_BENT
from vinculum.tolerances.round_off import POSITIONS_ROUND_OFF

NODES, WEIGHTS = np.polynomial.legendre.leggauss(6)
PLACES, SHARES = 0.5 + 0.5 * NODES, 0.5 * WEIGHTS
"""Gauss's rule on an interval of length one."""


@final
@dataclass(frozen=True, eq=False)
class FreeBodiesWindow:
    r"""Halves of s steps between ``edges`` (2 s + 1,) [s], for b bodies numbered ``bodies``, at g Gauss nodes in every half.

    ``time``, ``weights`` (2 s, g) [s]; ``x``, ``v`` (2 s, g, b, 3): mass centers and their velocities on the path; ``momenta``
    (2 s, g, b, 6): m v and I ω on the path; ``law`` (2 s, g, b, 6): the same momenta in time stepping. For a body with an impact, p(t) is
    p + (t − t_k) m g before the middle of a step, and after it the same backward from the end. For any other body it is linear. Steps do
    not resolve ω × I ω. Where the path differs from this by more than such steps may, ``law`` is the path's own. ``begin``, ``end``
    (s, b, 12): mass center, velocity, momenta at both ends of steps; ``jumps`` (s, b, 3) [m]: corrections of penetration in their middles,
    from ``middle`` on; ``impulses`` (s, b, 6): net impulses and moments of the contacts about mass centers; ``gross``: the sums of their
    sizes; ``hit`` (s, b): whether they are atoms in the middle; ``pressed`` (C, 12): the pressing contacts of these steps as in
    `PressingContacts`, steps counted from the first. ``turn``: a bound of the angle by which a body rotates in a step.
    """

    bodies: np.ndarray
    edges: np.ndarray
    time: np.ndarray
    weights: np.ndarray
    x: np.ndarray
    v: np.ndarray
    momenta: np.ndarray
    law: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    jumps: np.ndarray
    middle: np.ndarray
    impulses: np.ndarray
    gross: np.ndarray
    hit: np.ndarray
    pressed: np.ndarray
    turn: float


def window(motion: Record, owners: np.ndarray, first: int, last: int, bodies: np.ndarray) -> FreeBodiesWindow:
    """Steps ``first`` to ``last``, the last one not included, for bodies (b,). ``owners`` (C,): the steps of all pressing contacts."""
    free_bodies, contact_solver = free_bodies_of(motion.model), motion.contact_solver
    assert contact_solver is not None
    edges = np.asarray(motion.pieces.times)[2 * first : 2 * last + 1]
    columns = np.concatenate(
        [(7 * bodies[:, None] + np.arange(7)).ravel(), (motion.model.nq + 6 * bodies[:, None] + np.arange(6)).ravel()]
    )
    c = np.asarray(motion.pieces.coefficients[2 * first : 2 * last])[:, columns]
    h = np.diff(edges)
    at = np.concatenate([[0.0], PLACES, [1.0]])[None] * h[:, None]
    states = c[:, None, :, 0] + at[:, :, None] * (c[:, None, :, 1] + at[:, :, None] * c[:, None, :, 2])
    seen = positions_and_momenta(motion, bodies, states)
    begin, end = seen[::2, 0], seen[1::2, -1]
    x, v, momenta = seen[:, 1:-1, :, :3], seen[:, 1:-1, :, 3:6], seen[:, 1:-1, :, 6:]
    d = (edges[2::2] - edges[:-1:2])[:, None, None]
    hit = was_struck(free_bodies, (end[..., 3:6] - begin[..., 3:6]) / d)[..., 0]
    time = edges[:-1, None] + at[:, 1:-1]
    law = _law(motion, bodies, time, edges, begin, end, hit)
    off = np.linalg.norm((momenta - law).reshape(*momenta.shape[:-1], 2, 3), axis=-1)
    turn = _turn(motion, bodies, d, begin, end)
    near = np.all(off <= _largest_deviation(motion, bodies, turn, begin, end), axis=-1, keepdims=True)
    law = np.where(near, law, momenta)
    jumps = seen[1::2, 0, :, :3] - seen[::2, -1, :, :3]
    moved = contact_solver.moved[first:last, None, None] + POSITIONS_ROUND_OFF * np.abs(x).max(initial=0.0)
    jumps = np.where(np.linalg.norm(jumps, axis=-1, keepdims=True) <= moved, jumps, 0.0)
    assert contact_solver.pressing is not None
    pressed = np.array(contact_solver.pressing.rows[slice(*np.searchsorted(owners, [first, last]))])
    pressed[:, 0] -= first
    net, gross = _net(bodies, pressed, begin[..., :3] + 0.5 * d * begin[..., 3:6])
    weights = h[:, None] * SHARES
    middle = seen[::2, -1, :, :3]
    largest = float(turn.max(initial=0.0))
    return FreeBodiesWindow(
        bodies, edges, time, weights, x, v, momenta, law, begin, end, jumps, middle, net, gross, hit, pressed, largest
    )


def positions_and_momenta(motion: Record, bodies: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Mass centers, velocities, m v and I ω in world axes (…, b, 12) of states (…, 13 b)."""
    free_bodies = free_bodies_of(motion.model)
    b, shape = len(bodies), states.shape[:-1]
    q, u = states[..., : 7 * b].reshape(*shape, b, 7), states[..., 7 * b :].reshape(*shape, b, 6)
    R, center = matrices(q[..., 3:]), free_bodies.centers[bodies]
    x = q[..., :3] + np.einsum("...nij,nj->...ni", R, center)
    v = np.einsum("...nij,...nj->...ni", R, u[..., :3] + np.cross(u[..., 3:], center))
    spin = np.einsum("...nij,njk,...nk->...ni", R, free_bodies.inertias[bodies], u[..., 3:])
    return np.concatenate([x, v, free_bodies.masses[bodies, None] * v, spin], axis=-1)


def _law(motion: Record, bodies, time, edges, begin, end, hit) -> np.ndarray:
    """Momenta (2 s, g, b, 6) of time stepping at instants (2 s, g)."""
    free_bodies = free_bodies_of(motion.model)
    weight = np.concatenate(
        [free_bodies.masses[bodies, None] * free_bodies.gravity, np.zeros((len(bodies), 3))], axis=1
    )
    twice = np.arange(len(time)) // 2
    since = (time - edges[2 * twice, None])[..., None, None]
    d = (edges[2 * twice + 2] - edges[2 * twice])[:, None, None, None]
    before, after = begin[twice, None, :, 6:], end[twice, None, :, 6:]
    second = (np.arange(len(time)) % 2 == 1)[:, None, None, None]
    falling = np.where(second, after - (d - since) * weight, before + since * weight)
    return np.where(hit[twice, None, :, None], falling, before + since / d * (after - before))


def _turn(motion: Record, bodies, d, begin, end) -> np.ndarray:
    """Bounds (s, b) of the angles by which bodies rotate in steps."""
    free_bodies = free_bodies_of(motion.model)
    least = np.linalg.eigvalsh(free_bodies.inertias[bodies])[:, 0]
    return d[..., 0] * np.maximum(*(np.linalg.norm(one[..., 9:], axis=-1) for one in (begin, end))) / least


def _largest_deviation(motion: Record, bodies, turn, begin, end) -> np.ndarray:
    """Largest deviation (2 s, 1, b, 2) of momenta from the law within a step: by rotation of the axes of velocities, and by ω × I ω."""
    free_bodies = free_bodies_of(motion.model)
    moments = np.linalg.eigvalsh(free_bodies.inertias[bodies])
    least, most = moments[:, 0], moments[:, -1]
    p, L = (
        np.maximum(*(np.linalg.norm(one[..., part], axis=-1) for one in (begin, end)))
        for part in (slice(6, 9), slice(9, 12))
    )
    arm = free_bodies.masses[bodies] * np.linalg.norm(free_bodies.centers[bodies], axis=1) * L / least
    changed = np.linalg.norm((end - begin)[..., 6:9], axis=-1)
    limits = np.stack([((p + arm) * turn + changed) * turn, L * turn * ((most - least) / least + turn)], axis=-1)
    rounded = POSITIONS_ROUND_OFF * np.stack([p + arm, L], axis=-1)
    return np.repeat(PATHS_BENT * limits + rounded, 2, axis=0)[:, None]


def _net(bodies: np.ndarray, pressed: np.ndarray, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Net impulses and moments (s, b, 6) of contacts (C, 12) about mass centers X (s, b, 3) in the middles of steps, and sums of sizes."""
    net, gross = np.zeros((*X.shape[:2], 6)), np.zeros((*X.shape[:2], 6))
    step, who, place, P = pressed[:, 0].astype(int), pressed[:, 1:3], pressed[:, 3:6], pressed[:, 9:]
    for b, body in enumerate(bodies):
        for side, sign in ((0, 1.0), (1, -1.0)):
            mine = np.flatnonzero(who[:, side] == body)
            arm = place[mine] - X[step[mine], b]
            one = np.concatenate([P[mine], np.cross(arm, P[mine])], axis=1)
            np.add.at(net[:, b], step[mine], sign * one)
            np.add.at(gross[:, b], step[mine], np.abs(one))
    return net, gross
