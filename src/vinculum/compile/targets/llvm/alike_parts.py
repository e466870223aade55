"""Parts of a long tape that are alike: the links of a long tree, or of any equations that repeat themselves.

Each kind of part is one function, which reads from a list where its operands are and where its results go. So the recursions of a long tree
are loops over kinds of links, and the time to compile them does not grow with the number of links. Parts end where the operations just
before have a certain hash: then whatever is repeated is cut alike, wherever it stands.
"""

from dataclasses import dataclass
from typing import final
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.passes.powers import halves
from vinculum.compile.tape import Tape
from vinculum.compile.targets.llvm.parts import Row, parts_of
from vinculum.tolerances.sizes import (
    CUT_ONCE_IN,
    LONGEST_ALIKE,
    SHORTEST_ALIKE,
    UNDIVIDED_TAPE,
    WIDE_TAPE,
    WINDOW_OF_CUTS,
    WORTH_KINDS,
)

INPUT, CONSTANT, VALUE = 0, 1, 2
"""Where an operand from outside of a part comes from."""


@final
@dataclass(frozen=True, eq=False)
class AlikeParts:
    """Parts of a tape and, for each of them, the number of its kind; ``outside``: the operands that it reads, in their order."""

    parts: list[list[Row]]
    kinds: list[int]
    outside: list[list[int]]

    @property
    def first_of_kind(self) -> dict[int, int]:
        """A part of every kind."""
        return {kind: k for k, kind in reversed(list(enumerate(self.kinds)))}


def alike_parts(tape: Tape, rows: list[Row]) -> AlikeParts | None:
    """The operations in parts of few kinds; None if there is not enough that is alike."""
    parts = [part for part in parts_of(tape, rows, _ends(tape, rows)) if part]
    numbers: dict[tuple, int] = {}
    kinds, outside = [], []
    for part in parts:
        key, read = _structure(tape, part)
        kinds.append(numbers.setdefault(key, len(numbers)))
        outside.append(read)
    found = AlikeParts(parts, kinds, outside)
    distinct = sum(len(parts[k]) for k in found.first_of_kind.values())
    return found if distinct <= WORTH_KINDS * len(rows) else None


def repeats_itself(tape: Tape) -> bool:
    """Whether most operations of a long tape stand in a sequence that was there before: an estimate from the operations alone."""
    known = _repeating.get(tape)
    if known is None:
        long = len(tape.code) > UNDIVIDED_TAPE and tape.n_out <= WIDE_TAPE
        known = long and len(np.unique(_hashes(tape.code[:, 0], SHORTEST_ALIKE))) <= WORTH_KINDS * len(tape.code)
        _repeating[tape] = known
    return known


_repeating: "WeakKeyDictionary[Tape, bool]" = WeakKeyDictionary()


def source(tape: Tape, value: int) -> int:
    """Where an operand comes from."""
    return INPUT if value < tape.n_in else CONSTANT if value < tape.first_operation else VALUE


def stored_values(found: AlikeParts, needed: set[int]) -> list[list[int]]:
    """Places in a part of every kind whose values some part of that kind must store."""
    stored: list[set[int]] = [set() for _ in found.first_of_kind]
    for part, kind in zip(found.parts, found.kinds, strict=True):
        stored[kind].update(j for j, (_, result, _) in enumerate(part) if result in needed)
    return [sorted(one) for one in stored]


def read_elsewhere(found: AlikeParts, results: list[int]) -> set[int]:
    """Values that are results, or that a part reads from outside of it."""
    return set(results) | {a for read in found.outside for a in read}


def _ends(tape: Tape, rows: list[Row]) -> list[int]:
    """Where parts end: by a hash of the operations before a place."""
    numbers = tape.code[[result - tape.first_operation for _, result, _ in rows], 0]
    mixed = _hashes(numbers, WINDOW_OF_CUTS)
    ends, begin = [], 0
    for place in np.flatnonzero(mixed % np.uint64(CUT_ONCE_IN) == 0).tolist():
        while place - begin > LONGEST_ALIKE:
            begin += LONGEST_ALIKE
            ends.append(begin)
        if place - begin >= SHORTEST_ALIKE:
            begin = place
            ends.append(begin)
    while len(rows) - begin > LONGEST_ALIKE:
        begin += LONGEST_ALIKE
        ends.append(begin)
    return [*ends, len(rows)]


def _hashes(operations: np.ndarray, window: int) -> np.ndarray:
    """A hash of as many operations before every place."""
    numbers = operations.astype(np.uint64) + np.uint64(1)
    mixed = np.zeros(len(numbers), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for k in range(min(window, len(numbers))):
            shifted = np.zeros(len(numbers), dtype=np.uint64)
            shifted[k:] = numbers[: len(numbers) - k]
            mixed = mixed * np.uint64(1000003) + shifted * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
    return mixed


def _structure(tape: Tape, part: list[Row]) -> tuple[tuple, list[int]]:
    """What parts that are alike have in common, and the operands from outside in the order in which they are first read. An exponent that
    decides how a power is made is a part of the structure."""
    own = {result: j for j, (_, result, _) in enumerate(part)}
    outside: dict[int, int] = {}
    key = []
    for name, _, operands in part:
        key.append(name)
        if name == "pow":
            key.append(halves(tape, name, operands))
        for a in operands:
            key.append(own[a] if a in own else (source(tape, a), outside.setdefault(a, len(outside))))
    return tuple(key), list(outside)
