"""Arguments of a run: time, grid, parameters, step."""

import math
from collections.abc import Mapping

import numpy as np

from vinculum.errors import MethodError, StartError
from vinculum.scalars import value
from vinculum.screws.entries import entries, is_number, shorten
from vinculum.tolerances.sizes import MOST_INSTANTS
from vinculum.tolerances.steps import WHOLE_STEPS
from vinculum.tolerances.time import RUN_ENDED


def floats(what: str, x) -> np.ndarray:
    """``x`` as an array of finite floats; anything else is refused under the name ``what``."""
    return np.asarray(value(entries(what, x, refusal=StartError)))


def named_values(parameters) -> dict:
    """Values by the names of parameters; None means none."""
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping):
        raise StartError(
            f"parameters is {shorten(parameters)} and must map names to values, as parameters={{'m': 1.5}}"
        )
    return dict(parameters)


def whole_span(begin, until) -> tuple[float, float]:
    """Start and end time [s] as floats."""
    try:
        begin, until = float(begin), float(until)
    except (TypeError, ValueError, OverflowError) as error:
        raise StartError(f"begin {shorten(begin)} and until {shorten(until)} must be numbers") from error
    if not (math.isfinite(begin) and math.isfinite(until)):
        raise StartError(f"begin {begin} s and until {until} s must be finite")
    if until <= begin:
        raise StartError(f"the end time {until:g} s is not after the start time {begin:g} s")
    return begin, until


def grid_instants(grid, begin: float, until: float) -> np.ndarray:
    """The instants of a grid: as many as asked for, evenly spread, or those given."""
    if isinstance(grid, (int, np.integer)) and not isinstance(grid, bool):
        if grid < 2:
            raise StartError(f"grid={shorten(grid)}: at least two instants are needed")
        if grid > MOST_INSTANTS:
            raise StartError(
                f"grid={shorten(grid)}: at most {MOST_INSTANTS} instants are kept at once; steps are kept whole in any case, so take a "
                "coarser grid and ask motion.at(…) for more where you need them"
            )
        instants = np.arange(int(grid)) * ((until - begin) / (int(grid) - 1)) + begin
        instants[-1] = until
        return instants
    instants = floats("grid", grid)
    if instants.ndim != 1 or len(instants) == 0:
        raise StartError(f"grid has shape {instants.shape}: give a number of instants or a row of them")
    if np.any(np.diff(instants) <= 0) or instants[0] < begin or instants[-1] > until:
        raise StartError(f"the instants of grid must increase and lie between {begin:g} and {until:g} s")
    return instants


def step_ends(begin: float, until: float, step: float, most: int) -> np.ndarray:
    """Ends of time steps, evenly thinned out to at most about so many, and the end of the run."""
    whole = int((until - begin) / step * (1 + WHOLE_STEPS))
    every = max(1, -(-whole // (most - 1)))
    instants = begin + step * np.arange(0, whole + 1, every)
    instants[-1] = min(instants[-1], until)
    return instants if until - instants[-1] <= RUN_ENDED * (until - begin) else np.append(instants, until)


def reached_instants(grid: np.ndarray, begin: float, end: float) -> np.ndarray:
    """The instants of a grid that a run which ended early has reached, its end included."""
    inside = grid[(grid >= begin) & (grid <= end)]
    return np.append(inside, end) if len(inside) < len(grid) and (len(inside) == 0 or inside[-1] < end) else inside


def fixed_step(method: str, step, span: float, latest: float) -> float:
    """The step [s] of a fixed-step method over a span of time; one that the clock cannot resolve is refused.

    ``latest``: the largest size of the time [s].
    """
    if step is None:
        raise MethodError(f"method '{method}' needs step=, the length of a time step in seconds")
    if not (is_number(step) and step > 0.0):
        raise MethodError(f"step {shorten(step)} must be a positive and finite number of seconds")
    if step < 8 * np.finfo(float).eps * latest:
        raise MethodError(
            f"step {step:g} s is below the resolution of the clock at t = {latest:g} s; begin nearer to zero"
        )
    if span / step > 1e9:
        raise MethodError(
            f"step {step:g} s would take {span / step:.1e} steps, at most 1e9 are allowed; use a longer one"
        )
    return float(step)


def checked_side(side: str) -> str:
    """The side from which limits are taken where velocities jump."""
    if side not in ("left", "right"):
        raise StartError(f"side {shorten(side)} must be 'left' or 'right': the limits of velocities where they jump")
    return side


def values_in_order(usual: Mapping[str, float], given: Mapping[str, float]) -> np.ndarray:
    """Values of all parameters (p,) in the order of their names: those given, the usual ones of the others."""
    known = {**usual, **given}
    return np.array([known[name] for name in sorted(known)], dtype=float)
