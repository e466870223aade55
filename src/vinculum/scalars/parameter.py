"""`vc.parameter`: a number that keeps its name in the equations, so a sweep needs no new compilation."""

import math

from vinculum.errors import StartError
from vinculum.scalars.scalar import Scalar


def parameter(name: str, value: float) -> Scalar:
    """A named number with a default value. It can replace any number: ``com=(0, 0, -m/2)``.

    >>> mass = vc.parameter("m", 1.5)
    >>> bob = vc.MassPoint("bob", mass=mass)
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise StartError(f"parameter name {name!r} is not an identifier: use letters, digits and underscores")
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise StartError(f"parameter '{name}': the value {value!r} is not a number") from error
    if not math.isfinite(number):
        raise StartError(f"parameter '{name}': the value {value!r} is not finite")
    return Scalar("parameter", name, number)
