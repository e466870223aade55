"""Jets: coordinates with their time derivatives as symbols, and a user's functions of them."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError, VinculumError, shorten
from vinculum.scalars import Scalar, depends_on, directional, symbol, vector
from vinculum.tolerances.sizes import HIGHEST_DERIVATIVE

ARRAYS = ("q", "v", "a", "j")
SUFFIXES = ("", "_dot", "_ddot", "_dddot")


def array_name(level: int) -> str:
    """The argument under which a function gets all derivatives of one order: q, v, a, j, d4, d5, …"""
    return ARRAYS[level] if level < len(ARRAYS) else f"d{level}"


def derivative_name(coordinate: str, level: int) -> str:
    """The name of a derivative of one coordinate: x, x_dot, x_ddot, x_dddot, x_d4, …"""
    return coordinate + (SUFFIXES[level] if level < len(SUFFIXES) else f"_d{level}")


@final
@dataclass(frozen=True, eq=False)
class Jet:
    """``levels[k]``: the k-th derivatives (n,) of the coordinates; ``multipliers[k]``: those (m,) of multipliers; the time ``t``."""

    levels: tuple[np.ndarray, ...]
    multipliers: tuple[np.ndarray, ...]
    t: Any

    def rate(self, x) -> np.ndarray:
        r"""The total time derivative of functions of all but the highest level, :math:`\sum_k q^{(k+1)}\partial_{q^{(k)}} + \partial_t`."""
        below = [*self.levels[:-1], *self.multipliers[:-1], np.array([self.t])]
        above = [*self.levels[1:], *self.multipliers[1:], np.array([1.0])]
        return directional(x, np.concatenate(below), np.concatenate(above))

    def order(self, x) -> int:
        """The highest derivative of the coordinates in x; −1 where there is none."""
        found = [k for k, level in enumerate(self.levels) if depends_on(np.atleast_1d(x), level)]
        return max(found, default=-1)


def jet_of(coordinates: Sequence[str], highest: int, multipliers: Sequence[str] = (), rates: int = 0) -> Jet:
    """Symbols for coordinates up to their derivatives of order ``highest``, and for multipliers up to order ``rates``."""
    levels = tuple(_symbols(coordinates, k) for k in range(highest + 1))
    return Jet(levels, tuple(_symbols(multipliers, k) for k in range(rates + 1)), symbol("t"))


def _symbols(names: Sequence[str], level: int) -> np.ndarray:
    return np.array([*(symbol(derivative_name(name, level)) for name in names), None], dtype=object)[:-1]


@final
@dataclass(frozen=True, eq=False)
class JetFunction:
    """A function of a jet: ``call(levels, t)``, with the highest derivative ``order`` that it asks for. ``given``: what the user wrote."""

    where: str
    order: int
    call: Callable
    given: tuple[Callable, tuple[str, ...]] | None = None

    def __reduce__(self):
        if self.given is None:
            return JetFunction, (self.where, self.order, self.call)
        return jet_function, (self.where, *self.given)

    def at(self, levels: Sequence[np.ndarray], t) -> Any:
        """Its value, with every failure named after the thing it belongs to."""
        try:
            return self.call(levels, t)
        except VinculumError as error:
            raise type(error)(f"{self.where}: {error}") from error
        except Exception as error:
            raise ModelError(
                f"{self.where}: its function failed on symbols: {type(error).__name__}: {error}; "
                "write it with vc.math, and vc.math.where instead of `if`"
            ) from error

    def one(self, levels: Sequence[np.ndarray], t) -> Any:
        """Its value, which must be one number."""
        found = self.at(levels, t)
        array = _numbers(self.where, found)
        if array.size != 1:
            raise ModelError(
                f"{self.where}: its function returned shape {array.shape}; return one number, such as v @ v / 2"
            )
        return array.ravel()[0]

    def row(self, levels: Sequence[np.ndarray], t, count: int | None = None) -> np.ndarray:
        """Its values (k,), of which there must be ``count``."""
        found = self.at(levels, t)
        array = np.atleast_1d(_numbers(self.where, found))
        if array.ndim != 1 or (count is not None and len(array) != count) or not len(array):
            wanted = "one number or a row of them" if count is None else f"{count} number{'s' * (count > 1)}"
            raise ModelError(f"{self.where}: its function returned shape {array.shape}; return {wanted}")
        return array


def jet_function(where: str, function, coordinates: Sequence[str]) -> JetFunction:
    """A user's function, whose arguments say what it looks at.

    ``q``, ``v``, ``a``, ``j`` are arrays (n,) of all coordinates and their derivatives, ``x``, ``x_dot``, ``x_ddot`` those of a coordinate
    called x, and ``t`` is the time.
    """
    if isinstance(function, JetFunction):
        return function
    try:
        given = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        raise ModelError(f"{where} is {shorten(function)}; give a function, such as lambda q, v: …") from error
    known = {array_name(k): (k, None) for k in range(HIGHEST_DERIVATIVE + 1)}
    known |= {
        derivative_name(name, k): (k, i) for i, name in enumerate(coordinates) for k in range(HIGHEST_DERIVATIVE + 1)
    }
    names = [p.name for p in given if p.default is p.empty]
    strange = [name for name in names if name != "t" and name not in known]
    if strange or any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in given):
        raise ModelError(
            f"{where}: its function has the argument '{(strange or ['*'])[0]}'; name arguments q, v, a, j (arrays) or "
            f"{', '.join(derivative_name(name, k) for name in coordinates[:2] for k in range(2))}, …, and t"
        )
    order = max((known[name][0] for name in names if name != "t"), default=0)

    def call(levels, t):
        def one(name):
            if name == "t":
                return t
            k, i = known[name]
            return levels[k] if i is None else levels[k][i]

        return function(**{name: one(name) for name in names})

    return JetFunction(where, order, call, (function, tuple(coordinates)))


def _numbers(where: str, found) -> np.ndarray:
    try:
        array = vector(found)
    except (VinculumError, TypeError, ValueError) as error:
        raise ModelError(f"{where}: its function returned {shorten(found)}; return numbers") from error
    for x in array.ravel():
        if not isinstance(x, Scalar) and not np.isfinite(x):
            raise ModelError(f"{where}: its function returned {x}, which is not finite")
    return array
