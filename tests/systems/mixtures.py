"""Random systems that mix every kind of block, bond, constraint and contact, with starts on their conditions."""

from dataclasses import dataclass, field
from typing import final

import numpy as np

import vinculum as vc
from actions import stretched
from held_blocks import HELD, add_linkage, add_ring
from linkages import pinned

FLOOR = vc.shapes.HalfSpace((0, 0, 1))
PITCH = 0.34
"""Places of the parts of a mixture are this far from each other [m]; none of them is larger."""
SOLIDS = (
    vc.shapes.Sphere(0.06),
    vc.shapes.Box((0.1, 0.09, 0.08)),
    vc.shapes.Capsule(0.04, 0.06),
    vc.shapes.Cylinder(0.05, 0.08),
    vc.shapes.Cone(0.05, 0.1),
    vc.shapes.Ellipsoid((0.06, 0.05, 0.04)),
    vc.shapes.Polytope(0.05 * np.array([(1, 0, 0), (-1, 0, 0), (0, 1.1, 0), (0, -1, 0.2), (0, 0, 1), (0.2, 0, -1)])),
)
PARTS = ("solid", "solid", "point", "tree", "hung", "point-body", "dumbbell", "string", "pinned")
BONDS = ("spring", "damper", "twist", "potential", "field", "drag", "interaction")


@final
@dataclass
class Mixture:
    """A system in the making. ``bodies``: those that turn and those with a shape; ``start``: by name; ``touching``: bodies with a shape,
    by the material they are of."""

    system: vc.System
    rng: np.random.Generator
    free: bool = False
    """In space: no gravity, floor, ground or prescribed body, and nothing that does not turn."""
    start: dict = field(default_factory=dict)
    touching: tuple[list, list] = field(default_factory=lambda: ([], []))
    turning: list = field(default_factory=list)
    placed: list = field(default_factory=list)
    """Bodies that turn and start where they were put."""
    spin: np.ndarray = field(default_factory=lambda: np.zeros(3))

    def place(self, k: int) -> np.ndarray:
        rng = self.rng
        return PITCH * np.array([k % 4, k // 4 % 4, k // 16]) + (0, 0, 0.24) + 0.02 * rng.uniform(-1, 1, 3)

    def rate(self, at: np.ndarray) -> np.ndarray:
        """Velocity of a rigid motion of everything, in which no bond moves."""
        return np.array([0.4, -0.2, -0.6]) * (not self.free) + np.cross(self.spin, at)

    def put(self, body, at: np.ndarray, touches: bool = True) -> None:
        """Let a body start in the rigid motion."""
        rate = self.rate(at)
        turns = not isinstance(body, vc.MassPoint)
        self.start[body.name] = vc.At(tuple(at), rate=(*rate, *self.spin) if turns else tuple(rate))
        self.placed += [body] if turns else []
        self.note(body, touches)

    def note(self, body, touches: bool = True) -> None:
        if touches:
            self.touching[int(self.rng.integers(2))].append(body)
        if not isinstance(body, vc.MassPoint):
            self.turning.append(body)

    def solid(self, name: str) -> vc.RigidBody:
        shape = SOLIDS[int(self.rng.integers(len(SOLIDS)))]
        return self.system.add(vc.RigidBody.solid(name, shape, density=float(self.rng.uniform(300, 1500))))

    def ball(self, name: str):
        """A mass point with a shape, or a solid ball where only bodies that turn conserve momenta."""
        if self.free:
            return self.system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(0.04), density=900))
        return self.system.add(vc.MassPoint(name, float(self.rng.uniform(0.1, 0.4)), shape=vc.shapes.Sphere(0.04)))


