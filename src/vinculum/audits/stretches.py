"""Parts of a motion by one method each: smooth phases, and spans that were handed over to time stepping."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.impacts.seen_impacts import Impacts
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_solver import NUMBERS, ContactSolver
from vinculum.motion.method import time_stepping
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import JOINED, LEAST_STATE


def stretches(motion: Record) -> list[Record]:
    """The stretches of a motion in order. A motion by one method is a single stretch."""
    if not any(phase.stepped for phase in motion.phases):
        return [motion]
    ends = [*(phase.step for phase in motion.phases[1:]), len(motion.pieces)]
    lasting = [(phase, end) for phase, end in zip(motion.phases, ends, strict=True) if end > phase.step]
    groups: list[list] = []
    for phase, end in lasting:
        if not groups or phase.stepped or groups[-1][-1][0].stepped:
            groups.append([])
        groups[-1].append((phase, end))
    before = [0.0, *(group[0][0].stepped for group in groups[:-1])]
    return [
        _part(motion, [phase for phase, _ in group], group[-1][1], h, last=group is groups[-1])
        for group, h in zip(groups, before, strict=True)
    ]


def _part(motion: Record, phases: list, end: int, after: float, last: bool) -> Record:
    """A stretch of some phases until the step ``end``. ``after`` [s]: the time step of the previous stretch, zero if it had none."""
    first, h = phases[0].step, phases[0].stepped
    pieces = motion.pieces.part(first, end)
    inside = motion.time[(motion.time >= pieces.begin) & (motion.time <= pieces.end)]
    time = np.unique(np.concatenate([[pieces.begin], inside, [pieces.end]]))
    within = lambda t: (t >= pieces.begin) & ((t <= pieces.end) if last else (t < pieces.end))
    own = () if h else tuple(replace(one, step=one.step - first, after=after * (one is phases[0])) for one in phases)
    changes = tuple(replace(change, step=change.step - first) for change in motion.changes)
    contact_solver = (
        None
        if motion.contact_solver is None
        else _select_records(motion.contact_solver, within(motion.contact_solver.times))
    )
    atoms = None if motion.atoms is None else _within(motion.atoms, within(motion.atoms.times))
    return replace(motion, pieces=pieces, time=time, method=time_stepping(h) if h else motion.method, crossings=(), log=(), atoms=atoms,
                   changes=changes, phases=own, contact_solver=contact_solver)  # fmt: skip


def _within(atoms: Atoms, chosen: np.ndarray) -> Atoms:
    given = None if atoms.given is None else atoms.given[chosen]
    return Atoms(atoms.times[chosen], atoms.contact_impulses[chosen], given, None, atoms.durations[chosen])


def _select_records(contact_solver: ContactSolver, chosen: np.ndarray) -> ContactSolver:
    return ContactSolver(*(getattr(contact_solver, name)[chosen] for name in NUMBERS))


def joint_line(motion: Record, parts: list[tuple[Record, Impacts | None]]) -> Line:
    """Whether every stretch begins with the state in which the one before it ends."""
    nq, worst, when = motion.model.nq, 0.0, 0.0
    halves = slice(nq), slice(nq, None)
    sizes = [max(np.abs(x).max(initial=0.0), LEAST_STATE) for x in (motion.q, motion.v)]
    for (before, _), (after, hits) in pairwise(parts):
        t = np.array([after.pieces.begin])
        left, right = before.pieces.state(t, side="left")[0], after.pieces.state(t)[0]
        if hits is not None and len(hits) and hits.times[0] <= t[0]:
            right = hits.left[0]
        jump = max(
            float(np.abs(right - left)[part].max(initial=0.0)) / size for part, size in zip(halves, sizes, strict=True)
        )
        worst, when = max((worst, when), (jump, float(t[0])))
    count = sum(1 for phase in motion.phases if phase.stepped)
    reason = f"{count} span{'s' * (count > 1)} by time stepping, whose errors are removed at their ends"
    return Line("hand-overs", worst, JOINED, reason, f"at t = {when:.9g} s" if worst > JOINED else "")
