"""Shapes of a model file."""

from vinculum import measures
from vinculum.measures.solid import Solid
from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.table_values import in_unit
from vinculum.systems.files.values import Values


def shape_of(values: Values, place: str, table: Table) -> Solid:
    """The solid that a table {kind = …} describes; its class has the name of the kind, and its lengths are in m."""
    sizes = table.model_dump()
    kind = "".join(word.capitalize() for word in sizes.pop("kind").split("_"))
    return getattr(measures, kind)(**{key: in_unit(values, f"{place}.{key}", x, "m") for key, x in sizes.items()})
