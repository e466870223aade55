"""Whether equations depend on time: short pulses are easily stepped over."""

from functools import lru_cache

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.models.model import Model


def holds_time(model: Model) -> bool:
    """Whether an operation of the equations of motion looks at the time."""
    return _uses(model.tape("motion"), model.nq + model.nv)


@lru_cache(maxsize=64)
def _uses(tape: Tape, number: int) -> bool:
    """Whether an operation of a tape looks at a value."""
    return bool(np.any(tape.code[:, 1:] == number))
