"""Tape → NumPy: every operation over a whole batch at once. No compilation; the reference for every other target."""

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
    last = tape.last_uses
    values: dict[int, object] = {i: X[:, i] for i in range(tape.n_in)}
    values |= {tape.n_in + i: c for i, c in enumerate(tape.constants)}
    operations = NUMERIC | {name: table.values for name, table in tape.by_name.items()}
    with np.errstate(all="ignore"):
        for name, result, operands in tape.rows():
            values[result] = operations[name](*(values[a] for a in operands))
            for a in operands:
                if last[a] == result:
                    values.pop(a, None)
    for k, r in enumerate(tape.results.tolist()):
        Y[:, k] = values[r]
