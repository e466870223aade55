"""The tables [constraints.NAME] of a model file."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_core import PydanticCustomError

from vinculum.systems.files.schema_values import Number, Table, number
from vinculum.systems.files.tables.actions import ForceTable, InteractionTable, OneOrEach

WRENCHES: dict[str, type[Table]] = {"force": ForceTable, "interaction": InteractionTable}


def _places(given: Any) -> Any:
    if not isinstance(given, dict) or not given:
        raise PydanticCustomError(
            "value", 'must be a table of joints and coordinates, as in { plane = [2.0, "free", "free"] }'
        )
    return {name: [number(x) for x in (row if isinstance(row, list) else [row])] for name, row in given.items()}


Places = Annotated[Any, BeforeValidator(_places)]


class IdealTable(Table):
    kind: Literal["dalembert", "chetaev"]


class PenaltyTable(Table):
    kind: Literal["penalty"]
    stiffness: Number


class ViscousFrictionTable(Table):
    kind: Literal["viscous_friction"]
    coefficient: Number


class VakonomicTable(Table):
    kind: Literal["vakonomic"]
    multipliers: OneOrEach = None
    reaching: Places = None
    at: Number = None
    guess: OneOrEach = 0.0


class AddedInertiaTable(Table):
    kind: Literal["added_inertia"]
    coefficient: Number


def _directions(given: Any) -> Any:
    """Names of joints and tables of unit wrenches."""
    found = []
    for entry in given if isinstance(given, list) else [given]:
        if isinstance(entry, str):
            found.append(entry)
            continue
        kind = entry.get("kind") if isinstance(entry, dict) else None
        if kind not in WRENCHES:
            raise PydanticCustomError(
                "value",
                'must name joints, or unit wrenches as {kind = "force", body = …} and {kind = "interaction", a = …, b = …}',
            )
        try:
            found.append(WRENCHES[kind].model_validate(entry))
        except ValidationError as error:
            wrong = error.errors(include_url=False)[0]
            key, why = ".".join(map(str, wrong["loc"])), wrong["msg"].lower()
            told = {"what": f"holds a wrench of kind '{kind}' whose key '{key}' is wrong: {why}"}
            raise PydanticCustomError("value", "{what}", told) from error
    return found


class ServoTable(Table):
    kind: Literal["servo"]
    along: Annotated[Any, BeforeValidator(_directions)] = ()
    by: Literal["chetaev", "vakonomic"] | None = None
    multipliers: OneOrEach = None
    reaching: Places = None
    at: Number = None
    guess: OneOrEach = 0.0
    bounds: Any = None


def _realization(given: Any) -> Any:
    if not isinstance(given, (str, dict, Table)):
        raise PydanticCustomError("value", 'must be a name such as "dalembert", or a table with a kind')
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


Things = Annotated[Any, BeforeValidator(_things)]
Formulas = Annotated[Any, BeforeValidator(_formulas)]
AnyRealization = Annotated[
    Annotated[
        IdealTable | PenaltyTable | ViscousFrictionTable | VakonomicTable | AddedInertiaTable | ServoTable,
        Field(discriminator="kind"),
    ],
    BeforeValidator(_realization),
]


class ConstraintTable(Table):
    kind: Literal["formula"] = "formula"
    bodies: Things
    position: Formulas = None
    velocity: Formulas = None
    acceleration: Formulas = None
    realization: AnyRealization


REALIZATIONS: dict[str, type[Table]] = {
    "dalembert": IdealTable, "chetaev": IdealTable, "penalty": PenaltyTable, "viscous_friction": ViscousFrictionTable,
    "vakonomic": VakonomicTable, "added_inertia": AddedInertiaTable, "servo": ServoTable,
}  # fmt: skip
