"""Tapes without inputs that they do not need, without outputs that nobody asks for, and with numbers in place of inputs."""

from dataclasses import dataclass, replace
from typing import final
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.tape import Tape


@final
@dataclass(frozen=True, eq=False)
class Trimmed:
    """A tape with one group of inputs, which are the ``inputs`` (k,) of the tape that it was made from, in order."""

    tape: Tape
    inputs: np.ndarray


_known: "WeakKeyDictionary[Tape, dict[bytes | None, Trimmed]]" = WeakKeyDictionary()


def trim(tape: Tape, outputs: np.ndarray | None = None) -> Trimmed:
    """The tape with the inputs that it needs and the chosen outputs; the same object as long as the tape lives."""
    known, key = _known.setdefault(tape, {}), None if outputs is None else np.asarray(outputs, dtype=np.int64).tobytes()
    if key not in known:
        known[key] = _trim(tape, outputs)
    return known[key]


def _trim(tape: Tape, outputs: np.ndarray | None) -> Trimmed:
    results = tape.results if outputs is None else tape.results[outputs]
    n, first = tape.n_in, tape.first_operation
    needed = np.zeros(first + len(tape.code), dtype=bool)
    needed[results] = True
    for row in range(len(tape.code) - 1, -1, -1):
        if needed[first + row]:
            operands = tape.code[row, 1:]
            needed[operands[operands >= 0]] = True
    used = np.flatnonzero(needed[:n])
    kept = np.flatnonzero(needed[first:])
    number = np.full(len(needed) + 1, -1, dtype=np.int64)  # the last stands for operands that are not there
    number[used] = np.arange(len(used))
    number[n:first] = len(used) + np.arange(first - n)
    number[first + kept] = len(used) + (first - n) + np.arange(len(kept))
    code = tape.code[kept].copy()
    code[:, 1:] = number[code[:, 1:]]
    made = Tape((("used", len(used)),), (("all", len(results)),), (), tape.constants, code.astype(tape.code.dtype),
                number[results].astype(tape.results.dtype), tape.tables)  # fmt: skip
    return Trimmed(made, used)


def with_zeros(tape: Tape, inputs: np.ndarray) -> Tape:
    """The tape with zero in place of the chosen inputs (k,), which it still has but does not read."""
    first = tape.first_operation
    number = np.append(np.arange(first + len(tape.code)), -1)  # the last stands for operands that are not there
    number[first:-1] += 1
    number[inputs] = first
    code = tape.code.copy()
    code[:, 1:] = number[code[:, 1:]]
    constants = np.append(tape.constants, 0.0)
    return replace(tape, constants=constants, code=code, results=number[tape.results].astype(tape.results.dtype))
