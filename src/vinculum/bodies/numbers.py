"""Numbers of a description: read, shaped and checked, with parameters allowed in any place."""

from collections.abc import Mapping

import numpy as np

from vinculum.errors import ModelError, SymbolError
from vinculum.scalars import Value, value, vector


def one_number(what: str, x) -> Value:
    """``x`` as a float or a symbol; anything else is refused under the name ``what``."""
    array = numbers(what, x)
    if array.shape != ():
        raise ModelError(f"{what} must be one number, got {x!r} of shape {array.shape}")
    return array.item()


def numbers(what: str, x, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """``x`` as an array of floats and symbols, of the shape asked for."""
    if isinstance(x, (str, bytes)) or x is None:
        raise ModelError(f"{what} must be numeric, got {x!r}")
    try:
        array = vector(x)
    except SymbolError as error:
        raise ModelError(f"{what}: {error}") from error
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what} must be numeric, got {x!r}") from error
    if shape is not None and array.shape != shape:
        raise ModelError(f"{what} must have shape {shape}, got {x!r} of shape {array.shape}")
    if array.dtype == float and not np.all(np.isfinite(array)):
        raise ModelError(f"{what} must be finite, got {x!r}")
    array = array.copy()
    array.flags.writeable = False
    return array


def check_finite(what: str, x, values: Mapping[str, float] | None = None) -> np.ndarray:
    """The value of ``x`` with numbers in place of parameters; not finite is refused."""
    number = np.asarray(value(x, values))
    if not np.all(np.isfinite(number)):
        raise ModelError(f"{what} must be finite, got {number.tolist()}")
    return number


def check_mass(name: str, mass, values: Mapping[str, float] | None = None) -> float:
    """The mass of body ``name`` as a positive number."""
    number = float(check_finite(f"body '{name}': mass", mass, values))
    if not number > 0.0:
        raise ModelError(
            f"body '{name}': mass {number:g} kg is not positive; every body needs mass > 0 "
            "(weld a light part to its neighbour with vc.Weld instead)"
        )
    return number
