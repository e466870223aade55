"""Arguments of runs on a phase space: whole numbers, positive numbers, choices."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from vinculum.errors import MethodError, shorten
from vinculum.screws.entries import is_number


def whole_number(where: str, what: str, x: Any, least: int, most: int) -> int:
    """A whole number within bounds."""
    if not isinstance(x, (int, np.integer)) or isinstance(x, bool) or not least <= x <= most:
        raise MethodError(f"{where}: {what} is {shorten(x)}; give a whole number from {least} to {most}")
    return int(x)


def positive_number(where: str, what: str, x: Any, most: float = np.inf) -> float:
    """A number above zero and below a bound."""
    if not is_number(x) or not 0.0 < x < most:
        below = "" if most == np.inf else f" and below {most:g}"
        raise MethodError(f"{where}: {what} is {shorten(x)}; give a number above 0{below}")
    return float(x)


def one_choice(where: str, what: str, x: Any, known: Iterable) -> Any:
    """One of the values that are known."""
    choices = list(known)
    if isinstance(x, bool) or not isinstance(x, (str, int, np.integer)) or x not in choices:
        raise MethodError(f"{where}: {what} is {shorten(x)}; choose one of {', '.join(map(str, choices))}")
    return x


def name_list(where: str, what: str, x: Any, known: Sequence[str]) -> tuple[str, ...]:
    """Names among those that are known."""
    found = (x,) if isinstance(x, str) else x
    if not isinstance(found, (list, tuple)) or any(not isinstance(one, str) or one not in known for one in found):
        raise MethodError(f"{where}: {what} is {shorten(x)}; give a list of names among {', '.join(known)}")
    return tuple(found)
