"""Unilateral constraints on a motion: gaps, reactions at closed gaps, and the weak form."""

from functools import partial

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.contact.forces import contact_force_lines
from vinculum.audits.contact.trees import tree_contact_lines
from vinculum.audits.free_bodies.hits import hit_lines
from vinculum.audits.impacts.lines import impact_lines
from vinculum.audits.impacts.pressed_lately import gaps_left_open
from vinculum.audits.impacts.seen_impacts import TIME_STEPPING, Impacts
from vinculum.audits.impacts.time_stepping import time_stepping_lines
from vinculum.audits.scaling.scales import instant_limit
from vinculum.audits.weak.lines import weak_lines
from vinculum.audits.weak.rest import displacement_in_a_step
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.one_unit import size_of
from vinculum.motion.chart_changes import stretch_of
from vinculum.motion.impulses.dips import instants_of_dips
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, states_at, tape_rows
from vinculum.tolerances.certificates import GAPS_OPEN, NEAR_REST
from vinculum.tolerances.samples import INSTANTS_OF_REST, STEPS_OF_SLOW_CONTACT
from vinculum.tolerances.time_stepping import CLOSING

PLACES = np.linspace(0.0, 1.0, 5)
CONTROLLED = ("taylor", "series", "dop853")
"""Methods whose claims bound the error of every step, so that the weak form has a tolerance."""


def unilateral_lines(motion: Record, found: Impacts) -> list[Line]:
    """All lines of a motion with unilateral constraints, shapes that meet, or given impulses."""
    known = motion.method.claims.name in (*CONTROLLED, *TIME_STEPPING)
    weak = weak_lines(motion, found) if known else []
    if not motion.model.is_bounded:
        return [*impact_lines(found), *weak]
    own = []
    if motion.model.layout.unilaterals:
        gaps, time = gap_paths(motion)
        travel = 2.0 * _travel(gaps) if motion.method.claims.name in TIME_STEPPING else np.zeros_like(gaps[:, 0])
        size = _length(motion, gaps)
        own = [_open_line(motion, gaps, time, travel, size), *_closed_line(motion, found, travel, size)]
    return [*own, *tree_contact_lines(motion, found), *time_stepping_lines(motion, found), *hit_lines(motion, found), *impact_lines(found),
            *contact_force_lines(motion), *weak]  # fmt: skip


def gap_lines(motion: Record) -> list[Line]:
    """The line on gaps of a motion that knows no impulses, since it was computed without unilateral constraints."""
    gaps, time = gap_paths(motion)
    return [_open_line(motion, gaps, time, np.zeros_like(gaps[:, 0]), _length(motion, gaps))]


def gap_paths(motion: Record) -> tuple[np.ndarray, np.ndarray]:
    """Gaps (S, 6, m) of all unilateral constraints at the ends of every piece, at three instants between, and where the lowest of them is
    least between these; and the instants (S, 6)."""
    found, instants, number = [], [], 0
    for edges, coefficients in motion.pieces.blocks():
        time = edges[:-1, None] + np.diff(edges)[:, None] * PLACES
        which = np.arange(len(coefficients))
        some = partial(_gaps_at, motion, np.asarray(edges), coefficients, number)
        gaps = some(np.repeat(which, len(PLACES)), time.ravel()).reshape(len(coefficients), len(PLACES), -1)
        lowest = _least(some, edges, time, gaps)
        found.append(np.concatenate([gaps, some(which, lowest)[:, None]], axis=1))
        instants.append(np.column_stack([time, lowest]))
        number += len(coefficients)
    return np.concatenate(found), np.concatenate(instants)


def _gaps_at(
    motion: Record, edges: np.ndarray, coefficients, number: int, which: np.ndarray, time: np.ndarray
) -> np.ndarray:
    """Gaps (B, m) at instants (B,) in the pieces ``which`` (B,) of a block, whose first piece is that ``number``."""
    stretch = stretch_of(motion.changes, number + which)
    states = recorded_states(motion, time, horner(coefficients, time - edges[which], which), stretch)
    return evaluate_groups(motion.model.tape("distances"), tape_rows(motion, time, states, stretch))["gaps"]


