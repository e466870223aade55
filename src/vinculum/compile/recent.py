"""A dictionary of the most recently used entries."""

from typing import Generic, TypeVar, final

T = TypeVar("T")


@final
class Recent(Generic[T]):
    """At most ``most`` values by key. Whoever needs a value for longer keeps it itself."""

    def __init__(self, most: int):
        self._most = most
        self._values: dict[str, T] = {}

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def get(self, key: str) -> T | None:
        """The value under ``key``, which is the latest then, or None."""
        value = self._values.pop(key, None)
        if value is not None:
            self._values[key] = value
        return value

    def keep(self, key: str, value: T) -> T:
        """Keep a value as the latest."""
        self._values.pop(key, None)
        self._values[key] = value
        while len(self._values) > self._most:
            self._values.pop(next(iter(self._values)), None)
        return value
