"""Numba code calling a compiled tape by its address."""

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import types

from vinculum.compile.kernels import intrinsic, njit


class Field(NamedTuple):
    """Rates of a state by a compiled tape, of eight runs at once."""

    address: int
    x: np.ndarray
    """Inputs: state, time, parameters (n_in, 8)."""
    n: int
    """Numbers of the state."""


def _call_code(count: int):
    """Types and code of a call of the function at an address with ``count`` addresses."""

    def generate(context, builder, signature, args):
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)] * count)
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
        return context.get_dummy_value()

    return types.void(*[types.int64] * (count + 1)), generate


@intrinsic
def _call_one(context, address, x):
    return _call_code(1)


@intrinsic
def _call(context, address, x, y):
    return _call_code(2)


@intrinsic
def _call_three(context, address, x, y, count):
    return _call_code(3)


@intrinsic
def _call_five(context, address, a, b, c, d, e):
    return _call_code(5)


@njit(nogil=True, cache=True)
def call_with(address, x):
    """Call the function at ``address`` with the address of an array's data."""
    _call_one(address, x.ctypes.data)


@njit(nogil=True, cache=True)
def run_lanes(address, x, y):
    """Run the tape at ``address`` on eight rows at once: inputs x (n_in, 8), outputs y (n_out, 8)."""
    _call(address, x.ctypes.data, y.ctypes.data)


@njit(nogil=True, cache=True)
def run_indexed(job, array, target):
    """Do an `IndexedJob`: inputs come from ``array``, outputs go to ``target``, which may be the same array. Both are contiguous."""
    _call_three(job.address, array.ctypes.data, job.job.ctypes.data, target.ctypes.data)


@njit(nogil=True, cache=True)
def run_batch(address, x, y):
    """Run the tape at ``address`` on rows of inputs x (B, n_in), with outputs y (B, n_out)."""
    _call_three(address, x.ctypes.data, y.ctypes.data, x.shape[0])


@njit(nogil=True, cache=True)
def call_with_five(address, a, b, c, d, e):
    """Call the function at ``address`` with the addresses of five arrays' data."""
    _call_five(address, a.ctypes.data, b.ctypes.data, c.ctypes.data, d.ctypes.data, e.ctypes.data)
