"""Tape → rows, by a loop over its operations that is compiled once for all tapes: nothing is made for a tape before it runs."""

import math
from functools import cache as remembered
from typing import NamedTuple, final
from weakref import WeakKeyDictionary

import numpy as np
from numba import typeof

from vinculum.compile.kernels import njit
from vinculum.compile.tape import OPERATIONS, Tape
from vinculum.scalars import Piecewise
from vinculum.tolerances.sizes import LANES_OF_INTERPRETER

(ABS, ACOS, ACOSH, ADD, AND, ASIN, ASINH, ATAN, ATAN2, ATANH, CEIL, COPYSIGN, COS, COSH, DIV, EQ, ERF, EXP, EXPM1, FLOOR, FMOD, HYPOT,
 LE, LOG, LOG1P, LT, MAX, MIN, MUL, NE, NEG, NOT, OR, POW, SIGN, SIN, SINH, SQRT, SUB, TAN, TANH, WHERE) = range(42)  # fmt: skip
if len(OPERATIONS) != WHERE + 1:
    raise ImportError("the operations of tapes and those of their interpreter are not the same")


@final
class Tables(NamedTuple):
    """The tables of a tape one after the other: where the pieces (m + 1,) of each begin, limits (m, 2), the terms (m,) of a piece, and for
    every piece its upper break, its origin, and where its coefficients begin."""

    begins: np.ndarray
    limits: np.ndarray
    terms: np.ndarray
    breaks: np.ndarray
    origins: np.ndarray
    firsts: np.ndarray
    coefficients: np.ndarray


@final
class Program(NamedTuple):
    """A tape for the interpreter: ``code`` has rows (operation, place of the result, places of operands), ``results`` are places. Values
    that are not needed any more leave their place to others, so that all ``places`` fit into the nearest caches."""

    code: np.ndarray
    constants: np.ndarray
    results: np.ndarray
    tables: Tables
    places: int


@njit(nogil=True, cache=True, error_model="numpy")
def one_operand(op, x, z, w):
    """z = op(x) in the first w lanes."""
    if op == NEG:
        for i in range(w):
            z[i] = -x[i]
    elif op == SQRT:
        for i in range(w):
            z[i] = math.sqrt(x[i]) if x[i] >= 0.0 else np.nan
    elif op == ABS:
        for i in range(w):
            z[i] = abs(x[i])
    elif op == NOT:
        for i in range(w):
            z[i] = 1.0 if x[i] == 0.0 else 0.0
    else:
        for i in range(w):
            z[i] = elementary(op, x[i])


@njit(nogil=True, cache=True, error_model="numpy")
def elementary(op, x):
    """An elementary function of one number."""
    if op == SIN:
        return math.sin(x)
    elif op == COS:
        return math.cos(x)
    elif op == TAN:
        return math.tan(x)
    elif op == ASIN:
        return math.asin(x)
    elif op == ACOS:
        return math.acos(x)
    elif op == ATAN:
        return math.atan(x)
    elif op == SINH:
        return math.sinh(x)
    elif op == COSH:
        return math.cosh(x)
    elif op == TANH:
        return math.tanh(x)
    elif op == ASINH:
        return math.asinh(x)
    elif op == ACOSH:
        return math.acosh(x)
    elif op == ATANH:
        return math.atanh(x)
    elif op == EXP:
        return math.exp(x)
    elif op == LOG:
        return math.log(x)
    elif op == EXPM1:
        return math.expm1(x)
    elif op == LOG1P:
        return math.log1p(x)
    elif op == FLOOR:
        return np.floor(x)
    elif op == CEIL:
        return np.ceil(x)
    elif op == SIGN:
        return 0.0 if x == 0.0 else x if x != x else math.copysign(1.0, x)
    return math.erf(x)


@njit(nogil=True, cache=True, error_model="numpy")
def two_operands(op, x, y, z, w):
    """z = op(x, y) in the first w lanes."""
    if op == ADD:
        for i in range(w):
            z[i] = x[i] + y[i]
    elif op == MUL:
        for i in range(w):
            z[i] = x[i] * y[i]
    elif op == SUB:
        for i in range(w):
            z[i] = x[i] - y[i]
    elif op == DIV:
        for i in range(w):
            z[i] = x[i] / y[i]
    else:
        for i in range(w):
            z[i] = binary(op, x[i], y[i])


