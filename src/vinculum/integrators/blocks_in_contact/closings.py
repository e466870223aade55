"""Impacts of their own in steps of blocks: fast approaches, as `contact.free_bodies.closings` treats them."""

from typing import Protocol

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.free_bodies.closings import WITHHELD
from vinculum.contact.sparse.block_rows import side_speed
from vinculum.tolerances.time_stepping import WITHHELD_SPEED


class _Step(Protocol):
    """The part of a step that is needed here."""

    @property
    def h(self) -> float: ...
    @property
    def impacts(self) -> int: ...
    @property
    def swift(self) -> float: ...


@njit(nogil=True, cache=True, error_model="numpy")
def approaches(m, sides, before, free):
    """The larger of the separation velocities (m,) of contacts for velocities (n, 8) before a step and at its end without impulses.

    A contact at rest that forces press does not approach before the step.
    """
    found, begun, ended = np.empty(m), before.reshape(-1), free.reshape(-1)
    for c in range(m):
        found[c] = max(side_speed(c, 0, sides, begun), side_speed(c, 0, sides, ended))
    return found


def closes_soon(u: np.ndarray, gap: np.ndarray, step: _Step) -> bool:
    """Whether a gap that closes fast, with separation velocities u (m,), may close within the step."""
    return bool(np.any((u < -step.swift) & (gap < -step.h * u)))


def let_pass(gap: np.ndarray, u: np.ndarray, step: _Step) -> None:
    """Let fast contacts be no penetration, as in steps of free bodies."""
    gap[(gap < 0.0) & (u < -step.swift)] = 0.0


def withhold(targets: np.ndarray, gap: np.ndarray, u: np.ndarray, touch: float, step: _Step) -> None:
    """Write targets that leave out fast contacts which are not hit in the middle of this step."""
    fast = u < -step.swift
    if step.impacts != WITHHELD:
        fast &= (gap > touch) & (gap + step.h * u >= 0.0)
        targets[fast] = -gap[fast] / step.h
    else:
        targets[fast] = WITHHELD_SPEED * u[fast]
