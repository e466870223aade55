"""Numba code calling a compiled tape by its address.

Numba keeps what it compiles in our private cache directory: its index there is read by nobody else's hand.
"""

import numba
from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic

from vinculum.kernels import cache

WIDTH = 8
numba.config.CACHE_DIR = str(cache.directory() / "numba")  # type: ignore[attr-defined]


@intrinsic
def _call(context, address, x, y):
    def generate(ctx, builder, signature, args):
        i64 = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [i64, i64])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
        return ctx.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


@intrinsic
def _call_one(context, address, x):
    def generate(ctx, builder, signature, args):
        i64 = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [i64])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
        return ctx.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@njit(nogil=True, cache=True)
def call_with(address, x):
    """Call the function at ``address`` with the address of an array's data."""
    _call_one(address, x.ctypes.data)  # pyright: ignore[reportCallIssue]


@njit(nogil=True, cache=True)
def run_lanes(address, x, y):
    """Run the tape at ``address`` on eight rows at once: inputs x (n_in, 8), outputs y (n_out, 8)."""
    _call(address, x.ctypes.data, y.ctypes.data)  # pyright: ignore[reportCallIssue]
