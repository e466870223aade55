"""`Constraint`: a condition on bodies or joints, and how it is realized."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body, check_name
from vinculum.bonds.actions import called
from vinculum.bonds.constraints.realizations import read_realization
from vinculum.bonds.joints import Joint
from vinculum.errors import ModelError, shortened
from vinculum.scalars import Scalar, vector

LEVELS = ("position", "velocity", "acceleration")


@final
@dataclass(frozen=True, eq=False)
class Constraint:
    """F = 0 for the things listed in ``bodies`` (bodies, "ground" or joints, by object or name), realized as the user says.

    Exactly one of ``position``, ``velocity`` and ``acceleration`` is given: a function of the views of these things in that order,
    and of ``t`` if a parameter is named so, that returns one number or several, all of which shall vanish. A body is seen as its
    position, rotation, velocity, …; a joint as its ``q`` and ``v``; where ``acceleration`` is given also as acceleration, … and ``a``.
    ``realization`` decides which forces keep it, as vc.DAlembert() or its name "dalembert": the same constraint, realized in different
    ways, gives different motions. ``singular``: what is the matter where its rows have no value or no
    Jacobian, for messages, such as "the disc lies flat". Gołubowska, Some aspects of affine motion and nonholonomic constraints.
    """

    name: str
    bodies: Any
    _: KW_ONLY
    position: Callable | None = None
    velocity: Callable | None = None
    acceleration: Callable | None = None
    realization: Any = None
    singular: str = ""

    def __post_init__(self):
        check_name("constraint", self.name)
        where = f"constraint '{self.name}'"
        things = [self.bodies] if isinstance(self.bodies, (Body, Joint, str)) else self.bodies
        if not isinstance(things, (list, tuple)) or not things:
            raise ModelError(
                f"{where}: bodies is {shortened(self.bodies)}; give a list of bodies or joints, by object or name"
            )
        for thing in things:
            if not isinstance(thing, (Body, Joint, str)):
                raise ModelError(f"{where}: {shortened(thing)} is neither a body nor a joint; give one or its name")
        object.__setattr__(self, "bodies", tuple(things))
        given = [level for level in LEVELS if getattr(self, level) is not None]
        if len(given) != 1:
            raise ModelError(
                f"{where}: {' and '.join(given) if given else 'none'} of position=, velocity= and acceleration= "
                f"{'are' if given else 'is'} given; give exactly one function"
            )
        if not callable(self.function):
            raise ModelError(f"{where}: {given[0]} is {self.function!r}; give a function of {shortened(self.names)}")
        if not isinstance(self.singular, str):
            raise ModelError(f"{where}: singular is {shortened(self.singular)}; say in words what is the matter there")
        object.__setattr__(self, "realization", read_realization(where, self.realization))

    @property
    def level(self) -> int:
        """0 for positions, 1 for velocities, 2 for accelerations."""
        return next(i for i, level in enumerate(LEVELS) if getattr(self, level) is not None)

    @property
    def function(self) -> Callable:
        """The function that vanishes."""
        return next(f for level in LEVELS if (f := getattr(self, level)) is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the things it is about."""
        return tuple(thing if isinstance(thing, str) else thing.name for thing in self.bodies)

    def rows(self, views: Sequence, t) -> np.ndarray:
        """The numbers (k,) that vanish, at views of its things that are symbols; one that never changes is refused."""
        array = self.values(views, t)
        for i, x in enumerate(array):
            if not isinstance(x, Scalar) and x != 0.0:
                raise ModelError(
                    f"constraint '{self.name}': row {i} is always {x:g} and never zero; it holds nothing that moves"
                )
        return array

    def values(self, views: Sequence, t) -> np.ndarray:
        """The numbers (k,) that vanish, at views of its things."""
        where = f"constraint '{self.name}'"
        found = called(where, self.function, views, t)
        try:
            array = np.atleast_1d(vector(found))
        except Exception as error:
            raise ModelError(
                f"{where}: its function returned {shortened(found)}; return one number or several"
            ) from error
        if array.ndim != 1 or not len(array):
            raise ModelError(f"{where}: its function returned shape {array.shape}; return one number or a row of them")
        return array
