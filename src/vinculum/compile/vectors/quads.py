"""Four numbers at once in Numba code: a tuple of four that LLVM keeps in one register.

Products and sums may be rounded once together (`contract`), as the target likes.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

F64 = ir.DoubleType()
QUAD = ir.VectorType(F64, 4)
WORD = ir.IntType(32)
TUPLE = types.UniTuple(types.float64, 4)
FLAGS = ("contract",)
operation: Any = intrinsic
"""What it decorates is called without the context that it is defined with."""


def _quad(builder, value):
    """A tuple or a number as a register of four."""
    parts = [value] * 4 if value.type == F64 else [builder.extract_value(value, k) for k in range(4)]
    quad = ir.Constant(QUAD, ir.Undefined)
    for k, part in enumerate(parts):
        quad = builder.insert_element(quad, part, ir.Constant(WORD, k))
    return quad


def _tuple(builder, quad, count: int = 4):
    found = ir.Constant(ir.ArrayType(F64, count), ir.Undefined)
    for k in range(count):
        found = builder.insert_value(found, builder.extract_element(quad, ir.Constant(WORD, k)), k)
    return found


def _shuffle(builder, x, y, order: list[int]):
    return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(WORD, len(order)), order))


def _of_quads(*arguments: types.Type, gives: types.Type, write: Callable):
    """Types and code of an operation whose tuples and numbers are registers of four."""

    def generate(context, builder, signature, args):
        return write(builder, *(_quad(builder, x) for x in args))

    return gives(*arguments), generate


@operation
def quad_at(context, address):
    """The four numbers from an address on."""

    def generate(context, builder, signature, args):
        found = builder.load(builder.inttoptr(args[0], QUAD.as_pointer()))
        found.align = 8
        return _tuple(builder, found)

    return TUPLE(types.int64), generate


@operation
def put_quad(context, address, x):
    """Write four numbers from an address on."""

    def generate(context, builder, signature, args):
        stored = builder.store(_quad(builder, args[1]), builder.inttoptr(args[0], QUAD.as_pointer()))
        stored.align = 8
        return context.get_dummy_value()

    return types.void(types.int64, TUPLE), generate


@operation
def difference(context, x, y):
    return _of_quads(TUPLE, TUPLE, gives=TUPLE, write=lambda b, x, y: _tuple(b, b.fsub(x, y, flags=FLAGS)))


@operation
def product(context, x, y):
    return _of_quads(x, y, gives=TUPLE, write=lambda b, x, y: _tuple(b, b.fmul(x, y, flags=FLAGS)))


@operation
def with_product(context, x, y, z):
    """x + y z of each of the four; y may be one number."""

    def write(b, x, y, z):
        return _tuple(b, b.fadd(x, b.fmul(y, z, flags=FLAGS), flags=FLAGS))

    return _of_quads(x, y, z, gives=TUPLE, write=write)


@operation
def less_product(context, x, y, z):
    """x − y z of each of the four; y may be one number."""

    def write(b, x, y, z):
        return _tuple(b, b.fsub(x, b.fmul(y, z, flags=FLAGS), flags=FLAGS))

    return _of_quads(x, y, z, gives=TUPLE, write=write)


@operation
def sums(context, x, y, z):
    """The sums of three times four numbers."""

    def write(b, x, y, z):
        pairs = b.fadd(_shuffle(b, x, y, [0, 4, 2, 6]), _shuffle(b, x, y, [1, 5, 3, 7]), flags=FLAGS)
        rest = b.fadd(_shuffle(b, z, z, [0, 0, 2, 2]), _shuffle(b, z, z, [1, 1, 3, 3]), flags=FLAGS)
        first = b.fadd(_shuffle(b, pairs, pairs, [0, 1]), _shuffle(b, pairs, pairs, [2, 3]), flags=FLAGS)
        last = b.fadd(_shuffle(b, rest, rest, [0, 1]), _shuffle(b, rest, rest, [2, 3]), flags=FLAGS)
        return _tuple(b, _shuffle(b, first, last, [0, 1, 2]), 3)

    return _of_quads(TUPLE, TUPLE, TUPLE, gives=types.UniTuple(types.float64, 3), write=write)
