"""Functions that only borrow arrays count no references.

Numba counts the references to every array of every variable; for named tuples of arrays these are more instructions than the function
has. A function that makes no array and returns none needs no counts, since its caller keeps the arrays alive. Which functions these are is
read from their typed instructions. Where that is not clear, references are counted. Nothing else of the code changes.
"""

import operator
from collections.abc import Iterable
from typing import Any

from numba.core import compiler, ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import IRLegalization

PLAIN = (types.Number, types.Boolean, types.NoneType, types.SliceType, types.EllipsisType, types.RangeType, types.RangeIteratorType,
         types.Callable, types.Module, types.NumberClass, types.DType, types.StringLiteral, types.ExceptionInstance)  # fmt: skip
"""Types of values that refer to no memory."""
VIEWING = (types.Integer, types.SliceType, types.EllipsisType, types.NoneType)
"""Indices whose result is a view of an array, not a copy."""
READING = ("getattr", "build_tuple", "exhaust_iter", "static_getitem", "getitem", "cast")
"""Instructions whose result refers to the arrays of their operands, if the indices are `VIEWING`."""
CONTROL = (ir.Jump, ir.Branch, ir.Return, ir.Del, ir.StaticRaise)


@register_pass(mutates_CFG=False, analysis_only=False)
class Borrowing(FunctionPass):
    """Compiles a function that only borrows without counts."""

    _name = "borrowing"

    def __init__(self):
        """Numba makes one of each pass."""

    def run_pass(self, state: Any) -> bool:
        """Decide for the function that is being compiled; returns whether its instructions have changed."""
        if borrows(state.func_ir.blocks.values(), state.typemap, state.return_type):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


class Compiler(compiler.CompilerBase):
    """Numba's compiler with `Borrowing`."""

    def define_pipelines(self):
        """Numba's passes, and `Borrowing` when all types are known and nothing is deleted yet."""
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        where = [one for one, _ in manager.passes].index(IRLegalization)
        manager.passes.insert(where, (Borrowing, "borrowed arrays"))
        manager.finalize()
        return [manager]


def borrows(blocks: Iterable[ir.Block], typemap: dict[str, types.Type], returned: types.Type) -> bool:
    """Whether a function neither makes arrays nor returns them, by its instructions and the types of its variables."""
    if _has_arrays(returned) or not all(_is_known(kind) for kind in typemap.values()):
        return False
    return all(_only_borrows(one, typemap) for block in blocks for one in block.body)


def _is_known(kind: types.Type) -> bool:
    """Whether values of a type are numbers, arrays and tuples of them."""
    if isinstance(kind, types.BaseTuple):
        return all(_is_known(one) for one in kind)  # type: ignore[attr-defined]
    if isinstance(kind, types.Pair):
        return _is_known(kind.first_type) and _is_known(kind.second_type)
    return isinstance(kind, (types.Array, *PLAIN))


def _has_arrays(kind: types.Type) -> bool:
    """Whether values of a known type have arrays."""
    if isinstance(kind, types.BaseTuple):
        return any(_has_arrays(one) for one in kind)  # type: ignore[attr-defined]
    return not isinstance(kind, (types.Pair, *PLAIN))


def _only_borrows(instruction: ir.Stmt, typemap: dict[str, types.Type]) -> bool:
    """Whether an instruction makes no array."""
    if isinstance(instruction, ir.SetItem | ir.StaticSetItem):
        return not _has_arrays(typemap[instruction.value.name])  # an array that overlaps its target would be copied
    if not isinstance(instruction, ir.Assign):
        return isinstance(instruction, CONTROL)
    value = instruction.value
    if not isinstance(value, ir.Expr):
        return True
    makes, operands = typemap[instruction.target.name], [typemap[one.name] for one in value.list_vars()]
    if not any(_has_arrays(one) for one in (makes, *operands)):
        return True
    if value.op == "call":
        return _call_borrows(typemap[value.func.name], makes)
    if value.op == "binop":
        return value.fn in (operator.is_, operator.is_not)
    if value.op == "getitem":
        index = typemap[value.index.name]
        return all(isinstance(one, VIEWING) for one in (index if isinstance(index, types.BaseTuple) else (index,)))  # type: ignore[attr-defined]
    return value.op in READING


def _call_borrows(function: types.Type, makes: types.Type) -> bool:
    """Whether a call with arrays makes none: that of a compiled function, of a named tuple, or of ``len``."""
    if isinstance(function, types.Dispatcher):
        return not _has_arrays(makes)
    return isinstance(function, types.NamedTupleClass) or getattr(function, "typing_key", None) is len
