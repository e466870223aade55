"""`njit` of this package: functions for the calls of other compiled functions, with an entry for Python where it calls one.

Numba gives every function an entry for Python and another for C, which read and make objects, tuple by tuple and array by array. For a
function that takes named tuples of arrays they are longer than the function, and nearly all are called by compiled functions only. Here the
entry for Python is a function of its own: it is compiled when Python first calls, and it only calls. For tuples of arrays it is one of
`entries`.
"""

import inspect
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numba.extending
from numba import _dispatcher as lookup  # pyright: ignore[reportAttributeAccessIssue] a module in C
from numba.core import compiler, config, event, sigutils, types
from numba.core.caching import NullCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.np import numpy_support

from vinculum.compile import borrowing, entries
from vinculum.compile.options import Options
from vinculum.upward import setting_aside, without_collection

intrinsic: Callable[[Callable], Callable[..., Any]] = numba.extending.intrinsic
"""A function for compiled code that writes its own instructions. Compiled code calls it without the context."""
carray: Callable[..., Any] = numpy_support.carray
"""An array at an address, of a type that the address has in compiled code."""
INLINED = ("inline", "forceinline")
"""Options that say how callers take a function, and nothing about its entry."""


class Kernel(CPUDispatcher):
    """A compiled function that has no entries, and one for Python that is made when it is needed."""

    _entry: Any = None
    _rows_entry: Any = None
    _of_tuples: dict[tuple[bytes, ...], entries.Entry | None] | None = None
    _entered: set
    _insert: Callable[..., None]
    _cache: Any
    _cache_hits: Any
    _cache_misses: Any
    _compiler: Any

    @setting_aside
    def compile(self, sig: Any) -> Any:
        """The function for these types, as Numba finds or compiles it. Numba also measures how long it waits for its locks, of which a
        call of LLVM takes one; each function that is being compiled would listen to all these calls of those that it calls."""
        kinds, result = sigutils.normalize_signature(sig)
        with global_compiler_lock, self._compiling_counter:
            if not self.load(kinds):
                self._cache_misses[kinds] += 1
                told = {"dispatcher": self, "args": kinds, "return_type": result}
                with event.trigger_event("numba:compile", data=told):
                    self.add_overload(self._compiler.compile(kinds, result))
                self._cache.save_overload(kinds, self.overloads[kinds])
            return self.overloads[kinds].entry_point

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a call with arguments of these types refers to. A constant has the type of all numbers of its kind. Numba gives it one of
        its own, and would compile the function for each constant, also for the zero with which a count begins."""
        plain = tuple(map(_of_any_value, args))
        return CPUDispatcher.get_call_template(self, plain, {name: _of_any_value(kind) for name, kind in kws.items()})

    def add_overload(self, cres):
        """Keep a function for its callers; the table in which Python looks gets entries only."""
        self.overloads[tuple(cres.signature.args)] = cres

    @without_collection
    def load(self, kinds: tuple[types.Type, ...]) -> bool:
        """Whether code for these types is here, or was kept by an earlier process; it is loaded then, and never compiled."""
        with global_compiler_lock:
            if kinds in self.overloads:
                return True
            kept = self._cache.load_overload(kinds, self.targetctx)
            if kept is None:
                return False
            self._cache_hits[kinds] += 1
            self.targetctx.insert_user_function(kept.entry_point, kept.fndesc, [kept.library])
            self.add_overload(kept)
            return True

    def _compile_for_args(self, *args, **kws):
        """The entry for the types of these arguments, which Python did not find. Put into the table twice, by two threads, it would
        be ambiguous there and never be found again."""
        if any(isinstance(one, tuple) for one in args):
            found = self.entry_for_tuples(args)
            if found is not None:
                return found
        with global_compiler_lock:
            if self._entry is None:
                names = ", ".join(inspect.signature(self.py_func).parameters)
                self._entry = _entry_of(self, self, names, "entry_of", self.py_func.__defaults__)
                self._entered = set()
            found = self._entry._compile_for_args(*args, **kws)
            kinds = next(key for key, made in self._entry.overloads.items() if made.entry_point is found)
            if kinds not in self._entered:
                self._insert([one._code for one in kinds], found, False)
                self._entered.add(kinds)
        return found

    def entry_for_tuples(self, args: tuple) -> entries.Entry | None:
        """The entry of `entries` for the types of these arguments; None where that of Numba is used."""
        try:
            key = tuple(lookup.compute_fingerprint(one) for one in args)
        except NotImplementedError:
            return None
        if self._of_tuples is None:
            self._of_tuples = {}
        if key not in self._of_tuples:
            with global_compiler_lock:
                self._of_tuples[key] = self._new_entry_for_tuples(tuple(self.typeof_pyval(one) for one in args))
        return self._of_tuples[key]

    def _new_entry_for_tuples(self, kinds: tuple[types.Type, ...]) -> entries.Entry | None:
        """An entry for these types; None if there are few arrays, something that it does not read, or more than numbers in the result."""
        if not all(entries.is_readable(kind) for kind in kinds) or sum(map(entries.count_arrays, kinds)) < entries.MANY:
            return None
        self.compile(kinds)
        if not entries.is_returnable(self.overloads[kinds].signature.return_type):
            return None
        if self._rows_entry is None:
            self._rows_entry = _entry_of(self, entries.call_of(self), "whole, real, kinds", "rows_of")
        return entries.Entry(self._rows_entry.compile((*entries.ROWS, types.TypeRef(types.Tuple(kinds)))))


def bind(kernel: Callable, first: tuple) -> Callable:
    """A kernel with its first argument, for a caller that calls again and again with the same tuple of arrays: it is read only once. The
    types of the other arguments must not change."""
    if not isinstance(kernel, Kernel):
        return partial(kernel, first)
    return entries.BoundEntry(kernel.entry_for_tuples, kernel, first)


def njit(**options: Any) -> Callable[[Callable], Any]:
    """Compile a function for its callers, and for Python when Python first calls it; options as Numba's."""

    def decorate(function: Callable) -> Any:
        if config.DISABLE_JIT:  # type: ignore[attr-defined]
            return function
        if inspect.isgeneratorfunction(function):
            raise TypeError(
                f"{function.__qualname__} yields, and outlives the call whose arrays it borrows; write a loop"
            )
        return _dispatcher(Kernel, function, options | {"no_cpython_wrapper": True}, borrowing.Compiler)

    return decorate


