"""Impacts of their own in steps of blocks: fast approaches, as `contact.free_bodies.closings` treats them."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.free_bodies.closings import WITHHELD
from vinculum.contact.sparse.block_rows import side_speed
from vinculum.tolerances.time_stepping import WITHHELD_SPEED


@njit(nogil=True, cache=True, error_model="numpy")
def approaches(m, sides, before, free):
    """The larger of the separation velocities (m,) of contacts for velocities (n, 8) before a step and at its end without impulses.

    A contact at rest that forces press does not approach before the step.
    """
    found, begun, ended = np.empty(m), before.reshape(-1), free.reshape(-1)
    for c in range(m):
        found[c] = max(side_speed(c, 0, sides, begun), side_speed(c, 0, sides, ended))
    return found


@njit(nogil=True, cache=True, error_model="numpy")
def closes_soon(u, gap, step):
    """Whether a gap that closes fast, with separation velocities u (m,), may close within the step."""
    soon = False
    for c in range(len(u)):
        soon = soon or (u[c] < -step.swift and gap[c] < -step.h * u[c])
    return soon


@njit(nogil=True, cache=True, error_model="numpy")
def let_pass(gap, u, step):
    """Let fast contacts be no penetration, as in steps of free bodies."""
    for c in range(len(u)):
        if gap[c] < 0.0 and u[c] < -step.swift:
            gap[c] = 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def withhold(targets, gap, u, touch, step):
    """Write targets that leave out fast contacts which are not hit in the middle of this step."""
    for c in range(len(u)):
        if not u[c] < -step.swift:
            continue
        if step.impacts == WITHHELD:
            targets[c] = WITHHELD_SPEED * u[c]
        elif gap[c] > touch and gap[c] + step.h * u[c] >= 0.0:
            targets[c] = -gap[c] / step.h
