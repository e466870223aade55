"""Tolerances of balance laws: the errors of quadrature, round-off and integrator. `admitted_errors` computes them."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import final

import numpy as np

from vinculum.audits.balances.jumps import jumps
from vinculum.audits.balances.quantities import first_coordinate, samples
from vinculum.audits.balances.singular_positions import round_off_growth
from vinculum.audits.balances.tally import Tally, tally
from vinculum.audits.by_type import BALANCES
from vinculum.audits.impacts.seen_impacts import TIME_STEPPING, impacts, solver_accuracy
from vinculum.audits.phases import phases
from vinculum.audits.scaling.scatter import by_group, knots, scatter_of
from vinculum.audits.scaling.speeds import speeds_and_turns
from vinculum.audits.weak.rest import resting_speed
from vinculum.bonds.unilaterals import SLIDES
from vinculum.compile.evaluate import evaluate_groups
from vinculum.integrators.taylor.tolerance import series_tolerance
from vinculum.motion.given.splines import DEGREE, smooth_parts, spline_pieces
from vinculum.motion.method import GIVEN
from vinculum.motion.pieces import Pieces
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_rows
from vinculum.tolerances.certificates import BALANCES_HELD, DOP853_SAFETY, DOUBLING_SAFETY, DOUBT, SAFETY, UNIT_AXES
from vinculum.tolerances.event_driven import NUDGE
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.samples import INSTANTS_OF_REST
from vinculum.tolerances.steps import THREE_DIGITS

FEWEST_INSTANTS = 2 * (DEGREE + 1)


@final
@dataclass(frozen=True, eq=False)
class Admitted:
    """For every balanced quantity (m,): the error of a correct motion, and its reason.

    ``tolerance``: the estimated error. ``doubt``: beyond it the motion is wrong; between both the law is undecided,
    because an estimate is not a bound. ``noise``: round-off, measured as the method does (for a series relative to the
    largest entry of the state), and the effect of round-off of balanced forces in the duration of the motion; a
    quantity that changes less is at rest. ``held``: a body with balanced forces counts as at rest if its momentum is
    below this fraction of the momentum that single forces would produce; in time stepping, in one step.
    """

    tolerance: np.ndarray
    doubt: np.ndarray
    noise: np.ndarray
    reason: str
    held: float = BALANCES_HELD


def admitted_errors(motion: Record, found: Tally) -> Admitted:
    """Tolerances for the method of this motion."""
    name, claimed = motion.method.claims.name, motion.method.claimed
    given = name == "given"
    values = by_group(motion, np.maximum(np.abs(found.low), np.abs(found.high)))
    changes = values.copy()
    nq = motion.model.nq
    changes[:nq] = by_group(motion, found.high - found.low)[:nq]
    held = np.maximum(values, _size_of_all(motion, found) or resting_speed(motion))
    drifts = _drifts(motion)
    # a number of a tiny system may be far below what the method measures all numbers by
    sizes = np.where(held > 0.0, np.maximum(values, THREE_DIGITS * held), drifts)
    (by_values, by_held, by_changes, by_drifts), rates = BALANCES.of(motion.model).sensitivities(
        motion, sizes, (values, held, changes, drifts)
    )
    grown = round_off_growth(motion)
    times = 1 if given else found.steps * grown
    # each step begins at a rounded state, which changes forces far from the origin during the whole step
    rounded = found.gross + rates * (motion.pieces.end - motion.pieces.begin) / np.sqrt(max(found.steps, 1))
    round_off, noise = (SAFETY * ROUND_OFF * (found.size + rounded + times * x) for x in (by_values, by_held))
    # impulses that balance each other do so to the accuracy of the solver, and their sum is no motion
    noise = noise + solver_accuracy(motion) * found.hits
    noise[_turns(motion)] += SAFETY * min(found.chart_defect, UNIT_AXES)
    base, most, noise = (x + found.rounded for x in (round_off, noise, noise + SAFETY * ROUND_OFF * by_drifts))
    nudged = SAFETY * NUDGE * _slides_from_rest(motion) * by_values
    base, most, noise = (
        found.quadrature + found.clock + nudged + base,
        found.quadrature + found.clock + nudged + most,
        noise + nudged,
    )
    if given:
        assert claimed is not None
        scattered, quiet = _effects_of_scatter(motion, found)
        return _of_given(motion, found, base + scattered, noise + quiet, SAFETY * claimed * by_changes)
    if claimed is None:
        steps = DOUBLING_SAFETY * found.method
        held = max(BALANCES_HELD, 1.0 / max(found.steps, 1)) if name in TIME_STEPPING else BALANCES_HELD
        return Admitted(base + steps, most + DOUBT * steps, noise, f"quadrature, step doubling of {name}", held)
    count = (SAFETY if name in ("taylor", "series") else DOP853_SAFETY) * found.steps * grown * max(claimed, ROUND_OFF)
    reason = f"quadrature, {found.steps} steps to {claimed:.1e}"
    if name == "idas":  # stiff forces amplify errors of the state for as long as these last
        stiff = SAFETY * claimed * rates * (motion.pieces.end - motion.pieces.begin)
        base, most = base + stiff, most + DOUBT * stiff
    return Admitted(base + count * by_changes, most + DOUBT * count * np.maximum(by_changes, by_held), noise, reason)


def _turns(motion: Record) -> list[int]:
    """Indices of the balanced quantities that are quaternions. Their lengths have a line of their own, and are pulled back to one."""
    return [first_coordinate(motion.model) + i for a, b in motion.model.layout.quaternions for i in range(a, b)]


def _effects_of_scatter(motion: Record, found: Tally) -> tuple[np.ndarray, np.ndarray]:
    """What the scatter of given numbers changes in the balanced quantities (m,), and the part of it within the claimed accuracy. In the
    integrals of rates, errors at many instants add up as a root; what rests must not exceed them even if they add up."""
    known = scatter_of(motion)
    if not np.any(known.scatter):
        return np.zeros(len(found.defect)), np.zeros(len(found.defect))
    span, effects = motion.pieces.end - motion.pieces.begin, []
    for errors, lasting in ((known.scatter, span / np.sqrt(max(found.steps, 1))), (known.quiet, span)):
        (by_values,), rates = BALANCES.of(motion.model).sensitivities(motion, known.scale, (errors,))
        effects.append(SAFETY * (by_values + lasting * rates))
    return effects[0], effects[1]


def _drifts(motion: Record) -> np.ndarray:
    """Changes (n,) of the state that single forces would produce in the duration of the motion if multipliers did not balance them.
    Zero without constraints, and for motions that were computed elsewhere."""
    model, span, drift = motion.model, motion.pieces.end - motion.pieces.begin, np.zeros(motion.pieces.size)
    if motion.method.claims is GIVEN:
        return drift
    speeds = np.zeros(2)
    held = [part for _, part in phases(motion) if part.model.layout.gaps]
    parts = sorted(held, key=lambda part: part.pieces.begin - part.pieces.end)
    for part in parts[:INSTANTS_OF_REST]:
        edges = np.asarray(part.pieces.times)
        instants = edges[np.unique(np.linspace(0, len(edges) - 1, INSTANTS_OF_REST).astype(int))]
        balance = evaluate_groups(part.model.tape("balance"), tape_rows(part, instants, states_at(part, instants)))
        speeds = np.maximum(speeds, speeds_and_turns(balance, span))
    drift[: model.nq] = [span * speeds[int(unit != "m")] for unit in model.layout.q_units]
    drift[model.nq : model.nq + model.nv] = [speeds[int(unit != "m/s")] for unit in model.layout.v_units]
    for entry in model.layout.constraints.values():
        drift[slice(*entry.mu)] = 0.0
    drift[list(model.layout.masses.values())] = 0.0
    return np.where(np.isfinite(drift), drift, 0.0)


def _slides_from_rest(motion: Record) -> int:
    """Number of phases of an event-driven motion that may begin with a least slip, which gives friction a direction."""
    rough = {name for name, entry in motion.model.layout.unilaterals.items() if entry.friction}
    return sum(any(status == SLIDES and name in rough for name, status in phase.closed) for phase in motion.phases)


def _of_given(motion: Record, found: Tally, base, noise, claimed) -> Admitted:
    """Tolerances of a given motion: its claimed accuracy, and how well a spline through the given states is determined."""
    time, states = knots(motion)
    parts = smooth_parts(time)
    fewest = min(part.stop - part.start for part in parts)
    if fewest < FEWEST_INSTANTS:
        unknown = np.full(len(base), np.inf)
        told = f"{fewest} instants" + " between two jumps" * (len(parts) > 1)
        return Admitted(unknown, unknown, noise, f"{told}, and a spline needs {FEWEST_INSTANTS}")
    other = _tally_along(motion, spline_pieces(time, states, degree=DEGREE - 2))
    kept = np.concatenate([np.append(np.arange(part.start, part.stop - 1, 2), part.stop - 1) for part in parts])
    coarse = _tally_along(motion, spline_pieces(time[kept], states[kept]))
    apart = np.maximum(SAFETY * np.abs(found.defect - other.defect), np.abs(found.defect - coarse.defect))
    apart = apart + _unsure_phases(motion, len(base))
    reason = f"claimed accuracy {motion.method.tolerance:g}, other splines and every second instant"
    return Admitted(base + claimed + apart, base + claimed + DOUBT * apart, noise, reason)


def _tally_along(motion: Record, pieces: Pieces) -> Tally:
    """The balances along other pieces with the same jumps and phases."""
    edges = np.asarray(pieces.times)
    steps = [int(np.searchsorted(edges, phase.begin)) for phase in motion.phases]
    phases = tuple(replace(phase, step=step) for phase, step in zip(motion.phases, steps, strict=True))
    other = replace(motion, pieces=pieces, phases=phases)
    return tally(other, jumped=jumps(other, impacts(other)))


def _unsure_phases(motion: Record, count: int) -> np.ndarray:
    """Uncertainty (m,) from forces that begin or end somewhere between two instants."""
    total = np.zeros(count)
    parts = phases(motion) if any(phase.unsure for phase in motion.phases) else []
    unsure = {phase.step: phase.unsure for phase in motion.phases}
    for (_, before), (step, after) in pairwise(parts):
        t = np.array([after.pieces.begin])
        rates = [samples(part, t, part.pieces.state(t)).R[0][:count] for part in (before, after)]
        change = np.where(np.isfinite(rates[1] - rates[0]), np.abs(rates[1] - rates[0]), 0.0)
        total[: len(change)] += unsure[step] * change
    return total


def _size_of_all(motion: Record, found: Tally) -> float:
    """The size of the state against which a method measures errors of all its numbers together: the largest number in it, or one. Zero
    for methods that measure every number by itself. IDAS solves equations for all numbers together, and a series has one length of step."""
    name, tolerance = motion.method.claims.name, motion.method.tolerance or ROUND_OFF
    if name not in ("taylor", "idas"):
        return 0.0
    largest = max(1.0, float(np.maximum(np.abs(found.low), np.abs(found.high)).max(initial=0.0)))
    if name == "idas":
        return largest
    begin = np.array([motion.pieces.begin])
    row = tape_rows(motion, begin, motion.pieces.state(begin))[0]
    return series_tolerance(motion.model, row, tolerance) / tolerance * largest
