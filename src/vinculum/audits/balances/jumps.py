"""Jumps of balanced quantities at single instants, by impulses and by known errors of time stepping."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.balances.quantities import PARTS, first_coordinate, first_of_body, samples
from vinculum.audits.balances.sums import compensated_sums
from vinculum.audits.impacts.lines import in_place
from vinculum.audits.impacts.seen_impacts import Impacts, coordinate_rates
from vinculum.audits.impacts.time_stepping import bent_halves, bent_turns, corrections, unseen_changes, unseen_turns
from vinculum.motion.chart_changes import stretch_at
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states
from vinculum.tolerances.certificates import LEAST_STATE, RESTARTED, SAFETY
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.samples import SIGNS_OF_ROUND_OFF

Quantities = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Values (B, m) at instants (B,), states (B, n) and numbers of chart changes (B,)."""


@final
@dataclass(frozen=True, eq=False)
class Jumps:
    """Changes (E, m) of balanced quantities at ``edges`` (E,) in order, and the error (m,) that the method may have made in them.

    ``within`` (K,), ``drifts`` (K, m): pieces during which time stepping omits a known force, and the effect of that force.
    ``largest``, ``gross`` (m,): effects of single unilateral constraints, which may balance each other: the largest in one impact, and the
    sum over all impacts. For positions: the displacement with such velocities in all steps of time stepping. ``rounded`` (m,): the total
    effect of round-off in the positions of contacts, and in the velocities after impacts. ``exchanged`` [J]: the energy that forces give
    and impulses take within time steps.
    """

    edges: np.ndarray
    changes: np.ndarray
    within: np.ndarray
    drifts: np.ndarray
    method: np.ndarray
    largest: np.ndarray
    gross: np.ndarray
    rounded: np.ndarray
    exchanged: float

    def at_starts(self, first: int, count: int) -> np.ndarray:
        """Sums (count, m) of all changes up to the beginnings of the pieces from the number ``first`` on."""
        return self._sums(first, count, "left")

    def at_ends(self, first: int, count: int) -> np.ndarray:
        """Sums (count, m) of all changes up to the ends of these pieces, without the changes at the ends themselves."""
        return self._sums(first, count, "right")

    def _sums(self, first: int, count: int, side) -> np.ndarray:
        pieces, nothing = np.arange(first, first + count), np.zeros((1, self.changes.shape[1]))
        # impulses that support a weight add up to far more than any momentum, and their sum must not be rounded term by term
        jumped, drifted = (np.concatenate([nothing, sum(compensated_sums(x))]) for x in (self.changes, self.drifts))
        places = np.searchsorted(self.edges, pieces, side="right"), np.searchsorted(self.within, pieces, side=side)
        return jumped[places[0]] + drifted[places[1]]


