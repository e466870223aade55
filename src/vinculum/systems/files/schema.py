"""The tables and keys of a model file. Values stay as written: quantities and formulas are read later."""

import math
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

WANTED = 'a number, a quantity such as "30 deg" or a formula'


def _number(given: Any) -> Any:
    if isinstance(given, str):
        return given
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise PydanticCustomError("value", f"must be {WANTED}")
    try:
        finite = math.isfinite(given)
    except OverflowError:
        finite = False
    if not finite:
        raise PydanticCustomError("value", "must be finite")
    return float(given)


def _row(given: Any, size: int) -> list:
    if not isinstance(given, list) or len(given) != size:
        raise PydanticCustomError("value", f"must be a list of {size} numbers")
    return [_number(entry) for entry in given]


def _numbers(given: Any) -> Any:
    """A number, a row of numbers or a square of them."""
    if not isinstance(given, list):
        return _number(given)
    if any(isinstance(entry, list) for entry in given):
        return [_row(entry, len(given)) for entry in given]
    return [_number(entry) for entry in given]


def _square_or(given: Any, size: int) -> list:
    """Rows of three numbers in a square, or one row of ``size``."""
    if isinstance(given, list) and len(given) == 3 and all(isinstance(row, list) for row in given):
        return [_row(row, 3) for row in given]
    if isinstance(given, list) and len(given) == size:
        return _row(given, size)
    what = "the three diagonal entries" if size == 3 else "a quaternion of 4 numbers (scalar first)"
    raise PydanticCustomError("value", f"must be {what} or a 3×3 matrix")


def _names(given: Any) -> Any:
    one = given if isinstance(given, str) else given[0] if isinstance(given, list) and len(given) == 1 else None
    if not isinstance(one, str):
        raise PydanticCustomError("value", 'must name one joint or one body, as in ["elbow"]')
    return one


def _drive(given: Any) -> Any:
    return [_number(entry) for entry in given] if isinstance(given, list) else [_number(given)]


def _frame(given: Any) -> Any:
    if not isinstance(given, (list, dict)):
        raise PydanticCustomError("value", "must be a list of 3 numbers, or a table with position, rotation or euler")
    return {"position": given} if isinstance(given, list) else given


def _position(given: Any) -> Any:
    return given if isinstance(given, dict) else {"position": given}


Number = Annotated[Any, BeforeValidator(_number)]
Numbers = Annotated[Any, BeforeValidator(_numbers)]
Row = Annotated[Any, BeforeValidator(lambda given: _row(given, 3))]
Inertia = Annotated[Any, BeforeValidator(lambda given: _square_or(given, 3))]
Rotation = Annotated[Any, BeforeValidator(lambda given: _square_or(given, 4))]
Drive = Annotated[Any, BeforeValidator(_drive)]
ORIGIN = (0.0, 0.0, 0.0)


