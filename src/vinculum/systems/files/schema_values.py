"""Values in the tables of a model file: numbers, rows, rotations and frames."""

import math
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic_core import PydanticCustomError

WANTED = 'a number, a quantity such as "30 deg" or a formula'


def number(given: Any) -> Any:
    if isinstance(given, str):
        return given
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise PydanticCustomError("value", f"must be {WANTED}")
    try:
        finite = math.isfinite(given)
    except OverflowError:
        finite = False
    if not finite:
        raise PydanticCustomError("value", "must be finite")
    return float(given)


def row(given: Any, size: int) -> list:
    if not isinstance(given, list) or len(given) != size:
        raise PydanticCustomError("value", "must be a list of {size} numbers", {"size": size})
    return [number(entry) for entry in given]


def _numbers(given: Any) -> Any:
    """A number, a row of numbers or a square of them."""
    if not isinstance(given, list):
        return number(given)
    if any(isinstance(entry, list) for entry in given):
        return [row(entry, len(given)) for entry in given]
    return [number(entry) for entry in given]


def square_or(given: Any, size: int) -> list:
    """Rows of three numbers in a square, or one row of ``size``."""
    if isinstance(given, list) and len(given) == 3 and all(isinstance(line, list) for line in given):
        return [row(line, 3) for line in given]
    if isinstance(given, list) and len(given) == size:
        return row(given, size)
    what = "the three diagonal entries" if size == 3 else "a quaternion of 4 numbers (scalar first)"
    raise PydanticCustomError("value", f"must be {what} or a 3×3 matrix")


def _frame(given: Any) -> Any:
    if not isinstance(given, (list, dict)):
        raise PydanticCustomError("value", "must be a list of 3 numbers, or a table with position, rotation or euler")
    return {"position": given} if isinstance(given, list) else given


Number = Annotated[Any, BeforeValidator(number)]
Numbers = Annotated[Any, BeforeValidator(_numbers)]
Row = Annotated[Any, BeforeValidator(lambda given: row(given, 3))]
Inertia = Annotated[Any, BeforeValidator(lambda given: square_or(given, 3))]
Rotation = Annotated[Any, BeforeValidator(lambda given: square_or(given, 4))]
ORIGIN = (0.0, 0.0, 0.0)


class Table(BaseModel):
    """A table of a model file; keys that it does not have are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class EulerTable(Table):
    sequence: str = "xyz"
    angles: Row


class FrameTable(Table):
    position: Row = ORIGIN
    rotation: Rotation = None
    euler: EulerTable | None = None


Frame = Annotated[FrameTable, BeforeValidator(_frame)]
