"""The point-body: a frame whose kinetic energy is any quadratic form of its twist."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.bodies.body import Body, check_mass, check_name
from vinculum.bodies.frame_changes import FunctionsInFrame
from vinculum.bodies.kinematics import RIGID
from vinculum.bodies.mechanics import BodyMechanics
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.screws import skew
from vinculum.screws.entries import check_finite, entries
from vinculum.tolerances.functions import TYPED
from vinculum.tolerances.rank import SINGULAR_POINT_BODY


@final
@dataclass(frozen=True, eq=False)
class PointBody(Body):
    r"""A body with velocity v of its origin, angular velocity ω and the inertias A, B, C, all in its own axes.

    .. math:: k = \tfrac12 v\cdot A v + v\cdot B\omega + \tfrac12\omega\cdot C\omega,\qquad
        p = A v + B\omega,\qquad q = B^T v + C\omega

    p is its momentum and q its dynamical spin: ṗ = f, q̇ + v × p = m in world axes. ``A`` [kg], ``B`` [kg m], ``C`` [kg m²]: (3, 3), or the
    diagonal (one number for a multiple of 1); the matrix of A, B, Bᵀ, C must be positive definite. A rigid body is A = m 1,
    B = −m r_c^×, C = J at its origin; others are bodies in a fluid (Kirchhoff), or with gyroscopes inside. ``mass`` [kg], at
    ``com`` (3,) [m],
    is what gravity acts on; it follows from A if that is a multiple of 1, and the place from B if that is skew too.
    Cheremensky, On Concept of
    Mechanical System, section 2.4.2.

    >>> disc = vc.PointBody("disc", A=(3, 3, 3), B=0, C=(0.1, 0.1, 0.2))
    """

    name: str
    A: Any
    B: Any
    C: Any
    mass: Any = None
    com: Any = None
    shape: Any = None

    def __post_init__(self):
        check_name("body", self.name)
        where = f"body '{self.name}'"
        for what in "ABC":
            given = entries(f"{where}: {what}", getattr(self, what), (3, 3), (3,), ())
            matrix = given if given.ndim == 2 else np.diag(given) if given.ndim else given.item() * np.eye(3)
            object.__setattr__(self, what, matrix)
        if self.mass is None:
            object.__setattr__(self, "mass", self._mass_of_inertia(where))
        object.__setattr__(self, "mass", entries(f"{where}: mass", self.mass, ()).item())
        if self.com is None:
            object.__setattr__(self, "com", self._center_of_inertia())
        object.__setattr__(self, "com", entries(f"{where}: com", self.com, (3,)))
        self._check()

    def _mass_of_inertia(self, where: str):
        A = np.asarray(value(self.A), dtype=float)
        if np.abs(A - A[0, 0] * np.eye(3)).max() > TYPED * np.abs(A).max():
            raise ModelError(
                f"{where}: A = {A.tolist()} is not a multiple of 1, so it does not tell which mass gravity acts on; give mass= [kg]"
            )
        return self.A[0, 0]

    def _center_of_inertia(self) -> np.ndarray:
        B, A = (np.asarray(value(M), dtype=float) for M in (self.B, self.A))
        skewed = np.abs(B + B.T).max() <= TYPED * np.abs(B).max(initial=0.0)
        even = np.abs(A - A[0, 0] * np.eye(3)).max() <= TYPED * np.abs(A).max()
        return np.array([self.B[1, 2], self.B[2, 0], self.B[0, 1]]) / self.mass if skewed and even else np.zeros(3)

    @property
    def inertia(self) -> np.ndarray:
        """Θ (6, 6) of the kinetic energy ½ V·Θ V of the twist V = (v, ω)."""
        return np.block([[self.A, self.B], [self.B.T, self.C]])

    @property
    def measure(self) -> None:
        return None

    @property
    def center(self) -> np.ndarray:
        return self.com

    @property
    def inertia_at_center(self) -> np.ndarray:
        return np.zeros((3, 3))

    @property
    def turns(self) -> bool:
        return True

    @cached_property
    def mechanics(self) -> BodyMechanics:  # type: ignore[override]
        c = skew(self.com)
        weighed = np.block([[self.mass * np.eye(3), -self.mass * c], [self.mass * c, -self.mass * (c @ c)]])
        return BodyMechanics(RIGID, extra_inertia=self.inertia - weighed)

    def _in_frame(self, functions: FunctionsInFrame) -> Body:
        Theta = np.asarray(value(self.inertia), dtype=float)
        extra = np.asarray(value(self.mechanics.extra_inertia), dtype=float)[:3]
        if np.any(functions.frame.velocity) and np.abs(extra).max() > TYPED * np.abs(Theta[:3]).max():
            raise ModelError(
                f"body '{self.name}': its momentum is not that of its mass, as that of a body in a fluid at rest, so no frame that moves "
                "sees the same law; leave the velocity of the frame out, or use a vc.RigidBody"
            )
        return self

    def _check(self, values: Mapping[str, float] | None = None) -> None:
        where = f"body '{self.name}'"
        check_mass(self.name, self.mass, values)
        check_finite(f"{where}: com", self.com, values)
        if self.shape is not None:
            self.shape.check(values)
        Theta = check_finite(f"{where}: A, B, C", self.inertia, values)
        for what, part in (("A", Theta[:3, :3]), ("C", Theta[3:, 3:])):
            with np.errstate(over="ignore"):
                off = np.abs(part - part.T)
            if off.max() > TYPED * np.abs(part).max(initial=np.finfo(float).tiny):
                i, j = np.unravel_index(off.argmax(), (3, 3))
                raise ModelError(
                    f"{where}: {what} is not symmetric: entry ({i}, {j}) is {part[i, j]:g} but ({j}, {i}) is {part[j, i]:g}"
                )
        # lengths are measured in the radius of gyration, so that kilograms and kg m² can be compared
        with np.errstate(all="ignore"):
            sizes = np.diag(Theta)[:3].sum(), np.diag(Theta)[3:].sum()
            size = np.sqrt(sizes[1] / sizes[0]) if min(sizes) > 0.0 else 1.0
            scale = np.array([1.0] * 3 + [1.0 / size] * 3)
            scaled = 0.5 * (Theta + Theta.T) * np.outer(scale, scale)
        if not np.all(np.isfinite(scaled)):
            raise ModelError(
                f"{where}: A, B, C are too far apart in size to be compared: {sizes[0]:g} kg and {sizes[1]:g} kg m²"
            )
        moments, axes = np.linalg.eigh(scaled)
        if not moments[0] > SINGULAR_POINT_BODY * abs(moments[-1]):
            v, w = axes[:3, 0], axes[3:, 0] / size
            energy = 0.5 * axes[:, 0] @ scaled @ axes[:, 0]
            raise ModelError(
                f"{where}: A, B, C are not positive definite: with the velocity {np.round(v, 6).tolist()} m/s and the angular velocity "
                f"{np.round(w, 6).tolist()} rad/s the kinetic energy is {energy:.6g} J; check the signs, and that B is small enough: "
                "A − B C⁻¹ Bᵀ must be positive definite"
            )
