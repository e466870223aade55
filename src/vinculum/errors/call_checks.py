"""Checks of public calls: a public function returns a result or raises an error of `vinculum.errors`, for any
arguments.

A successful call is not changed. If a call ends in a raw Python error, its arguments are checked: an argument that
does not match its name or annotation, or a user's function that failed, is named in an error of Vinculum; so is a package
that a light installation lacks. A raw error with correct arguments is a bug of Vinculum and is not changed.
"""

import inspect
import math
import numbers
import os
import sys
import sysconfig
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from vinculum.errors import (
    FileError,
    MethodError,
    ModelError,
    StartError,
    VinculumError,
    absence,
    did_you_mean,
    shorten,
)

PACKAGE = str(Path(__file__).parents[1])
FOREIGN = tuple(
    {str(Path(sysconfig.get_path(name))) for name in ("stdlib", "purelib", "platlib")} | {"<frozen", "<__array"}
)
ASKED = ("__init__", "__call__", "__getitem__")
GUARDED = "__is_a_door__"


class Kind(NamedTuple):
    """A kind of argument: in words, and as a test."""

    words: str
    admits: Callable[[Any], bool]


def _is_symbol(x) -> bool:
    return getattr(type(x), "op", None) is not None and hasattr(x, "args")


def _is_number(x) -> bool:
    if _is_symbol(x):
        return True
    return isinstance(x, numbers.Real) and not isinstance(x, bool) and math.isfinite(float(x))


def _are_numbers(x) -> bool:
    if isinstance(x, (str, bytes, Mapping, set)):
        return False
    if callable(x) and not _is_symbol(x):
        return False
    array = np.asarray(x)
    if array.dtype == object:
        return array.size > 0 and all(_is_number(one) for one in array.ravel())
    return array.dtype.kind in "bifu" and bool(np.isfinite(array).all())


def _is_path(x) -> bool:
    return isinstance(x, (str, os.PathLike)) and "\0" not in os.fspath(x) and not isinstance(os.fspath(x), bytes)


def _is_text(x) -> bool:
    return isinstance(x, str) and x.isprintable() and len(x) > 0


def _has_numbers(x) -> bool:
    return isinstance(x, Mapping) and all(_is_text(name) and _are_numbers(one) for name, one in x.items())


def _is_thing(x) -> bool:
    return _is_text(x) or (not isinstance(x, type) and _is_text(getattr(x, "name", None)))


def _is_series(x) -> bool:
    return isinstance(x, Iterable) and not isinstance(x, (str, bytes, Mapping)) and hasattr(x, "__len__")


TEXT = Kind("a text", _is_text)
NUMBER = Kind("a finite number", _is_number)
NUMBERS = Kind("finite numbers", _are_numbers)
WHOLE = Kind(
    "a whole number that a computer can count to", lambda x: isinstance(x, numbers.Integral) and abs(int(x)) < 2**31
)
FLAG = Kind("True or False", lambda x: isinstance(x, (bool, np.bool_)))
FUNCTION = Kind("a function", lambda x: callable(x) and not isinstance(x, type))
BY_NAME = Kind("a mapping from names to finite numbers, as {'m': 1.5}", _has_numbers)
MAPPING = Kind("a mapping from names to values", lambda x: isinstance(x, Mapping) and all(map(_is_text, x)))
THING = Kind("a name, or the object itself", _is_thing)
THINGS = Kind("a list", lambda x: _is_series(x) and all(map(_is_thing, x)))
SERIES = Kind("a list", _is_series)
SHOWN = Kind("something that can be shown", lambda x: bool(repr(x)))
PATH = Kind("a path, as 'run.zarr'", _is_path)
GENERATOR = Kind("a generator, as numpy.random.default_rng(0)", lambda x: isinstance(x, np.random.Generator))
FIELD = Kind("a field, as vc.measures.Bump.at(…)", lambda x: callable(x) and hasattr(type(x), "support"))
MOTION = Kind("a motion, as vc.simulate returns", lambda x: hasattr(type(x), "q") and hasattr(type(x), "audit"))
SHAPE = Kind(
    "a shape, as vc.shapes.Sphere(0.1)", lambda x: hasattr(type(x), "second_moment") and hasattr(type(x), "check")
)

