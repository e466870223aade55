"""Piecewise polynomials of one number as plain data: the form of a table in a graph and on a tape."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from vinculum.errors import FileError, StartError
from vinculum.scalars.scalar import Scalar, Value
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS


@final
@dataclass(frozen=True, eq=False)
class Piecewise:
    r"""K polynomials side by side, each in powers of the distance from its origin.

    .. math:: y = \sum_j c_{kj} (x - o_k)^j, \qquad b_{k-1} \le x < b_k

    ``breaks`` b (K − 1,), ``origins`` o (K,), ``coefficients`` c (K, degree + 1). Outside of ``low`` … ``high`` there is no
    value; infinite ones let the outer pieces go on.
    """

    name: str
    breaks: np.ndarray
    origins: np.ndarray
    coefficients: np.ndarray
    low: float = -np.inf
    high: float = np.inf

    @property
    def count(self) -> int:
        return len(self.origins)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The range with a margin of round-off, so that a sum that ends on its edge has a value."""
        ends = [abs(x) for x in (self.low, self.high) if np.isfinite(x)]
        margin = HUNDRED_ROUND_OFFS * max(ends, default=0.0)
        if len(ends) == 2:
            margin += 100.0 * HUNDRED_ROUND_OFFS * (self.high - self.low)
        return self.low - margin, self.high + margin

    @cached_property
    def edges(self) -> np.ndarray:
        """Where the polynomial changes or ends, in order."""
        outer = np.array([self.low]), np.array([self.high])
        return np.concatenate([outer[0][np.isfinite(outer[0])], self.breaks, outer[1][np.isfinite(outer[1])]])

    @cached_property
    def first(self) -> int:
        """Number of the piece below all edges; −1 is below the range."""
        return -1 if np.isfinite(self.low) else 0

    @cached_property
    def partition(self) -> str:
        """A hash of the pieces without their polynomials."""
        return _hash(self.edges.tobytes(), np.array([self.first]).tobytes())

    @cached_property
    def digest(self) -> str:
        """A hash of everything."""
        arrays = (self.breaks, self.origins, self.coefficients, np.array([self.low, self.high]))
        return _hash(self.name.encode(), *(np.ascontiguousarray(a).tobytes() for a in arrays))

    def values(self, x) -> np.ndarray:
        """Values at an array of numbers; NaN where there is none."""
        x = np.asarray(x, dtype=float)
        piece = np.searchsorted(self.breaks, x, side="right")
        distance, terms = x - self.origins[piece], self.coefficients[piece]
        y = terms[..., -1]
        for j in range(terms.shape[-1] - 2, -1, -1):
            y = y * distance + terms[..., j]
        return np.where(self.holds(x), y, np.nan)

    def holds(self, x) -> np.ndarray:
        """Whether there is a value at x."""
        low, high = self.limits
        return (x >= low) & (x <= high)

    def at(self, x: Value) -> Value:
        """The value at a number, which is refused outside of the range, or at a symbol."""
        if type(x) is Scalar:
            return Scalar("table", self, x)
        if not self.holds(x):
            raise StartError(self.refusal(x))
        return float(self.values(x))

    def refusal(self, x) -> str:
        """Why there is no value at x, and what to do."""
        return (
            f"table '{self.name}' has values from {self.low:.9g} to {self.high:.9g} and is asked for one at {x:.9g}; "
            "give it more points, or say what it is beyond them: outside='extend' or 'flat'"
        )

    @cached_property
    def derivative(self) -> "Piecewise":
        """The derivative."""
        c = self.coefficients
        terms = c[:, 1:] * np.arange(1.0, c.shape[1]) if c.shape[1] > 1 else np.zeros((len(c), 1))
        return replace(self, name=f"{self.name}'", coefficients=terms)

    @cached_property
    def extended(self) -> "Piecewise":
        """The same without limits."""
        return replace(self, low=-np.inf, high=np.inf)

    def to_dict(self) -> dict:
        """Plain data, every bit kept."""
        numbers = {"low": [self.low], "high": [self.high], "breaks": self.breaks, "origins": self.origins,
                   "coefficients": self.coefficients.ravel()}  # fmt: skip
        return {"name": self.name} | {key: [float(x).hex() for x in row] for key, row in numbers.items()}

    @classmethod
    def from_dict(cls, data: Mapping) -> "Piecewise":
        """The pieces of `to_dict`, checked."""
        row = {key: np.array([float.fromhex(x) for x in data[key]], dtype=float)
               for key in ("low", "high", "breaks", "origins", "coefficients")}  # fmt: skip
        count = len(row["origins"])
        fits = (
            count
            and len(row["breaks"]) == count - 1
            and len(row["coefficients"])
            and not len(row["coefficients"]) % count
        )
        finite = all(np.isfinite(row[key]).all() for key in ("breaks", "origins", "coefficients"))
        (low,), (high,) = row["low"].tolist(), row["high"].tolist()
        edges = np.array([low, *row["breaks"], high])
        if not (fits and finite and np.all(np.diff(edges) > 0.0)):
            raise FileError(f"the stored table {data['name']!r} is damaged: its pieces do not fit together")
        return cls(str(data["name"]), row["breaks"], row["origins"], row["coefficients"].reshape(count, -1), low, high)


def _hash(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()
