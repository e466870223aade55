"""`Bonds`: one bond over many rows of bodies."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND, Body, BodyGroup
from vinculum.bonds.actions import Action
from vinculum.bonds.constraints import Constraint
from vinculum.bonds.mesh_rows import mesh_rows
from vinculum.bonds.pairs_within import PairsWithin, pairs_within
from vinculum.errors import ModelError, shorten

ROW = "{} {}"
"""Names of the rows: the name of the bond, and a number from zero."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class Bonds:
    """One bond over many rows of bodies, or between all pairs of a group that are near each other.

    ``bond``: a spring, damper, potential, force, interaction or constraint with a group, as `System.add_many` returns it, in place of a
    body.
    ``over``: (n, g) whole numbers, g groups among the bodies of the bond: which body of each group, row by row; (n,) if there is one
    group. Bodies of the bond that are no groups, such as the ground, are the same in all rows. ``numbers`` maps fields of the bond, or
    arguments of its function that have a default, to arrays with n rows: ``{"stiffness": k}``. A row is a bond of its own, with its number
    behind the name: ``"rope 0"``, ``"rope 1"``, …

    ``cutoff`` [m], in place of ``over``: the bond has an energy and acts between all pairs of its group whose origins are nearer than
    this, at every instant; ``numbers`` then have one number for each body, which the views have as attributes. The energy must vanish at
    the cutoff, or ``fade`` [m] says from which distance on it is multiplied by a factor that falls smoothly from 1 to 0 there.

    ``mesh``, in place of ``over``: (m, k) whole numbers, the bodies at the k corners of m elements, as triangles or tetrahedra, or a
    `shapes.Mesh`, whose bodies are in the order of its ``corners``. A bond with k groups has a row for each element. One with fewer has a
    row for each edge (two groups) or face (three) of the elements, once; ``over`` then holds these rows.

    >>> system = vc.System("rope")
    >>> knots = system.add_many(vc.MassPoint("knot", mass=0.1), 4)
    >>> spring = vc.Spring("rope", knots, knots, stiffness=50.0, rest_length=0.2)
    >>> ropes = system.add(vc.Bonds(spring, over=[(0, 1), (1, 2), (2, 3)]))
    """

    bond: Action | Constraint
    over: Any = None
    numbers: Mapping[str, Any] = field(default_factory=dict)
    cutoff: Any = None
    fade: Any = None
    mesh: Any = None

    def __post_init__(self):
        if not isinstance(self.bond, (Action, Constraint)):
            raise ModelError(
                f"bonds: {shorten(self.bond)} is no spring, damper, potential, force, interaction or constraint; give one, as "
                "vc.Bonds(vc.Spring('rope', knots, knots, stiffness=10.0), over=pairs)"
            )
        if not self.groups:
            raise ModelError(
                f"{self.called}: none of its bodies is a group, so it has no rows; use what system.add_many returns as its body, or add "
                "the bond itself to the system"
            )
        if sum(given is not None for given in (self.over, self.cutoff, self.mesh)) != 1:
            raise ModelError(
                f"{self.called}: give either over=, an array of bodies row by row, or cutoff=, a distance, or mesh=, elements of a mesh"
            )
        if self.cutoff is not None and not self.acts:
            raise ModelError(
                f"{self.called}: a constraint acts between given bodies, not within a cutoff; give over= in place of it"
            )
        if self.cutoff is not None:
            self._check_pair()
            _ = self.within
            return
        if self.fade is not None:
            raise ModelError(
                f"{self.called}: fade belongs to a cutoff; leave it out, or give cutoff= in place of over="
            )
        if self.mesh is not None:
            object.__setattr__(self, "over", mesh_rows(self.called, self.mesh, self.groups))
            object.__setattr__(self, "mesh", None)
        object.__setattr__(self, "over", self._read_rows())
        self._check_ends()
        object.__setattr__(self, "numbers", self._read_numbers())
        for k in self.samples:
            self.row(k)

    def __repr__(self):
        how = f"{len(self)} rows" if self.cutoff is None else f"pairs within {self.cutoff:g} m"
        return f"Bonds({self.name!r}, {type(self.bond).__name__}, {how})"

    def __len__(self) -> int:
        """Number of rows; with a cutoff there are none, but pairs that change."""
        return 0 if self.over is None else len(self.over)

    @property
    def name(self) -> str:
        """The name of the bond."""
        return self.bond.name

    @property
    def called(self) -> str:
        """Kind and name in a message."""
        return f"bonds '{self.name}'"

    @property
    def acts(self) -> bool:
        """Whether its rows are actions; otherwise they are constraints."""
        return isinstance(self.bond, Action)

    @cached_property
    def groups(self) -> tuple[BodyGroup, ...]:
        """The groups among the bodies of the bond, in order: one for each column of ``over``."""
        return tuple(end for end in self.bond.ends if isinstance(end, BodyGroup))

    def row(self, k: int) -> Any:
        """The bond of one row."""
        return self._bond_of(name_of_row(self, k), self.over[k].tolist(), self._numbers_at(k))

    @cached_property
    def within(self) -> PairsWithin:
        """The action between all pairs within the cutoff."""
        limits = self.cutoff, self.fade
        return pairs_within(self.called, self._bond_of(self.name, [0, 1], {}), self.groups[0], limits, self.numbers)

    def _bond_of(self, name: str, which: Sequence[int], numbers: Mapping[str, Any]) -> Any:
        """The bond with a name, between certain bodies of its groups, with some fields changed."""
        column, changed = iter(which), dict[str, Any](name=name)
        for one in fields(self.bond):  # type: ignore[arg-type]
            given = getattr(self.bond, one.name)
            if isinstance(given, BodyGroup):
                changed[one.name] = given[next(column)]
            elif isinstance(given, tuple) and any(isinstance(end, BodyGroup) for end in given):
                changed[one.name] = tuple(end[next(column)] if isinstance(end, BodyGroup) else end for end in given)
        return replace(self.bond, **changed, **numbers)  # type: ignore[type-var]

    def _check_pair(self) -> None:
        """Refuse a bond that is no energy of two bodies of one group."""
        same = len(self.groups) == 2 and self.groups[0].bodies == self.groups[1].bodies
        if not same or len(self.bond.ends) != 2:
            raise ModelError(
                f"{self.called}: with a cutoff it acts between pairs of one group, so both of its bodies must be this group, as in "
                "vc.Potential('pull', [stars, stars], energy); for bodies of two groups join them: stars + planets"
            )
        if len(self.groups[0]) < 2:
            raise ModelError(
                f"{self.called}: group '{self.groups[0].name}' has one body, so there are no pairs; give two or more"
            )

    def ends(self, place: Mapping[str, int]) -> np.ndarray:
        """The bodies of all rows (n, e), as their ``place`` by name; those that have none, as the ground, are −1."""
        column, found = iter(self.over.T), []
        ends: tuple[Any, ...] = self.bond.ends
        places = {
            group: np.array([place.get(body.name, -1) for body in group], dtype=np.int64)
            for group in dict.fromkeys(self.groups)
        }
        for end in ends:
            if isinstance(end, BodyGroup):
                found.append(places[end][next(column)])
            else:
                name = end if isinstance(end, str) else end.name
                found.append(np.full(len(self), place.get(name, -1), dtype=np.int64))
        return np.stack(found, axis=1)

    @cached_property
    def samples(self) -> tuple[int, ...]:
        """Rows that stand for all: the first and the last, those with the least and the largest of each number, and one for every
        combination of kinds of bodies."""
        chosen = {0, len(self) - 1}
        for column in self.numbers.values():
            flat = column.reshape(len(self), -1)
            chosen |= {*flat.argmin(axis=0).tolist(), *flat.argmax(axis=0).tolist()}
        known = {group: _kinds_in(group) for group in dict.fromkeys(self.groups)}
        kinds = [known[group][which] for group, which in zip(self.groups, self.over.T, strict=True)]
        chosen |= {*np.unique(np.stack(kinds, axis=1), axis=0, return_index=True)[1].tolist()}
        return tuple(sorted(chosen))

    def _read_rows(self) -> np.ndarray:
        """Whole numbers (n, g) within the groups; a fault names its row."""
        try:
            rows = np.asarray(self.over)
        except Exception as error:  # whatever an object says when it is asked for an array
            raise ModelError(
                f"{self.called}: over is no array, or its rows differ in length; give whole numbers with shape (n, {len(self.groups)})"
            ) from error
        count = len(self.groups)
        rows = rows[:, None] if rows.ndim == 1 and count == 1 else rows
        if rows.ndim != 2 or rows.shape[1] != count:
            listed = ", ".join(f"'{group.name}'" for group in self.groups)
            raise ModelError(
                f"{self.called}: over has shape {rows.shape}, but the bond has {count} group{'s' if count > 1 else ''} "
                f"({listed}); give whole numbers with shape (n, {count})"
            )
        if not len(rows):
            raise ModelError(f"{self.called}: over has no rows; give at least one, or leave the bonds out")
        if rows.dtype.kind not in "iu":
            raise ModelError(
                f"{self.called}: over holds {rows.dtype} numbers; give whole numbers that say which bodies of the groups"
            )
        for c, group in enumerate(self.groups):
            out = np.flatnonzero((rows[:, c] < 0) | (rows[:, c] >= len(group)))
            if len(out):
                raise ModelError(
                    f"{self.called}: row {out[0]} names body {rows[out[0], c]} of group '{group.name}', whose {len(group)} bodies are "
                    f"counted from 0 to {len(group) - 1}"
                )
        rows = rows.astype(np.int64)
        rows.flags.writeable = False
        return rows

    def _check_ends(self) -> None:
        """Refuse a row that names a body twice, and bonds whose bodies are not found in their fields."""
        names = {body.name for group in dict.fromkeys(self.groups) for body in group}
        names |= {
            end.name if isinstance(end, Body) else end for end in self.bond.ends if not isinstance(end, BodyGroup)
        }
        place = {name: i for i, name in enumerate(sorted(names - {GROUND}))}
        ends = self.ends(place)
        for i, j in combinations(range(ends.shape[1]), 2):
            same = np.flatnonzero((ends[:, i] == ends[:, j]) & (ends[:, i] >= 0))
            if len(same):
                twice = next(name for name, k in place.items() if k == ends[same[0], i])
                raise ModelError(
                    f"{self.called}: row {same[0]} names body '{twice}' twice; a body cannot act on itself"
                )

    def _read_numbers(self) -> dict[str, np.ndarray]:
        """Finite numbers with n rows, by the field or argument that they stand for."""
        if not isinstance(self.numbers, Mapping):
            raise ModelError(
                f"{self.called}: numbers is {shorten(self.numbers)}; give names with one number for each row, as {{'stiffness': k}}"
            )
        return {str(what): self._read_column(str(what), given) for what, given in self.numbers.items()}

    def _read_column(self, what: str, given) -> np.ndarray:
        known = [*self._fields, *self._arguments]
        if what not in known:
            raise ModelError(
                f"{self.called}: {type(self.bond).__name__} has no number '{what}'; known: {', '.join(known) or 'none'} (an argument of a "
                "function needs a default, as in lambda a, b, k=1.0: …)"
            )
        try:
            column = np.asarray(given)
            if column.dtype.kind not in "iuf":
                raise TypeError(given)
        except Exception as error:  # whatever an object says when it is asked for an array
            raise ModelError(
                f"{self.called}: {what} is {shorten(given)}; give an array of plain numbers, one for each row (a parameter is a number of "
                "the bond itself)"
            ) from error
        if column.ndim < 1 or len(column) != len(self):
            raise ModelError(
                f"{self.called}: {what} has shape {column.shape}, but there are {len(self)} rows; give one for each row"
            )
        wrong = np.flatnonzero(~np.isfinite(column.reshape(len(self), -1)).all(axis=1))
        if len(wrong):
            raise ModelError(f"{self.called}: {what} of row {wrong[0]} is {column[wrong[0]]}, which is not finite")
        column = column.astype(float)
        column.flags.writeable = False
        return column

    @cached_property
    def _fields(self) -> list[str]:
        """Fields that numbers may stand for; a constraint has its numbers in its function."""
        if not self.acts:
            return []
        own = fields(self.bond)  # type: ignore[arg-type]
        ends = {id(end) for end in self.bond.ends}
        values = {one.name: getattr(self.bond, one.name) for one in own if one.init and one.name != "name"}
        return [
            name
            for name, x in values.items()
            if not callable(x) and not isinstance(x, (str, Mapping)) and id(x) not in ends and x is not self.bond.ends
        ]

    @cached_property
    def _arguments(self) -> dict[str, str]:
        """Arguments with a default of its functions, and the field of the function."""
        found: dict[str, str] = {}
        for one in fields(self.bond):  # type: ignore[arg-type]
            function = getattr(self.bond, one.name)
            if callable(function) and not isinstance(function, (Body, BodyGroup)):
                given = inspect.signature(function).parameters.values()
                found |= {x.name: one.name for x in given if x.default is not x.empty and x.name != "t"}
        return found

    def _numbers_at(self, k: int) -> dict[str, Any]:
        """The numbers of one row, as fields of the bond."""
        return self.with_numbers({what: column[k] for what, column in self.numbers.items()})

    def with_numbers(self, numbers: Mapping[str, Any]) -> dict[str, Any]:
        """Fields of the bond that hold given numbers: their own, or functions whose arguments they are."""
        own = {what: x for what, x in numbers.items() if what in self._fields}
        for what, function in self._arguments.items():
            if what in numbers and what not in own:
                before = own.get(function, getattr(self.bond, function))
                own[function] = partial(before, **{what: _plain(numbers[what])})
        return own


def _plain(number) -> Any:
    """A number as Python has it, an array as it is."""
    return number.item() if np.ndim(number) == 0 else number


def _kinds_in(group: BodyGroup) -> np.ndarray:
    """For every body of a group, a number that those of its class have which carry their points alike."""
    known: dict[tuple[type, int], int] = {}
    keys = ((type(body), id(body.mechanics.kinematics)) for body in group)
    return np.array([known.setdefault(key, len(known)) for key in keys])


def is_member_name(name: str, of: str, count: int) -> bool:
    """Whether a name is that of a numbered member, as 'rope 17' of 'rope'."""
    number = name[len(of) + 1 :] if name.startswith(f"{of} ") else ""
    return number.isascii() and number.isdecimal() and str(int(number)) == number and int(number) < count


def rows_of(bonds: Bonds) -> Iterator[Any]:
    """The bonds of all rows, one by one."""
    return (bonds.row(k) for k in range(len(bonds)))


def name_of_row(bonds: Bonds, k: int) -> str:
    """The name of a row of bonds."""
    return ROW.format(bonds.name, k)
