"""Potentials and forces of a model file."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from vinculum import bonds
from vinculum.bonds import Action, BodyView
from vinculum.errors import FileError, ModelError
from vinculum.screws import Wrench
from vinculum.systems.files.action_tables import ForceTable, FormulaTable, GravitationTable, InteractionTable
from vinculum.systems.files.quantity import quantity
from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.values import Values

PLACES = ("position", "center")
AXES = ("x_axis", "y_axis", "z_axis")
MOTIONS = ("velocity", "center_velocity", "angular_velocity")
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
    if isinstance(table, FormulaTable):
        return _formula(values, place, name, table)
    if isinstance(table, ForceTable):
        wrench = read_wrench(values, place, table, {"": 0}, FORCE, table.at)
        return bonds.Force(name, table.body, lambda body, t: wrench((body,), t))
    if isinstance(table, InteractionTable):
        wrench = read_wrench(values, place, table, _indices(values, place, [table.a, table.b]), FORCE, table.at)
        return bonds.Interaction(name, table.a, table.b, lambda a, b, t: wrench((a, b), t))
    given = {key: x for key in type(table).model_fields if key != "kind" and (x := getattr(table, key)) is not None}
    kind = table.kind  # type: ignore[attr-defined]
    read = {key: _read(values, f"{place} {key}", kind, key, x) for key, x in given.items()}
    if isinstance(table, GravitationTable) and "nearest" in read:
        read["nearest"] = values.settled(f"{place} nearest", table.nearest, "m")
    return getattr(bonds, KINDS[kind])(name, **read)


def _read(values: Values, place: str, kind: str, key: str, given) -> Any:
    if kind in ("bushing", "torsion_spring") and key in ("at", "to"):
        return values.frame(place, given)
    if kind == "bushing" and key in SIX_UNITS:
        units = [unit for unit in SIX_UNITS[key] for _ in range(3)]
        return values.row(place, given, units if not isinstance(given[0], list) else ("1",) * 6)
    unit = UNITS[kind].get(key)
    if unit is None:
        return given
    if isinstance(given, (list, tuple)):
        width = len(given[0]) if given and isinstance(given[0], list) else len(given)
        return values.row(place, given, (unit,) * width)
    return values.number(place, given, unit)


def _indices(values: Values, place: str, names: list[str]) -> dict[str, int]:
    """Prefixes of bodies in formulas, with the dot, and their numbers."""
    for name in names:
        if not name.isidentifier():
            raise FileError(
                f"{values.file}: {place}: body '{name}' cannot stand in a formula; give it a name of letters, digits and underscores"
            )
    return {f"{name}.": i for i, name in enumerate(names)}


def _formula(values: Values, place: str, name: str, table: FormulaTable) -> Action:
    prefixes = _indices(values, place, table.bodies)
    sizes = {"t": 1, **{prefix + what: 3 for prefix in prefixes for what in PLACES}}
    formula = values.formula(f"{place} energy", table.energy, sizes, vectors=True)
    if formula.size != 1:
        raise FileError(f"{values.file}: {place} energy is a vector, but energy is one number [J]; take norm or dot")

    def energy(*views: BodyView, t):
        return formula.value({**values.parameters, **_seen(views, t, prefixes, PLACES)})

    return bonds.Potential(name, table.bodies, energy)


def read_wrench(
    values: Values, place: str, table: Any, prefixes: Mapping[str, int], units: tuple[str, str], at
) -> Callable:
    """The ``force`` and ``moment`` of a table, in ``units``, as a function of views and time; ``at``: the point they act at."""
    if not {"force", "moment"} & table.model_fields_set:
        raise FileError(
            f"{values.file}: {place} has neither 'force' nor 'moment' and would do nothing; add force = […]"
        )
    rows = PLACES + AXES + MOTIONS
    sizes = {"t": 1, **{prefix + what: 3 for prefix in prefixes for what in rows}}
    force = _vector(values, f"{place} force", table.force, sizes, units[0])
    moment = _vector(values, f"{place} moment", table.moment, sizes, units[1])
    at = values.row(f"{place} at", at, ("m",) * 3)

    def wrench(views, t) -> Wrench:
        known = _seen(views, t, prefixes, rows)
        try:
            return Wrench(force=force(known), moment=moment(known), at=at)
        except KeyError as error:
            raise ModelError(f"its formula asks for {error}, but a mass point has none; use its velocity") from error

    return wrench


def _vector(values: Values, place: str, given, sizes: Mapping[str, int], unit: str) -> Callable[[dict], np.ndarray]:
    if isinstance(given, str):
        formula = values.formula(place, given, sizes, vectors=True)
        if formula.size != 3:
            raise FileError(
                f"{values.file}: {place} is one number, but three are needed; write a vector or a list of 3 formulas"
            )
        return lambda known: formula.value({**values.parameters, **known})
    parts = [_part(values, f"{place}[{i}]", entry, sizes, unit) for i, entry in enumerate(given)]
    return lambda known: np.array([*(part(known) for part in parts), None], dtype=object)[:-1]


def _part(values: Values, place: str, entry, sizes: Mapping[str, int], unit: str) -> Callable[[dict], Any]:
    if isinstance(entry, str) and quantity(f"{values.file}: {place}", entry) is None:
        formula = values.formula(place, entry, sizes, vectors=True)
        if formula.size != 1:
            raise FileError(
                f"{values.file}: {place} is a vector, but one number is needed; write the whole force as one formula"
            )
        return lambda known: formula.value({**values.parameters, **known})
    constant = values.number(place, entry, unit)
    return lambda known: constant


def _seen(views, t, prefixes: Mapping[str, int], rows: tuple[str, ...]) -> dict[str, Any]:
    """What formulas may look at; a mass point has neither axes nor an angular velocity, and the ground no motion."""
    known: dict[str, Any] = {"t": t}
    for prefix, i in prefixes.items():
        view = views[i]
        for what in rows:
            if view.turns or (what != "angular_velocity" and what not in AXES):
                known[prefix + what] = view.rotation[:, AXES.index(what)] if what in AXES else getattr(view, what)
    return known
