"""Shapes of a model file, and meshes that have the mass of a body."""

from pathlib import Path

from vinculum.errors import FileError, VinculumError
from vinculum.measures import solids
from vinculum.measures.measure import Measure
from vinculum.measures.polytope import Polytope
from vinculum.measures.solid import Solid
from vinculum.screws import Pose
from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.table_values import in_unit
from vinculum.systems.files.tables.meshes import MeshFileTable
from vinculum.systems.files.values import Values

SOLIDS = {"box": solids.Box, "capsule": solids.Capsule, "cone": solids.Cone, "cylinder": solids.Cylinder,
          "ellipsoid": solids.Ellipsoid, "polytope": Polytope, "sphere": solids.Sphere}  # fmt: skip


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
