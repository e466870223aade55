"""Built-in constraints of a model file."""

from collections.abc import Callable

from vinculum.bonds import Constraint, Rolling
from vinculum.bonds import constraints as bonds
from vinculum.errors import FileError
from vinculum.systems.files.constraints import realization_from_table
from vinculum.systems.files.table_values import given_values
from vinculum.systems.files.tables.ready_constraints import GearTable, ReadyTable
from vinculum.systems.files.values import Values
from vinculum.systems.system import System

MADE: dict[str, Callable] = {
    "distance": bonds.distance,
    "point_on_surface": bonds.point_on_surface,
    "point_on_curve": bonds.point_on_curve,
    "gear": bonds.gear,
    "knife_edge": bonds.knife_edge,
    "no_twist": bonds.no_twist,
    "constant_speed": bonds.constant_speed,
    "rolling_disc": bonds.Rolling.disc,
    "rolling_sphere": bonds.Rolling.sphere,
    "rolling_ellipsoid": bonds.Rolling.ellipsoid,
    "rolling": bonds.Rolling,
    "rotationless": bonds.rotationless,
    "incompressible": bonds.incompressible,
}
PLACE = "x"
UNITS = {
    "length": "m", "radius": "m", "semi_axes": "m", "at": "m", "to": "m", "center": "m", "through": "m", "speed": "m/s",
    "side": "1", "axis": "1", "normal": "1",
}  # fmt: skip


def ready_constraint(values: Values, place: str, name: str, table: ReadyTable, system: System) -> Constraint | Rolling:
    """The bond that a table [constraints.NAME] of a ready kind describes; its keys are the arguments in Python."""
    kind: str = table.kind  # type: ignore[attr-defined]
    units = UNITS | (_gear_units(table, system) if isinstance(table, GearTable) else {})
    others = {
        **dict.fromkeys(
            ("realization", "contact"), lambda where, given: realization_from_table(values, where, name, given, system)
        ),
        **dict.fromkeys(("surface", "curve"), lambda where, given: _of_vectors(values, where, given, PLACE)),
        "support": lambda where, given: _of_vectors(values, where, given, "u"),
    }
    return MADE[kind](name, **given_values(values, place, table, units, others))


def _gear_units(table: GearTable, system: System) -> dict[str, str]:
    """Units of ratio and phase, which are those of the joints; joints that a gear refuses are left to it."""
    known = [system.joints[name].kind.coordinates.q_units for name in (table.a, table.b) if name in system.joints]
    if len(known) < 2 or not all(known):
        return {"ratio": "1", "phase": "1"}
    (a, *_), (b, *_) = known
    return {"ratio": f"{a}/{b}", "phase": a}


def _of_vectors(values: Values, place: str, given: str | list[str], name: str) -> Callable:
    """One formula or several as a function of a vector (3,), which they call ``name``."""
    listed = [given] if isinstance(given, str) else given
    formulas = [values.formula(f"{place}[{i}]" if listed is given else place, text, {name: 3}, vectors=True)
                for i, text in enumerate(listed)]  # fmt: skip
    for formula in formulas:
        if formula.size != 1:
            raise FileError(
                f'{formula.where} = "{formula.text}" is a vector, but one number shall vanish; take norm or dot'
            )
        if name == PLACE and name not in formula.names:
            raise FileError(
                f'{formula.where} = "{formula.text}" is the same everywhere; write a formula of {name}[0], {name}[1], {name}[2]'
            )

    def function(x):
        found = [formula.value({**values.parameters, name: x}) for formula in formulas]
        return found[0] if isinstance(given, str) else found

    return function
