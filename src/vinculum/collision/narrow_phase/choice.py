"""Selection of the narrow phase for given shapes."""

from collections.abc import Callable
from functools import cache

import numpy as np
from numba import cfunc, types  # pyright: ignore[reportPrivateImportUsage]

from vinculum.collision.broad_phase import CYLINDER, DEFORMED, ELLIPSOID, PLANE, POLYTOPE, SHEET, SPHERE, SURFACE
from vinculum.collision.narrow_phase.entry import narrow_phase, round_phase
from vinculum.collision.narrow_phase.general import general_phase


def phase_of(kinds: np.ndarray) -> int:
    """The address of the narrow phase of these kinds of shapes."""
    general = np.isin(kinds, (CYLINDER, POLYTOPE, SURFACE, DEFORMED, ELLIPSOID)).any()
    phase = general_phase if general else narrow_phase
    address = _compile_phase(round_phase if np.isin(kinds, (SPHERE, PLANE, SHEET)).all() else phase).address
    assert address is not None
    return address


@cache
def _compile_phase(phase: Callable):
    """A phase in machine code, compiled on first use: most runs have no shapes at all."""
    return cfunc(types.void(types.CPointer(types.int64)), cache=True)(phase)
