"""Ranges of coordinates, with what happens at their ends."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.motion.arguments import floats
from vinculum.systems import nearest

PERIODIC, WALLS, FREE, POLES, OSCILLATOR = "periodic", "walls", "free", "poles", "oscillator"
KINDS = {
    PERIODIC: "both ends are one place",
    WALLS: "Ψ = 0 at both ends",
    FREE: "the normal derivative of Ψ vanishes at both ends",
    POLES: "at both ends the circle of the other coordinate is a point",
}


class Range(NamedTuple):
    """Where a coordinate lies, and the kind of its ends; an oscillator's functions decay before its ends, with a ``width``."""

    low: float
    high: float
    kind: str
    width: float = 0.0

    @property
    def length(self) -> float:
        return self.high - self.low


def ranges_of(where: str, coordinates: Sequence[str], given: Any) -> tuple[Range, ...]:
    """The range of each coordinate, from a mapping {coordinate: (low, high, kind)}."""
    example = f"{{'{coordinates[0]}': (0.0, 6.283, 'periodic')}}"
    if not isinstance(given, Mapping):
        raise ModelError(f"{where}: ranges is {shorten(given)}; give a mapping such as {example}")
    for name in given:
        if name not in coordinates:
            raise ModelError(
                f"{where}: ranges has {shorten(name)}, which is no coordinate{nearest(str(name), coordinates)}"
            )
    missing = [name for name in coordinates if name not in given]
    if missing:
        raise ModelError(f"{where}: ranges does not say where '{missing[0]}' lies; give {example}")
    found = tuple(_range(where, name, given[name]) for name in coordinates)
    kinds = sorted(one.kind for one in found if one.kind != OSCILLATOR)
    if POLES in kinds and kinds != sorted((PERIODIC, POLES)):
        raise ModelError(f"{where}: poles are for surfaces with two coordinates, one with poles and the other periodic")
    return found


def _range(where: str, name: str, given: Any) -> Range:
    if isinstance(given, Range):
        return given
    told = f"{where}: the range of '{name}' is {shorten(given)}"
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 3:
        raise ModelError(f"{told}; give (low, high, kind)")
    low, high, kind = given
    if not isinstance(kind, str) or kind not in KINDS:
        raise ModelError(f"{told}; the kind is one of " + ", ".join(f"'{k}' ({words})" for k, words in KINDS.items()))
    ends = floats(f"{where}: the range of '{name}'", [low, high])
    if ends.shape != (2,) or not ends[0] < ends[1]:
        raise ModelError(f"{told}; give two numbers, the lower one first")
    return Range(float(ends[0]), float(ends[1]), kind)


def wrap(ranges: Sequence[Range], q: np.ndarray) -> np.ndarray:
    """Places (B, n) with periodic coordinates brought into their ranges."""
    columns = [
        one.low + np.mod(x - one.low, one.length) if one.kind == PERIODIC else x
        for one, x in zip(ranges, q.T, strict=True)
    ]
    return np.stack(columns, axis=1)


def names_of_ends(coordinates: Sequence[str], ranges: Sequence[Range]) -> str:
    """The ranges in words."""
    return ", ".join(
        f"{name} from {one.low:.6g} to {one.high:.6g} ({one.kind})"
        for name, one in zip(coordinates, ranges, strict=True)
    )
