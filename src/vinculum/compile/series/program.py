"""Tape → a program of power series: every operation as one of a few recurrences on the coefficients of its operands."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.compile.tape import OPERATIONS, Tape
from vinculum.errors import MethodError

KINDS = ("add", "sub", "neg", "mul", "scale", "div", "shrink", "sqrt", "grow", "along", "power", "angle", "choose",
         "abs", "lesser", "greater", "signed", "remainder", "decide", "still")  # fmt: skip
(ADD, SUB, NEG, MUL, SCALE, DIV, SHRINK, SQRT, GROW, ALONG, POWER, ANGLE, CHOOSE, ABS, LESSER, GREATER, SIGNED,
 REMAINDER, DECIDE, STILL) = range(len(KINDS))  # fmt: skip
LINEAR = frozenset({ADD, SUB, NEG, MUL, SCALE, DIV, SHRINK, CHOOSE})
FUNCTION = {name: i for i, name in enumerate(OPERATIONS)}
PARTNERS = {"sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh"}
LOGIC = frozenset({"and", "or", "not"})
PIECEWISE = {"abs": ABS, "min": LESSER, "max": GREATER, "copysign": SIGNED, "fmod": REMAINDER}


Place = tuple[str, int]
"""A value: an input of the tape ("row"), a constant or what an instruction has made, and its number among these."""


@final
@dataclass(frozen=True, eq=False)
class SeriesProgram:
    """Instructions (kind, result, a, b, c, function) over rows of coefficients.

    Rows are the tape's inputs, then ``constants`` from row ``first_constant`` on, then one for each instruction.
    ``moving``: instructions whose value may change in time. ``tangent``: those that hold the accelerations.
    ``switching``: operations that are decided by a moving number.
    """

    code: np.ndarray
    moving: np.ndarray
    tangent: np.ndarray
    constants: np.ndarray
    first_constant: int
    rows: int
    results: np.ndarray
    switching: tuple[str, ...]


def series_program(tape: Tape, linear_in: str) -> SeriesProgram:
    """The program of a tape, which must be linear in its input group ``linear_in``."""
    if tape.tables:
        raise MethodError(
            f"a power series cannot contain the table '{tape.tables[0].name}', whose polynomial changes at its knots; use "
            "method='taylor' or 'dop853', which stop there"
        )
    return _Lowering(tape, linear_in).program()


class _Lowering:
    """Instructions as they are found; every value has a row, and is known to move in time or not."""

    def __init__(self, tape: Tape, linear_in: str):
        self.tape = tape
        places = tape.slices(tape.inputs)
        still = places.get("parameters", slice(0, 0))
        self.constants = list(map(float, tape.constants))
        self.code: list[tuple[int, Place | None, Place | None, Place | None, int]] = []
        self.moves = [not still.start <= i < still.stop for i in range(tape.n_in)]
        self.held = [places[linear_in].start <= i < places[linear_in].stop for i in range(tape.n_in)]
        self.pairs: dict[tuple[str, Place], Place] = {}
        self.switching: set[str] = set()

    def program(self) -> SeriesProgram:
        self.row: dict[int, Place] = {i: ("row", i) for i in range(self.tape.n_in)}
        self.row |= {self.tape.n_in + i: ("constant", i) for i in range(len(self.constants))}
        for name, result, operands in self.tape.rows():
            self.row[result] = self._lower(name, [self.row[a] for a in operands])
        n_in, shift = self.tape.n_in, self.tape.n_in + len(self.constants)

        def number(place: Place) -> int:
            kind, i = place
            return {"row": i, "constant": n_in + i, "made": shift + i}[kind]

        code = np.array(
            [[k, number(("made", i)), *(number(p) if p else -1 for p in (a, b, c)), f]
             for i, (k, a, b, c, f) in enumerate(self.code)], dtype=np.int64).reshape(-1, 6)  # fmt: skip
        moving = np.array([self.moves[n_in + i] for i in range(len(code))], dtype=bool)
        tangent = np.array([self.held[n_in + i] for i in range(len(code))], dtype=bool)
        foreign = [KINDS[k] for k in code[tangent, 0] if k not in LINEAR]
        assert not foreign, f"the equations are not linear in the accelerations: {foreign}"
        results = np.array([number(self.row[r]) for r in self.tape.results.tolist()], dtype=np.int64)
        return SeriesProgram(code, np.flatnonzero(moving), np.flatnonzero(tangent), np.array(self.constants, dtype=float),
                             n_in, shift + len(code), results, tuple(sorted(self.switching)))  # fmt: skip

    def _is(self, flags: list[bool], place: Place) -> bool:
        kind, i = place
        return kind != "constant" and flags[i if kind == "row" else self.tape.n_in + i]

    def emit(self, kind: int, *operands: Place, function: int = -1, moves: bool | None = None) -> Place:
        a, b, c = (*operands, None, None, None)[:3]
        self.code.append((kind, a, b, c, function))
        given = operands[:1] if kind == GROW else operands
        self.moves.append(any(self._is(self.moves, p) for p in given) if moves is None else moves)
        self.held.append(any(self._is(self.held, p) for p in given))
        return ("made", len(self.code) - 1)

    def constant(self, x: float) -> Place:
        if x not in self.constants:
            self.constants.append(x)
        return ("constant", self.constants.index(x))

    def _lower(self, name: str, x: list[Place]) -> Place:
        f = FUNCTION[name]
        moves = any(self._is(self.moves, p) for p in x)
        if not moves and name != "where":
            return self.emit(STILL, *x, function=f, moves=False)
        if name in ("add", "sub", "neg"):
            return self.emit({"add": ADD, "sub": SUB, "neg": NEG}[name], *x)
        if name == "mul":
            return self.product(*x)
        if name == "div":
            return self.emit(DIV if self._is(self.moves, x[1]) else SHRINK, *x)
        if name == "sqrt":
            return self.emit(SQRT, *x)
        if name == "hypot":
            return self.emit(SQRT, self.emit(ADD, self.product(x[0], x[0]), self.product(x[1], x[1])))
        if name in PARTNERS:
            return self.pair(name, x[0])
        if name == "exp":
            return self.grow(x[0], None, f)
        if name == "expm1":
            return self.grow(x[0], self.grow(x[0], None, FUNCTION["exp"]), f)
        if name in ("tan", "tanh"):
            return self.tangent(name, x[0])
        if name == "erf":
            bell = self.grow(self.emit(NEG, self.product(x[0], x[0])), None, FUNCTION["exp"])
            return self.grow(x[0], self.product(self.constant(2.0 / np.pi**0.5), bell), f)
        if name in INVERSES:
            return self.emit(ALONG, x[0], INVERSES[name](self, x[0]), function=f)
        if name == "pow":
            return self.power(*x)
        if name == "atan2":
            square = self.emit(ADD, self.product(x[0], x[0]), self.product(x[1], x[1]))
            return self.emit(ANGLE, x[0], x[1], square, function=f)
        if name == "where":
            return self.emit(CHOOSE, *x, moves=self._is(self.moves, x[1]) or self._is(self.moves, x[2]))
        if name in LOGIC:
            return self.emit(STILL, *x, function=f, moves=False)
        self.switching.add(name)
        return self.emit(PIECEWISE.get(name, DECIDE), *x, function=f, moves=None if name in PIECEWISE else False)

    def product(self, a: Place, b: Place) -> Place:
        if self._is(self.moves, a) and self._is(self.moves, b):
            return self.emit(MUL, a, b)
        still, other = (b, a) if self._is(self.moves, a) else (a, b)
        return self.emit(SCALE, still, other)

    def grow(self, x: Place, by: Place | None, function: int, negative: bool = False) -> Place:
        """y with y′ = ± g x′; without ``by`` g is y itself."""
        place = ("made", len(self.code))
        return self.emit(
            GROW, x, place if by is None else by, self.constant(-1.0 if negative else 1.0), function=function,
            moves=True)  # fmt: skip

    def pair(self, name: str, x: Place) -> Place:
        """sin with cos, or sinh with cosh: each needs lower orders of the other only."""
        if (name, x) not in self.pairs:
            here, other = ("made", len(self.code)), ("made", len(self.code) + 1)
            partner = PARTNERS[name]
            self.pairs[name, x] = self.grow(x, other, FUNCTION[name], negative=name == "cos")
            self.pairs[partner, x] = self.grow(x, here, FUNCTION[partner], negative=partner == "cos")
        return self.pairs[name, x]

    def tangent(self, name: str, x: Place) -> Place:
        """y with y′ = (1 ± y²) x′."""
        slope = ("made", len(self.code) + 2)
        y = self.grow(x, slope, FUNCTION[name])
        square = self.product(y, y)
        self.emit(ADD if name == "tan" else SUB, self.constant(1.0), square)
        return y

    def power(self, a: Place, b: Place) -> Place:
        if not self._is(self.moves, b):
            return self.emit(POWER, a, b, function=FUNCTION["pow"])
        if self._is(self.moves, a):
            log = self.emit(ALONG, a, a, function=FUNCTION["log"])
        else:
            log = self.emit(STILL, a, function=FUNCTION["log"], moves=False)
        return self.grow(self.product(b, log), None, FUNCTION["exp"])


def _one_and_square(lowering: _Lowering, x, kind: int):
    return lowering.emit(kind, lowering.constant(1.0), lowering.product(x, x))


INVERSES = {
    "log": lambda low, x: x,
    "log1p": lambda low, x: low.emit(ADD, low.constant(1.0), x),
    "atan": lambda low, x: _one_and_square(low, x, ADD),
    "atanh": lambda low, x: _one_and_square(low, x, SUB),
    "asin": lambda low, x: low.emit(SQRT, _one_and_square(low, x, SUB)),
    "acos": lambda low, x: low.emit(NEG, low.emit(SQRT, _one_and_square(low, x, SUB))),
    "asinh": lambda low, x: low.emit(SQRT, _one_and_square(low, x, ADD)),
    "acosh": lambda low, x: low.emit(SQRT, low.emit(SUB, low.product(x, x), low.constant(1.0))),
}
"""Functions y of x with y′ s = x′: the series s of each."""
