"""Polynomials through states at unevenly spaced instants, and refinement of the instants."""

import numpy as np

from vinculum.tolerances.samples import POINTS_OF_A_POLYNOMIAL
from vinculum.tolerances.sizes import INTERVALS_OF_A_BLOCK
from vinculum.tolerances.steps import INTERPOLATED_FLOOR


def interpolants(times: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (S, n, 8) in local time of the polynomials through the eight states around each step, and their accuracy (S,).

    The accuracy is the difference from the polynomials through six states in the middle of the step, relative to the size of each
    number.
    """
    count = min(POINTS_OF_A_POLYNOMIAL, len(times))
    size = np.maximum(np.abs(states).max(axis=0), INTERPOLATED_FLOOR * max(1.0, float(np.abs(states).max(initial=0.0))))
    parts = [
        slice(k, min(k + INTERVALS_OF_A_BLOCK, len(times) - 1)) for k in range(0, len(times) - 1, INTERVALS_OF_A_BLOCK)
    ]
    found = [_through(times, states, np.arange(part.start, part.stop), count) for part in parts]
    other = [_through(times, states, np.arange(part.start, part.stop), max(count - 2, 2)) for part in parts]
    coefficients, fewer = (np.concatenate(x) for x in (found, other))
    middle = 0.5 * np.diff(times)
    apart = np.abs(_at(coefficients, middle) - _at(fewer, middle)) / size
    return coefficients, apart.max(axis=1)


def refine(times: np.ndarray, coarse: np.ndarray) -> np.ndarray:
    """The instants with the midpoints of coarse steps and their neighbors added, so that no step is more than twice as long as the next."""
    split = coarse | np.append(coarse[1:], False) | np.append(False, coarse[:-1])
    lengths = np.diff(times)
    for _ in range(len(lengths)):
        after = np.where(split, 0.5, 1.0) * lengths
        shortest = np.minimum(np.append(after[1:], np.inf), np.append(np.inf, after[:-1]))
        more = ~split & (after > 2.5 * shortest)
        if not more.any():
            break
        split |= more
    middles = 0.5 * (times[:-1] + times[1:])
    return np.sort(np.concatenate([times, middles[split]]))


def _through(times: np.ndarray, states: np.ndarray, steps: np.ndarray, count: int) -> np.ndarray:
    """Coefficients (S, n, count) of polynomials through ``count`` states around each step."""
    first = np.clip(steps - (count // 2 - 1), 0, len(times) - count)
    places = first[:, None] + np.arange(count)
    scale = times[steps + 1] - times[steps]
    local = (times[places] - times[steps, None]) / scale[:, None]
    powers = local[:, :, None] ** np.arange(count)
    # Differences from the state at the beginning, so that this state is reproduced to the last bit.
    found = np.linalg.solve(powers, states[places] - states[steps, None])
    result = np.swapaxes(found, 1, 2) / (scale[:, None, None] ** np.arange(count))
    result[:, :, 0] = states[steps]
    return result


def _at(coefficients: np.ndarray, dt: np.ndarray) -> np.ndarray:
    total = coefficients[:, :, -1].copy()
    for k in range(coefficients.shape[2] - 2, -1, -1):
        total = total * dt[:, None] + coefficients[:, :, k]
    return total
