"""Evaluating a tape on a batch by whichever target is quicker now."""

import numpy as np

from vinculum.kernels import arrays, llvm
from vinculum.kernels.tape import Tape

SECONDS_TO_COMPILE = 1.5e-4
SECONDS_PER_BLOCK = 2e-6
SECONDS_PER_VALUE = 1.5e-9
QUICK = 0.02

_spent: dict[str, float] = {}


def evaluate(tape: Tape, X: np.ndarray) -> np.ndarray:
    """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out).

    NumPy needs no compilation, machine code runs a hundred times faster: a tape is compiled once the estimated time that
    NumPy has spent on its long batches, this one included, passes the estimated time of compiling.
    """
    X = np.ascontiguousarray(X, dtype=float)
    operations = len(tape.code)
    interpreted = operations * (SECONDS_PER_BLOCK * -(-len(X) // arrays.BLOCK) + SECONDS_PER_VALUE * len(X))
    if interpreted > QUICK:
        spent = _spent[tape.digest] = _spent.get(tape.digest, 0.0) + interpreted
        if spent > operations * SECONDS_TO_COMPILE or llvm.is_cached(tape):
            return llvm.compile_tape(tape)(X)
    return arrays.evaluate(tape, X)


def evaluate_groups(tape: Tape, X: np.ndarray) -> dict[str, np.ndarray]:
    """The outputs by name, each (B, size)."""
    Y = evaluate(tape, X)
    return {name: Y[:, place] for name, place in tape.slices(tape.outputs).items()}
