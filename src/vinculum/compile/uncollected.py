"""Graphs are built without the garbage collector: they have no cycles, and collection would take a quarter of the
time.
"""

import functools
import gc
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def without_collection(function: Callable[P, T]) -> Callable[P, T]:
    """A function during which nothing is collected, if anything was before."""

    @functools.wraps(function)
    def pause(*args: P.args, **options: P.kwargs) -> T:
        if not gc.isenabled():
            return function(*args, **options)
        gc.disable()
        try:
            return function(*args, **options)
        finally:
            gc.enable()

    return pause