def jumps(motion: Record, found: Impacts | None, quantities: Quantities | None = None) -> Jumps | None:
    """Changes of all balanced quantities, or of other ones, at the impacts of a motion; None without any.

    An impulse changes a quantity L by L(q, v⁻ + M⁻¹ Hᵀ P) − L(q, v⁻), including the reactions of joints and loops.
    """
    if found is None:
        return None
    measured = _balance_quantities(motion) if quantities is None else quantities
    if not len(found):
        return _without_impacts(_restarts(motion, found, measured))
    nq, edges = motion.model.nq, np.asarray(motion.pieces.times)
    stretch = stretch_at(motion.changes, found.times)

    def at(velocities: np.ndarray, q: np.ndarray | None = None) -> np.ndarray:
        q = found.left[:, :nq] if q is None else q
        return measured(found.times, np.concatenate([q, velocities], axis=1), stretch)

    v, places = found.left[:, nq:], np.searchsorted(edges, found.times)
    start, end = at(v), at(v + found.velocity_changes(found.here))
    changes, where = [end - start], [places]
    method, within, drifts = np.zeros(start.shape[1]), places[:0], np.zeros((0, start.shape[1]))
    rounded = _rounded_inverse(found, at, start)
    if np.any(found.step):
        after, unseen = at(found.right[:, nq:]), unseen_changes(motion, found)
        halves = _omitted_changes(found, at, unseen)
        within, drifts = _in_order(np.concatenate([places - 1, places]), np.concatenate(halves))
        rounded = rounded + np.abs(at(v + found.rounded) - start).sum(axis=0)
        method = sum(
            np.abs(x).sum(axis=0)
            for x in (
                np.where(in_place(found)[:, None], 0.0, at(v + found.velocity_changes(found.nearby)) - end),
                at(v, found.left[:, :nq] + unseen_turns(motion, found)) - start,
                *(0.5 * found.step[:, None] * half / _duration(found, unseen)[:, None] for half in halves),
            )
        )
        bent, after_bend = bent_halves(motion, found)
        sides = at(v + bent) - start, at(found.right[:, nq:] + bent) - after
        left_over = at(found.right[:, nq:] + after_bend - bent) - after
        # the errors of both halves cancel, except between them and for the change of accelerations there
        turned = at(v, found.left[:, :nq] + bent_turns(motion, found)) - start
        method = method + np.abs(turned).max(axis=0) + np.abs(left_over).sum(axis=0)
        method = method + np.abs(sides[0]).max(axis=0) + np.abs(np.cumsum(sides[1] - sides[0], axis=0)).max(axis=0)
        if quantities is None and motion.model.layout.gaps:
            method = method + _closing_displacements(motion, found, measured)
    own, moved = changes_by_method(motion, found, measured)
    if len(own):
        changes.append(moved)
        where.append(own)
    later = np.concatenate(where) > 0  # the motion begins after an impact at its beginning
    changes, where = np.concatenate(changes)[later], np.concatenate(where)[later]
    order = np.argsort(where, kind="stable")
    unilaterals = range(found.contact_impulses.shape[1] // 3)
    blown = np.abs(at(v + np.einsum("kij,kj->ki", found.here.mobility, found.given)) - start)
    single = np.sum(
        [blown, *(np.abs(at(v + found.velocity_changes(found.here, c)) - start) for c in unilaterals)], axis=0
    )
    largest = single.max(axis=0)
    if quantities is None:
        largest = _with_displacements(motion, found, largest)
    sizes = largest, single.sum(axis=0)
    jumped = where[order], changes[order]
    return Jumps(*jumped, within, drifts, method, *sizes, rounded, _exchanged_energy(found))


def _exchanged_energy(found: Impacts) -> float:
    r"""Sum of :math:`\tfrac12 [v]^T M [v]` over the impulses within time steps.

    A body at rest falls for half a step and is thrown back: forces do work and impulses undo it, again and again. The changes of energy
    are tiny beside this exchange, whose error they contain."""
    change = found.velocity_changes(found.here)[found.step > 0.0]
    return 0.5 * float(np.einsum("ki,kij,kj->", change, found.here.mass[found.step > 0.0], change))


def drifts_by_method(motion: Record, found: Impacts, measured: Quantities) -> tuple[np.ndarray, np.ndarray]:
    """Pieces (P,) beside impacts during which time stepping omits a known force, and what that changes in quantities (P, m)."""
    if not len(found) or not np.any(found.step):
        return np.zeros(0, dtype=int), np.zeros((0, 0))
    nq, stretch = motion.model.nq, stretch_at(motion.changes, found.times)

    def at(velocities: np.ndarray) -> np.ndarray:
        return measured(found.times, np.concatenate([found.left[:, :nq], velocities], axis=1), stretch)

    places = np.searchsorted(np.asarray(motion.pieces.times), found.times)
    halves = _omitted_changes(found, at, unseen_changes(motion, found))
    return _in_order(np.concatenate([places - 1, places]), np.concatenate(halves))


def _omitted_changes(found: Impacts, at: Callable[[np.ndarray], np.ndarray], unseen: np.ndarray) -> list[np.ndarray]:
    """What forces that time stepping omits in the half steps before and after each impact would have changed, with the other sign: (K, m)
    for both. They act during the half steps, while velocities keep changing."""
    nq = found.motion.model.nq
    quarter = 0.25 * found.step[:, None] * found.slope
    early, late = found.left[:, nq:] - quarter, found.right[:, nq:] + quarter
    # an omitted force does work on the actual velocities, not on those it would have changed: no squares of it
    return [0.5 * (at(x - y) - at(x + y)) for x, y in zip((early, late), unseen, strict=True)]


def _in_order(places: np.ndarray, changes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.sort(places, kind="stable"), changes[np.argsort(places, kind="stable")]


def changes_by_method(motion: Record, found: Impacts, measured: Quantities) -> tuple[np.ndarray, np.ndarray]:
    """Edges (E,) at which a method moves a state for reasons of its own, and the changes (E, m) of quantities: time stepping opens gaps,
    and phases restart on their constraints. The edges are in no order."""
    begun = _restarts(motion, found, measured)
    edges, changes = [np.array([edge for edge, _ in begun], dtype=int)], [change[None] for _, change in begun]
    if len(found) and np.any(found.step):
        moved = corrections(motion, found)
        kept = moved.excess == 0.0
        ends = stretch_at(motion.changes, moved.times[kept])
        L = [measured(moved.times[kept], x[kept], ends) for x in (moved.left, moved.right)]
        edges.append(moved.edges[kept])
        changes.append(L[1] - L[0])
    places = np.concatenate(edges)
    return places, np.concatenate(changes) if len(places) else np.zeros((0, 0))


def _rounded_inverse(found: Impacts, at: Callable[[np.ndarray], np.ndarray], start: np.ndarray) -> np.ndarray:
    r"""Effects (m,) of round-off in the velocities after impacts, which a run and its certificate find by solving :math:`M [v] = H^T P`:
    :math:`|\delta[v]| \le \epsilon\, |M^{-1}| |M| |[v]|`, much for a long chain. Higham, Accuracy and Stability of Numerical Algorithms,
    Theorem 9.4."""
    v, changes = found.left[:, found.motion.model.nq :], np.abs(found.velocity_changes(found.here))
    spread = np.einsum("kij,kjl,kl->ki", np.abs(found.here.mobility), np.abs(found.here.mass), changes, optimize=True)
    # round-off has any sign, so its effects add up as those of random signs do
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (SIGNS_OF_ROUND_OFF, *v.shape))
    return np.sum([np.abs(at(v + SAFETY * ROUND_OFF * sign * spread) - start).sum(axis=0) for sign in signs], axis=0)


def _with_displacements(motion: Record, found: Impacts, largest: np.ndarray) -> np.ndarray:
    """Effects (m,) of single impulses on momenta, and displacements of mass centers and coordinates with these velocities in all steps."""
    model, span, result = motion.model, float(found.step.sum()), largest.copy()
    for i in range(len(model.layout.bodies) + 1):
        momentum, _, center = (slice(first_of_body(i) + part.start, first_of_body(i) + part.stop) for part in PARTS)
        result[center] += span * largest[momentum]
    q, v = found.left[:, : model.nq], found.left[:, model.nq :]
    start, own = coordinate_rates(found, q, v), slice(first_coordinate(model), first_coordinate(model) + model.nq)
    moved = [
        np.abs(coordinate_rates(found, q, v + found.velocity_changes(found.here, c)) - start)
        for c in range(found.contact_impulses.shape[1] // 3)
    ]
    result[own] += span * np.sum(moved, axis=0).max(axis=0) if moved else 0.0
    return result


def _closing_displacements(motion: Record, found: Impacts, measured: Quantities) -> np.ndarray:
    """Displacements (m,) of mass centers and coordinates, in all, by which bonds are closed at the ends of steps with impulses. Velocities
    do not explain them."""
    model, own = motion.model, np.flatnonzero(found.step > 0.0)
    ends = found.times[own] + 0.5 * found.step[own]
    stretch, states = stretch_at(motion.changes, ends, "left"), found.reached[own]
    closed = recorded_states(motion, ends, states, stretch)
    moved = np.abs(measured(ends, closed, stretch) - measured(ends, states, stretch)).sum(axis=0)
    ways = np.zeros(len(moved), dtype=bool)
    for i in range(len(model.layout.bodies) + 1):
        ways[first_of_body(i) + PARTS[2].start : first_of_body(i) + PARTS[2].stop] = True
    ways[first_coordinate(model) : first_coordinate(model) + model.nq] = True
    return np.where(ways, moved, 0.0)


def _without_impacts(begun: list[tuple[int, np.ndarray]]) -> Jumps | None:
    if not begun:
        return None
    edges, changes = np.array([edge for edge, _ in begun]), np.stack([change for _, change in begun])
    still = np.zeros(changes.shape[1])
    return Jumps(edges, changes, edges[:0], changes[:0], still, still, still, still, 0.0)


def _restarts(motion: Record, found: Impacts, measured: Quantities) -> list[tuple[int, np.ndarray]]:
    """Changes at the beginnings of phases that are not due to impulses. States are moved onto closed unilateral constraints, and slips from
    rest begin with a trace of velocity. Changes above ``RESTARTED`` of the state are not subtracted."""
    edges, nq = np.asarray(motion.pieces.times), motion.model.nq
    made = found.velocity_changes(found.here) if len(found) else np.zeros((0, motion.model.nv))
    result = []
    for phase in motion.phases:
        if not 0 < phase.step < len(edges) - 1:
            continue
        time = edges[phase.step : phase.step + 1]
        last = np.asarray(motion.pieces.coefficients[phase.step - 1])[None]
        left, right = (
            horner(last, time - edges[phase.step - 1]),
            np.asarray(motion.pieces.coefficients[phase.step])[None, :, 0],
        )
        hit = left + np.concatenate([np.zeros(nq), made[found.times == time[0]].sum(axis=0)])
        sizes = [np.abs(right[0, part]).max(initial=LEAST_STATE) for part in (slice(nq), slice(nq, None))]
        moved = [np.abs((right - hit)[0, part]).max(initial=0.0) for part in (slice(nq), slice(nq, None))]
        if max(moved) > 0.0 and all(x <= RESTARTED * size for x, size in zip(moved, sizes, strict=True)):
            stretch = stretch_at(motion.changes, time, "left")
            result.append((phase.step, (measured(time, right, stretch) - measured(time, hit, stretch))[0]))
    return result


def _balance_quantities(motion: Record) -> Quantities:
    return lambda time, states, stretch: samples(motion, time, states, stretch).L


def _duration(found: Impacts, unseen: np.ndarray) -> np.ndarray:
    """Times (K,) in which velocities change by their own size. The ratio of a step to this time gives the next order."""
    nq = found.motion.model.nq
    largest = np.abs(unseen).max(axis=(0, 2), initial=0.0)
    speed = np.abs(found.right[:, nq:]).max(axis=1, initial=0.0) + np.finfo(float).tiny
    rate = largest / np.maximum(0.5 * found.step, np.finfo(float).tiny) / speed
    return 1.0 / np.maximum(rate, np.finfo(float).tiny)
