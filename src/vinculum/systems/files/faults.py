"""All errors of a model file at once: an error in one table does not hide those in others. `Declared`: the names that a file gives to
bodies and joints, also where their tables are wrong."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, final

from pydantic import ValidationError

from vinculum.bodies import GROUND
from vinculum.errors import FileError, VinculumError
from vinculum.systems.files.problems import BODY_FORMS, Forms, all_problems, as_written, sentences_of
from vinculum.systems.files.tables.ends import BODY, EITHER, JOINT
from vinculum.systems.system import nearest


class UndeclaredError(FileError):
    """A name that nothing in the file has, whatever else is wrong there."""


@final
class Faults:
    """What is wrong in a file, sentence by sentence.

    ``lost``: names of what could not be made; that others miss them is no fault of theirs. ``forms``: the tables it may have.
    """

    def __init__(self, file: str, forms: Forms = BODY_FORMS):
        self.file = file
        self._forms = forms
        self.lost: set[str] = set()
        self._sentences: list[str] = []

    def __bool__(self) -> bool:
        return bool(self._sentences)

    @contextmanager
    def keep(self, place: str, name: str | None = None) -> Iterator[None]:
        """Keep what goes wrong at a place of the file, and that ``name`` is lost with it."""
        try:
            yield
        except VinculumError as error:
            told = as_written(str(error))
            begun = f"{self.file}: "
            told = (
                told.removeprefix(begun)
                if isinstance(error, FileError) or told.startswith(f"{begun}[")
                else f"{place} {told}"
            )
            if isinstance(error, UndeclaredError) or not any(f"'{one}'" in told for one in self.lost):
                self._sentences.append(told)
            if name is not None:
                self.lost.add(name)

    def table(self, given: dict[str, Any]) -> Any:
        """The tables of the file; those that are wrong are left out."""
        try:
            return self._forms.whole.model_validate(given)
        except ValidationError as error:
            self._sentences += sentences_of(error, self._forms)
            try:
                return self._forms.whole.model_validate(self._without(given, error))
            except ValidationError:
                raise self.error() from None

    def error(self) -> FileError:
        """All of them."""
        return all_problems(self.file, self._sentences)

    def _without(self, given: dict[str, Any], error: ValidationError) -> dict[str, Any]:
        """The tables without those that pydantic refuses."""
        families = (*self._forms.of_kinds, *self._forms.named, "parameters")
        left = {name: dict(table) if isinstance(table, dict) else table for name, table in given.items()}
        for found in error.errors(include_url=False):
            path: Any = (*found["loc"], "")
            inside = left.get(str(path[0]))
            if path[0] == "many" and isinstance(inside, list):
                self.lost |= {x for one in inside if isinstance(one, dict) for x in _bodies_and_bonds(one)}
            if path[0] in families and len(path) > 2 and isinstance(inside, dict):
                inside.pop(path[1], None)
                self.lost.add(str(path[1]))
            elif isinstance(inside, dict) and len(path) > 2:
                inside.pop(path[1], None)
            else:
                left.pop(str(path[0]), None)
        return left


def _bodies_and_bonds(table: dict[str, Any]) -> list[str]:
    """What a table [[many]] is about."""
    return [x for x in (table.get("body"), table.get("bond")) if isinstance(x, str)]


@final
@dataclass(frozen=True)
class Declared:
    """Names of ``bodies`` and ``joints`` in the order of the file; ``copied``: the bodies of which there are numbered copies;
    ``carried``: the children of joints."""

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    copied: tuple[str, ...]
    carried: frozenset[str]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Declared":
        """The names in the tables of a file, whatever else is in them."""
        joints, many = _table(given, "joints"), given.get("many")
        copied = [one.get("body") for one in many if isinstance(one, dict)] if isinstance(many, list) else []
        children = [one.get("child") for one in joints.values() if isinstance(one, dict)]
        return cls(
            tuple(_table(given, "bodies")),
            tuple(joints),
            tuple(name for name in copied if isinstance(name, str)),
            frozenset(name for name in children if isinstance(name, str)),
        )

    @property
    def startable(self) -> tuple[str, ...]:
        """Joints and bodies that no joint carries."""
        return (*self.joints, *(name for name in self.bodies if name not in self.carried))

    def mentions(self, name: str) -> bool:
        """Whether a name is that of a body, of a copy of one, or of a joint."""
        return name in (*self.bodies, *self.joints) or any(name.startswith(f"{body} ") for body in self.copied)

    def check_ends(self, file: str, place: str, ends: Iterable[str], what: str = BODY) -> None:
        """Refuse a bond of something that the file does not mention; ``what`` it must be: a `BODY`, a `JOINT` or `EITHER`."""
        bodies, joints = (*self.bodies, GROUND), self.joints
        known = {BODY: bodies, JOINT: joints, EITHER: (*self.bodies, *joints, GROUND)}[what]
        for name in ends:
            if name != GROUND and not self.mentions(name):
                raise UndeclaredError(f"{file}: {place}: there is no {what} '{name}'{nearest(name, known)}")


def _table(given: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = given.get(key)
    return found if isinstance(found, dict) else {}
