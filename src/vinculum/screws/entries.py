"""Numbers from a user: read, shaped and checked under the name of their object."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from vinculum.errors import ModelError, SymbolError, VinculumError, shorten
from vinculum.scalars import value, vector
from vinculum.tolerances.sizes import ENTRIES_SHOWN

LARGEST = float(np.finfo(float).max)


def entries(what: str, x, *shapes: tuple[int, ...], refusal: type[Exception] = ModelError) -> np.ndarray:
    """``x`` as a read-only array of floats and symbols, of one of the shapes, finite at the parameters' values.

    ``refusal``: the kind of error that refuses anything else.
    """
    if x is None or isinstance(x, (str, bytes)):
        raise refusal(f"{what} is {shorten(x)}, which is not numeric: give {_shape_names(shapes)}")
    try:
        array = vector(x)
    except SymbolError as error:
        raise refusal(f"{what} is {shorten(x)}: {error}") from error
    except (TypeError, ValueError, OverflowError) as error:
        raise refusal(f"{what} is {shorten(x)}, which is not numeric: give {_shape_names(shapes)}") from error
    if shapes and array.shape not in shapes:
        raise refusal(f"{what} has shape {array.shape}: give {_shape_names(shapes)}")
    check_finite(what, array, refusal=refusal)
    array.flags.writeable = False
    return array


def of_shape(what: str, x, shape: tuple[int, ...]) -> np.ndarray:
    """``x`` as an array of floats and symbols of a shape; symbols need no values."""
    array = vector(x)
    if array.shape != shape:
        raise ModelError(f"{what} has shape {array.shape}: give {_shape_names((shape,))}")
    return array


def check_finite(
    what: str, x, values: Mapping[str, float] | None = None, refusal: type[Exception] = ModelError
) -> np.ndarray:
    """The value of ``x`` with numbers in place of parameters; what is not finite is refused."""
    number = x if isinstance(x, np.ndarray) and x.dtype == float else np.asarray(value(x, values))
    if not _are_finite(number):
        found = number.tolist() if number.size <= ENTRIES_SHOWN else f"{number[~np.isfinite(number)][0]} in some places"
        raise refusal(f"{what} is {found}, which is not finite: give finite numbers")
    return number


def _are_finite(number: np.ndarray) -> bool:
    if number.ndim == 1 and number.size <= ENTRIES_SHOWN:
        return all(map(math.isfinite, number.tolist()))
    return bool(np.isfinite(number).all())


def numeric(what: str, x) -> np.ndarray:
    """``x`` as floats, for conversions that must look at the values; symbols are refused."""
    try:
        return np.asarray(x, dtype=float)
    except SymbolError as error:
        raise SymbolError(
            f"{what} looks at the values and needs numbers, not symbols: put numbers in their place "
            "with vinculum.scalars.value or substitute first"
        ) from error
    except Exception as error:
        raise ModelError(f"{what} is {shorten(x)}, which is not numeric: give numbers") from error


def from_function(what: str, function, *given, parts: int = 1) -> Any:
    """What a function of the user's gives as floats: one array, or several of them."""
    try:
        found = function(*given)
    except VinculumError:
        raise
    except Exception as error:
        raise ModelError(
            f"{what} failed: {type(error).__name__}: {error}; it is called with arrays of shapes {[np.shape(x) for x in given]}"
        ) from error
    try:
        if parts == 1:
            return np.asarray(found, dtype=float)
        if len(found) == parts:
            return tuple(np.asarray(one, dtype=float) for one in found)
    except Exception as error:
        raise ModelError(f"{what} gives {shorten(found)}, which is not numeric; return arrays of numbers") from error
    raise ModelError(f"{what} gives {len(found)} arrays; return {parts}")


def is_number(x) -> bool:
    """Whether ``x`` is one finite number."""
    if not isinstance(x, (int, float, np.number)) or isinstance(x, (bool, np.complexfloating)):
        return False
    return bool(-LARGEST <= x <= LARGEST)


def _shape_names(shapes: tuple[tuple[int, ...], ...]) -> str:
    words = {(): "one number", (3,): "three numbers", (4,): "four numbers", (3, 3): "a 3×3 matrix"}
    return " or ".join(words.get(shape, f"an array of shape {shape}") for shape in shapes) or "numbers"
