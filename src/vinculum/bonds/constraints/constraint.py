"""`Constraint`: a condition on bodies or joints, with its realization."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body, BodyGroup, check_name
from vinculum.bonds.actions import call_with_views
from vinculum.bonds.constraints.realizations import read_realization
from vinculum.bonds.joints import Joint
from vinculum.bonds.symbol import Symbol
from vinculum.errors import ModelError, shorten
from vinculum.scalars import Scalar, vector

LEVELS = ("position", "velocity", "acceleration")


@final
@dataclass(frozen=True, eq=False)
class Constraint:
    """A condition F = 0 on ``bodies`` (bodies, "ground" or joints, by object or name), with a realization.

    Give exactly one of ``position``, ``velocity`` and ``acceleration``: a function of the views of these objects in
    that order, and of ``t`` if it has an argument of that name. It returns one number or several, all of which must
    vanish. The view of a body has position, rotation, velocity, …; that of a joint ``q`` and ``v``; with
    ``acceleration`` also acceleration, … and ``a``. ``realization`` determines the forces that enforce the constraint,
    as vc.DAlembert() or its name "dalembert": the same constraint with different realizations gives different motions.
    ``singular``: a remark for error messages at positions where the rows or their Jacobian are not defined, such as
    "the disc lies flat". ``symbol``: what it looks like in a picture. Gołubowska, Some
    aspects of affine motion and nonholonomic constraints.

    >>> circle = vc.Constraint("circle", ["bead"], position=lambda b: vc.math.dot(b.position, b.position) - 1,
    ...     realization=vc.DAlembert())
    """

    name: str
    bodies: Any
    _: KW_ONLY
    position: Callable | None = None
    velocity: Callable | None = None
    acceleration: Callable | None = None
    realization: Any = None
    singular: str = ""
    symbol: Symbol | None = None

    def __post_init__(self):
        check_name("constraint", self.name)
        where = f"constraint '{self.name}'"
        things = [self.bodies] if isinstance(self.bodies, (Body, BodyGroup, Joint, str)) else self.bodies
        if not isinstance(things, (list, tuple)) or not things:
            raise ModelError(
                f"{where}: bodies is {shorten(self.bodies)}; give a list of bodies or joints, by object or name"
            )
        for thing in things:
            if not isinstance(thing, (Body, BodyGroup, Joint, str)):
                raise ModelError(f"{where}: {shorten(thing)} is neither a body nor a joint; give one or its name")
        object.__setattr__(self, "bodies", tuple(things))
        given = [level for level in LEVELS if getattr(self, level) is not None]
        if len(given) != 1:
            raise ModelError(
                f"{where}: {' and '.join(given) if given else 'none'} of position=, velocity= and acceleration= "
                f"{'are' if given else 'is'} given; give exactly one function"
            )
        if not callable(self.function):
            raise ModelError(f"{where}: {given[0]} is {self.function!r}; give a function of {shorten(self.names)}")
        if not isinstance(self.singular, str):
            raise ModelError(f"{where}: singular is {shorten(self.singular)}; say in words what is the matter there")
        object.__setattr__(self, "realization", read_realization(where, self.realization))

    @property
    def called(self) -> str:
        """Kind and name in a message."""
        return f"constraint '{self.name}'"

    @property
    def ends(self) -> tuple[Any, ...]:
        """Its bodies and joints, in the order of its function's arguments."""
        return self.bodies

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
        """Names of its bodies and joints."""
        return tuple(thing if isinstance(thing, str) else thing.name for thing in self.bodies)

    def rows(self, views: Sequence, t) -> np.ndarray:
        """The rows F (k,) at symbolic views of its bodies and joints; a constant row is refused."""
        array = self.values(views, t)
        for i, x in enumerate(array):
            if not isinstance(x, Scalar) and x != 0.0:
                raise ModelError(
                    f"constraint '{self.name}': row {i} is always {x:g} and never zero; it constrains nothing that moves"
                )
        return array

    def values(self, views: Sequence, t) -> np.ndarray:
        """The rows F (k,) at views of its bodies and joints."""
        where = f"constraint '{self.name}'"
        found = call_with_views(where, self.function, views, t)
        try:
            array = np.atleast_1d(vector(found))
        except Exception as error:
            raise ModelError(
                f"{where}: its function returned {shorten(found)}; return one number or several"
            ) from error
        if array.ndim != 1 or not len(array):
            raise ModelError(f"{where}: its function returned shape {array.shape}; return one number or a row of them")
        return array