_NAMED: dict[Kind | tuple[Kind, ...], str] = {
    TEXT: "name form method treatment kind outside device what about text",
    NUMBER: "mass stiffness damping rest_length radius length height mu mu_across rolling spinning e offset depth width softening "
            "constant speed ratio phase pitch begin until tolerance step max_step seconds elevation azimuth factor f value accuracy "
            "nearest G coefficient scale",
    NUMBERS: "com inertia axis axes gravity q v a p tau t lam free guess multipliers C g size semiaxes corners triangles heights "
             "spacing normal through side charges moments point points masses vectors tensors velocities weights center widths tilt xi "
             "x y r R V force moment time times instants impulses impulses knots coefficients acceleration along rest rotation "
             "first second Q n rate cells",
    WHOLE: "order degree fields seed threads direction",
    FLAG: "signed progress joined continued settle repair stop isochronous thorough",
    FUNCTION: "gap energy lagrangian dissipation function curve surface support drift places mapped p_of_x q_of_x "
              "f_of_x attraction b",
    BY_NAME: "parameters",
    MAPPING: "start external changed constraints numbers values",
    THING: "body parent child on pivot joint bond constraint unilateral constraint",
    THINGS: "bodies names against inputs joints coordinates",
    SERIES: "walls events realizations faces parts",
    PATH: "path out",
    SHAPE: "shape",
    GENERATOR: "rng",
    FIELD: "test field",
    MOTION: "motion",
    (NUMBERS, MAPPING, THING): "at to of",
    (NUMBERS, FUNCTION): "position velocity density shift rows drive kappa",
    (SHAPE, FUNCTION): "region",
    (WHOLE, NUMBERS): "grid",
    (WHOLE, TEXT): "label",
    (NUMBERS, TEXT, SERIES): "over",
}  # fmt: skip
KINDS: dict[str, tuple[Kind, ...]] = {
    name: (kinds,) if isinstance(kinds, Kind) else kinds for kinds, names in _NAMED.items() for name in names.split()
}
"""What an argument of a name may be, wherever it occurs."""


def door(function: Callable, where: str, refusal: type[VinculumError] = StartError) -> Callable:
    """``function`` with its raw errors explained; ``where``: its public name."""

    @wraps(function)
    def guard(*given, **named):
        try:
            return led_out(function(*given, **named))
        except VinculumError:
            raise
        except Exception as error:
            told = explanation(function, where, given, named, error, refusal)
            if told is None:
                raise
            raise told from error

    vars(guard)[GUARDED] = True
    return guard


_public: set[type] = set()


def doors(cls: type) -> type:
    """A class whose public methods are checked, and those of the public objects that they return or that it has as properties."""
    if GUARDED in vars(cls):
        return cls
    setattr(cls, GUARDED, True)
    _public.add(cls)
    for one in cls.__mro__:
        if one.__module__.startswith("vinculum."):
            _guard(one)
    for other in list(vars(sys.modules[cls.__module__]).values()):
        if isinstance(other, type) and other.__module__ == cls.__module__ and other.__name__ in _shown:
            doors(other)
    for thing in [
        one for base in cls.__mro__ if base.__module__.startswith("vinculum.") for one in vars(base).values()
    ]:
        shown = _hints(thing.fget).get("return") if isinstance(thing, property) and thing.fget is not None else None
        if isinstance(shown, type) and shown.__name__ in _shown:
            doors(shown)
    return cls


def _guard(cls: type) -> None:
    """Add the check to every public method of a class itself."""
    for name, thing in list(vars(cls).items()):
        if (name.startswith("_") and name not in ASKED) or isinstance(thing, type):
            continue
        inner = thing.__func__ if isinstance(thing, (classmethod, staticmethod)) else thing
        if not isinstance(inner, types.FunctionType) or GUARDED in vars(inner):
            continue
        told = spelling(cls) if name in ("__init__", "__call__") else f"{spelling(cls)}.{name}"
        guarded = door(inner, told, ModelError if name == "__init__" else StartError)
        setattr(cls, name, type(thing)(guarded) if isinstance(thing, (classmethod, staticmethod)) else guarded)


_shown: dict[str, str] = {}


def spelling(cls: type) -> str:
    """A class as users type it; what they only get back has its bare name."""
    return _shown.get(cls.__name__, cls.__name__)


def led_out(result: Any) -> Any:
    """A returned object, whose class is checked too."""
    cls = type(result)
    if cls not in _public and cls.__name__ in _shown and cls.__module__.startswith("vinculum."):
        doors(cls)
    return result


def show(names: Mapping[str, str]) -> None:
    """Say which classes users see, and how they type them."""
    _shown.update(names)


