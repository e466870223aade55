"""The tables [bodies.NAME] of affine bodies with their energies and dissipations, and of point-bodies."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from vinculum.systems.files.schema_values import (
    Frame,
    FrameTable,
    Number,
    Numbers,
    Row,
    Table,
    number,
    row,
    square_or,
)
from vinculum.systems.files.tables.meshes import MeshFile
from vinculum.systems.files.tables.shapes import Shape


class SaintVenantKirchhoffTable(Table):
    kind: Literal["saint_venant_kirchhoff"]
    volume: Number
    shear: Number
    lame: Number = 0.0


class NeoHookeanTable(Table):
    kind: Literal["neo_hookean"]
    volume: Number
    shear: Number
    lame: Number = 0.0


class FluidLikeTable(Table):
    kind: Literal["fluid_like"]
    volume: Number
    bulk: Number


class RigidLimitTable(Table):
    kind: Literal["rigid_limit"]
    stiffness: Number


class SelfGravityTable(Table):
    kind: Literal["self_gravity"]
    mass: Number
    radius: Number
    G: Number


class DeformationFormulaTable(Table):
    kind: Literal["formula"]
    formula: str


class NewtonianViscosityTable(Table):
    kind: Literal["newtonian_viscosity"]
    volume: Number
    shear: Number
    bulk: Number = 0.0


def _energy(given: Any) -> Any:
    return {"kind": "formula", "formula": given} if isinstance(given, str) else given


Energy = Annotated[
    Annotated[
        SaintVenantKirchhoffTable
        | NeoHookeanTable
        | FluidLikeTable
        | RigidLimitTable
        | SelfGravityTable
        | DeformationFormulaTable,
        Field(discriminator="kind"),
    ],
    BeforeValidator(_energy),
]
Dissipation = Annotated[NewtonianViscosityTable | DeformationFormulaTable, Field(discriminator="kind")]
ENERGIES: dict[str, type[Table]] = {
    "saint_venant_kirchhoff": SaintVenantKirchhoffTable, "neo_hookean": NeoHookeanTable, "fluid_like": FluidLikeTable,
    "rigid_limit": RigidLimitTable, "self_gravity": SelfGravityTable, "formula": DeformationFormulaTable,
}  # fmt: skip
DISSIPATIONS: dict[str, type[Table]] = {
    "newtonian_viscosity": NewtonianViscosityTable,
    "formula": DeformationFormulaTable,
}


def _moments(given: Any) -> Any:
    """One to three numbers, or a square of them."""
    if not isinstance(given, list) or not 1 <= len(given) <= 3:
        raise PydanticCustomError("value", "must be the diagonal entries or a square matrix, one for each dimension")
    if all(isinstance(line, list) for line in given):
        return [row(line, len(given)) for line in given]
    return [number(entry) for entry in given]


def _inertia(given: Any) -> Any:
    return square_or(given, 3) if isinstance(given, list) else number(given)


Block = Annotated[Any, BeforeValidator(_inertia)]


class AffineTable(Table):
    kind: Literal["affine"]
    mass: Number = None
    second_moment: Annotated[Any, BeforeValidator(_moments)] = None
    shape: Shape | None = None
    mesh: MeshFile | None = None
    at: Frame = FrameTable()
    density: Number = None
    energy: Energy | None = None
    dissipation: Dissipation | None = None
    dimension: Annotated[int, Field(ge=1, le=3)] = 3
    planar: bool = False


class PointBodyTable(Table):
    kind: Literal["point_body"]
    A: Block
    B: Block = 0.0
    C: Block
    mass: Number = None
    com: Row | None = None
    shape: Shape | None = None


DEFORMING = {"affine": AffineTable, "point_body": PointBodyTable}
Deformation = Numbers
"""A square of numbers, or rows of them."""
