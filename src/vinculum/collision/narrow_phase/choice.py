"""Selection of the narrow phase for given shapes."""

from collections.abc import Callable
from functools import cache

import numpy as np
from numba.core import types
from numba.core.decorators import cfunc

from vinculum.collision.broad_phase import (
    BOX,
    CONE,
    CYLINDER,
    DEFORMED,
    ELLIPSOID,
    PLANE,
    POLYTOPE,
    SHEET,
    SPHERE,
    SURFACE,
)
from vinculum.collision.narrow_phase.entry import narrow_phase, one_box_phase, round_phase
from vinculum.collision.narrow_phase.general import general_phase


def phase_of(kinds: np.ndarray) -> int:
    """The address of the narrow phase of these kinds of shapes."""
    if np.isin(kinds, (SPHERE, PLANE, SHEET)).all():
        phase = round_phase
    elif np.isin(kinds, (CYLINDER, POLYTOPE, SURFACE, DEFORMED, ELLIPSOID, CONE)).any():
        phase = general_phase
    else:
        phase = narrow_phase if np.count_nonzero(kinds == BOX) > 1 else one_box_phase
    address = _compile_phase(phase).address
    assert address is not None
    return address


@cache
def _compile_phase(phase: Callable):
    """A phase in machine code, compiled on first use: most runs have no shapes at all."""
    return cfunc(types.void(types.CPointer(types.int64)), cache=True)(phase)
