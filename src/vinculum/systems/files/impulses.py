"""The tables [impulses.NAME] of a model file."""

from typing import Annotated, Any

from pydantic import BeforeValidator

from vinculum.bonds import Impulse
from vinculum.errors import FileError
from vinculum.systems.files.actions import read_wrench
from vinculum.systems.files.schema_values import ORIGIN, Row, Table, number
from vinculum.systems.files.tables.actions import OneOrEach, Vector
from vinculum.systems.files.values import Values
from vinculum.systems.system import System

UNITS = {"m/s": "N s", "rad/s": "N m s"}


def _instants(given: Any) -> Any:
    return [number(entry) for entry in given] if isinstance(given, list) else [number(given)]


class ImpulseTable(Table):
    """An impulse on a body (force, moment, point) or along a joint (along), at instants."""

    at: Annotated[Any, BeforeValidator(_instants)]
    body: str | None = None
    joint: str | None = None
    force: Vector = ORIGIN
    moment: Vector = ORIGIN
    point: Row = ORIGIN
    along: OneOrEach = None


def impulse_of(values: Values, place: str, name: str, table: ImpulseTable, system: System) -> Impulse:
    """The impulse that a table describes."""
    at = [values.settle(f"{place} at[{i}]", entry, "s") for i, entry in enumerate(table.at)]
    if (table.body is None) == (table.joint is None):
        raise FileError(f"{values.file}: {place} needs either 'body' or 'joint', what is struck; add body = \"…\"")
    if table.joint is None:
        if table.along is not None:
            raise FileError(
                f"{values.file}: {place} strikes a body, which takes 'force' and 'moment'; leave 'along' out"
            )
        wrench = read_wrench(values, place, table, [""], ("N s", "N m s"), table.point)
        return Impulse(name, str(table.body), lambda body, t: wrench((body,), t), at=at)
    if {"force", "moment", "point"} & table.model_fields_set or table.along is None:
        raise FileError(f"{values.file}: {place} strikes a joint, which takes 'along' alone; write along = 0.3")
    joint = system.joints.get(table.joint)
    units = [UNITS[unit] for unit in joint.kind.coordinates.v_units] if joint is not None else ["N m s"]
    given = table.along if isinstance(table.along, list) else [table.along]
    if len(given) != len(units):
        raise FileError(
            f"{values.file}: {place} along must have {len(units)} numbers, one for each velocity of '{table.joint}'"
        )
    numbers = values.row(f"{place} along", given, units)
    return Impulse(name, table.joint, numbers if len(numbers) > 1 else numbers[0], at=at)
