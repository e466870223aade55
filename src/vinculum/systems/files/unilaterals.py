"""Unilateral constraints and contacts of a model file."""

from typing import Any

import numpy as np

from vinculum import bonds
from vinculum.bonds import Contact, Coulomb, ImpactLaw, Limits, Unilateral
from vinculum.bonds.unilaterals.impact_laws import LAWS
from vinculum.errors import FileError
from vinculum.scalars import value
from vinculum.systems.files.actions import vector_of
from vinculum.systems.files.formula_views import rows_of_things, values_seen
from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.table_values import given_values, make_extended, shape_of
from vinculum.systems.files.tables.extended import ExtendedTable
from vinculum.systems.files.tables.unilaterals import (
    ContactTable,
    CoulombTable,
    HalfSpaceTable,
    LimitsTable,
    TwoSidedPlaneTable,
    UnilateralTable,
)
from vinculum.systems.files.values import Values
from vinculum.systems.system import System
from vinculum.upward import OTHER_IMPACT_LAWS

UNITS = {"e": "1", "mu": "1", "along": "1", "mu_across": "1", "rolling": "m", "spinning": "m",
         "normal": "1", "offset": "m", "corners": "m", "heights": "m",
         "spacing": "m"}  # fmt: skip
"""Laws and walls are numbers at the values of the parameters in the file."""


def unilateral_of(values: Values, place: str, name: str, table: UnilateralTable, system: System) -> Unilateral:
    """The unilateral constraint that a table [unilaterals.NAME] describes."""
    if table.foot is not None or table.plane is not None:
        return _foot(values, place, name, table)
    if table.gap is None:
        raise FileError(
            f"{values.file}: {place} needs a gap, a formula [m], or a foot, a point of a body above a plane"
        )
    sizes = rows_of_things(values, place, table.bodies, system)
    formula = values.formula(f"{place} gap", table.gap, sizes, vectors=True)
    if formula.size != 1:
        raise FileError(f"{formula.where} is a vector, but a gap is one number; take norm or dot")
    if not formula.names - {"t"} & set(sizes):
        raise FileError(
            f'{formula.where} = "{formula.text}" sees none of its bodies and bounds nothing; use {", ".join(list(sizes)[1:3])}, …'
        )

    def known_values(views, t) -> dict[str, Any]:
        return values_seen(dict(zip(table.bodies, views, strict=True)), t, sizes)

    point = None if table.point is None else vector_of(values, f"{place} point", table.point, sizes, "m")
    return Unilateral(
        name,
        table.bodies,
        gap=lambda *views, t: formula.value({**values.parameters, **known_values(views, t)}),
        impact=_impact(values, f"{place} impact.", table.impact),
        friction=_friction(values, f"{place} friction.", table.friction),
        point=None if point is None else lambda *views, t: point(known_values(views, t)),
    )


def _foot(values: Values, place: str, name: str, table: UnilateralTable) -> Unilateral:
    """A point of one body above a plane."""
    if table.gap is not None or table.point is not None:
        raise FileError(
            f"{values.file}: {place} has a foot on a plane, from which gap and point follow; leave gap and point out"
        )
    if len(table.bodies) != 1:
        raise FileError(
            f"{values.file}: {place} has a foot and {len(table.bodies)} bodies; name the one body that has it"
        )
    foot = (0.0, 0.0, 0.0) if table.foot is None else values.row(f"{place} foot", table.foot, ("m",) * 3)
    return Unilateral.on_plane(
        name,
        table.bodies[0],
        foot,
        plane=None if table.plane is None else _wall(values, f"{place} plane", table.plane),
        impact=_impact(values, f"{place} impact.", table.impact),
        friction=_friction(values, f"{place} friction.", table.friction),
    )


def limits_of(values: Values, place: str, table: LimitsTable, unit: str) -> Limits:
    """The limits of one coordinate that a table describes; ``unit``: that of the coordinate."""
    sides = {
        side: None if getattr(table, side) is None else values.number(f"{place}.{side}", getattr(table, side), unit)
        for side in ("lower", "upper")
    }
    law = {} if table.impact is None else {"impact": _impact(values, f"{place}.impact.", table.impact)}
    return Limits(**sides, **law)


def contact_of(values: Values, place: str, name: str, table: ContactTable, system: System) -> Contact:
    """The contact that a table [contacts.NAME] describes; without ``bodies`` it is between all that have a shape."""
    others = table.against or []
    shaped = [body.name for body in system.bodies.values()
              if getattr(body, "shape", None) is not None and body.name not in others]  # fmt: skip
    if table.bodies is None and not shaped:
        raise FileError(f"{values.file}: {place}: no body has a shape; give [bodies.NAME] a shape")
    return Contact(
        name,
        shaped if table.bodies is None else table.bodies,
        walls=[_wall(values, f"{place} walls[{i}]", wall) for i, wall in enumerate(table.walls)],
        impact=_impact(values, f"{place} impact.", table.impact),
        friction=_friction(values, f"{place} friction.", table.friction),
        against=others,
        joined=bool(table.joined),
    )


def _impact(values: Values, place: str, table: Table) -> ImpactLaw:
    if isinstance(table, ExtendedTable):
        numbers = {name: float(value(x)) for name, x in values.parameters.items()}
        return make_extended(Values(values.file, numbers, values.tables), place.rstrip("."), table, OTHER_IMPACT_LAWS)
    kind: str = table.kind  # type: ignore[attr-defined]
    return LAWS[kind](**_settle(values, place, table))


def _friction(values: Values, place: str, table: CoulombTable | None) -> Coulomb | None:
    return None if table is None else Coulomb(**_settle(values, place, table))


def _wall(values: Values, place: str, table: Table) -> Any:
    """What stands still: the class of bonds that has the name of its kind."""
    kind: str = table.kind  # type: ignore[attr-defined]
    made = getattr(bonds, "".join(word.capitalize() for word in kind.split("_")))
    if isinstance(table, (HalfSpaceTable, TwoSidedPlaneTable)):
        return made(**_settle(values, f"{place}.", table))
    others = {"shape": lambda where, shape: shape_of(values, where, shape), "at": values.frame}
    return made(**given_values(values, f"{place}.", table, UNITS, others))


def _settle(values: Values, place: str, table: Table) -> dict[str, Any]:
    found = given_values(values, place, table, UNITS)
    return {key: x if isinstance(x, str) else np.asarray(value(x)).tolist() for key, x in found.items()}
