"""The tables [constraints.NAME] of a model file."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from vinculum.systems.files.action_tables import OneOrEach
from vinculum.systems.files.schema_values import Number, Table, number


def _places(given: Any) -> Any:
    if not isinstance(given, dict) or not given:
        raise PydanticCustomError(
            "value", 'must be a table of joints and coordinates, as in { plane = [2.0, "free", "free"] }'
        )
    return {name: [number(x) for x in (row if isinstance(row, list) else [row])] for name, row in given.items()}


class IdealTable(Table):
    kind: Literal["dalembert", "chetaev"]


class PenaltyTable(Table):
    kind: Literal["penalty"]
    stiffness: Number


class FrictionTable(Table):
    kind: Literal["friction"]
    coefficient: Number


class VakonomicTable(Table):
    kind: Literal["vakonomic"]
    multipliers: OneOrEach = None
    reaching: Annotated[Any, BeforeValidator(_places)] = None
    at: Number = None
    guess: OneOrEach = 0.0


class AddedInertiaTable(Table):
    kind: Literal["added_inertia"]
    coefficient: Number


def _realization(given: Any) -> Any:
    return {"kind": given} if isinstance(given, str) else given


def _formulas(given: Any) -> Any:
    rows = given if isinstance(given, list) else [given]
    if not rows or not all(isinstance(row, str) for row in rows):
        raise PydanticCustomError("value", "must be a formula in quotes, or a list of formulas, that shall vanish")
    return rows


def _things(given: Any) -> Any:
    if not isinstance(given, list) or not given or not all(isinstance(name, str) for name in given):
        raise PydanticCustomError("value", 'must be a list of names of bodies or joints, as in ["disc", "ground"]')
    return given


Formulas = Annotated[Any, BeforeValidator(_formulas)]
AnyRealization = Annotated[
    Annotated[
        IdealTable | PenaltyTable | FrictionTable | VakonomicTable | AddedInertiaTable, Field(discriminator="kind")
    ],
    BeforeValidator(_realization),
]


class ConstraintTable(Table):
    bodies: Annotated[Any, BeforeValidator(_things)]
    position: Formulas = None
    velocity: Formulas = None
    realization: AnyRealization


REALIZATIONS: dict[str, type[Table]] = {
    "dalembert": IdealTable, "chetaev": IdealTable, "penalty": PenaltyTable, "friction": FrictionTable, "vakonomic": VakonomicTable,
    "added_inertia": AddedInertiaTable,
}  # fmt: skip
