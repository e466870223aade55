"""Least slips: a phase in which a contact slides from rest begins with a tiny slip, which gives friction a direction."""

import numpy as np

from vinculum.audits.impacts.seen_impacts import Impacts
from vinculum.bonds.unilaterals import SLIDES, STICKS
from vinculum.models.one_unit import Scales
from vinculum.tolerances.event_driven import NUDGE
from vinculum.tolerances.rank import DEPENDENT_ROWS


def least_slips(found: Impacts) -> np.ndarray:
    """Changes of velocities (K, nv) that give such slips to phases that begin with an impact: the smallest ones in the kinetic metric that
    open nothing. Zero at other impacts."""
    motion, nq = found.motion, found.motion.model.nq
    changes, names = np.zeros((len(found), motion.model.nv)), found.laws.unilaterals
    most, speeds = 2.0 * NUDGE * speed_of_slips(found), found.speeds(found.right[:, nq:])
    for phase in motion.phases:
        at = np.flatnonzero(found.times == phase.begin)
        if not len(at) or phase.stepped:
            continue
        k, status = int(at[-1]), dict(phase.closed)
        u = speeds[k, : 3 * len(names)].reshape(-1, 3)
        slow = np.abs(u[:, 1:]).max(axis=1) <= most
        closed = [c for c, name in enumerate(names) if name in status]
        begun = [c for c in closed if status[names[c]] == SLIDES and found.laws.rough[k, c] and slow[c]]
        resting = [c for c in closed if status[names[c]] == STICKS]
        rows = np.array([3 * c for c in closed] + [3 * c + i for c in [*begun, *resting] for i in (1, 2)], dtype=int)
        if begun:
            slips = np.zeros(len(rows))
            first = len(closed)
            J, K = found.here.jacobians[k, rows], found.here.mobility[k]
            slips[first : first + 2 * len(begun)] = (u - _slow_slips(found, k, most))[begun, 1:].ravel()
            changes[k] = K @ (J.T @ np.linalg.lstsq(J @ K @ J.T, slips, rcond=DEPENDENT_ROWS)[0])
    return changes


def _slow_slips(found: Impacts, k: int, most: float) -> np.ndarray:
    """Speeds (m, 3) after the impulses of an impact alone, of contacts that slip by at most ``most`` [m/s]; zero for others. A slip that
    counts as none is not exactly zero."""
    nq, H = found.motion.model.nq, found.here.jacobians[k]
    reached = found.speeds(found.left[:, nq:])[k] + H @ (found.here.mobility[k] @ (H.T @ found.contact_impulses[k]))
    reached = reached[: 3 * len(found.laws.unilaterals)].reshape(-1, 3)
    return np.where(np.abs(reached[:, 1:]).max(axis=1, keepdims=True) <= most, reached, 0.0)


def speed_of_slips(found: Impacts) -> float:
    """The largest speed of a motion, of which its least slips are a fraction; that of the whole motion if this is a part of it."""
    motion, model = found.motion, found.motion.model
    nq, rows = model.nq, found.here.jacobians[:, : 3 * len(found.laws.turns)].reshape(-1, model.nv)
    v, q = np.concatenate([motion.v, found.left[:, nq:], found.right[:, nq:]]), found.left[:, :nq]
    rates = np.concatenate([found.slope, found.free])
    largest = [np.abs(x).max(axis=0, initial=0.0) for x in (q, v[:, : model.nv], rates)]
    scales = Scales(model.layout, motion.pieces.end - motion.pieces.begin)
    return max(found.speed_of_slips, scales.include(np.concatenate(largest[:2]), largest[2], rows)[1])
