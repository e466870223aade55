"""`Unilateral`: a gap between bodies that must not become negative, with impact law and friction."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, final

import numpy as np

from vinculum.bodies import Body, check_name
from vinculum.bonds.actions import call_with_views
from vinculum.bonds.body_view import BodyView, change_view
from vinculum.bonds.joints import Joint
from vinculum.bonds.unilaterals.frictions import read_friction
from vinculum.bonds.unilaterals.impact_laws import read_impact
from vinculum.bonds.unilaterals.walls import HalfSpace
from vinculum.errors import ModelError, shorten
from vinculum.scalars import Scalar, vector
from vinculum.screws.entries import entries

UNILATERAL_CHOICES = ("the gap alone does not determine it: a number e from 0 to 1 (Newton's law), 'inelastic', 'elastic', "
           "vc.Inelastic(), vc.Elastic(), vc.Newton(e) or vc.Poisson(e)")  # fmt: skip
GAP_OF_PLACES = "a gap depends on positions only; write it without velocities"


@final
@dataclass(frozen=True, eq=False)
class Unilateral:
    r"""A unilateral constraint ``gap`` ≥ 0 without adhesion between ``bodies`` (bodies, "ground" or joints).

    .. math:: R = \nu\,\nabla g,\qquad \nu \ge 0 \text{ carried by } \{g = 0\}

    ``gap`` [m, or rad between joints]: a function of the views of these objects in that order, and of ``t`` if it has
    that argument. ``impact``: the impact law, or a number e for Newton's. ``friction``: vc.Coulomb(mu) or the number
    μ; it needs ``point``, a function like ``gap`` that returns the point of contact (3,). The sliding velocity is that
    of the material points there of the first body and of the second (or of the ground). ``frame``: a function of views
    and ``t`` that returns \|∂g/∂x\|, the point of contact and normal and tangents as rows, in place of those that follow
    from ``gap``. Moreau, An expression of classical dynamics, section 6.

    >>> floor = vc.Unilateral("floor", ["ball"], gap=lambda b: b.position[2] - 0.1, impact=vc.Newton(0.5))
    """

    name: str
    bodies: Any
    _: KW_ONLY
    gap: Callable
    impact: Any = None
    friction: Any = None
    point: Callable | None = None
    frame: Callable | None = field(default=None, repr=False)

    def __post_init__(self):
        check_name("unilateral", self.name)
        things = [self.bodies] if isinstance(self.bodies, (Body, Joint, str)) else self.bodies
        if not isinstance(things, (list, tuple)) or not things:
            raise ModelError(
                f"{self.called}: bodies is {shorten(self.bodies)}; give a list of bodies or joints, by object or name"
            )
        for thing in things:
            if not isinstance(thing, (Body, Joint, str)):
                raise ModelError(f"{self.called}: {shorten(thing)} is neither a body nor a joint; give one or its name")
        object.__setattr__(self, "bodies", tuple(things))
        if not callable(self.gap):
            raise ModelError(f"{self.called}: gap is {shorten(self.gap)}; give a function of {', '.join(self.names)}")
        object.__setattr__(self, "impact", read_impact(self.called, self.impact, UNILATERAL_CHOICES))
        object.__setattr__(self, "friction", read_friction(self.called, self.friction))
        if self.point is not None and not callable(self.point):
            raise ModelError(
                f"{self.called}: point is {shorten(self.point)}; give a function of {', '.join(self.names)} that returns the place "
                "of contact, or leave it out"
            )
        if self.frame is not None and not callable(self.frame):
            raise ModelError(f"{self.called}: frame is {shorten(self.frame)}; give a function, or leave it out")
        if self.friction is not None and len(things) > 2:
            raise ModelError(
                f"{self.called}: {len(things)} bodies are listed; friction acts between two, or one and the ground"
            )
        if self.friction is not None and not callable(self.point):
            raise ModelError(
                f"{self.called}: friction needs the point of contact; give point=, a function of {', '.join(self.names)} that "
                "returns the point of contact"
            )

    @classmethod
    def on_plane(
        cls,
        name: str,
        body: Body | str,
        foot=(0.0, 0.0, 0.0),
        *,
        plane: HalfSpace | None = None,
        impact=None,
        friction=None,
    ) -> "Unilateral":
        """A material point of a body, ``foot`` (3,) [m] in its own frame, stays above a ``plane``, by default z = 0.

        Gap and point of contact follow from it.
        """
        p, plane = (
            entries(f"unilateral constraint '{name}': foot", foot, (3,)),
            HalfSpace((0, 0, 1)) if plane is None else plane,
        )
        if not isinstance(plane, HalfSpace):
            raise ModelError(
                f"unilateral constraint '{name}': plane is {shorten(plane)}; give vc.shapes.HalfSpace(normal, offset)"
            )
        n, offset = plane.normal, plane.offset
        gap, point = (lambda own: n @ own.point(p) - offset), (lambda own: own.point(p))
        return cls(name, [body], gap=gap, impact=impact, friction=friction, point=point)

    @property
    def called(self) -> str:
        return f"unilateral constraint '{self.name}'"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its bodies and joints."""
        return tuple(thing if isinstance(thing, str) else thing.name for thing in self.bodies)

    @property
    def rows(self) -> int:
        """Number of components of its reaction: one normal and, with friction, two tangential."""
        return 1 if self.friction is None else 3

    def gap_at(self, views: Sequence, t) -> Any:
        """The gap at views of its bodies and joints, without velocities."""
        found = call_with_views(self.called, self.gap, [_still(view) for view in views], t)
        if np.shape(found) != ():
            raise ModelError(f"{self.called}: its gap has shape {np.shape(found)}; return one number")
        if not isinstance(found, Scalar):
            raise ModelError(f"{self.called}: its gap is always {shorten(found)}; it limits nothing that moves")
        return found

    def point_at(self, views: Sequence, t) -> np.ndarray:
        """The point of contact (3,) at views of its bodies and joints."""
        assert self.point is not None
        found = vector(call_with_views(self.called, self.point, [_still(view) for view in views], t))
        if found.shape != (3,):
            raise ModelError(f"{self.called}: its point has shape {found.shape}; return three numbers [m]")
        return found


def _still(view: Any) -> Any:
    return change_view(view, motion=GAP_OF_PLACES) if isinstance(view, BodyView) else view
