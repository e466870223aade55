"""Piecewise tapes made smooth: every switch becomes a mode, constant between the zeros of its switching function."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.compile.passes.table_modes import Slot, bounds, horner, inside, nearest_edge, piece_at, polynomial
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.scalars import Piecewise, Scalar, symbol, symbols
from vinculum.scalars.math import SYMBOLIC, sqrt, where


@final
@dataclass(frozen=True, eq=False)
class Switched:
    """A tape whose inputs end with modes, and what decides them.

    A mode is 1 where its level is positive and 0 elsewhere, or the whole part of its level (``floors``), or the piece of a
    table that its level lies in (``tables``). ``functions`` change sign where a mode must change; ``levels`` are what the modes
    are the sign, the whole part or the piece of. ``watched``: modes that may change. Behind the modes stand the ``slots``,
    numbers that change with them. ``continued``: whether roots are continued beyond switches.
    """

    smooth: Tape
    functions: Tape
    levels: Tape
    floors: np.ndarray
    tables: dict[int, Piecewise]
    watched: np.ndarray
    slots: tuple[Slot, ...]
    continued: bool

    @property
    def count(self) -> int:
        return len(self.floors)

    @property
    def width(self) -> int:
        """Number of inputs that hold modes and slots."""
        return self.count + len(self.slots)

    def inputs(self, modes: np.ndarray) -> np.ndarray:
        """Modes and slots, (width,)."""
        return np.concatenate([modes, [slot.number(modes) for slot in self.slots]])

    def plain(self, levels: np.ndarray) -> np.ndarray:
        """Modes at levels that stand on no switch."""
        modes = np.where(self.floors, np.floor(levels), levels > 0.0)
        for i, table in self.tables.items():
            modes[i] = piece_at(table, levels[i])
        return modes

    def sides(self, levels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The switch nearest to each level, and the modes below and above it."""
        nearest = np.where(self.floors, np.rint(levels), 0.0)
        below, above = np.where(self.floors, nearest - 1.0, 0.0), np.where(self.floors, nearest, 1.0)
        for i, table in self.tables.items():
            nearest[i], below[i] = nearest_edge(table, levels[i])
            above[i] = below[i] + 1.0
        return nearest, below, above

    def many(self) -> np.ndarray:
        """Modes that are whole numbers of any size, whose functions are positive on both sides of a switch."""
        return np.array([floor or i in self.tables for i, floor in enumerate(self.floors)], dtype=bool)


def leaves(tape: Tape) -> list:
    """Fresh symbols for a tape's inputs; its parameters stay parameters."""
    free = tape.n_in - len(tape.parameters)
    return [*symbols("x", free), *(Scalar("parameter", name, value) for name, value in tape.parameters)]


def play(tape: Tape, inputs: list, operations=SYMBOLIC) -> list:
    """All values of a tape computed over symbols."""
    values = [*inputs, *map(float, tape.constants)]
    operations = {**operations, **{name: table.at for name, table in tape.by_name.items()}}
    for name, _, operands in tape.rows():
        values.append(operations[name](*(values[a] for a in operands)))
    return values


