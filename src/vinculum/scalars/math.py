"""`vc.math`: functions of floats, arrays and symbols."""

import math as _float_math
from collections.abc import Callable

import numpy as np

from vinculum.errors import ModelError, SymbolError, VinculumError, shorten
from vinculum.scalars.scalar import Scalar, Value, add, mul, neg, operand, power, sub

pi = _float_math.pi


def _extend_to_symbols(name: str, numeric: Callable, of_values: Callable, inputs: int, meaning: str) -> Callable:
    """The function ``numeric`` extended elementwise to symbols, where it is ``of_values``."""
    elementwise = np.frompyfunc(lambda *xs: of_values(*map(operand, xs)), inputs, 1)

    def function(*xs):
        if len(xs) != inputs:
            raise SymbolError(f"vc.math.{name} takes {inputs} argument{'s' * (inputs > 1)}, got {len(xs)}")
        try:
            arrays = [np.asarray(x) for x in xs]
            if all(a.dtype != object for a in arrays):
                return numeric(*xs)
            return elementwise(*xs)
        except VinculumError:
            raise
        except Exception as error:
            given = ", ".join(map(shorten, xs))
            raise SymbolError(
                f"vc.math.{name}({given}): {error}; give real numbers, arrays of them, or symbols"
            ) from error

    function.__name__ = function.__qualname__ = name
    function.__doc__ = meaning
    return function


def _unary(name: str, numeric: Callable, meaning: str) -> Callable:
    def of_values(x: Value) -> Value:
        return float(numeric(x)) if type(x) is float else Scalar(name, x)

    return _extend_to_symbols(name, numeric, of_values, 1, meaning)


sin = _unary("sin", np.sin, "Sine of an angle [rad].")
cos = _unary("cos", np.cos, "Cosine of an angle [rad].")
tan = _unary("tan", np.tan, "Tangent of an angle [rad].")
asin = _unary("asin", np.arcsin, "Arc sine [rad].")
acos = _unary("acos", np.arccos, "Arc cosine [rad].")
atan = _unary("atan", np.arctan, "Arc tangent [rad].")
sinh = _unary("sinh", np.sinh, "Hyperbolic sine.")
cosh = _unary("cosh", np.cosh, "Hyperbolic cosine.")
tanh = _unary("tanh", np.tanh, "Hyperbolic tangent.")
asinh = _unary("asinh", np.arcsinh, "Inverse hyperbolic sine.")
acosh = _unary("acosh", np.arccosh, "Inverse hyperbolic cosine.")
atanh = _unary("atanh", np.arctanh, "Inverse hyperbolic tangent.")
exp = _unary("exp", np.exp, "Exponential function.")
log = _unary("log", np.log, "Natural logarithm.")
expm1 = _unary("expm1", np.expm1, "exp(x) − 1, good near zero.")
log1p = _unary("log1p", np.log1p, "log(1 + x), good near zero.")
sqrt = _unary("sqrt", np.sqrt, "Square root.")
floor = _unary("floor", np.floor, "Largest whole number not above x.")
ceil = _unary("ceil", np.ceil, "Smallest whole number not below x.")
sign = _unary("sign", np.sign, "−1, 0 or 1.")
abs = _unary("abs", np.abs, "Absolute value.")
_erf_of_array = np.frompyfunc(_float_math.erf, 1, 1)
erf = _unary("erf", lambda x: np.asarray(_erf_of_array(x), dtype=float)[()], "Error function.")


def _binary(name: str, numeric: Callable, meaning: str) -> Callable:
    def of_values(a: Value, b: Value) -> Value:
        return float(numeric(a, b)) if type(a) is float and type(b) is float else Scalar(name, a, b)

    return _extend_to_symbols(name, numeric, of_values, 2, meaning)


atan2 = _binary("atan2", np.arctan2, "Angle of the point (x, y), called as atan2(y, x) [rad].")
hypot = _binary("hypot", np.hypot, "√(a² + b²) without overflow.")
minimum = _binary("min", np.minimum, "The smaller of two values.")
maximum = _binary("max", np.maximum, "The larger of two values.")
fmod = _binary("fmod", np.fmod, "Remainder of a/b with the sign of a.")
copysign = _binary("copysign", np.copysign, "|a| with the sign of b.")
pow = _extend_to_symbols("pow", np.power, power, 2, "a to the power b.")


