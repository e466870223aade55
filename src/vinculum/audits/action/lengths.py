"""Lengths of coordinates, to which carriers are compared."""

import numpy as np

from vinculum.tolerances.functions import STAYS


def lengths_that_count(lengths: np.ndarray) -> np.ndarray:
    """Lengths (n,) of coordinates; those that stay get the longest, or one if all do."""
    longest = float(lengths.max(initial=0.0)) or 1.0
    return np.where(lengths > STAYS * longest, lengths, longest)
