"""The keys of a table as values: numbers and rows in their units, solids, and meshes that have the mass of a body."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from vinculum.bodies import Body
from vinculum.bonds import Action, Constraint, ImpactLaw, Joint
from vinculum.errors import FileError, VinculumError, did_you_mean, shorten
from vinculum.measures.measure import Measure
from vinculum.measures.meshes.polytope import Polytope
from vinculum.measures.solids import elementary as solids
from vinculum.measures.solids.base import Solid
from vinculum.screws import Pose
from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.tables.meshes import MeshFileTable
from vinculum.systems.files.values import Values
from vinculum.upward import OTHER_BODIES, OTHER_FORCES, OTHER_IMPACT_LAWS, OTHER_JOINTS, extension

Read = Callable[[str, Any], Any]
SOLIDS = {"box": solids.Box, "capsule": solids.Capsule, "cone": solids.Cone, "cylinder": solids.Cylinder,
          "ellipsoid": solids.Ellipsoid, "polytope": Polytope, "sphere": solids.Sphere}  # fmt: skip

MADE: dict[str, tuple[tuple[type, ...], str]] = {
    OTHER_JOINTS: ((Joint,), "joint"),
    OTHER_BODIES: ((Body,), "body"),
    OTHER_IMPACT_LAWS: ((ImpactLaw,), "impact law"),
    OTHER_FORCES: ((Action, Constraint), "bond"),
}
"""What other packages make of a table, by the groups of their entry points: classes, and in a word."""


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


def mesh_measure(values: Values, place: str, table: MeshFileTable, density, mass, at: Pose) -> Measure:
    """The measure of the solid in a mesh, whose path is relative to the folder of the model file."""
    if (density is None) == (mass is None):
        raise FileError(f"{values.file}: {place} has a mesh, which needs either density or mass; give one of them")
    density = None if density is None else values.number(f"{place} density", density, "kg/m^3")
    mass = None if mass is None else values.number(f"{place} mass", mass, "kg")
    scale, path = values.settle(f"{place} mesh.scale", table.scale, "m"), Path(values.file).parent / table.file
    try:
        return Measure.mesh(path, density=density, mass=mass, at=at, scale=scale)
    except VinculumError as error:
        raise FileError(f"{values.file}: {place} {error}") from error


def make_extended(values: Values, place: str, table: Any, group: str, *given: Any, **named: Any) -> Any:
    """What another package makes of a table; ``given`` and ``named`` are what the family gives.

    The class or function that the package brings has a mapping ``file_keys``: the keys that its table takes besides those of every table of
    the family, each with its unit ("1" for plain numbers, "" for what stays as written).
    """
    maker: Callable[..., Any] = extension(group, table.kind)
    units: Mapping[str, str] = getattr(maker, "file_keys", {})
    called = f"{values.file}: {place}: {group} '{table.kind}'"
    if not callable(maker) or not isinstance(units, Mapping):
        raise FileError(
            f"{called} is {shorten(maker)}; its package must bring a class or function, with its keys and units as a mapping file_keys"
        )
    keys = table.model_extra or {}
    for key in keys:
        if key not in units:
            hint = did_you_mean(key, units) or f"; there are {', '.join(units) or 'none of its own'}"
            raise FileError(f"{values.file}: {place}: the key '{key}' is not known to '{table.kind}'{hint}")
    lacking = [key for key in units if key not in keys and _must_be_given(maker, key)]
    if lacking:
        raise FileError(f"{values.file}: {place}: the key '{lacking[0]}' is missing; add {lacking[0]} = …")
    own = {key: _value(values, f"{place} {key}", x, units[key]) for key, x in keys.items()}
    try:
        made = maker(*given, **named, **own)
    except VinculumError:
        raise
    except Exception as error:
        raise FileError(
            f"{called} cannot be made of these values ({type(error).__name__}: {shorten(str(error))}); check them, or mend its package"
        ) from error
    wanted, word = MADE[group]
    if not isinstance(made, wanted):
        raise FileError(f"{called} made {shorten(made)}, which is not a {word}; mend its package")
    return made


def _must_be_given(maker: Callable[..., Any], key: str) -> bool:
    parameter = inspect.signature(maker).parameters.get(key)
    return parameter is not None and parameter.default is parameter.empty


def _value(values: Values, place: str, given: Any, unit: str) -> Any:
    if not unit:
        return given
    numbers = given if isinstance(given, list) else [given]
    if not all(isinstance(x, (int, float, str, list)) and not isinstance(x, bool) for x in numbers):
        raise FileError(f"{values.file}: {place} = {given!r} must be numbers or quantities [{unit}]")
    return in_unit(values, place, given, unit)
