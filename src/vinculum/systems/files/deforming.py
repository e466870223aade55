"""Affine bodies and point-bodies of a model file."""

from collections.abc import Callable
from typing import Any

from vinculum.bodies import AffineBody, PointBody
from vinculum.bodies.affine import dissipations, energies
from vinculum.errors import FileError
from vinculum.systems.files.schema_values import FrameTable, Table
from vinculum.systems.files.table_values import mesh_measure, shape_of
from vinculum.systems.files.tables.deforming import AffineTable, DeformationFormulaTable, PointBodyTable
from vinculum.systems.files.tables.meshes import MeshFileTable
from vinculum.systems.files.values import Values

UNITS = {
    "volume": "m^3",
    "shear": "Pa",
    "lame": "Pa",
    "bulk": "Pa",
    "stiffness": "J",
    "mass": "kg",
    "radius": "m",
    "G": "N m^2/kg^2",
}
VISCOSITIES = {"volume": "m^3", "shear": "Pa s", "bulk": "Pa s"}
ENERGIES: dict[str, Callable] = {
    "saint_venant_kirchhoff": energies.SaintVenantKirchhoff,
    "neo_hookean": energies.NeoHookean,
    "fluid_like": energies.FluidLike,
    "rigid_limit": energies.RigidLimit,
    "self_gravity": energies.SelfGravity,
}
DISSIPATIONS: dict[str, Callable] = {"newtonian_viscosity": dissipations.NewtonianViscosity}


def affine_body(values: Values, place: str, name: str, table: AffineTable) -> AffineBody:
    """The body that a table of the kind "affine" describes."""
    laws: dict[str, Any] = {
        "energy": None if table.energy is None else _law(values, f"{place} energy", table.energy, ENERGIES, UNITS, ("F",)),
        "dissipation": None if table.dissipation is None
        else _law(values, f"{place} dissipation", table.dissipation, DISSIPATIONS, VISCOSITIES, ("F", "D")),
    }  # fmt: skip
    if table.mesh is not None:
        return _body_of_mesh(values, place, name, table, table.mesh, laws)
    if table.at != FrameTable():
        raise FileError(f"{values.file}: {place} at: only a mesh is placed in an affine body; leave it out")
    mass = None if table.mass is None else values.number(f"{place} mass", table.mass, "kg")
    if table.shape is not None:
        if (table.density is None) == (mass is None) or table.second_moment is not None:
            raise FileError(
                f"{values.file}: {place} has a shape, which needs either density or mass, and no second_moment"
            )
        if table.dimension != 3 or table.planar:
            raise FileError(
                f"{values.file}: {place} has a shape, which deforms in all three directions; leave dimension and planar out, or give mass "
                "and second_moment in place of the shape"
            )
        density = None if table.density is None else values.number(f"{place} density", table.density, "kg/m^3")
        shape = shape_of(values, f"{place} shape", table.shape)
        return AffineBody.solid(name, shape, density=density, mass=mass, **laws)
    if mass is None or table.second_moment is None or table.density is not None:
        raise FileError(
            f"{values.file}: {place} needs mass and second_moment, or a shape or mesh with its density or mass"
        )
    moment = values.row(f"{place} second_moment", table.second_moment, ("kg m^2",) * len(table.second_moment))
    return AffineBody(name, mass, moment, dimension=table.dimension, planar=table.planar, **laws)


def _body_of_mesh(
    values: Values, place: str, name: str, table: AffineTable, mesh: MeshFileTable, laws: dict[str, Any]
) -> AffineBody:
    """An affine body with the mass of a mesh; its ``shape`` is that of contact."""
    if table.second_moment is not None or table.dimension != 3 or table.planar:
        raise FileError(
            f"{values.file}: {place} has a mesh, which is a solid and has the second moments; leave second_moment, dimension and planar out"
        )
    at = values.frame(f"{place} at", table.at)
    measure = mesh_measure(values, place, mesh, table.density, table.mass, at)
    shape = None if table.shape is None else shape_of(values, f"{place} shape", table.shape)
    return AffineBody.of(name, measure, shape=shape, **laws)


def point_body(values: Values, place: str, name: str, table: PointBodyTable) -> PointBody:
    """The body that a table of the kind "point_body" describes."""

    def block(what: str, unit: str):
        given = getattr(table, what)
        where = f"{place} {what}"
        return values.row(where, given, (unit,) * 3) if isinstance(given, list) else values.number(where, given, unit)

    mass = None if table.mass is None else values.number(f"{place} mass", table.mass, "kg")
    com = None if table.com is None else values.row(f"{place} com", table.com, ("m",) * 3)
    shape = None if table.shape is None else shape_of(values, f"{place} shape", table.shape)
    return PointBody(name, block("A", "kg"), block("B", "kg m"), block("C", "kg m^2"), mass, com, shape)


def _law(
    values: Values, place: str, table: Table, made: dict[str, Callable], units: dict[str, str], letters: tuple[str, ...]
) -> Callable:
    """A ready-made law, or a formula of the entries F11 … F33 of φ (and D11 … D33 of φ̇)."""
    if not isinstance(table, DeformationFormulaTable):
        numbers = {key: values.number(f"{place} {key}", getattr(table, key), unit)
                   for key, unit in units.items() if hasattr(table, key)}  # fmt: skip
        return made[table.kind](**numbers)  # type: ignore[attr-defined]
    sizes = {f"{letter}{i}{k}": 1 for letter in letters for i in (1, 2, 3) for k in (1, 2, 3)}
    formula = values.formula(place, table.formula, sizes)

    def law(*matrices):
        known = {f"{letter}{i + 1}{k + 1}": M[i, k] for letter, M in zip(letters, matrices, strict=True)
                 for i in range(M.shape[0]) for k in range(M.shape[1])}  # fmt: skip
        missing = sorted(formula.names.intersection(sizes) - set(known))
        if missing:
            raise FileError(
                f'{formula.where} = "{formula.text}": {missing[0]} is not an entry of this body\'s deformation'
            )
        return formula.value({**values.parameters, **known})

    return law
