"""TOML model files, read into a `System` and the settings of its run."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from vinculum import bonds, upward
from vinculum.bodies import Body, MassPoint, RigidBody, check_name
from vinculum.bonds import Joint, end_name
from vinculum.errors import FileError, VinculumError
from vinculum.scalars import Value, parameters, value
from vinculum.screws import Pose
from vinculum.systems.event import Event
from vinculum.systems.files.actions import action_of
from vinculum.systems.files.constraints import constraint_of
from vinculum.systems.files.deforming import affine_body, point_body
from vinculum.systems.files.faults import Declared, Faults, UndeclaredError
from vinculum.systems.files.formulas.quantity import quantity
from vinculum.systems.files.impulses import impulse_of
from vinculum.systems.files.many import Many, read_many
from vinculum.systems.files.mass_sources import function_of_mass, sources_of
from vinculum.systems.files.model_file import ModelFile, read_by_extension, run_settings
from vinculum.systems.files.prescribed import prescribed_body
from vinculum.systems.files.problems import as_written
from vinculum.systems.files.ready_constraints import ready_constraint
from vinculum.systems.files.schema import (
    EventTable,
    ExtendedJointTable,
    MeshedTable,
    ModelTable,
    PointTable,
    PositionTable,
    PrescribedTable,
    RigidTable,
    SolidTable,
    StartTable,
)
from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.table_points import read_tables
from vinculum.systems.files.table_values import make_extended, mesh_measure, shape_of
from vinculum.systems.files.tables.constraints import ConstraintTable
from vinculum.systems.files.tables.deforming import AffineTable, PointBodyTable
from vinculum.systems.files.tables.ends import EITHER, named_ends
from vinculum.systems.files.tables.extended import ExtendedTable
from vinculum.systems.files.text import tables as tables_of
from vinculum.systems.files.unilaterals import contact_of, limits_of, unilateral_of
from vinculum.systems.files.values import Values, parameter_values
from vinculum.systems.start import At, start_state
from vinculum.systems.system import System, nearest
from vinculum.systems.tree import Tree

UNITS_OF_MOTION = {"m/s": {"drive": "N", "damping": "N s/m", "stiffness": "N/m"},
                   "rad/s": {"drive": "N m", "damping": "N m s/rad", "stiffness": "N m/rad"}}  # fmt: skip
T = TypeVar("T", bound=Table)
PLACES = {"constraint": "constraints", "unilateral": "unilaterals", "contact": "contacts"}
BODY_ROWS = ("position", "velocity", "center", "center_velocity", "angular_velocity")


def read_model(path, changed: Mapping[str, float | str] | None = None) -> ModelFile:
    """The model in a TOML file, of bodies or of a Lagrangian; ``changed`` replaces values of its table [parameters].

    The file is checked as far as possible without a run. A `FileError` names file, table, key, value, condition and
    remedy. A file with another ending is read by the installed package that brings a reader for it.

    >>> model = vc.read_model("examples/double_pendulum.toml")
    >>> sorted(model.system.bodies), model.run["until"]
    (['lower', 'upper'], 10.0)
    """
    path = Path(path)
    suffix = path.suffix.lower().removeprefix(".")
    if suffix != "toml" and upward.is_extension(upward.OTHER_READERS, suffix):
        return read_by_extension(path, suffix, changed or {})
    file, given = str(path), tables_of(path)
    if "lagrangian" in given and "bodies" in given:
        raise FileError(f"{file} has both [bodies] and [lagrangian]; describe the system by one of them")
    if "lagrangian" in given:
        # A Lagrangian needs no bodies, and its system is made in a room above this one.
        return import_module("vinculum.derivations.lagrangian.files").lagrangian_model_file(path, given, changed)
    faults = Faults(file)
    table: ModelTable = faults.table(given)
    looked_up: Mapping[str, Any] = {}
    with faults.keep("[tables]"):
        looked_up = read_tables(file, table.tables, table.parameters)
    numbers = parameter_values(file, table.parameters, changed or {}, looked_up, faults)
    # Shapes that meet need numbers, so a parameter of such a file is one.
    known = {name: float(value(x)) for name, x in numbers.items()} if table.contacts else numbers
    values = Values(file, known, looked_up)
    many = read_many(file, table, faults)
    declared = Declared.of(given)
    system = _system(values, table, path.stem, faults, many, declared)
    start, events = {}, []
    tree = _tree(system, faults)
    run = run_settings(values, table.run, faults)
    for name in table.start:
        with faults.keep("[start]", name):
            _check_start_name(file, name, tree, declared, faults)
    if tree is None:
        for name, entry in table.events.items():
            with faults.keep(f"[events.{name}]", name):
                declared.check_ends(file, f"[events.{name}] of", [entry.of], EITHER)
        raise faults.error()
    with faults.keep("[[many]]"):
        start |= many.start(values, tree)
        start_state(tree, start)
    for name, entry in table.start.items():
        if name not in tree.joints:
            continue
        with faults.keep("[start]", name):
            start[name] = _start(values, tree, name, entry)
            start_state(tree, {name: start[name]})
    for name, entry in table.events.items():
        with faults.keep(f"[events.{name}]", name):
            events.append(_event(values, tree, name, entry))
    if faults:
        raise faults.error()
    leaves = parameters(np.array([*numbers.values(), 0.0], dtype=object))
    return ModelFile(system, start, tuple(events), run, leaves)


@contextmanager
def place_errors(file: str, place: str) -> Iterator[None]:
    """Errors of bodies, joints and starts, with the file and the table they come from."""
    try:
        yield
    except FileError:
        raise
    except VinculumError as error:
        told = as_written(str(error))
        raise FileError(told if told.startswith(f"{file}: [") else f"{file}: {place} {told}") from error


def _tree(system: System, faults: Faults) -> Tree | None:
    """The tree, or None where there is none; why is a fault only if everything that it needs could be made."""
    try:
        return system.tree()
    except VinculumError as error:
        if not faults:
            with faults.keep(f"[{PLACES.get(str(error).partition(' ')[0], 'joints')}]"):
                raise
        return None


def _system(values: Values, table: ModelTable, stem: str, faults: Faults, many: Many, declared: Declared) -> System:
    system = System("model")
    with faults.keep("[system]"):
        name = stem if table.system.name is None else table.system.name
        system = System(name, values.row("[system] gravity", table.system.gravity, ("m/s^2",) * 3))
    for name, body in table.bodies.items():
        with faults.keep(f"[bodies.{name}]", name):
            many.add_body(system, _body(values, name, body))
    for name, joint in table.joints.items():
        with faults.keep(f"[joints.{name}]", name):
            declared.check_ends(values.file, f"[joints.{name}]", (joint.parent, joint.child))
            system.add(_joint(values, name, joint))
    for family, tables in (("potentials", table.potentials), ("forces", table.forces)):
        for name, entry in tables.items():
            with faults.keep(f"[{family}.{name}]", name):
                action = action_of(values, f"[{family}.{name}]", name, entry)
                if name not in many.bonds and name not in faults.lost:
                    declared.check_ends(values.file, f"[{family}.{name}]", [end_name(end) for end in action.ends])
                many.add_bond(values, system, action)

    def check_ends(place: str, entry: Table) -> None:
        for what, ends in named_ends(entry):
            declared.check_ends(values.file, place, ends, what)

    for name, entry in table.constraints.items():
        with faults.keep(f"[constraints.{name}]", name):
            place = f"[constraints.{name}]"
            if name not in many.bonds and name not in faults.lost:
                check_ends(place, entry)
            if isinstance(entry, ConstraintTable):
                many.add_bond(values, system, constraint_of(values, place, name, entry, system))
            else:
                many.add_bond(values, system, ready_constraint(values, place, name, entry, system))

    def add_family(family: str, tables: Mapping[str, T], made: Callable[[Values, str, str, T, System], Any]) -> None:
        for name, entry in tables.items():
            with faults.keep(f"[{family}.{name}]", name):
                check_ends(f"[{family}.{name}]", entry)
                system.add(made(values, f"[{family}.{name}]", name, entry, system))

    add_family("unilaterals", table.unilaterals, unilateral_of)
    add_family("contacts", {name: many.name_copies(entry) for name, entry in table.contacts.items()}, contact_of)
    add_family("impulses", table.impulses, impulse_of)
    return system


def _body(
    values: Values,
    name: str,
    table: RigidTable
    | SolidTable
    | MeshedTable
    | PointTable
    | PrescribedTable
    | AffineTable
    | PointBodyTable
    | ExtendedTable,
) -> Body:
    place = f"[bodies.{name}]"
    if isinstance(table, ExtendedTable):
        return make_extended(values, place, table, upward.OTHER_BODIES, name)
    if isinstance(table, PrescribedTable):
        return prescribed_body(values, place, name, table)
    if isinstance(table, AffineTable):
        return affine_body(values, place, name, table)
    if isinstance(table, PointBodyTable):
        return point_body(values, place, name, table)
    if isinstance(table, SolidTable):
        return _solid(values, place, name, table)
    if isinstance(table, MeshedTable):
        return _rigid_of_mesh(values, place, name, table)
    mass = values.number(f"{place} mass", table.mass, "kg")
    if isinstance(table, PointTable):
        return MassPoint(name, mass, sources_of(values, place, table.sources))
    if table.sources:
        com, inertia = (
            function_of_mass(values, f"{place} {what}", given, unit)
            if _holds_formulas(given)
            else values.row(place, given, (unit,) * 3)
            for what, given, unit in (("com", table.com, "m"), ("inertia", table.inertia, "kg m^2"))
        )
        return RigidBody(name, mass, com, inertia, table.about, sources=sources_of(values, place, table.sources))
    com = values.row(f"{place} com", table.com, ("m",) * 3)
    inertia = values.row(f"{place} inertia", table.inertia, ("kg m^2",) * 3)
    return RigidBody(name, mass, com, inertia, table.about)


def _holds_formulas(given) -> bool:
    return any(isinstance(entry, str) or (isinstance(entry, list) and _holds_formulas(entry)) for entry in given)


def _solid(values: Values, place: str, name: str, table: SolidTable) -> Body:
    mass = None if table.mass is None else values.number(f"{place} mass", table.mass, "kg")
    if (table.density is None) == (table.mass is None):
        raise FileError(f"{values.file}: {place} has a shape, which needs either density or mass; give one of them")
    shape = shape_of(values, f"{place} shape", table.shape)
    density = None if table.density is None else values.number(f"{place} density", table.density, "kg/m^3")
    sources = sources_of(values, place, table.sources)
    at = values.frame(f"{place} at", table.at)
    return RigidBody.solid(name, shape, density=density, mass=mass, at=at, sources=sources)


def _rigid_of_mesh(values: Values, place: str, name: str, table: MeshedTable) -> Body:
    """The rigid body of a mesh; its ``shape`` is that of contact."""
    at = values.frame(f"{place} at", table.at)
    measure = mesh_measure(values, place, table.mesh, table.density, table.mass, at)
    shape = None if table.shape is None else shape_of(values, f"{place} shape", table.shape)
    return RigidBody.of(name, measure, shape=shape, sources=sources_of(values, place, table.sources))


def _joint(values: Values, name: str, table) -> Joint:
    place = f"[joints.{name}]"
    own: dict[str, Any] = {side: values.frame(f"{place} {side}", getattr(table, side)) for side in ("at", "to")}
    for key, unit in (("axis", "1"), ("axes", "1"), ("pitch", "m/rad"), ("chart", None)):
        if key in type(table).model_fields:
            entry = getattr(table, key)
            own[key] = entry if unit is None else _entries(values, f"{place} {key}", entry, (unit,) * 3)
    joint = _bare_joint(values, name, table, own)
    given: dict[str, Any] = {key: _per_velocity(values, f"{place} {key}", getattr(table, key), joint, key)
             for key in ("damping", "stiffness") if getattr(table, key, 0.0) != 0.0}  # fmt: skip
    if getattr(table, "rest", None) is not None:
        given["rest"] = _position(values, f"{place} rest", table.rest, joint)
    if getattr(table, "drive", None) is not None:
        given["drive"] = _drive(values, f"{place} drive", table.drive, joint)
    if getattr(table, "limits", None) is not None:
        units = joint.kind.coordinates.q_units
        given["limits"] = [
            limits_of(values, f"{place} limits", one, units[i] if i < len(units) else "1")
            for i, one in enumerate(table.limits)
        ]
    return replace(joint, **given) if given else joint


def _bare_joint(values: Values, name: str, table, own: dict[str, Any]) -> Joint:
    """A joint without spring, damper and drive, of the library or of another package."""
    if isinstance(table, ExtendedJointTable):
        sides = (name, table.parent, table.child)
        return make_extended(values, f"[joints.{name}]", table, upward.OTHER_JOINTS, *sides, **own)
    return getattr(bonds, table.kind.capitalize())(name, table.parent, table.child, **own)


def _entries(values: Values, place: str, entry, units):
    return (
        values.row(place, entry, units) if isinstance(entry, (list, tuple)) else values.number(place, entry, units[0])
    )


def _per_velocity(values: Values, place: str, entry, joint: Joint, what: str):
    """One number for all velocities of a joint, or one for each, in the unit that each velocity asks for."""
    units = [UNITS_OF_MOTION[unit][what] for unit in joint.kind.coordinates.v_units]
    if isinstance(entry, list):
        if len(entry) != len(units):
            count = f"{len(units)} number{'s' * (len(units) != 1)}"
            raise FileError(
                f"{values.file}: {place} has {len(entry)} numbers; give one, or {count} ({', '.join(units)})"
            )
        return values.row(place, entry, units)
    numbers = [values.number(place, entry, unit) for unit in units]
    return numbers[0]


def _coordinates(values: Values, place: str, entry, joint: Joint):
    """Coordinates of a joint as written, each in its own unit; the joint itself checks their number."""
    if not isinstance(entry, list):
        return values.number(place, entry, joint.kind.coordinates.q_units[0] if joint.nq else "1")
    if any(isinstance(part, list) for part in entry):
        return values.row(place, entry, ("1",) * len(entry))
    units = joint.kind.coordinates.q_units[: len(entry)] + ("1",) * (len(entry) - joint.nq)
    return values.row(place, entry, units)


def _drive(values: Values, place: str, entries: list, joint: Joint) -> Callable:
    """The drive of a joint as a function of t, q and v."""
    if len(entries) != joint.nv:
        raise FileError(f"{values.file}: {place} has {len(entries)} formula{'s' * (len(entries) != 1)}, the joint has "
                        f"{joint.nv} velocit{'y' if joint.nv == 1 else 'ies'}; give one for each")  # fmt: skip
    sizes = {"t": 1, "q": joint.nq, "v": joint.nv}
    forces = [_force(values, f"{place}[{i}]" if joint.nv > 1 else place, entry, sizes, UNITS_OF_MOTION[unit]["drive"])
              for i, (entry, unit) in enumerate(zip(entries, joint.kind.coordinates.v_units, strict=True))]  # fmt: skip

    def drive(t, q, v):
        return [force({"t": t, "q": q, "v": v}) for force in forces]

    return drive


def _force(values: Values, place: str, entry, sizes: Mapping[str, int], unit: str) -> Callable[[dict], Value]:
    if isinstance(entry, str) and quantity(f"{values.file}: {place}", entry) is None:
        formula = values.formula(place, entry, sizes)
        return lambda state: formula.value({**values.parameters, **state})
    constant = values.number(place, entry, unit)
    return lambda state: constant


def _check_start_name(file: str, name: str, tree: Tree | None, declared: Declared, faults: Faults) -> None:
    """Refuse a start of what has no coordinates; without a tree, of what the file does not mention."""
    if (tree is not None and name in tree.joints) or (tree is None and declared.mentions(name)):
        return
    if tree is not None and name in tree.bodies:
        hint = f"; the body is carried by joint '{tree.links[tree.bodies[name]].joint.name}', name that"
    else:
        kept = declared.startable if tree is None or faults else tuple(tree.joints)
        hint = nearest(name, kept)
    refused = FileError if declared.mentions(name) else UndeclaredError
    raise refused(f"{file}: [start] {name}: there is no joint or free body '{name}'{hint}")


def _start(values: Values, tree: Tree, name: str, table: StartTable) -> At:
    place = f"[start] {name}"
    joint = tree.links[tree.joints[name]].joint
    with place_errors(values.file, f"[start] {name}:"):
        position = _position(values, place, table, joint)
        if table.deformation is not None or table.deformation_rate is not None:
            return _deformed_start(values, place, table, joint, position)
        rate = table.rate
        if rate is not None:
            listed = rate if isinstance(rate, list) else [rate]
            units = joint.kind.coordinates.v_units[: len(listed)] + ("1",) * (len(listed) - joint.nv)
            rate = values.row(f"{place}.rate", listed, units)
        return At(position, rate)


def _deformed_start(values: Values, place: str, table: StartTable, joint: Joint, position) -> At:
    """The start of a body that deforms: its position and deformation, and their rates."""
    if not joint.kind.inner:
        raise FileError(f"{values.file}: {place} has a deformation, but '{joint.name}' does not deform; leave it out")
    origin = (0.0,) * 3

    def matrix(key: str, unit: str):
        given = getattr(table, key)
        return None if given is None else values.row(f"{place}.{key}", given, (unit,) * len(given[0]))

    F, F_dot = matrix("deformation", "1"), matrix("deformation_rate", "1/s")
    velocity = None
    if table.rate is not None:
        listed = table.rate if isinstance(table.rate, list) else [table.rate]
        velocity = values.row(f"{place}.rate", listed, ("m/s",) * len(listed))
    rate = velocity if F_dot is None else (origin if velocity is None else velocity, F_dot)
    return At(position if F is None else (origin if position is None else position, F), rate)


def _position(values: Values, place: str, table: PositionTable, joint: Joint):
    """What a joint takes as its position: coordinates, a pose, or None."""
    position = None if table.position is None else _coordinates(values, f"{place}.position", table.position, joint)
    turned = values.rotation(place, table.rotation, table.euler)
    return position if turned is None else _attitude(values, place, position, turned, joint)


def _attitude(values: Values, place: str, position, turned, joint: Joint) -> Pose:
    if joint.kind.coordinates.v_units.count("rad/s") < 3:
        raise FileError(f"{values.file}: {place} has a rotation, but joint '{joint.name}' does not turn every way; "
                        f"give its coordinates ({', '.join(joint.kind.coordinates.q_units)})")  # fmt: skip
    if position is not None and "m" not in joint.kind.coordinates.q_units:
        raise FileError(f"{values.file}: {place} has a position beside its rotation, but joint '{joint.name}' only "
                        "turns; leave the position out")  # fmt: skip
    origin = (0.0, 0.0, 0.0) if position is None else value(np.asarray(position))
    return Pose(origin, value(np.asarray(turned)))


def _event(values: Values, tree: Tree, name: str, table: EventTable) -> Event:
    place = f"[events.{name}]"
    with place_errors(values.file, place):
        check_name("event", name)
    if table.of in tree.bodies:
        sizes = {"t": 1, **dict.fromkeys(BODY_ROWS, 3)}
    elif table.of in tree.joints:
        joint = tree.links[tree.joints[table.of]].joint
        sizes = {"t": 1, "q": joint.nq, "v": joint.nv}
    else:
        hint = nearest(table.of, [*tree.joints, *tree.bodies])
        raise FileError(f"{values.file}: {place} of: there is no joint or body '{table.of}'{hint}")
    formula = values.formula(f"{place} function", table.function, sizes)
    if formula.names.isdisjoint(sizes):
        known = ", ".join(sizes)
        raise FileError(f'{values.file}: {place} function = "{formula.text}" never changes; use one of {known}')
    seen = sorted(formula.names.intersection(sizes) - {"t"})

    def function(view, t):
        return formula.value({**values.parameters, "t": t, **{key: getattr(view, key) for key in seen}})

    return Event(name, [table.of], function, table.direction, table.stop, formula.text)
