"""Options of a function's compilation that are compared at once.

Numba compiles an implementation of an operator once for each set of types and of options. It is looked up for each form that an operator
may have, a hundred thousand times for a run with contact. There it reads all options one by one, and their names alone make the hash.
"""

from typing import final

from numba.core import compiler


@final
class Options(compiler.Flags):
    """Numba's options, which equal others if the same ones are set to the same values."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(tuple(name for name, value in self._values.items() if value is True))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Options) and self._values == other._values)
