"""One implicit collocation step, for rates that have a limit at the start but no derivative with respect to the velocities."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
from numpy.polynomial import Legendre, legendre

from vinculum.tolerances.event_driven import (
    COLLOCATED,
    COLLOCATION_ITERATIONS,
    COLLOCATION_LONGEST,
    COLLOCATION_SETTLED,
    COLLOCATION_SHIFT,
    FAINT,
    NO_ACCELERATION,
)

Rates = Callable[[np.ndarray, np.ndarray], np.ndarray]
Slips = Callable[[np.ndarray, np.ndarray], np.ndarray]


@final
@dataclass(frozen=True, eq=False)
class Radau:
    """Radau IIA with s stages: nodes (s,) in (0, 1], weights A (s, s) of the stages, and coefficients (s, s) of the powers of θ in
    Lagrange's polynomials.

    Hairer and Wanner, Solving ODEs II, IV.5.
    """

    nodes: np.ndarray
    weights: np.ndarray
    lagrange: np.ndarray


@lru_cache(maxsize=8)
def radau(stages: int) -> Radau:
    """The Radau IIA collocation with the given number of stages."""
    last = Legendre.basis(stages) - Legendre.basis(stages - 1)
    c = np.append(0.5 + 0.5 * np.sort(np.real(last.roots()))[: stages - 1], 1.0)
    x, w = legendre.leggauss(stages)
    x, w = 0.5 + 0.5 * x, 0.5 * w
    others = [np.delete(c, j) for j in range(stages)]
    scales = [np.prod(c[j] - rest) for j, rest in enumerate(others)]
    values = [[np.prod(c[i] * x[:, None] - rest, axis=1) @ w * c[i] for rest in others] for i in range(stages)]
    powers = [np.poly(rest)[::-1] / scale for rest, scale in zip(others, scales, strict=True)]
    return Radau(c, np.array(values) / np.array(scales), np.array(powers))


def collocate(
    rates: Rates, slips: Slips, begin: float, state: np.ndarray, tau: float, guess: np.ndarray
) -> np.ndarray | None:
    r"""Collocation polynomial that satisfies x' = f(x, t) at the Radau nodes; None if Newton's method does not converge.

    Returns coefficients (n, s + 1) of powers of t − begin. ``guess`` (s, nv): velocity changes at the stages. ``slips``: for states (B,
    n) at instants (B,), the vectors (B, c, 3) whose directions enter the rates. No Newton step changes such a vector by more than half
    of it.
    """
    form, nv = radau(len(guess)), guess.shape[1]
    n, nq, stages = len(state), len(state) - nv, len(guess)
    times, A = begin + tau * form.nodes, tau * form.weights
    changes, fastest = np.zeros((stages, n)), float(np.abs(state[nq:]).max())
    changes[:, nq:] = guess
    changes[:, :nq] = A @ rates(state + changes, times)[:, :nq]
    before = np.inf
    for _ in range(COLLOCATION_ITERATIONS):
        f, now = rates(state + changes, times), slips(state + changes, times)
        sizes = np.linalg.norm(now, axis=2)
        shifts = COLLOCATION_SHIFT * sizes.min(axis=1)
        if not (np.all(np.isfinite(f)) and np.all(shifts > FAINT * fastest)):
            return None
        jacobians = rate_jacobians(rates, state + changes, times, shifts, np.arange(n))
        matrix = np.eye(stages * n) - np.einsum("ij,jab->iajb", A, jacobians).reshape(stages * n, -1)
        residual = A @ f - changes
        if not np.all(np.isfinite(matrix)):
            return None
        try:
            change = np.linalg.solve(matrix, residual.ravel()).reshape(stages, n)
        except np.linalg.LinAlgError:
            return None
        turned = np.linalg.norm(slips(state + changes + change, times) - now, axis=2)
        moved_by = float((turned / sizes).max())
        changes += change * min(1.0, COLLOCATION_LONGEST / max(moved_by, COLLOCATION_LONGEST))
        if moved_by <= COLLOCATED or (moved_by <= COLLOCATION_SETTLED and moved_by > 0.5 * before):
            resting = np.abs(f[:, nq:]).max(axis=0) <= NO_ACCELERATION * np.abs(f[:, nq:]).max()
            changes[:, nq:][:, resting] = 0.0
            changes[:, :nq] = A @ rates(state + changes, times)[:, :nq]
            # Solved from the changes: rates at rounded velocities have larger errors in their direction than the changes.
            return _polynomial(form, state, np.where(np.any(changes, axis=0), np.linalg.solve(A, changes), 0.0), tau)
        before = moved_by
    return None


def rate_jacobians(
    rates: Rates, states: np.ndarray, times: np.ndarray, shifts: np.ndarray, moved: np.ndarray
) -> np.ndarray:
    """Derivatives (B, n, k) of rates with respect to the entries ``moved`` (k,) of the state, by central differences.

    Along a slip its direction does not change, so some derivatives are zero. One-sided differences would leave a significant error
    there.
    """
    (count, n), k = states.shape, len(moved)
    near, places = np.repeat(states[:, None, None], 2, axis=1).repeat(k, axis=2), np.arange(k)
    near[:, 0, places, moved] += shifts[:, None]
    near[:, 1, places, moved] -= shifts[:, None]
    lengths = near[:, 0, places, moved] - near[:, 1, places, moved]
    f = rates(near.reshape(-1, n), np.repeat(times, 2 * k)).reshape(count, 2, k, n)
    return np.swapaxes((f[:, 0] - f[:, 1]) / lengths[:, :, None], 1, 2)


def _polynomial(form: Radau, state: np.ndarray, f: np.ndarray, tau: float) -> np.ndarray:
    """Coefficients (n, s + 1) of the integral of rates f (s, n) at the nodes. The last rate is integrated separately to avoid its
    round-off.
    """
    stages = len(f)
    jacobians = (f - f[-1]).T @ form.lagrange
    jacobians[:, 0] += f[-1]
    powers = np.arange(1, stages + 1)
    return np.column_stack([state, jacobians / powers / tau ** (powers - 1)])
