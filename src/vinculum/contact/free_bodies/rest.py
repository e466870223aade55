"""Bodies that rest: their velocities are zero before a step and after it."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.rest import RESTS


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def keep_at_rest(v, spun, reach, least, V):
    """Set velocities V (n, 8) to zero where they are round-off before the step and after it; ``least``: |g| h [m/s].

    The impulses of a body that rests balance its weight to round-off, which would sum up over many steps.
    """
    bound = RESTS * least
    for i in range(len(v)):
        after = np.sqrt(V[i, 0] ** 2 + V[i, 1] ** 2 + V[i, 2] ** 2)
        after += reach[i] * np.sqrt(V[i, 4] ** 2 + V[i, 5] ** 2 + V[i, 6] ** 2)
        if after <= bound:
            before = np.sqrt(v[i, 0] ** 2 + v[i, 1] ** 2 + v[i, 2] ** 2)
            before += reach[i] * np.sqrt(spun[i, 0] ** 2 + spun[i, 1] ** 2 + spun[i, 2] ** 2)
            if before <= bound:
                for k in range(8):
                    V[i, k] = 0.0
