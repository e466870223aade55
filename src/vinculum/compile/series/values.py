"""Coefficient 0 of every row of a series program: its value at the start, and whether it has a series there."""

import math

import numpy as np

from vinculum.compile import calls  # noqa: F401 - where Numba keeps what it compiles
from vinculum.compile.kernels import njit
from vinculum.compile.series.program import (
    ABS,
    ADD,
    ANGLE,
    CHOOSE,
    DECIDE,
    DIV,
    FUNCTION,
    GREATER,
    LESSER,
    MUL,
    NEG,
    POWER,
    REMAINDER,
    SCALE,
    SHRINK,
    SIGNED,
    SQRT,
    SUB,
)

FINE, AT_SWITCH, NO_SERIES, NOT_FINITE = 0, 1, 2, 3
EXP, EXPM1, SIN, COS, TAN, SINH, COSH, TANH, ERF = (
    FUNCTION[k] for k in ("exp", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh", "erf")
)
LOG, LOG1P, ATAN, ATANH, ASIN, ACOS, ASINH, ACOSH, ATAN2 = (
    FUNCTION[k] for k in ("log", "log1p", "atan", "atanh", "asin", "acos", "asinh", "acosh", "atan2")
)
SIGN, FLOOR, CEIL, LT, LE, EQ, NE = (FUNCTION[k] for k in ("sign", "floor", "ceil", "lt", "le", "eq", "ne"))
AND, OR, NOT, MIN, MAX, FMOD, COPYSIGN, HYPOT = (
    FUNCTION[k] for k in ("and", "or", "not", "min", "max", "fmod", "copysign", "hypot")
)
F_ADD, F_SUB, F_MUL, F_DIV, F_NEG, F_POW, F_SQRT, F_ABS = (
    FUNCTION[k] for k in ("add", "sub", "mul", "div", "neg", "pow", "sqrt", "abs")
)


@njit(nogil=True, cache=True, error_model="numpy")
def smooth_value(f, x, y):
    """An elementary function at numbers."""
    if f == SIN:
        return math.sin(x)
    if f == COS:
        return math.cos(x)
    if f == TAN:
        return math.tan(x)
    if f == EXP:
        return np.exp(x)
    if f == EXPM1:
        return np.expm1(x)
    if f == SINH:
        return np.sinh(x)
    if f == COSH:
        return np.cosh(x)
    if f == TANH:
        return math.tanh(x)
    if f == ERF:
        return math.erf(x)
    if f == LOG:
        return np.log(x)
    if f == LOG1P:
        return np.log1p(x)
    if f == ATAN:
        return math.atan(x)
    if f == ATANH:
        return np.arctanh(x)
    if f == ASIN:
        return np.arcsin(x)
    if f == ACOS:
        return np.arccos(x)
    if f == ASINH:
        return np.arcsinh(x)
    if f == ACOSH:
        return np.arccosh(x)
    if f == ATAN2:
        return math.atan2(x, y)
    if f == HYPOT:
        return math.hypot(x, y)
    if f == F_SQRT:
        return np.sqrt(x)
    if f == F_POW:
        return np.power(x, y)
    return np.nan


@njit(nogil=True, cache=True, error_model="numpy")
def value(f, x, y):
    """Any operation at numbers."""
    if f == F_ADD:
        return x + y
    if f == F_SUB:
        return x - y
    if f == F_MUL:
        return x * y
    if f == F_DIV:
        return x / y
    if f == F_NEG:
        return -x
    if f == F_ABS:
        return abs(x)
    if f == SIGN:
        return np.sign(x)
    if f == FLOOR:
        return np.floor(x)
    if f == CEIL:
        return np.ceil(x)
    if f == LT:
        return 1.0 if x < y else 0.0
    if f == LE:
        return 1.0 if x <= y else 0.0
    if f == EQ:
        return 1.0 if x == y else 0.0
    if f == NE:
        return 1.0 if x != y else 0.0
    if f == AND:
        return 1.0 if x != 0.0 and y != 0.0 else 0.0
    if f == OR:
        return 1.0 if x != 0.0 or y != 0.0 else 0.0
    if f == NOT:
        return 1.0 if x == 0.0 else 0.0
    if f == MIN:
        return min(x, y)
    if f == MAX:
        return max(x, y)
    if f == FMOD:
        return np.fmod(x, y)
    if f == COPYSIGN:
        return np.copysign(x, y)
    return smooth_value(f, x, y)


@njit(nogil=True, cache=True, error_model="numpy")
def _singular(kind, moves, x, square):
    if kind == SQRT:
        return moves and x == 0.0
    return (kind == POWER and x == 0.0) or (kind == ANGLE and square == 0.0)


@njit(nogil=True, cache=True, error_model="numpy")
def _at_switch(kind, f, two, x, y):
    if kind == ABS:
        return x == 0.0
    if kind in (LESSER, GREATER):
        return x == y
    if kind == SIGNED:
        return x == 0.0 or y == 0.0
    if kind == REMAINDER:
        return x / y == np.trunc(x / y)
    if kind == DECIDE:
        if two:
            return x == y
        return x == 0.0 if f == SIGN else x == np.floor(x)
    return False


@njit(nogil=True, cache=True, error_model="numpy")
def start_values(code, moving, W):
    """Coefficient 0 of every row: the values at the start. Returns a status and the instruction it is about."""
    moves = np.zeros(code.shape[0], dtype=np.bool_)
    moves[moving] = True
    for i in range(code.shape[0]):
        kind, r, a, b, c, f = code[i, 0], code[i, 1], code[i, 2], code[i, 3], code[i, 4], code[i, 5]
        x = W[a, 0]
        y = W[b, 0] if b >= 0 and b < r else 0.0
        if kind == CHOOSE:
            W[r, 0] = W[b, 0] if x != 0.0 else W[c, 0]
        elif kind == ADD:
            W[r, 0] = x + y
        elif kind == SUB:
            W[r, 0] = x - y
        elif kind == NEG:
            W[r, 0] = -x
        elif kind in (MUL, SCALE):
            W[r, 0] = x * y
        elif kind in (DIV, SHRINK):
            W[r, 0] = x / y
        elif kind == SQRT:
            W[r, 0] = np.sqrt(x)
        else:
            W[r, 0] = value(f, x, y)
        if not np.isfinite(W[r, 0]):
            return NOT_FINITE, i
        if _singular(kind, moves[i], x, W[c, 0]):
            return NO_SERIES, i
        if _at_switch(kind, f, b >= 0, x, y):
            return AT_SWITCH, i
    return FINE, 0
