"""`Contact`: bodies with shapes that collide with each other and with walls."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, final

from vinculum.bodies import Body, BodyGroup, check_name
from vinculum.bonds.unilaterals.frictions import read_friction
from vinculum.bonds.unilaterals.impact_laws import SEQUENTIAL, read_impact
from vinculum.bonds.unilaterals.surfaces import HeightField, Mesh
from vinculum.bonds.unilaterals.walls import FixedSolid, HalfSpace, TwoSidedPlane
from vinculum.errors import ModelError, shorten
from vinculum.measures.meshes.polytope import Polytope
from vinculum.measures.solids.corners import Corners
from vinculum.measures.solids.elementary import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere

SHAPES = (Sphere, Box, Capsule, Cylinder, Cone, Ellipsoid, Polytope, Corners)
CONTACT_CHOICES = ("the shapes alone do not determine it: a number e from 0 to 1 (Newton's law), 'inelastic', 'elastic', vc.Inelastic(), "
           "vc.Newton(e), vc.Elastic() or vc.Poisson(e)")  # fmt: skip
WALLS = (HalfSpace, TwoSidedPlane, FixedSolid, HeightField, Mesh)


@final
@dataclass(frozen=True, eq=False)
class Contact:
    r"""Every gap between any two of ``bodies``, and between them and ``walls``, is a unilateral constraint: :math:`g \ge 0`.

    ``bodies``: bodies with a shape (sphere, box, capsule, cylinder, cone, ellipsoid or polytope), by object or name, free or in a tree with
    joints. One that has `Corners` for its shape, as a flat or rod-like body may, meets planes alone, in `simulate`.
    ``walls``: `HalfSpace`, `TwoSidedPlane`, `FixedSolid`, `HeightField` and `Mesh` objects, which are fixed.
    ``against``: bodies of a second group; then only pairs with one body from each group collide. ``impact``:
    vc.Inelastic(), vc.Elastic(), vc.Newton(e) or the number e alone, or vc.Poisson(e) in a system of at most
    600 velocities; ``friction``: vc.Coulomb(mu) or the number μ.
    Bodies connected by a joint do not collide with each other unless ``joined`` is True. A system may have several
    contacts. The laws of a pair are those of the contact that lists both bodies; if two contacts list a pair, they
    must have the same laws. Contact points are found in every step. Moreau, An expression of classical dynamics,
    section 6.

    >>> contact = vc.Contact("contact", ["a", "b"], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Inelastic(), friction=0.4)
    """

    name: str
    bodies: Any
    _: KW_ONLY
    walls: Any = ()
    impact: Any = None
    friction: Any = None
    against: Any = ()
    joined: bool = False

    def __post_init__(self):
        check_name("contact", self.name)
        bodies = self.bodies
        if (
            not isinstance(bodies, (list, tuple, BodyGroup))
            or not bodies
            or not all(isinstance(b, (Body, str)) for b in bodies)
        ):
            raise ModelError(f"{self.called}: bodies is {shorten(bodies)}; give a list of bodies, by object or name")
        object.__setattr__(self, "bodies", tuple(bodies))
        others = [self.against] if isinstance(self.against, (Body, str)) else self.against
        if not isinstance(others, (list, tuple, BodyGroup)) or not all(isinstance(b, (Body, str)) for b in others):
            raise ModelError(f"{self.called}: against is {shorten(others)}; give a list of bodies, by object or name")
        object.__setattr__(self, "against", tuple(others))
        if not isinstance(self.joined, bool):
            raise ModelError(f"{self.called}: joined is {shorten(self.joined)}; give True or False")
        listed = self.names
        repeated = (
            [name for i, name in enumerate(listed) if name in listed[:i]] if len(set(listed)) < len(listed) else []
        )
        if repeated:
            raise ModelError(f"{self.called}: body '{repeated[0]}' is listed twice; list it once")
        walls: Any = [self.walls] if isinstance(self.walls, WALLS) else self.walls
        if not isinstance(walls, (list, tuple)) or not all(isinstance(w, WALLS) for w in walls):
            raise ModelError(
                f"{self.called}: walls is {shorten(self.walls)}; give vc.shapes.HalfSpace, "
                "TwoSidedPlane, FixedSolid, HeightField or Mesh objects"
            )
        object.__setattr__(self, "walls", tuple(walls))
        for wall in walls:
            if isinstance(wall, FixedSolid):
                self.check_shape("a wall", wall.shape)
        self._check_laws()

    def _check_laws(self) -> None:
        object.__setattr__(self, "impact", read_impact(self.called, self.impact, CONTACT_CHOICES))
        object.__setattr__(self, "friction", read_friction(self.called, self.friction))
        if self.impact.treatment == SEQUENTIAL:
            raise ModelError(
                f"{self.called}: impact {self.impact} is not available between shapes, where all impacts of a step are treated together; "
                "use vc.Newton(e), or a vc.Unilateral for every gap"
            )
        if self.friction is not None and self.friction.along is not None:
            raise ModelError(
                f"{self.called}: friction between shapes has no direction; leave along= out, or use a vc.Unilateral"
            )

    def check_shape(self, whose: str, shape) -> None:
        """Refuse a shape that is not one of `SHAPES`."""
        if shape is None:
            raise ModelError(
                f"{self.called}: {whose} has no shape; make it with "
                "vc.RigidBody.solid(name, vc.shapes.Sphere(r), density=…) or give shape="
            )
        if not isinstance(shape, SHAPES):
            raise ModelError(
                f"{self.called}: {whose} is a {type(shape).__name__}; contact supports spheres, boxes, capsules, cylinders, cones, "
                "ellipsoids and polytopes, so use one of them or a vc.Unilateral"
            )

    @property
    def called(self) -> str:
        return f"contact '{self.name}'"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its bodies, the second group last."""
        return tuple(b if isinstance(b, str) else b.name for b in (*self.bodies, *self.against))

    def lists(self, first: str, second: str) -> bool:
        """Whether the bodies with these names are one of its pairs."""
        own = self.names[: len(self.bodies)]
        if not self.against:
            return first in own and second in own
        others = self.names[len(self.bodies) :]
        return (first in own and second in others) or (second in own and first in others)

    @property
    def sides(self) -> tuple[set[str], set[str]]:
        """Names of the bodies on both sides of its pairs; the first ones also meet its walls."""
        own = set(self.walled)
        return own, set(self.names) - own if self.against else own

    @property
    def walled(self) -> tuple[str, ...]:
        """Names of the bodies that collide with its walls: the first group."""
        return self.names[: len(self.bodies)]

    @property
    def laws(self) -> tuple[float, float, float, float]:
        """Coefficient of restitution, μ (−1 without friction), and lengths of spinning and rolling resistance [m]."""
        e, rough = float(self.impact.restitution), self.friction
        if rough is None:
            return e, -1.0, 0.0, 0.0
        spinning, rolling = rough.lengths
        return e, float(rough.mu), spinning, rolling
