"""Entries for Python of functions that take named tuples of arrays.

Numba's entry reads a tuple field by field, with code for the failure of each; for a hundred arrays it takes longer to compile than the
function. Here Python writes all numbers into two rows, of integers and of floats; for an array it writes the address of its object. The
entry reads data, shape and strides there (``PyArrayObject`` in NumPy's C API), and calls the function. Python keeps the arguments alive
during the call, so references are not counted. Results are numbers: an array without an owner must not reach Python.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, final

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import signature
from numba.extending import intrinsic

from vinculum.compile.borrowing import NUMBERS, fields

HEADER = object.__basicsize__
"""Bytes of an array object before the address of its data."""
DATA, SHAPE, STRIDES = 0, 2, 3
"""Which eight bytes after the header are the addresses of data, shape and strides."""
MANY = 8
"""Number of arrays from which on these entries are used. They compile faster than Numba's. For fewer arrays that gains little, and a call
through Numba's entry takes less time."""
AS_WRITTEN = ("noinline", "optnone")
"""What LLVM is told of an entry. To find registers for a hundred arrays takes longer than to compile the function."""
WORD = ir.IntType(64)
ROWS = types.Array(types.int64, 1, "C"), types.Array(types.float64, 1, "C")


def is_readable(kind: types.Type) -> bool:
    """Whether an argument has a type that an entry here reads: arrays, numbers, None, and tuples of them."""
    return all(_is_readable_field(one) for one in fields(kind))


def _is_readable_field(kind: types.Type) -> bool:
    if isinstance(kind, types.Array):
        return isinstance(kind.dtype, types.Integer | types.Float | types.Boolean) and kind.aligned
    return kind in (types.int64, types.float64, types.boolean, types.none)


def is_returnable(kind: types.Type) -> bool:
    """Whether an entry here may return values of a type: numbers, None, and tuples of them. Anything else may refer to arrays of the
    arguments, which have no owner here."""
    return all(isinstance(one, NUMBERS) for one in fields(kind))


def count_arrays(kind: types.Type) -> int:
    """Number of arrays in a value of a type."""
    return sum(isinstance(one, types.Array) for one in fields(kind))


@final
class Entry:
    """A function for one set of types, called with Python's arguments."""

    def __init__(self, point: Callable[[np.ndarray, np.ndarray, None], Any]):
        self._point = point

    def __call__(self, *arguments: Any) -> Any:
        whole: list[int] = []
        real: list[float] = []
        known = _known if _openings else None
        for one in arguments:
            _write(one, whole, real, known)
        return self.at_rows(np.array(whole, dtype=np.int64), np.array(real, dtype=np.float64))

    def at_rows(self, whole: np.ndarray, real: np.ndarray) -> Any:
        """The call with arguments that are written into rows already."""
        return self._point(whole, real, None)


@final
class BoundEntry:
    """An entry whose first argument, a tuple of arrays that stay, was read once. The types of the others are those of the first call."""

    def __init__(self, entry_of: Callable[[tuple], Entry | None], function: Callable, first: tuple):
        whole: list[int] = []
        real: list[float] = []
        _write(first, whole, real, None)
        self._entry_of, self._function, self._first = entry_of, function, first
        self._whole, self._real = np.array(whole, dtype=np.int64), np.array(real, dtype=np.float64)
        self._found: Entry | None = None

    def __call__(self, *others: Any) -> Any:
        if self._found is None:
            self._found = self._entry_of((self._first, *others))
            if self._found is None:
                return self._function(self._first, *others)
        whole: list[int] = []
        real: list[float] = []
        _write(others, whole, real, None)
        rest = np.array(whole, dtype=np.int64), np.array(real, dtype=np.float64)
        return self._found.at_rows(np.concatenate([self._whole, rest[0]]), np.concatenate([self._real, rest[1]]))


class Written(NamedTuple):
    """A tuple and what it is to an entry: integers and addresses, and floats."""

    value: tuple
    whole: list[int]
    real: list[float]


_known: dict[int, Written] = {}
_openings: list[None] = []
MOST_KNOWN = 1000
"""Tuples that are remembered at once; beyond that all are read anew."""


@contextmanager
def remembered_tuples() -> Iterator[None]:
    """While this is open, a tuple that is given again is not read again. Tuples and their arrays are kept until the last one closes."""
    _openings.append(None)
    try:
        yield
    finally:
        _openings.pop()
        if not _openings:
            _known.clear()


