"""The errors of the library: each names the object, the value, the condition and the remedy. The last part is about packages that an
installation may lack.

Imports `tolerances` only. Begin with `VinculumError`; `call_checks` is what every public call does with wrong arguments.
"""

import importlib.util

from vinculum.tolerances.sizes import KEPT_AFTER, KEPT_BEFORE, LONGEST_LINE, LONGEST_VALUE

__all__ = ["FileError", "MethodError", "ModelError", "RunError", "StartError", "SymbolError", "VinculumError"]


class VinculumError(Exception):
    """Base class of all errors of Vinculum. The message says what to do; long values in it are shortened."""

    def __init__(self, message="", *rest):
        super().__init__("\n".join(map(_cut, message.split("\n"))) if isinstance(message, str) else message, *rest)


def shorten(x) -> str:
    """``x`` as written, on one line and cut where it gets too long for a message."""
    try:
        whole = " ".join(repr(x).split())
    except Exception:
        whole = f"<{type(x).__name__} that cannot be shown>"
    return whole if len(whole) <= LONGEST_VALUE else f"{whole[:LONGEST_VALUE]}…"


NEAR_NAME = 0.75
"""Likeness from which on a name is a slip of another: 'taylro' has 0.83 with 'taylor', 'spline' 0.67 with 'linear'."""


def did_you_mean(given, known) -> str:
    """A hint with the nearest of the ``known`` names, "; did you mean 'taylor'?"; empty if none is near."""
    import difflib

    if not isinstance(given, str):
        return ""
    names = [str(name) for name in known]
    close = difflib.get_close_matches(given, names, n=1, cutoff=NEAR_NAME)
    close += [name for name in difflib.get_close_matches(given, names) if _is_slip(given, name)]
    return f"; did you mean '{close[0]}'?" if close else ""


def _is_slip(given: str, name: str) -> bool:
    """Whether one letter is wrong or two are swapped: of short names little else is alike then."""
    return len(given) == len(name) and sum(a != b for a, b in zip(given, name, strict=True)) <= 2


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[:KEPT_BEFORE]} … {line[-KEPT_AFTER:]}"


class ModelError(VinculumError, ValueError):
    """Bodies and bonds do not form a valid mechanical system."""


class StartError(VinculumError, ValueError):
    """A start value, an end time, a grid or a parameter is not valid for the model."""


class MethodError(VinculumError, ValueError):
    """A method does not support the model or the request."""


class SymbolError(VinculumError, TypeError):
    """A symbol is used where a number is needed, or a foreign symbol where one of Vinculum is needed."""


class FileError(VinculumError, ValueError):
    """A model file or a stored run cannot be read, or a path cannot be written; `problems` has every fault of a model file, one
    sentence each."""

    def __init__(self, message="", problems=()):
        super().__init__(message)
        self.problems: tuple[str, ...] = tuple(problems)


class RunError(VinculumError, RuntimeError):
    """A run had to stop; `motion` is the part computed so far, or None."""

    def __init__(self, message, motion=None):
        super().__init__(message)
        self.motion = motion


EXTRAS = {
    "heyoka": ("heyoka", "taylor"),
    "sympy": ("SymPy", "formulas"),
    "mpmath": ("SymPy", "formulas"),
    "matplotlib": ("Matplotlib", "plots"),
    "PIL": ("Matplotlib", "plots"),
    "scipy": ("SciPy", "numerics"),
    "trimesh": ("trimesh", "numerics"),
    "casadi": ("CasADi", "solvers"),
    "xarray": ("xarray", "datasets"),
    "pandas": ("xarray", "datasets"),
    "skfem": ("scikit-fem", "elements"),
}
"""Packages that a light installation lacks, by the names under which they are imported: the package as people call it, and the extra of
Vinculum that brings it. Whatever needs one of them imports it when it is first used."""


def installation(package: str) -> str:
    """The command that installs a package."""
    return f"`pip install 'vinculum[{EXTRAS[package][1]}]'`"


def absence(error: BaseException | None) -> str | None:
    """Which package is absent and how it is installed, if an error or one that caused it says so; None for other errors."""
    while error is not None:
        package = (getattr(error, "name", None) or "").partition(".")[0] if isinstance(error, ImportError) else ""
        if package in EXTRAS:
            return _sentence(package)
        error = error.__cause__ or error.__context__
    return None


def check_present(package: str, what: str) -> None:
    """Refuse ``what`` before anything is computed if it will need a package that is absent."""
    if importlib.util.find_spec(package) is None:
        cause = ModuleNotFoundError(f"No module named '{package}'", name=package)
        raise MethodError(f"{what}: {_sentence(package)}") from cause


def _sentence(package: str) -> str:
    return f"this needs {EXTRAS[package][0]}, which is not installed; install it with {installation(package)}"
