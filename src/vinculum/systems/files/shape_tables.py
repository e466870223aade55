"""The tables of shapes, each of a ``kind``; one more kind is one more class here and its name in `SHAPES`."""

from typing import Annotated, Literal

from pydantic import Field

from vinculum.systems.files.schema_values import Number, Row, Table


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


Shape = Annotated[
    SphereTable | BoxTable | CylinderTable | CapsuleTable | ConeTable | EllipsoidTable, Field(discriminator="kind")
]
SHAPES: dict[str, type[Table]] = {
    "sphere": SphereTable, "box": BoxTable, "cylinder": CylinderTable, "capsule": CapsuleTable, "cone": ConeTable,
    "ellipsoid": EllipsoidTable,
}  # fmt: skip
