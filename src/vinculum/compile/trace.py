"""Graph → tape: equal operations are merged, signs are moved outwards, unused operations are dropped."""

from collections.abc import Mapping

import numpy as np

from vinculum.compile.order import shortest_order
from vinculum.compile.tape import ARITY, OPERATIONS, Tape
from vinculum.errors import SymbolError
from vinculum.scalars import Piecewise, Scalar
from vinculum.scalars.graph import nodes, parameters_among
from vinculum.scalars.math import NUMERIC

COMMUTATIVE = frozenset({"add", "mul", "min", "max", "and", "or", "eq", "ne", "hypot"})
TABLE = "table"
NUMBER = {name: i for i, name in enumerate(OPERATIONS)}


def trace(
    inputs: Mapping[str, np.ndarray], outputs: Mapping[str, object], given: Mapping[str, float] | None = None
) -> Tape:
    """The tape of named outputs over named inputs; parameters become the last input group.

    ``given``: names and defaults of parameters that are inputs even if the graph does not hold them.
    """
    groups = {name: np.ravel(np.asarray(x, dtype=object)) for name, x in outputs.items()}
    flat = [x for group in groups.values() for x in group]
    order = nodes(flat)
    found = sorted((dict(given or {}) | parameters_among(order)).items())
    builder = _Builder()
    sizes = [(name, len(x)) for name, x in inputs.items()] + ([("parameters", len(found))] if found else [])
    for x in (leaf for group in inputs.values() for leaf in group):
        builder.leaf[id(x)] = builder.new(("input", builder.count))
    by_name = {name: builder.new(("input", builder.count)) for name, _ in found}
    for node in order:
        if node.op == "parameter":
            builder.leaf[id(node)] = by_name[node.args[0]]
        elif node.op == "symbol":
            if id(node) not in builder.leaf:
                raise SymbolError(
                    f"'{node.args[0]}' is a free symbol that no input gives; use vc.parameter(name, value)"
                )
        elif node.op == "table":
            builder.leaf[id(node)] = builder.looked_up(*node.args)
        else:
            builder.leaf[id(node)] = builder.apply(node.op, [builder.value(a) for a in node.args])
    return shortest_order(
        builder.tape(sizes, [(n, len(g)) for n, g in groups.items()], found, [builder.value(x) for x in flat])
    )


class _Builder:
    """Values by key, so that a value is made once."""

    def __init__(self):
        self.keys: list[tuple] = []
        self.index: dict[tuple, int] = {}
        self.leaf: dict[int, int] = {}
        self.numbers: dict[int, float] = {}
        self.tables: dict[str, Piecewise] = {}

    @property
    def count(self) -> int:
        return len(self.keys)

    def new(self, key: tuple) -> int:
        place = self.index.get(key)
        if place is None:
            place = self.index[key] = len(self.keys)
            self.keys.append(key)
            if key[0] == "const":
                self.numbers[place] = float.fromhex(key[1])
        return place

    def value(self, x) -> int:
        return self.leaf[id(x)] if type(x) is Scalar else self.new(("const", float(x).hex()))

    def looked_up(self, table: Piecewise, x) -> int:
        """The value of a table; tables of the same numbers and name are one."""
        place = self.value(x)
        known = self.numbers.get(place)
        if known is not None:
            return self.value(table.at(known))
        self.tables.setdefault(table.digest, table)
        return self.new((TABLE, place, table.digest))

    def apply(self, op: str, args: list[int]) -> int:
        if len(args) == 2:
            a, b = args
            plain = a not in self.numbers and b not in self.numbers
            if plain and self.keys[a][0] != "neg" != self.keys[b][0] and (op != "sub" or a != b):
                return self.new((op, b, a) if b < a and op in COMMUTATIVE else (op, a, b))
        known = [self.numbers.get(a) for a in args]
        if None not in known:
            with np.errstate(all="ignore"):
                return self.new(("const", float(NUMERIC[op](*known)).hex()))
        negated = [self.keys[a][1] if self.keys[a][0] == "neg" else None for a in args]
        if op == "add" and negated[1] is not None:
            return self.apply("sub", [args[0], negated[1]])
        if op == "add" and negated[0] is not None:
            return self.apply("sub", [args[1], negated[0]])
        if op == "sub" and negated[1] is not None:
            return self.apply("add", [args[0], negated[1]])
        if op in ("mul", "div") and any(n is not None for n in negated):
            a, b = (x if n is None else n for x, n in zip(args, negated, strict=True))
            inner = self.apply(op, [a, b])
            return inner if all(n is not None for n in negated) else self.apply("neg", [inner])
        if op == "neg":
            key = self.keys[args[0]]
            if key[0] == "neg":
                return key[1]
            if key[0] == "sub":
                return self.apply("sub", [key[2], key[1]])
        if op == "sub" and args[0] == args[1]:
            return self.new(("const", (0.0).hex()))
        simple = self._identity(op, args, known)
        if simple is not None:
            return simple
        if op in COMMUTATIVE:
            args = sorted(args)
        return self.new((op, *args))

    def _identity(self, op: str, args: list[int], known: list) -> int | None:
        if op == "add" and 0.0 in known:
            return args[1 - known.index(0.0)]
        if op == "sub" and known[1] == 0.0:
            return args[0]
        if op == "mul" and 0.0 in known:
            return self.new(("const", (0.0).hex()))
        if op == "mul" and 1.0 in known:
            return args[1 - known.index(1.0)]
        if op == "mul" and -1.0 in known:
            return self.apply("neg", [args[1 - known.index(-1.0)]])
        if op == "div" and known[1] == 1.0:
            return args[0]
        return None

    def tape(self, inputs, outputs, found, results: list[int]) -> Tape:
        n_in = sum(size for _, size in inputs)
        needed: set[int] = set()
        stack = list(results)
        while stack:
            place = stack.pop()
            if place in needed:
                continue
            needed.add(place)
            key = self.keys[place]
            stack.extend(_operands(key))
        order = sorted(needed)
        constants = [p for p in order if self.keys[p][0] == "const"]
        operations = [p for p in order if _operands(self.keys[p])]
        number = {p: p for p in range(n_in)}
        number |= {p: n_in + i for i, p in enumerate(constants)}
        number |= {p: n_in + len(constants) + i for i, p in enumerate(operations)}
        looked = list(dict.fromkeys(self.keys[p][2] for p in operations if self.keys[p][0] == TABLE))
        rows = []
        for p in operations:
            key = self.keys[p]
            op = len(OPERATIONS) + looked.index(key[2]) if key[0] == TABLE else NUMBER[key[0]]
            read = [number[a] for a in _operands(key)]
            rows.append((op, *read, *(-1,) * (3 - len(read))))
        code = np.array(rows, dtype=np.int32).reshape(-1, 4)
        return Tape(tuple(inputs), tuple(outputs), tuple(found),
                    np.array([self.numbers[p] for p in constants], dtype=float), code,
                    np.array([number[p] for p in results], dtype=np.int32),
                    tuple(self.tables[digest] for digest in looked))  # fmt: skip


def _operands(key: tuple) -> tuple[int, ...]:
    """The values that a value is made of; none for inputs and constants."""
    return key[1:2] if key[0] == TABLE else key[1:] if key[0] in ARITY else ()
