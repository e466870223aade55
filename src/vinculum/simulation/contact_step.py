"""The time step of a run with contact between shapes, if none is asked for."""

import math

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model import Model
from vinculum.simulation.by_type import Prepared
from vinculum.tolerances.samples import FEWEST_STEPS
from vinculum.tolerances.time_stepping import FALL_OF_A_STEP, SHORTEST_WAY, WAY_OF_A_STEP


def contact_step(prepared: Prepared, reach: float, speed: float) -> float:
    """A time step [s] for shapes with this smallest ``reach`` [m], the fastest of which starts with this ``speed`` [m/s].

    It is a small part of the time in which the smallest shape falls by its own size, or passes it. It has one digit: 1, 2 or 5.
    """
    limits, pull = [prepared.span / FEWEST_STEPS], float(np.linalg.norm(prepared.system.gravity))
    if pull > 0.0:
        limits.append(FALL_OF_A_STEP * math.sqrt(reach / pull))
    if speed > 0.0:
        limits.append(WAY_OF_A_STEP * reach / speed)
    return _rounded_down(min(limits))


def told_step(step: float) -> str:
    """The remark that a step was chosen."""
    return (
        f"time steps of {step:g} s were chosen from the smallest shape, gravity and the speeds at the start; a shorter step= is more "
        "accurate"
    )


def tree_speed(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> float:
    """The largest speed [m/s] of the shapes of a tree at a state, by a difference over a short way."""
    from vinculum.integrators.moreau.contacts import shape_places

    assert model.shapes is not None
    nq, moving = model.nq, model.shapes.moving
    row = np.concatenate([state, [t], values])
    rates = evaluate_groups(model.tape("rates"), row[None])["q_dot"][0]
    if not rates.any():
        return 0.0
    brief = SHORTEST_WAY * max(1.0, float(np.abs(state[:nq]).max())) / float(np.abs(rates).max())
    later = row.copy()
    later[:nq] += brief * rates
    centers, axes = shape_places(model, np.stack([row, later]))
    turning = np.linalg.norm(axes[1] - axes[0], axis=(1, 2)) * model.shapes.reaches[:moving]
    return float((np.linalg.norm(centers[1] - centers[0], axis=1) + turning).max()) / brief


def _rounded_down(h: float) -> float:
    """The largest number 1, 2 or 5 times a power of ten that is not above h."""
    power = 10.0 ** math.floor(math.log10(h))
    digit = max(d for d in (1.0, 2.0, 5.0) if d * power <= h or d == 1.0)
    return float(f"{digit * power:.0e}")
