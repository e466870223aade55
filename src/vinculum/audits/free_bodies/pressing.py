"""Recorded impulses of free bodies in contact: momenta change by them, and they lie in their cones."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.own_scales import rest_speed
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.motion.states import tape_groups
from vinculum.tolerances.certificates import CONE_EXCEEDED, MOMENTA_CHANGED, SWEPT
from vinculum.tolerances.contact import HARDEST
from vinculum.tolerances.round_off import FEW_ROUND_OFFS
from vinculum.tolerances.samples import STEPS_OF_PRESSING


def press_lines(motion: Record) -> list[Line]:
    r"""Lines for the recorded impulses P: changes of momenta in some steps of length d, and the friction cone; none without a record.

    .. math:: p(t + d) - p(t) = d\,m g + \sum P,\qquad P \cdot n \ge 0,\quad |P - (P \cdot n)\,n| \le \mu\,P \cdot n
    """
    free_bodies, contact_solver = free_bodies_of(motion.model), motion.contact_solver
    if (
        free_bodies is None
        or contact_solver is None
        or contact_solver.pressing is None
        or not len(contact_solver.pressing)
    ):
        return []
    times, pressing = np.asarray(motion.pieces.times), contact_solver.pressing
    owner, who, P, n = pressing.contact_solver, pressing.bodies, pressing.impulses, pressing.normals
    if not np.array_equal(times[1::2], contact_solver.times[: len(times) // 2]):
        return []
    normal = np.einsum("ck,ck->c", P, n)
    excess = np.maximum(np.linalg.norm(P - normal[:, None] * n, axis=1) - free_bodies.mu * normal, -normal)
    size = np.maximum(np.linalg.norm(P, axis=1), np.finfo(float).tiny)
    cone = Line(
        "impulses in the cone of friction", float((excess / size).max()), CONE_EXCEEDED, f"{len(P)} contacts that press"
    )
    chosen = np.unique(np.linspace(0, len(times) // 2 - 1, STEPS_OF_PRESSING).astype(int))
    begin, end = times[2 * chosen], times[2 * chosen + 2]
    before, after = (
        tape_groups(motion, "balance", t, motion.pieces.state(t, side=side))["momentum"].reshape(len(t), -1, 6)[..., :3]
        for t, side in ((begin, "right"), (end, "left"))
    )
    worst, at, pull, rest = 0.0, 0.0, float(np.linalg.norm(free_bodies.gravity)), rest_speed(motion)
    for k, step in enumerate(chosen):
        d = end[k] - begin[k]
        change, pushed = after[k] - before[k], d * free_bodies.masses[:, None] * free_bodies.gravity
        speed = np.linalg.norm(change / free_bodies.masses[:, None], axis=1)
        pace = free_bodies.masses * (max(d * pull, rest, HARDEST * speed.max()) + speed)
        mine, gross = slice(*np.searchsorted(owner, [step, step + 1])), np.zeros(free_bodies.count)
        for side, sign in ((0, 1.0), (1, -1.0)):
            moves = who[mine, side] < free_bodies.count
            np.add.at(pushed, who[mine, side][moves], sign * P[mine][moves])
            np.add.at(gross, who[mine, side][moves], np.abs(P[mine][moves]).max(axis=1))
        left = np.maximum(
            np.abs(change - pushed).max(axis=1) - SWEPT * gross - FEW_ROUND_OFFS * np.abs(before[k]).max(axis=1), 0.0
        )
        off = float((left / np.maximum(pace, np.finfo(float).tiny)).max())
        worst, at = max((worst, at), (off, float(contact_solver.times[step])))
    detail = f"at t = {at:.9g} s" if worst > MOMENTA_CHANGED else ""
    reason = f"of a body, relative to its own m (|g| h + |Δv|); {len(chosen)} steps"
    return [Line("momenta change by impulses of contacts", worst, MOMENTA_CHANGED, reason, detail), cone]
