"""`Tape`: a graph as a list of operations. Tapes are hashed, cached, stored and sent; nothing is unpickled."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from vinculum.errors import FileError
from vinculum.scalars import Piecewise
from vinculum.scalars.math import NUMERIC
from vinculum.tolerances.sizes import LARGEST_TAPE

OPERATIONS: tuple[str, ...] = tuple(sorted(set(NUMERIC) - {"table"}))
ARITY = {name: 3 if name == "where" else 2 if name in {
    "add", "sub", "mul", "div", "pow", "atan2", "hypot", "min", "max", "fmod", "copysign", "lt", "le", "eq", "ne", "and", "or",
} else 1 for name in OPERATIONS}  # fmt: skip
CODE = "_code"
"""Where a tape keeps its machine code, if it has any."""
PIECEWISE = frozenset({"lt", "le", "eq", "ne", "and", "or", "not", "where", "abs", "min", "max", "sign", "copysign", "floor",
                       "ceil", "fmod"})  # fmt: skip


@final
@dataclass(frozen=True, eq=False)
class Tape:
    """Operations over numbered values: inputs first, then constants, then one new value for each operation.

    ``inputs`` and ``outputs`` name consecutive groups with their sizes; ``parameters`` are the names and defaults of
    the last input group. ``code`` has rows (operation, operand, operand, operand), operands −1 where there are fewer;
    operations beyond the last of `OPERATIONS` are the ``tables`` in order, each a function of one number.
    """

    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    parameters: tuple[tuple[str, float], ...]
    constants: np.ndarray
    code: np.ndarray
    results: np.ndarray
    tables: tuple[Piecewise, ...] = ()

    def __getstate__(self):
        """Everything but machine code, which is good in this process only."""
        return {name: x for name, x in vars(self).items() if name != CODE}

    @cached_property
    def n_in(self) -> int:
        return sum(size for _, size in self.inputs)

    @cached_property
    def n_out(self) -> int:
        return sum(size for _, size in self.outputs)

    @property
    def first_operation(self) -> int:
        """Number of the value that the first operation makes."""
        return self.n_in + len(self.constants)

    def slices(self, groups) -> dict[str, slice]:
        """The place of each named group in a flat row."""
        places, start = {}, 0
        for name, size in groups:
            places[name] = slice(start, start + size)
            start += size
        return places

    def rows(self) -> Iterator[tuple[str, int, list[int]]]:
        """Operations as (name, result, operands)."""
        return iter(self._rows)

    @cached_property
    def _rows(self) -> list[tuple[str, int, list[int]]]:
        first, known = self.first_operation, self.operations
        named = ((known[op], operands) for op, *operands in self.code.tolist())
        return [(name, first + i, operands[: ARITY.get(name, 1)]) for i, (name, operands) in enumerate(named)]

    @cached_property
    def last_uses(self) -> dict[int, int]:
        """The operation after which each value is not needed any more; −1 for results."""
        last = {a: result for _, result, operands in self.rows() for a in operands}
        return last | dict.fromkeys(self.results.tolist(), -1)

    @property
    def operations(self) -> tuple[str, ...]:
        """Names of all operations by number; those of tables are ``table0``, ``table1``, …"""
        return OPERATIONS + tuple(self.by_name)

    @property
    def by_name(self) -> dict[str, Piecewise]:
        """The tables by the names of their operations."""
        return {f"table{i}": table for i, table in enumerate(self.tables)}

    def names(self) -> set[str]:
        """The operations in use."""
        return set(self._names)

    @cached_property
    def _names(self) -> frozenset[str]:
        known = self.operations
        return frozenset(known[op] for op in np.unique(self.code[:, 0])) if len(self.code) else frozenset()

    def is_piecewise(self) -> bool:
        """Whether some operation is not smooth."""
        return bool(self.tables or self._names & PIECEWISE)

    def with_outer_values(self) -> "Tape":
        """The tape with values beyond the ends of its tables, by their outer polynomials."""
        return self if not self.tables else replace(self, tables=tuple(table.extended for table in self.tables))

    @cached_property
    def digest(self) -> str:
        """A hash of everything that decides the numbers."""
        head = json.dumps([self.inputs, self.outputs, [name for name, _ in self.parameters], OPERATIONS,
                           [table.digest for table in self.tables]])  # fmt: skip
        body = [np.ascontiguousarray(a).tobytes() for a in (self.constants, self.code, self.results)]
        return hashlib.sha256(b"\0".join([head.encode(), *body])).hexdigest()

    def to_dict(self) -> dict:
        """Plain data: lists, strings and numbers (constants in hexadecimal, so that every bit survives)."""
        used = sorted(self.names())
        index = {name: i for i, name in enumerate(used)}
        known = self.operations
        code = [[index[known[row[0]]], *row[1:]] for row in self.code.tolist()]
        return {"inputs": [list(g) for g in self.inputs], "outputs": [list(g) for g in self.outputs],
                "parameters": [[name, value.hex()] for name, value in self.parameters], "operations": used,
                "constants": [float(c).hex() for c in self.constants], "code": code,
                "results": self.results.tolist(),
                "tables": [table.to_dict() for table in self.tables]}  # fmt: skip

    @classmethod
    def from_dict(cls, data: Mapping) -> "Tape":
        """The tape of `to_dict`, checked: a damaged one is refused, never run."""
        try:
            names = data["operations"]
            tables = tuple(Piecewise.from_dict(table) for table in data["tables"])
            known = OPERATIONS + tuple(f"table{i}" for i in range(len(tables)))
            unknown = set(names) - set(known)
            if unknown:
                raise FileError(
                    f"a stored tape uses the operations {sorted(unknown)}, which this version does not know"
                )
            code = np.array([[known.index(names[r[0]]), *r[1:]] for r in data["code"]], dtype=np.int32).reshape(-1, 4)
            tape = cls(tuple((str(n), int(k)) for n, k in data["inputs"]),
                       tuple((str(n), int(k)) for n, k in data["outputs"]),
                       tuple((str(n), float.fromhex(x)) for n, x in data["parameters"]),
                       np.array([float.fromhex(c) for c in data["constants"]], dtype=float), code,
                       np.array(data["results"], dtype=np.int32), tables)  # fmt: skip
        except FileError:
            raise
        except (KeyError, TypeError, AttributeError, ValueError, IndexError, OverflowError) as error:
            raise FileError(f"a stored tape is damaged: {type(error).__name__}: {error}") from error
        tape._check()
        return tape

    def _check(self) -> None:
        first = self.first_operation
        for groups in (self.inputs, self.outputs):
            if min((size for _, size in groups), default=0) < 0 or len({name for name, _ in groups}) < len(groups):
                raise FileError("a stored tape is damaged: its inputs or outputs have no size, or a name twice")
        if len(self.parameters) != dict(self.inputs).get("parameters", 0) or first > LARGEST_TAPE:
            raise FileError("a stored tape is damaged: its parameters do not match its inputs")
        for name, result, operands in self.rows():
            if any(not 0 <= a < result for a in operands):
                raise FileError(
                    f"a stored tape is damaged: operation {result - first} ({name}) reads a value not yet made"
                )
        last = first + len(self.code)
        if len(self.results) != self.n_out or np.any((self.results < 0) | (self.results >= last)):
            raise FileError("a stored tape is damaged: its results do not match its outputs")
