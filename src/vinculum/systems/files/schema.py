"""The tables and keys of a model file. Values stay as written: quantities and formulas are read later."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from vinculum import upward
from vinculum.systems.files.impulses import ImpulseTable
from vinculum.systems.files.schema_values import (
    ORIGIN,
    EulerTable,
    Frame,
    FrameTable,
    Inertia,
    Number,
    Numbers,
    Rotation,
    Row,
    Table,
    number,
    row,
    square_or,
)
from vinculum.systems.files.tables.actions import FORCES, POTENTIALS, AnyForceTable, PotentialTable
from vinculum.systems.files.tables.deforming import DEFORMING, AffineTable, PointBodyTable
from vinculum.systems.files.tables.extended import EXTENDED, OPEN, ExtendedTable, kind_tag
from vinculum.systems.files.tables.many import ManyTable
from vinculum.systems.files.tables.mass_sources import MassSourceTable
from vinculum.systems.files.tables.meshes import MeshFile
from vinculum.systems.files.tables.ready_constraints import CONSTRAINTS, AnyConstraintTable
from vinculum.systems.files.tables.shapes import SHAPES, Shape
from vinculum.systems.files.tables.unilaterals import IMPACTS, WALLS, ContactTable, CoulombTable, Stops, UnilateralTable
from vinculum.tolerances.sizes import MOST_INSTANTS


def _names(given: Any) -> Any:
    one = given if isinstance(given, str) else given[0] if isinstance(given, list) and len(given) == 1 else None
    if not isinstance(one, str):
        raise PydanticCustomError("value", 'must name one joint or one body, as in ["elbow"]')
    return one


def _drive(given: Any) -> Any:
    return [number(entry) for entry in given] if isinstance(given, list) else [number(given)]


def _position(given: Any) -> Any:
    return given if isinstance(given, dict) else {"position": given}


def _matrix(given: Any) -> Any:
    if not isinstance(given, list) or not given or not all(isinstance(line, list) and line for line in given):
        raise PydanticCustomError("value", "must be a matrix, a list of rows of numbers")
    return [row(line, len(given[0])) for line in given]


Matrix = Annotated[Any, BeforeValidator(_matrix)]
Drive = Annotated[Any, BeforeValidator(_drive)]


class SystemTable(Table):
    name: str | None = None
    gravity: Row = ORIGIN


class RigidTable(Table):
    kind: Literal["rigid"] = "rigid"
    mass: Number
    com: Row = ORIGIN
    inertia: Inertia
    about: Literal["center", "origin"] = "center"
    sources: list[MassSourceTable] = Field(default_factory=list)


class SolidTable(Table):
    kind: Literal["rigid"] = "rigid"
    shape: Shape
    density: Number = None
    mass: Number = None
    at: Frame = FrameTable()
    sources: list[MassSourceTable] = Field(default_factory=list)


class MeshedTable(Table):
    kind: Literal["rigid"] = "rigid"
    mesh: MeshFile
    density: Number = None
    mass: Number = None
    at: Frame = FrameTable()
    shape: Shape | None = None
    sources: list[MassSourceTable] = Field(default_factory=list)


class PointTable(Table):
    kind: Literal["point"]
    mass: Number
    sources: list[MassSourceTable] = Field(default_factory=list)


def _rotation_entries(given: Any) -> Any:
    if isinstance(given, dict) and "axis" in given and "angle" not in given:
        raise PydanticCustomError("value", "must have an 'angle' [rad] beside its axis, a number or a formula of t")
    return given if isinstance(given, dict) else {"entries": square_or(given, 4)}


class TurnTable(Table):
    axis: Row = (0.0, 0.0, 1.0)
    angle: Number = 0.0
    entries: Any = None


class PrescribedTable(Table):
    kind: Literal["prescribed"]
    position: Row = ORIGIN
    rotation: Annotated[TurnTable, BeforeValidator(_rotation_entries)] | None = None
    mass: Number = 0.0
    com: Row = ORIGIN
    inertia: Inertia = ORIGIN
    shape: Shape | None = None


def _body_tag(given: Any) -> str | None:
    if not isinstance(given, dict):
        return None
    kind = given.get("kind", "rigid")
    if isinstance(kind, str) and kind not in BODIES and upward.is_extension(upward.OTHER_BODIES, kind):
        return EXTENDED
    if kind == "rigid" and "mesh" in given:
        return "meshed"
    return "solid" if kind == "rigid" and "shape" in given else kind if isinstance(kind, str) else repr(kind)


BodyTable = Annotated[
    Annotated[RigidTable, Tag("rigid")]
    | Annotated[SolidTable, Tag("solid")]
    | Annotated[MeshedTable, Tag("meshed")]
    | Annotated[PointTable, Tag("point")]
    | Annotated[AffineTable, Tag("affine")]
    | Annotated[PointBodyTable, Tag("point_body")]
    | Annotated[PrescribedTable, Tag("prescribed")]
    | Annotated[ExtendedTable, Tag(EXTENDED)],
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
    limits: Stops | None = None


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
    return [row(axis, 3) for axis in given]


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


class ExtendedJointTable(JointTable):
    """A joint of another package, with the keys of every joint."""

    model_config = OPEN
    kind: str


JOINTS = {
    "revolute": RevoluteTable, "prismatic": PrismaticTable, "helical": HelicalTable, "cylindrical": CylindricalTable,
    "universal": UniversalTable, "spherical": SphericalTable, "planar": PlanarTable, "translation": TranslationTable,
    "free": FreeTable, "weld": WeldTable,
}  # fmt: skip
AnyJointTable = Annotated[
    Annotated[RevoluteTable, Tag("revolute")]
    | Annotated[PrismaticTable, Tag("prismatic")]
    | Annotated[HelicalTable, Tag("helical")]
    | Annotated[CylindricalTable, Tag("cylindrical")]
    | Annotated[UniversalTable, Tag("universal")]
    | Annotated[SphericalTable, Tag("spherical")]
    | Annotated[PlanarTable, Tag("planar")]
    | Annotated[TranslationTable, Tag("translation")]
    | Annotated[FreeTable, Tag("free")]
    | Annotated[WeldTable, Tag("weld")]
    | Annotated[ExtendedJointTable, Tag(EXTENDED)],
    Discriminator(kind_tag(JOINTS, upward.OTHER_JOINTS)),
]


class StartTable(PositionTable):
    rate: Numbers = None
    deformation: Matrix = None
    deformation_rate: Matrix = None


class EventTable(Table):
    of: Annotated[str, BeforeValidator(_names)]
    function: str
    direction: Literal[-1, 0, 1] = 0
    stop: bool = False


def _points(given: Any) -> list:
    if not isinstance(given, list):
        raise PydanticCustomError("value", "must be a list of numbers")
    return [number(entry) for entry in given]


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
    grid: Annotated[int, Field(ge=2, le=MOST_INSTANTS)] | None = None
    repair: bool | None = None
    resolve: bool | None = None
    impacts: str | None = None
    theta: Number = None


class ModelTable(Table):
    """The whole file."""

    system: SystemTable = SystemTable()
    parameters: dict[str, Number] = Field(default_factory=dict)
    tables: dict[str, PointsTable] = Field(default_factory=dict)
    bodies: dict[str, BodyTable]
    joints: dict[str, AnyJointTable] = Field(default_factory=dict)
    potentials: dict[str, PotentialTable] = Field(default_factory=dict)
    forces: dict[str, AnyForceTable] = Field(default_factory=dict)
    constraints: dict[str, AnyConstraintTable] = Field(default_factory=dict)
    unilaterals: dict[str, UnilateralTable] = Field(default_factory=dict)
    contacts: dict[str, ContactTable] = Field(default_factory=dict)
    impulses: dict[str, ImpulseTable] = Field(default_factory=dict)
    many: list[ManyTable] = Field(default_factory=list)
    start: dict[str, Annotated[StartTable, BeforeValidator(_position)]] = Field(default_factory=dict)
    events: dict[str, EventTable] = Field(default_factory=dict)
    run: RunTable = RunTable()


BODIES = {"rigid": RigidTable, "solid": SolidTable, "meshed": MeshedTable, "point": PointTable, "prescribed": PrescribedTable,
          **DEFORMING}  # fmt: skip
TABLES: dict[str, type[Table]] = {"system": SystemTable, "run": RunTable, "at": FrameTable, "to": FrameTable,
                                  "rest": PositionTable, "rotation": TurnTable,
                                  "euler": EulerTable, "friction": CoulombTable, **WALLS, **BODIES, **SHAPES, **JOINTS, **POTENTIALS,
                                  **FORCES, **CONSTRAINTS, **IMPACTS}  # fmt: skip
