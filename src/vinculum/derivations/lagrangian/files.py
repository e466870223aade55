"""Model files that describe a Lagrangian: coordinates, formulas of them and their derivatives, constraints, start, events."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vinculum.derivations.lagrangian.start import given_levels
from vinculum.derivations.lagrangian.system import LagrangianSystem, coordinate_names
from vinculum.errors import FileError
from vinculum.scalars import parameters
from vinculum.systems import At, Event
from vinculum.systems.files.constraints import realization_from_table
from vinculum.systems.files.faults import Faults
from vinculum.systems.files.formulas.formula import RESERVED, Formula
from vinculum.systems.files.lagrangian_tables import (
    NAMED,
    TABLES,
    DerivativesTable,
    LagrangianEventTable,
    LagrangianFileTable,
)
from vinculum.systems.files.model_file import ModelFile, run_settings
from vinculum.systems.files.problems import Forms
from vinculum.systems.files.table_points import read_tables
from vinculum.systems.files.toml_model import place_errors
from vinculum.systems.files.values import Values, parameter_values
from vinculum.systems.jets import JetFunction, derivative_name
from vinculum.tolerances.sizes import HIGHEST_DERIVATIVE
from vinculum.upward import LAGRANGIAN_METHOD_REFUSAL

FORMS = Forms(LagrangianFileTable, TABLES, NAMED)
RATES = 1


def lagrangian_model_file(path: Path, given: dict, changed: Mapping[str, float | str] | None) -> ModelFile:
    """The Lagrangian system of a file, with its start, events and settings; all that is wrong is told at once."""
    file = str(path)
    faults = Faults(file, FORMS)
    table: LagrangianFileTable = faults.table(given)
    looked_up: Mapping[str, Any] = {}
    with faults.keep("[tables]"):
        looked_up = read_tables(file, table.tables, table.parameters)
    numbers = parameter_values(file, table.parameters, changed or {}, looked_up, faults)
    values, names = Values(file, numbers, looked_up), list(table.lagrangian.coordinates)
    with faults.keep("[lagrangian]"):
        coordinate_names("coordinates", names)
        _check_names(file, names, {*numbers, *looked_up})
    system = _system(values, table, names, path.stem, faults)
    start, events = {}, []
    for name, entry in table.start.items():
        with faults.keep("[start]", name):
            start[name] = _start(values, f"[start] {name}", entry)
    if system is not None and len(start) == len(table.start):
        with faults.keep("[start]"):
            given_levels(system.numbers, start, system.numbers.values(None))
    for name, entry in table.events.items():
        with faults.keep(f"[events.{name}]", name):
            events.append(_event(values, f"[events.{name}]", name, entry, names))
    run = run_settings(values, table.run, faults, LAGRANGIAN_METHOD_REFUSAL)
    if faults or system is None:
        raise faults.error()
    leaves = parameters(np.array([*numbers.values(), 0.0], dtype=object))
    return ModelFile(system, start, tuple(events), run, leaves)


def _check_names(file: str, names: Sequence[str], taken: set[str]) -> None:
    for name in names:
        for k in range(HIGHEST_DERIVATIVE + 1):
            one = derivative_name(name, k)
            if one in taken or one in RESERVED:
                owner = "a parameter or a table" if one in taken else "formulas"
                raise FileError(
                    f"{file}: [lagrangian] coordinates: the name '{one}' also has a meaning in {owner}; choose another for '{name}'"
                )


def _system(
    values: Values, table: LagrangianFileTable, names: list[str], stem: str, faults: Faults
) -> LagrangianSystem | None:
    """The system; None if something in it is wrong."""
    own, forces, constraints, lagrangian = table.lagrangian, None, {}, None
    with faults.keep("[lagrangian]"):
        lagrangian = _function(values, "[lagrangian] function", [own.function], names, one=True)
    with faults.keep("[lagrangian]"):
        forces = _dissipation(values, own.dissipation, names)
    for name, entry in table.constraints.items():
        place = f"[constraints.{name}]"
        with faults.keep(place, name):
            way = realization_from_table(values, f"{place} realization", name, entry.realization)
            constraints[name] = (_function(values, f"{place} function", entry.function, names), way)
    if faults or lagrangian is None:
        return None
    with faults.keep("[lagrangian]"):
        title = stem if table.system.name is None else table.system.name
        return LagrangianSystem(title, names, lagrangian, forces, constraints)
    return None


def _dissipation(values: Values, given: Sequence | None, names: list[str]) -> JetFunction | None:
    if given is None:
        return None
    if len(given) != len(names):
        raise FileError(
            f"{values.file}: [lagrangian] dissipation has {len(given)} entries for {len(names)} coordinates; "
            "give one for each, 0 where there is none"
        )
    return _function(values, "[lagrangian] dissipation", [str(x) for x in given], names)


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
