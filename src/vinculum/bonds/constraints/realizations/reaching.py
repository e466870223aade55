"""`Reaching`: a target of a vakonomic motion at an instant, which determines its initial multipliers."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds.constraints.realizations.arguments import Named
from vinculum.errors import ModelError
from vinculum.screws.entries import entries, shorten


@final
@dataclass(frozen=True, eq=False)
class Reaching(metaclass=Named):
    """A rule for initial multipliers: named coordinates reach given values at the instant ``at`` [s].

    ``values`` maps joints or free bodies to their coordinates at that instant: one number, or one for each coordinate,
    with None for free ones. There must be as many numbers as multipliers. ``guess``: the initial guess, one number for
    all rows or one for each; a boundary value problem may have several solutions, and the guess selects one.
    """

    values: Mapping[str, Any]
    _: KW_ONLY
    at: float
    guess: Any = 0.0

    def __post_init__(self):
        if not isinstance(self.values, Mapping) or not self.values:
            raise ModelError(
                f"reaching: {shorten(self.values)} must map joints or free bodies to coordinates, as {{'plane': (2.0, None, None)}}"
            )
        found = {}
        for name, given in self.values.items():
            row = list(given) if isinstance(given, (list, tuple, np.ndarray)) else [given]
            if not isinstance(name, str) or all(x is None for x in row):
                raise ModelError(
                    f"reaching: {name!r} has the coordinates {shorten(given)}; name a joint or free body, and give one number at least"
                )
            found[name] = tuple(None if x is None else float(entries(f"reaching: '{name}'", x, ())) for x in row)
        object.__setattr__(self, "values", found)
        object.__setattr__(self, "at", float(entries("reaching: at", self.at, ())))
        guess = entries("reaching: guess", self.guess)
        if guess.ndim > 1 or guess.dtype == object:
            raise ModelError("reaching: guess must be one number, or one number for each row of the constraint")
        object.__setattr__(self, "guess", guess)

    @property
    def count(self) -> int:
        """Number of given coordinates."""
        return sum(x is not None for row in self.values.values() for x in row)

    def __str__(self):
        told = [
            f"{name}[{i}] = {x:g}" if len(row) > 1 else f"{name} = {x:g}"
            for name, row in self.values.items()
            for i, x in enumerate(row)
            if x is not None
        ]
        return f"reaching {', '.join(told)} at t = {self.at:g} s"
