"""`States`: levels and wave functions of an operator."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import StartError, shorten
from vinculum.geometry.chart import places_of
from vinculum.geometry.quantum.doors import STATE_PICTURE
from vinculum.geometry.quantum.ranges import Range, wrap
from vinculum.tolerances.quantum import SAME_LEVEL


class Functions(ABC):
    """The functions in which states are expanded."""

    @property
    @abstractmethod
    def unknowns(self) -> int:
        """Their number N."""

    @abstractmethod
    def values(self, q: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Combinations (B, k) with coefficients (N, k), at places (B, n)."""


@final
@dataclass(frozen=True, eq=False)
class States:
    """The lowest states of a `Quantization`, orthonormal in ∫ √g Ψ̄Ψ.

    ``levels`` (k,): energies in increasing order. ``errors`` (k,): estimates of their errors, from a coarser computation.
    ``coefficients`` (N, k): those of the functions in which states are expanded.
    """

    operator: Any
    levels: np.ndarray
    errors: np.ndarray
    coefficients: np.ndarray
    functions: Functions

    def __repr__(self):
        shown = ", ".join(f"{x:.8g}" for x in self.levels[:4])
        return f"States({len(self.levels)} of '{self.operator.chart.name}', levels {shown}{', …' * (len(self.levels) > 4)})"

    def __len__(self):
        return len(self.levels)

    @property
    def unknowns(self) -> int:
        """The number N of unknowns."""
        return self.functions.unknowns

    def values(self, q) -> np.ndarray:
        """Ψ of all states at coordinates (n,) or (B, n), of shape (k,) or (B, k)."""
        one, places = places_of(self.operator.chart, q)
        spans: tuple[Range, ...] = self.operator.spans
        places = wrap(spans, places)
        names = self.operator.chart.coordinates
        for name, span, x in zip(names, spans, places.T, strict=True):
            if np.any((x < span.low) | (x > span.high)):
                raise StartError(
                    f"{self.operator.where}: {name} = {x[(x < span.low) | (x > span.high)][0]:.6g} is outside its range "
                    f"from {span.low:.6g} to {span.high:.6g}"
                )
        found = self.functions.values(places, self.coefficients)
        return found[0] if one else found

    def multiplicities(self) -> list[tuple[float, int]]:
        """Levels that differ by no more than their errors, as (level, how many); the last may be cut off."""
        groups: list[list[float]] = []
        scale = SAME_LEVEL * float(np.abs(self.levels).max(initial=0.0))
        for k, level in enumerate(self.levels):
            near = max(scale, float(self.errors[max(0, k - 1) : k + 1].sum()))
            if groups and level - groups[-1][-1] <= near:
                groups[-1].append(float(level))
            else:
                groups.append([float(level)])
        return [(float(np.mean(group)), len(group)) for group in groups]

    def picture(self, number: int = 0) -> Any:
        """A Matplotlib figure of the state with this number: on the curve or surface, or over the coordinates of a metric."""
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 0 <= number < len(self.levels):
            raise StartError(
                f"{self.operator.where}: number is {shorten(number)}; its states are 0 to {len(self.levels) - 1}"
            )
        return STATE_PICTURE(self, int(number))
