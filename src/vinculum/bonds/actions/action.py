"""The interface of actions between bodies: energies and efforts as functions of views of bodies."""

import functools
import inspect
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND, Body
from vinculum.bonds.body_view import BodyView
from vinculum.errors import ModelError, VinculumError, shortened
from vinculum.scalars import Scalar
from vinculum.scalars.math import dot

CONDITIONS = ("lt", "le", "eq", "ne", "and", "or", "not")
WORD = re.compile(r"(?<!^)(?=[A-Z])")
Effort = tuple[np.ndarray, np.ndarray]
"""Force and moment at a body's origin, (3,) each, in world axes."""


class Action(ABC):
    """A bond that exerts forces and moments on its ``bodies``, each a body or its name (``"ground"`` is the fixed frame).

    They follow from an energy, or are efforts given directly, or both.
    """

    name: str

    @property
    def called(self) -> str:
        """Kind and name in a message: "torsion spring 'hinge'"."""
        return f"{WORD.sub(' ', type(self).__name__).lower()} '{self.name}'"

    @property
    @abstractmethod
    def ends(self) -> tuple[Body | str, ...]:
        """The bodies it acts on, in the order of its functions' arguments."""

    @abstractmethod
    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        """Potential energy [J]; zero if it has none."""

    @abstractmethod
    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        """Efforts on every end that do not follow from the energy, or None."""

    @property
    def is_external(self) -> bool:
        """Whether the reaction to the effort is outside the system."""
        return False

    def distances(self, views: Sequence[BodyView]) -> list["Distance"]:
        """Distances of the bodies between which it acts; at zero distance the direction of its forces may be
        undefined."""
        return [
            Distance(a.name, b.name, squared(a.center - b.center))
            for a, b in combinations(views, 2)
            if GROUND not in (a.name, b.name)
        ]

    def limits(self, views: Sequence[BodyView]) -> list["Limit"]:
        """Limits of its law."""
        return []

    def notes(self) -> list[str]:
        """Remarks on its law where the computation differs from the textbook form."""
        return []

    def check(self, values: Mapping[str, float] | None = None) -> None:  # noqa: B027 - a kind without numbers has nothing to check
        """Refuse invalid parameter values."""


@final
@dataclass(frozen=True, eq=False)
class Distance:
    """Two bodies and the ``square`` [m²] of a distance between them; no motion may start where it is below ``least``."""

    a: str
    b: str
    square: Any
    least: Any = 0.0


@final
@dataclass(frozen=True, eq=False)
class Limit:
    """A limit of a law, where ``room``, usually positive, becomes zero: ``why`` is the message.

    ``passable``: forces jump there, but the motion goes on; ``room`` is then a square less a small square ``margin``.
    """

    room: Any
    why: str
    passable: bool = False
    margin: Any = 0.0


def squared(d):
    """d · d of a vector."""
    return dot(d, d)


def read_ends(where: str, bodies) -> tuple[Body | str, ...]:
    """The bodies that a user lists for a bond."""
    bodies = [bodies] if isinstance(bodies, (Body, str)) else bodies
    if not isinstance(bodies, (list, tuple)) or not bodies:
        raise ModelError(
            f"{where}: bodies is {shortened(bodies)}; give a list of bodies or names, such as [upper, 'ground']"
        )
    for body in bodies:
        if not isinstance(body, (Body, str)):
            raise ModelError(f"{where}: {shortened(body)} is not a body; give a body, its name, or 'ground'")
    names = [end_name(body) for body in bodies]
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise ModelError(f"{where}: body '{twice}' is named twice; a body cannot act on itself")
    if set(names) == {GROUND}:
        raise ModelError(f"{where}: it acts on nothing but the ground; name a body")
    return tuple(bodies)


def end_name(end: Body | str) -> str:
    """The name of a body, or of the ground."""
    return end if isinstance(end, str) else end.name


def called(where: str, function: Callable, views: Sequence[BodyView], t) -> Any:
    """The value of a user's function of bodies, and of ``t`` if it has that argument."""
    try:
        given = inspect.signature(function).parameters
        wanted = [p for p in given.values() if p.name != "t" and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        several = any(p.kind is p.VAR_POSITIONAL for p in given.values())
        needed = sum(p.default is p.empty for p in wanted)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{where}: {function!r} is not a Python function with named arguments") from error
    if not several and not needed <= len(views) <= len(wanted):
        raise ModelError(
            f"{where}: its function takes {needed if needed == len(wanted) else f'{needed} to {len(wanted)}'} "
            f"bod{'y' if needed == 1 else 'ies'}, but {len(views)} are listed ({', '.join(getattr(v, 'name', 'a joint') for v in views)}); "
            "it gets them in the listed order, and the time if a parameter is named t"
        )
    positional, named = _arguments(function, given, views, t)
    try:
        return function(*positional, **named)
    except VinculumError as error:
        raise type(error)(f"{where}: {error}") from error
    except Exception as error:
        raise ModelError(
            f"{where}: its function failed on symbols: {type(error).__name__}: {error}; "
            "write it with vc.math, and vc.math.where instead of `if`"
        ) from error


def _arguments(function: Callable, given: Mapping[str, inspect.Parameter], views: Sequence[BodyView], t):
    """Positional and named arguments: bodies in order, and the time where a parameter that is not settled yet is named t."""
    timed = "t" in given and "t" not in (function.keywords if isinstance(function, functools.partial) else ())
    if not timed or given["t"].kind is inspect.Parameter.KEYWORD_ONLY:
        return list(views), {"t": t} if timed else {}
    before = list(given).index("t")
    return [*views[:before], t, *views[before:]] if before <= len(views) else list(views), {} if before <= len(
        views
    ) else {"t": t}


def checked_energy(where: str, energy) -> Any:
    """One finite number or symbol."""
    if isinstance(energy, BodyView):
        raise ModelError(f"{where}: the energy is a body; return a number made of its position and rotation")
    if isinstance(energy, np.ndarray) and energy.shape == ():
        energy = energy.item()
    if isinstance(energy, (np.ndarray, list, tuple)):
        raise ModelError(
            f"{where}: the energy has shape {np.shape(energy)}, but energy is one number [J]; take vc.math.dot or norm"
        )
    if isinstance(energy, (bool, np.bool_)) or (isinstance(energy, Scalar) and energy.op in CONDITIONS):
        raise ModelError(
            f"{where}: the energy is a condition, true or false, and no number [J]; use vc.math.where(condition, a, b)"
        )
    if isinstance(energy, Scalar):
        return energy
    try:
        if isinstance(energy, (str, bytes, np.complexfloating)):
            raise TypeError(energy)
        number = float(energy)
    except Exception as error:
        raise ModelError(
            f"{where}: the energy is {shortened(energy)}, which is not a number [J]; return one computed from the bodies' positions"
        ) from error
    if not np.isfinite(number):
        raise ModelError(f"{where}: the energy is {number}, which is not finite; check its function")
    return number