def _where(condition: Value, a: Value, b: Value) -> Value:
    if type(condition) is float:
        return a if condition else b
    return Scalar("where", condition, a, b)


where = _extend_to_symbols("where", np.where, _where, 3, "``a`` where the condition holds, ``b`` elsewhere.")


def _logical(name: str, numeric: Callable, meaning: str) -> Callable:
    return _binary(name, numeric, meaning)


logical_and = _logical("and", np.logical_and, "Both conditions hold.")
logical_or = _logical("or", np.logical_or, "One of the conditions holds.")


def _not(a: Value) -> Value:
    return float(not a) if type(a) is float else Scalar("not", a)


logical_not = _extend_to_symbols("logical_not", np.logical_not, _not, 1, "The condition does not hold.")


def clip(x, low, high):
    """``x`` kept between ``low`` and ``high``."""
    return minimum(maximum(x, low), high)


def dot(a, b):
    """Sum of the products of the components of two vectors."""
    a, b = vector(a), vector(b)
    if a.shape != b.shape or a.ndim != 1:
        raise ModelError(f"vc.math.dot needs vectors of one length, got shapes {a.shape} and {b.shape}")
    return a @ b


def cross(a, b):
    """Vector product of two 3-vectors."""
    a, b = vector(a), vector(b)
    if a.shape != (3,) or b.shape != (3,):
        raise ModelError(f"vc.math.cross needs two 3-vectors, got shapes {a.shape} and {b.shape}")
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def norm(a):
    """Euclidean length of a vector; of numbers, without overflow."""
    a = vector(a)
    if a.ndim != 1:
        raise ModelError(f"vc.math.norm needs a vector, got shape {a.shape}; take one vector at a time")
    if a.dtype == float:
        return _float_math.hypot(*a)
    return sqrt(dot(a, a))


def vector(components) -> np.ndarray:
    """An array of floats, or of floats and symbols. Foreign symbols are refused."""
    try:
        array = np.asarray(components)
    except Exception as error:
        raise SymbolError(
            f"{shorten(components)} is not an array: {error}; give rows of numbers, all of one length"
        ) from error
    if array.dtype == object:
        return np.asarray(np.frompyfunc(operand, 1, 1)(array), dtype=object)
    if array.dtype.kind not in "bifu":
        raise SymbolError(f"an array of type {array.dtype} is not made of real numbers and symbols")
    return array.astype(float)


NUMERIC: dict[str, Callable] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative, "pow": np.power,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "exp": np.exp, "log": np.log, "expm1": np.expm1, "log1p": np.log1p, "sqrt": np.sqrt, "floor": np.floor,
    "ceil": np.ceil, "sign": np.sign, "abs": np.abs, "erf": lambda x: np.asarray(_erf_of_array(x), dtype=float)[()],
    "atan2": np.arctan2, "hypot": np.hypot, "min": np.minimum, "max": np.maximum, "fmod": np.fmod,
    "copysign": np.copysign, "lt": np.less, "le": np.less_equal, "eq": np.equal, "ne": np.not_equal,
    "and": np.logical_and, "or": np.logical_or, "not": np.logical_not, "where": np.where,
    "table": lambda table, x: table.values(x)[()],
}  # fmt: skip
"""Every operation a graph can hold, as a function of arrays."""

EXTENDED: dict[str, Callable] = NUMERIC | {"table": lambda table, x: table.extended.values(x)[()]}
"""The same for random states, which need not lie within a table; what holds for its polynomials holds beyond them too."""

SYMBOLIC: dict[str, Callable] = {
    "add": add, "sub": sub, "mul": mul, "neg": neg, "pow": pow, "div": lambda a, b: a / b, "sin": sin, "cos": cos,
    "tan": tan, "asin": asin, "acos": acos, "atan": atan, "sinh": sinh, "cosh": cosh, "tanh": tanh, "asinh": asinh,
    "acosh": acosh, "atanh": atanh, "exp": exp, "log": log, "expm1": expm1, "log1p": log1p, "sqrt": sqrt,
    "floor": floor, "ceil": ceil, "sign": sign, "abs": abs, "erf": erf, "atan2": atan2, "hypot": hypot,
    "min": minimum, "max": maximum, "fmod": fmod, "copysign": copysign, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "and": logical_and,
    "or": logical_or, "not": logical_not, "where": where, "table": lambda table, x: table.at(x),
}  # fmt: skip
"""Every operation a graph can hold, as a function of symbols and floats."""
