"""Contacts of the shapes of a tree on a motion: no penetration, and impulses only where shapes touch, recomputed from
the states.
"""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.impacts.contact_rows import shape_motions
from vinculum.audits.impacts.passages import passage_lines
from vinculum.audits.impacts.seen_impacts import Impacts
from vinculum.integrators.moreau.contacts import contacts_at
from vinculum.motion.impulses.meetings import Meetings
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.tolerances.certificates import GAPS_OPEN
from vinculum.tolerances.samples import INSTANTS_OF_SHAPES, STEPS_OF_SLOW_CONTACT


def tree_contact_lines(motion: Record, found: Impacts) -> list[Line]:
    """Lines for gaps between shapes at the ends and middles of steps, and for recorded contacts; none without shapes."""
    if motion.model.shapes is None:
        return []
    edges = np.asarray(motion.pieces.times)
    every = max(1, len(edges) // INSTANTS_OF_SHAPES)
    time = np.unique(np.concatenate([edges[::every], 0.5 * (edges[1:] + edges[:-1])[::every]]))
    rows = tape_rows(motion, time, motion.model.on_charts(recorded_states(motion, time, motion.pieces.state(time))))
    small = float(motion.model.shapes.reaches[: motion.model.shapes.moving].min())
    return [_open_line(motion, time, rows, small), *passage_lines(motion), *_meeting_lines(motion, found, small)]


def _open_line(motion: Record, time: np.ndarray, rows: np.ndarray, small: float) -> Line:
    """g ≥ 0 between shapes, up to the displacement of their points in two steps. Moreau, An expression of classical dynamics, Prop. 6.3."""
    met = contacts_at(motion.model, rows)
    if not len(met):
        return Line("gaps g ≥ 0 of shapes", 0.0, GAPS_OPEN, "no shape touches another")
    depth = np.zeros(len(time))
    np.maximum.at(depth, met.atoms, -met.gaps)
    own = 2.0 * (motion.method.step or 0.0) * _fastest(motion, rows)
    way = own.copy()
    for k in range(1, min(STEPS_OF_SLOW_CONTACT + 1, len(own))):
        way[k:] = np.maximum(way[k:], own[:-k])
        way[:-k] = np.maximum(way[:-k], own[k:])
    excess = np.maximum(depth - way, 0.0) / small
    k = int(np.argmax(excess))
    deepest = int(np.argmin(met.gaps))
    reason = f"deepest {max(0.0, -float(met.gaps[deepest])):.1e} m, {_names(motion, met, deepest)}"
    detail = f"at t = {time[k]:.9g} s" if excess[k] > GAPS_OPEN else ""
    return Line("gaps g ≥ 0 of shapes", float(excess[k]), GAPS_OPEN, reason, detail)


def _fastest(motion: Record, rows: np.ndarray) -> np.ndarray:
    """Upper bounds of the speeds of all points of the shapes at rows, (B,) [m/s]."""
    found = shape_motions(motion.model, rows)
    return (found.speeds + found.reaches * found.turns).max(axis=1)


def _meeting_lines(motion: Record, found: Impacts, small: float) -> list[Line]:
    """Impulses only where shapes touch: recorded positions, normals and gaps, compared with recomputed ones.

    A step computes its contacts at positions that differ from those of the motion by the order of h².
    """
    met = found.met
    if met is None or not len(met):
        return []
    rows = tape_rows(motion, found.times, motion.model.on_charts(found.left))
    again = contacts_at(motion.model, rows, float(found.step.max(initial=0.0)))
    near = _nearest(met, again)
    lost = near < 0
    theirs = Meetings(again.rows[near]) if len(again) else met
    way = (2.0 * found.step * np.maximum(_fastest(motion, rows), _fastest_after(motion, found)))[met.atoms]
    size = small + np.abs(met.places).max()
    apart = np.maximum(np.abs(theirs.gaps) - way, 0.0) / size
    moved = np.linalg.norm(theirs.places - met.places, axis=1) + small * np.linalg.norm(
        theirs.axes[:, 0] - met.axes[:, 0], axis=1
    )
    strayed = np.maximum(moved - way, 0.0) / size
    lines = []
    for law, excess, reason in (("impulses at closed gaps of shapes", apart, "reactions only at g = 0"),
                                ("contacts where shapes meet", strayed, "positions and normals recomputed from the states")):  # fmt: skip
        excess = np.where(lost, np.inf, excess)
        k = int(np.argmax(excess))
        where = f"{_names(motion, met, k)} at t = {found.times[met.atoms[k]]:.9g} s"
        lines.append(Line(law, float(excess[k]), GAPS_OPEN, reason, where if excess[k] > GAPS_OPEN else ""))
    return lines


def _fastest_after(motion: Record, found: Impacts) -> np.ndarray:
    return _fastest(motion, tape_rows(motion, found.times, motion.model.on_charts(found.right)))


def _nearest(met: Meetings, others: Meetings) -> np.ndarray:
    """For every contact the index of the nearest one among ``others`` with the same instant and shapes, (C,); −1 if there is none."""
    result = np.full(len(met), -1)
    starts = np.searchsorted(others.atoms, np.arange(met.atoms.max() + 2))
    which, places = others.shapes, others.places
    for k, (atom, pair, place) in enumerate(zip(met.atoms, met.shapes, met.places, strict=True)):
        own = np.arange(starts[atom], starts[atom + 1])
        own = own[np.all(which[own] == pair, axis=1)]
        if len(own):
            result[k] = own[np.argmin(np.linalg.norm(places[own] - place, axis=1))]
    return result


def _names(motion: Record, met: Meetings, k: int) -> str:
    one, other = (motion.model.layout.shapes[i] for i in met.shapes[k])
    return f"'{one}' and '{other}'"
