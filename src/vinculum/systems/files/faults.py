"""All errors of a model file at once: an error in one table does not hide those in others."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, final

from pydantic import ValidationError

from vinculum.errors import FileError, VinculumError
from vinculum.systems.files.problems import BODY_FORMS, Forms, all_problems, as_written, sentences_of


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
            if not any(f"'{one}'" in told for one in self.lost):
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
