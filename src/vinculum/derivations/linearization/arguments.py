"""What linear equations of bodies and of Lagrangians share: arguments, and entries that are round-off."""

import math
from typing import Any

import numpy as np

from vinculum.errors import StartError, shorten
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS

UNSETTLED = "give a state at which they do not, or settle=True to look for one nearby"
SETTLED = "none was found from this start by moving coordinates at its velocities; start nearer to one, or change the velocities"


def check_arguments(t: Any, settle: Any, inputs: Any) -> None:
    """Refuse an instant, a choice or names that are none."""
    if not (isinstance(t, (int, float, np.number)) and math.isfinite(t)):
        raise StartError(f"t {t!r} must be a finite instant in seconds")
    if settle not in (True, False):
        raise StartError(f"settle {shorten(settle)} must be True or False")
    if isinstance(inputs, str):
        raise StartError(f"inputs is the text {inputs!r}; give a list of names, as inputs=[{inputs!r}]")


def tidy_rows(A: np.ndarray) -> np.ndarray:
    """A without entries that are round-off of the others in their row."""
    size = np.abs(A).max(axis=1, initial=0.0, keepdims=True)
    return np.where(np.abs(A) > HUNDRED_ROUND_OFFS * size, A, 0.0)