class Table(BaseModel):
    """A table of a model file; keys that it does not have are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SystemTable(Table):
    name: str | None = None
    gravity: Row = ORIGIN


class EulerTable(Table):
    sequence: str = "xyz"
    angles: Row


class FrameTable(Table):
    position: Row = ORIGIN
    rotation: Rotation = None
    euler: EulerTable | None = None


Frame = Annotated[FrameTable, BeforeValidator(_frame)]


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


class RigidTable(Table):
    kind: Literal["rigid"] = "rigid"
    mass: Number
    com: Row = ORIGIN
    inertia: Inertia
    about: Literal["center", "origin"] = "center"


class SolidTable(Table):
    kind: Literal["rigid"] = "rigid"
    shape: Shape
    density: Number = None
    mass: Number = None
    at: Frame = FrameTable()


class PointTable(Table):
    kind: Literal["point"]
    mass: Number


def _turned(given: Any) -> Any:
    return given if isinstance(given, dict) else {"entries": _square_or(given, 4)}


class TurnTable(Table):
    axis: Row = (0.0, 0.0, 1.0)
    angle: Number = 0.0
    entries: Any = None


class PrescribedTable(Table):
    kind: Literal["prescribed"]
    position: Row = ORIGIN
    rotation: Annotated[TurnTable, BeforeValidator(_turned)] | None = None
    mass: Number = 0.0
    com: Row = ORIGIN
    inertia: Inertia = ORIGIN


def _body_tag(given: Any) -> str | None:
    if not isinstance(given, dict):
        return None
    kind = given.get("kind", "rigid")
    return "solid" if kind == "rigid" and "shape" in given else kind if isinstance(kind, str) else repr(kind)


BodyTable = Annotated[
    Annotated[RigidTable, Tag("rigid")]
    | Annotated[SolidTable, Tag("solid")]
    | Annotated[PointTable, Tag("point")]
    | Annotated[PrescribedTable, Tag("prescribed")],
    Discriminator(_body_tag),
]


class PositionTable(Table):
    position: Numbers = None
    rotation: Rotation = None
    euler: EulerTable | None = None


class JointTable(Table):
    parent: str
    child: str
    at: Frame = FrameTable()
    to: Frame = FrameTable()
    damping: Numbers = 0.0
    stiffness: Numbers = 0.0
    rest: Annotated[PositionTable, BeforeValidator(_position)] | None = None
    drive: Drive = None


class WeldTable(Table):
    kind: Literal["weld"]
    parent: str
    child: str
    at: Frame = FrameTable()
    to: Frame = FrameTable()


class RevoluteTable(JointTable):
    kind: Literal["revolute"]
    axis: Row = (0.0, 0.0, 1.0)


class PrismaticTable(JointTable):
    kind: Literal["prismatic"]
    axis: Row = (0.0, 0.0, 1.0)


class CylindricalTable(JointTable):
    kind: Literal["cylindrical"]
    axis: Row = (0.0, 0.0, 1.0)


class HelicalTable(JointTable):
    kind: Literal["helical"]
    axis: Row = (0.0, 0.0, 1.0)
    pitch: Number


def _axes(given: Any) -> Any:
    if not isinstance(given, list) or len(given) != 2:
        raise PydanticCustomError("value", "must be a list of two axes of 3 numbers each")
    return [_row(axis, 3) for axis in given]


class UniversalTable(JointTable):
    kind: Literal["universal"]
    axes: Annotated[Any, BeforeValidator(_axes)] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


class PlanarTable(JointTable):
    kind: Literal["planar"]


class TranslationTable(JointTable):
    kind: Literal["translation"]


class SphericalTable(JointTable):
    kind: Literal["spherical"]
    chart: str = "quaternion"


class FreeTable(JointTable):
    kind: Literal["free"]
    chart: str = "quaternion"


AnyJointTable = Annotated[
    RevoluteTable | PrismaticTable | HelicalTable | CylindricalTable | UniversalTable | SphericalTable | PlanarTable
    | TranslationTable | FreeTable | WeldTable,
    Field(discriminator="kind"),
]  # fmt: skip


class StartTable(PositionTable):
    rate: Numbers = None


class EventTable(Table):
    of: Annotated[str, BeforeValidator(_names)]
    function: str
    direction: Literal[-1, 0, 1] = 0
    stop: bool = False


def _points(given: Any) -> list:
    if not isinstance(given, list):
        raise PydanticCustomError("value", "must be a list of numbers")
    return [_number(entry) for entry in given]


Points = Annotated[Any, BeforeValidator(_points)]


class PointsTable(Table):
    x: Points
    y: Points
    kind: Literal["linear", "cubic", "natural", "quintic", "pchip", "akima"] = "cubic"
    outside: Literal["refuse", "extend", "flat", "repeat"] = "refuse"


class RunTable(Table):
    until: Number = None
    begin: Number = 0.0
    method: str | None = None
    tolerance: Number = None
    step: Number = None
    grid: Annotated[int, Field(ge=2)] | None = None


class ModelTable(Table):
    """The whole file."""

    system: SystemTable = SystemTable()
    parameters: dict[str, Number] = {}
    tables: dict[str, PointsTable] = {}
    bodies: dict[str, BodyTable]
    joints: dict[str, AnyJointTable] = {}
    start: dict[str, Annotated[StartTable, BeforeValidator(_position)]] = {}
    events: dict[str, EventTable] = {}
    run: RunTable = RunTable()


BODIES = {"rigid": RigidTable, "solid": SolidTable, "point": PointTable, "prescribed": PrescribedTable}
SHAPES = {"sphere": SphereTable, "box": BoxTable, "cylinder": CylinderTable, "capsule": CapsuleTable, "cone": ConeTable,
          "ellipsoid": EllipsoidTable}  # fmt: skip
JOINTS = {
    "revolute": RevoluteTable, "prismatic": PrismaticTable, "helical": HelicalTable, "cylindrical": CylindricalTable,
    "universal": UniversalTable, "spherical": SphericalTable, "planar": PlanarTable, "translation": TranslationTable,
    "free": FreeTable, "weld": WeldTable,
}  # fmt: skip
TABLES: dict[str, type[Table]] = {"system": SystemTable, "run": RunTable, "at": FrameTable, "to": FrameTable,
                                  "rest": PositionTable, "rotation": TurnTable,
                                  "euler": EulerTable, **BODIES, **SHAPES, **JOINTS}  # fmt: skip
