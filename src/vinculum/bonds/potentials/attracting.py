"""Representation of a body for gravitation: point masses, and second moments of extended bodies."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body, second_moment
from vinculum.bodies.mechanics import second_moment_of
from vinculum.bonds.actions import square
from vinculum.bonds.body_view import BodyView
from vinculum.errors import ModelError
from vinculum.measures.seen_outside import is_points, point_masses
from vinculum.measures.seen_outside import reach as measure_reach
from vinculum.scalars import value
from vinculum.scalars.math import dot, pow

SECOND_MOMENTS = 2


@final
@dataclass(frozen=True, eq=False)
class Attractor:
    """Mass [kg] at ``point`` (3,) of a body's frame; ``spread``: ∫ρ r rᵀ about it, (3, 3) [kg m²], None for a point."""

    mass: Any
    point: np.ndarray
    spread: np.ndarray | None = None


def attractors(where: str, view: BodyView, degree: int | None) -> list[Attractor]:
    """Point masses that represent a body up to moments of the ``degree``; None: second moments, or exact for
    points."""
    body = view._state.body
    if not view._state.turns or body is None:
        return [Attractor(view.mass, np.zeros(3))]
    measure = body.measure
    if is_exact(body) and (degree is None or degree > SECOND_MOMENTS):
        degree = SECOND_MOMENTS + 1
    varying = body.mechanics.varying
    mass, center = (body.mass, body.center) if varying is None else (view.mass, view._state.com)
    if degree in (0, 1):
        return [Attractor(mass, center)]
    if degree is None or degree == SECOND_MOMENTS:
        spread = second_moment(body) if varying is None else second_moment_of(varying.inertia(mass))
        return [
            Attractor(mass, center, None if _is_round(spread) and not body.mechanics.kinematics.deforms else spread)
        ]
    if measure is None or varying is not None:
        raise ModelError(
            f"{where}: degree {degree} asks for higher moments of '{body.name}' than its inertia tells; make it with "
            f"vc.RigidBody.solid or vc.RigidBody.of, which keep the mass measure, or ask for degree={SECOND_MOMENTS}"
        )
    return [Attractor(m, p) for p, m in zip(*point_masses(measure, degree), strict=True)]


def reach(body: Body) -> float:
    """Distance [m] from the mass center to the farthest mass, where a homogeneous ball counts as its center; infinite if unknown."""
    return (
        np.inf
        if body.measure is None or body.mechanics.kinematics.deforms or body.mechanics.varying is not None
        else float(value(measure_reach(body.measure, body.center)))
    )


def is_exact(body: Body) -> bool:
    """Whether the attraction of the body is exactly that of points; a ball that deforms is no ball."""
    fixed = body.mechanics.varying is None and not body.mechanics.kinematics.deforms
    return body.measure is not None and fixed and is_points(body.measure)


def attraction(one: BodyView, a: Attractor, other: BodyView, b: Attractor, softening):
    r"""Energy of two attractors for a gravitational constant of one.

    .. math:: U = -\frac{m m'}{\rho} - \tfrac12\Big(-\frac{\mathrm{tr}\,S}{\rho^3} + \frac{3\,d\cdot S d}{\rho^5}\Big),
              \qquad S = m' S_a + m S_b,\quad \rho^2 = d\cdot d + \varepsilon^2

    S_a, S_b are the second moments in world axes; with ε = 0 this is MacCullagh's formula for both bodies.
    """
    d = one.point(a.point) - other.point(b.point)
    rho2 = square(d) + softening * softening
    energy = -a.mass * b.mass * pow(rho2, -0.5)
    for view, this, mass in ((one, a, b.mass), (other, b, a.mass)):
        if this.spread is not None:
            arm, S = _in_body(view, d, this.spread)
            trace = S[0, 0] + S[1, 1] + S[2, 2]
            energy = energy + 0.5 * mass * (trace * pow(rho2, -1.5) - 3.0 * dot(arm, S @ arm) * pow(rho2, -2.5))
    return energy


def _in_body(view: BodyView, d, spread) -> tuple[np.ndarray, np.ndarray]:
    """A vector and second moments in axes where these are the body's own; those of a body that deforms are carried by it."""
    if view._state.kinematics.deforms:
        return d, view.affine.deformation @ spread @ view.affine.deformation.T
    return view.rotation.T @ d, spread


def _is_round(S) -> bool:
    """Whether second moments are isotropic, so that they have no effect outside."""
    return bool(S.dtype != object and np.array_equal(S, S[0, 0] * np.eye(3)))