def with_modes(tape: Tape) -> Switched:
    """The tape with modes in place of comparisons, |·|, min, max, sign, whole parts and tables."""
    modes: dict[tuple, Scalar] = {}
    functions: list = []
    levels: list = []
    floors: list[bool] = []
    tables: dict[int, Piecewise] = {}
    slots: list[Slot] = []
    known: dict[tuple, object] = {}

    def mode(key: tuple, level, floor: bool = False) -> Scalar:
        if key not in modes:
            modes[key] = m = symbol(f"mode{len(modes)}")
            functions.append((level - m) * (m + 1.0 - level) if floor else level)
            levels.append(level)
            floors.append(floor)
        return modes[key]

    def looked_up(table: Piecewise, operand: int, x, moves: bool):
        """The polynomial of the piece that x lies in; tables with the same pieces share the mode."""
        key = ("piece", table.partition, operand)
        if key not in modes:
            place = len(modes)
            tables[place] = table
            modes[key] = symbol(f"mode{place}")
            functions.append(inside(x, *_new_slots(slots, place, bounds(table))) if moves else 1.0)
            levels.append(x)
            floors.append(False)
        kept = (table.digest, operand)
        if kept not in known:
            known[kept] = horner(x, *_new_slots(slots, list(modes).index(key), polynomial(table)))
        return known[kept]

    inputs = leaves(tape)
    values = [*inputs, *map(float, tape.constants)]
    moving = [i < tape.n_in - len(tape.parameters) for i in range(len(values))]
    switching, chosen, continued = [False] * len(values), _only_in_branches(tape), False
    for name, _, operands in tape.rows():
        x = [values[a] for a in operands]
        moves = any(moving[a] for a in operands)
        switching.append((moves and (name in _RULES or name in tape.by_name)) or any(switching[a] for a in operands))
        if name in _ROOTS and moves and (switching[operands[0]] or chosen[len(values)]):
            x[0], continued = sqrt(x[0] * x[0]), True
        if name in tape.by_name:
            values.append(looked_up(tape.by_name[name], operands[0], x[0], moves))
        else:
            values.append(_RULES[name](mode, operands, *x) if name in _RULES and moves else SYMBOLIC[name](*x))
        moving.append((moves and name not in _STEPS) or any(moving[a] for a in operands[1:] if name == "where"))
    flat = [values[r] for r in tape.results.tolist()]
    groups, start = {}, 0
    for group, size in tape.inputs:
        if group != "parameters":
            groups[group] = np.array([*inputs[start : start + size], None], dtype=object)[:-1]
        start += size
    groups["modes"] = np.array([*modes.values(), *(slot.symbol for slot in slots), None], dtype=object)[:-1]
    outputs, start = {}, 0
    for group, size in tape.outputs:
        outputs[group] = flat[start : start + size]
        start += size
    given = dict(tape.parameters)
    watched, decided = (trace(groups, {"switches": each}, given) for each in (functions, levels))
    changing = np.array([type(function) is Scalar for function in functions], dtype=bool)
    return Switched(trace(groups, outputs, given), watched, decided, np.array(floors, dtype=bool), tables, changing, tuple(slots),
                    continued)  # fmt: skip


def _only_in_branches(tape: Tape) -> np.ndarray:
    """Which values of a tape are used in branches of `where` alone."""
    rows = list(tape.rows())
    first = tape.n_in + len(tape.constants)
    outside = np.zeros(first + len(rows), dtype=bool)
    outside[tape.results] = True
    for place in range(len(rows) - 1, -1, -1):
        name, _, operands = rows[place]
        outside[operands[:1] if name == "where" else operands if outside[first + place] else []] = True
    return ~outside


def _new_slots(slots: list[Slot], mode: int, rows: list[np.ndarray]) -> list:
    """Symbols for numbers that change with a mode; a number that never does is itself."""
    made = []
    for row in rows:
        if np.all(row == row[0]):
            made.append(float(row[0]))
        else:
            slots.append(Slot(mode, np.ascontiguousarray(row), symbol(f"slot{len(slots)}")))
            made.append(slots[-1].symbol)
    return made


def _lt(mode, operands, a, b):
    return mode(("less", *operands), b - a)


def _fmod(mode, operands, a, b):
    ratio = a / b
    positive = mode(("ratio", *operands), ratio)
    whole = mode(("whole ratio", *operands), where(positive, ratio, -ratio), floor=True)
    return a - b * where(positive, whole, -whole)


_STEPS = frozenset({"lt", "le", "eq", "ne", "and", "or", "not", "sign", "floor", "ceil", "where"})
"""Operations whose value moves only where one of their branches does."""

_ROOTS = frozenset({"pow", "sqrt", "log"})
"""Operations that may have no value beyond a switch, as in max(x, 0)**1.5 or where(x > 0, x**1.5, 0): in a branch, or of one, their
argument is continued by its size, so that steps can reach the switch."""

_RULES = {
    "lt": _lt,
    "le": lambda mode, operands, a, b: 1.0 - mode(("less", *operands[::-1]), a - b),
    "eq": lambda mode, operands, a, b: 0.0,
    "ne": lambda mode, operands, a, b: 1.0,
    "abs": lambda mode, operands, a: where(mode(("zero", *operands), a), a, -a),
    "sign": lambda mode, operands, a: where(mode(("zero", *operands), a), 1.0, -1.0),
    "min": lambda mode, operands, a, b: where(mode(("less", *operands), b - a), a, b),
    "max": lambda mode, operands, a, b: where(mode(("less", *operands), b - a), b, a),
    "copysign": lambda mode, operands, a, b: (
        where(mode(("zero", operands[0]), a), a, -a) * where(mode(("zero", operands[1]), b), 1.0, -1.0)),
    "floor": lambda mode, operands, a: mode(("floor", *operands), a, floor=True),
    "ceil": lambda mode, operands, a: -mode(("ceil", *operands), -a, floor=True),
    "fmod": _fmod,
}  # fmt: skip
