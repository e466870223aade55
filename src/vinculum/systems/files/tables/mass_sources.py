"""The tables [[bodies.NAME.sources]] of mass that a body gains or loses."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from vinculum.systems.files.schema_values import Number, Row, Table, number


def _vector(given: Any) -> Any:
    if isinstance(given, str):
        return given
    if isinstance(given, list) and len(given) == 3:
        return [number(entry) for entry in given]
    raise PydanticCustomError("value", "must be a formula of a vector, or a list of 3 numbers or formulas")


Vector = Annotated[Any, BeforeValidator(_vector)]


class MassSourceTable(Table):
    rate: Number
    velocity: Vector = None
    relative: Vector = None
    at: Row | None = None
    law: Literal["inelastic", "energy-conserving"] = "inelastic"
    transit: bool = True
