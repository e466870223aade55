"""The line between a point of one body and a point of another."""

from collections.abc import Sequence

import numpy as np

from vinculum.bonds.actions import Distance, Effort, square
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.efforts import effort_of
from vinculum.scalars.math import dot, sqrt
from vinculum.tolerances.functions import SMOOTH_LENGTH


def line_between(views: Sequence[BodyView], at, to) -> np.ndarray:
    """From the point ``to`` of the second body to the point ``at`` of the first, (3,) [m]."""
    a, b = views
    return a.point(at) - b.point(to)


def line_distance(views: Sequence[BodyView], at, to, least=0.0) -> list[Distance]:
    """The length of that line, which is at least ``least`` [m] at a start."""
    a, b = views
    return [Distance(a.name, b.name, square(line_between(views, at, to)), least * least)]


def smooth_length(d, scale):
    r"""|d| [m], with derivatives also at d = 0.

    .. math:: \ell = \sqrt{d\cdot d + (10^{-12} s)^2}

    It is |d| to machine precision as soon as |d| is a hundred-thousandth of the length ``scale`` s. A force along d that jumps at
    d = 0 gives no impulse there, so a motion through it leaves with the velocity and energy it came with.
    """
    return sqrt(square(d) + (SMOOTH_LENGTH * scale) * (SMOOTH_LENGTH * scale))


SMOOTHED = (
    "the length |d| is computed as √(d·d + 1e-24 ℓ₀²), so that it is differentiable also at d = 0; where ℓ₀ is a "
    "number the printed formulas "
    "round this away, where it is a parameter, and in SymPy, they show it"
)
"""The remark of potentials that use `smooth_length`."""


def along_line(views: Sequence[BodyView], at, to, factor) -> list[Effort]:
    """Efforts of the force ``factor`` d on the point ``at`` of the first body and its opposite on the second's ``to``, where d
    is the line from there."""
    a, b = views
    force = factor * line_between(views, at, to)
    return [
        (force, effort_of(a, at, force)),
        (-force, -effort_of(b, to, force)),
    ]


def dashpot(views: Sequence[BodyView], at, to, damping, least=0.0) -> list[Effort]:
    r"""Efforts of a dashpot along the line d between two points; below a length of ``least`` [m] they tend to zero.

    .. math:: F = -c\,\frac{d\cdot\dot d}{d\cdot d}\,d
    """
    a, b = views
    d = line_between(views, at, to)
    rate = a.point_velocity(at) - b.point_velocity(to)
    return along_line(views, at, to, -damping * dot(d, rate) / (square(d) + least * least))
