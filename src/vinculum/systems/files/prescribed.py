"""Prescribed bodies of a model file: positions and rotations as formulas of t."""

from collections.abc import Callable, Sequence

from vinculum.bodies import PrescribedBody
from vinculum.systems.files.formulas.quantity import quantity
from vinculum.systems.files.schema import PrescribedTable, TurnTable
from vinculum.systems.files.table_values import shape_of
from vinculum.systems.files.values import Values


def prescribed_body(values: Values, place: str, name: str, table: PrescribedTable) -> PrescribedBody:
    """The body that a table of the kind "prescribed" describes."""
    return PrescribedBody(
        name,
        time_function(values, f"{place} position", table.position, ("m",) * 3),
        None if table.rotation is None else _rotation(values, f"{place} rotation", table.rotation),
        values.number(f"{place} mass", table.mass, "kg"),
        values.row(f"{place} com", table.com, ("m",) * 3),
        values.row(f"{place} inertia", table.inertia, ("kg m^2",) * 3),
        shape=None if table.shape is None else shape_of(values, f"{place} shape", table.shape),
    )


def time_function(values: Values, place: str, given: Sequence, units: Sequence[str]) -> Callable:
    """Several entries, or rows of them, as a function of t: each a number, a quantity or a formula."""
    if any(isinstance(entry, (list, tuple)) for entry in given):
        rows = [time_function(values, f"{place}[{i}]", row, units) for i, row in enumerate(given)]
        return lambda t: [row(t) for row in rows]
    entries = [
        _entry(values, f"{place}[{i}]", entry, unit) for i, (entry, unit) in enumerate(zip(given, units, strict=True))
    ]
    return lambda t: [entry(t) for entry in entries]


def _rotation(values: Values, place: str, table: TurnTable) -> Callable:
    if table.entries is not None:
        return time_function(values, place, table.entries, ("1",) * len(table.entries))
    axis = time_function(values, f"{place}.axis", table.axis, ("1",) * 3)
    angle = _entry(values, f"{place}.angle", table.angle, "rad")
    return lambda t: (axis(t), angle(t))


def _entry(values: Values, place: str, given, unit: str) -> Callable:
    if isinstance(given, str) and quantity(f"{values.file}: {place}", given) is None:
        formula = values.formula(place, given, {"t": 1})
        return lambda t: formula.value({**values.parameters, "t": t})
    constant = values.number(place, given, unit)
    return lambda t: constant
