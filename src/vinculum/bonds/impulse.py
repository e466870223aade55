"""`Impulse`: an applied impulse on a body or along a joint, at given instants."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND, Body, check_name
from vinculum.bonds.actions import Action, Effort, ExternalLaw, call_with_views, effort, given_wrench
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.joints import Joint
from vinculum.errors import ModelError, shorten
from vinculum.scalars import Scalar, vector
from vinculum.screws import Wrench


@final
@dataclass(frozen=True, eq=False)
class ImpulseLaw(ExternalLaw):
    """What an `Impulse` does."""

    impulse: "Impulse"

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        if not isinstance(self.impulse.wrench, Wrench) and not callable(self.impulse.wrench):
            raise ModelError(
                f"{self.impulse.called}: {shorten(self.impulse.wrench)} is not a wrench for body '{self.impulse.struck}'; "
                "give vc.Wrench(force=…, moment=…, at=…) in N s, or a function that returns one"
            )
        return [effort(views[0], given_wrench(self.impulse.called, self.impulse.wrench, views, t))]

    def along(self, view: Any, count: int, t) -> np.ndarray:
        """The impulses (count,) along the velocities of a joint that is seen like ``view``."""
        found = (
            call_with_views(self.impulse.called, self.impulse.wrench, [view], t)
            if callable(self.impulse.wrench)
            else self.impulse.wrench
        )
        told = f"{self.impulse.called}: {shorten(found)} is not an impulse along joint '{self.impulse.struck}'"
        one = "give a number" if count == 1 else f"give {count} numbers, one for each of its velocities"
        if isinstance(found, Wrench):
            raise ModelError(f"{told}; {one}, or strike a body with the wrench")
        try:
            numbers = np.atleast_1d(vector([found] if isinstance(found, (Scalar, int, float)) else found))
        except Exception as error:
            raise ModelError(f"{told}; {one} [N s, or N m s for an angle]") from error
        if numbers.shape != (count,):
            raise ModelError(f"{told}; {one}, got shape {numbers.shape}")
        if numbers.dtype != object and not np.all(np.isfinite(numbers)):
            raise ModelError(f"{told}: it is not finite; {one}")
        return numbers


@final
@dataclass(frozen=True, eq=False)
class Impulse(Action):
    r"""A `Wrench` of impulses (``force`` [N s], ``moment`` [N m s]) on a body at the instants ``at`` [s]: atoms of the
    applied efforts.

    .. math:: M\,(v^+ - v^-) = J^T P + \text{atoms of the reactions}

    ``on``: a body, or a joint with one number, or one for each velocity [N s, or N m s for an angle]. ``wrench`` may
    be a function of the view of the body or joint immediately before the impulse, and of ``t`` if it has that
    argument. All impulses at one instant use the same state. The body that exerts it is not in the system. Moreau, An
    expression of classical dynamics, (4.3).

    >>> kick = vc.Impulse("kick", "ball", vc.Wrench(force=(0, 0, 1.5)), at=0.2)
    """

    name: str
    on: Body | Joint | str
    wrench: Callable | Wrench | Any
    _: KW_ONLY
    at: Any = None

    def __post_init__(self):
        check_name("impulse", self.name)
        if not isinstance(self.on, (Body, Joint, str)):
            raise ModelError(
                f"{self.called}: {shorten(self.on)} is neither a body nor a joint; name what is struck, as "
                "vc.Impulse('kick', ball, vc.Wrench(force=…), at=1.0)"
            )
        if self.struck == GROUND:
            raise ModelError(f"{self.called}: the ground does not move; name the body or joint that is struck")
        object.__setattr__(self, "at", _instants(self.called, self.at))
        if isinstance(self.wrench, Wrench) and np.ndim(self.wrench.force) != 1:
            raise ModelError(f"{self.called}: a batch of wrenches cannot act on one body; give three numbers")

    @property
    def struck(self) -> str:
        """The name of the body or joint."""
        return self.on if isinstance(self.on, str) else self.on.name

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return () if isinstance(self.on, Joint) else (self.on,)

    @property
    def law(self) -> "ImpulseLaw":
        return ImpulseLaw(self)


def _instants(where: str, given) -> tuple[float, ...]:
    """Instants [s] in order, each once."""
    if given is None:
        raise ModelError(f"{where}: at what instant? give at=, a number [s] or several")
    try:
        if isinstance(given, (str, bytes, bool)):
            raise TypeError(given)
        numbers = np.atleast_1d(np.asarray(given, dtype=float))
    except Exception as error:
        raise ModelError(f"{where}: at is {shorten(given)}; give an instant [s] or several as plain numbers") from error
    if numbers.ndim != 1 or not len(numbers):
        raise ModelError(f"{where}: at has shape {numbers.shape}; give an instant [s] or a list of some")
    if not np.all(np.isfinite(numbers)):
        raise ModelError(f"{where}: at holds {numbers[~np.isfinite(numbers)][0]}; give finite instants [s]")
    ordered = np.sort(numbers)
    twice = ordered[1:][np.diff(ordered) == 0.0]
    if len(twice):
        raise ModelError(f"{where}: at names t = {twice[0]:g} s twice; strike once with the sum, or add two impulses")
    return tuple(float(x) for x in ordered)
