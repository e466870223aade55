"""`Geometry`: what the bodies and bonds of a model look like, in numbers. Plain data, stored with a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

from vinculum.errors import FileError
from vinculum.models.layout import read_entry
from vinculum.models.plain_data import plain_data


@final
@dataclass(frozen=True, slots=True)
class Facets:
    """A surface of triangles: ``corners`` (n, 3) [m], ``triangles`` (t, 3), counterclockwise from outside."""

    corners: list[list[float]]
    triangles: list[list[int]]


@final
@dataclass(frozen=True, slots=True)
class Mark:
    """Something to draw. ``kind``: what it is; ``name``: of the body or bond; ``on``: the bodies that carry it.

    ``points``, ``axes``: for each of these a place (3,) [m] and a rotation matrix, nine numbers by rows, in the body's
    frame. ``sizes``: its lengths [m]. ``facets``: the number of its surface, if it has one.
    """

    kind: str
    name: str
    on: list[str]
    points: list[list[float]]
    axes: list[list[float]]
    sizes: list[float] = field(default_factory=list)
    facets: list[int] = field(default_factory=list)


@final
@dataclass(frozen=True, slots=True)
class Geometry:
    """``gravity`` (3,) [m/s²], all ``marks``, and the surfaces that they share."""

    gravity: list[float]
    marks: list[Mark]
    surfaces: list[Facets] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as it is stored."""
        return plain_data(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], bodies: set[str]) -> "Geometry":
        """From plain data about these ``bodies`` and the ground, every name, number and length checked."""
        found = read_entry(cls, data)
        wrong = [mark.name for mark in found.marks if not _fits(mark, bodies, len(found.surfaces))]
        wrong += ["surface" for one in found.surfaces if not _is_surface(one)]
        if wrong or len(found.gravity) != 3:
            raise FileError(
                f"the stored geometry does not fit the bodies ('{(wrong or ['gravity'])[0]}'); the folder is damaged"
            )
        return found


def _fits(mark: Mark, bodies: set[str], surfaces: int) -> bool:
    return (
        0 < len(mark.on) == len(mark.points) == len(mark.axes)
        and bodies.issuperset(mark.on)
        and all(len(point) == 3 for point in mark.points)
        and all(len(axes) == 9 for axes in mark.axes)
        and all(0 <= number < surfaces for number in mark.facets)
        and len(mark.sizes) >= LENGTHS.get(mark.kind, 0)
        and (mark.kind != "mesh" or len(mark.facets) == 1)
    )


def _is_surface(facets: Facets) -> bool:
    count = len(facets.corners)
    return all(len(corner) == 3 for corner in facets.corners) and all(
        len(three) == 3 and max(three) < count for three in facets.triangles
    )


LENGTHS = {"ball": 1, "box": 3, "cylinder": 2, "capsule": 2, "cone": 2, "ellipsoid": 3, "disc": 1, "body": 4}
"""How many sizes a mark of each kind has at least; of a body its mass [kg] and the edges of a box with the same inertia."""
