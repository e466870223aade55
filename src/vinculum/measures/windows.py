"""`Window`: a part of time-space with closed or open faces."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import ModelError
from vinculum.screws.entries import from_function, is_number, numeric, shorten
from vinculum.tolerances.shapes import ON_A_FACE


@final
@dataclass(frozen=True, eq=False)
class Face:
    """A condition b(ξ) ≤ 0. ``b``: a function of points ξ = (t, x) (n, 1 + d) that returns (n,); ``closed``: whether b
    = 0 belongs to it."""

    b: Callable
    closed: bool = True

    def __post_init__(self):
        if not callable(self.b):
            raise ModelError(
                f"window: {shorten(self.b)} is not a function; give b(ξ), negative inside, of points (n, 1 + d)"
            )

    def at(self, points: np.ndarray) -> np.ndarray:
        """b at points, (n,)."""
        found = from_function("window: a face", self.b, points)
        if found.shape != (len(points),):
            raise ModelError(
                f"window: a face gives shape {found.shape} for {len(points)} places; return one number each"
            )
        return found


@final
@dataclass(frozen=True, eq=False)
class Window:
    """The part of time-space where every face has b ≤ 0, or < 0 if it is open; without faces, all of it.

    ``Window.since(t)`` and ``Window.until(t)`` are the future and the past of an instant, ``Window.where(b)`` a region that may move;
    ``&`` is the intersection. Moreau, An expression of classical dynamics, section 5.
    """

    faces: tuple[Face, ...] = ()

    def __post_init__(self):
        if not isinstance(self.faces, tuple) or not all(isinstance(face, Face) for face in self.faces):
            raise ModelError(
                f"window: {shorten(self.faces)} are not faces; use vc.measures.Window.since(t), .until(t) "
                "or .where(b), and & for what they share"
            )

    @classmethod
    def where(cls, b: Callable, closed: bool = True) -> "Window":
        """b(ξ) ≤ 0, or < 0 if the face is open; ``b`` maps points (n, 1 + d), time first, to (n,)."""
        return cls((Face(b, bool(closed)),))

    @classmethod
    def since(cls, t: float, closed: bool = True) -> "Window":
        """The future of an instant; an impact at the instant belongs to it if it is closed. Moreau, Ex. 5.1 and
        5.2."""
        t = _instant(t)
        return cls.where(lambda xi: t - xi[:, 0], closed)

    @classmethod
    def until(cls, t: float, closed: bool = True) -> "Window":
        """The past of an instant."""
        t = _instant(t)
        return cls.where(lambda xi: xi[:, 0] - t, closed)

    def __and__(self, other) -> "Window":
        return Window(self.faces + other.faces) if isinstance(other, Window) else NotImplemented

    def contains(self, points) -> np.ndarray:
        """Whether points (n, 1 + d) are in the window, (n,); points within 1e-10 of a face belong to it if the face is
        closed."""
        points = np.atleast_2d(numeric("window: points", points))
        if points.ndim != 2 or points.shape[1] < 2 or not np.all(np.isfinite(points)):
            raise ModelError(
                f"window: points of shape {points.shape} must be n rows of an instant and a place, all finite"
            )
        near = ON_A_FACE * (1.0 + np.abs(points).max(axis=1))
        inside = np.ones(len(points), dtype=bool)
        for face in self.faces:
            b = face.at(points)
            inside &= np.where(np.abs(b) <= near, face.closed, b < 0.0)
        return inside


def _instant(t) -> float:
    """An instant [s], checked."""
    if not is_number(t):
        raise ModelError(f"window: instant {shorten(t)} must be a finite number of seconds")
    return float(t)
