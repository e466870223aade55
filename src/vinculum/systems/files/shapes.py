"""Shapes of a model file."""

from vinculum.measures import solids
from vinculum.measures.polytope import Polytope
from vinculum.measures.solid import Solid
from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.table_values import in_unit
from vinculum.systems.files.values import Values

SOLIDS = {"box": solids.Box, "capsule": solids.Capsule, "cone": solids.Cone, "cylinder": solids.Cylinder,
          "ellipsoid": solids.Ellipsoid, "polytope": Polytope, "sphere": solids.Sphere}  # fmt: skip


def shape_of(values: Values, place: str, table: Table) -> Solid:
    """The solid that a table {kind = …} describes; its lengths are in m."""
    sizes = table.model_dump()
    kind = SOLIDS[sizes.pop("kind")]
    return kind(**{key: in_unit(values, f"{place}.{key}", x, "m") for key, x in sizes.items()})
