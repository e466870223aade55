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
    """A without entries that are round-off of the others in their row, whatever the units of its states."""
    found = np.abs(in_like_units(A))
    return np.where(found > HUNDRED_ROUND_OFFS * found.max(axis=1, initial=0.0, keepdims=True), A, 0.0)


def in_like_units(A: np.ndarray) -> np.ndarray:
    """D⁻¹ A D with a diagonal D that makes rows and columns of like size: lengths, angles and speeds in units of the motion itself.

    Parlett and Reinsch, Numer. Math. 13 (1969) 293.
    """
    from scipy.linalg import matrix_balance

    return matrix_balance(A, permute=False, separate=True)[0] if len(A) and np.isfinite(A).all() else A
