"""Balance laws L(t₂) − L(t₁) = ∫ R dt, measured step by step along a motion."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, final

import numpy as np

from vinculum.audits.balances.jumps import Jumps
from vinculum.audits.balances.quantities import ENERGY, KINETIC, energies, has_offset, sample_parts, samples
from vinculum.audits.balances.step_doubling import doubled_steps
from vinculum.audits.balances.sums import compensated_sums
from vinculum.audits.phases import phases
from vinculum.audits.quadrature import W_GAUSS, W_KRONROD, X
from vinculum.motion.chart_changes import stretch_of
from vinculum.motion.pieces import Pieces, horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states
from vinculum.tolerances.round_off import HALF_UNIT
from vinculum.tolerances.time import NO_DURATION


@final
@dataclass(frozen=True, eq=False)
class Tally:
    """For every balanced quantity: the largest accumulated defect, its scale, and the estimates of its tolerance.

    ``scale``: the largest value, or the largest change if only changes are meaningful; for energies also what time steps exchange.
    ``size``: the scale of round-off in
    the values. ``gross``: the integral of the sizes of the terms in R. ``quadrature``: summed error estimate of the
    integrals. ``clock``: effect of rounded instants. ``method``: summed error by step doubling, zero for methods without
    it. All (m,). ``low``, ``high``: bounds of the state, (n,). ``hits`` (m,): the largest effect of the impulses of single unilateral
    constraints in one impact. ``rounded`` (m,): effect of rounded positions in all impacts.
    """

    defect: np.ndarray
    scale: np.ndarray
    size: np.ndarray
    gross: np.ndarray
    quadrature: np.ndarray
    clock: np.ndarray
    method: np.ndarray
    steps: int
    chart_defect: float
    worst_time: np.ndarray
    low: np.ndarray
    high: np.ndarray
    hits: np.ndarray
    rounded: np.ndarray


def tally(motion: Record, pieces: Pieces | None = None, jumped: Jumps | None = None) -> Tally:
    """All balance laws along the motion, from dense output and compiled forces, in blocks of steps. ``jumped``: effects of impulses."""
    parts = phases(motion) if pieces is None else [(0, replace(motion, pieces=pieces))]
    pieces = motion.pieces if pieces is None else pieces
    begin = np.array([pieces.begin])
    first = samples(motion, begin, recorded_states(motion, begin, pieces.state(begin))).L[0]
    m = len(first)
    total, lost, defect, worst = (np.zeros(m) for _ in range(4))
    size, gross, quadrature, clock, method = (np.zeros(m) for _ in range(5))
    extent, bounds, chart = _Bounds(m), _Bounds(pieces.size), 0.0
    latest = max(abs(pieces.begin), abs(pieces.end))
    for part, number, edges, coefficients in _blocks(parts):
        h = np.diff(edges)
        found, states = _block(part, motion, edges, coefficients, number)
        bounds.include(states)
        extent.include(found.extent.low[None])
        extent.include(found.extent.high[None])
        size = np.maximum(size, found.size)
        chart = max(chart, found.chart)
        rates, sizes = (x.reshape(len(h), len(X), m) for x in (found.R, found.R_size))
        integral = np.einsum("n,snm->sm", W_KRONROD, rates) * h[:, None]
        uneven = np.abs(integral - np.einsum("n,snm->sm", W_GAUSS, rates) * h[:, None])
        quadrature += uneven.sum(axis=0)
        gross += (np.einsum("n,snm->sm", W_KRONROD, sizes) * h[:, None]).sum(axis=0)
        turns = np.abs(np.diff(rates[:, 0], axis=0)).sum(axis=0) + np.ptp(rates, axis=(0, 1))
        clock += 2.0 * HALF_UNIT * latest * turns
        sums, cut = compensated_sums(np.concatenate([total[None], integral]))
        impulses = sums + (lost + cut)
        before, after = impulses[:-1], impulses[1:]
        total, lost = sums[-1], lost + cut[-1]
        starts, ends = found.L[: len(h)], found.L[len(h) :]
        if jumped is not None:
            before, after = before + jumped.at_starts(number, len(h)), after + jumped.at_ends(number, len(h))
        for values, impulse, instants in ((starts, before, edges[:-1]), (ends, after, edges[1:])):
            gaps = values - first - impulse
            gaps = np.where(np.isfinite(gaps), np.abs(gaps), np.inf)
            k = np.argmax(gaps, axis=0)
            largest = gaps[k, np.arange(m)]
            worst = np.where(largest > defect, instants[k], worst)
            defect = np.maximum(defect, largest)
        method += doubled_steps(part, edges, coefficients, len(pieces), number, _relative(uneven))
    hits, rounded = np.zeros(m), np.zeros(m)
    if jumped is not None:
        method = method + jumped.method
        # impulses are rounded, and so are inertia, derivatives and velocities
        gross, hits, rounded = gross + 4.0 * jumped.gross, jumped.largest, jumped.rounded
    scale = np.where(has_offset(motion.model), extent.width(), extent.largest())
    scale[KINETIC] += 0.0 if jumped is None else jumped.exchanged
    scale[[ENERGY, *energies(motion.model)]] += scale[KINETIC]
    return Tally(
        defect,
        scale,
        size,
        gross,
        quadrature,
        clock,
        method,
        len(pieces),
        chart,
        worst,
        bounds.low,
        bounds.high,
        hits,
        rounded,
    )


def _relative(uneven: np.ndarray) -> np.ndarray:
    """The largest of errors (S, m) in each step, (S,), each relative to its largest in all steps."""
    largest = uneven.max(axis=0)
    return (uneven / np.where(largest > 0.0, largest, 1.0)).max(axis=1)


def _blocks(parts: list[tuple[int, Record]]) -> Iterator[tuple[Record, int, np.ndarray, np.ndarray]]:
    """Blocks of steps of consecutive parts: the part, the number of the first step, edges and coefficients."""
    for first, part in parts:
        for number, (edges, coefficients) in enumerate(part.pieces.blocks()):
            yield part, first + number * part.pieces.block, edges, coefficients


@final
class _Bounds:
    """The smallest and largest values seen so far."""

    def __init__(self, count: int):
        self.low, self.high = np.full(count, np.inf), np.full(count, -np.inf)

    def include(self, values: np.ndarray) -> None:
        self.low, self.high = np.minimum(self.low, values.min(axis=0)), np.maximum(self.high, values.max(axis=0))

    def width(self) -> np.ndarray:
        return self.high - self.low

    def largest(self) -> np.ndarray:
        return np.maximum(np.abs(self.low), np.abs(self.high))


class _BlockSamples(NamedTuple):
    """What the balances need of the samples in a block of steps: R and its sizes at the nodes, L at all beginnings and then at all ends;
    of all together the largest sizes of L, the bounds of ``extent``, and the largest chart defect."""

    R: np.ndarray
    R_size: np.ndarray
    L: np.ndarray
    size: np.ndarray
    extent: _Bounds
    chart: float


def _sample_block(
    motion: Record, time: np.ndarray, states: np.ndarray, stretch: np.ndarray, nodes: int
) -> _BlockSamples:
    """Samples of which the first ``nodes`` are those at the nodes."""
    R = R_size = L = size = np.zeros(0)
    chart, extent = np.zeros(()), _Bounds(0)
    for rows, part in sample_parts(motion, time, states, stretch):
        if not rows.start:
            m = part.L.shape[1]
            R, R_size, L, size, extent = (
                np.empty((nodes, m)), np.empty((nodes, m)), np.empty((len(time) - nodes, m)), np.full(m, -np.inf), _Bounds(m)
            )  # fmt: skip
        inner = max(0, min(rows.stop, nodes) - rows.start)
        R[rows.start : rows.start + inner], R_size[rows.start : rows.start + inner] = (
            part.R[:inner],
            part.R_size[:inner],
        )
        L[rows.start + inner - nodes : rows.stop - nodes if rows.stop > nodes else 0] = part.L[inner:]
        size, chart = np.maximum(size, part.L_size.max(axis=0)), np.maximum(chart, part.defects.max(initial=0.0))
        extent.include(part.extent)
    return _BlockSamples(R, R_size, L, size, extent, float(chart))


def _block(
    motion: Record, whole: Record, edges: np.ndarray, coefficients: np.ndarray, first: int
) -> tuple[_BlockSamples, np.ndarray]:
    """Samples at the nodes of every step from the number ``first`` on, at all beginnings and at all ends, and the states there.

    Friction may have no direction at the ends of a phase. There, and in steps of zero length, the model of the ``whole`` motion is used.
    """
    h = np.diff(edges)
    count = len(h)
    local = np.concatenate([np.repeat(h, len(X)) * np.tile(X, count), np.zeros(count), h])
    which = np.concatenate([np.repeat(np.arange(count), len(X)), np.arange(count), np.arange(count)])
    states = horner(coefficients, local, which)
    time, stretch = edges[which] + local, stretch_of(whole.changes, first + which)
    states = recorded_states(motion, time, states, stretch)
    found = _sample_block(whole, time, states, stretch, count * len(X))
    if motion.model is whole.model:
        return found, states
    lasting = h > NO_DURATION * max(abs(edges[0]), abs(edges[-1]))
    inner = np.flatnonzero(np.repeat(lasting, len(X)))
    own = samples(motion, time[inner], states[inner], stretch[inner])
    for name in ("R", "R_size"):  # a phase may have further columns at the end: the energy of its constraints
        getattr(found, name)[inner] = getattr(own, name)[:, : found.R.shape[1]]
    return found, states
