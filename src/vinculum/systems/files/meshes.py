"""Meshes of a model file: the mass of a body inside a closed surface of triangles."""

from pathlib import Path

from vinculum.bodies import RigidBody
from vinculum.errors import FileError, VinculumError
from vinculum.measures.measure import Measure
from vinculum.screws import Pose
from vinculum.systems.files.mass_sources import sources_of
from vinculum.systems.files.schema import MeshedTable
from vinculum.systems.files.table_values import shape_of
from vinculum.systems.files.tables.meshes import MeshFileTable
from vinculum.systems.files.values import Values


def meshed_body(values: Values, place: str, name: str, table: MeshedTable) -> RigidBody:
    """The rigid body that a table with a mesh describes; its ``shape`` is that of contact."""
    at = values.frame(f"{place} at", table.at)
    measure = mesh_measure(values, place, table.mesh, table.density, table.mass, at)
    shape = None if table.shape is None else shape_of(values, f"{place} shape", table.shape)
    return RigidBody.of(name, measure, shape=shape, sources=sources_of(values, place, table.sources))


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