def _of_any_value(kind: types.Type) -> types.Type:
    """The type of numbers or truth values of which a constant is one, in tuples too; any other type itself."""
    if isinstance(kind, types.Tuple) and any(isinstance(one, types.Literal) for one in kind):
        return types.Tuple(tuple(map(_of_any_value, kind)))
    return types.unliteral(kind) if isinstance(kind, types.IntegerLiteral | types.BooleanLiteral) else kind


def _dispatcher(kind: type[CPUDispatcher], function: Callable, options: dict[str, Any], pipeline: type) -> Any:
    given = {"nopython": True, "boundscheck": None, "no_cfunc_wrapper": True} | options
    cache = given.pop("cache", False)
    made: Any = kind(function, {}, given, pipeline_class=pipeline)
    made._compiler._customize_flags = Options
    if cache:
        made.enable_caching()
    return made


def _entry_of(kernel: Kernel, called: Any, names: str, prefix: str, defaults: tuple | None = None) -> CPUDispatcher:
    """A function of parameters with these names that only calls; for the cache it stands where the kernel does. Kernels that one function
    makes from different values stand in one place, so their entries are not kept."""
    function = kernel.py_func
    scope: dict[str, Any] = {"__name__": function.__module__, "called": called}
    exec(f"def entry({names}):\n    return called({names})\n", scope)
    code, name = function.__code__, f"{prefix}_{function.__name__}"
    entry = scope["entry"].__code__.replace(
        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno, co_name=name
    )
    calling = FunctionType(entry, scope, name, defaults)
    options = {key: value for key, value in kernel.targetoptions.items() if key not in (*INLINED, "no_cpython_wrapper")}
    cache = {"cache": not isinstance(kernel._cache, NullCache) and function.__closure__ is None}
    return _dispatcher(CPUDispatcher, calling, options | cache, compiler.Compiler)
