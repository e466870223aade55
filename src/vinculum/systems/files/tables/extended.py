"""Tables of a kind that another package brings: a body, a joint, a force or an impact law."""

from collections.abc import Callable, Collection
from typing import Any

from pydantic import ConfigDict

from vinculum.systems.files.schema_values import Table
from vinculum.upward import is_extension

EXTENDED = "extended"
"""The tag of tables whose kind another package brings."""
OPEN = ConfigDict(extra="allow", strict=True, frozen=True, defer_build=True)
"""A table that may have any keys."""


class ExtendedTable(Table):
    """A table with keys that only the package knows that brings its kind."""

    model_config = OPEN
    kind: str


def kind_tag(known: Collection[str], group: str) -> Callable[[Any], str | None]:
    """How a table is told from others of its family: by its kind, or as one of another package if the kind is not ``known``."""

    def tag(given: Any) -> str | None:
        kind = given.get("kind") if isinstance(given, dict) else getattr(given, "kind", None)
        if not isinstance(kind, str):
            return None if kind is None else repr(kind)
        return EXTENDED if kind not in known and is_extension(group, kind) else kind

    return tag
