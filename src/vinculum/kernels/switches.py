"""Piecewise tapes made smooth: every switch becomes a mode, constant between the zeros of its switching function."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.kernels.tape import Tape
from vinculum.kernels.trace import trace
from vinculum.scalars import Scalar, symbol, symbols
from vinculum.scalars.math import SYMBOLIC, where


@final
@dataclass(frozen=True, eq=False)
class Switched:
    """A tape whose inputs end with modes, and what decides them.

    A mode is 1 where its level is positive and 0 elsewhere, or the whole part of its level (``floors``). ``functions``
    change sign where a mode must change; ``levels`` are what the modes are the sign or the whole part of.
    """

    smooth: Tape
    functions: Tape
    levels: Tape
    floors: np.ndarray

    @property
    def count(self) -> int:
        return len(self.floors)


def leaves(tape: Tape) -> list:
    """Fresh symbols for a tape's inputs; its parameters stay parameters."""
    free = tape.n_in - len(tape.parameters)
    return [*symbols("x", free), *(Scalar("parameter", name, value) for name, value in tape.parameters)]


def played(tape: Tape, inputs: list, operations=SYMBOLIC) -> list:
    """All values of a tape computed over symbols."""
    values = [*inputs, *map(float, tape.constants)]
    for name, _, operands in tape.rows():
        values.append(operations[name](*(values[a] for a in operands)))
    return values


def switched(tape: Tape) -> Switched:
    """The tape with modes in place of comparisons, |·|, min, max, sign and whole parts."""
    modes: dict[tuple, Scalar] = {}
    functions: list = []
    levels: list = []
    floors: list[bool] = []

    def mode(key: tuple, level, floor: bool = False) -> Scalar:
        if key not in modes:
            modes[key] = m = symbol(f"mode{len(modes)}")
            functions.append((level - m) * (m + 1.0 - level) if floor else level)
            levels.append(level)
            floors.append(floor)
        return modes[key]

    inputs = leaves(tape)
    values = [*inputs, *map(float, tape.constants)]
    moving = [i < tape.n_in - len(tape.parameters) for i in range(len(values))]
    for name, _, operands in tape.rows():
        x = [values[a] for a in operands]
        moves = any(moving[a] for a in operands)
        values.append(_RULES[name](mode, operands, *x) if name in _RULES and moves else SYMBOLIC[name](*x))
        moving.append((moves and name not in _STEPS) or any(moving[a] for a in operands[1:] if name == "where"))
    flat = [values[r] for r in tape.results.tolist()]
    groups, start = {}, 0
    for group, size in tape.inputs:
        if group != "parameters":
            groups[group] = np.array([*inputs[start : start + size], None], dtype=object)[:-1]
        start += size
    groups["modes"] = np.array([*modes.values(), None], dtype=object)[:-1]
    outputs, start = {}, 0
    for group, size in tape.outputs:
        outputs[group] = flat[start : start + size]
        start += size
    given = dict(tape.parameters)
    watched, decided = (trace(groups, {"switches": chosen}, given) for chosen in (functions, levels))
    return Switched(trace(groups, outputs, given), watched, decided, np.array(floors, dtype=bool))


def _lt(mode, operands, a, b):
    return mode(("less", *operands), b - a)


def _fmod(mode, operands, a, b):
    ratio = a / b
    positive = mode(("ratio", *operands), ratio)
    whole = mode(("whole ratio", *operands), where(positive, ratio, -ratio), floor=True)
    return a - b * where(positive, whole, -whole)


_STEPS = frozenset({"lt", "le", "eq", "ne", "and", "or", "not", "sign", "floor", "ceil", "where"})
"""Operations whose value moves only where one of their branches does."""

_RULES = {
    "lt": _lt,
    "le": _lt,
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
