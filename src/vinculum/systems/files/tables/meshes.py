"""The table of a mesh in a file, which has the mass of a body."""

from typing import Annotated, Any

from pydantic import BeforeValidator

from vinculum.systems.files.schema_values import Number, Table


class MeshFileTable(Table):
    file: str
    scale: Number = 1.0


def _as_table(given: Any) -> Any:
    return {"file": given} if isinstance(given, str) else given


MeshFile = Annotated[MeshFileTable, BeforeValidator(_as_table)]
"""A path, or a table with it."""