def mixture(seed: int, parts: int = 6, bonds: int = 8, *, free: bool = False, resists: bool = False, soft: bool = False,
            stops: bool = False, loops: bool = True, struck: bool = False, bounds: int = 0,
            shuffled: int = 0) -> tuple[vc.System, dict]:  # fmt: skip
    """A system of ``parts`` parts, each of one to three bodies, of ``bonds`` bonds between them, and of contacts of two materials, and its
    start.

    ``free``: in space; ``resists``: contacts resist rolling; ``soft``: with affine bodies and without constraints; ``stops``: joints have
    limits; ``loops``: with a closed ring and a linkage; ``struck``: with applied impulses; ``bounds``: so many unilateral constraints;
    ``shuffled``: the order of listing. The parameter "wind" is a force."""
    rng = np.random.default_rng(seed)
    made = Mixture(vc.System(f"mixture {seed}", gravity=(0, 0, 0) if free else (0, 0, -9.81)), rng, free)
    made.spin = rng.normal(size=3) if free else np.zeros(3)
    kinds = ["tree", *(PARTS[int(rng.integers(len(PARTS)))] for _ in range(parts - 1))]
    for k, kind in enumerate(kinds):
        if soft and kind in ("dumbbell", "string", "pinned"):
            kind = "soft"
        if free and kind in ("hung", "point-body"):
            kind = "solid"
        _ADDED[kind](made, f"{kind} {k}", made.place(k), stops)
    if loops and not soft and not free:
        _add_loops(made, parts)
    if not free:
        _add_pusher(made, parts)
    for k in range(bonds):
        _add_bond(made, BONDS[int(rng.integers(len(BONDS)))], f"bond {k}")
    blown = vc.Wrench(force=(vc.parameter("wind", 0.0), 0, 0))
    made.system.add(vc.Force("wind", made.turning[0], blown))
    if struck:
        push = vc.Wrench(force=(0.02, -0.01, 0.03), at=(0.01, 0, 0.02))
        made.system.add(vc.Impulse("push", made.turning[0], push, at=[0.03, 0.0907]))
        made.system.add(vc.Impulse("brake", made.turning[1], lambda b: vc.Wrench(force=-0.05 * b.velocity), at=0.0907))
    for k in range(bounds):
        _add_bound(made, k, f"bound {k}")
    _add_contacts(made, resists)
    return (made.system, made.start) if not shuffled else (listed_otherwise(made.system, shuffled), made.start)


def _add_solid(made: Mixture, name: str, at, stops: bool) -> None:
    made.put(made.solid(name), at)


def _add_point(made: Mixture, name: str, at, stops: bool) -> None:
    made.put(made.ball(name), at)


def _add_soft(made: Mixture, name: str, at, stops: bool) -> None:
    energy = vc.energies.NeoHookean(1e-3, 2e4, 4e4)
    body = made.system.add(vc.AffineBody.solid(name, vc.shapes.Box((0.1, 0.1, 0.1)), density=1000, energy=energy))
    made.start[name] = vc.At((tuple(at), np.eye(3)), (tuple(made.rate(at)), np.zeros((3, 3))))
    made.touching[0].append(body)


def _add_tree(made: Mixture, name: str, at, stops: bool) -> None:
    """A free body that carries one or two rods on joints."""
    before = made.solid(name)
    made.put(before, at)
    _add_rods(made, name, before, stops, int(made.rng.integers(1, 3)), (0, 0, 0.07))


def _add_hung(made: Mixture, name: str, at, stops: bool) -> None:
    """Rods that hang from the ground."""
    _add_rods(made, name, "ground", stops, int(made.rng.integers(1, 3)), tuple(at + (0, 0, 0.06)))


def _add_rods(made: Mixture, name: str, before, stops: bool, count: int, at) -> None:
    rng = made.rng
    for k in range(count):
        shape = vc.shapes.Capsule(0.02, 0.06)
        rod = made.system.add(vc.RigidBody.solid(f"{name} rod {k}", shape, density=900, at=(0, 0, 0.06)))
        more = {"damping": float(rng.uniform(1e-4, 1e-2)), "stiffness": float(rng.uniform(0, 0.5))}
        if stops:
            more["limits"] = vc.constraints.Limits(-0.3, 0.3, impact=0.4)
        made.system.add(vc.Revolute(f"{name} hinge {k}", before, rod, axis=tuple(rng.normal(size=3)), at=at, **more))
        if not made.free:
            made.start[f"{name} hinge {k}"] = vc.At(float(rng.uniform(-0.2, 0.2)), rate=float(rng.uniform(-1, 1)))
        made.note(rod)
        before, at = rod, (0, 0, 0.14)


