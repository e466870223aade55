"""Continuous coordinates along a path of rotations, although several coordinates describe one rotation."""

import numpy as np

from vinculum.screws.chart import Chart
from vinculum.screws.euler import Euler
from vinculum.tolerances.round_off import FEW_ROUND_OFFS

TURN = 2.0 * np.pi


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Hamilton's products of quaternions (..., 4)."""
    scalar = a[..., :1] * b[..., :1] - np.sum(a[..., 1:] * b[..., 1:], axis=-1, keepdims=True)
    return np.concatenate(
        [scalar, a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])], -1
    )


def quaternions(chart: Chart, c: np.ndarray) -> np.ndarray:
    """Unit quaternions (T, 4) of the coordinates (T, 3) in a chart of three numbers."""
    if not isinstance(chart, Euler):
        return np.insert(c, 0, 1.0, axis=1) / np.sqrt(1.0 + np.sum(c * c, axis=1, keepdims=True))
    turns = []
    for angle, letter in zip(0.5 * c.T, chart.sequence, strict=True):
        turns.append(
            np.cos(angle)[:, None] * np.eye(4)[0] + np.sin(angle)[:, None] * np.eye(4)[1 + "xyz".index(letter)]
        )
    return product(product(turns[0], turns[1]), turns[2])


def nearest_coordinates(chart: Chart, q: np.ndarray, references: np.ndarray) -> np.ndarray:
    """Coordinates (T, 3) of the rotations of unit quaternions (T, 4), each as near as can be to its reference (T, 3)."""
    if not isinstance(chart, Euler):
        return _vectors(q)
    theta, sigma, delta = chart.half_angles(q)
    sigma = np.where(np.isnan(sigma), 0.5 * (references[:, 0] + references[:, 2]), sigma)
    delta = np.where(np.isnan(delta), 0.5 * (references[:, 0] - references[:, 2]), delta)
    one = np.stack([sigma + delta, theta, sigma - delta], axis=1)
    one, other = (references + _wrap(x - references) for x in (one, chart.other_angles(one)))
    return np.where((_distance(one, references) <= _distance(other, references))[:, None], one, other)


def continued_coordinates(chart: Chart, q: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Coordinates (T, 3) along a path of unit quaternions (T, 4), each as near as can be to the one before it.

    ``before``: (3,), the coordinates before the path. Euler angles grow beyond a turn, and the middle one goes on through a
    singular place.
    """
    if not isinstance(chart, Euler):
        return _vectors(q)
    theta, sigma, delta = chart.half_angles(q)
    for half, start in ((sigma, 0.5 * (before[0] + before[2])), (delta, 0.5 * (before[0] - before[2]))):
        for k in np.flatnonzero(np.isnan(half)):
            half[k] = half[k - 1] if k else start
    one = np.stack([sigma + delta, theta, sigma - delta], axis=1)
    other = chart.other_angles(one)
    last = np.concatenate([before[None], one[:-1]])
    last_other = np.concatenate([chart.other_angles(before)[None], other[:-1]])
    changed = _distance(_wrap(one - last)) > _distance(_wrap(one - last_other))
    on_other = np.logical_xor.accumulate(changed)
    path = np.where(on_other[:, None], other, one)
    return np.unwrap(np.concatenate([before[None], path]), axis=0)[1:]


def _vectors(q: np.ndarray) -> np.ndarray:
    scalar = np.where(np.abs(q[:, :1]) < FEW_ROUND_OFFS, np.copysign(FEW_ROUND_OFFS, q[:, :1]), q[:, :1])
    return q[:, 1:] / scalar


def _wrap(angles: np.ndarray) -> np.ndarray:
    return angles - TURN * np.round(angles / TURN)


def _distance(a: np.ndarray, b: np.ndarray | float = 0.0) -> np.ndarray:
    return np.abs(a - b).sum(axis=-1)
