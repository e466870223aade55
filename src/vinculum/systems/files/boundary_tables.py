"""The tables [boundaries.NAME] and [contacts.NAME] of a model file."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from vinculum.systems.files.action_tables import Names, Vector
from vinculum.systems.files.constraint_tables import Things
from vinculum.systems.files.schema_values import Frame, FrameTable, Number, Row, Table, number
from vinculum.systems.files.shape_tables import Shape


def _gap(given: Any) -> Any:
    if not isinstance(given, str):
        raise PydanticCustomError("value", 'must be a formula in quotes that is not negative, as in "ball.position[2]"')
    return given


def _shock(given: Any) -> Any:
    if not isinstance(given, (str, dict, Table)):
        raise PydanticCustomError("value", 'must be "soft", "elastic", or a table {kind = "newton", e = 0.5}')
    return {"kind": given} if isinstance(given, str) else given


def _friction(given: Any) -> Any:
    if isinstance(given, (dict, Table)):
        return given
    if isinstance(given, list):
        raise PydanticCustomError("value", "must be the coefficient mu, or a table {mu = …}")
    return {"mu": number(given)}


def _wall(given: Any) -> str | None:
    return None if not isinstance(given, dict) else "wall" if "shape" in given else "half_space"


class StillShockTable(Table):
    kind: Literal["soft", "elastic"]
    treatment: str | None = None


class RatioShockTable(Table):
    kind: Literal["newton", "poisson"]
    e: Number
    treatment: str | None = None


class CoulombTable(Table):
    mu: Number
    along: Row = None
    mu_across: Number = None


class HalfSpaceTable(Table):
    normal: Row
    offset: Number = 0.0


class WallTable(Table):
    shape: Shape
    at: Frame = FrameTable()


Shock = Annotated[Annotated[StillShockTable | RatioShockTable, Field(discriminator="kind")], BeforeValidator(_shock)]
Friction = Annotated[CoulombTable, BeforeValidator(_friction)]
AnyWall = Annotated[
    Annotated[HalfSpaceTable, Tag("half_space")] | Annotated[WallTable, Tag("wall")], Discriminator(_wall)
]


class BoundaryTable(Table):
    bodies: Things
    gap: Annotated[Any, BeforeValidator(_gap)]
    shock: Shock
    friction: Friction | None = None
    point: Vector = None


class ContactTable(Table):
    bodies: Names = None
    walls: list[AnyWall] = Field(default_factory=list)
    shock: Shock
    friction: Friction | None = None


SHOCKS: dict[str, type[Table]] = {
    "soft": StillShockTable, "elastic": StillShockTable, "newton": RatioShockTable, "poisson": RatioShockTable,
}  # fmt: skip
WALLS: dict[str, type[Table]] = {"half_space": HalfSpaceTable, "wall": WallTable}