def _add_point_body(made: Mixture, name: str, at, stops: bool) -> None:
    A, B, C = (0.2, 0.25, 0.3), 1e-3, (1e-3, 2e-3, 3e-3)
    body = made.system.add(vc.PointBody(name, A=A, B=B, C=C, mass=0.2))
    made.put(body, at, touches=False)


def _add_dumbbell(made: Mixture, name: str, at, stops: bool) -> None:
    one, other, way = made.solid(f"{name} a"), made.ball(f"{name} b"), np.array([0.0, 0.13, 0.03])
    for body, x in ((one, at - 0.5 * way), (other, at + 0.5 * way)):
        made.put(body, x)
    made.system.add(vc.constraints.distance(f"{name} rod", one, other, float(np.linalg.norm(way)), **HELD))


def _add_string(made: Mixture, name: str, at, stops: bool) -> None:
    beads = [made.ball(f"{name} {k}") for k in range(3)]
    for k, bead in enumerate(beads):
        made.put(bead, at + (0, 0.09 * (k - 1), 0))
    for k in range(2):
        made.system.add(vc.constraints.distance(f"{name} link {k}", beads[k], beads[k + 1], 0.09, **HELD))


def _add_pinned(made: Mixture, name: str, at, stops: bool) -> None:
    one, other = made.solid(f"{name} a"), made.solid(f"{name} b")
    p, r = np.array([0, 0.07, 0]), np.array([0, -0.07, 0])
    made.put(one, at + r)
    made.put(other, at + p)
    pin = vc.Constraint(f"{name} pin", [one, other], position=lambda a, b: pinned(a, b, p=p, r=r), **HELD)
    made.system.add(pin)


_ADDED = {
    "solid": _add_solid,
    "point": _add_point,
    "soft": _add_soft,
    "tree": _add_tree,
    "hung": _add_hung,
    "point-body": _add_point_body,
    "dumbbell": _add_dumbbell,
    "string": _add_string,
    "pinned": _add_pinned,
}


def _add_loops(made: Mixture, k: int) -> None:
    """A ring that falls, and a four-bar linkage on the ground."""
    rods, angles = add_ring(made.system, "ring", 5, 0.12)
    made.start |= angles | {"ring 0": vc.At((-0.8, 0, 0.4), rate=(*made.rate(np.zeros(3)), 0, 0, 0))}
    bars, turning = add_linkage(made.system, "bars", (2.0, 0, 0.3))
    made.start |= turning
    made.touching[0].extend([*rods, *bars])
    made.turning.extend([*rods, *bars])


def _add_pusher(made: Mixture, k: int) -> None:
    box = vc.shapes.Box((0.1, 0.3, 0.1))
    pusher = vc.PrescribedBody("pusher", position=lambda t: (-0.25 + 0.4 * t, 0.1, 0.2), shape=box)
    made.touching[1].append(made.system.add(pusher))


def _add_bond(made: Mixture, kind: str, name: str) -> None:
    rng, free = made.rng, made.free
    one, other = (made.turning[int(k)] for k in rng.permutation(len(made.turning))[:2])
    partner = other if free or rng.random() < 0.7 else "ground"
    k, a, b = float(rng.uniform(5, 40)), tuple(0.03 * rng.normal(size=3)), tuple(0.03 * rng.normal(size=3))
    add = made.system.add
    if kind == "spring":
        add(vc.Spring(name, one, partner, stiffness=k, rest_length=0.3, damping=0.02 * k * (not free), at=a, to=b))
    elif kind == "damper":
        add(vc.Damper(name, one, partner, damping=0.02 * k, at=a, to=b))
    elif kind == "twist":
        add(vc.potentials.TorsionSpring(name, one, partner, stiffness=0.01 * k))
    elif kind == "potential" or free:
        add(vc.Potential(name, [one, partner], lambda A, B: stretched(A.point(a) - B.point(b), k)))
    elif kind == "field":
        add(vc.Potential(name, [one], lambda A: 0.02 * k * vc.math.cos(A.point(a)[0] + 2 * A.position[1])))
    elif kind == "drag":
        add(vc.Force(name, one, lambda A, t: vc.Wrench(force=-0.01 * k * A.velocity + 0.1 * vc.math.sin(9 * t), at=a)))
    else:
        add(vc.Interaction(name, one, partner, lambda A, B: vc.Wrench(force=-0.01 * k * (A.velocity - B.velocity))))


