"""The tables of a model file that describes a Lagrangian instead of bodies."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from vinculum.systems.files.schema import PointsTable, RunTable
from vinculum.systems.files.schema_values import Number, Table, number
from vinculum.systems.files.tables.constraints import AnyRealization, Formulas


def _coordinates(given: Any) -> Any:
    if not isinstance(given, list) or not given or not all(isinstance(name, str) for name in given):
        raise PydanticCustomError("value", 'must be a list of names, as in ["theta", "phi"]')
    return given


def _each(given: Any) -> Any:
    return [number(entry) for entry in given] if isinstance(given, list) else [number(given)]


def _derivatives(given: Any) -> Any:
    if isinstance(given, dict):
        return given
    return {"derivatives": _each(given)}


class NameTable(Table):
    name: str | None = None


class LagrangianTable(Table):
    coordinates: Annotated[Any, BeforeValidator(_coordinates)]
    function: str
    dissipation: Annotated[Any, BeforeValidator(_each)] = None


class LagrangianConstraintTable(Table):
    function: Formulas
    realization: AnyRealization


class DerivativesTable(Table):
    """The value of a coordinate and its derivatives: in a list, or as position and rate."""

    position: Number = 0.0
    rate: Number = 0.0
    derivatives: Any = None


class LagrangianEventTable(Table):
    function: str
    direction: Literal[-1, 0, 1] = 0
    stop: bool = False


class LagrangianFileTable(Table):
    """The whole file."""

    system: NameTable = NameTable()
    parameters: dict[str, Number] = Field(default_factory=dict)
    tables: dict[str, PointsTable] = Field(default_factory=dict)
    lagrangian: LagrangianTable
    constraints: dict[str, LagrangianConstraintTable] = Field(default_factory=dict)
    start: dict[str, Annotated[DerivativesTable, BeforeValidator(_derivatives)]] = Field(default_factory=dict)
    events: dict[str, LagrangianEventTable] = Field(default_factory=dict)
    run: RunTable = RunTable()


NAMED: dict[str, type[Table]] = {"constraints": LagrangianConstraintTable, "start": DerivativesTable,
                                 "events": LagrangianEventTable, "tables": PointsTable}  # fmt: skip
TABLES: dict[str, type[Table]] = {"system": NameTable, "lagrangian": LagrangianTable, "run": RunTable}