@njit(nogil=True, cache=True, error_model="numpy")
def binary(op, x, y):
    """A function of two numbers."""
    if op == POW:
        return x**y
    elif op == ATAN2:
        return math.atan2(x, y)
    elif op == HYPOT:
        return math.hypot(x, y)
    elif op == MIN:
        return x if x < y or x != x else y
    elif op == MAX:
        return x if x > y or x != x else y
    elif op == FMOD:
        return np.fmod(x, y)
    elif op == COPYSIGN:
        return math.copysign(x, y)
    elif op == LT:
        return 1.0 if x < y else 0.0
    elif op == LE:
        return 1.0 if x <= y else 0.0
    elif op == EQ:
        return 1.0 if x == y else 0.0
    elif op == NE:
        return 1.0 if x != y else 0.0
    elif op == AND:
        return 1.0 if x != 0.0 and y != 0.0 else 0.0
    return 1.0 if x != 0.0 or y != 0.0 else 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def look_up(tables, k, x):
    """The k-th table at x; NaN beyond its limits."""
    if not (tables.limits[k, 0] <= x <= tables.limits[k, 1]):
        return np.nan
    low, high = tables.begins[k], tables.begins[k + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if x < tables.breaks[middle]:
            high = middle
        else:
            low = middle + 1
    first, distance = tables.firsts[low], x - tables.origins[low]
    y = tables.coefficients[first + tables.terms[k] - 1]
    for j in range(tables.terms[k] - 2, -1, -1):
        y = y * distance + tables.coefficients[first + j]
    return y


@njit(nogil=True, cache=True)
def assign_places(code, n_in, results, placed, room):
    """Write the rows of ``placed`` (K, 5), and the places of all values into ``room[0]``; how many there are. Constants stay where they
    are. The place of a result is none of its operands', since loops over lanes are fast where they write to an array of their own.
    ``room`` (3, number of values) has memory for the rest."""
    place, last, free = room[0], room[1], room[2]
    first, count, unused = len(place) - len(code), len(place) - len(code), 0
    for value in range(len(place)):
        last[value] = len(code) if n_in <= value < first else -1
    for k in range(len(code)):
        for j in range(1, 4):
            if code[k, j] >= 0 and last[code[k, j]] < len(code):
                last[code[k, j]] = k
    for k in range(len(results)):
        last[results[k]] = len(code)
    for value in range(first):
        place[value] = value
    for k in range(len(code)):
        if unused > 0:
            unused -= 1
            place[first + k] = free[unused]
        else:
            place[first + k] = count
            count += 1
        placed[k, 0], placed[k, 1] = code[k, 0], place[first + k]
        for j in range(1, 4):
            value = code[k, j]
            placed[k, j + 1] = place[value] if value >= 0 else -1
        for j in range(1, 4):
            value = code[k, j]
            if value >= 0 and last[value] == k:
                last[value] = -1  # an operand that is there twice is given back once
                free[unused] = place[value]
                unused += 1
        if last[first + k] < 0:  # nobody needs it
            free[unused] = place[first + k]
            unused += 1
    return count


@njit(nogil=True, cache=True, error_model="numpy")
def interpret(program, X, Y, values):
    """Y (B, n_out) from X (B, n_in); ``values`` (places, w) is room for w rows."""
    code, constants, results, tables = program[:4]
    B, n_in = X.shape
    lanes = values.shape[1]
    for k in range(len(constants)):
        values[n_in + k] = constants[k]
    for begin in range(0, B, lanes):
        w = min(lanes, B - begin)
        for k in range(n_in):
            for i in range(w):
                values[k, i] = X[begin + i, k]
        for k in range(len(code)):
            op, z, x = code[k, 0], values[code[k, 1]], values[code[k, 2]]
            if op > WHERE:
                for i in range(w):
                    z[i] = look_up(tables, op - WHERE - 1, x[i])
            elif op == WHERE:
                yes, no = values[code[k, 3]], values[code[k, 4]]
                for i in range(w):
                    z[i] = yes[i] if x[i] != 0.0 else no[i]
            elif code[k, 3] >= 0:
                two_operands(op, x, values[code[k, 3]], z, w)
            else:
                one_operand(op, x, z, w)
        for k in range(len(results)):
            for i in range(w):
                Y[begin + i, k] = values[results[k], i]


def evaluate(tape: Tape, X: np.ndarray) -> np.ndarray:
    """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out)."""
    X = np.ascontiguousarray(X, dtype=float)
    Y = np.empty((len(X), tape.n_out))
    interpret(*_arguments(tape, X, Y))
    return Y


@remembered
def was_kept() -> bool:
    """Whether the loop was compiled before, by this process or by an earlier one that kept it."""
    whole, rows = np.zeros(0, dtype=np.int64), np.zeros((1, 0))
    empty = Program(np.zeros((0, 5), dtype=np.int64), np.zeros(0), whole, _tables(()), 0)
    return interpret.load(tuple(typeof(one) for one in (empty, rows, rows, rows)))


def _arguments(tape: Tape, X: np.ndarray, Y: np.ndarray) -> tuple[Program, np.ndarray, np.ndarray, np.ndarray]:
    program = _programs.get(tape)
    if program is None:
        program = _programs[tape] = _program(tape)
    lanes = max(1, min(len(X), LANES_OF_INTERPRETER))
    return program, X, Y, np.empty((program.places, lanes))


_programs: "WeakKeyDictionary[Tape, Program]" = WeakKeyDictionary()


def _program(tape: Tape) -> Program:
    """A tape with places for its values."""
    code, results = (np.ascontiguousarray(x, dtype=np.int64) for x in (tape.code.reshape(-1, 4), tape.results))
    placed, room = np.empty((len(code), 5), np.int64), np.empty((3, tape.first_operation + len(code)), np.int64)
    count = assign_places(code, tape.n_in, results, placed, room)
    return Program(
        placed, np.ascontiguousarray(tape.constants, dtype=float), room[0, results], _tables(tape.tables), count
    )


def _tables(every: tuple[Piecewise, ...]) -> Tables:
    none, whole = np.zeros(0), np.zeros(0, dtype=np.int64)
    pieces, terms = (np.array([one.coefficients.shape[k] for one in every], dtype=np.int64) for k in (0, 1))
    begins, sizes = np.append(0, np.cumsum(pieces)), np.append(0, np.cumsum(pieces * terms))
    return Tables(
        begins,
        np.array([one.limits for one in every], dtype=float).reshape(-1, 2),
        terms,
        np.concatenate([none, *(np.append(one.breaks, np.inf) for one in every)]),
        np.concatenate([none, *(one.origins for one in every)]),
        np.concatenate([whole, *(sizes[k] + terms[k] * np.arange(pieces[k]) for k in range(len(every)))]),
        np.concatenate([none, *(one.coefficients.ravel() for one in every)]),
    )
