"""Error messages about the tables of a model file, one sentence for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from pydantic import ValidationError

from vinculum.errors import FileError
from vinculum.systems.files.impulses import ImpulseTable
from vinculum.systems.files.schema import (
    JOINTS,
    TABLES,
    EventTable,
    ModelTable,
    PointsTable,
    StartTable,
)
from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.tables.actions import FORCES, POTENTIALS
from vinculum.systems.files.tables.constraints import REALIZATIONS
from vinculum.systems.files.tables.deforming import DISSIPATIONS, ENERGIES
from vinculum.systems.files.tables.many import ManyTable
from vinculum.systems.files.tables.mass_sources import MassSourceTable
from vinculum.systems.files.tables.meshes import MeshFileTable
from vinculum.systems.files.tables.ready_constraints import CONSTRAINT_KINDS
from vinculum.systems.files.tables.shapes import SHAPES
from vinculum.systems.files.tables.unilaterals import IMPACTS, WALLS, ContactTable, UnilateralTable
from vinculum.systems.system import nearest
from vinculum.tolerances.sizes import MOST_INSTANTS, PROBLEMS_LISTED
from vinculum.upward import OTHER_BODIES, OTHER_FORCES, OTHER_IMPACT_LAWS, OTHER_JOINTS, extension_names

NAMED = {
    "start": StartTable,
    "events": EventTable,
    "tables": PointsTable,
    "unilaterals": UnilateralTable,
    "contacts": ContactTable,
    "impulses": ImpulseTable,
}
WAYS = tuple(REALIZATIONS)
KINDS = {"bodies": ("rigid", "point", "prescribed", "affine", "point_body"), "joints": tuple(JOINTS), "shape": tuple(SHAPES),
         "potentials": tuple(POTENTIALS), "forces": tuple(FORCES), "constraints": CONSTRAINT_KINDS,
         "realization": WAYS, "contact": WAYS, "impact": tuple(IMPACTS), "walls": tuple(WALLS),
         "energy": tuple(ENERGIES), "dissipation": tuple(DISSIPATIONS)}  # fmt: skip
ARTICLES = {
    "bodies": "a body",
    "joints": "a joint",
    "shape": "a shape",
    "potentials": "a potential",
    "forces": "a force",
    "constraints": "a constraint",
    "realization": "a realization",
    "contact": "a realization",
    "impact": "an impact law",
    "walls": "a wall",
    "energy": "an energy",
    "dissipation": "a dissipation",
}
GROUPS = {"bodies": OTHER_BODIES, "joints": OTHER_JOINTS, "forces": OTHER_FORCES, "impact": OTHER_IMPACT_LAWS}
"""Entry points that bring more kinds."""
OF_KINDS = ("bodies", "joints", "potentials", "forces", "constraints")
TAGGED = {"shape": SHAPES, "realization": REALIZATIONS, "contact": REALIZATIONS, "impact": IMPACTS,
          "energy": ENERGIES, "dissipation": DISSIPATIONS}  # fmt: skip
LISTED: dict[str, type[Table]] = {"sources": MassSourceTable, "many": ManyTable}
"""Tables of which there may be several, as [[bodies.NAME.sources]]."""
NESTED: dict[tuple[str, str], type[Table]] = {("meshed", "mesh"): MeshFileTable, ("affine", "mesh"): MeshFileTable}
"""Tables in tables of a kind whose key has another meaning elsewhere."""
DECIDES = {
    "realization": "choose a realization, because it determines the motion",
    "impact": "choose an impact law, because the bodies alone do not determine it",
}
PHRASES = {
    "string_type": "must be a text in quotes",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "greater_than_equal": "must be a whole number of at least 2",
    "less_than_equal": f"must be a whole number of at most {MOST_INSTANTS}; motion.at(…) gives more where you need them",
    "list_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
}
MEANT = {
    "type": "kind",
    "class": "kind",
    "sort": "kind",
    "cm": "com",
    "center": "com",
    "orientation": "rotation",
    "duration": "until",
}
"""Keys of other programs, and what they are called here."""


@final
@dataclass(frozen=True)
class Forms:
    """The tables that a file may have: the ``whole`` file, its single tables and those of names by key, and the families whose
    tables are told apart by a kind."""

    whole: type[Table]
    single: Mapping[str, type[Table]]
    named: Mapping[str, type[Table]]
    of_kinds: tuple[str, ...] = ()


BODY_FORMS = Forms(ModelTable, TABLES, NAMED, OF_KINDS)
IN_FILES = {
    "contact=vc.DAlembert()": 'contact = "dalembert"',
    "vc.DAlembert()": 'realization = "dalembert"',
    "vc.Chetaev()": 'realization = "chetaev"',
    "vc.Penalty(κ)": '{kind = "penalty", stiffness = κ}',
    "vc.constraints.ViscousFriction(κ)": '{kind = "viscous_friction", coefficient = κ}',
    "vc.constraints.AddedInertia(κ)": '{kind = "added_inertia", coefficient = κ}',
    "vc.Vakonomic(multipliers=…)": '{kind = "vakonomic", multipliers = …}',
    "vc.Servo(…)": '{kind = "servo", along = …}',
    'vc.Servo("hinge")': 'along = ["hinge"]',
    "vc.Servo(vc.Force(…)) or vc.Servo(vc.Interaction(…))": 'along = [{kind = "force", …}] or [{kind = "interaction", …}]',
    "give vc.Force or vc.Interaction": 'give {kind = "force", …} or {kind = "interaction", …}',
    'or by="chetaev"': 'or by = "chetaev"',
    "as velocity=": "as velocity = …",
    "as position=": "as position = …",
    "as acceleration=": "as acceleration = …",
    "velocity= or position=": "velocity = … or position = …",
    "vc.Inelastic()": 'impact = "inelastic"',
    "vc.Elastic()": 'impact = "elastic"',
    "vc.Newton(e)": '{kind = "newton", e = …}',
    "vc.Poisson(e)": '{kind = "poisson", e = …}',
    "vc.Newton": '{kind = "newton", e = …}',
    "vc.Coulomb(mu)": "friction = …",
    "give point=, a function of": "give point = …, a formula of",
    "along= and mu_across=": "along and mu_across",
    "leave along= out, or use a vc.Unilateral": "leave along out, or use a table [unilaterals.NAME]",
    "or a vc.Unilateral for every gap": "or a table [unilaterals.NAME] for every gap",
    "with vc.Unilateral": "in tables [unilaterals.NAME]",
    "vc.RigidBody.solid(name, vc.shapes.Sphere(r), density=…) or give shape=": 'shape = {kind = "sphere", radius = …} in its table',
    "walls=[vc.shapes.HalfSpace(normal, offset), …]": "walls = [{normal = […], offset = …}, …]",
    "shift the measure with measure.transform(vc.Pose(…))": "shift the mesh with at = […]",
}


def sentences_of(error: ValidationError, forms: Forms = BODY_FORMS) -> list[str]:
    """One sentence for each problem that pydantic found."""
    return [_sentence(found, forms) for found in error.errors(include_url=False)]


def all_problems(file: str, sentences: Sequence[str]) -> FileError:
    """All problems of a file in one error."""
    more = [f"and {len(sentences) - PROBLEMS_LISTED} more"] * (len(sentences) > PROBLEMS_LISTED)
    if len(sentences) == 1:
        return FileError(f"{file}: {sentences[0]}", sentences)
    return FileError("\n".join([f"{file}: {len(sentences)} problems", *sentences[:PROBLEMS_LISTED], *more]), sentences)


def place(path: tuple, forms: Forms = BODY_FORMS) -> str:
    """A path of keys as it reads in the file: ``[joints.elbow] axis``."""
    parts = _path_in_file(path, forms)
    if len(parts) > 1 and parts[0] == "many":
        return " ".join([f"[[many]][{parts[1]}]", *parts[2:]])
    depth = 2 if parts and parts[0] in (*forms.of_kinds, *forms.named) else 1
    table = f"[{'.'.join(parts[:depth])}]"
    return f"{table} {'.'.join(parts[depth:])}" if len(parts) > depth else table


def show(given) -> str:
    """A value as a message shows it."""
    text = f'"{given}"' if isinstance(given, str) else repr(given).replace("True", "true").replace("False", "false")
    return text if len(text) <= 60 else text[:59] + "…"


def as_written(message: str) -> str:
    """A message of the library with its realizations written as in a file."""
    for python, file in IN_FILES.items():
        message = message.replace(python, file)
    return message


def _path_in_file(path: tuple, forms: Forms) -> list[str]:
    """The path without the tags that pydantic puts in for the kind of a body, joint, shape or realization."""
    parts = [str(part) for part in path]
    if len(parts) > 2 and parts[0] in forms.of_kinds:
        parts.pop(2)
    if len(parts) > 4 and parts[2] == "walls":
        parts[2:5] = [f"walls[{parts[3]}]"]
    elif len(parts) > 3 and parts[2] == "walls":
        parts[2:] = [f"walls[{parts[3]}]"]
    if len(parts) > 3 and parts[2] in LISTED:
        parts[2:4] = [f"{parts[2]}[{parts[3]}]"]
    if len(parts) > 4 and parts[4] in TAGGED.get(parts[3], ()):
        parts.pop(4)
    if len(parts) > 3 and parts[3] in TAGGED.get(parts[2], ()):
        parts.pop(3)
    return parts


def _sentence(found: Mapping, forms: Forms) -> str:
    kind, path, given = found["type"], tuple(found["loc"]), found["input"]
    if kind == "extra_forbidden":
        keys, key = _keys(path, forms), str(path[-1])
        what = f"{place(path[:-1], forms)}: the key" if len(path) > 1 else "the table"
        hint = f"; did you mean '{MEANT[key]}'?" if MEANT.get(key) in keys else nearest(key, keys)
        return f"{what} '{key}' is not known{hint if 'did you mean' in hint else '; there are ' + ', '.join(keys)}"
    if kind == "missing":
        if path == ("bodies",):
            return "there is no body; describe one in a table [bodies.name]"
        if path[-1] in DECIDES:
            key = str(path[-1])
            return f"{place(path[:-1], forms)}: the key '{key}' is missing; {DECIDES[key]}: {', '.join(KINDS[key])}"
        return f"{place(path[:-1], forms)}: the key '{path[-1]}' is missing; add {path[-1]} = …"
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _kind_sentence(path, given, forms)
    if kind == "literal_error":
        return f"{place(path, forms)} = {show(given)} is not known; use {found['ctx']['expected']}"
    phrase = PHRASES.get(kind) or (found["msg"] if kind == "value" else f"is refused: {found['msg']}")
    return f"{place(path, forms)} = {show(given)} {phrase}"


def _keys(path: tuple, forms: Forms) -> list[str]:
    if len(path) == 1:
        table = forms.whole
    elif len(path) == 3 and path[0] in forms.named:
        table = forms.named[path[0]]
    else:
        owner, own = ("", *map(str, path))[-3:-1]
        table = NESTED.get((owner, own)) or LISTED.get(owner) or TAGGED.get(owner, {}).get(own) or forms.single[own]
    return list(table.model_fields)


def _kind_sentence(path: tuple, given, forms: Forms) -> str:
    family = str(path[-1] if path[-1] in TAGGED else "walls" if "walls" in path else path[0])
    if not isinstance(given, dict):
        return f"{place(path, forms)} = {show(given)} must be a table"
    known = (*KINDS[family], *extension_names(GROUPS[family])) if family in GROUPS else KINDS[family]
    if "kind" not in given:
        instead = next((f"; did you mean it by '{key}'?" for key in given if MEANT.get(key) == "kind"), "")
        return (
            f"{place(path, forms)}: the key 'kind' is missing{instead}; {ARTICLES[family]} is one of {', '.join(known)}"
        )
    kind = given["kind"]
    hint = nearest(str(kind), known)
    return f"{place(path, forms)} kind = {show(kind)} is not {ARTICLES[family]} that a file can describe{hint}"
