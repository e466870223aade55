r"""Least normal velocities after a step where impacts between shapes are located.

A gap that closes fast and has no impulse is hit later. It stays open to the end of its step of length d: with a relative velocity u at
bodies of radii r and more, gap + d/2 u_N + (d/2)² |u|²/(2 r) ≥ 0.
"""

from typing import NamedTuple

import numpy as np

from vinculum.integrators.located_impacts import is_short, least_impact_speed
from vinculum.motion.method import LOCATED, Method


class Locating(NamedTuple):
    """What a run with located impacts does: approaches above ``swift`` [m/s] are impacts of their own, in short steps beside those of ``h``
    [s]. ``radius`` [m]: of the smallest body."""

    swift: float
    h: float
    radius: float


class Closing(NamedTuple):
    """Contacts in a step: gaps (m,), which of them are ``open``, normal impulses (m,), normal velocities before (m,), and all velocities
    (m, 3) after the impulses."""

    gap: np.ndarray
    open: np.ndarray
    impulses: np.ndarray
    before: np.ndarray
    after: np.ndarray


def locating(method: Method, pull: float, radius: float) -> Locating | None:
    """How a run under an acceleration ``pull`` locates impacts; None if it does not."""
    if method.impacts != LOCATED or method.step is None:
        return None
    return Locating(least_impact_speed(pull, method.step, 0.0), method.step, radius)


def holds_impact(method: Method, lengths) -> np.ndarray:
    """Which steps of some lengths hold a located impact."""
    if method.impacts != LOCATED or method.step is None:
        return np.full(np.shape(lengths), False)
    return np.asarray(is_short(lengths, method.step))


def left_to_later(how: Locating, d: float, met: Closing, least: np.ndarray) -> np.ndarray:
    """The least normal velocities (m,) after a step of length d; ``least``: those without located impacts."""
    fast = met.open & (met.before < -how.swift)
    bent = 0.25 * d * np.maximum((met.after**2).sum(axis=1), met.before**2) / how.radius
    return np.where(fast & (met.impulses == 0.0), -met.gap / (0.5 * d) - bent, least)
