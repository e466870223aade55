"""The values of a model file: numbers, quantities, and formulas over the file's parameters."""

import keyword
import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import FileError, StartError
from vinculum.scalars import Table, Value, parameter, value
from vinculum.screws import Euler, Pose
from vinculum.systems.files.formulas.formula import RESERVED, Formula, parse
from vinculum.systems.files.formulas.quantity import dimension_of, quantity
from vinculum.systems.files.schema_values import EulerTable, FrameTable
from vinculum.systems.system import nearest


@final
@dataclass(frozen=True, eq=False)
class Values:
    """Reads values of one file; ``parameters`` are the numbers and formulas of its table [parameters], ``tables`` the functions
    of its tables [tables.NAME]."""

    file: str
    parameters: Mapping[str, Value]
    tables: Mapping[str, Table]

    def number(self, place: str, given: float | str, unit: str) -> Value:
        """One value [unit]: a plain number is taken to be in SI units, a quantity must have the right dimension."""
        if not isinstance(given, str):
            return given
        where = f"{self.file}: {place}"
        found = quantity(where, given)
        if found is None:
            return parse(where, given, self._sizes(), self.tables).value(self.parameters)
        if found.dimension != dimension_of(unit):
            wanted = "a plain number" if unit == "1" else f"a value in {unit}"
            raise FileError(f'{where} = "{given}": {found.unit} is not a unit of it; give {wanted}')
        return found.value

    def settle(self, place: str, given: float | str, unit: str) -> float:
        """One value as a float, at the values of the parameters in the file."""
        number = float(value(self.number(place, given, unit)))
        if not math.isfinite(number):
            raise FileError(f'{self.file}: {place} = "{given}" is {number} and must be finite; check the parameters')
        return number

    def row(self, place: str, given: Sequence, units: Sequence[str]) -> list:
        """Several values, or rows of them, each with its own unit."""
        if any(isinstance(entry, (list, tuple)) for entry in given):
            return [self.row(f"{place}[{i}]", entry, units) for i, entry in enumerate(given)]
        numbered = enumerate(zip(given, units, strict=True))
        return [self.number(f"{place}[{i}]", entry, unit) for i, (entry, unit) in numbered]

    def rotation(self, place: str, rotation, euler: EulerTable | None):
        """A rotation matrix or quaternion of the file, or None."""
        if rotation is not None and euler is not None:
            raise FileError(f"{self.file}: {place} has both 'rotation' and 'euler'; keep one of them")
        if euler is None:
            return None if rotation is None else self.row(f"{place}.rotation", rotation, ("1",) * len(rotation))
        try:
            angles = Euler(euler.sequence)
        except StartError as error:
            raise FileError(f"{self.file}: {place}.euler: {error}") from error
        return angles.matrix(np.array(self.row(f"{place}.euler.angles", euler.angles, ("rad",) * 3)))

    def frame(self, place: str, given: FrameTable) -> Pose:
        """The pose that ``at`` or ``to`` describes."""
        position = self.row(place, given.position, ("m",) * 3)
        return Pose(position, self.rotation(place, given.rotation, given.euler))

    def formula(self, place: str, given: str, sizes: Mapping[str, int], vectors: bool = False) -> Formula:
        """A formula over the parameters and the names in ``sizes``; ``vectors``: whole rows of three may stand in it."""
        return parse(f"{self.file}: {place}", given, self._sizes() | dict(sizes), self.tables, vectors)

    def _sizes(self) -> dict[str, int]:
        return dict.fromkeys(self.parameters, 1)


def parameter_values(
    file: str,
    table: Mapping[str, float | str],
    changed: Mapping[str, float | str],
    tables: Mapping[str, Table],
    faults: Any = None,
) -> dict[str, Value]:
    """Parameters in the order of the file: numbers become parameters, formulas stay formulas of those above them.

    ``changed`` replaces values of the file. ``faults`` keeps what is wrong; such a parameter is 1, so that the rest can be read.
    """
    for name in changed:
        if name not in table:
            raise FileError(f"{file}: there is no parameter '{name}' in [parameters]{nearest(name, table)}")
    read: dict[str, Value] = {}
    for name, given in (dict(table) | dict(changed)).items():
        with nullcontext() if faults is None else faults.keep(f"[parameters] {name}"):
            read[name] = _parameter(file, name, given, read, tables)
        read.setdefault(name, 1.0)
    return read


def _parameter(
    file: str, name: str, given: float | str, read: Mapping[str, Value], tables: Mapping[str, Table]
) -> Value:
    """One parameter of the file, of those ``read`` before."""
    place = f"[parameters] {name}"
    if not name.isidentifier() or keyword.iskeyword(name):
        raise FileError(
            f"{file}: {place}: a parameter's name is one word of letters, digits and underscores; rename it"
        )
    if name in RESERVED:
        raise FileError(f"{file}: {place}: the name '{name}' has a meaning in formulas; choose another")
    number: Any = given
    if isinstance(given, str):
        where = f"{file}: {place}"
        found = quantity(where, given)
        number = parse(where, given, dict.fromkeys(read, 1), tables).value(read) if found is None else found.value
    return parameter(name, number) if isinstance(number, float) else number
