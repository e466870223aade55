"""Records as plain data that is written at once."""

from dataclasses import fields, is_dataclass
from typing import Any


def plain_data(x: Any) -> Any:
    """Dictionaries in place of dataclasses. Lists of numbers and names are not copied, so the result is read and not changed."""
    if isinstance(x, (str, int, float)):
        return x
    if is_dataclass(x):
        return {one.name: plain_data(getattr(x, one.name)) for one in fields(x)}
    if isinstance(x, dict):
        return {key: plain_data(y) for key, y in x.items()}
    if isinstance(x, (list, tuple)) and not all(isinstance(y, (str, int, float)) for y in x):
        return [plain_data(y) for y in x]
    return x
