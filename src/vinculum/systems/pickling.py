"""Errors for objects that cannot be pickled, with the name of the cause."""

import pickle
from collections.abc import Mapping
from typing import Any


def check_picklable(where: str, parts: Mapping[str, Any]) -> None:
    """Refuse the parts that hold what no other process could find again: lambdas, and functions made inside others."""
    for name, part in parts.items():
        try:
            pickle.dumps(part)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise pickle.PicklingError(
                f"{where} cannot be pickled, because of {name}: {error}; define its functions by `def` at the top of a module, or keep the "
                "script that builds it"
            ) from error
