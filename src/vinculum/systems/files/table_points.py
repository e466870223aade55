"""The tables of a model file: functions given by points, callable in formulas."""

import keyword
from collections.abc import Mapping

from vinculum.errors import FileError, StartError
from vinculum.scalars import Table
from vinculum.systems.files.formulas.formula import RESERVED
from vinculum.systems.files.formulas.quantity import quantity
from vinculum.systems.files.schema import PointsTable


def read_tables(file: str, given: Mapping[str, PointsTable], parameters: Mapping[str, object]) -> dict[str, Table]:
    """The tables by name; a name that means something else in formulas is refused."""
    made = {}
    for name, points in given.items():
        place = f"{file}: [tables.{name}]"
        if not name.isidentifier() or keyword.iskeyword(name):
            raise FileError(f"{place}: a table's name is one word of letters, digits and underscores; rename it")
        if name in RESERVED or name in parameters:
            owner = "is also a parameter" if name in parameters else "has a meaning in formulas"
            raise FileError(f"{place}: the name '{name}' {owner}; choose another")
        x, y = (_row(f"{place} {key}", getattr(points, key)) for key in ("x", "y"))
        try:
            made[name] = Table(name, x, y, points.kind, points.outside)
        except StartError as error:
            raise FileError(f"{place}: {error}") from error
    return made


def _row(where: str, entries: list) -> list[float]:
    """Numbers in SI units; quantities must all be of one dimension."""
    numbers, dimensions = [], {}
    for i, entry in enumerate(entries):
        if not isinstance(entry, str):
            numbers.append(entry)
            continue
        found = quantity(f"{where}[{i}]", entry)
        if found is None:
            raise FileError(
                f'{where}[{i}] = "{entry}" must be a number or a quantity; the points of a table hold no formulas'
            )
        dimensions.setdefault(found.dimension, entry)
        numbers.append(found.value)
    if len(dimensions) > 1:
        one, other = list(dimensions.values())[:2]
        raise FileError(f'{where} has "{one}" and "{other}", which have different dimensions; give all in one')
    return numbers
