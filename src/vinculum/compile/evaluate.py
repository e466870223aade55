"""Evaluation of a tape on a batch by the faster target."""

from typing import Protocol

import numpy as np

from vinculum.compile.recent import Recent
from vinculum.compile.tape import Tape
from vinculum.compile.targets import arrays, floats, interpreter
from vinculum.compile.targets.llvm import machine
from vinculum.compile.targets.llvm.alike_parts import repeats_itself
from vinculum.tolerances.sizes import KEPT_TAPES, UNDIVIDED_TAPE

SECONDS_TO_COMPILE, SECONDS_TO_COMPILE_ALIKE = 1e-4, 4e-5
"""For an operation; the second of tapes whose parts are alike."""
SECONDS_PER_BLOCK = 2e-6
SECONDS_PER_VALUE = 1.5e-9
SECONDS_PER_OPERATION_INTERPRETED = 1e-8
SECONDS_PER_VALUE_INTERPRETED, SECONDS_PER_FAR_VALUE_INTERPRETED = 5e-10, 1.2e-9
"""The second of long tapes, whose values are not in the nearest cache."""
SECONDS_TO_TRANSLATE = 1.5e-5
SECONDS_PER_FLOAT = 8e-8
SECONDS_TO_COMPILE_THE_INTERPRETER = 1.0
FEW_ROWS = 64
"""Rows that the interpreter takes in a tenth of the time of NumPy."""


class Loop(Protocol):
    """What a loop over many bodies has in place of a tape: outputs by name for rows of inputs."""

    def groups(self, X: np.ndarray) -> dict[str, np.ndarray]: ...


def evaluate(tape: Tape | Loop, X: np.ndarray) -> np.ndarray:
    """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out).

    The interpreter needs no compilation, machine code runs ten times faster: the estimate of both decides.
    """
    if not isinstance(tape, Tape):
        return np.concatenate(list(tape.groups(X).values()), axis=1)
    X = np.ascontiguousarray(X, dtype=float)
    interpreted = interpretation_time(tape, len(X))
    if interpreted > 0.02 and (machine.is_cached(tape) or interpreted > compilation_time(tape)):
        return machine.compile_tape(tape)(X)
    return interpret(tape, X)


def evaluate_rows(tape: Tape | Loop, X: np.ndarray) -> np.ndarray:
    """The same for a few rows that a run asks for over and over between its steps. They always have the bits of the interpreter, so that
    a run has the same bits wherever in a program it stands; Python's floats take its place until compiling it pays."""
    if not isinstance(tape, Tape) or len(X) > FEW_ROWS:
        return evaluate(tape, X)
    return (floats if _floats_are_faster(tape, len(X)) else interpreter).evaluate(tape, X)


def _floats_are_faster(tape: Tape, rows: int) -> bool:
    """Whether Python's floats evaluate these rows before the interpreter would be compiled; this counts the rows as evaluated."""
    if has_interpreter() or not floats.is_translatable(tape):
        return False
    cost = len(tape.code) * (rows * SECONDS_PER_FLOAT + (0.0 if floats.is_translated(tape) else SECONDS_TO_TRANSLATE))
    spent = _spent.keep(UNCOMPILED, (_spent.get(UNCOMPILED) or 0.0) + cost)
    return spent < SECONDS_TO_COMPILE_THE_INTERPRETER


def evaluate_one(tape: Tape, x: np.ndarray) -> np.ndarray:
    """Outputs (n_out,) for one row of inputs, by `evaluate_rows`."""
    return evaluate_rows(tape, x[None])[0]


def interpret(tape: Tape, X: np.ndarray) -> np.ndarray:
    """Rows of outputs without machine code of the tape, by the interpreter if an earlier run left it compiled. If none did, NumPy is used
    until it has taken as long as compiling the interpreter takes. The last bits may differ."""
    if not has_interpreter():
        _spent.keep(UNCOMPILED, (_spent.get(UNCOMPILED) or 0.0) + interpretation_time(tape, len(X)))
        return arrays.evaluate(tape, X)
    return interpreter.evaluate(tape, X)


def has_interpreter() -> bool:
    """Whether the interpreter is compiled, or its turn has come."""
    return interpreter.was_kept() or (_spent.get(UNCOMPILED) or 0.0) > SECONDS_TO_COMPILE_THE_INTERPRETER


def evaluate_again(tape: Tape, X: np.ndarray) -> np.ndarray:
    """The same for a tape that is evaluated again and again, in batches of any length.

    It is compiled once interpreting it has taken as long as compiling would take, so the calls together take at most about twice as
    long as they could. The last bits differ between both.
    """
    X = np.ascontiguousarray(X, dtype=float)
    ready = code_when_it_pays(tape, len(X))
    return interpret(tape, X) if ready is None else ready(X)


def code_when_it_pays(tape: Tape, rows: int) -> machine.Compiled | None:
    """The machine code of a tape of `evaluate_again`, made now if that pays; this counts the rows as evaluated."""
    ready = machine_code(tape)
    if ready is not None:
        return ready
    spent = _spent.keep(tape.digest, (_spent.get(tape.digest) or 0.0) + interpretation_time(tape, rows))
    pays = spent > compilation_time(tape) or (spent > 0.02 and machine.is_cached(tape))
    return compile_for_again(tape) if pays else None


def compile_for_again(tape: Tape) -> machine.Compiled:
    """Machine code for `evaluate_again`, compiled now on request."""
    return machine_code(tape) or _codes.keep(tape.digest, machine.compile_tape(tape))


def machine_code(tape: Tape) -> machine.Compiled | None:
    """The machine code that `evaluate_again` uses, if it does."""
    return _codes.get(tape.digest)


UNCOMPILED = "all tapes, before the interpreter is compiled"
_spent: Recent[float] = Recent(4096)
_codes: Recent[machine.Compiled] = Recent(KEPT_TAPES)


def compilation_time(tape: Tape) -> float:
    """Estimated time to make machine code [s]."""
    return len(tape.code) * (SECONDS_TO_COMPILE_ALIKE if repeats_itself(tape) else SECONDS_TO_COMPILE)


def interpretation_time(tape: Tape, rows: int) -> float:
    """Estimated time without machine code [s]."""
    if has_interpreter():
        long = len(tape.code) > UNDIVIDED_TAPE
        value = SECONDS_PER_FAR_VALUE_INTERPRETED if long else SECONDS_PER_VALUE_INTERPRETED
        return len(tape.code) * (SECONDS_PER_OPERATION_INTERPRETED + value * rows)
    return len(tape.code) * (SECONDS_PER_BLOCK * -(-rows // arrays.BLOCK) + SECONDS_PER_VALUE * rows)


def evaluate_groups(tape: Tape | Loop, X: np.ndarray, *, again: bool = False) -> dict[str, np.ndarray]:
    """The outputs by name, each (B, size); ``again``: by `evaluate_again`."""
    if not isinstance(tape, Tape):
        return tape.groups(X)
    return _by_name(tape, evaluate_again(tape, X) if again else evaluate(tape, X))


def groups_of_rows(tape: Tape | Loop, X: np.ndarray) -> dict[str, np.ndarray]:
    """The outputs by name, each (B, size), by `evaluate_rows`."""
    return _by_name(tape, evaluate_rows(tape, X)) if isinstance(tape, Tape) else tape.groups(X)


def _by_name(tape: Tape, Y: np.ndarray) -> dict[str, np.ndarray]:
    return {name: Y[:, place] for name, place in tape.slices(tape.outputs).items()}
