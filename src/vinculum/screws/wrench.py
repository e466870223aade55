"""`Wrench`: a force and a moment on a body."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError, SymbolError
from vinculum.scalars import vector


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Wrench:
    """A ``force`` [N] and a ``moment`` [N m] on a body, both in world axes.

    They act at the body's origin, or at the point ``at`` [m] of the body's own frame; the moment is then about that
    point. Each has shape (3,), or (B, 3) for a batch.

    >>> vc.Wrench(force=(0, 0, -5), at=(0.2, 0, 0)).force
    array([ 0.,  0., -5.])
    """

    force: Any = (0.0, 0.0, 0.0)
    moment: Any = (0.0, 0.0, 0.0)
    at: Any = (0.0, 0.0, 0.0)

    def __post_init__(self):
        for name in ("force", "moment", "at"):
            object.__setattr__(self, name, _vectors(name, getattr(self, name)))


def _vectors(name: str, given) -> np.ndarray:
    try:
        array = np.array(vector(given))
    except (SymbolError, TypeError, ValueError) as error:
        raise ModelError(f"wrench: {name} is {given!r}, which is not numeric: give three numbers") from error
    if array.ndim not in (1, 2) or array.shape[-1] != 3:
        raise ModelError(f"wrench: {name} has shape {array.shape}: give three numbers, or (B, 3) for a batch")
    if array.dtype != object and not np.all(np.isfinite(array)):
        raise ModelError(f"wrench: {name} contains NaN or infinity: give finite numbers")
    array.flags.writeable = False
    return array
