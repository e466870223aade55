"""Sources of mass of a model file, and mass centers and inertias that are formulas of the mass."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vinculum.bodies import MassSource
from vinculum.errors import FileError, ModelError
from vinculum.systems.files.actions import part_of, vector_of
from vinculum.systems.files.formula_views import AXES, MOTIONS, PLACES, values_seen
from vinculum.systems.files.tables.mass_sources import MassSourceTable
from vinculum.systems.files.values import Values

MASS = "mass"
SIZES = {"t": 1, MASS: 1} | dict.fromkeys((*PLACES, *AXES, *MOTIONS), 3)
"""What formulas of a source see."""


def sources_of(values: Values, place: str, tables: Sequence[MassSourceTable]) -> list[MassSource]:
    """The sources that the tables [[bodies.NAME.sources]] describe."""
    if tables and MASS in values.parameters:
        raise FileError(
            f"{values.file}: {place} has sources, in whose formulas 'mass' is its own mass; rename the parameter 'mass'"
        )
    return [_source(values, f"{place} sources[{i}]", table) for i, table in enumerate(tables)]


def function_of_mass(values: Values, place: str, given: Sequence, unit: str) -> Callable[[Any], np.ndarray]:
    """A row or a matrix of numbers and formulas of ``mass``, as a function of it."""
    if any(isinstance(entry, list) for entry in given):
        rows = [function_of_mass(values, f"{place}[{i}]", entry, unit) for i, entry in enumerate(given)]
        return lambda mass: np.stack([one(mass) for one in rows])
    found = vector_of(values, place, given, {MASS: 1}, unit)
    return lambda mass: found({MASS: mass})


def _source(values: Values, place: str, table: MassSourceTable) -> MassSource:
    rate = part_of(values, f"{place} rate", table.rate, SIZES, "kg/s")
    velocities = {
        what: _of_body(vector_of(values, f"{place} {what}", getattr(table, what), SIZES, "m/s"))
        for what in ("velocity", "relative")
        if getattr(table, what) is not None
    }
    at = None if table.at is None else values.row(f"{place} at", table.at, ("m",) * 3)
    return MassSource(_of_body(rate), at=at, law=table.law, transit=table.transit, **velocities)


def _of_body(formula: Callable[[dict], Any]) -> Callable:
    """A formula as a function of the body and the time."""

    def function(body, t):
        try:
            return formula({**values_seen({"": body}, t, [name for name in SIZES if name != MASS]), MASS: body.mass})
        except KeyError as error:
            raise ModelError(f"its formula asks for {error}, but a mass point has none; use its velocity") from error

    return function
