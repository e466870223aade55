"""The smooth phases of a motion with contact, each with its model, in which closed gaps are bilateral constraints."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from vinculum.audits.certificate import SEVERITY, Line
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model import Model
from vinculum.motion.chart_changes import stretch_of
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.time import END_OF_PHASE, NO_DURATION


def phases(motion: Record) -> list[tuple[int, Record]]:
    """The smooth phases of a motion, each with the number of its first piece. A motion without phases is a single phase."""
    if not motion.phases:
        return [(0, motion)]
    ends = [*(phase.step for phase in motion.phases[1:]), len(motion.pieces)]
    firsts = [phase.step for phase, end in zip(motion.phases, ends, strict=True) if end > phase.step]
    return list(zip(firsts, motion.in_phases(), strict=True))


def smooth_parts(motion: Record) -> list[Record]:
    """The phases of a motion, each cut shortly before its end. Those that last a few units of the clock have no instants inside."""
    if not motion.phases:
        return [motion]
    unit = NO_DURATION * max(abs(motion.pieces.begin), abs(motion.pieces.end))
    lasting = [part for _, part in phases(motion) if part.pieces.end - part.pieces.begin > unit]
    return [_before_its_end(part) for part in lasting or [part for _, part in phases(motion)]]


def worst_lines(parts: list[Record], lines_of: Callable[[Record], list[Line]]) -> list[Line]:
    """The worst line of each law over all phases."""
    return worst_of(map(lines_of, parts))


def worst_of(lists: Iterable[list[Line]]) -> list[Line]:
    """The worst line of each law."""
    found: dict[str, Line] = {}
    for line in (line for lines in lists for line in lines):
        known = found.get(line.law)
        found[line.law] = line if known is None or _badness(line) > _badness(known) else known
    return list(found.values())


def _before_its_end(part: Record) -> Record:
    """A phase, cut shortly before its end: where a slip comes to rest, friction has no direction."""
    times = np.asarray(part.pieces.times)
    end = times[-1] - END_OF_PHASE * (times[-1] - times[0])
    count = max(1, int(np.searchsorted(times, end)))
    pieces = replace(part.pieces, times=np.append(times[:count], end), coefficients=part.pieces.coefficients[:count])
    return replace(part, pieces=pieces, time=np.unique(np.minimum(part.time, end)))


def reaction_forces(motion: Record, piece: np.ndarray, time: np.ndarray, states: np.ndarray) -> np.ndarray:
    r"""Reactions (T, nv) of closed unilateral constraints as generalized forces, including the reactions of other bonds to them.

    .. math:: M\,(\dot v_{closed} - \dot v_{open})

    ``piece``: the numbers of the pieces that give the states. The result is zero where nothing is closed.
    """
    force = np.zeros((len(time), motion.model.nv))
    if not motion.phases:
        return force
    parts = phases(motion)
    which = np.searchsorted([first for first, _ in parts], piece, side="right") - 1
    stretch = stretch_of(motion.changes, piece)
    closed = {phase.step: phase.closed for phase in motion.phases}
    groups: dict[Model, list[tuple[Record, np.ndarray]]] = {}
    for k, (first, part) in enumerate(parts):
        rows = np.flatnonzero(which == k)
        if len(rows) and closed[first]:
            groups.setdefault(part.model, []).append((part, rows))
    for model, own in groups.items():
        rows = np.concatenate([rows for _, rows in own])
        inside = np.concatenate([tape_rows(part, time[rows], states[rows], stretch[rows]) for part, rows in own])
        outside = tape_rows(motion, time[rows], states[rows], stretch[rows])
        held = evaluate_groups(model.tape("motion"), inside, again=True)["v_dot"]
        free = evaluate_groups(motion.model.tape("motion"), outside, again=True)["v_dot"]
        flat = evaluate_groups(motion.model.tape("unilaterals"), outside, again=True)["mass_matrix"]
        M = flat.reshape(len(rows), motion.model.nv, motion.model.nv)
        force[rows] = np.einsum("tij,tj->ti", M, held - free)
    return force


def _badness(line: Line) -> tuple[int, float]:
    return SEVERITY.index(line.verdict), line.residual / max(line.tolerance, NEXT_TO_ZERO)
