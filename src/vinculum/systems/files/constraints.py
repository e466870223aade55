"""Constraints of a model file."""

from typing import Any

from vinculum import bonds
from vinculum.bonds import Constraint, Realization
from vinculum.errors import FileError
from vinculum.systems.files.actions import action_of
from vinculum.systems.files.formula_views import rows_of_things, values_seen
from vinculum.systems.files.tables.constraints import (
    AddedInertiaTable,
    ConstraintTable,
    PenaltyTable,
    ServoTable,
    VakonomicTable,
    ViscousFrictionTable,
)
from vinculum.systems.files.values import Values
from vinculum.systems.system import System

NAMED = ("zero", "dalembert")
LEVELS = ("position", "velocity", "acceleration")
FREE = {"dalembert": "DAlembert", "chetaev": "Chetaev"}


def constraint_of(values: Values, place: str, name: str, table: ConstraintTable, system: System) -> Constraint:
    """The constraint that a table [constraints.NAME] describes."""
    given = [level for level in LEVELS if getattr(table, level) is not None]
    if len(given) != 1:
        raise FileError(
            f"{values.file}: {place} needs exactly one of position, velocity and acceleration, each a formula that shall vanish"
        )
    level = given[0]
    sizes = rows_of_things(values, place, table.bodies, system, rates=LEVELS.index(level))
    formulas = [values.formula(f"{place} {level}", text, sizes, vectors=True) for text in getattr(table, level)]

    def function(*views, t):
        known = {**values.parameters, **values_seen(dict(zip(table.bodies, views, strict=True)), t, sizes)}
        parts = [formula.value(known) for formula in formulas]
        return [
            x for part, formula in zip(parts, formulas, strict=True) for x in (part if formula.size > 1 else [part])
        ]

    return Constraint(
        name,
        table.bodies,
        position=function if level == "position" else None,
        velocity=function if level == "velocity" else None,
        acceleration=function if level == "acceleration" else None,
        realization=realization_from_table(values, f"{place} realization", name, table.realization, system),
    )


def realization_from_table(values: Values, where: str, name: str, table, system: System | None = None) -> Realization:
    """How the constraint ``name`` is realized, by a table or a bare name; ``system``: whose joints it may name."""
    if isinstance(table, ServoTable):
        return _servo(values, where, name, table, system)
    if isinstance(table, PenaltyTable):
        return bonds.Penalty(values.number(f"{where}.stiffness", table.stiffness, "1"))
    if isinstance(table, ViscousFrictionTable):
        return bonds.ViscousFriction(values.number(f"{where}.coefficient", table.coefficient, "1"))
    if isinstance(table, AddedInertiaTable):
        return bonds.AddedInertia(values.number(f"{where}.coefficient", table.coefficient, "1"))
    if isinstance(table, VakonomicTable):
        return bonds.Vakonomic(multipliers=_multipliers(values, where, table, system))
    return getattr(bonds, FREE[table.kind])()


def _multipliers(values: Values, where: str, table: VakonomicTable | ServoTable, system: System | None):
    """Multipliers at the start: numbers, the name of a rule, or where the motion shall be at an instant."""
    if (table.multipliers is None) == (table.reaching is None):
        raise FileError(
            f'{values.file}: {where} needs exactly one of multipliers, numbers or a rule ("zero", "dalembert"), and reaching, a table of '
            "coordinates with the instant at"
        )
    if table.reaching is None:
        if table.multipliers in NAMED:
            return table.multipliers
        return _settle(values, f"{where}.multipliers", table.multipliers)
    if table.at is None:
        raise FileError(f"{values.file}: {where} says what is reached and not when; give at, an instant in s")
    joints, places = {} if system is None else system.joints, {}
    for name, row in table.reaching.items():
        known = joints[name].kind.coordinates.q_units if name in joints else ("1",) * len(row)
        units = known if len(known) == len(row) else ("1",) * len(row)
        places[name] = [
            None if x == "free" else values.settle(f"{where}.reaching.{name}[{i}]", x, unit)
            for i, (x, unit) in enumerate(zip(row, units, strict=True))
        ]
    guess = _settle(values, f"{where}.guess", table.guess)
    return bonds.Reaching(places, at=values.settle(f"{where}.at", table.at, "s"), guess=guess)


def _settle(values: Values, place: str, given):
    found = [values.settle(place, x, "1") for x in (given if isinstance(given, list) else [given])]
    return found if isinstance(given, list) else found[0]


def _servo(values: Values, where: str, name: str, table: ServoTable, system: System | None) -> Realization:
    directions = [
        one if isinstance(one, str) else action_of(values, f"{where}.along[{i}]", f"{name} effort {i}", one)
        for i, one in enumerate(table.along)
    ]
    is_started = table.by == "vakonomic" or table.multipliers is not None or table.reaching is not None
    multipliers = _multipliers(values, where, table, system) if is_started else None
    bounds = None if table.bounds is None else _bounds(values, f"{where}.bounds", table.bounds)
    return bonds.Servo(*directions, by=table.by, multipliers=multipliers, bounds=bounds)


def _bounds(values: Values, where: str, given) -> Any:
    """A bound, one for each row, or pairs of them."""
    if isinstance(given, list):
        return [_bounds(values, f"{where}[{i}]", entry) for i, entry in enumerate(given)]
    if isinstance(given, bool) or not isinstance(given, (int, float, str)):
        raise FileError(f"{values.file}: {where} = {given!r} must be a number, as bounds = 5.0")
    return values.settle(where, given if isinstance(given, str) else float(given), "1")
