"""How well the numbers of a motion that was computed elsewhere determine a smooth curve."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.scaling.speeds import speeds_and_turns
from vinculum.compile.evaluate import evaluate_groups
from vinculum.motion.given.splines import DEGREE, double_breaks, smooth_parts, spline_pieces
from vinculum.motion.method import GIVEN
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows
from vinculum.tolerances.certificates import AT_REST, LEAST_STATE, SHARP
from vinculum.tolerances.samples import CONDITION_INSTANTS, INSTANTS_OF_REST


@final
@dataclass(frozen=True, eq=False)
class Scatter:
    """For every number of the state (n,), the largest of all that share a joint, a kind and a unit.

    ``scatter``: the distance of half of the given numbers from a spline through every second instant. Noise has such a distance, and a
    curve that the instants resolve has almost none. ``quiet``: the largest distance where the scatter is within the claimed accuracy of the
    scale of the state, and zero elsewhere. ``between``: the largest difference of two splines between the instants.
    """

    scatter: np.ndarray
    quiet: np.ndarray
    between: np.ndarray
    largest: np.ndarray
    scale: np.ndarray

    def accuracy(self) -> float:
        """The largest relative error between instants. Numbers that are noise are measured against the scale of the state."""
        apart = np.maximum(self.between, self.scatter)
        sizes = np.where(apart <= SHARP * self.largest, self.largest, self.scale)
        return float(np.divide(apart, sizes, out=np.zeros_like(apart), where=apart > 0.0).max(initial=0.0))

    def scale_of_speeds(self, motion: Record, speeds: np.ndarray) -> tuple[np.ndarray, float]:
        """Speeds [m/s] and angular velocities [rad/s] (2,) that forces are multiplied with for a scale of power, and the fraction of them
        that is scatter. They are at least `AT_REST`, because the power of what rests is round-off times round-off, and for a motion that
        was computed elsewhere at least those of its state."""
        speeds = np.maximum(speeds, AT_REST)
        if not np.any(self.scatter):
            return speeds, 0.0
        nq, units = motion.model.nq, np.array(motion.model.layout.v_units)
        own = [np.flatnonzero(kind) + nq for kind in (units == "m/s", units != "m/s")]
        speeds = np.maximum(speeds, [float(self.scale[which].max(initial=LEAST_STATE)) for which in own])
        apart = [float(np.maximum(self.scatter, self.between)[which].max(initial=0.0)) for which in own]
        return speeds, float((np.array(apart) / speeds).max())


def scatter_of(motion: Record) -> Scatter:
    """The scatter of the states of a motion; zero for a motion that was computed here."""
    n = motion.pieces.size
    none = np.zeros(n)
    if motion.method.claims is not GIVEN:
        return Scatter(none, none, none, none, none)
    time, states = knots(motion)
    scatter, farthest = np.zeros((2, n))
    for part in smooth_parts(time):
        kept, left_out = np.arange(part.start, part.stop, 2), np.arange(part.start + 1, part.stop - 1, 2)
        if len(kept) > DEGREE and len(left_out):
            coarse = spline_pieces(time[kept], states[kept])
            apart = np.abs(coarse.state(time[left_out]) - states[left_out])
            scatter, farthest = np.maximum(scatter, np.median(apart, axis=0)), np.maximum(farthest, apart.max(axis=0))
    instants = np.linspace(motion.pieces.begin, motion.pieces.end, CONDITION_INSTANTS)
    other = spline_pieces(time, states, degree=DEGREE - 2)
    between = np.abs(other.state(instants) - motion.pieces.state(instants)).max(axis=0)
    scatter, farthest, between, largest = (
        by_group(motion, x) for x in (scatter, farthest, between, np.abs(states).max(axis=0))
    )
    scale = np.maximum(largest, _natural_scale(motion))
    quiet = np.where(scatter <= (motion.method.claimed or 0.0) * scale, farthest, 0.0)
    return Scatter(scatter, quiet, between, largest, scale)


def _natural_scale(motion: Record) -> np.ndarray:
    """The size (n,) of positions and velocities that bodies have, or that single forces would produce in the duration of the motion, and
    at least `LEAST_STATE`."""
    layout, nq, span = motion.model.layout, motion.model.nq, motion.pieces.end - motion.pieces.begin
    scale = np.full(motion.pieces.size, LEAST_STATE)
    if not motion.model.type.has_graphs:
        return scale
    instants = np.linspace(motion.pieces.begin, motion.pieces.end, INSTANTS_OF_REST)
    balance = evaluate_groups(motion.model.tape("balance"), tape_rows(motion, instants, motion.pieces.state(instants)))
    speed, turn = np.nan_to_num(speeds_and_turns(balance, span), posinf=0.0)
    scale[:nq] = [max(LEAST_STATE, span * speed) if unit == "m" else 1.0 for unit in layout.q_units]
    scale[nq : nq + motion.model.nv] = [max(LEAST_STATE, speed if unit == "m/s" else turn) for unit in layout.v_units]
    return scale


def knots(motion: Record) -> tuple[np.ndarray, np.ndarray]:
    """Instants and states of a given motion. Instants at which one spline ends and the next begins occur twice."""
    edges = np.asarray(motion.pieces.times)
    breaks = np.array(
        [*([] if motion.atoms is None else motion.atoms.times), *(phase.begin for phase in motion.phases)]
    )
    time = double_breaks(edges, breaks)
    first = np.append(np.diff(time) == 0.0, False)[:, None]
    return time, np.where(first, motion.pieces.state(time, side="left"), motion.pieces.state(time))


def by_group(motion: Record, sizes: np.ndarray) -> np.ndarray:
    """The largest size among the numbers of the state that share a joint, a kind and a unit, (n,)."""
    groups = np.asarray(motion.model.layout.groups, dtype=int)
    largest = np.zeros(groups.max(initial=-1) + 1)
    np.maximum.at(largest, groups, sizes)
    return largest[groups]
