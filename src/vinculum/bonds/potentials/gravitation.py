"""Newton's gravitation between bodies of any shape."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND, Body, MassPoint, check_name
from vinculum.bonds.actions import PairAction, PairLaw, end_name, read_pair_ends
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.potentials.attracting import attraction, attractors, is_exact, reach
from vinculum.bonds.potentials.numbers import check_sign, number
from vinculum.bonds.potentials.truncation_error import left_out
from vinculum.errors import ModelError
from vinculum.scalars import Value
from vinculum.tolerances.sizes import HIGHEST_MULTIPOLE, MOST_WRITTEN_PAIRS

POINT = MassPoint("point", 1.0)


@final
@dataclass(frozen=True, eq=False)
class GravitationLaw(PairLaw):
    """What a `Gravitation` does."""

    bond: "Gravitation"

    @property
    def is_relative(self) -> bool:
        return True

    @property
    def numbers(self) -> Mapping[str, Any]:
        return {}

    def pair_energy(self, a: BodyView, b: BodyView, t) -> Any:
        where = self.bond.called
        for view in (a, b):
            if type(view.mass) is float and view.mass == 0.0:
                raise ModelError(
                    f"{where}: body '{view.name}' has mass 0 and attracts nothing; give it a mass, or leave it out"
                )
        described = [view._state.body for view in (a, b) if view._state.turns and view._state.body is not None]
        degree = self.degree_for(described)
        one, other = (attractors(where, view, degree) for view in (a, b))
        if len(one) * len(other) > MOST_WRITTEN_PAIRS:
            raise ModelError(
                f"{where}: {len(one) * len(other)} pairs of points of '{a.name}' and '{b.name}' are more than the "
                f"{MOST_WRITTEN_PAIRS} that equations can hold; ask for a lower degree or accuracy, or "
                "build the bodies from fewer atoms or balls"
            )
        parts = (attraction(a, part, b, piece, self.bond.softening) for part in one for piece in other)
        return self.bond.G * sum(parts, 0.0)

    def degree_for(self, bodies: Sequence) -> int | None:
        """Up to which degree moments of ``bodies`` count; None for what is exact, or second moments."""
        if self.bond.accuracy is None:
            return self.bond.degree
        assert self.bond.nearest is not None
        where = self.bond.called
        spread = [body for body in bodies if not is_exact(body)]
        unknown = next((body for body in spread if not np.isfinite(reach(body))), None)
        if unknown is not None:
            raise ModelError(
                f"{where}: accuracy cannot be told for '{unknown.name}', of which only mass and inertia are known; make it with "
                "vc.RigidBody.solid or vc.RigidBody.of, which keep the mass measure"
            )
        if not spread:
            return 2
        a, b = (*bodies, POINT)[:2]
        size = reach(a) + reach(b)
        for degree in range(2, HIGHEST_MULTIPOLE):
            if left_out(a, b, self.bond.nearest, degree) <= self.bond.accuracy:
                return degree
        raise ModelError(
            f"{where}: bodies that reach {size:g} m together at a distance of {self.bond.nearest:g} m need moments of a degree above "
            f"{HIGHEST_MULTIPOLE - 1} for an accuracy of {self.bond.accuracy:g}; ask for less, or build the bodies from atoms or balls"
        )

    def check(self, values: Mapping[str, float] | None = None) -> None:
        where = self.bond.called
        check_sign(where, "G", self.bond.G, "m³/(kg s²)", values, positive=True)
        check_sign(where, "softening", self.bond.softening, "m", values)


@final
@dataclass(frozen=True, eq=False)
class Gravitation(PairAction):
    r"""Newton's attraction between every pair of ``bodies``.

    .. math:: U = -\sum_{a<b} G \iint \frac{dm\,dm'}{|x - x'|}

    The attraction of mass points, homogeneous balls and bodies composed of them is exact. Other rigid bodies attract
    with their mass and second moments (MacCullagh). ``degree=p`` replaces each mass measure by points with the same
    moments up to that degree. ``accuracy`` with ``nearest`` [m], the smallest distance of mass centers during the
    motion, chooses p so that the truncation error is below that fraction of the energy: see `truncation`. Forces and
    moments are always exactly opposite, because they follow from one energy. ``G`` [m³/(kg s²)]; ``softening`` ε [m]
    replaces r by √(r² + ε²). Cheremensky, On Concept of Mechanical System, eq. (12) and section 2.

    >>> attraction = vc.potentials.Gravitation("attraction", ["sun", "earth"], G=1.0)
    """

    name: str
    bodies: Any
    G: Value = 6.67430e-11
    softening: Value = 0.0
    degree: int | None = None
    accuracy: float | None = None
    nearest: float | None = None

    def __post_init__(self):
        check_name("gravitation", self.name)
        where = self.called
        object.__setattr__(self, "bodies", read_pair_ends(where, self.bodies))
        if GROUND in [end_name(end) for end in self.bodies]:
            raise ModelError(
                f"{where}: the ground has no mass; give the attracting body, or a uniform System(gravity=…)"
            )
        for what in ("G", "softening"):
            object.__setattr__(self, what, number(where, what, getattr(self, what)))
        self._check_degree(where)
        self.law.check()

    def truncation(self, a: Body, b: Body, distance: float) -> float:
        r"""Bound of the truncation error of the energy of two bodies at a ``distance`` [m] of their mass centers, as a
        fraction of G m m'/r.

        .. math:: \sum_{i\ \text{or}\ j > p} \binom{i+j}{i}\,
                  \frac{\langle|x|^i\rangle\langle|y|^j\rangle + \langle|x|^i\rangle_p\langle|y|^j\rangle_p}{r^{i+j}}

        with means over the masses of the two bodies, from their mass centers, and over the points that replace them at
        degree p. The error of forces is about (p + 2) times this fraction. The bound is infinite for a body of which
        only the inertia is known, and for distances below the sum of the radii, from mass center to farthest mass.
        """
        if all(is_exact(body) for body in (a, b)):
            return 0.0
        return left_out(a, b, distance, self.law.degree_for([a, b]))

    def _check_degree(self, where: str) -> None:
        if (self.accuracy is None) != (self.nearest is None):
            raise ModelError(f"{where}: accuracy and nearest go together: the share left out depends on the distance")
        if self.accuracy is not None and self.degree is not None:
            raise ModelError(f"{where}: degree and accuracy are both given; give one of them")
        if self.degree is not None and not (type(self.degree) is int and 0 <= self.degree < HIGHEST_MULTIPOLE):
            raise ModelError(
                f"{where}: degree {self.degree!r} must be a whole number from 0 to {HIGHEST_MULTIPOLE - 1}"
            )
        for what in ("accuracy", "nearest"):
            x = getattr(self, what)
            if x is not None and not (isinstance(x, (int, float)) and math.isfinite(x) and x > 0.0):
                raise ModelError(f"{where}: {what} {x!r} must be a positive number")

    @property
    def law(self) -> GravitationLaw:
        return GravitationLaw(self)
