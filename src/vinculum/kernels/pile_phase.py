"""Which narrow phase shapes need."""

import numpy as np

from vinculum.kernels.pile_entry import narrow_phase
from vinculum.kernels.pile_pairs import CYLINDER, POLYTOPE, SURFACE


def phase_of(kinds: np.ndarray) -> int:
    """The address of the narrow phase of these kinds of shapes; the one for all kinds is loaded where it is needed."""
    if not np.isin(kinds, (CYLINDER, POLYTOPE, SURFACE)).any():
        return narrow_phase.address
    from vinculum.kernels.pile_general import general_phase

    return general_phase.address
