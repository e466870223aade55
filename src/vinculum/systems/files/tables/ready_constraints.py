"""The tables [constraints.NAME] of built-in constraints, by their ``kind``."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Tag
from pydantic_core import PydanticCustomError

from vinculum.bodies import GROUND
from vinculum.systems.files.schema_values import ORIGIN, Number, Row, Table
from vinculum.systems.files.tables.constraints import AnyRealization, ConstraintTable

UPWARD = (0.0, 0.0, 1.0)
SIDEWARD = (0.0, 1.0, 0.0)
CONDITION = "condition"
LEVELS = ("position", "velocity", "acceleration")


def _formula(given: Any) -> Any:
    if not isinstance(given, str):
        raise PydanticCustomError("value", 'must be a formula of x in quotes, as in "x[2] - x[0]**2"')
    return given


def _support(given: Any) -> Any:
    if not isinstance(given, str):
        raise PydanticCustomError(
            "value", 'must be a formula of the unit vector u in quotes, as in "0.3 + 0.1*u[2]**2"'
        )
    return given


def _two(given: Any) -> Any:
    if not isinstance(given, list) or len(given) != 2 or not all(isinstance(row, str) for row in given):
        raise PydanticCustomError("value", 'must be a list of two formulas of x, as in ["x[1]", "x[2] - x[0]**2"]')
    return given


class ReadyTable(Table):
    realization: AnyRealization


class DistanceTable(ReadyTable):
    kind: Literal["distance"]
    a: str
    b: str
    length: Number
    at: Row = ORIGIN
    to: Row = ORIGIN


class PointOnSurfaceTable(ReadyTable):
    kind: Literal["point_on_surface"]
    body: str
    surface: Annotated[Any, BeforeValidator(_formula)]
    at: Row = ORIGIN
    of: str = GROUND


class PointOnCurveTable(ReadyTable):
    kind: Literal["point_on_curve"]
    body: str
    curve: Annotated[Any, BeforeValidator(_two)]
    at: Row = ORIGIN
    of: str = GROUND


class GearTable(ReadyTable):
    kind: Literal["gear"]
    a: str
    b: str
    ratio: Number
    phase: Number = 0.0


class KnifeEdgeTable(ReadyTable):
    kind: Literal["knife_edge"]
    body: str
    side: Row = SIDEWARD
    at: Row = ORIGIN
    on: str = GROUND


class NoTwistTable(ReadyTable):
    kind: Literal["no_twist"]
    a: str
    b: str = GROUND
    axis: Row = UPWARD


class ConstantSpeedTable(ReadyTable):
    kind: Literal["constant_speed"]
    body: str
    speed: Number
    at: Row = ORIGIN
    against: str = GROUND


class RotationlessTable(ReadyTable):
    kind: Literal["rotationless"]
    body: str


class IncompressibleTable(ReadyTable):
    kind: Literal["incompressible"]
    body: str


class RollingTable(ReadyTable):
    body: str
    on: str = GROUND
    normal: Row = UPWARD
    through: Row = ORIGIN
    contact: AnyRealization | None = None


class RollingDiscTable(RollingTable):
    kind: Literal["rolling_disc"]
    radius: Number
    axis: Row = SIDEWARD
    center: Row = ORIGIN


class RollingSphereTable(RollingTable):
    kind: Literal["rolling_sphere"]
    radius: Number
    center: Row = ORIGIN


class RollingEllipsoidTable(RollingTable):
    kind: Literal["rolling_ellipsoid"]
    semi_axes: Row
    center: Row = ORIGIN


class RollingBodyTable(RollingTable):
    kind: Literal["rolling"]
    support: Annotated[Any, BeforeValidator(_support)]


def _tag(given: Any) -> str | None:
    """The kind of a table; one without a kind that has a formula is a condition of its own."""
    if not isinstance(given, dict):
        return None
    if "kind" not in given:
        return CONDITION if set(LEVELS) & set(given) else None
    kind = given["kind"]
    return CONDITION if kind == "formula" else kind if isinstance(kind, str) and kind != CONDITION else repr(kind)


AnyConstraintTable = Annotated[
    Annotated[ConstraintTable, Tag(CONDITION)]
    | Annotated[DistanceTable, Tag("distance")]
    | Annotated[PointOnSurfaceTable, Tag("point_on_surface")]
    | Annotated[PointOnCurveTable, Tag("point_on_curve")]
    | Annotated[GearTable, Tag("gear")]
    | Annotated[KnifeEdgeTable, Tag("knife_edge")]
    | Annotated[NoTwistTable, Tag("no_twist")]
    | Annotated[ConstantSpeedTable, Tag("constant_speed")]
    | Annotated[RotationlessTable, Tag("rotationless")]
    | Annotated[IncompressibleTable, Tag("incompressible")]
    | Annotated[RollingDiscTable, Tag("rolling_disc")]
    | Annotated[RollingSphereTable, Tag("rolling_sphere")]
    | Annotated[RollingEllipsoidTable, Tag("rolling_ellipsoid")]
    | Annotated[RollingBodyTable, Tag("rolling")],
    Discriminator(_tag),
]

CONSTRAINTS: dict[str, type[Table]] = {
    CONDITION: ConstraintTable, "distance": DistanceTable, "point_on_surface": PointOnSurfaceTable,
    "point_on_curve": PointOnCurveTable, "gear": GearTable, "knife_edge": KnifeEdgeTable, "no_twist": NoTwistTable,
    "constant_speed": ConstantSpeedTable, "rolling_disc": RollingDiscTable, "rolling_sphere": RollingSphereTable,
    "rolling_ellipsoid": RollingEllipsoidTable, "rolling": RollingBodyTable, "rotationless": RotationlessTable,
    "incompressible": IncompressibleTable,
}  # fmt: skip
CONSTRAINT_KINDS = tuple("formula" if kind == CONDITION else kind for kind in CONSTRAINTS)
