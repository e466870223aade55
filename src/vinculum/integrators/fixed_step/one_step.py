"""One step of each fixed-step method over a batch of states, in NumPy: an independent check of the compiled loops."""

from collections.abc import Callable

import numpy as np

from vinculum.motion.method import MIDDLE
from vinculum.tolerances.steps import CONVERGED, IMPLICIT_ITERATIONS

Field = Callable[[np.ndarray, np.ndarray], np.ndarray]


def advance(
    method: str, f: Field, t: np.ndarray, x: np.ndarray, h: np.ndarray, nq: int, theta: float = MIDDLE
) -> np.ndarray:
    """States (B, n) after one step of lengths h (B,) from states x at instants t; ``f(t, x)`` gives their rates."""
    if method == "moreau":
        return _moreau(f, t, x, h, nq, theta)
    return {"rk4": _rk4, "verlet": _verlet, "midpoint": _midpoint}[method](f, t, x, h, nq)


def _rk4(f: Field, t, x, h, nq) -> np.ndarray:
    H = h[:, None]
    k1 = f(t, x)
    k2 = f(t + h / 2, x + H / 2 * k1)
    k3 = f(t + h / 2, x + H / 2 * k2)
    k4 = f(t + h, x + H * k3)
    return x + H / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def _verlet(f: Field, t, x, h, nq) -> np.ndarray:
    """Half a kick, a drift, half a kick.

    Kick and drift are solved by iteration, since forces may depend on velocities and the drift on the position where it ends.
    """
    H = h[:, None]
    q, v = x[:, :nq], x[:, nq:]
    v_half = v
    for _ in range(IMPLICIT_ITERATIONS):
        new = v + H / 2 * f(t, np.hstack([q, v_half]))[:, nq:]
        done = np.abs(new - v_half).max(initial=0.0) <= CONVERGED * (1 + np.abs(new).max(initial=0.0))
        v_half = new
        if done:
            break
    start = f(t, np.hstack([q, v_half]))[:, :nq]
    q_new = q + H * start
    for _ in range(IMPLICIT_ITERATIONS):
        new = q + H / 2 * (start + f(t + h, np.hstack([q_new, v_half]))[:, :nq])
        done = np.abs(new - q_new).max(initial=0.0) <= CONVERGED * (1 + np.abs(new).max(initial=0.0))
        q_new = new
        if done:
            break
    v_new = v_half + H / 2 * f(t + h, np.hstack([q_new, v_half]))[:, nq:]
    return np.hstack([q_new, v_new])


def _midpoint(f: Field, t, x, h, nq) -> np.ndarray:
    H = h[:, None]
    new = x + H * f(t, x)
    for _ in range(IMPLICIT_ITERATIONS):
        better = x + H * f(t + h / 2, 0.5 * (x + new))
        done = np.abs(better - new).max(initial=0.0) <= CONVERGED * (1 + np.abs(new).max(initial=0.0))
        new = better
        if done:
            break
    return new


def _moreau(f: Field, t, x, h, nq, theta: float) -> np.ndarray:
    """Velocities by the rates at θ, positions by the mean of the velocities: time stepping without contact."""
    H = h[:, None]
    change = H * f(t, x)
    for _ in range(IMPLICIT_ITERATIONS):
        new = H * f(t + h / 2, x + 0.5 * change)
        if theta != MIDDLE:
            new[:, nq:] = H * f(t + theta * h, x + theta * change)[:, nq:]
        done = np.abs(new - change).max(initial=0.0) <= CONVERGED * (1 + np.abs(x).max(initial=0.0))
        change = new
        if done:
            break
    return x + change
