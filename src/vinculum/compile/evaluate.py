"""Evaluation of a tape on a batch by the faster target."""

from typing import Protocol, final

import numpy as np

from vinculum.compile.recent import Recent
from vinculum.compile.tape import Tape
from vinculum.compile.targets import arrays
from vinculum.compile.targets.llvm import machine
from vinculum.compile.targets.vm import evaluate_each, evaluate_one
from vinculum.tolerances.sizes import KEPT_TAPES, LONG_TAPE

SECONDS_TO_COMPILE = 1e-4
SECONDS_TO_COMPILE_PLAINLY = 2.5e-5
SECONDS_TO_INTERPRET = 2e-5
SECONDS_PER_BLOCK = 2e-6
SECONDS_PER_VALUE = 1.5e-9
SECONDS_PER_VALUE_PLAINLY = SECONDS_PER_VALUE / 30.0
FEW_ROWS = 64
"""Rows that a virtual machine takes one by one in less time than NumPy takes for all of them."""


class Loop(Protocol):
    """What a loop over many bodies has in place of a tape: outputs by name for rows of inputs."""

    def groups(self, X: np.ndarray) -> dict[str, np.ndarray]: ...


def evaluate(tape: Tape | Loop, X: np.ndarray) -> np.ndarray:
    """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out).

    NumPy needs no compilation, machine code runs a hundred times faster: the estimate of both decides.
    """
    if not isinstance(tape, Tape):
        return np.concatenate(list(tape.groups(X).values()), axis=1)
    X = np.ascontiguousarray(X, dtype=float)
    interpreted = _interpretation_time(tape, len(X))
    if interpreted > 0.02 and (machine.is_cached(tape) or interpreted > len(tape.code) * SECONDS_TO_COMPILE):
        return machine.compile_tape(tape)(X)
    return arrays.evaluate(tape, X)


def evaluate_again(tape: Tape, X: np.ndarray) -> np.ndarray:
    """The same for a tape that is evaluated again and again, in batches of any length.

    It is compiled once NumPy has spent as long on it as compiling would take, so the calls together take at most about
    twice as long as they could; single rows go to a virtual machine by the same rule, which is ready sooner. Long tapes are first
    compiled without optimization, which is ready much sooner too, and with it by the same rule. The last bits differ between all of
    these.
    """
    X = np.ascontiguousarray(X, dtype=float)
    ready = machine_code(tape)
    if ready is None and len(X) == 1:
        singly = _singly.keep(tape.digest, (_singly.get(tape.digest) or 0.0) + _interpretation_time(tape, 1))
        if singly > len(tape.code) * SECONDS_TO_INTERPRET:
            return evaluate_one(tape, X[0])[None]
    ready = code_when_it_pays(tape, len(X))
    return arrays.evaluate(tape, X) if ready is None else ready(X)


@final
class RowEvaluator:
    """A tape that is asked at a few states at a time, over and over in one run. It goes to a virtual machine once NumPy has taken as
    long as making that takes. Each counts its own calls, so that a run has the same bits wherever in a program it stands."""

    def __init__(self, tape: Tape | Loop):
        self.tape, self._spent = tape, 0.0

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out)."""
        if not isinstance(self.tape, Tape) or not 0 < len(X) <= FEW_ROWS:
            return evaluate(self.tape, X)
        if self._spent > len(self.tape.code) * SECONDS_TO_INTERPRET:
            return evaluate_each(self.tape, X)
        self._spent += _interpretation_time(self.tape, len(X))
        return arrays.evaluate(self.tape, np.ascontiguousarray(X, dtype=float))

    def groups(self, X: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs by name, each (B, size)."""
        if not isinstance(self.tape, Tape):
            return self.tape.groups(X)
        Y = self(X)
        return {name: Y[:, place] for name, place in self.tape.slices(self.tape.outputs).items()}


@final
class RowEvaluators:
    """A `RowEvaluator` for each tape that one run asks."""

    def __init__(self) -> None:
        self._known: dict[str, RowEvaluator] = {}

    def of(self, tape: Tape | Loop) -> RowEvaluator:
        key = tape.digest if isinstance(tape, Tape) else f"loop {id(tape)}"
        if key not in self._known:
            self._known[key] = RowEvaluator(tape)
        return self._known[key]


def code_when_it_pays(tape: Tape, rows: int) -> machine.Compiled | None:
    """The machine code of a tape of `evaluate_again`, made now if that pays; this counts the rows as evaluated."""
    ready, plain, length = _optimized.get(tape.digest), _plain.get(tape.digest), len(tape.code)
    if ready is not None:
        return ready
    takes = _interpretation_time(tape, rows) if plain is None else length * rows * SECONDS_PER_VALUE_PLAINLY
    spent = _spent.keep(tape.digest, (_spent.get(tape.digest) or 0.0) + takes)
    if spent > length * SECONDS_TO_COMPILE or (spent > 0.02 and machine.is_cached(tape)):
        return compile_for_again(tape)
    pays = spent > length * SECONDS_TO_COMPILE_PLAINLY
    if plain is None and length > LONG_TAPE and (pays or machine.is_cached(tape, plain=True)):
        return _plain.keep(tape.digest, machine.compile_plainly(tape))
    return plain


def compile_for_again(tape: Tape) -> machine.Compiled:
    """Optimized machine code for `evaluate_again`, compiled now on request."""
    ready = _optimized.get(tape.digest)
    if ready is None:
        ready = _optimized.keep(tape.digest, machine.compile_tape(tape))
    return ready


def machine_code(tape: Tape) -> machine.Compiled | None:
    """The machine code that `evaluate_again` uses, if it does."""
    return optimized_code(tape) or _plain.get(tape.digest)


def optimized_code(tape: Tape) -> machine.Compiled | None:
    """The machine code that `evaluate_again` uses, once it is the fastest."""
    return _optimized.get(tape.digest)


_spent: Recent[float] = Recent(4096)
_singly: Recent[float] = Recent(4096)
_plain: Recent[machine.Compiled] = Recent(KEPT_TAPES)
_optimized: Recent[machine.Compiled] = Recent(KEPT_TAPES)


def _interpretation_time(tape: Tape, rows: int) -> float:
    """Estimated time of NumPy on a batch [s]."""
    return len(tape.code) * (SECONDS_PER_BLOCK * -(-rows // arrays.BLOCK) + SECONDS_PER_VALUE * rows)


def evaluate_groups(tape: Tape | Loop, X: np.ndarray, *, again: bool = False) -> dict[str, np.ndarray]:
    """The outputs by name, each (B, size); ``again``: by `evaluate_again`."""
    if not isinstance(tape, Tape):
        return tape.groups(X)
    Y = evaluate_again(tape, X) if again else evaluate(tape, X)
    return {name: Y[:, place] for name, place in tape.slices(tape.outputs).items()}
