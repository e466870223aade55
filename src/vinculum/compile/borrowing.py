"""Variables that only refer to arrays of arguments: no references are counted, and no copies are kept.

Numba counts the references to every array of every variable, and keeps variables in memory; for named tuples of arrays these are more
instructions than the function has. The arrays of arguments need no counts, since the caller keeps them alive; nor do their views, and
tuples of them. Which variables these are is read from the typed instructions. All others are counted, and nothing else of the code changes.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from numba.core import compiler, ir, lowering, types
from numba.core.compiler_machinery import register_pass
from numba.core.postproc import VariableLifetime
from numba.core.typed_passes import BaseNativeLowering, NativeLowering
from numba.extending import overload
from numba.np import arrayobj

NUMBERS = (types.Number, types.Boolean, types.NoneType)
VIEWING = (types.Integer, types.SliceType, types.EllipsisType, types.NoneType)
"""Indices whose result is a view of an array, not a copy."""
INDICES = {"getitem": "index", "static_getitem": "index_var"}
"""Instructions that take an index, and where they keep its variable."""
VIEWS = ("T", "real")
"""Attributes of an array that are views of it; others may be new arrays, as ``imag`` of real numbers is."""
READING = ("getattr", "static_getitem", "getitem", "build_tuple", "exhaust_iter", "cast", "call")
"""Instructions whose result refers to the arrays of their operands, within the limits of `_borrows`."""


class Lower(lowering.Lower):
    """Numba's writer of instructions, which treats borrowed variables apart."""

    _borrowed: frozenset[str]
    _once: frozenset[str]
    _values: dict[str, Any]
    _uncounted: Any

    def pre_lower(self):
        """Find the variables of the function."""
        lowering.Lower.pre_lower(self)
        self._borrowed = borrowed_variables(self.blocks, self.fndesc.typemap)
        self._once = variables_assigned_once(self.blocks, self._borrowed, self.func_ir.variable_lifetime)
        self._values, self._uncounted = {}, self.context.subtarget(enable_nrt=False)

    def lower_inst(self, inst):
        """Write an instruction, without counts if it assigns or deletes a borrowed variable."""
        if isinstance(inst, ir.Del) and inst.value in self._borrowed:
            return
        counted, told = self.context, arrayobj.raise_with_shape_context
        if isinstance(inst, ir.Assign) and inst.target.name in self._borrowed:
            self.context = self._uncounted
        arrayobj.raise_with_shape_context = refuse_shapes
        lowering.Lower.lower_inst(self, inst)
        self.context, arrayobj.raise_with_shape_context = counted, told

    def storevar(self, value, name, argidx=None):
        """Give a variable a value."""
        if name in self._once:
            self._values[name] = value
        else:
            lowering.Lower.storevar(self, value, name, argidx)

    def loadvar(self, name):
        """The value of a variable."""
        return self._values[name] if name in self._once else lowering.Lower.loadvar(self, name)


def refuse_shapes(_given: tuple, _place: tuple) -> None:
    """What an array does that is assigned to rows of another shape. Numba writes both shapes into the error, with functions of strings
    that take longer to compile than most of those that assign."""


@overload(refuse_shapes)
def _refuse_shapes(_given, _place):
    def refuse(_given, _place):
        raise ValueError("an array is assigned to a slice of another shape")

    return refuse


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(BaseNativeLowering):
    """Numba's pass that writes the instructions, with `Lower`."""

    _name = "native_lowering"

    @property
    def lowering_class(self):  # pyright: ignore[reportIncompatibleMethodOverride] Numba has no types here
        """What writes them."""
        return Lower


class Compiler(compiler.CompilerBase):
    """Numba's compiler with `Lowering`."""

    def define_pipelines(self):
        """Numba's passes with one replaced."""
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [(Lowering if one is NativeLowering else one, told) for one, told in manager.passes]
        return [manager]


def borrowed_variables(blocks: Mapping[int, ir.Block], typemap: Mapping[str, types.Type]) -> frozenset[str]:
    """The variables that refer to arrays of arguments and to no others, by the instructions and the types of all variables."""
    instructions = [one for block in blocks.values() for one in block.body]
    returned = {one.value.name for one in instructions if isinstance(one, ir.Return)}
    assignments = [one for one in instructions if isinstance(one, ir.Assign) and _has_arrays(typemap[one.target.name])]
    found = {one.target.name for one in assignments} - returned
    left = found
    while left:
        left = {one.target.name for one in assignments if not _borrows(one.value, typemap, found)} & found
        found = found - left
    return frozenset(found)


def variables_assigned_once(
    blocks: Mapping[int, ir.Block], names: frozenset[str], lifetime: VariableLifetime
) -> frozenset[str]:
    """Which of these variables are assigned by one instruction, which comes before all that read them, on every path."""
    places: dict[str, list[int]] = {}
    for label, block in blocks.items():
        for one in block.body:
            if isinstance(one, ir.Assign) and one.target.name in names:
                places.setdefault(one.target.name, []).append(label)
    dominators, late = lifetime.cfg.dominators(), set()
    for label, read in lifetime.usedefs.usemap.items():  # what a block reads and has not assigned before
        late |= {name for name in read & places.keys()
                 if places[name][0] >= label or places[name][0] not in dominators[label]}  # fmt: skip
    return frozenset(name for name, labels in places.items() if len(labels) == 1) - late


def _borrows(value: Any, typemap: Mapping[str, types.Type], found: set[str]) -> bool:
    """Whether the right side of an assignment refers to arguments, constants, and variables in ``found`` only."""
    if isinstance(value, ir.Var):
        return value.name in found
    if not isinstance(value, ir.Expr):
        return isinstance(value, ir.Arg | ir.Global | ir.FreeVar)
    if value.op == "call" and not isinstance(typemap[value.func.name], types.NamedTupleClass):
        return False
    if value.op in INDICES and not _is_viewing(getattr(value, INDICES[value.op]), typemap):
        return False
    if value.op == "getattr" and isinstance(typemap[value.value.name], types.Array) and value.attr not in VIEWS:
        return False
    if value.op == "exhaust_iter" and not isinstance(typemap[value.value.name], types.BaseTuple):
        return False
    return value.op in READING and all(one.name in found for one in value.list_vars() if _refers(typemap[one.name]))


def _is_viewing(index: ir.Var | None, typemap: Mapping[str, types.Type]) -> bool:
    """Whether an index gives a view. One without a variable is the place of a field in a tuple."""
    return index is None or all(isinstance(one, VIEWING) for one in fields(typemap[index.name]))


def _has_arrays(kind: types.Type) -> bool:
    """Whether a type is an array, or a tuple of arrays, numbers and tuples that has one."""
    kinds = list(fields(kind))
    known = all(isinstance(one, (types.Array, *NUMBERS)) for one in kinds)
    return known and any(isinstance(one, types.Array) for one in kinds)


def _refers(kind: types.Type) -> bool:
    """Whether values of a type may refer to memory."""
    plain = (types.SliceType, types.EllipsisType, types.NamedTupleClass, *NUMBERS)
    return not all(isinstance(one, plain) for one in fields(kind))


def fields(kind: types.Type) -> Iterator[types.Type]:
    """The fields of a tuple and of the tuples in it; another type itself."""
    if isinstance(kind, types.BaseTuple):
        for one in kind:  # type: ignore[attr-defined]
            yield from fields(one)
    else:
        yield kind
