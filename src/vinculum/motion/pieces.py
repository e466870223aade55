"""Dense output: the integrator's own steps, each a polynomial of the state in local time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np

from vinculum.tolerances.sizes import NUMBERS_LOOKED_AT, STEPS_LOOKED_AT, WORTH_COMPILED_CODE


class Coefficients(Protocol):
    """Coefficients (S, n, order + 1) of S steps: an array, or something that reads or makes those that are asked for."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    def __len__(self) -> int: ...
    def __array__(self) -> np.ndarray: ...
    def __getitem__(self, key: Any, /) -> np.ndarray: ...


@final
@dataclass(frozen=True, eq=False)
class Pieces:
    """Steps k with edges ``times[k] … times[k+1]`` and the state Σ_j ``coefficients[k, :, j]`` (t − times[k])^j.

    ``times``: (S + 1,); ``coefficients``: (S, n, order + 1), arrays in memory or on disk, read in blocks. Steps of
    length zero are impacts: left and right limits then differ.
    """

    times: Any
    coefficients: Coefficients

    def __len__(self) -> int:
        return self.coefficients.shape[0]

    @property
    def begin(self) -> float:
        return float(self.times[0])

    @property
    def end(self) -> float:
        return float(self.times[-1])

    @property
    def size(self) -> int:
        """Length of the state."""
        return self.coefficients.shape[1]

    @property
    def block(self) -> int:
        """How many steps are looked at together."""
        return max(1, min(STEPS_LOOKED_AT, NUMBERS_LOOKED_AT // max(1, self.size)))

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Consecutive (edges, coefficients) of at most `block` steps."""
        for start in range(0, len(self), self.block):
            stop = min(start + self.block, len(self))
            yield np.asarray(self.times[start : stop + 1]), np.asarray(self.coefficients[start:stop])

    def part(self, first: int, last: int) -> "Pieces":
        """The steps ``first`` … ``last`` − 1."""
        return Pieces(self.times[first : last + 1], self.coefficients[first:last])

    def state(self, t, side: str = "right") -> np.ndarray:
        """States (T, n) at the instants ``t``: limits from the right, or from the left with ``side="left"``."""
        t = np.asarray(t, dtype=float)
        edges = np.asarray(self.times)
        place = np.clip(np.searchsorted(edges, t, side="right" if side == "right" else "left") - 1, 0, len(self) - 1)
        result = np.empty((len(t), self.size))
        for start in range(0, len(t), self.block):
            rows = slice(start, start + self.block)
            chosen, which = np.unique(place[rows], return_inverse=True)
            result[rows] = horner(_rows(self.coefficients, chosen), t[rows] - edges[place[rows]], which)
        return result

    def coefficients_of(self, steps: np.ndarray) -> np.ndarray:
        """Coefficients (K, n, order + 1) of some steps (K,), in any order."""
        if not len(steps):
            return np.empty((0, *self.coefficients.shape[1:]))
        chosen, inverse = np.unique(steps, return_inverse=True)
        return _rows(self.coefficients, chosen)[inverse]


def horner(coefficients: np.ndarray, dt: np.ndarray, which: np.ndarray | None = None) -> np.ndarray:
    """Polynomials (m, n, order + 1) at local times (T,), of those numbered ``which`` (T,), or of all in order."""
    count = len(dt) * int(np.prod(coefficients.shape[1:]))
    if count > WORTH_COMPILED_CODE:
        from vinculum.compile import polynomials

        if polynomials.pays(count):
            return polynomials.polynomial_values(coefficients, np.arange(len(dt)) if which is None else which, dt)
    if which is not None:
        coefficients = coefficients[which]
    total = coefficients[:, :, -1].copy()
    for k in range(coefficients.shape[2] - 2, -1, -1):
        total *= dt[:, None]
        total += coefficients[:, :, k]
    return total


def _rows(array, chosen: np.ndarray) -> np.ndarray:
    if isinstance(array, np.ndarray):
        return array[chosen]
    low, high = int(chosen[0]), int(chosen[-1]) + 1
    if high - low <= 4 * len(chosen) + 64:
        return np.asarray(array[low:high])[chosen - low]
    return np.stack([np.asarray(array[int(k)]) for k in chosen])