def explanation(function, where: str, given, named, error: Exception, refusal) -> VinculumError | None:
    """What was wrong in a call that ended in a raw error; None if nothing is to be seen."""
    absent = absence(error)
    if absent is not None:
        return MethodError(f"{where}: {absent}")
    try:
        bound = inspect.signature(function).bind(*given, **named)
    except TypeError as mismatch:
        return refusal(f"{where}: {_misfit(function, named, mismatch)}")
    except ValueError:
        return None
    failed = _failed_function(error)
    if failed is not None:
        return refusal(
            f"{where}: the function '{failed}' that it was given failed: {_description(error)}; mend it, and try it by itself first"
        )
    hints, several = _hints(function), []
    for name, parameter in bound.signature.parameters.items():
        if name in bound.arguments and name not in ("self", "cls"):
            value = bound.arguments[name]
            if parameter.kind is parameter.VAR_POSITIONAL:
                several += [(name, one, Any) for one in value]
            elif parameter.kind is parameter.VAR_KEYWORD:
                several += [(key, one, Any) for key, one in value.items()]
            elif value is not parameter.default:
                several.append((name, value, hints.get(name, Any)))
    for name, value, hint in several:
        words = _unfit(name, value, hint)
        if words is not None:
            kind = FileError if words == PATH.words else refusal
            return kind(f"{where}: {name} is {shorten(value)}; give {words}")
    functions = [name for name, value, _ in several if isinstance(value, types.FunctionType)]
    if functions:
        return refusal(
            f"{where}: what the function '{functions[0]}' returns cannot be used: {_description(error)}; see what it should return"
        )
    return None


def _unfit(name: str, value, hint) -> str | None:
    """What an argument should have been, in words; None if it is that."""
    for kinds in (KINDS.get(name, (SHOWN,)), _of_hint(hint)):
        if kinds and not any(_admits(kind, value) for kind in kinds):
            return " or ".join(dict.fromkeys(kind.words for kind in kinds))
    return None


def _admits(kind: Kind, value) -> bool:
    try:
        return bool(kind.admits(value))
    except Exception:
        return False


def _of_hint(hint) -> list[Kind]:
    """The kind of argument of an annotation: a class of Vinculum, or a general kind."""
    classes = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    bare = [typing.get_origin(one) or one for one in classes]
    if Any in bare or inspect.Parameter.empty in bare:
        return []
    found = [Kind(f"a {spelling(one)}", lambda x, one=one: isinstance(x, one)) for one in bare
             if isinstance(one, type) and one.__module__.startswith("vinculum.") and not hasattr(one, "op")]  # fmt: skip
    return found + [kind for one, kind in PLAIN.items() if one in bare]


PLAIN = {
    type(None): Kind("None", lambda x: x is None),
    Mapping: MAPPING,
    Callable: FUNCTION,
    bool: FLAG,
    str: TEXT,
    int: WHOLE,
    float: NUMBER,
    np.ndarray: NUMBERS,
    Sequence: SERIES,
}
"""Kinds of what annotations name."""


def _hints(function) -> Mapping[str, Any]:
    try:
        signature = inspect.signature(function)
        return {name: p.annotation for name, p in signature.parameters.items()} | {
            "return": signature.return_annotation
        }
    except (TypeError, ValueError):
        return {}


def _failed_function(error: Exception) -> str | None:
    """The name of a function of the user's in which an error came about; code of libraries is nobody's fault."""
    trace, ours, failed = error.__traceback__, False, None
    while trace is not None:
        code = trace.tb_frame.f_code
        inside = code.co_filename.startswith(PACKAGE)
        if ours and not inside and not code.co_filename.startswith(FOREIGN):
            failed = code.co_name
        elif inside:
            ours, failed = True, None
        trace = trace.tb_next
    return failed


def _misfit(function, named: Mapping[str, Any], mismatch: TypeError) -> str:
    parameters = inspect.signature(function).parameters
    taken = [name for name in parameters if name not in ("self", "cls")]
    marks = ["=" if parameters[name].kind is inspect.Parameter.KEYWORD_ONLY else "" for name in taken]
    told = ", ".join(map(str.__add__, taken, marks)) or "nothing"
    unknown = next((name for name in named if name not in taken), None)
    if unknown is None:
        return f"{mismatch}; it takes {told}" + ("; those with '=' are given by name" if "=" in marks else "")
    return f"it has no argument '{unknown}'{did_you_mean(unknown, taken)}; it takes {told}"


def _description(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
