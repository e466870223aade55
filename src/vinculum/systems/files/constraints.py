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
        name,
        table.bodies,
        realization=realized(values, f"{place} realization", table.realization, system),
        **{level: function},
    )


def _has(view, key: str) -> bool:
    """A mass point has neither axes nor an angular velocity."""
    what = key.partition(".")[2]
    return what in ("q", "v") or view.turns or (what not in AXES and what != "angular_velocity")


def _seen(view, what: str):
    return view.rotation[:, AXES.index(what)] if what in AXES else getattr(view, what)


def realized(values: Values, where: str, table, system: System | None = None) -> Realization:
    """The realization that a table or a bare name describes; ``system``: whose joints it may name."""
    if isinstance(table, PenaltyTable):
        return bonds.Penalty(values.number(f"{where}.stiffness", table.stiffness, "1"))
    if isinstance(table, FrictionTable):
        return bonds.Friction(values.number(f"{where}.coefficient", table.coefficient, "1"))
    if isinstance(table, AddedInertiaTable):
        return bonds.AddedInertia(values.number(f"{where}.coefficient", table.coefficient, "1"))
    if isinstance(table, VakonomicTable):
        rows = table.multipliers if isinstance(table.multipliers, list) else [table.multipliers]
        given = [values.settled(f"{where}.multipliers", x, "1") for x in rows]
        return bonds.Vakonomic(multipliers=given if isinstance(table.multipliers, list) else given[0])
    return getattr(bonds, FREE[table.kind])()
