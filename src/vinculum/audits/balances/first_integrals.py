"""Conserved quantities checked along a motion."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.balances.jumps import jumps
from vinculum.audits.certificate import Line
from vinculum.audits.impacts.seen_impacts import Impacts
from vinculum.audits.scaling.scatter import scatter_of
from vinculum.audits.weak.rest import resting_speed, sizing_states
from vinculum.compile.evaluate import evaluate
from vinculum.motion.record import Record
from vinculum.motion.states import shown_states, states_at, tape_rows
from vinculum.tolerances.certificates import AT_REST, SAFETY, SHARP
from vinculum.tolerances.functions import SENSITIVITY_STEP
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS
from vinculum.tolerances.samples import INSTANTS_OF_INTEGRALS, INSTANTS_OF_ROUND_OFF


@final
@dataclass(frozen=True, eq=False)
class SampledStates:
    """States (T, n) of a whole motion at some instants (T,): each of its phases asks for them."""

    time: np.ndarray
    states: np.ndarray


def sample_states(whole: Record) -> SampledStates:
    """A motion at the instants at which its first integrals are evaluated."""
    edges = np.asarray(whole.pieces.times)
    time = edges[np.unique(np.linspace(0, len(edges) - 1, min(len(edges), INSTANTS_OF_INTEGRALS)).astype(int))]
    return SampledStates(time, shown_states(whole, time, states_at(whole, time)))


def first_integral_lines(
    motion: Record,
    balances: Sequence[Line],
    reason: str,
    hits: Impacts | None = None,
    whole: SampledStates | None = None,
) -> list[Line]:
    """The largest drift of a first integral, relative to the size of its terms. No line for a system without first integrals.

    Only integrals that hold for every value of the parameters are checked. Their changes by impulses at impacts, ``hits``, are subtracted.
    The size of terms is the largest in the ``whole`` motion, of which this may be a phase that hardly moves. The tolerance is the largest
    of the ``balances`` of energy, momenta and coordinates, of which integrals consist (for fixed steps twice that, if it still decides).
    """
    tape = motion.model.tape("integrals")
    names = [name for name, _ in tape.outputs]
    if not names:
        return []
    edges = np.asarray(motion.pieces.times)
    chosen = np.unique(np.linspace(0, len(edges) - 1, min(len(edges), INSTANTS_OF_INTEGRALS)).astype(int))
    time = edges[chosen]
    states = shown_states(motion, time, states_at(motion, time))
    values = evaluate(tape, tape_rows(motion, time, states))[:, 0::2]
    jumped = jumps(
        motion, hits, lambda t, x, _: evaluate(tape, tape_rows(motion, t, shown_states(motion, t, x)))[:, 0::2]
    )
    if jumped is not None:
        values = values - jumped.at_starts(0, len(edges))[chosen]
    sizing = sizing_states(motion, states)
    sizes = evaluate(tape, tape_rows(motion, time, sizing))[:, 1::2]
    drift = np.where(np.isfinite(values), np.abs(values - values[0]), np.inf)
    size = np.maximum(np.abs(sizes).max(axis=0), np.finfo(float).tiny)
    if jumped is not None:
        size = np.maximum(size, jumped.largest)
    if whole is not None and whole.states.shape[1] == motion.pieces.size:
        size = np.maximum(size, _largest_terms(motion, whole))
    if (drift.max(axis=0) / size).max() > min(line.tolerance for line in balances):
        drift = np.maximum(drift - _round_off_of_speeds(motion, time, states), 0.0)
    scattered, quiet = _effects_of_scatter(motion, time, states)
    drift = np.maximum(drift - quiet, 0.0)
    k = int(np.argmax(drift.max(axis=0) / size))
    residual = float(drift[:, k].max() / size[k])
    sharp = [line for line in balances if line.tolerance <= SHARP] or balances
    # an integral of momenta whose own tolerance is too wide to decide is not broken within that tolerance
    tolerance, doubt = max(line.tolerance for line in sharp), max(max(line.tolerance, line.doubt) for line in balances)
    if jumped is not None:
        tolerance, doubt = (x + float((jumped.method[k] + jumped.rounded[k]) / size[k]) for x in (tolerance, doubt))
    tolerance, doubt = (x + float(scattered[k] / size[k]) for x in (tolerance, doubt))
    if sizing is not states:
        tolerance, doubt = max(tolerance, AT_REST), max(doubt, AT_REST)
    if motion.method.step is not None:
        # a moment consists of momenta and coordinates, and step doubling estimates the errors of both with a small margin
        tolerance = max(tolerance, min(2.0 * tolerance, SHARP))
        # a residual beyond the sharp balances may be within a wide one, as for steps of the first order: then nothing is decided
        tolerance = tolerance if residual <= tolerance else max(tolerance, *(line.tolerance for line in balances))
    detail = f"'{names[k]}' by t = {time[int(np.argmax(drift[:, k]))]:.4g} s" if residual > tolerance else ""
    return [Line("first integrals", residual, tolerance, f"{len(names)} of them; {reason}", detail, doubt)]


def _round_off_of_speeds(motion: Record, time: np.ndarray, states: np.ndarray) -> np.ndarray:
    """What integrals (k,) change by round-off in every velocity, which is relative to the fastest one: the angular velocity of a block
    that slides is zero but for this, and so are all terms of its spin."""
    model, tape = motion.model, motion.model.tape("integrals")
    nq, nv = model.nq, model.nv
    fastest = max(float(np.abs(states[:, nq:]).max(initial=0.0)), resting_speed(motion))
    found = np.zeros(len(tape.outputs))
    for i in np.unique(np.linspace(0, len(time) - 1, INSTANTS_OF_ROUND_OFF).astype(int)):
        moved = np.repeat(states[i : i + 1], nv + 1, axis=0)
        moved[:, nq:] = np.concatenate([np.zeros((1, nv)), fastest * np.eye(nv)])
        values = evaluate(tape, tape_rows(motion, np.full(nv + 1, time[i]), moved))[:, 0::2]
        changes = np.abs(values[1:] - values[:1]).sum(axis=0)
        found = np.maximum(found, np.where(np.isfinite(changes), changes, 0.0))
    return HUNDRED_ROUND_OFFS * found


def _effects_of_scatter(motion: Record, time: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the scatter of given numbers changes in integrals (k,): beyond the claimed accuracy, and within it."""
    known, tape = scatter_of(motion), motion.model.tape("integrals")
    found = np.zeros((2, len(tape.outputs)))
    moved = np.flatnonzero(known.scatter)
    if not len(moved):
        return found[0], found[1]
    steps = SENSITIVITY_STEP * known.scale[moved]
    for i in np.unique(np.linspace(0, len(time) - 1, INSTANTS_OF_ROUND_OFF).astype(int)):
        there = np.repeat(states[i : i + 1], len(moved) + 1, axis=0)
        there[np.arange(1, len(moved) + 1), moved] += steps
        values = evaluate(tape, tape_rows(motion, np.full(len(there), time[i]), there))[:, 0::2]
        slopes = np.nan_to_num(np.abs(values[1:] - values[:1]) / steps[:, None])
        for k, errors in enumerate((np.where(known.quiet > 0.0, 0.0, known.scatter), known.quiet)):
            found[k] = np.maximum(found[k], SAFETY * (errors[moved] @ slopes))
    return found[0], found[1]


def _largest_terms(motion: Record, whole: SampledStates) -> np.ndarray:
    """Sizes (k,) of the terms of first integrals of a motion along another one."""
    rows = tape_rows(motion, whole.time, whole.states)
    sizes = np.abs(evaluate(motion.model.tape("integrals"), rows)[:, 1::2])
    return np.where(np.isfinite(sizes), sizes, 0.0).max(axis=0)
