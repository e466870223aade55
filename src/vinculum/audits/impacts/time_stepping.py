"""Known errors of time stepping: correction of penetration, and forces evaluated at one point of a step."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.impacts.seen_impacts import Geometry, Impacts, coordinate_rates, geometry, size_at_impacts
from vinculum.compile.evaluate import evaluate_groups
from vinculum.integrators.moreau.contacts import contacts_at
from vinculum.models.one_unit import weights_of
from vinculum.motion.method import MIDDLE
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.tolerances.rank import DEPENDENT_ROWS
from vinculum.tolerances.round_off import NEXT_TO_ZERO, POSITIONS_ROUND_OFF


@final
@dataclass(frozen=True, eq=False)
class Corrections:
    """Moves of the coordinates at the ends of steps with impulses.

    ``edges`` (E,): their numbers; ``left``, ``right``: states (E, n) on both sides; ``excess`` (E,): by how much each move exceeds the
    one that opens the gaps, or the one that the position of an atom in its step can explain.
    """

    edges: np.ndarray
    times: np.ndarray
    left: np.ndarray
    right: np.ndarray
    excess: np.ndarray


def corrections(motion: Record, found: Impacts) -> Corrections:
    """The moves of a motion; none for methods that make none.

    An atom is recorded in the middle of its step, and the impact is anywhere in it. So positions are off by at most h |v⁺ − v⁻|. Otherwise
    the move must be the smallest, in the kinetic metric, that opens the negative gaps, up to a factor of two.
    """
    nq, extent = motion.model.nq, size_at_impacts(found)
    edges = np.asarray(motion.pieces.times)
    places = np.searchsorted(edges, found.times)
    inner = np.flatnonzero((places + 1 < len(edges) - 1) & (found.step > 0.0))
    ends = places[inner] + 1
    left = horner(motion.pieces.coefficients_of(ends - 1), edges[ends] - edges[ends - 1])
    left = recorded_states(motion, edges[ends], left)
    right = motion.pieces.coefficients_of(ends)[:, :, 0].copy()
    right[:, nq:] = left[:, nq:]  # an impact may follow at the end of a step, after its move
    right[:, nq:] = recorded_states(motion, edges[ends], right)[:, nq:]  # bonds that were moved allow other velocities
    allowed, lengths = np.zeros(len(ends)), weights_of(motion.model.layout, extent)
    met = contacts_at(motion.model, tape_rows(motion, edges[ends], left)) if motion.model.shapes is not None else None
    for way in (
        found.step[inner, None] * found.jumps[inner],
        2.0 * _opening(geometry(motion, edges[ends], left, met), extent),
    ):
        moving = tape_rows(motion, edges[ends], np.concatenate([left[:, :nq], way], axis=1))
        path = evaluate_groups(motion.model.tape("rates"), moving)["q_dot"]
        allowed = np.maximum(allowed, np.abs(lengths * path).max(axis=1, initial=0.0))
    size = np.abs(lengths * (right[:, :nq] - left[:, :nq])).max(axis=1, initial=0.0)
    rounded = POSITIONS_ROUND_OFF * (extent + np.abs(lengths * left[:, :nq]).max(axis=1, initial=0.0))
    return Corrections(ends, edges[ends], left, right, np.maximum(size - allowed - rounded, 0.0))


def _opening(at: Geometry, size: float) -> np.ndarray:
    """The least displacement (K, nv) in the kinetic metric that brings negative gaps to zero, and closes no others: a block of a stack
    that is lifted lifts the next one."""
    every, chosen, move = at.jacobians[:, : 3 * at.gaps.shape[1] : 3], at.gaps < 0.0, np.zeros(at.mass.shape[:2])
    for _ in range(at.gaps.shape[1]):
        J = every * chosen[:, :, None]
        W = J @ at.mobility @ np.swapaxes(J, 1, 2)
        wanted = np.where(chosen, -at.gaps, 0.0)
        pressed = np.einsum("kab,kb->ka", np.linalg.pinv(W, rcond=DEPENDENT_ROWS, hermitian=True), wanted)
        move = np.einsum("kij,kaj,ka->ki", at.mobility, J, pressed)
        closed = chosen | (at.gaps + np.einsum("kai,ki->ka", every, move) < -POSITIONS_ROUND_OFF * size)
        if np.array_equal(closed, chosen):
            break
        chosen = closed
    return move


def unseen_changes(motion: Record, found: Impacts) -> np.ndarray:
    """Changes of velocities (2, K, nv) that time stepping omits in the halves of steps before and after their impulses. It evaluates the
    accelerations of a whole step at a mean of its velocities, at θ, and they differ on both sides of an impulse. What they would change
    across closed loops and constraints is not omitted, since states are put on these."""
    own = np.flatnonzero(found.step > 0.0)
    result = np.zeros((2, len(found), motion.model.nv))
    if len(own):
        theta, h = motion.method.theta or MIDDLE, found.step[own]
        taken = _accelerations(motion, found.times[own] + (theta - 0.5) * h,
                               found.first[own] + theta * (found.reached[own] - found.first[own]))  # fmt: skip
        for k, states in enumerate((found.left[own], found.right[own])):
            result[k, own] = 0.5 * h[:, None] * (_accelerations(motion, found.times[own], states) - taken)
        if motion.model.layout.gaps:
            result[:, own] = np.einsum("kij,xkj->xki", (found.here.mobility @ found.here.mass)[own], result[:, own])
    return result


def _accelerations(motion: Record, time: np.ndarray, states: np.ndarray) -> np.ndarray:
    rows = tape_rows(motion, time, motion.model.on_charts(states))
    return evaluate_groups(motion.model.tape("motion"), rows)["v_dot"]


def bent_halves(motion: Record, found: Impacts) -> np.ndarray:
    """Errors (2, K, nv) of the accelerations a on both sides of the impulses of steps as means over both halves of the steps: h/2 a minus
    the integral before, and the integral after minus h/2 a.

    These are h²/8 times the rates of change of the accelerations, by Simpson's rule. The first is the error of velocities at the impulse.
    The second minus the first is their error at the end of the step.
    """
    edges = np.asarray(motion.pieces.times)
    places = np.searchsorted(edges, found.times)
    own = np.flatnonzero((found.step > 0.0) & (places > 0) & (places < len(edges) - 1))
    result = np.zeros((2, len(found), motion.model.nv))
    if not len(own):
        return result
    for side, here in enumerate((2, 0)):
        pieces = places[own] - 1 + side
        coefficients = motion.pieces.coefficients_of(pieces)
        begin, length = edges[pieces], edges[pieces + 1] - edges[pieces]
        a = []
        for part in (0.0, 0.5, 1.0):
            states = recorded_states(motion, begin + part * length, horner(coefficients, part * length))
            a.append(_accelerations(motion, begin + part * length, states))
        missed = length[:, None] * (a[here] - (a[0] + 4.0 * a[1] + a[2]) / 6.0)
        result[side, own] = missed if side == 0 else -missed
    return result


def unseen_turns(motion: Record, found: Impacts) -> np.ndarray:
    r"""Errors of the coordinates (K, nq) of the same origin. A step uses q̇ = N v with one N, that of the middle between its ends, which
    differs from the position of the impulse by h (q̇⁺ − q̇⁻)/4.

    .. math:: \int (N(q(t)) - N(q_{1/2}))\, v\, dt = \tfrac{h^2}{8}\bigl(N'[\dot q^-]\, v^+ - N'[\dot q^+]\, v^-\bigr)
    """
    early, late = _turns(motion, found)
    return early - late


def bent_turns(motion: Record, found: Impacts) -> np.ndarray:
    """Errors of the coordinates (K, nq) in the middles of steps, at the impulses. At the ends only those of `unseen_turns` remain."""
    return _turns(motion, found)[1]


def _turns(motion: Record, found: Impacts) -> list[np.ndarray]:
    """h²/8 N'[q̇⁻] v⁺ and h²/8 N'[q̇⁺] v⁻: the change of rates along the path on one side of an impact, for velocities of the other."""
    nq, half, turns = motion.model.nq, 0.5 * found.step[:, None], []
    for one, other in ((found.left, found.right), (found.right, found.left)):
        q, v = found.left[:, :nq], other[:, nq:]
        moved = q + half * coordinate_rates(found, q, one[:, nq:])
        turns.append(0.5 * half * (coordinate_rates(found, moved, v) - coordinate_rates(found, q, v)))
    return turns


def time_stepping_lines(motion: Record, found: Impacts) -> list[Line]:
    """The known errors that the balances account for, and moves beyond what contact explains; no line for other methods."""
    if not np.any(found.step):
        return []
    moved, nq = corrections(motion, found), motion.model.nq
    lengths = weights_of(motion.model.layout, size_at_impacts(found))
    way = float(np.abs(lengths * (moved.right[:, :nq] - moved.left[:, :nq])).max(initial=0.0))
    scale = max(float(np.abs(lengths * moved.right[:, :nq]).max(initial=0.0)), np.finfo(float).tiny)
    worst = float(moved.excess.max(initial=0.0)) / scale
    detail = f"at t = {moved.times[int(np.argmax(moved.excess))]:.9g} s" if worst > 0.0 else ""
    unseen = np.abs(unseen_changes(motion, found).sum(axis=0)).max(initial=0.0) / max(
        np.abs(found.left[:, nq:]).max(), NEXT_TO_ZERO
    )
    reason = (
        f"order 1 in the step: positions moved by {way:.1e} to open gaps, velocities off by {unseen:.1e} in an impact"
    )
    return [Line("time stepping", worst, POSITIONS_ROUND_OFF, reason, detail)]