def _add_bound(made: Mixture, k: int, name: str) -> None:
    """A foot on a plane, a rope between two bodies or to the ground, bodies that stay apart, or joints that turn together only so far."""
    rng, bodies = made.rng, made.placed
    one, other = (bodies[int(i)] for i in rng.permutation(len(bodies))[:2])
    a, b = tuple(0.03 * rng.normal(size=3)), tuple(0.03 * rng.normal(size=3))
    x, y = (np.array(made.start[body.name].position) for body in (one, other))
    apart, hard = float(np.linalg.norm(x + a - y - b)), {"impact": float(rng.choice([0.0, 0.5]))}
    kind = ("foot", "rope", "apart", "hung", "joints", "three")[k % 6]
    norm, add = vc.math.norm, made.system.add
    hinges = [joint for joint in made.system.joints.values() if joint.name.startswith(("tree", "hung"))]
    if kind == "foot" and not made.free:
        plane = vc.shapes.HalfSpace((0.1, 0, 1), offset=-0.02)
        add(vc.Unilateral.on_plane(name, one, a, plane=plane, friction=float(rng.uniform(0.1, 0.5)), **hard))
    elif kind == "hung" and not made.free:
        hook, far = x + (0, 0, 0.2), float(np.linalg.norm(a - np.array((0, 0, 0.2)))) + 0.07
        add(vc.Unilateral(name, [one], gap=lambda A: far - norm(A.point(a) - hook), **hard))
    elif kind == "joints" and len(hinges) > 1:
        add(vc.Unilateral(name, [hinges[0], hinges[-1]], gap=lambda h, i: 0.45 - h.q - 0.5 * i.q, **hard))
    elif kind == "three" and len(bodies) > 2:
        third = next(body for body in bodies if body not in (one, other))
        far = float(np.linalg.norm(x + a - y) + np.linalg.norm(y - np.array(made.start[third.name].position))) + 0.1
        gap = lambda A, B, C: far - norm(A.point(a) - B.position) - norm(B.position - C.position)
        add(vc.Unilateral(name, [one, other, third], gap=gap, **hard))
    elif kind == "apart":
        add(vc.Unilateral(name, [one, other], gap=lambda A, B: norm(A.point(a) - B.point(b)) - 0.7 * apart, **hard))
    else:
        add(vc.Unilateral(name, [one, other], gap=lambda A, B: apart + 0.07 - norm(A.point(a) - B.point(b)), **hard))


def _add_contacts(made: Mixture, resists: bool) -> None:
    """A law for each of two materials and one for their pairs."""
    rng, (one, other) = made.rng, made.touching
    lengths = {"rolling": 2e-3, "spinning": 3e-3} if resists else {}
    laws = [
        {
            "impact": vc.Newton(e) if e else vc.Inelastic(),
            "friction": vc.Coulomb(float(rng.uniform(0.1, 0.6)), **lengths),
        }
        for e in (0.0, 0.4, 0.2)
    ]
    walls = [] if made.free else [FLOOR]
    for name, bodies, law in (("steel", one, laws[0]), ("rubber", other, laws[1])):
        if bodies:
            made.system.add(vc.Contact(name, bodies, walls=walls, **law))
    if one and other:
        made.system.add(vc.Contact("mixed", one, against=other, **laws[2]))


def listed_otherwise(system: vc.System, seed: int) -> vc.System:
    """The same system with its bodies, bonds and contacts added in another order; that of joints says which of them close loops."""
    rng = np.random.default_rng(seed)
    other = vc.System(system.name, system.gravity)
    bonds = (system.actions, system.constraints, system.unilaterals, system.contacts, system.impulses)
    for things in (system.bodies, system.joints, *bonds):
        names = list(things)
        for k in range(len(names)) if things == system.joints else rng.permutation(len(names)):
            if (
                names[k] not in other.actions and names[k] not in other.unilaterals
            ):  # with bodies come energies, with joints stops
                other.add(things[names[k]])
    return other
