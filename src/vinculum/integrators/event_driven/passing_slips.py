"""Slips that pass through zero where no small change of the velocities turns them: at dead points, and where links lie nearly in line."""

import numpy as np

from vinculum.integrators.event_driven.first_slips import Begin
from vinculum.integrators.event_driven.slow_slips import USE_STEPS
from vinculum.integrators.watch.loops import end_state
from vinculum.motion.problem import Steps
from vinculum.tolerances.event_driven import FAINT, NUDGE, PASSED_AT_MOST


def without_slips(begin: Begin, t: float, state: np.ndarray) -> str | None:
    """A message if a slip that begins does not have the direction in which it will slide; None if all have."""
    along = (begin.touching.at(t, state).speeds[begin.rows] * begin.directions).reshape(-1, 2).sum(axis=1)
    if np.all(along > 0.0):
        return None
    name = begin.touching.names[int(begin.rows[2 * int(np.argmin(along))]) // 3]
    begins = f"unilateral constraint '{name}' begins to slip at t = {t:.9g} s"
    return f"{begins}, and no small change of the velocities makes that slip; {USE_STEPS}"


def pass_zero(begin: Begin, t: float, state: np.ndarray) -> Steps | None:
    r"""The step in which slips pass through zero by their accelerations; None if these are too small, or if a slip is zero already.

    .. math:: u(s) = u_0 + a s, \qquad s \le (|u_0| + \epsilon)/|a|

    At a dead point a body moves although its slip is zero: no change of velocities makes a slip there, and friction does no work. The
    slip is known only to be none in this step, so that its friction may be that of the slip to come. The step is so short that
    velocities change by `PASSED_AT_MOST` at most, and a polynomial of the second order is exact to round-off.
    """
    touching = begin.touching
    here = touching.at(t, state)
    rates = here.rates + here.K @ (here.jacobians.T @ touching.forces(here)[0])
    comes = (here.jacobians @ rates + here.biases)[begin.rows].reshape(-1, 2)
    pace, slow = np.linalg.norm(comes, axis=1), np.linalg.norm(here.speeds[begin.rows].reshape(-1, 2), axis=1)
    if not np.all(pace > 0.0) or np.any(slow <= FAINT * touching.speed):
        return None
    length = t + float(((slow + NUDGE * touching.speed) / pace).max()) - t
    if not length * float(np.abs(rates).max(initial=0.0)) <= PASSED_AT_MOST * touching.speed or not length > 0.0:
        return None
    q_dot = touching.coordinate_rates(t, state)
    ahead = touching.coordinate_rates(t, state + length * np.concatenate([q_dot, rates]))
    bend = np.concatenate([0.5 * (ahead - q_dot) / length, np.zeros(len(rates))])
    found = Steps(np.array([t, t + length]), np.stack([state, np.concatenate([q_dot, rates]), bend], axis=1)[None])
    end = found.times[-1]
    return found if without_slips(begin, float(end), end_state(found)) is None else None
