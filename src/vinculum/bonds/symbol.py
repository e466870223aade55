"""`Symbol`: what a bond looks like in a picture."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

Z = (0.0, 0.0, 1.0)


@final
@dataclass(frozen=True, eq=False)
class Symbol:
    """The ``kind`` of drawing of a bond, and where it is on each of its bodies, in the order of its bodies.

    ``points``: a place (3,) [m] in the frame of each body; ``axes``: a direction there, z where none matters.
    ``sizes``: lengths [m] of what is drawn. All may contain parameters. ``corners``: for a convex body of any form, a
    function of parameter values that returns points (n, 3) [m] of its surface, in the frame of the first body.
    """

    kind: str
    points: tuple[Any, ...]
    axes: tuple[Any, ...] = (Z, Z)
    sizes: tuple[Any, ...] = ()
    corners: Callable | None = None
