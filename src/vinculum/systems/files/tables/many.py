"""The tables [[many]] of a model file: copies of a body, and bonds over rows of them."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from vinculum.systems.files.schema_values import Number, Table, number


def _is_whole(given: Any) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _count(given: Any) -> Any:
    if not _is_whole(given) or given < 1:
        raise PydanticCustomError("value", "must be a whole number from 1 on")
    return given


def _rows_of_bodies(given: Any) -> Any:
    whole = isinstance(given, list) and all(
        _is_whole(row) or (isinstance(row, list) and all(map(_is_whole, row))) for row in given
    )
    if not whole or not given:
        raise PydanticCustomError("value", "must be a list of rows of whole numbers, as in [[0, 1], [1, 2]]")
    return given


def _rows(given: Any) -> Any:
    if not isinstance(given, list) or not given or not all(isinstance(row, list) and row for row in given):
        raise PydanticCustomError("value", "must be a list with one row of numbers for each body")
    return [[number(entry) for entry in row] for row in given]


def _numbers(given: Any) -> Any:
    if not isinstance(given, dict) or not all(isinstance(column, list) and column for column in given.values()):
        raise PydanticCustomError("value", "must be a table of lists, as in {stiffness = [10, 12]}")
    return {
        name: [[number(x) for x in entry] if isinstance(entry, list) else number(entry) for entry in column]
        for name, column in given.items()
    }


class ManyTable(Table):
    """Either ``count`` copies of a ``body``, or a ``bond`` ``over`` rows or within a ``cutoff``."""

    body: str | None = None
    count: Annotated[Any, BeforeValidator(_count)] = None
    positions: Annotated[Any, BeforeValidator(_rows)] = None
    rates: Annotated[Any, BeforeValidator(_rows)] = None
    bond: str | None = None
    over: Annotated[Any, BeforeValidator(_rows_of_bodies)] = None
    ends: dict[str, str] = Field(default_factory=dict)
    numbers: Annotated[Any, BeforeValidator(_numbers)] = None
    cutoff: Number = None
    fade: Number = None
