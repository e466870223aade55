"""Functions of Numba that take other arguments in compiled code than in Python, with types that say so."""

from collections.abc import Callable
from typing import Any

import numba.extending
from numba.np import numpy_support

intrinsic: Callable[[Callable], Callable[..., Any]] = numba.extending.intrinsic
"""A function for compiled code that writes its own instructions. Compiled code calls it without the context."""
carray: Callable[..., Any] = numpy_support.carray
"""An array at an address, of a type that the address has in compiled code."""
