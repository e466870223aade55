"""Rolling without slip: a convex body on a plane."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND, Body, check_name
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.frames import direction, positive, slip
from vinculum.bonds.constraints.realizations import read_realization
from vinculum.bonds.constraints.support import (
    Homogeneous,
    extend_support,
    of_disc,
    of_ellipsoid,
    of_sphere,
    surface_points,
    touching_point,
)
from vinculum.bonds.symbol import Symbol
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.scalars.math import cross, dot, norm
from vinculum.screws.entries import entries


@final
@dataclass(frozen=True, eq=False)
class Rolling:
    r"""Rolling without slip of a convex body on a plane of the body ``on``: two constraints in one bond.

    .. math:: n\cdot(x - x_0) - h(-R^T n) = 0,\qquad t_k\cdot(v_p - v_p^{on}) = 0,\quad p = \frac{\partial h}{\partial u}

    ``touching`` (named ``"… contact"``) keeps the body on the plane; ``rolling`` (named as the bond) excludes slip of
    the contact point p along two directions t of the plane. ``support``: the support function h of unit vectors u in
    the body's frame, the largest u·x of its points x [m].
    ``normal`` n, pointing to the side of the body, and ``through`` x₀ [m] are in the frame of ``on``, which may be the ground or a
    body that moves, such as a prescribed turntable. ``contact``: the realization of the contact condition, by default
    ``realization``. `Rolling.disc`, `Rolling.sphere` and `Rolling.ellipsoid` provide h. For a sliding body add only
    ``touching``.

    >>> wheel = vc.constraints.Rolling.disc("rolling", "wheel", 0.3, realization="dalembert")
    """

    name: str
    body: Body | str
    support: Callable
    _: KW_ONLY
    on: Body | str = GROUND
    normal: Any = (0.0, 0.0, 1.0)
    through: Any = (0.0, 0.0, 0.0)
    realization: Any = None
    contact: Any = None

    def __post_init__(self):
        check_name("rolling", self.name)
        where = f"rolling '{self.name}'"
        if not callable(self.support):
            raise ModelError(
                f"{where}: support is {self.support!r}; give a function of a direction u, or use vc.constraints.Rolling.sphere"
            )
        object.__setattr__(self, "normal", direction(where, "normal", self.normal))
        object.__setattr__(self, "through", entries(f"{where}: through", self.through, (3,)))
        object.__setattr__(self, "realization", read_realization(where, self.realization))
        if self.contact is None and 0 not in self.realization.claims.levels:
            raise ModelError(
                f"{where}: {self.realization.claims.name} does not keep the body on the plane, it only acts on its slip; "
                "say how the contact is kept, as contact=vc.DAlembert()"
            )
        contact = self.realization if self.contact is None else read_realization(f"{where}: contact", self.contact)
        object.__setattr__(self, "contact", contact)

    @staticmethod
    def disc(
        name: str, body: Body | str, radius, *, axis=(0.0, 1.0, 0.0), center=(0.0, 0.0, 0.0), **plane
    ) -> "Rolling":
        """A thin disc of ``radius`` [m] about ``center`` [m], normal to ``axis``, both in the body's frame; it must
        not lie flat."""
        where = f"rolling '{name}'"
        shape = of_disc(positive(where, "radius", radius, "m"), direction(where, "axis", axis),
                        entries(f"{where}: center", center, (3,)))  # fmt: skip
        return Rolling(name, body, shape, **plane)

    @staticmethod
    def sphere(name: str, body: Body | str, radius, *, center=(0.0, 0.0, 0.0), **plane) -> "Rolling":
        """A sphere of ``radius`` [m] about ``center`` [m] in the body's frame; the mass center may be elsewhere."""
        where = f"rolling '{name}'"
        shape = of_sphere(positive(where, "radius", radius, "m"), entries(f"{where}: center", center, (3,)))
        return Rolling(name, body, shape, **plane)

    @staticmethod
    def ellipsoid(name: str, body: Body | str, semi_axes, *, center=(0.0, 0.0, 0.0), **plane) -> "Rolling":
        """An ellipsoid with ``semi_axes`` (3,) [m] along the axes of the body's frame, about ``center`` [m]."""
        where = f"rolling '{name}'"
        axes = entries(f"{where}: semi_axes", semi_axes, (3,))
        if not np.all(value(axes) > 0.0):
            raise ModelError(f"{where}: semi_axes {value(axes).tolist()} are not all positive; give three lengths [m]")
        return Rolling(name, body, of_ellipsoid(axes, entries(f"{where}: center", center, (3,))), **plane)

    @property
    def touching(self) -> Constraint:
        """The contact with the plane, on positions, one row."""
        return Constraint(f"{self.name} contact", [self.body, self.on], position=self._height, realization=self.contact,
                          singular=self._singular, symbol=self._symbol)  # fmt: skip

    @property
    def rolling(self) -> Constraint:
        """No slip, on velocities, two rows."""
        return Constraint(self.name, [self.body, self.on], velocity=self._slip, realization=self.realization,
                          singular=self._singular)  # fmt: skip

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Both."""
        return (self.touching, self.rolling)

    @property
    def _support(self) -> Callable:
        return extend_support(self.support)

    @property
    def _singular(self) -> str:
        """Where a support function has no gradient, no single point touches."""
        return self.support.singular if isinstance(self.support, Homogeneous) else ""

    @property
    def _symbol(self) -> Symbol:
        """The body that rolls, with its plane: a place of it and its normal."""
        shape = self.support.symbol if isinstance(self.support, Homogeneous) else None
        if shape is None:
            shape = Symbol("hull", (np.zeros(3),), corners=partial(surface_points, self.support))
        return replace(shape, points=(*shape.points, self.through), axes=(shape.axes[0], self.normal))

    def contact_point(self, body: BodyView, on: BodyView) -> np.ndarray:
        """The contact point (3,) [m] in the body's frame."""
        return touching_point(self._support, -(body.rotation.T @ (on.rotation @ self.normal)))

    def _height(self, body: BodyView, on: BodyView):
        n = on.rotation @ self.normal
        return dot(n, body.position - on.point(self.through)) - self._support(-(body.rotation.T @ n))

    def _slip(self, body: BodyView, on: BodyView) -> np.ndarray:
        moving = slip(body, self.contact_point(body, on), on)
        return np.array([dot(on.rotation @ t, moving) for t in across(self.normal)])


def across(normal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors that come before a unit vector in a right-handed frame."""
    t = cross(normal, np.eye(3)[np.argmin(np.abs(value(normal)))])
    t = t / norm(t)
    return cross(t, normal), t
