"""Descriptions that are alike up to numbers: the structure of a description, its numbers, and the same description with other numbers.

Two springs of different stiffness have one structure, and so have two functions with the same code that captured different numbers. What
is alike is traced once; its numbers become columns of a table.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from copy import copy
from dataclasses import fields, is_dataclass
from functools import cached_property, partial
from types import CellType, FunctionType
from typing import Any, Generic, Protocol, TypeVar, final

import numpy as np

from vinculum.bodies import Body
from vinculum.bonds.actions.action import end_name
from vinculum.scalars import Scalar
from vinculum.scalars.graph import nodes

NAMED = ("name", "parent", "child", "index", "q", "v", "like")
"""Fields that say which one it is, and not how it is made."""
END = "end"


T = TypeVar("T")


class Described(Protocol):
    """A bond with ends: an action or a constraint."""

    @property
    def ends(self) -> tuple[Any, ...]: ...


@final
class ByStructure(Generic[T]):
    """What depends on the structure of a bond and not on its numbers, found once for each structure."""

    def __init__(self):
        self._found = dict[Hashable, tuple[Described, T]]()

    def __reduce__(self):
        """Nothing that was found goes elsewhere: structures hold identities of this process."""
        return ByStructure, ()

    def of(self, action: Described, bodies: Mapping[str, Body], find: Callable[[Any, Mapping[str, Body]], T]) -> T:
        """The answer of ``find`` for a bond between some of the bodies; which of its numbers are zero belongs to its structure."""
        numbers: list[float] = []
        names = [end_name(end) for end in action.ends]
        own = structure(action, numbers, frozenset(names))
        ends = tuple(_kind_of_end(bodies.get(name)) for name in names)
        key = own, ends, tuple(x == 0.0 for x in numbers), all(map(math.isfinite, numbers))
        if key not in self._found:
            self._found[key] = action, find(action, bodies)  # keeps the action, as its structure may hold identities
        return self._found[key][1]


def _kind_of_end(body: Body | None) -> Hashable:
    """The class of a body and how it carries its points, with all numbers of that; None for the ground."""
    if body is None:
        return None
    numbers: list[float] = []
    return type(body), body.turns, structure(body.mechanics.kinematics, numbers), tuple(numbers)


def structure(thing: Any, numbers: list[float], ends: frozenset[str] = frozenset()) -> Hashable:
    """The structure of a description; its numbers are appended to ``numbers`` in order.

    ``ends``: names of the bodies that a bond acts on, which do not belong to its structure.
    """
    if isinstance(thing, (bool, np.bool_)) or thing is None:
        return thing
    if isinstance(thing, (float, int, np.floating, np.integer)):
        numbers.append(float(thing))
        return "number"
    if isinstance(thing, str):
        return END if thing in ends else thing
    if isinstance(thing, Body) and ends:
        return END
    if isinstance(thing, Scalar):
        return _graph(thing)
    if isinstance(thing, np.ndarray):
        return "array", thing.shape, tuple(structure(x, numbers, ends) for x in thing.ravel().tolist())
    if isinstance(thing, (tuple, list)):
        return type(thing), tuple(structure(x, numbers, ends) for x in thing)
    if isinstance(thing, dict):
        return "dict", tuple((key, structure(x, numbers, ends)) for key, x in thing.items())
    if isinstance(thing, FunctionType):
        kept = structure(_captured_values(thing), numbers, ends)
        return "function", thing.__code__, id(thing.__globals__), kept
    if isinstance(thing, partial):
        return partial, structure([thing.func, thing.args, thing.keywords], numbers, ends)
    if is_dataclass(thing) and not isinstance(thing, type):
        own = [
            (one.name, structure(getattr(thing, one.name), numbers, ends))
            for one in fields(thing)
            if one.name not in NAMED
        ]
        return type(thing), tuple(own)
    if not isinstance(thing, (type, _Opaque)) and not getattr(thing, "__dict__", True):
        return type(thing)  # nothing in it, so all of its class are alike
    return "object", id(thing.cell.cell_contents if isinstance(thing, _Opaque) and _is_full(thing.cell) else thing)


def with_numbers(thing: Any, numbers: Iterator[Any], ends: frozenset[str] = frozenset()) -> Any:
    """The same description with other numbers, or symbols, in the order of `structure`; nothing is checked."""
    if isinstance(thing, (bool, np.bool_, str, Scalar)) or thing is None or (isinstance(thing, Body) and ends):
        return thing
    if isinstance(thing, (float, int, np.floating, np.integer)):
        number = next(numbers)
        return type(thing)(number) if isinstance(thing, (int, np.integer)) and isinstance(number, float) else number
    if isinstance(thing, np.ndarray):
        made = np.empty(thing.size, dtype=object)
        made[:] = [with_numbers(x, numbers, ends) for x in thing.ravel().tolist()]
        plain = all(isinstance(x, (float, int)) for x in made) and thing.dtype != object
        return (made.astype(float) if plain else made).reshape(thing.shape)
    if isinstance(thing, (tuple, list)):
        return type(thing)(with_numbers(x, numbers, ends) for x in thing)
    if isinstance(thing, dict):
        return {key: with_numbers(x, numbers, ends) for key, x in thing.items()}
    if isinstance(thing, FunctionType):
        return _with_captured(thing, with_numbers(_captured_values(thing), numbers, ends))
    if isinstance(thing, partial):
        function, arguments, named = with_numbers([thing.func, thing.args, thing.keywords], numbers, ends)
        return partial(function, *arguments, **named)
    if is_dataclass(thing) and not isinstance(thing, type):
        other = copy(thing)
        for name in [name for name in vars(other) if isinstance(getattr(type(other), name, None), cached_property)]:
            del vars(other)[name]  # it was computed from the numbers
        for one in fields(thing):
            if one.name not in NAMED:
                object.__setattr__(other, one.name, with_numbers(getattr(thing, one.name), numbers, ends))
        return other
    return thing


class _Opaque:
    """A captured function, or a variable without a value yet: told apart by identity, and not looked into, as it may hold itself."""

    def __init__(self, cell: CellType):
        self.cell = cell


def _captured_values(function: FunctionType) -> list[Any]:
    """What a function holds besides its code: defaults, and captured variables."""
    cells = [_content(cell) for cell in function.__closure__ or ()]
    return [list(function.__defaults__ or ()), dict(function.__kwdefaults__ or {}), cells]


def _content(cell: CellType) -> Any:
    try:
        found = cell.cell_contents
    except ValueError:
        return _Opaque(cell)
    return _Opaque(cell) if isinstance(found, (FunctionType, partial)) else found


def _is_full(cell: CellType) -> bool:
    return cell != CellType()


def _with_captured(function: FunctionType, captured: list[Any]) -> FunctionType:
    defaults, named, cells = captured
    other = FunctionType(function.__code__, function.__globals__, function.__name__, tuple(defaults) or None,
                         tuple(x.cell if isinstance(x, _Opaque) else CellType(x) for x in cells) or None)  # fmt: skip
    other.__kwdefaults__ = named or None
    return other


def _graph(scalar: Scalar) -> Hashable:
    """The structure of an expression, with its numbers and the names of its parameters."""
    order = nodes([scalar])
    place = {id(node): i for i, node in enumerate(order)}
    return tuple((node.op, *(place.get(id(x), x) if type(x) is Scalar else x for x in node.args)) for node in order)
