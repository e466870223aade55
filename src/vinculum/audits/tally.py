"""Balance laws L(t₂) − L(t₁) = ∫ R dt, measured step by step along a motion."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.quadrature import W_GAUSS, W_KRONROD, X
from vinculum.kernels.evaluate import evaluate, evaluate_groups
from vinculum.motion import Motion, Pieces
from vinculum.motion.chart_changes import jumps, stretch_of
from vinculum.motion.one_step import advance
from vinculum.motion.pieces import BLOCK, horner
from vinculum.motion.variables import field, inward, outward

MOST_DOUBLED_STEPS = 4000
ROUND_OFF = 2.0**-52


@final
@dataclass(frozen=True, eq=False)
class Samples:
    """Balanced quantities L, their rates R and the size of the terms in R, (B, m) each."""

    L: np.ndarray
    R: np.ndarray
    size: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Tally:
    """For every balanced quantity: the largest accumulated defect, its scale, and the estimates of its tolerance.

    ``scale``: the largest value and the largest change that the terms make in one step. ``gross``: the integral of the
    terms' sizes. ``quadrature``: summed error estimate of the integrals. ``method``: summed error that the integrator itself admits
    (step doubling), zero where it has none to offer. All (m,). Quantity 0 is the energy, then six for every body (its
    momentum screw), then the coordinates; ``whole`` is the defect of the bodies' momenta added up, (6,).
    """

    defect: np.ndarray
    scale: np.ndarray
    gross: np.ndarray
    quadrature: np.ndarray
    clock: np.ndarray
    method: np.ndarray
    steps: int
    chart_defect: float
    worst_time: np.ndarray
    whole: np.ndarray


def samples(motion: Motion, time: np.ndarray, states: np.ndarray, steps: np.ndarray) -> tuple[Samples, np.ndarray]:
    """The balanced quantities (energy, momentum of every body, coordinates) at states of given steps, and the chart defects.

    What a change of chart adds to the coordinates is taken off again.
    """
    stretch = stretch_of(motion.changes, steps)
    rows = motion.rows(time, states, stretch)
    nq = motion.model.nq
    continuous = states[:, :nq] - jumps(motion.changes, stretch) if motion.changes else states[:, :nq]
    balance = evaluate_groups(motion.model.tape("balance"), rows)
    rates = evaluate_groups(motion.model.tape("rates"), rows)
    kinetic, potential = balance["kinetic"], balance["potential"]
    L = np.concatenate([kinetic + potential, balance["momentum"], continuous], axis=1)
    R = np.concatenate([balance["power"] + balance["dissipation"], balance["wrench"], rates["q_dot"]], axis=1)
    work = np.abs(balance["power"]) + np.abs(balance["dissipation"])
    size = np.concatenate([work, balance["wrench_size"], np.abs(rates["q_dot"])], axis=1)
    coordinates = np.abs(states[:, :nq])
    magnitude = np.concatenate([np.abs(kinetic) + np.abs(potential), balance["momentum_size"], coordinates], axis=1)
    return Samples(L, R, size), np.concatenate([magnitude, np.abs(rates["defects"])], axis=1)


def tally(motion: Motion, pieces: Pieces | None = None) -> Tally:
    """All balance laws along the motion, from dense output and compiled forces, in blocks of steps."""
    pieces = motion.pieces if pieces is None else pieces
    begin, zero = np.array([pieces.begin]), np.array([0])
    at_begin = motion.recorded(begin, pieces.state(begin), stretch_of(motion.changes, zero))
    first = samples(motion, begin, at_begin, zero)[0].L[0]
    m = len(first)
    total, defect, worst = np.zeros(m), np.zeros(m), np.zeros(m)
    quadrature, gross, magnitudes, method, largest_step, clock = (np.zeros(m) for _ in range(6))
    latest = max(abs(pieces.begin), abs(pieces.end))
    chart, whole, bodies = 0.0, np.zeros(6), slice(1, 1 + 6 * len(motion.model.layout["bodies"]))
    for number, (edges, coefficients) in enumerate(pieces.blocks()):
        h = np.diff(edges)
        at_nodes, starts, ends, magnitude = _block(motion, edges, coefficients, number * BLOCK)
        magnitudes = np.maximum(magnitudes, magnitude[:, :m].max(axis=0))
        chart = max(chart, float(magnitude[:, m:].max(initial=0.0)))
        by_step = at_nodes.R.reshape(len(h), len(X), m)
        integral = np.einsum("n,snm->sm", W_KRONROD, by_step) * h[:, None]
        clock += (
            ROUND_OFF * latest * (np.abs(np.diff(by_step[:, 0], axis=0)).sum(axis=0) + np.ptp(by_step, axis=(0, 1)))
        )
        quadrature += np.abs(integral - np.einsum("n,snm->sm", W_GAUSS, by_step) * h[:, None]).sum(axis=0)
        by_step = np.einsum("n,snm->sm", W_KRONROD, at_nodes.size.reshape(len(h), len(X), m)) * h[:, None]
        largest_step = np.maximum(largest_step, by_step.max(axis=0))
        gross += by_step.sum(axis=0)
        after = total + np.cumsum(integral, axis=0)
        before = np.concatenate([total[None], after[:-1]])
        total = after[-1]
        for values, impulse, instants in ((starts, before, edges[:-1]), (ends, after, edges[1:])):
            gaps = values - first - impulse
            whole = np.maximum(whole, np.abs(gaps[:, bodies].reshape(len(gaps), -1, 6).sum(axis=1)).max(axis=0))
            gaps = np.where(np.isfinite(gaps), np.abs(gaps), np.inf)
            k = np.argmax(gaps, axis=0)
            largest = gaps[k, np.arange(m)]
            worst = np.where(largest > defect, instants[k], worst)
            defect = np.maximum(defect, largest)
        method += _step_doubling(motion, edges, coefficients, len(pieces), number)
    return Tally(defect, magnitudes + largest_step, gross, quadrature, clock, method, len(pieces), chart, worst, whole)


def _block(motion: Motion, edges: np.ndarray, coefficients: np.ndarray, first: int):
    h = np.diff(edges)
    count = len(h)
    local = np.concatenate([np.repeat(h, len(X)) * np.tile(X, count), np.zeros(count), h])
    which = np.concatenate([np.repeat(np.arange(count), len(X)), np.arange(count), np.arange(count)])
    states = np.empty((len(local), coefficients.shape[1]))
    for part in np.array_split(np.arange(len(local)), max(1, len(local) // 8192)):
        states[part] = horner(coefficients[which[part]], local[part])
    time, steps = edges[which] + local, first + which
    states = motion.recorded(time, states, stretch_of(motion.changes, steps))
    values, magnitude = samples(motion, time, states, steps)
    nodes = count * len(X)
    inner = Samples(values.L[:nodes], values.R[:nodes], values.size[:nodes])
    return inner, values.L[nodes : nodes + count], values.L[nodes + count :], magnitude


def _step_doubling(motion: Motion, edges, coefficients, steps: int, number: int) -> np.ndarray | float:
    """What a fixed-step method admits: one step against two half steps, from the recorded states."""
    name = motion.method.claims.name
    if name not in ("rk4", "verlet", "midpoint"):
        return 0.0
    stride = max(1, steps // MOST_DOUBLED_STEPS)
    chosen = np.arange((-number * len(edges)) % stride, len(edges) - 1, stride)
    if not len(chosen):
        return 0.0
    t, h, x = edges[:-1][chosen], np.diff(edges)[chosen], coefficients[chosen, :, 0]
    model, own_steps = motion.model, number * BLOCK + chosen
    stretch = stretch_of(motion.changes, own_steps)
    own = inward(name, model, motion.rows(t, x, stretch))

    def rates(instants, states):
        return evaluate(field(name, model), motion.rows(instants, states, stretch))

    once = advance(name, rates, t, own, h, model.nq)
    half = advance(name, rates, t, own, h / 2, model.nq)
    twice = advance(name, rates, t + h / 2, half, h / 2, model.nq)
    once, twice = (outward(name, model, motion.rows(t + h, end, stretch)) for end in (once, twice))
    moved = np.abs(samples(motion, t + h, once, own_steps)[0].L - samples(motion, t + h, twice, own_steps)[0].L)
    return stride * moved.sum(axis=0)
