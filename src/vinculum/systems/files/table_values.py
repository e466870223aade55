"""The keys of a table as values: numbers and rows in their units, and solids."""

from collections.abc import Callable, Mapping
from typing import Any

from vinculum.measures import solids
from vinculum.measures.polytope import Polytope
from vinculum.measures.solid import Solid
from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.values import Values

Read = Callable[[str, Any], Any]
SOLIDS = {"box": solids.Box, "capsule": solids.Capsule, "cone": solids.Cone, "cylinder": solids.Cylinder,
          "ellipsoid": solids.Ellipsoid, "polytope": Polytope, "sphere": solids.Sphere}  # fmt: skip


def given_values(
    values: Values, place: str, table: Table, units: Mapping[str, str], others: Mapping[str, Read] | None = None
) -> dict[str, Any]:
    """What a table gives besides its kind, by key. ``others`` read their keys from a place and what is written; the rest are numbers or
    rows in the unit of ``units``, and without one stay as written."""
    read = {}
    for key in type(table).model_fields:
        given = getattr(table, key)
        if key == "kind" or given is None:
            continue
        where = f"{place}{key}" if place.endswith(".") else f"{place} {key}"
        if others is not None and key in others:
            read[key] = others[key](where, given)
        else:
            read[key] = given if key not in units else in_unit(values, where, given, units[key])
    return read


def in_unit(values: Values, place: str, given: Any, unit: str) -> Any:
    """A number, a row or rows of one width in one unit."""
    if not isinstance(given, (list, tuple)):
        return values.number(place, given, unit)
    width = len(given[0]) if given and isinstance(given[0], list) else len(given)
    return values.row(place, given, (unit,) * width)


def shape_of(values: Values, place: str, table: Table) -> Solid:
    """The solid that a table {kind = …} describes; its lengths are in m."""
    sizes = table.model_dump()
    kind = SOLIDS[sizes.pop("kind")]
    return kind(**{key: in_unit(values, f"{place}.{key}", x, "m") for key, x in sizes.items()})
