"""`Contact`: bodies with shapes that do not pass through each other, nor through walls."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, final

from vinculum.bodies import Body, check_name
from vinculum.bonds.boundaries.frictions import Coulomb
from vinculum.bonds.boundaries.shocks import SEQUENTIAL, Poisson, ShockLaw
from vinculum.bonds.boundaries.surfaces import HeightField, Mesh
from vinculum.bonds.boundaries.walls import HalfSpace, Plane, Wall
from vinculum.errors import ModelError
from vinculum.measures import Box, Capsule, Cylinder, Polytope, Sphere
from vinculum.screws.entries import shortened

SHAPES = (Sphere, Box, Capsule, Cylinder, Polytope)
WALLS = (HalfSpace, Plane, Wall, HeightField, Mesh)


@final
@dataclass(frozen=True, eq=False)
class Contact:
    r"""Every gap between any two of ``bodies``, and between them and ``walls``, is a boundary: :math:`g \ge 0`.

    ``bodies``: free rigid bodies with a shape (sphere, box, capsule, cylinder or polytope), by object or name. ``walls``: `HalfSpace`,
    `Plane`, `Wall`, `HeightField` and `Mesh` objects, which stand still. ``shock``: vc.Soft(), vc.Newton(e) or vc.Elastic();
    ``friction``: vc.Coulomb(mu). Where bodies meet is found anew in every step. Moreau, An expression of classical dynamics, section 6.
    """

    name: str
    bodies: Any
    _: KW_ONLY
    walls: Any = ()
    shock: ShockLaw | None = None
    friction: Coulomb | None = None

    def __post_init__(self):
        check_name("contact", self.name)
        bodies = self.bodies
        if not isinstance(bodies, (list, tuple)) or not bodies or not all(isinstance(b, (Body, str)) for b in bodies):
            raise ModelError(f"{self.called}: bodies is {shortened(bodies)}; give a list of bodies, by object or name")
        object.__setattr__(self, "bodies", tuple(bodies))
        repeated = (
            [name for i, name in enumerate(self.names) if name in self.names[:i]]
            if len(set(self.names)) < len(bodies)
            else []
        )
        if repeated:
            raise ModelError(f"{self.called}: body '{repeated[0]}' is listed twice; list it once")
        walls: Any = [self.walls] if isinstance(self.walls, WALLS) else self.walls
        if not isinstance(walls, (list, tuple)) or not all(isinstance(w, WALLS) for w in walls):
            raise ModelError(
                f"{self.called}: walls is {shortened(self.walls)}; give vc.HalfSpace, vc.Plane, vc.Wall, vc.HeightField or vc.Mesh objects"
            )
        object.__setattr__(self, "walls", tuple(walls))
        for wall in walls:
            if isinstance(wall, Wall):
                self.check_shape("a wall", wall.shape)
        self._check_laws()

    def _check_laws(self) -> None:
        if not isinstance(self.shock, ShockLaw):
            raise ModelError(
                f"{self.called}: shock is {shortened(self.shock)}; say what follows a hit, since the shapes alone do not decide it: "
                "vc.Soft(), vc.Newton(e) or vc.Elastic()"
            )
        if isinstance(self.shock, Poisson) or self.shock.treatment == SEQUENTIAL:
            raise ModelError(
                f"{self.called}: shock {self.shock} is not to be had between shapes, where all hits of a step are treated together; "
                "use vc.Newton(e), or a vc.Boundary for every gap"
            )
        if self.friction is not None and not isinstance(self.friction, Coulomb):
            raise ModelError(
                f"{self.called}: friction is {shortened(self.friction)}; give vc.Coulomb(mu) or leave it out"
            )
        if self.friction is not None and self.friction.along is not None:
            raise ModelError(
                f"{self.called}: friction between shapes has no direction; leave along= out, or use a vc.Boundary"
            )

    def check_shape(self, whose: str, shape) -> None:
        """Refuse what is none of `SHAPES`."""
        if shape is None:
            raise ModelError(
                f"{self.called}: {whose} has no shape to meet others with; make it with "
                "vc.RigidBody.solid(name, vc.Sphere(r), density=…) or give shape="
            )
        if not isinstance(shape, SHAPES):
            raise ModelError(
                f"{self.called}: {whose} is a {type(shape).__name__}; contact knows spheres, boxes, capsules, cylinders and polytopes, "
                "so use one of them or a vc.Boundary"
            )

    @property
    def called(self) -> str:
        return f"contact '{self.name}'"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its bodies."""
        return tuple(b if isinstance(b, str) else b.name for b in self.bodies)
