r"""Impact laws with more than one stage, judged by impulses that are found again from the state before each impact.

Poisson's law has two phases. The impulses :math:`P^c` of compression end an inelastic impact, and expansion adds at least e times as much:

.. math:: 0 \le P_N^c \perp u_N^c \ge 0, \qquad 0 \le P_N - (1 + e) P_N^c \perp u_N^+ \ge 0,

with Coulomb's law of :math:`P^c` and :math:`u^c`, and of the whole impulses and the speeds after the impact. In sequential impacts the
fastest approach comes first, each with its own restitution, and contacts that do not separate are then held closed.

The motion contains the sum of the impulses only. It obeys the law if there are impulses of the stages with this sum, and if these obey
their own laws. How they were found does not matter.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.impacts.seen_impacts import Impacts, solver_accuracy
from vinculum.audits.impacts.shared_compression import shared_compression
from vinculum.contact.dense.gauss_seidel import project
from vinculum.contact.dense.impulses import finish
from vinculum.tolerances.certificates import IMPACT_METHOD_SAFETY, IMPULSES_SOLVED
from vinculum.tolerances.contact import APPROACH_LEFT
from vinculum.tolerances.event_driven import IMPACT_RESIDUAL
from vinculum.tolerances.round_off import FEW_ROUND_OFFS, POSITIONS_ROUND_OFF
from vinculum.tolerances.samples import SEQUENCES_LOOKED_AT
from vinculum.tolerances.time_stepping import STEP_RESIDUAL, STEP_SWEEPS


@final
@dataclass(frozen=True, eq=False)
class Stage:
    """The contacts of one impact: speeds ``before`` and ``after`` it (n,), those ``without`` contacts, ``impulses`` (n,), half axes of
    friction (n / 3, 3), restitution (n / 3,), ``by_impulses`` (n / 3,): whether that is Poisson's, and ``doubt`` (n,) of speeds.

    ``W`` (n, n) maps impulses to speeds, and ``other_W`` does so at the distance by which positions are in doubt. Contacts come first,
    then the rows about axes of those that resist rolling, with their speeds.
    """

    W: np.ndarray
    other_W: np.ndarray
    before: np.ndarray
    without: np.ndarray
    after: np.ndarray
    impulses: np.ndarray
    axes: np.ndarray
    restitution: np.ndarray
    by_impulses: np.ndarray
    doubt: np.ndarray

    @property
    def is_contact(self) -> np.ndarray:
        """Which triples of rows belong to contacts, (n / 3,)."""
        return self.axes[:, 2] < 0.0


@final
@dataclass(frozen=True, eq=False)
class Doubts:
    """What the laws of impacts leave open: contacts ``involved`` (K, m), and by how much ``speeds`` (K, 3 b) may differ.

    ``slow`` (K,): impacts that may be inelastic, since they stand for infinitely many bounces. ``maybe_in_turn`` (K,): impacts that are
    sequential if a gap beside them counts as closed.
    """

    involved: np.ndarray
    speeds: np.ndarray
    slow: np.ndarray
    maybe_in_turn: np.ndarray


def _stages(
    found: Impacts, e: np.ndarray, doubts: Doubts, chosen: np.ndarray
) -> Iterator[tuple[int, np.ndarray, Stage]]:
    """The ``chosen`` (K,) impacts with the contacts involved in each."""
    laws, by_impulses = found.laws, found.laws.by_impulses
    given = np.einsum("krj,kij,ki->kr", found.here.jacobians, found.here.mobility, found.given, optimize=True)
    for k in np.flatnonzero(chosen):
        own = np.flatnonzero(doubts.involved[k])
        resisting = np.flatnonzero(laws.turns[own] >= 0)
        triples = np.concatenate([own, laws.turns[own[resisting]]])
        rows = (3 * triples[:, None] + np.arange(3)).ravel()
        axes = np.column_stack([np.where(laws.rough[k, own, None], laws.axes[k, own], -1.0), np.full(len(own), -1.0)])
        axes = np.concatenate([axes, np.column_stack([laws.lengths[k, own[resisting]], resisting])])
        more = np.zeros(len(resisting))
        before, end = found.arriving[k, rows], found.ending_jacobians[k, rows]
        W, other_W = (end @ at.mobility[k] @ at.jacobians[k, rows].T for at in (found.here, found.nearby))
        yield (
            int(k),
            own,
            Stage(
                W,
                other_W,
                before,
                before + given[k, rows],
                found.leaving[k, rows],
                found.contact_impulses[k, rows],
                axes,
                np.append(e[k, own], more),
                np.append(by_impulses[k, own], more).astype(bool),
                doubts.speeds[k, rows],
            ),
        )


def staged_excess(found: Impacts, e: np.ndarray, doubts: Doubts, scale: float) -> np.ndarray:
    """By how much contacts (K, m) in impacts by Poisson's law and in sequential impacts break their laws, relative to the speed
    ``scale``."""
    excess, involved, in_turn = np.zeros(doubts.involved.shape), doubts.involved, found.in_turn[:, 0]
    enough = solver_accuracy(found.motion) * scale
    pressed = found.laws.by_impulses & (e > 0.0)
    chosen = in_turn | doubts.maybe_in_turn | np.any(pressed & involved, axis=1)
    for k, own, stage in _stages(found, e, doubts, chosen & involved.any(axis=1)):
        ratios = [stage.restitution] + [np.zeros_like(stage.restitution)] * bool(doubts.slow[k])
        searches = [_of_two_phases] * (not in_turn[k]) + [_of_sequences] * bool(in_turn[k] or doubts.maybe_in_turn[k])
        tried = (missed for search in searches for ratio in ratios for missed in search(stage, ratio, enough))
        beyond = _least(tried, stage, enough) / scale
        excess[k, own] = beyond[: len(own)]
        for triple in np.flatnonzero(~stage.is_contact):
            c = own[int(stage.axes[triple, 2])]
            excess[k, c] = max(excess[k, c], beyond[triple] * stage.axes[triple, :2].max())
    return excess


def _least(tried: Iterator[np.ndarray], stage: Stage, enough: float) -> np.ndarray:
    """The smallest of several misses, by triples of rows (n / 3,); the first that is small ``enough`` ends the search."""
    best = np.full(len(stage.axes), np.inf)
    for missed in tried:
        triples = np.maximum(missed, 0.0).reshape(-1, 3).max(axis=1)
        best = triples if triples.max() < best.max() else best
        if best.max() <= enough:
            break
    return best


def missed_speeds(W, u, target, least, axes, P) -> np.ndarray:
    r"""Speeds (n,) by which impulses miss their law, by the natural map with its own scale in every row; see
    `vinculum.contact.dense.gauss_seidel.impulses`.

    .. math:: w\,|P - \mathrm{proj}(P - (u - \hat u)/w)|
    """
    diagonal = np.diag(W).reshape(-1, 3)
    cross = W[np.arange(1, len(W), 3), np.arange(2, len(W), 3)]
    tangents = 0.5 * (diagonal[:, 1] + diagonal[:, 2]) + np.hypot(0.5 * (diagonal[:, 1] - diagonal[:, 2]), cross)
    w = np.column_stack([diagonal[:, 0], tangents, tangents]).ravel()
    speeds = u.copy()
    speeds[::3] -= target
    moved = P - np.where(w > 0.0, speeds, 0.0) / np.where(w > 0.0, w, 1.0)
    project(moved, least, axes)
    moved[::3] = np.where(diagonal[:, 0] > 0.0, moved[::3], P[::3])
    smooth = np.repeat((axes[:, 0] < 0.0) & (axes[:, 2] < 0.0), 3) & (np.arange(len(P)) % 3 > 0)
    return np.where(smooth, 0.0, np.abs(P - moved) * w)


def _of_two_phases(stage: Stage, e: np.ndarray, enough: float) -> Iterator[np.ndarray]:
    """Speeds (n,) by which Poisson's law is missed with several impulses of compression. Where a contact separates, the law itself says
    them: P/(1 + e). They are needed if contacts share a load in more than one way."""
    W, axes, P, nothing = stage.W, stage.axes, stage.impulses, np.zeros(len(e))
    ratio = np.where(stage.by_impulses, e, 0.0)
    target = np.where(stage.by_impulses | ~stage.is_contact, 0.0, -e * np.minimum(stage.before[::3], 0.0))
    start = P / np.repeat(1.0 + ratio, 3)
    leaves = stage.after[::3] > stage.doubt[::3]
    for known in (np.zeros(len(e), dtype=bool), stage.by_impulses & leaves, stage.by_impulses):
        low, least, compressed = target.copy(), nothing.copy(), start.copy()
        least[known] = start[::3][known]
        # a contact that may approach at any speed exerts its least impulse and no more
        low[known] = -_unreachable(stage)
        finish(W, stage.without, low, least, axes, compressed, (IMPACT_RESIDUAL, STEP_RESIDUAL, STEP_SWEEPS))
        yield _missed_by_phases(stage, ratio, target, compressed)
        if not known.any() and stage.is_contact.all():
            yield _missed_by_phases(stage, ratio, target, _other_share(stage, ratio, leaves, compressed))


def _missed_by_phases(stage: Stage, ratio, target, compressed) -> np.ndarray:
    """Speeds (n,) by which impulses ``compressed`` (n,) miss the law of compression, or the whole impulses that of expansion."""
    W, nothing = stage.W, np.zeros(len(ratio))
    unsure = stage.doubt + IMPACT_METHOD_SAFETY * np.abs(stage.other_W - W) @ np.abs(compressed)
    first = missed_speeds(W, stage.without + W @ compressed, target, nothing, stage.axes, compressed) - unsure
    given_back = np.where(ratio > 0.0, (1.0 + ratio) * compressed[::3], 0.0)
    return np.maximum(first, missed_speeds(W, stage.after, target, given_back, stage.axes, stage.impulses) - unsure)


def _other_share(stage: Stage, ratio, leaves, compressed) -> np.ndarray:
    """Impulses of compression (n,) that end at the speeds of ``compressed`` (n,) and give back no more than the whole impulses are."""
    change = stage.W @ compressed
    u, unsure = (stage.without + change).reshape(-1, 3), stage.doubt.reshape(-1, 3)
    enough = IMPULSES_SOLVED * float(np.abs(stage.without).max())
    sticks = np.all(np.abs(u[:, 1:]) <= unsure[:, 1:] + enough, axis=1)
    slips = [None if apart else np.where(stick, 0.0, one[1:]) for one, stick, apart in
             zip(u, sticks, u[:, 0] > unsure[:, 0] + enough, strict=True)]  # fmt: skip
    which = np.flatnonzero(stage.by_impulses)
    bounds = which, 1.0 + ratio[which], stage.impulses[3 * which], leaves[which]
    return shared_compression(stage.W, change, slips, stage.axes[:, :2], bounds)


def _unreachable(stage: Stage) -> float:
    """A speed that no contact reaches in an impact [m/s]."""
    return float(np.abs(stage.without).max() + 2.0 * (np.abs(stage.W) @ np.abs(stage.impulses)).max()) * len(stage.W)


def _of_sequences(stage: Stage, e: np.ndarray, enough: float) -> Iterator[np.ndarray]:
    """Speeds (n,) by which sequential impacts miss their law, for every order of equally fast approaches. Approaches slower than
    ``enough`` [m/s] are none."""
    contacts = np.repeat(stage.is_contact, 3) & (np.arange(len(stage.W)) % 3 == 0)
    if np.all(stage.before[contacts] >= -stage.doubt[contacts] - enough):
        yield _missed_by_holding(stage, np.zeros(len(stage.W)))
    for struck in _sequences(stage.W, stage, e):
        yield _missed_by_holding(stage, struck)
    if np.any(stage.other_W != stage.W):
        for struck, other in zip(_sequences(stage.W, stage, e), _sequences(stage.other_W, stage, e), strict=False):
            yield _missed_by_holding(stage, struck) - IMPACT_METHOD_SAFETY * np.abs(stage.W) @ np.abs(other - struck)


def _missed_by_holding(stage: Stage, struck: np.ndarray) -> np.ndarray:
    """Speeds (n,) by which the impulses that remain after sequential impacts miss the law of contacts that are held closed."""
    nothing = np.zeros(len(stage.axes))
    return missed_speeds(stage.W, stage.after, nothing, nothing, stage.axes, stage.impulses - struck) - stage.doubt


def _sequences(W: np.ndarray, stage: Stage, e: np.ndarray) -> Iterator[np.ndarray]:
    """Sums (n,) of the impulses of sequential impacts, one for every order in which equally fast approaches may be taken."""
    contacts = np.flatnonzero(stage.is_contact)
    fastest = max(float(-stage.before[3 * contacts].min()), 0.0)
    slowest = max(APPROACH_LEFT * fastest, FEW_ROUND_OFFS * float(np.abs(stage.before).max()))
    waiting, ended = [(stage.before.copy(), np.zeros(len(W)))], 0
    while waiting and ended < SEQUENCES_LOOKED_AT:
        u, P = waiting.pop()
        for _ in range(STEP_SWEEPS):
            approach = u[3 * contacts]
            worst = float(approach.min())
            if worst >= -slowest:
                break
            tied = contacts[approach <= worst + POSITIONS_ROUND_OFF * fastest]
            for c in tied[1:] if len(waiting) < SEQUENCES_LOOKED_AT else []:
                waiting.append(_after_hit(W, u, P, stage.axes, e, int(c)))
            u, P = _after_hit(W, u, P, stage.axes, e, int(tied[0]))
            if not u[3 * tied[0]] > 0.5 * worst:  # friction jams it, and the next impact would be the same
                break
        ended += 1
        yield P


def _after_hit(W, u, P, axes, e, c: int) -> tuple[np.ndarray, np.ndarray]:
    """Speeds and sums of impulses after an impact at one contact alone."""
    rows, own = slice(3 * c, 3 * c + 3), np.zeros(3)
    goal = np.array([-e[c] * u[3 * c]])
    block = np.ascontiguousarray(W[rows, rows])
    sought = IMPACT_RESIDUAL, IMPACT_RESIDUAL, STEP_SWEEPS
    finish(block, u[rows].copy(), goal, np.zeros(1), axes[c : c + 1].copy(), own, sought)
    total = P.copy()
    total[rows] += own
    return u + W[:, rows] @ own, total
