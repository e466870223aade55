"""Tape → NumPy: every operation over a whole batch at once. No compilation; the reference for every other target."""

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.scalars.math import NUMERIC

BLOCK = 4096


def evaluate(tape: Tape, X: np.ndarray) -> np.ndarray:
    """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out)."""
    Y = np.empty((len(X), tape.n_out))
    for start in range(0, len(X), BLOCK):
        _fill(tape, X[start : start + BLOCK], Y[start : start + BLOCK])
    return Y


def _fill(tape: Tape, X: np.ndarray, Y: np.ndarray) -> None:
    """Put the outputs of a block of rows into Y."""
    program = _programs.get(tape)
    if program is None:
        program = _programs[tape] = _program(tape)
    values: list[Any] = [X[:, i] for i in range(tape.n_in)]
    values += [np.array(c) for c in tape.constants]  # NumPy is quicker with arrays than with numbers
    append = values.append
    with np.errstate(all="ignore"):
        for operation, operands, done in program:
            if len(operands) == 2:
                a, b = operands
                append(operation(values[a], values[b]))
            elif len(operands) == 1:
                append(operation(values[operands[0]]))
            else:
                append(operation(*[values[a] for a in operands]))
            for a in done:
                values[a] = None
    for k, r in enumerate(tape.results.tolist()):
        Y[:, k] = values[r]


_programs: "WeakKeyDictionary[Tape, list[tuple[Callable, list[int], list[int]]]]" = WeakKeyDictionary()


def _program(tape: Tape) -> list[tuple[Callable, list[int], list[int]]]:
    """The operations of a tape as functions of arrays, with their operands and those of them that are not needed any more."""
    operations = NUMERIC | {name: table.values for name, table in tape.by_name.items()}
    last = tape.last_uses
    return [
        (operations[name], operands, [a for a in operands if last[a] == result])
        for name, result, operands in tape.rows()
    ]
