"""The tolerance of a Taylor series for states that mix sizes."""

import numpy as np


def series_tolerance(groups, state: np.ndarray, tolerance: float) -> float:
    """The tolerance for heyoka, which measures errors against the largest number of the state, or against one.

    ``groups`` (n,): which numbers of the state share a unit. Where a state mixes sizes (a spinning body far away) or is
    small altogether, the tolerance is lowered in powers of a thousand.
    """
    groups = np.asarray(groups)
    sizes = [np.abs(state[groups == g]).max() for g in range(groups.max() + 1)] if len(groups) else [0.0]
    largest = max(sizes)
    if largest == 0.0:
        return tolerance
    smallest = max(min(s for s in sizes if s > 0.0), 1e-9 * largest)
    return max(tolerance * 1e-3 ** np.floor(np.log10(max(1.0, largest) / smallest) / 3.0), 1e-40)
