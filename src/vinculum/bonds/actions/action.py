"""The description of actions between bodies: forces and potentials. What one does is its law."""

import functools
import inspect
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from vinculum.bodies import GROUND, Body, BodyGroup
from vinculum.bonds.actions.law import ActionLaw
from vinculum.bonds.body_view import BodyView
from vinculum.errors import ModelError, VinculumError, shorten
from vinculum.scalars import Scalar

CONDITIONS = ("lt", "le", "eq", "ne", "and", "or", "not")
WORD = re.compile(r"(?<!^)(?=[A-Z])")


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

    @property
    @abstractmethod
    def law(self) -> ActionLaw:
        """Its law: energy, efforts and limits."""


def read_ends(where: str, bodies) -> tuple[Body | str, ...]:
    """The bodies that a user lists for a bond; groups among them are for `Bonds`."""
    bodies = [bodies] if isinstance(bodies, (Body, BodyGroup, str)) else bodies
    if not isinstance(bodies, (list, tuple)) or not bodies:
        raise ModelError(
            f"{where}: bodies is {shorten(bodies)}; give a list of bodies or names, such as [upper, 'ground']"
        )
    for body in bodies:
        if not isinstance(body, (Body, BodyGroup, str)):
            raise ModelError(f"{where}: {shorten(body)} is not a body; give a body, its name, or 'ground'")
    names = [end_name(body) for body in bodies]
    single = Counter(end_name(body) for body in bodies if not isinstance(body, BodyGroup))
    twice = next((name for name, count in single.items() if count > 1), None)
    if twice is not None:
        raise ModelError(f"{where}: body '{twice}' is named twice; a body cannot act on itself")
    if set(names) == {GROUND}:
        raise ModelError(f"{where}: it acts on nothing but the ground; name a body")
    ends: Any = tuple(bodies)
    return ends


def end_name(end: "Body | BodyGroup | str") -> str:
    """The name of a body or group, or of the ground."""
    return end if isinstance(end, str) else end.name


def call_with_views(where: str, function: Callable, views: Sequence[BodyView], t) -> Any:
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


def checked_energy(where: str, energy, what: str = "the energy", unit: str = "J") -> Any:
    """One finite number or symbol; ``what`` and ``unit`` say in messages what it is."""
    if isinstance(energy, BodyView):
        raise ModelError(f"{where}: {what} is a body; return a number made of its position and rotation")
    if isinstance(energy, np.ndarray) and energy.shape == ():
        energy = energy.item()
    if isinstance(energy, (np.ndarray, list, tuple)):
        raise ModelError(
            f"{where}: {what} has shape {np.shape(energy)}, but it is one number [{unit}]; take vc.math.dot or norm"
        )
    if isinstance(energy, (bool, np.bool_)) or (isinstance(energy, Scalar) and energy.op in CONDITIONS):
        raise ModelError(
            f"{where}: {what} is a condition, true or false, and no number [{unit}]; use vc.math.where(condition, a, b)"
        )
    if isinstance(energy, Scalar):
        return energy
    try:
        if isinstance(energy, (str, bytes, np.complexfloating)):
            raise TypeError(energy)
        number = float(energy)
    except Exception as error:
        raise ModelError(
            f"{where}: {what} is {shorten(energy)}, which is not a number [{unit}]; return one computed from the bodies' positions"
        ) from error
    if not np.isfinite(number):
        raise ModelError(f"{where}: {what} is {number}, which is not finite; check its function")
    return number
