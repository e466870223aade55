"""Compiled functions that call each other across objects, as C compiles files.

Numba copies the code of every callee into its caller and optimizes all of it again, at each level of calls: a function at depth ten is
optimized and translated ten times. Here a function of this package that is too long to be inlined stands alone: callers only declare it,
and the engine binds the symbol. Short functions and those that ask for it (``forceinline``) are copied as before, so the same operations
run in the same order. What a function needs is kept with it on disk (`disk.numba_cache`) and loaded before it.
"""

from typing import NamedTuple

from llvmlite import binding
from numba.core import codegen

OURS = f"_ZN{len(__name__.split('.')[0])}{__name__.split('.')[0]}"
"""How the symbols of functions of this package begin."""
LONG = 200
"""Instructions beyond which a function stands alone. LLVM inlines functions of about 50, or of twice as many if arguments are constants."""


class Kept(NamedTuple):
    """A library on disk."""

    code: bytes
    bitcode: bytes | None
    """What callers copy; None if it stands alone."""
    defined: frozenset[str]
    needs: tuple[str, ...]


class Library(codegen.JITCodeLibrary):
    """The code of one function, and of those that it copies."""

    _bitcode: bytes | None = None
    _is_alone: bool | None = None
    _needs: tuple[str, ...] | None = None

    def stands_alone(self) -> bool:
        """Whether callers declare the function instead of copying it."""
        if self._is_alone is None:
            self._is_alone = any(_is_long(function) for function in self._own())
        return self._is_alone

    def needs(self) -> tuple[str, ...]:
        """Symbols of functions that stand alone and are called from here."""
        if self._needs is None:
            self._needs = tuple(
                one.name for one in self._final_module.functions if one.is_declaration and _is_ours(one)
            )
        return self._needs

    @property
    def has_dynamic_globals(self):
        """Whether Numba may not keep the code: also that of others' functions, which would be loaded without what they need."""
        return super().has_dynamic_globals or (not self._own() and bool(self.needs()))

    def _own(self) -> list[binding.ValueRef]:
        """Functions of this package that are compiled here, not copied from elsewhere."""
        exported = binding.Linkage.external
        return [one for one in self._final_module.functions
                if _is_ours(one) and not one.is_declaration and one.linkage == exported]  # fmt: skip

    def add_linking_library(self, library):
        """Copy a library into this one, unless it stands alone."""
        library._ensure_finalized()
        if not (isinstance(library, Library) and library.stands_alone()):
            self._linking_libraries.append(library)

    def _get_module_for_linking(self):
        if self._shared_module is None and self._bitcode is not None:
            self._shared_module = binding.parse_bitcode(self._bitcode)
        return super()._get_module_for_linking()

    def serialize_using_object_code(self):  # pyright: ignore[reportIncompatibleMethodOverride] what Numba has no type for
        """The library as `Kept`; others' functions as Numba keeps them, since it also reads them without this package."""
        self._ensure_finalized()
        if not self._own():
            return super().serialize_using_object_code()
        bitcode = None if self.stands_alone() else self._get_module_for_linking().as_bitcode()
        symbols = (*self._final_module.functions, *self._final_module.global_variables)
        defined = frozenset(one.name for one in symbols if not one.is_declaration)
        return self.name, "object", Kept(self._get_compiled_object(), bitcode, defined, self.needs())

    @classmethod
    def _unserialize(cls, codegen, state):
        name, _, kept = state
        if not isinstance(kept, Kept):
            return super()._unserialize(codegen, state)
        self = codegen.create_library(name)
        self.enable_object_caching()
        self._set_compiled_object(kept.code)
        self._bitcode, self._is_alone, self._needs = kept.bitcode, kept.bitcode is None, kept.needs
        self._finalize_final_module()
        codegen._engine._defined_symbols |= kept.defined
        return self


def _is_ours(function: binding.ValueRef) -> bool:
    return function.name.startswith(OURS)


def _is_long(function: binding.ValueRef) -> bool:
    """Whether a function is too long to be inlined."""
    if any(b"alwaysinline" in one for one in function.attributes):
        return False
    return str(function).count("\n  ") > LONG  # printed at once, since each instruction looked at is a call of LLVM


def use() -> None:
    """Let Numba make libraries of this kind."""
    codegen.JITCPUCodegen._library_class = Library  # type: ignore[assignment]
