"""The tables [unilaterals.NAME] and [contacts.NAME] of a model file."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from vinculum import upward
from vinculum.systems.files.schema_values import Frame, FrameTable, Number, Row, Table, number, row
from vinculum.systems.files.tables.actions import Names, Vector
from vinculum.systems.files.tables.constraints import Things
from vinculum.systems.files.tables.extended import EXTENDED, ExtendedTable, kind_tag
from vinculum.systems.files.tables.shapes import Corners, Shape


def _gap(given: Any) -> Any:
    if not isinstance(given, str):
        raise PydanticCustomError("value", 'must be a formula in quotes that is not negative, as in "ball.position[2]"')
    return given


def _impact(given: Any) -> Any:
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        return {"kind": "newton", "e": given}
    if not isinstance(given, (str, dict, Table)):
        raise PydanticCustomError(
            "value",
            'must be a number e (Newton\'s law), "inelastic", "elastic", or a table {kind = "poisson", e = …}',
        )
    return {"kind": given} if isinstance(given, str) else given


def _friction(given: Any) -> Any:
    if isinstance(given, (dict, Table)):
        return given
    if isinstance(given, list):
        raise PydanticCustomError("value", "must be the coefficient mu, or a table {mu = …}")
    return {"mu": number(given)}


def _heights(given: Any) -> Any:
    if not isinstance(given, list) or not given or not all(isinstance(line, list) for line in given):
        raise PydanticCustomError("value", "must be a list of rows of heights, one row for every x")
    return [row(line, len(given[0])) for line in given]


def _triangles(given: Any) -> Any:
    if not isinstance(given, list) or not all(
        isinstance(line, list) and len(line) == 3 and all(type(x) is int for x in line) for line in given
    ):
        raise PydanticCustomError(
            "value", "must be a list of triangles, each of 3 whole numbers that count corners from 0"
        )
    return given


def _spacing(given: Any) -> Any:
    return row(given, 2) if isinstance(given, list) else number(given)


def _wall(given: Any) -> str | None:
    """The kind of a wall; one with a shape is a solid, and any other without a kind a half-space."""
    if not isinstance(given, dict):
        return None
    kind = given.get("kind", "fixed_solid" if "shape" in given else "half_space")
    return kind if isinstance(kind, str) else repr(kind)


class StillImpactTable(Table):
    kind: Literal["inelastic", "elastic"]
    treatment: str | None = None


class RatioImpactTable(Table):
    kind: Literal["newton", "poisson"]
    e: Number
    treatment: str | None = None


class CoulombTable(Table):
    mu: Number
    along: Row = None
    mu_across: Number = None
    rolling: Number = None
    spinning: Number = None


class HalfSpaceTable(Table):
    kind: Literal["half_space"] = "half_space"
    normal: Row
    offset: Number = 0.0


class TwoSidedPlaneTable(Table):
    kind: Literal["two_sided_plane"]
    normal: Row
    offset: Number = 0.0


class FixedSolidTable(Table):
    kind: Literal["fixed_solid"] = "fixed_solid"
    shape: Shape
    at: Frame = FrameTable()


class HeightFieldTable(Table):
    kind: Literal["height_field"]
    heights: Annotated[Any, BeforeValidator(_heights)]
    spacing: Annotated[Any, BeforeValidator(_spacing)]
    at: Frame = FrameTable()


class MeshTable(Table):
    kind: Literal["mesh"]
    corners: Corners
    triangles: Annotated[Any, BeforeValidator(_triangles)]
    at: Frame = FrameTable()


IMPACTS: dict[str, type[Table]] = {
    "inelastic": StillImpactTable, "elastic": StillImpactTable, "newton": RatioImpactTable, "poisson": RatioImpactTable,
}  # fmt: skip
Impact = Annotated[
    Annotated[
        Annotated[StillImpactTable, Tag("inelastic")]
        | Annotated[StillImpactTable, Tag("elastic")]
        | Annotated[RatioImpactTable, Tag("newton")]
        | Annotated[RatioImpactTable, Tag("poisson")]
        | Annotated[ExtendedTable, Tag(EXTENDED)],
        Discriminator(kind_tag(IMPACTS, upward.OTHER_IMPACT_LAWS)),
    ],
    BeforeValidator(_impact),
]
Friction = Annotated[CoulombTable, BeforeValidator(_friction)]
AnyWall = Annotated[
    Annotated[HalfSpaceTable, Tag("half_space")]
    | Annotated[TwoSidedPlaneTable, Tag("two_sided_plane")]
    | Annotated[FixedSolidTable, Tag("fixed_solid")]
    | Annotated[HeightFieldTable, Tag("height_field")]
    | Annotated[MeshTable, Tag("mesh")],
    Discriminator(_wall),
]


class UnilateralTable(Table):
    bodies: Things
    gap: Annotated[Any, BeforeValidator(_gap)] = None
    foot: Row = None
    plane: HalfSpaceTable | None = None
    impact: Impact
    friction: Friction | None = None
    point: Vector = None


def _limits(given: Any) -> Any:
    """One table for every coordinate: from one table, from a pair, or from a list of tables and pairs."""
    if isinstance(given, dict) or (isinstance(given, list) and not any(isinstance(one, (dict, list)) for one in given)):
        given = [given]
    if not isinstance(given, list):
        raise PydanticCustomError("value", 'must be a pair as in ["-30 deg", "60 deg"], a table, or a list of them')
    return [_pair(one) if isinstance(one, list) else one for one in given]


def _pair(given: list) -> Any:
    if len(given) != 2:
        raise PydanticCustomError("value", 'must be a lower and an upper limit, as in ["-30 deg", "60 deg"]')
    return {"lower": given[0], "upper": given[1]}


class LimitsTable(Table):
    lower: Number = None
    upper: Number = None
    impact: Impact | None = None


Stops = Annotated[list[LimitsTable], BeforeValidator(_limits)]


class ContactTable(Table):
    bodies: Names = None
    walls: list[AnyWall] = Field(default_factory=list)
    impact: Impact
    friction: Friction | None = None
    against: Names = None
    joined: bool | None = None


WALLS: dict[str, type[Table]] = {
    "half_space": HalfSpaceTable, "two_sided_plane": TwoSidedPlaneTable, "fixed_solid": FixedSolidTable,
    "height_field": HeightFieldTable, "mesh": MeshTable,
}  # fmt: skip
