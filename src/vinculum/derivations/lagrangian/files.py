"""Model files that describe a Lagrangian: coordinates, formulas of them and their derivatives, constraints, start, events."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from vinculum.derivations.lagrangian.start import given_levels
from vinculum.derivations.lagrangian.system import LagrangianSystem, coordinate_names
from vinculum.errors import FileError
from vinculum.scalars import parameters
from vinculum.systems import At, Event
from vinculum.systems.files.constraints import realization_from_table
from vinculum.systems.files.formula import RESERVED, Formula
from vinculum.systems.files.lagrangian_tables import (
    NAMED,
    TABLES,
    DerivativesTable,
    LagrangianEventTable,
    LagrangianFileTable,
)
from vinculum.systems.files.model_file import ModelFile
from vinculum.systems.files.problems import Forms, file_error
from vinculum.systems.files.table_points import read_tables
from vinculum.systems.files.toml_model import place_errors, run_settings
from vinculum.systems.files.values import Values, parameter_values
from vinculum.systems.jets import JetFunction, derivative_name
from vinculum.tolerances.sizes import HIGHEST_DERIVATIVE

FORMS = Forms(LagrangianFileTable, TABLES, NAMED)
RATES = 1


def lagrangian_model_file(path: Path, given: dict, changed: Mapping[str, float | str] | None) -> ModelFile:
    """The Lagrangian system of a file, with its start, events and settings."""
    file = str(path)
    try:
        table = LagrangianFileTable.model_validate(given)
    except ValidationError as error:
        raise file_error(file, error, FORMS) from None
    looked_up = read_tables(file, table.tables, table.parameters)
    numbers = parameter_values(file, table.parameters, changed or {}, looked_up)
    values, names = Values(file, numbers, looked_up), list(table.lagrangian.coordinates)
    with place_errors(file, "[lagrangian]"):
        coordinate_names("coordinates", names)
    _check_names(file, names, {*numbers, *looked_up})
    with place_errors(file, "[lagrangian]"):
        system = _system(values, table, names, path.stem)
    start = {name: _start(values, f"[start] {name}", entry) for name, entry in table.start.items()}
    with place_errors(file, "[start]"):
        given_levels(system.numbers, start, system.numbers.values(None))
    events = tuple(_event(values, f"[events.{name}]", name, entry, names) for name, entry in table.events.items())
    leaves = parameters(np.array([*numbers.values(), 0.0], dtype=object))
    return ModelFile(system, start, events, run_settings(values, table.run), leaves)


def _check_names(file: str, names: Sequence[str], taken: set[str]) -> None:
    for name in names:
        for k in range(HIGHEST_DERIVATIVE + 1):
            one = derivative_name(name, k)
            if one in taken or one in RESERVED:
                owner = "a parameter or a table" if one in taken else "formulas"
                raise FileError(
                    f"{file}: [lagrangian] coordinates: the name '{one}' also has a meaning in {owner}; choose another for '{name}'"
                )


def _system(values: Values, table: LagrangianFileTable, names: list[str], stem: str) -> LagrangianSystem:
    own = table.lagrangian
    lagrangian = _function(values, "[lagrangian] function", [own.function], names, one=True)
    forces = None
    if own.dissipation is not None:
        if len(own.dissipation) != len(names):
            raise FileError(
                f"{values.file}: [lagrangian] dissipation has {len(own.dissipation)} entries for {len(names)} coordinates; "
                "give one for each, 0 where there is none"
            )
        forces = _function(values, "[lagrangian] dissipation", [str(x) for x in own.dissipation], names)
    constraints = {}
    for name, entry in table.constraints.items():
        place = f"[constraints.{name}]"
        with place_errors(values.file, place):
            way = realization_from_table(values, f"{place} realization", name, entry.realization)
        constraints[name] = (_function(values, f"{place} function", entry.function, names), way)
    title = stem if table.system.name is None else table.system.name
    return LagrangianSystem(title, names, lagrangian, forces, constraints)


def _function(values: Values, place: str, texts: Sequence[str], names: Sequence[str], one: bool = False) -> JetFunction:
    """Formulas over coordinates and their derivatives as one function of a jet."""
    levels = {derivative_name(name, k): (k, i) for i, name in enumerate(names) for k in range(HIGHEST_DERIVATIVE + 1)}
    sizes = {"t": 1, **dict.fromkeys(levels, 1)}
    places = [place if len(texts) == 1 else f"{place}[{i}]" for i in range(len(texts))]
    formulas = [values.formula(where, text, sizes) for where, text in zip(places, texts, strict=True)]
    used = {name for formula in formulas for name in formula.names}
    order = max((levels[name][0] for name in used if name in levels), default=0)

    def call(jet, t):
        found = [_value(values, formula, t, {name: jet[k][i] for name, (k, i) in levels.items() if name in used})
                 for formula in formulas]  # fmt: skip
        return found[0] if one else found

    return JetFunction(f"{values.file}: {place}", order, call)


def _value(values: Values, formula: Formula, t, known: Mapping[str, object]):
    return formula.value({**values.parameters, "t": t, **known})


def _start(values: Values, place: str, table: DerivativesTable) -> At | list:
    if table.derivatives is not None:
        return [values.number(f"{place}[{i}]", x, "1") for i, x in enumerate(table.derivatives)]
    return At(values.number(f"{place}.position", table.position, "1"), values.number(f"{place}.rate", table.rate, "1"))


def _event(values: Values, place: str, name: str, table: LagrangianEventTable, names: list[str]) -> Event:
    sizes = {"t": 1, **{derivative_name(one, k): 1 for one in names for k in range(RATES + 1)}}
    formula = values.formula(f"{place} function", table.function, sizes)
    if formula.names.isdisjoint(sizes):
        raise FileError(
            f'{values.file}: {place} function = "{formula.text}" never changes; use one of {", ".join(sizes)}'
        )

    def function(*views, t):
        known = {derivative_name(view.name, k): x for view in views for k, x in enumerate((view.q, view.v))}
        return _value(values, formula, t, known)

    with place_errors(values.file, place):
        return Event(name, names, function, table.direction, table.stop, formula.text)
