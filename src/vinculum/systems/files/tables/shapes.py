"""The tables of shapes, each of a ``kind``; one more kind is one more class here and its name in `SHAPES`."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from vinculum.systems.files.schema_values import Number, Row, Table, row


def _corners(given: Any) -> Any:
    if not isinstance(given, list) or not all(isinstance(corner, list) for corner in given):
        raise PydanticCustomError("value", "must be a list of corners, each of 3 numbers")
    return [row(corner, 3) for corner in given]


Corners = Annotated[Any, BeforeValidator(_corners)]


class SphereTable(Table):
    kind: Literal["sphere"]
    radius: Number


class BoxTable(Table):
    kind: Literal["box"]
    size: Row


class CylinderTable(Table):
    kind: Literal["cylinder"]
    radius: Number
    length: Number


class CapsuleTable(Table):
    kind: Literal["capsule"]
    radius: Number
    length: Number


class ConeTable(Table):
    kind: Literal["cone"]
    radius: Number
    height: Number


class EllipsoidTable(Table):
    kind: Literal["ellipsoid"]
    semiaxes: Row


class PolytopeTable(Table):
    kind: Literal["polytope"]
    corners: Corners


Shape = Annotated[
    SphereTable | BoxTable | CylinderTable | CapsuleTable | ConeTable | EllipsoidTable | PolytopeTable,
    Field(discriminator="kind"),
]
SHAPES: dict[str, type[Table]] = {
    "sphere": SphereTable, "box": BoxTable, "cylinder": CylinderTable, "capsule": CapsuleTable, "cone": ConeTable,
    "ellipsoid": EllipsoidTable, "polytope": PolytopeTable,
}  # fmt: skip
