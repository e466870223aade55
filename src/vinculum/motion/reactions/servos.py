"""Servos: their power and work, and where their efforts exceed their bounds."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import StartError
from vinculum.motion.reactions.work import accumulated_work
from vinculum.motion.states import states_at, tape_groups
from vinculum.systems import nearest
from vinculum.tolerances.iterations import EVENT_HALVINGS, SERVO_PARTS, SERVO_ROUNDS
from vinculum.tolerances.samples import FEWEST_SERVO_SAMPLES, MOST_SERVO_SAMPLES, SERVO_SAMPLES_PER_STEP


@final
@dataclass(frozen=True)
class Excess:
    """An effort beyond its bounds: constraint and row of its multiplier, ``bounds`` (low, high), the ``first`` instant [s] at which it
    leaves them, and the ``largest`` value beyond them with its instant ``at`` [s] (the smallest value if it is
    below)."""

    constraint: str
    row: int
    bounds: tuple[float, float]
    first: float
    largest: float
    at: float

    @property
    def relative(self) -> float:
        """How far the largest effort is beyond its bound, over the width of the bounds' larger side."""
        low, high = self.bounds
        return max(self.largest - high, low - self.largest) / max(abs(low), abs(high))

    def __str__(self) -> str:
        low, high = self.bounds
        meant = f"|λ| ≤ {high:g}" if low == -high else f"{low:g} ≤ λ ≤ {high:g}"
        return (
            f"servo of '{self.constraint}': effort {self.row} leaves its bounds {meant} first at t = {self.first:.9g} s, and comes to "
            f"{self.largest:.6g} at t = {self.at:.6g} s"
        )


def servo_names(motion: Any, constraint) -> list[str]:
    """The constraint named, which a servo must keep; all that servos keep by default."""
    known = motion.model.layout.constraints
    servos = [name for name, entry in known.items() if entry.realization == "Servo"]
    if constraint is None:
        return servos
    name = constraint if isinstance(constraint, str) else getattr(constraint, "name", constraint)
    if name not in servos:
        told = f"constraint '{name}' is kept by {known[name].realization} and no servo" if name in known else (
            f"there is no constraint '{name}' kept by a servo in system '{motion.model.name}'{nearest(str(name), servos)}")  # fmt: skip
        raise StartError(f"{told}; vc.Servo(…) keeps one by efforts whose power is told")
    return [name]


def servo_power(motion: Any, names: list[str], time: np.ndarray) -> np.ndarray:
    """Power [W] of servos at instants, (T,)."""
    if not names:
        return np.zeros(len(time))
    found = tape_groups(motion, "bonds", time, states_at(motion, time))
    total: Any = sum(found[f"{name}/work"][:, 0] for name in names)
    return total


def servo_work(motion: Any, names: list[str]) -> np.ndarray:
    """Work [J] of servos from the beginning of the motion to each instant of its grid, (T,), by Gauss quadrature over its steps."""
    return accumulated_work(motion, lambda time: servo_power(motion, names, time))


def find_excess(motion: Any, names: list[str]) -> tuple[Excess, ...]:
    """Every effort that leaves its bounds, from samples of the dense output; the first instant to round-off."""
    known = motion.model.layout.constraints
    bounded = [name for name in names if known[name].bounds is not None]
    if not bounded:
        return ()
    time = _samples(np.asarray(motion.pieces.times))
    found = tape_groups(motion, "bonds", time, states_at(motion, time))
    result = []
    for name in bounded:
        for row, (low, high) in enumerate(known[name].bounds):
            lam = found[f"{name}/multipliers"][:, row]
            beyond = np.maximum(lam - high, low - lam)
            if not np.any(beyond > 0.0):
                continue
            k, worst = int(np.argmax(beyond > 0.0)), int(np.argmax(beyond))
            first = float(time[k]) if k == 0 else _crossing(motion, name, row, (low, high), time[k - 1], time[k])
            at = _peak(motion, name, row, (low, high), time[max(worst - 1, 0)], time[min(worst + 1, len(time) - 1)])
            result.append(
                Excess(name, row, (low, high), first, float(_efforts(motion, name, row, np.array([at]))[0]), at)
            )
    return tuple(result)


def _efforts(motion: Any, name: str, row: int, time: np.ndarray) -> np.ndarray:
    return tape_groups(motion, "bonds", time, states_at(motion, time))[f"{name}/multipliers"][:, row]


def _samples(edges: np.ndarray) -> np.ndarray:
    """Instants within every step and over the whole span; of very many steps the latter alone."""
    if (len(edges) - 1) * SERVO_SAMPLES_PER_STEP >= MOST_SERVO_SAMPLES:
        return np.linspace(edges[0], edges[-1], MOST_SERVO_SAMPLES)
    fractions = np.arange(SERVO_SAMPLES_PER_STEP) / SERVO_SAMPLES_PER_STEP
    inside = (edges[:-1, None] + np.diff(edges)[:, None] * fractions).ravel()
    return np.unique(np.concatenate([inside, np.linspace(edges[0], edges[-1], FEWEST_SERVO_SAMPLES)]))


def _crossing(motion: Any, name: str, row: int, bounds: tuple[float, float], inside: float, outside: float) -> float:
    """The instant between two at which an effort leaves its bounds."""
    for _ in range(EVENT_HALVINGS):
        middle = 0.5 * (inside + outside)
        if not inside < middle < outside:
            break
        lam = _efforts(motion, name, row, np.array([middle]))[0]
        inside, outside = (inside, middle) if lam > bounds[1] or lam < bounds[0] else (middle, outside)
    return float(outside)


def _peak(motion: Any, name: str, row: int, bounds: tuple[float, float], low: float, high: float) -> float:
    """The instant between two at which an effort is farthest beyond its bounds."""
    peak = low
    for _ in range(SERVO_ROUNDS):
        time = np.linspace(low, high, SERVO_PARTS)
        lam = _efforts(motion, name, row, time)
        k = int(np.argmax(np.maximum(lam - bounds[1], bounds[0] - lam)))
        peak, low, high = float(time[k]), time[max(k - 1, 0)], time[min(k + 1, SERVO_PARTS - 1)]
    return peak
