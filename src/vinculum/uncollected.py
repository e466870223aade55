"""Work without the garbage collector: graphs are built and modules are imported so. Neither makes cycles that end with the work, and
looking for them takes a quarter of the time of graphs, and an eighth of that of imports.
"""

import functools
import gc
import importlib
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


import_module = without_collection(importlib.import_module)
"""Import a module with all that it needs."""
