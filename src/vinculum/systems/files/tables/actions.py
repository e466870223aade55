"""The tables [potentials.NAME] and [forces.NAME] of a model file."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from vinculum import upward
from vinculum.systems.files.schema_values import ORIGIN, Frame, FrameTable, Number, Row, Table, number, row
from vinculum.systems.files.tables.extended import EXTENDED, ExtendedTable, kind_tag


def _names(given: Any) -> Any:
    if not isinstance(given, list) or not given or not all(isinstance(name, str) for name in given):
        raise PydanticCustomError("value", 'must be a list of names of bodies, as in ["upper", "lower"]')
    return given


def _each(given: Any) -> Any:
    if not isinstance(given, list):
        raise PydanticCustomError("value", "must be a list with one number for each body")
    return [number(entry) for entry in given]


def _one_or_each(given: Any) -> Any:
    return _each(given) if isinstance(given, list) else number(given)


def _six(given: Any) -> Any:
    if isinstance(given, list) and len(given) == 6:
        return [row(line, 6) for line in given] if all(isinstance(x, list) for x in given) else row(given, 6)
    raise PydanticCustomError("value", "must be six diagonal entries or a 6×6 matrix, translations first")


def _moments(given: Any) -> Any:
    if not isinstance(given, list) or len(given) != 2:
        raise PydanticCustomError("value", "must be a list of two vectors of 3 numbers each, one for a and one for b")
    return [row(moment, 3) for moment in given]


def _vector(given: Any) -> Any:
    if isinstance(given, str):
        return given
    if isinstance(given, list) and len(given) == 3:
        return [number(entry) for entry in given]
    raise PydanticCustomError("value", "must be a formula of a vector, or a list of 3 numbers or formulas")


Names = Annotated[Any, BeforeValidator(_names)]
Each = Annotated[Any, BeforeValidator(_each)]
OneOrEach = Annotated[Any, BeforeValidator(_one_or_each)]
Six = Annotated[Any, BeforeValidator(_six)]
Moments = Annotated[Any, BeforeValidator(_moments)]
Vector = Annotated[Any, BeforeValidator(_vector)]
NO_SIX = (0.0,) * 6


class SpringTable(Table):
    kind: Literal["spring"]
    a: str
    b: str
    stiffness: Number
    rest_length: Number = 0.0
    at: Row = ORIGIN
    to: Row = ORIGIN
    damping: Number = 0.0


class TorsionSpringTable(Table):
    kind: Literal["torsion_spring"]
    a: str
    b: str
    stiffness: Number
    at: Frame = FrameTable()
    to: Frame = FrameTable()
    damping: Number = 0.0


class BushingTable(Table):
    kind: Literal["bushing"]
    a: str
    b: str
    stiffness: Six
    at: Frame = FrameTable()
    to: Frame = FrameTable()
    damping: Six = NO_SIX


class GravitationTable(Table):
    kind: Literal["gravitation"]
    bodies: Names
    G: Number = None
    softening: Number = 0.0
    degree: int | None = None
    accuracy: float | None = None
    nearest: Number = None


class UniformGravityTable(Table):
    kind: Literal["uniform_gravity"]
    bodies: Names
    acceleration: Row = (0.0, 0.0, -9.81)


class CoulombTable(Table):
    kind: Literal["coulomb_charges"]
    bodies: Names
    charges: Each
    constant: Number = None


class LennardJonesTable(Table):
    kind: Literal["lennard_jones"]
    bodies: Names
    depth: OneOrEach
    size: OneOrEach


class MorseTable(Table):
    kind: Literal["morse"]
    bodies: Names
    depth: Number
    width: Number
    rest_length: Number


class MagneticDipolesTable(Table):
    kind: Literal["magnetic_dipoles"]
    a: str
    b: str
    moments: Moments
    at: Row = ORIGIN
    to: Row = ORIGIN
    constant: Number = None


class FormulaTable(Table):
    kind: Literal["formula"]
    bodies: Names
    energy: str


class ForceTable(Table):
    kind: Literal["force"]
    body: str
    force: Vector = ORIGIN
    moment: Vector = ORIGIN
    at: Row = ORIGIN


class InteractionTable(Table):
    kind: Literal["interaction"]
    a: str
    b: str
    force: Vector = ORIGIN
    moment: Vector = ORIGIN
    at: Row = ORIGIN


class DamperTable(Table):
    kind: Literal["damper"]
    a: str
    b: str
    damping: Number
    at: Row = ORIGIN
    to: Row = ORIGIN


PotentialTable = Annotated[
    SpringTable | TorsionSpringTable | BushingTable | GravitationTable | CoulombTable | LennardJonesTable | MorseTable
    | UniformGravityTable | MagneticDipolesTable | FormulaTable,
    Field(discriminator="kind"),
]  # fmt: skip

POTENTIALS: dict[str, type[Table]] = {
    "spring": SpringTable, "torsion_spring": TorsionSpringTable, "bushing": BushingTable, "gravitation": GravitationTable,
    "coulomb_charges": CoulombTable, "lennard_jones": LennardJonesTable, "morse": MorseTable,
    "uniform_gravity": UniformGravityTable, "magnetic_dipoles": MagneticDipolesTable, "formula": FormulaTable,
}  # fmt: skip
FORCES: dict[str, type[Table]] = {"force": ForceTable, "interaction": InteractionTable, "damper": DamperTable}
AnyForceTable = Annotated[
    Annotated[ForceTable, Tag("force")]
    | Annotated[InteractionTable, Tag("interaction")]
    | Annotated[DamperTable, Tag("damper")]
    | Annotated[ExtendedTable, Tag(EXTENDED)],
    Discriminator(kind_tag(FORCES, upward.OTHER_FORCES)),
]
