"""`njit` of this package: functions for the calls of other compiled functions, with an entry for Python where it calls one.

Numba gives every function an entry for Python and another for C, which read and make objects, tuple by tuple and array by array. For a
function that takes named tuples of arrays they are longer than the function, and nearly all are called by compiled functions only. Here the
entry for Python is a function of its own: it is compiled when Python first calls, and it only calls.
"""

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba.core import compiler, config
from numba.core.caching import NullCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from vinculum.compile import borrowing
from vinculum.compile.uncollected import without_collection

INLINED = ("inline", "forceinline")
"""Options that say how callers take a function, and nothing about its entry."""


class Kernel(CPUDispatcher):
    """A compiled function that has no entries, and one for Python that is made when it is needed."""

    _entry: Any = None
    _entered: set
    _insert: Callable[..., None]
    _cache: Any
    compile = without_collection(CPUDispatcher.compile)

    def add_overload(self, cres):
        """Keep a function for its callers; the table in which Python looks gets entries only."""
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args, **kws):
        """The entry for the types of these arguments, which Python did not find. Put into the table twice, by two threads, it would
        be ambiguous there and never be found again."""
        with global_compiler_lock:
            if self._entry is None:
                self._entry, self._entered = _entry_of(self), set()
            found = self._entry._compile_for_args(*args, **kws)
            types = next(key for key, made in self._entry.overloads.items() if made.entry_point is found)
            if types not in self._entered:
                self._insert([one._code for one in types], found, False)
                self._entered.add(types)
        return found


def njit(**options: Any) -> Callable[[Callable], Any]:
    """Compile a function for its callers, and for Python when Python first calls it; options as Numba's."""

    def decorate(function: Callable) -> Any:
        return function if config.DISABLE_JIT else _dispatcher(Kernel, function, options | {"no_cpython_wrapper": True}, borrowing.Compiler)  # type: ignore[attr-defined]

    return decorate


def _dispatcher(kind: type[CPUDispatcher], function: Callable, options: dict[str, Any], pipeline: type) -> Any:
    given = {"nopython": True, "boundscheck": None, "no_cfunc_wrapper": True} | options
    cache = given.pop("cache", False)
    made = kind(function, {}, given, pipeline_class=pipeline)
    if cache:
        made.enable_caching()
    return made


def _entry_of(kernel: Kernel) -> CPUDispatcher:
    """A function with the same parameters that calls a kernel; for the cache it stands where the kernel does."""
    function = kernel.py_func
    names = ", ".join(inspect.signature(function).parameters)
    scope: dict[str, Any] = {"__name__": function.__module__, "kernel": kernel}
    exec(f"def entry({names}):\n    return kernel({names})\n", scope)
    code, name = function.__code__, f"entry_of_{function.__name__}"
    entry = scope["entry"].__code__.replace(
        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno, co_name=name
    )
    calling = FunctionType(entry, scope, name, function.__defaults__)
    options = {key: value for key, value in kernel.targetoptions.items() if key not in (*INLINED, "no_cpython_wrapper")}
    return _dispatcher(CPUDispatcher, calling, options | {"cache": not isinstance(kernel._cache, NullCache)}, compiler.Compiler)
