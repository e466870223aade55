"""Numbers of built-in potentials, read and checked under the name of their bond."""

from collections.abc import Mapping

import numpy as np

from vinculum.errors import ModelError
from vinculum.screws.entries import check_finite, entries
from vinculum.tolerances.functions import TYPED

SIX = ("translation x", "translation y", "translation z", "rotation x", "rotation y", "rotation z")


def number(where: str, what: str, x):
    """One number or symbol."""
    return entries(f"{where}: {what}", x, ()).item()


def check_sign(
    where: str, what: str, x, unit: str, values: Mapping[str, float] | None = None, positive: bool = False
) -> None:
    """Refuse numbers that are negative, or not ``positive``."""
    found = np.asarray(check_finite(f"{where}: {what}", x, values))
    bad = found[~(found > 0.0 if positive else found >= 0.0)]
    if bad.size:
        wanted = "positive" if positive else "zero or positive"
        raise ModelError(f"{where}: {what} {bad.flat[0]:g} {unit} is not {wanted}; check its sign")


def six_by_six(where: str, what: str, x) -> np.ndarray:
    """A matrix (6, 6), or its diagonal (6,), translations first."""
    array = entries(f"{where}: {what}", x, (6, 6), (6,))
    if array.shape == (6, 6):
        return array
    full = np.zeros((6, 6), dtype=array.dtype)
    full[np.arange(6), np.arange(6)] = array
    return full


def check_semidefinite(where: str, what: str, K, values: Mapping[str, float] | None = None) -> None:
    """Refuse a matrix (6, 6) that is not symmetric, or under which some motion would gain energy."""
    found = np.asarray(check_finite(f"{where}: {what}", K, values), dtype=float)
    scale = np.sqrt(np.abs(np.diag(found)))
    size = np.maximum(np.outer(scale, scale), np.finfo(float).tiny)
    off = np.abs(found - found.T)
    if np.any(off > TYPED * np.maximum(size, np.abs(found))):
        i, j = np.unravel_index(int(np.argmax(off / size)), (6, 6))
        raise ModelError(
            f"{where}: {what} is not symmetric: entry ({i}, {j}) is {found[i, j]:g} but ({j}, {i}) is {found[j, i]:g}"
        )
    if np.any(np.diag(found) < 0.0):
        i = int(np.argmin(np.diag(found)))
        raise ModelError(f"{where}: {what} of {SIX[i]} is {found[i, i]:g}, which is negative; check its sign")
    lowest = np.linalg.eigvalsh(found / np.where(size > np.finfo(float).tiny, size, 1.0))[0]
    if lowest < -TYPED:
        raise ModelError(
            f"{where}: {what} is not positive semidefinite (its lowest scaled eigenvalue is {lowest:.3g}), so some motion "
            "would gain energy without bound; check the entries off the diagonal"
        )
