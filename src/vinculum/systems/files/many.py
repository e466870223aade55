"""Many bodies and bonds of a model file: groups of copies, and bonds over rows of them or within a cutoff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, final

import numpy as np

from vinculum.bodies import Body, BodyGroup
from vinculum.bonds import Action, Bonds, Constraint, Rolling
from vinculum.errors import FileError
from vinculum.systems.files.faults import Faults
from vinculum.systems.files.schema import ModelTable
from vinculum.systems.files.tables.many import ManyTable
from vinculum.systems.files.tables.unilaterals import ContactTable
from vinculum.systems.files.values import Values
from vinculum.systems.start import At
from vinculum.systems.system import System, nearest
from vinculum.systems.tree import Tree

OF_BODIES = ("count", "positions", "rates")
OF_BONDS = ("over", "ends", "numbers", "cutoff", "fade")


@final
@dataclass(frozen=True, eq=False)
class Many:
    """The tables [[many]] by the names of bodies and bonds, each with its place in the file; ``groups``: those that were added."""

    bodies: dict[str, tuple[str, ManyTable]] = field(default_factory=dict)
    bonds: dict[str, tuple[str, ManyTable]] = field(default_factory=dict)
    groups: dict[str, BodyGroup] = field(default_factory=dict)

    def add_body(self, system: System, body: Body) -> None:
        """Add a body, or copies of it."""
        if body.name not in self.bodies:
            system.add(body)
            return
        table = self.bodies[body.name][1]
        assert table.count is not None
        self.groups[body.name] = system.add_many(body, table.count)

    def add_bond(self, values: Values, system: System, bond: Action | Constraint | Rolling) -> None:
        """Add a bond, or bonds over rows like it."""
        if bond.name not in self.bonds:
            system.add(bond)
            return
        place, table = self.bonds[bond.name]
        if isinstance(bond, Rolling):
            raise FileError(
                f"{values.file}: {place}: '{bond.name}' rolls, which is two constraints; write them as two tables"
            )
        system.add(self._bonds(values, place, table, bond))

    def name_copies(self, table: ContactTable) -> ContactTable:
        """A contact whose bodies are named one by one where it names a group."""
        named: dict[str, list[str]] = {
            key: [one for name in given for one in (self.groups[name].names if name in self.groups else (name,))]
            for key in ("bodies", "against")
            if (given := getattr(table, key)) is not None
        }
        return table.model_copy(update=named)

    def _ends(self, place: str, table: ManyTable, file: str) -> dict[str, BodyGroup]:
        """The groups by the names that stand for their bodies in the table of a bond."""
        for end, group in table.ends.items():
            if group not in self.groups:
                raise FileError(
                    f"{file}: {place} ends.{end}: there is no group '{group}'{nearest(group, self.groups)}; make one with [[many]] "
                    f'body = "{group}"'
                )
        return self.groups | {end: self.groups[group] for end, group in table.ends.items()}

    def _bonds(self, values: Values, place: str, table: ManyTable, bond: Action | Constraint) -> Bonds:
        groups, changed, named = self._ends(place, table, values.file), dict[str, Any](), list[str]()
        for one in fields(bond):  # type: ignore[arg-type]
            given = getattr(bond, one.name)
            if one.name != "name":
                named += [end for end in (given if isinstance(given, tuple) else (given,)) if isinstance(end, str)]
            if isinstance(given, str) and given in groups and one.name != "name":
                changed[one.name] = groups[given]
            elif isinstance(given, tuple) and any(isinstance(end, str) and end in groups for end in given):
                changed[one.name] = tuple(groups.get(end, end) if isinstance(end, str) else end for end in given)
        for end in table.ends:
            if end not in named:
                raise FileError(
                    f"{values.file}: {place} ends.{end}: '{bond.name}' names no body '{end}'{nearest(end, named)}; ends are names in the "
                    "table of the bond"
                )
        numbers = {what: _column(values, f"{place} numbers.{what}", x) for what, x in (table.numbers or {}).items()}
        cutoff, fade = (
            None if x is None else values.settle(f"{place} {key}", x, "m")
            for key, x in (("cutoff", table.cutoff), ("fade", table.fade))
        )
        over = None if table.over is None else _rows(values, place, table.over)
        return Bonds(replace(bond, **changed), over, numbers, cutoff, fade)  # type: ignore[type-var]

    def start(self, values: Values, tree: Tree) -> dict[str, At]:
        """Positions and rates of the copies, by their names."""
        found: dict[str, At] = {}
        for name, (place, table) in self.bodies.items():
            group = self.groups.get(name)
            if group is None or (table.positions is None and table.rates is None):
                continue
            joined = next((body for body in group.names if body not in tree.joints), None)
            if joined is not None:
                raise FileError(
                    f"{values.file}: {place}: '{joined}' has a joint, so positions and rates are not those of free bodies; leave them out "
                    "and start its joint and the other copies in [start]"
                )
            units = tree.links[tree.joints[group.names[0]]].joint.kind.coordinates
            columns = [
                _numbers_of(values, place, key, given, own, len(group))
                for key, given, own in (
                    ("positions", table.positions, units.q_units),
                    ("rates", table.rates, units.v_units),
                )
            ]
            for body, position, rate in zip(group.names, *columns, strict=True):
                found[body] = At(position, rate)
        return found


def read_many(file: str, table: ModelTable, faults: Faults) -> Many:
    """The tables [[many]]; those that fit nothing in the file are refused."""
    many = Many()
    bonds: Mapping[str, Any] = {**table.potentials, **table.forces, **table.constraints}
    for i, one in enumerate(table.many):
        place = f"[[many]][{i}]"
        with faults.keep(place, one.body or one.bond):
            if (one.body is None) == (one.bond is None):
                raise FileError(f"{file}: {place} needs either body, which is copied, or bond, which acts on copies")
            _check_keys(file, place, one)
            name, known, family = (
                (one.body, table.bodies, many.bodies) if one.body is not None else (one.bond, bonds, many.bonds)
            )
            assert name is not None
            if name not in known:
                what = "body" if one.body is not None else "potential, force or constraint"
                raise FileError(f"{file}: {place}: there is no {what} '{name}'{nearest(name, known)}")
            if name in family:
                raise FileError(f"{file}: {place}: '{name}' already has a table [[many]]; keep one of them")
            family[name] = place, one
    return many


def _check_keys(file: str, place: str, one: ManyTable) -> None:
    """Refuse keys of bonds beside a body, and the other way round, and tables that say nothing."""
    what, foreign = ("body", OF_BONDS) if one.body is not None else ("bond", OF_BODIES)
    given = one.model_fields_set
    for key in foreign:
        if key in given:
            raise FileError(f"{file}: {place}: the key '{key}' does not belong to a {what}; leave it out")
    if one.body is not None and one.count is None:
        raise FileError(f"{file}: {place}: the key 'count' is missing; add count = …")
    if one.bond is not None and (one.over is None) == (one.cutoff is None):
        raise FileError(f"{file}: {place} needs either over, rows of bodies, or cutoff, a distance")


def _rows(values: Values, place: str, over: list) -> np.ndarray:
    try:
        return np.array(over, dtype=np.int64)
    except ValueError as error:
        raise FileError(
            f"{values.file}: {place} over: its rows differ in length; give one number for each end"
        ) from error
    except OverflowError as error:
        raise FileError(
            f"{values.file}: {place} over: a number is larger than any count of bodies; number the copies from 0 on"
        ) from error


def _column(values: Values, place: str, column: list) -> np.ndarray:
    """Numbers, or rows of them, one for each row of a bond or each body."""
    read = [
        values.row(f"{place}[{i}]", x, ("1",) * len(x)) if isinstance(x, list) else _plain(values, f"{place}[{i}]", x)
        for i, x in enumerate(column)
    ]
    try:
        return np.array(read, dtype=float)
    except (ValueError, TypeError) as error:
        raise FileError(
            f"{values.file}: {place}: its rows differ in length, or hold parameters; give plain numbers"
        ) from error


def _plain(values: Values, place: str, given: float | str) -> float:
    return given if isinstance(given, float) else values.settle(place, given, "1")


def _numbers_of(
    values: Values, place: str, key: str, given: list | None, units: Sequence[str], count: int
) -> list[list | None]:
    """The coordinates or velocities of all copies, None where they are not given."""
    if given is None:
        return [None] * count
    if len(given) != count:
        raise FileError(
            f"{values.file}: {place} {key} has {len(given)} rows, but there are {count} bodies; give one for each"
        )
    found = []
    for i, row in enumerate(given):
        if all(isinstance(x, float) for x in row):
            found.append(row)
            continue
        own = (*units[: len(row)], *("1",) * (len(row) - len(units)))
        found.append(values.row(f"{place} {key}[{i}]", row, own))
    return found
