"""`Limits`: stops of one coordinate of a joint."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds.joints.coordinates import Coordinates
from vinculum.errors import ModelError, shorten
from vinculum.scalars import Scalar
from vinculum.screws.entries import is_number


@final
@dataclass(frozen=True, eq=False)
class Limits:
    """A coordinate of a joint stays between ``lower`` and ``upper`` [rad or m]; None: there is no stop on that side.

    ``impact``: the impact law of the stops, or a number e for Newton's; they are inelastic unless it is given.
    """

    lower: Any = None
    upper: Any = None
    impact: Any = "inelastic"

    def __post_init__(self):
        for side in ("lower", "upper"):
            given = getattr(self, side)
            free = given is None or (isinstance(given, (float, np.floating)) and np.isinf(given))
            if not free and not _is_quantity(given):
                raise ModelError(f"limits: {side} is {shorten(given)}; give a number [rad or m], or None for no stop")
            object.__setattr__(self, side, None if free else given)
        if isinstance(self.lower, (int, float)) and isinstance(self.upper, (int, float)) and self.lower >= self.upper:
            raise ModelError(
                f"limits: lower {self.lower:g} is not below upper {self.upper:g}; the coordinate lies between them"
            )


def read_limits(where: str, given, coordinates: Coordinates) -> tuple[Limits | None, ...]:
    """Limits of every coordinate of a joint, from a pair or a `Limits` for the only one, or a list of them with None for free ones."""
    if given is None or (isinstance(given, (tuple, list)) and all(one is None for one in given)):
        return (None,) * coordinates.nv
    if coordinates.nq != coordinates.nv:
        raise ModelError(
            f"{where}: limits: its {coordinates.nq} coordinates are those of a rotation, which have no stops; describe the stop by "
            "a vc.Unilateral with a gap"
        )
    if isinstance(given, Limits) or _is_pair(given):
        given = [given]
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != coordinates.nv:
        raise ModelError(
            f"{where}: limits is {shorten(given)}; give (lower, upper) or vc.constraints.Limits(lower, upper, impact) for each of its "
            f"{coordinates.nv} coordinates, and None for those without stops"
        )
    return tuple(_one(where, entry) for entry in given)


def _one(where: str, given) -> Limits | None:
    if given is None or isinstance(given, Limits):
        return given
    if not _is_pair(given):
        raise ModelError(
            f"{where}: limits: {shorten(given)} is no pair; give (lower, upper), a vc.constraints.Limits or None"
        )
    try:
        return Limits(*given)
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from error


def _is_pair(given) -> bool:
    return (
        isinstance(given, (tuple, list, np.ndarray))
        and len(given) == 2
        and all(one is None or _is_quantity(one) or (isinstance(one, float) and np.isinf(one)) for one in given)
    )


def _is_quantity(given) -> bool:
    return isinstance(given, Scalar) or is_number(given)