def _write(value: Any, whole: list[int], real: list[float], known: dict[int, Written] | None) -> None:
    """Append the numbers of an argument and the addresses of its arrays, in the order in which `_leaves` reads them."""
    if isinstance(value, tuple):
        if known is None:
            for one in value:
                _write(one, whole, real, None)
            return
        found = known.get(id(value))
        if found is None or found.value is not value:
            found = Written(value, [], [])
            for one in value:
                _write(one, found.whole, found.real, known)
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[id(value)] = found
        whole += found.whole
        real += found.real
    elif isinstance(value, np.ndarray):
        if not value.dtype.isnative:  # the table of known types, which is Numba's, does not tell byte orders apart
            raise TypeError(f"an array of {value.dtype} has the byte order of another machine; convert it with astype")
        whole.append(id(value))
    elif isinstance(value, float):
        real.append(value)
    elif value is not None:
        whole.append(int(value))


class Leaf(NamedTuple):
    """One number among the arguments of compiled code."""

    kind: types.Type
    value: Any


def call_of(kernel: Any) -> Any:
    """What an entry calls: it reads arguments of ``kinds`` from two rows and calls the kernel with them."""

    @intrinsic
    def call(context, whole, real, kinds):
        arguments = tuple(kinds.instance_type)
        made = kernel.overloads[arguments]

        def generate(context, builder, _signature, args):
            for attribute in AS_WRITTEN:
                builder.function.attributes.add(attribute)
            rows = [context.make_array(kind)(context, builder, row).data for kind, row in zip(ROWS, args, strict=False)]
            numbers = [_numbers(builder, row) for row in rows]
            leaves = [leaf for kind in arguments for leaf in _leaves(context, builder, kind, *numbers)]
            context.add_linking_libs([made.library])
            flat = signature(made.signature.return_type, *[leaf.kind for leaf in leaves])
            return context.call_internal(builder, made.fndesc, flat, [leaf.value for leaf in leaves])

        return made.signature.return_type(*ROWS, kinds), generate

    return call


def _numbers(builder: ir.IRBuilder, row: Any) -> Iterator[Any]:
    """The numbers of a row, one after the other."""
    for k in range(1 << 16):
        yield builder.load(builder.gep(row, [WORD(k)]))


def _leaves(context: Any, builder: ir.IRBuilder, kind: types.Type, whole: Iterator, real: Iterator) -> Iterator[Leaf]:
    """The numbers of an argument as compiled functions take them: those of its fields in turn."""
    if isinstance(kind, types.BaseTuple):
        for one in kind:  # type: ignore[attr-defined]
            yield from _leaves(context, builder, one, whole, real)
    elif isinstance(kind, types.Array):
        yield from _array_leaves(context, builder, kind, next(whole))
    elif kind == types.none:
        yield Leaf(kind, context.get_dummy_value())
    elif kind == types.boolean:
        yield Leaf(kind, builder.icmp_unsigned("!=", next(whole), WORD(0)))
    else:
        yield Leaf(kind, next(real if kind == types.float64 else whole))


def _array_leaves(context: Any, builder: ir.IRBuilder, kind: types.Array, address: Any) -> Iterator[Leaf]:
    """What Numba knows of an array: its owner (none), number and size of elements, data, shape and strides."""
    fields = builder.inttoptr(builder.add(address, WORD(HEADER)), WORD.as_pointer().as_pointer())
    data, shape, strides = (builder.load(builder.gep(fields, [WORD(place)])) for place in (DATA, SHAPE, STRIDES))
    lengths, steps = ([builder.load(builder.gep(row, [WORD(k)])) for k in range(kind.ndim)] for row in (shape, strides))
    count = WORD(1)
    for length in lengths:
        count = builder.mul(count, length)
    yield from [Leaf(types.voidptr, context.get_constant_null(types.voidptr))] * 2
    yield Leaf(types.intp, count)
    yield Leaf(types.intp, WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype))))
    pointer = types.CPointer(kind.dtype)
    yield Leaf(pointer, builder.bitcast(data, context.get_value_type(pointer)))
    yield from (Leaf(types.intp, one) for one in (*lengths, *steps))
