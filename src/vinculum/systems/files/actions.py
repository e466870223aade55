"""Potentials and forces of a model file."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from vinculum import bonds
from vinculum.bonds import Action, BodyView
from vinculum.errors import FileError, ModelError
from vinculum.screws import Wrench
from vinculum.systems.files.formula_views import AXES, MOTIONS, PLACES, check_names, values_seen
from vinculum.systems.files.formulas.quantity import quantity
from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.table_values import Read, given_values, make_extended
from vinculum.systems.files.tables.actions import ForceTable, FormulaTable, InteractionTable
from vinculum.systems.files.tables.extended import ExtendedTable
from vinculum.systems.files.values import Values
from vinculum.upward import OTHER_FORCES

KINDS = {"spring": "Spring", "torsion_spring": "TorsionSpring", "bushing": "Bushing", "gravitation": "Gravitation",
         "coulomb_charges": "CoulombCharges", "lennard_jones": "LennardJones", "morse": "Morse",
         "uniform_gravity": "UniformGravity", "magnetic_dipoles": "MagneticDipoles", "damper": "Damper"}  # fmt: skip
FORCE = ("N", "N m")
SIX_UNITS = {"stiffness": ("N/m", "N m/rad"), "damping": ("N s/m", "N m s/rad")}
UNITS = {
    "spring": {"stiffness": "N/m", "rest_length": "m", "damping": "N s/m", "at": "m", "to": "m"},
    "damper": {"damping": "N s/m", "at": "m", "to": "m"},
    "torsion_spring": {"stiffness": "N m/rad", "damping": "N m s/rad"},
    "gravitation": {"G": "m^3 kg^-1 s^-2", "softening": "m", "nearest": "m"},
    "coulomb_charges": {"charges": "1", "constant": "1"},
    "lennard_jones": {"depth": "J", "size": "m"},
    "morse": {"depth": "J", "width": "m", "rest_length": "m"},
    "magnetic_dipoles": {"moments": "1", "constant": "1", "at": "m", "to": "m"},
    "uniform_gravity": {"acceleration": "m/s^2"},
    "bushing": {},
}


def action_of(values: Values, place: str, name: str, table: Table) -> Action:
    """The bond that a table [potentials.NAME] or [forces.NAME] describes."""
    if isinstance(table, ExtendedTable):
        return make_extended(values, place, table, OTHER_FORCES, name)
    if isinstance(table, FormulaTable):
        return _formula(values, place, name, table)
    if isinstance(table, ForceTable):
        wrench = read_wrench(values, place, table, [""], FORCE, table.at)
        return bonds.Force(name, table.body, lambda body, t: wrench((body,), t))
    if isinstance(table, InteractionTable):
        check_names(values, place, [table.a, table.b], "body ")
        wrench = read_wrench(values, place, table, [table.a, table.b], FORCE, table.at)
        return bonds.Interaction(name, table.a, table.b, lambda a, b, t: wrench((a, b), t))
    kind: str = table.kind  # type: ignore[attr-defined]
    return getattr(bonds, KINDS[kind])(name, **given_values(values, place, table, UNITS[kind], _others(values, kind)))


def _others(values: Values, kind: str) -> dict[str, Read]:
    """How keys are read that are no numbers of one unit."""
    read: dict[str, Read] = {}
    if kind in ("bushing", "torsion_spring"):
        read |= dict.fromkeys(("at", "to"), values.frame)
    if kind == "bushing":
        read |= {
            key: lambda place, given, units=units: _six(values, place, given, units) for key, units in SIX_UNITS.items()
        }
    if kind == "gravitation":
        read["nearest"] = lambda place, given: values.settle(place, given, "m")
    return read


def _six(values: Values, place: str, given, units: tuple[str, str]) -> list:
    whole = isinstance(given[0], list)
    return values.row(place, given, ("1",) * 6 if whole else [unit for unit in units for _ in range(3)])


def _formula(values: Values, place: str, name: str, table: FormulaTable) -> Action:
    check_names(values, place, table.bodies, "body ")
    sizes = {"t": 1, **{f"{body}.{what}": 3 for body in table.bodies for what in PLACES}}
    formula = values.formula(f"{place} energy", table.energy, sizes, vectors=True)
    if formula.size != 1:
        raise FileError(f"{values.file}: {place} energy is a vector, but energy is one number [J]; take norm or dot")

    def energy(*views: BodyView, t):
        return formula.value(
            {**values.parameters, **values_seen(dict(zip(table.bodies, views, strict=True)), t, sizes)}
        )

    return bonds.Potential(name, table.bodies, energy)


def read_wrench(values: Values, place: str, table: Any, names: list[str], units: tuple[str, str], at) -> Callable:
    """The ``force`` and ``moment`` of a table, in ``units``, as a function of views and time; ``at``: the point they act at."""
    if not {"force", "moment"} & table.model_fields_set:
        raise FileError(
            f"{values.file}: {place} has neither 'force' nor 'moment' and would do nothing; add force = […]"
        )
    rows = PLACES + AXES + MOTIONS
    sizes = {"t": 1, **{f"{name}.{what}" if name else what: 3 for name in names for what in rows}}
    force = vector_of(values, f"{place} force", table.force, sizes, units[0])
    moment = vector_of(values, f"{place} moment", table.moment, sizes, units[1])
    at = values.row(f"{place} at", at, ("m",) * 3)

    def wrench(views, t) -> Wrench:
        known = values_seen(dict(zip(names, views, strict=True)), t, sizes)
        try:
            return Wrench(force=force(known), moment=moment(known), at=at)
        except KeyError as error:
            raise ModelError(f"its formula asks for {error}, but a mass point has none; use its velocity") from error

    return wrench


def vector_of(values: Values, place: str, given, sizes: Mapping[str, int], unit: str) -> Callable[[dict], np.ndarray]:
    """A vector of what formulas see: one formula, or three numbers or formulas in a unit."""
    if isinstance(given, str):
        formula = values.formula(place, given, sizes, vectors=True)
        if formula.size != 3:
            raise FileError(
                f"{values.file}: {place} is one number, but three are needed; write a vector or a list of 3 formulas"
            )
        return lambda known: formula.value({**values.parameters, **known})
    parts = [part_of(values, f"{place}[{i}]", entry, sizes, unit) for i, entry in enumerate(given)]
    return lambda known: np.array([*(part(known) for part in parts), None], dtype=object)[:-1]


def part_of(values: Values, place: str, entry, sizes: Mapping[str, int], unit: str) -> Callable[[dict], Any]:
    """One number of what formulas see: a formula, or a number in a unit."""
    if isinstance(entry, str) and quantity(f"{values.file}: {place}", entry) is None:
        formula = values.formula(place, entry, sizes, vectors=True)
        if formula.size != 1:
            raise FileError(
                f"{values.file}: {place} is a vector, but one number is needed; write the whole force as one formula"
            )
        return lambda known: formula.value({**values.parameters, **known})
    constant = values.number(place, entry, unit)
    return lambda known: constant
