"""Constraints of a model file."""

from vinculum import bonds
from vinculum.bonds import Constraint, Realization
from vinculum.errors import FileError
from vinculum.systems.files.constraint_tables import (
    AddedInertiaTable,
    ConstraintTable,
    FrictionTable,
    PenaltyTable,
    VakonomicTable,
)
from vinculum.systems.files.values import Values
from vinculum.systems.system import System

PLACES = ("position", "center")
AXES = ("x_axis", "y_axis", "z_axis")
MOTIONS = ("velocity", "center_velocity", "angular_velocity")
NAMED = ("zero", "dalembert")
FREE = {"dalembert": "DAlembert", "chetaev": "Chetaev"}


def constraint_of(values: Values, place: str, name: str, table: ConstraintTable, system: System) -> Constraint:
    """The constraint that a table [constraints.NAME] describes."""
    given = [level for level in ("position", "velocity") if getattr(table, level) is not None]
    if len(given) != 1:
        raise FileError(
            f"{values.file}: {place} needs exactly one of position and velocity, each a formula that shall vanish"
        )
    level = given[0]
    sizes: dict[str, int] = {"t": 1}
    for thing in table.bodies:
        if not thing.isidentifier():
            raise FileError(
                f"{values.file}: {place}: '{thing}' cannot stand in a formula; give it a name of letters, digits and underscores"
            )
        if thing in system.joints:
            joint = system.joints[thing]
            sizes |= {f"{thing}.q": joint.nq} | ({f"{thing}.v": joint.nv} if level == "velocity" else {})
        else:
            rows = PLACES + AXES + (MOTIONS if level == "velocity" else ())
            sizes |= {f"{thing}.{what}": 3 for what in rows}
    formulas = [values.formula(f"{place} {level}", text, sizes, vectors=True) for text in getattr(table, level)]

    def function(*views, t):
        known = {**values.parameters, "t": t}
        for thing, view in zip(table.bodies, views, strict=True):
            known |= {
                key: _seen(view, key.partition(".")[2])
                for key in sizes
                if key.startswith(f"{thing}.") and _has(view, key)
            }
        parts = [formula.value(known) for formula in formulas]
        return [
            x for part, formula in zip(parts, formulas, strict=True) for x in (part if formula.size > 1 else [part])
        ]

    return Constraint(
        name, table.bodies, realization=_realized(values, place, table.realization, system), **{level: function}
    )


def _has(view, key: str) -> bool:
    """A mass point has neither axes nor an angular velocity."""
    what = key.partition(".")[2]
    return what in ("q", "v") or view.turns or (what not in AXES and what != "angular_velocity")


def _seen(view, what: str):
    return view.rotation[:, AXES.index(what)] if what in AXES else getattr(view, what)


def _realized(values: Values, place: str, table, system: System) -> Realization:
    where = f"{place} realization"
    if isinstance(table, PenaltyTable):
        return bonds.Penalty(values.number(f"{where}.stiffness", table.stiffness, "1"))
    if isinstance(table, FrictionTable):
        return bonds.Friction(values.number(f"{where}.coefficient", table.coefficient, "1"))
    if isinstance(table, AddedInertiaTable):
        return bonds.AddedInertia(values.number(f"{where}.coefficient", table.coefficient, "1"))
    if isinstance(table, VakonomicTable):
        return bonds.Vakonomic(multipliers=_multipliers(values, where, table, system))
    return getattr(bonds, FREE[table.kind])()


def _multipliers(values: Values, where: str, table: VakonomicTable, system: System):
    """Multipliers at the start: numbers, the name of a rule, or where the motion shall be at an instant."""
    if (table.multipliers is None) == (table.reaching is None):
        raise FileError(
            f'{values.file}: {where} needs exactly one of multipliers, numbers or a rule ("zero", "dalembert"), and reaching, a table of '
            "coordinates with the instant at"
        )
    if table.reaching is None:
        if table.multipliers in NAMED:
            return table.multipliers
        return _settled(values, f"{where}.multipliers", table.multipliers)
    if table.at is None:
        raise FileError(f"{values.file}: {where} says what is reached and not when; give at, an instant in s")
    places = {}
    for name, row in table.reaching.items():
        known = system.joints[name].q_units if name in system.joints else ("1",) * len(row)
        units = known if len(known) == len(row) else ("1",) * len(row)
        places[name] = [
            None if x == "free" else values.settled(f"{where}.reaching.{name}[{i}]", x, unit)
            for i, (x, unit) in enumerate(zip(row, units, strict=True))
        ]
    guess = _settled(values, f"{where}.guess", table.guess)
    return bonds.Reaching(places, at=values.settled(f"{where}.at", table.at, "s"), guess=guess)


def _settled(values: Values, place: str, given):
    found = [values.settled(place, x, "1") for x in (given if isinstance(given, list) else [given])]
    return found if isinstance(given, list) else found[0]