def _least(some, edges: np.ndarray, time: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """Instants (S,) at which a gap dips lowest between the places of every piece; the ends of pieces where none dips."""
    inside = lambda t: np.clip(np.searchsorted(edges, t, side="right") - 1, 0, len(time) - 1)
    lasting = np.diff(edges) > 0.0
    first = np.asarray(edges)[1:].copy()
    if not lasting.any():
        return first
    flat = np.append(time[lasting][:, :-1].ravel(), time[lasting][-1, -1])
    known = np.concatenate([gaps[lasting][:, :-1].reshape(len(flat) - 1, -1), gaps[lasting][-1, -1:]])
    dips = instants_of_dips(lambda t: some(inside(t), t), flat, known, GAPS_OPEN * float(np.abs(known).max()))
    deep = some(inside(dips), dips).min(axis=1) if len(dips) else dips
    for k in np.argsort(-deep):
        first[inside(dips[k])] = dips[k]
    return first


def _travel(gaps: np.ndarray) -> np.ndarray:
    """The change of every gap in a piece and its neighbors, the largest over some pieces around each, (S, m).

    Time stepping may leave penetrations of this size: a body that has entered in one step may leave slowly after another unilateral
    constraint has turned it back.
    """
    low, high = gaps.min(axis=1), gaps.max(axis=1)
    near = _spread(high, 1, np.maximum) - _spread(low, 1, np.minimum)
    return _spread(near, STEPS_OF_SLOW_CONTACT, np.maximum)


def _spread(values: np.ndarray, reach: int, pick) -> np.ndarray:
    """The largest or smallest of each row (S, m) and its neighbors up to a distance."""
    result = values.copy()
    for k in range(1, reach + 1):
        result[k:] = pick(result[k:], values[:-k])
        result[:-k] = pick(result[:-k], values[k:])
    return result


def _length(motion: Record, gaps: np.ndarray) -> float:
    """Scale of lengths: the largest gap, coordinate that is a length, or arm at which rotations move contacts, or a fraction of the
    displacement that single forces would produce. Of a chain of links that lie on a floor all gaps are tiny, and its links are not."""
    held = NEAR_REST * displacement_in_a_step(motion)
    edges = np.asarray(motion.pieces.times)
    instants = edges[np.unique(np.linspace(0, len(edges) - 1, INSTANTS_OF_REST).astype(int))]
    states = states_at(motion, instants)
    found = evaluate_groups(motion.model.tape("unilaterals"), tape_rows(motion, instants, states))
    arms = found["jacobians"].reshape(len(instants), -1, motion.model.nv)[:, : 3 * gaps.shape[2]]
    size = size_of(motion.model.layout, motion.q, arms)
    return max(float(np.abs(gaps).max(initial=0.0)), size, held, np.finfo(float).tiny)


def _open_line(motion: Record, gaps, time, travel, size: float) -> Line:
    """g ≥ 0, in time stepping up to the change of a gap in two steps. Moreau, An expression of classical dynamics, Prop. 6.3."""
    depth = np.where(np.isfinite(gaps), np.maximum(-gaps, 0.0), np.inf)
    excess = np.maximum(depth - travel[:, None], 0.0) / size
    k, place, c = np.unravel_index(int(np.argmax(excess)), excess.shape)
    deepest = float(depth.max(initial=0.0))
    names = list(motion.model.layout.unilaterals)
    reason = f"deepest {deepest:.1e}" + (", at most the change in two steps" if travel.any() and deepest else "")
    detail = (
        f"'{names[c]}' at t = {time[k, place]:.9g} s" if excess[k, place, c] > instant_limit(motion, GAPS_OPEN) else ""
    )
    return Line("gaps g ≥ 0", float(excess[k, place, c]), instant_limit(motion, GAPS_OPEN), reason, detail)


def _closed_line(motion: Record, found: Impacts, travel, size: float) -> list[Line]:
    """P_N > 0 only where g = 0: complementarity of reactions and gaps. Moreau, An expression of classical dynamics, Prop. 6.2."""
    m = travel.shape[1]
    if not np.any(found.impulses[:, :m]):
        return []
    hit = found.impulses[:, :m].any(axis=2)
    pieces = np.clip(np.searchsorted(np.asarray(motion.pieces.times), found.times) - 1, 0, len(travel) - 1)
    allowed = np.maximum(travel[pieces], travel[np.minimum(pieces + 1, len(travel) - 1)])
    # a step predicts from the forces whether a gap closes, and the recorded gap does not show them
    forced = found.step[:, None] * found.gained
    allowed = allowed + np.maximum(forced, CLOSING * forced.max(axis=1, keepdims=True))
    allowed = allowed + gaps_left_open(found)[:, :m]
    apart = np.where(hit, np.maximum(np.abs(found.here.gaps[:, :m]) - allowed, 0.0), 0.0) / size
    k, c = np.unravel_index(int(np.argmax(apart)), apart.shape)
    names = list(motion.model.layout.unilaterals)
    detail = f"'{names[c]}' at t = {found.times[k]:.9g} s" if apart[k, c] > instant_limit(motion, GAPS_OPEN) else ""
    return [
        Line(
            "impulses at closed gaps",
            float(apart[k, c]),
            instant_limit(motion, GAPS_OPEN),
            "reactions only at g = 0",
            detail,
        )
    ]
