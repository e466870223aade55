"""Right calls of everything public, and wrong values to put in place of each argument."""

import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import sympy

import vinculum as vc


def _endless():
    while True:
        yield 1


class Rude:
    """An object whose every answer is an error."""

    def __repr__(self):
        raise RuntimeError("no words")

    def __float__(self):
        raise RuntimeError("no number")

    __len__ = __iter__ = __array__ = __index__ = __bool__ = __float__


def _nested(depth=200):
    found: Any = 1.0
    for _ in range(depth):
        found = [found]
    return found


WRONG: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "true": lambda: True,
    "zero": lambda: 0,
    "negative": lambda: -3,
    "many": lambda: 10**9,
    "huge integer": lambda: 10**400,
    "huge negative integer": lambda: -(10**400),
    "float": lambda: 0.37,
    "nan": lambda: float("nan"),
    "infinite": lambda: float("inf"),
    "largest": lambda: 1e308,
    "denormal": lambda: 1e-310,
    "complex": lambda: 1j,
    "decimal": lambda: Decimal("1e5000"),
    "fraction": lambda: Fraction(10**400, 3),
    "empty text": lambda: "",
    "text": lambda: "x",
    "long text": lambda: "x" * 5000,
    "half a character": lambda: "\ud800",
    "null in text": lambda: "a\0b",
    "bytes": lambda: b"x",
    "path": lambda: Path("nowhere"),
    "empty list": list,
    "list of one": lambda: [1],
    "list of texts": lambda: ["x", "y"],
    "list of none": lambda: [None, None, None],
    "list of lists": lambda: [[1], [1, 2]],
    "list of huge integers": lambda: [10**400, 0, 0],
    "list of huge floats": lambda: [1e200, 1e200, 1e200],
    "list of nan": lambda: [float("nan")] * 3,
    "deep list": _nested,
    "long list": lambda: [0.5] * 5000,
    "empty dictionary": dict,
    "dictionary": lambda: {"x": 1},
    "dictionary of integers": lambda: {1: 2},
    "dictionary of lists": lambda: {"j": [[1], [1, 2]]},
    "dictionary of huge integers": lambda: {"j": 10**400, "m": 10**400},
    "set": lambda: {1, 2},
    "range": lambda: range(3),
    "generator": lambda: (k for k in (1, 2, 3)),
    "object": lambda: object(),
    "rude object": lambda: Rude(),
    "class": lambda: int,
    "module": lambda: np,
    "function of nothing": lambda: lambda: 1.0,
    "function of anything": lambda: lambda *given, **named: None,
    "failing function": lambda: lambda *given: 1 / 0,
    "function to text": lambda: lambda *given: "x",
    "function to a huge integer": lambda: lambda *given: 10**400,
    "array": lambda: np.zeros((2, 2)),
    "empty array": lambda: np.zeros(0),
    "array of nan": lambda: np.full(3, np.nan),
    "array of complex": lambda: np.array([1j, 2, 3]),
    "array of texts": lambda: np.array(["a", "b", "c"]),
    "array of objects": lambda: np.array([object(), None, {}], dtype=object),
    "array of dates": lambda: np.array(["2020-01-01"] * 3, dtype="datetime64[D]"),
    "symbol of sympy": lambda: sympy.Symbol("x"),
    "parameter": lambda: vc.parameter("unknown", 1.0),
    "error": lambda: ValueError("x"),
    "body": lambda: vc.MassPoint("stranger", 1.0),
    "system": lambda: vc.System("strange"),
}
"""Values that are wrong nearly everywhere."""


LONG = {("until", "many"), ("until", "largest")}
"""Right values that only take long."""


@dataclass(frozen=True)
class Call:
    """A right call: what is called, with which arguments, and what is done with what comes back."""

    name: str
    function: Callable
    given: dict[str, Any] = field(default_factory=dict)
    use: Callable[[Any], Any] = lambda made: None
    places: tuple[str, ...] = ()
    """Arguments that are given by their place."""

    def run(self, **changed) -> None:
        given = self.given | changed
        placed = [given.pop(name) for name in self.places]
        self.use(self.function(*placed, **given))


def body(name="a") -> vc.RigidBody:
    return vc.RigidBody(name, 1.0, (0, 0, -0.5), (0.1, 0.2, 0.25))


@cache
def pendulum() -> vc.System:
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    system.add(body())
    system.add(vc.MassPoint("p", vc.parameter("m", 1.0)))
    system.add(vc.Revolute("j", "ground", "a", axis=(0, 1, 0)))
    system.add(vc.Spring("s", "a", "p", stiffness=3.0, rest_length=0.1))
    system.add(vc.Potential("e", ["p"], lambda p: 2.0 * vc.math.dot(p.position, p.position)))
    return system


@cache
def bounded() -> vc.System:
    system = vc.System("ball", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("b", 1.0))
    system.add(vc.Unilateral("floor", ["b"], gap=lambda b: b.position[2], impact=vc.Newton(0.5)))
    return system


@cache
def rolled() -> vc.System:
    system = vc.System("sledge")
    system.add(vc.RigidBody("d", 1.0, (0, 0, 0), (0.1, 0.1, 0.2)))
    system.add(vc.Planar("plane", "ground", "d"))
    system.add(vc.constraints.knife_edge("blade", "d", realization=vc.DAlembert()))
    return system


@cache
def lagrangian() -> vc.LagrangianSystem:
    m = vc.parameter("m", 1.0)
    return vc.LagrangianSystem(
        "oscillator", ["x", "y"], lambda q, v: 0.5 * m * vc.math.dot(v, v) - 0.5 * vc.math.dot(q, q),
        constraints={"rod": (lambda q, v: q[0] * v[1] - v[0], vc.DAlembert())},
    )  # fmt: skip


@cache
def motion():
    return vc.simulate(pendulum(), 0.2, {"j": 0.3, "p": (1.0, 0.0, 0.0)}, grid=5, method="dop853", progress=False)


@cache
def bounced():
    return vc.simulate(bounded(), 0.5, {"b": (0, 0, 0.3)}, grid=5, method="dop853", progress=False)


@cache
def lagrangian_motion():
    return vc.simulate(lagrangian(), 0.2, {"x": 0.1, "y": 0.2}, grid=5, method="dop853", progress=False)


@cache
def equations(form="lagrange"):
    return vc.derive(pendulum() if form != "hamilton" else swinging(), form)


@cache
def swinging() -> vc.System:
    system = vc.System("swing", gravity=(0, 0, -9.81))
    system.add(body())
    system.add(vc.Revolute("j", "ground", "a", axis=(0, 1, 0)))
    return system


def added(*others):
    """What is made is added to a system with bodies a and b, which is then put in order."""

    def use(thing):
        system = vc.System("machine")
        for name in ("a", "b"):
            system.add(vc.RigidBody(name, 1.0, (0, 0, 0), (0.1, 0.2, 0.25), shape=vc.shapes.Sphere(0.1)))
        for other in others:
            system.add(other)
        if not isinstance(thing, vc.constraints.Rolling):
            system.add(thing)
        system.tree()

    return use


def alone(thing):
    system = vc.System("machine")
    system.add(thing)
    system.tree()


def constrained(realization):
    vc.Constraint("c", ["b"], position=lambda b: b.position[0], realization=realization)


def shaped(shape):
    vc.RigidBody.solid("s", shape, mass=1.0)


def thin(shape):
    vc.AffineBody("rod", 1.0, (0.02,), dimension=1, shape=shape)


def walled(wall):
    vc.Contact("c", ["a"], walls=[wall], impact=vc.Inelastic(), friction=vc.Coulomb(0.1))


FRAME = {"at": (0.0, 0.0, 0.0), "to": (0.0, 0.0, 0.0)}
JOINT = {
    "name": "j",
    "parent": "a",
    "child": "b",
    **FRAME,
    "damping": 0.0,
    "stiffness": 0.0,
    "rest": None,
    "drive": None,
}
ENDS = {"name": "s", "a": "a", "b": "b"}
POINTS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
TRIANGLES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))


def distance(a, b):
    return vc.math.norm(a.center - b.center)


@cache
def measure():
    return vc.Measure.solid(vc.shapes.Box((1.0, 2.0, 3.0)), mass=2.0)


@cache
def kinetic():
    return vc.measures.KineticMeasure.trajectory(straight, [0.0, 1.0])


def still(s, xi, u):
    return np.zeros((len(s), 3))


def straight(t):
    o, e = np.zeros_like(t), np.ones_like(t)
    return np.column_stack([t, o, o]), np.column_stack([e, o, o])


@cache
def linear():
    return vc.linearize(swinging(), {"j": 0.0})


def calls() -> Iterator[Call]:
    """Right calls of everything public."""
    yield from _bodies_and_shapes()
    yield from _joints()
    yield from _actions()
    yield from _bonds()
    yield from _constraints()
    yield from _contacts()
    yield from _systems()
    yield from _runs()
    yield from _questions()
    yield from _equations()
    yield from _measures()
    yield from _geometry()
    yield from _hamiltonian()
    yield from _scalars()


def deformed(law):
    """A body with a law of its deformation."""
    laws = {"dissipation": law} if isinstance(law, vc.energies.NewtonianViscosity) else {"energy": law}
    alone(vc.AffineBody("x", 1.0, (1.0, 1.0, 1.0), **laws))


def _deforming():
    energy = vc.energies.NeoHookean(1.0, 2.0, 1.0)
    affine = {"name": "x", "mass": 1.0, "second_moment": (1.0, 1.0, 1.0), "energy": energy, "dissipation": None, "dimension": 3,
              "planar": False, "measure": None, "shape": None}  # fmt: skip
    yield Call("AffineBody", vc.AffineBody, affine, alone)
    yield Call("AffineBody.of", vc.AffineBody.of, {"name": "x", "measure": measure(), "shape": None}, alone)
    yield Call("AffineBody.solid", vc.AffineBody.solid,
               {"name": "x", "shape": vc.shapes.Sphere(1.0), "density": None, "mass": 1.0}, alone)  # fmt: skip
    point = {"name": "x", "A": (1, 2, 3), "B": 0.0, "C": (1, 1, 1), "mass": 1.0, "com": (0, 0, 0), "shape": None}
    yield Call("PointBody", vc.PointBody, point, alone)
    for law in (vc.energies.NeoHookean, vc.energies.SaintVenantKirchhoff):
        yield Call(law.__name__, law, {"volume": 1.0, "shear": 2.0, "lame": 1.0}, deformed)
    yield Call("FluidLike", vc.energies.FluidLike, {"volume": 1.0, "bulk": 2.0}, deformed)
    yield Call("Isotropic", vc.energies.Isotropic, {"function": lambda a, b, c: a + b + c}, deformed)
    yield Call("RigidLimit", vc.energies.RigidLimit, {"stiffness": 2.0}, deformed)
    yield Call("SelfGravity", vc.energies.SelfGravity, {"mass": 1.0, "radius": 1.0, "G": 1.0}, deformed)
    yield Call(
        "NewtonianViscosity", vc.energies.NewtonianViscosity, {"volume": 1.0, "shear": 2.0, "bulk": 1.0}, deformed
    )
    for kind in (vc.constraints.incompressible, vc.constraints.rotationless):
        yield Call(kind.__name__, kind, {"name": "c", "body": "x", "realization": vc.DAlembert()}, on_deformation)


def leaking(source):
    """A body with a source of mass."""
    alone(vc.RigidBody("x", 1.0, inertia=(1.0, 1.0, 1.0), sources=source))


def on_deformation(constraint):
    system = vc.System("machine")
    system.add(vc.AffineBody("x", 1.0, (1.0, 1.0, 1.0)))
    system.add(constraint)
    system.tree()


def _bodies_and_shapes():
    yield Call("MassPoint", vc.MassPoint, {"name": "x", "mass": 1.0, "sources": ()}, alone)
    source = {
        "rate": -0.1,
        "velocity": None,
        "relative": (0, 0, -1),
        "at": (0, 0, 0),
        "law": "inelastic",
        "transit": True,
    }
    yield Call("MassSource", vc.MassSource, source, leaking)
    rigid = {
        "name": "x",
        "mass": 1.0,
        "com": (0, 0, 0),
        "inertia": (1.0, 1.0, 1.0),
        "about": "center",
        "shape": None,
        "measure": None,
        "sources": (),
    }
    yield Call("RigidBody", vc.RigidBody, rigid, alone)
    yield Call(
        "RigidBody.of", vc.RigidBody.of, {"name": "x", "measure": measure(), "shape": None, "sources": ()}, alone
    )
    yield Call("RigidBody.solid", vc.RigidBody.solid,
               {"name": "x", "shape": vc.shapes.Sphere(1.0), "density": None, "mass": 1.0, "at": (0, 0, 0),
                "sources": ()}, alone)  # fmt: skip
    yield Call(
        "RigidBody.solid, density",
        vc.RigidBody.solid,
        {"name": "x", "shape": vc.shapes.Sphere(1.0), "density": lambda r: 1.0},
        alone,
    )
    path = {"name": "x", "position": lambda t: (t, 0, 0), "rotation": None, "mass": 0.0, "com": (0, 0, 0), "inertia": (0, 0, 0),
            "shape": None}  # fmt: skip
    yield Call("PrescribedBody", vc.PrescribedBody, path, alone)
    yield from _deforming()
    yield Call("Box", vc.shapes.Box, {"size": (1, 1, 1)}, shaped)
    yield Call("Sphere", vc.shapes.Sphere, {"radius": 1.0}, shaped)
    for kind in (vc.shapes.Capsule, vc.shapes.Cylinder):
        yield Call(kind.__name__, kind, {"radius": 1.0, "length": 1.0}, shaped)
    yield Call("Cone", vc.shapes.Cone, {"radius": 1.0, "height": 1.0}, shaped)
    yield Call("Ellipsoid", vc.shapes.Ellipsoid, {"semiaxes": (1, 2, 3)}, shaped)
    yield Call("Polytope", vc.shapes.Polytope, {"corners": POINTS}, shaped)
    yield Call("Corners", vc.shapes.Corners, {"points": [(0, 0, -0.5), (0, 0, 0.5)]}, thin)
    yield Call("Pose", vc.Pose, {"position": (0, 0, 0), "rotation": np.eye(3)}, lambda x: x.inverse())
    yield Call("Pose.of", vc.Pose.of, {"R": np.eye(3), "p": (0, 0, 0)})
    yield Call("Pose.apply", vc.Pose().apply, {"r": (0, 0, 0)})
    yield Call("Wrench", vc.Wrench, {"force": (1, 0, 0), "moment": (0, 0, 0), "at": (0, 0, 0)})
    slider, tensor = (
        vc.measures.Slider((0, 0, 0), (1, 0, 0), (0, 0, 0)),
        vc.measures.Slider((0, 0, 0), np.eye(3), np.eye(3)),
    )
    yield Call(
        "Slider", vc.measures.Slider, {"point": (0, 0, 0), "p": (1, 0, 0), "q": (0, 0, 0)}, lambda s: s.at((1, 0, 0))
    )
    yield Call("Slider.at", slider.at, {"y": (0, 0, 0)})
    yield Call("Slider.apply", tensor.apply, {"n": (0, 0, 1)})
    yield Call("Slider.scale", slider.scale, {"factor": 2.0})
    yield Call("Slider.twist", slider.twist, {"y": (0, 0, 0)})
    yield Call("Slider.wrench", slider.wrench, {"y": (0, 0, 0)})


def _joints():
    axial = {"axis": (0, 0, 1)}
    own = {vc.Revolute: axial, vc.Prismatic: axial, vc.Cylindrical: axial, vc.Helical: axial | {"pitch": 0.1}, vc.Planar: {},
           vc.Universal: {"axes": ((1, 0, 0), (0, 1, 0))}, vc.Spherical: {"chart": "quaternion"}, vc.Free: {"chart": "quaternion"},
           vc.Translation: {}, vc.Weld: {}}  # fmt: skip
    for kind, more in own.items():
        yield Call(kind.__name__, kind, JOINT | more, added())


def _actions():
    yield Call("Spring", vc.Spring, {**ENDS, **FRAME, "stiffness": 1.0, "rest_length": 0.1, "damping": 0.1}, added())
    yield Call("Damper", vc.Damper, {**ENDS, **FRAME, "damping": 0.1}, added())
    yield Call(
        "TorsionSpring", vc.potentials.TorsionSpring, {**ENDS, **FRAME, "stiffness": 1.0, "damping": 0.1}, added()
    )
    yield Call("Bushing", vc.potentials.Bushing, {**ENDS, **FRAME, "stiffness": (1,) * 6, "damping": (0,) * 6}, added())
    yield Call("MagneticDipoles", vc.potentials.MagneticDipoles,
               {**ENDS, "at": (0, 0, 0), "to": (1, 0, 0), "moments": ((1, 0, 0), (0, 1, 0)), "constant": 1e-7}, added())  # fmt: skip
    many = {"name": "s", "bodies": ["a", "b"]}
    yield Call("CoulombCharges", vc.potentials.CoulombCharges, many | {"charges": (1.0, 1.0), "constant": 1.0}, added())
    yield Call("Gravitation", vc.potentials.Gravitation,
               many | {"G": 1.0, "softening": 0.1, "degree": None, "accuracy": None, "nearest": None}, added())  # fmt: skip
    yield Call("Gravitation, degree", vc.potentials.Gravitation, many | {"degree": 2}, added())
    yield Call("Gravitation, accuracy", vc.potentials.Gravitation, many | {"accuracy": 1e-3, "nearest": 1.0}, added())
    balls = [vc.RigidBody.solid(name, vc.shapes.Box((0.1, 0.2, 0.3)), mass=1.0) for name in "ab"]
    pull = vc.potentials.Gravitation("pull", balls, degree=2)
    yield Call("Gravitation.truncation", pull.truncation, {"a": balls[0], "b": balls[1], "distance": 3.0})
    yield Call("LennardJones", vc.potentials.LennardJones, many | {"depth": 1.0, "size": 0.1}, added())
    yield Call("Morse", vc.potentials.Morse, many | {"depth": 1.0, "width": 1.0, "rest_length": 1.0}, added())
    yield Call(
        "PairPotential",
        vc.potentials.PairPotential,
        many | {"energy": lambda a, b: 1 / distance(a, b), "numbers": {"c": (1.0, 2.0)}},
        added(),
    )
    yield Call("Potential", vc.Potential, many | {"energy": distance}, added())
    yield Call("UniformGravity", vc.potentials.UniformGravity, many | {"acceleration": (0, 0, -9.81)}, added())
    yield Call("Force", vc.Force, {"name": "s", "body": "a", "wrench": lambda b: vc.Wrench(force=(1, 0, 0))}, added())
    yield Call("Interaction", vc.Interaction, ENDS | {"wrench": lambda a, b: vc.Wrench(force=(1, 0, 0))}, added())
    yield Call(
        "Impulse", vc.Impulse, {"name": "s", "on": "a", "wrench": vc.Wrench(force=(1, 0, 0)), "at": 0.1}, added()
    )


def _bonds():
    system = vc.System("crowd")
    dots = system.add_many(vc.MassPoint("dot", 1.0), 4)
    spring = vc.Spring("s", dots, dots, stiffness=1.0, rest_length=0.1)
    rows = {"bond": spring, "over": [(0, 1), (2, 3)], "numbers": {"stiffness": (1.0, 2.0)}}
    yield Call("Bonds", vc.Bonds, rows, lambda bonds: _in_crowd(bonds, dots))
    pull = vc.Potential(
        "p", [dots, dots], lambda a, b: -a.c * b.c / (1.0 + vc.math.dot(a.position - b.position, a.position))
    )
    near = {"bond": pull, "cutoff": 2.0, "fade": 1.0, "numbers": {"c": (1.0, 2.0, 1.0, 1.0)}}
    yield Call("Bonds, cutoff", vc.Bonds, near)
    yield Call("BodyGroup", lambda which: dots[which], {"which": slice(1, 3)})


def _in_crowd(bonds, dots) -> None:
    system = vc.System("crowd")
    for dot in dots:
        system.add(dot)
    system.add(bonds)
    system.tree()


def _constraints():
    real = {"realization": vc.DAlembert()}
    for level, function in (("position", lambda a, b: distance(a, b) - 1.0), ("velocity", lambda a, b: a.velocity[0] - b.velocity[0]),
                            ("acceleration", lambda a, b: a.acceleration[0])):  # fmt: skip
        how = vc.Chetaev() if level == "acceleration" else vc.DAlembert()
        given = {"name": "c", "bodies": ["a", "b"], level: function, "realization": how}
        yield Call(f"Constraint, {level}", vc.Constraint, given, added())
    yield Call("constant_speed", vc.constraints.constant_speed,
               {"name": "c", "body": "a", "speed": 1.0, "at": (0, 0, 0), "against": "ground", "realization": vc.Chetaev()},
               added())  # fmt: skip
    yield Call(
        "distance", vc.constraints.distance, {"name": "c", "a": "a", "b": "b", "length": 1.0, **FRAME, **real}, added()
    )
    hinges = vc.Revolute("h", "ground", "a"), vc.Revolute("k", "ground", "b")
    yield Call(
        "gear",
        vc.constraints.gear,
        {"name": "c", "a": "h", "b": "k", "ratio": 2.0, "phase": 0.0, **real},
        added(*hinges),
    )
    pivoted = {"name": "c", "bodies": ["b"], "pivot": "a", **real}
    yield Call(
        "invariant_constraint",
        vc.constraints.invariant_constraint,
        pivoted | {"position": lambda b: b.position[0] - 1.0},
        added(),
    )
    yield Call(
        "invariant_rows",
        vc.constraints.invariant_rows,
        pivoted | {"rows": lambda b: [[((1, 0, 0), (0, 0, 0))]], "drift": None},
        added(),
    )
    yield Call(
        "knife_edge",
        vc.constraints.knife_edge,
        {"name": "c", "body": "a", "side": (0, 1, 0), "at": (0, 0, 0), "on": "ground", **real},
        added(),
    )
    yield Call(
        "no_twist", vc.constraints.no_twist, {"name": "c", "a": "a", "b": "ground", "axis": (0, 0, 1), **real}, added()
    )
    at = {"name": "c", "body": "a", "at": (0, 0, 0), "of": "ground", **real}
    yield Call("point_on_curve", vc.constraints.point_on_curve, at | {"curve": lambda p: (p[0], p[1])}, added())
    yield Call("point_on_surface", vc.constraints.point_on_surface, at | {"surface": lambda p: p[2]}, added())
    yield Call("Rolling", vc.constraints.Rolling,
               {"name": "c", "body": "a", "support": lambda n: -0.1 * n, "on": "ground", "normal": (0, 0, 1), "through": (0, 0, 0),
                "realization": vc.DAlembert(), "contact": vc.DAlembert()}, added())  # fmt: skip
    rolls, plane = vc.constraints.Rolling, {"center": (0, 0, 0), "normal": (0, 0, 1), "realization": vc.DAlembert()}
    yield Call("Rolling.sphere", rolls.sphere, {"name": "c", "body": "a", "radius": 0.1} | plane, added())
    yield Call(
        "Rolling.disc", rolls.disc, {"name": "c", "body": "a", "radius": 0.1, "axis": (0, 1, 0)} | plane, added()
    )
    yield Call(
        "Rolling.ellipsoid", rolls.ellipsoid, {"name": "c", "body": "a", "semi_axes": (0.1, 0.2, 0.3)} | plane, added()
    )
    yield Call("DAlembert", vc.DAlembert, {}, constrained)
    yield Call("Chetaev", vc.Chetaev, {}, constrained)
    yield Call("Vakonomic", vc.Vakonomic, {"multipliers": 0.0}, constrained)
    yield Call(
        "Reaching", vc.constraints.Reaching, {"values": {"b": (1.0, None, None)}, "at": 1.0, "guess": 0.0}, constrained
    )
    yield Call("Penalty", vc.Penalty, {"stiffness": 1.0}, constrained)
    yield Call("AddedInertia", vc.constraints.AddedInertia, {"coefficient": 1.0}, constrained)
    yield Call("ViscousFriction", vc.constraints.ViscousFriction, {"coefficient": 1.0}, constrained)
    yield Call("Servo", vc.Servo, {"direction": "j"}, constrained, ("direction",))


def _contacts():
    bound = {"name": "f", "bodies": ["a"], "gap": lambda a: a.position[2], "impact": vc.Newton(0.5), "friction": vc.Coulomb(0.3),
             "point": lambda a: a.position}  # fmt: skip
    yield Call("Unilateral", vc.Unilateral, bound, added())
    foot = {
        "name": "f",
        "body": "a",
        "foot": (0, 0, -0.1),
        "plane": vc.shapes.HalfSpace((0, 0, 1)),
        "impact": 0.5,
        "friction": 0.3,
    }
    yield Call("Unilateral.on_plane", vc.Unilateral.on_plane, foot, added())
    stopped = lambda limits: vc.Revolute("j", "a", "b", limits=limits)
    yield Call("Limits", vc.constraints.Limits, {"lower": -1.0, "upper": 1.0, "impact": 0.5}, stopped)
    free_bodies = {"name": "p", "bodies": ["a", "b"], "walls": [vc.shapes.HalfSpace((0, 0, 1), 0.0)], "impact": vc.Inelastic(),
            "friction": vc.Coulomb(0.3), "against": (), "joined": False}  # fmt: skip
    yield Call("Contact", vc.Contact, free_bodies, added())
    yield Call(
        "Coulomb", vc.Coulomb, {"mu": 0.3, "along": (1, 0, 0), "mu_across": 0.2, "rolling": 0.0, "spinning": 0.0}
    )
    for law in (vc.Newton, vc.Poisson):
        yield Call(law.__name__, law, {"e": 0.5, "treatment": "simultaneous"})
    for law in (vc.Inelastic, vc.Elastic):
        yield Call(law.__name__, law, {"treatment": "simultaneous"})
    for wall in (vc.shapes.HalfSpace, vc.shapes.TwoSidedPlane):
        yield Call(wall.__name__, wall, {"normal": (0, 0, 1), "offset": 0.0}, walled)
    yield Call(
        "HeightField", vc.shapes.HeightField, {"heights": np.zeros((3, 3)), "spacing": (1, 1), "at": (0, 0, 0)}, walled
    )
    yield Call("Mesh", vc.shapes.Mesh, {"corners": POINTS[:3], "triangles": [(0, 1, 2)], "at": (0, 0, 0)}, walled)
    yield Call("FixedSolid", vc.shapes.FixedSolid, {"shape": vc.shapes.Sphere(1.0), "at": (0, 0, 0)}, walled)


def _systems():
    yield Call("System", vc.System, {"name": "s", "gravity": (0, 0, -9.81)})
    yield Call("System.add", lambda thing: vc.System("s").add(thing), {"thing": vc.MassPoint("a", 1.0)})
    yield Call("System.add_many", vc.System("s").add_many, {"body": vc.MassPoint("a", 1.0), "count": 3})
    yield Call(
        "System.with_realization", rolled().with_realization, {"constraint": "blade", "realization": vc.DAlembert()}
    )
    yield Call("System.with_contacts", bounded().with_contacts, {"closed": {"floor": "slides"}, "continued": False})
    yield Call("LagrangianSystem", vc.LagrangianSystem,
               {"name": "o", "coordinates": ["x"], "lagrangian": lambda x, x_dot: x_dot**2 - x**2,
                "dissipation": lambda x_dot: [-x_dot], "constraints": {}})  # fmt: skip
    yield Call("LagrangianSystem.constraints", vc.LagrangianSystem,
               {"name": "o", "coordinates": ["x", "y"], "lagrangian": lambda q, v: vc.math.dot(v, v),
                "constraints": {"c": (lambda q: q[0], vc.DAlembert())}})  # fmt: skip
    state = {"q": [0.1, 0.2], "v": [0.0, 1.0], "t": 0.0, "parameters": {"m": 1.0}}
    momenta = {"q": [0.1, 0.2], "p": [0.0, 1.0], "t": 0.0, "guess": None, "parameters": {"m": 1.0}}
    for name in ("momentum", "energy", "hessian"):
        yield Call(f"Legendre.{name}", getattr(lagrangian().legendre, name), state)
    yield Call("LagrangianSystem.accelerations", lagrangian().accelerations, state | {"multipliers": ()})
    for name in ("velocity", "hamiltonian"):
        yield Call(f"Legendre.{name}", getattr(lagrangian().legendre, name), momenta)
    yield Call(
        "LagrangianSystem.with_realization",
        lagrangian().with_realization,
        {"constraint": "rod", "realization": vc.DAlembert()},
    )
    yield Call("LagrangianSystem.restrict", lagrangian().restrict,
               {"places": lambda u: (u, u), "coordinates": ["u"], "name": "r"})  # fmt: skip
    yield Call("At", vc.At, {"position": 0.1, "rate": 0.2},
               lambda at: vc.simulate(swinging(), 1e-3, {"j": at}, method="rk4", step=1e-3, progress=False))  # fmt: skip
    yield Call("Event", vc.Event, {"name": "e", "of": ["j"], "function": lambda j: j.q, "direction": 0, "stop": False, "text": ""},
               lambda e: vc.simulate(swinging(), 1e-3, events=[e], method="dop853", progress=False))  # fmt: skip
    yield Call("read_model", vc.read_model, {"path": "examples/double_pendulum.toml", "changed": {}})
    yield Call("load", vc.load, {"path": "nowhere.zarr"})


def _runs():
    run = {"system": swinging(), "until": 0.01, "start": {"j": 0.1}, "begin": 0.0, "parameters": None, "method": "dop853",
           "tolerance": None, "step": None, "max_step": None, "grid": 3, "events": (), "progress": False}  # fmt: skip
    yield Call("simulate", vc.simulate, run)
    yield Call(
        "simulate, steps",
        vc.simulate,
        {"system": swinging(), "until": 0.01, "method": "rk4", "step": 1e-3, "progress": False},
    )
    yield Call("simulate, taylor", vc.simulate,
               {"system": swinging(), "until": 0.01, "start": {"j": 0.1}, "method": "auto", "tolerance": 1e-9})  # fmt: skip
    yield Call("simulate, time stepping", vc.simulate, {"system": bounded(), "until": 0.01, "start": {"b": (0, 0, 1)},
               "method": "moreau", "step": 1e-3, "progress": False})  # fmt: skip
    yield Call("simulate, Lagrangian", vc.simulate, {"system": lagrangian(), "until": 0.01, "start": {"x": 0.1, "y": 0.2},
               "begin": 0.0, "parameters": {"m": 1.0}, "method": "dop853", "grid": 3, "progress": False})  # fmt: skip
    yield Call("ensemble", vc.ensemble,
               {"system": swinging(), "until": 0.01, "start": {"j": [0.1, 0.2]}, "begin": 0.0, "parameters": None, "method": "dop853",
                "tolerance": 1e-9, "step": None, "grid": 2, "device": "cpu", "threads": 1, "repair": False})  # fmt: skip
    runs = vc.ensemble(swinging(), 0.01, {"j": [0.1, 0.2]}, threads=1)
    yield Call("Runs.plot", lambda over, since, value: runs.plot("j", kind="bifurcation", over=over, since=since, value=value),
               {"over": "j", "since": 0.0, "value": None}, _closed)  # fmt: skip
    yield Call("Runs.plot, map", lambda over, value, label: runs.plot("j", kind="map", over=over, value=value, label=label),
               {"over": ("j", "rate of j"), "value": [1.0, 2.0], "label": "x"}, _closed)  # fmt: skip
    yield Call("compare_realizations", vc.constraints.compare_realizations,
               {"system": rolled(), "constraint": "blade", "realizations": [vc.DAlembert(), vc.Chetaev()], "until": 0.01,
                "start": {"plane": vc.At((0, 0, 0), rate=(0.1, 0, 0))}, "method": "dop853", "progress": False})  # fmt: skip
    yield Call("given_motion", vc.given_motion,
               {"system": swinging(), "time": [0.0, 0.1], "q": [[0.0], [0.1]], "v": [[1.0], [1.0]], "parameters": None,
                "tolerance": 1e-6})  # fmt: skip
    yield Call("given_motion, Lagrangian", vc.given_motion,
               {"system": lagrangian(), "time": [0.0, 0.1], "q": [[0.1, 0.0], [0.1, 0.1]], "v": [[0.0, 1.0], [0.0, 1.0]],
                "multipliers": None, "parameters": {"m": 1.0}, "tolerance": 1e-6})  # fmt: skip


def _questions():
    m = motion()
    yield Call("Motion.at", m.at, {"time": [0.1]}, lambda x: x.q)
    yield Call("Motion.body", m.body, {"body": "a"}, lambda x: (x.position, x.rotation, x.twist, x.momentum), ("body",))
    yield Call("Motion.body, prescribed", m.body, {"body": "a"}, lambda x: x.drive.power, ("body",))
    yield Call("BodyMotion.point", m.body("a").point, {"place": (0, 0, 0)}, lambda x: x.position)
    yield Call("Motion.body, measure", m.body, {"body": "a"}, lambda x: (x.center, x.measures.kinetic), ("body",))
    yield Call("Motion.__getitem__", m.__getitem__, {"joint": "j"}, places=("joint",))
    yield Call("Motion.joint", m.joint, {"joint": "j"}, lambda x: x.reaction)
    yield Call("Motion.bond", m.bond, {"bond": "s"}, lambda x: (x.force, x.energy), ("bond",))
    yield Call("BondMotion.effort", m.bond("s").effort, {"body": "a"})
    for name in ("multiplier", "power", "work", "excess"):
        yield Call(f"Motion.bond, {name}", m.bond, {"bond": "c"}, lambda x, name=name: getattr(x, name), ("bond",))
    for name in ("impulses", "gap", "slip"):
        yield Call(
            f"Motion.bond, {name}", bounced().bond, {"bond": "floor"}, lambda x, name=name: getattr(x, name), ("bond",)
        )
    yield Call("Record.in_phases", m.record.in_phases, {})
    yield Call("Record.in_phases, bounced", bounced().record.in_phases, {})
    yield Call("MotionPlot.picture", m.plot.picture, {"t": 0.1, "elevation": 22.0, "azimuth": -60.0}, _closed)
    yield Call(
        "MotionPlot.view",
        m.plot.view,
        {"path": "/proc/nowhere/page.html", "frames": 10, "trace": ["a"], "browser": False},
    )
    yield Call(
        "MotionPlot.animate",
        m.plot.animate,
        {"path": "/proc/nowhere/film.gif", "fps": 10, "speed": 1.0, "size": (64, 48)},
    )
    yield Call("MotionPlot.report", m.plot.report, {"path": "/proc/nowhere/report.html", "draw": None})
    yield Call("Motion.plot", m.plot, {"joint": "j"}, _closed, ("joint",))
    yield Call("Motion.plot, path", lambda path: m.plot("j", path=path), {"path": None}, _closed)
    yield Call(
        "Motion.plot, kind",
        lambda kind, beside: m.plot("j", kind=kind, beside=beside),
        {"kind": "phase", "beside": {"again": m}},
        _closed,
    )
    for kind, name in (("path", "a"), ("energy", None), ("contact", None)):
        named = () if name is None else (name,)
        yield Call(
            f"Motion.plot, {kind}",
            lambda beside, kind=kind, named=named: m.plot(*named, kind=kind, beside=beside),
            {"beside": None},
            _closed,
        )
    yield Call("MotionPlot.picture, path", lambda path: m.plot.picture(path=path), {"path": None}, _closed)
    yield Call("Motion.save", m.save, {"path": "/proc/nowhere/run.zarr"})
    yield Call("Motion.at, frame", m.at, {"frame": vc.measures.change_of_frame((1, 0, 0))}, lambda x: x.q)
    yield Call(
        "BodyMotion.balance", m.body("a").measures.balance, {"window": (0.0, 0.1), "sides": ("right", "right")}, str
    )
    yield Call(
        "BodiesMotion.balance", m.body().measures.balance, {"window": (0.0, 0.1), "sides": ("right", "right")}, str
    )
    kept = m.body("a").measures.balance((0.0, 0.1))
    yield Call("Balance.plot", kept.plot, {"path": None}, _closed)
    yield Call("Balance.save", kept.save, {"path": "/proc/nowhere/balance.json"})
    yield Call("Balance.read", type(kept).read, {"path": "/proc/nowhere/balance.json"})
    yield Call("Motion.replace", m.replace,
               {"q": None, "v": None, "system": None, "parameters": None, "contact_impulses": None, "impulses": None})  # fmt: skip
    yield Call("weak_residual", vc.measures.weak_residual, {"motion": m, "fields": 2, "seed": 0})
    x = lagrangian_motion()
    yield Call("LagrangianMotion.at", x.at, {"time": [0.1]}, lambda y: y.q)
    for name in ("energy", "multiplier", "power", "work"):
        yield Call(
            f"LagrangianMotion.bond, {name}", x.bond, {"constraint": "rod"}, lambda y, name=name: getattr(y, name)
        )
    yield Call("LagrangianMotion.replace", x.replace, {"q": x.q, "v": x.v}, lambda y: y.audit())
    yield Call("LagrangianMotion.__getitem__", x.__getitem__, {"name": "x"})
    yield Call("LagrangianMotion.derivative", x.derivative, {"order": 1})
    yield Call("LagrangianMotion.plot", x.plot, {"coordinate": "x"}, _closed, ("coordinate",))
    yield Call(
        "MotionPlot.report, Lagrangian",
        x.plot.report,
        {"path": "/proc/nowhere/report.html", "draw": lambda q: [(0, 0)]},
    )
    yield Call("LagrangianMotion.save", x.save, {"path": "/proc/nowhere/run.zarr"})
    compared = vc.constraints.compare_realizations(
        rolled(), "blade", [vc.DAlembert(), vc.Chetaev()], 0.01, method="dop853", progress=False
    )
    yield Call("Comparison.distance", compared.distance, {"label": 1})
    yield Call("Comparison.parting", compared.parting, {"label": 1, "tolerance": 1e-6})
    yield Call("Comparison.plot", compared.plot, {"path": None}, _closed)


def _closed(figure) -> None:
    from matplotlib import pyplot

    pyplot.close("all")


def _equations():
    yield Call("derive", vc.derive, {"system": swinging(), "form": "lagrange", "coordinates": None})
    e, state = equations(), {"q": [0.1, 1, 0, 0], "v": [0.0] * 4, "t": 0.0, "parameters": {"m": 1.0}}
    for name in ("mass_matrix", "bias", "blocks"):
        yield Call(f"Equations.{name}", getattr(e, name), state)
    yield Call("Equations.accelerations", e.accelerations, state | {"tau": None})
    yield Call("Closure.at", e.closure.at, state)
    for name in ("multipliers", "solve"):
        yield Call(f"Closure.{name}", getattr(e.closure, name), state | {"tau": None})
    h, momenta = equations("hamilton"), {"q": [0.1], "p": [0.0], "t": 0.0, "parameters": None}
    yield Call("CanonicalEquations.momenta", e.canonical.momenta, state)
    for name in ("hamiltonian", "momenta_rates", "velocities"):
        yield Call(f"CanonicalEquations.{name}", getattr(h.canonical, name), momenta)
    yield Call("Code.c99", e.code.c99, {"path": "/proc/nowhere/code"})
    yield Call("Code.compile", vc.derive(swinging()).code.compile, {"what": "accelerations"})
    for name in ("latex", "lines", "sympy"):
        yield Call(f"Equations.{name}", getattr(vc.derive(swinging()), name), {"seconds": 5.0})
    yield Call("inverse_dynamics", vc.inverse_dynamics,
               {"system": swinging(), "q": [0.1], "v": [0.0], "a": [0.0], "t": 0.0, "parameters": None, "external": None,
                "form": "telegin"})  # fmt: skip
    yield Call("forward_dynamics", vc.forward_dynamics,
               {"system": swinging(), "q": [0.1], "v": [0.0], "tau": [0.0], "t": 0.0, "parameters": None, "external": None})  # fmt: skip
    inverse = vc.inverse_dynamics(swinging(), [0.1], [0.0], [0.0])
    yield Call("InverseDynamics.drive", inverse.drive, {"joint": "j"})
    yield Call("InverseDynamics.wrench", inverse.wrench, {"joint": "j"})
    yield Call("power_series", vc.power_series,
               {"system": swinging(), "start": {"j": 0.1}, "order": 4, "t": 0.0, "parameters": None, "form": "telegin"})  # fmt: skip
    series = vc.power_series(swinging(), {"j": 0.1}, order=4)
    if callable(series):
        yield Call("PowerSeries", series, {"t": 0.1}, places=("t",))
    yield Call("linearize", vc.linearize,
               {"system": swinging(), "at": {"j": 0.0}, "coordinates": (), "inputs": ("j",), "parameters": None, "t": 0.0,
                "settle": False})  # fmt: skip
    yield Call("Linearization.part", linear().part, {"name": linear().states.coordinates[0]}, places=("name",))
    yield Call("mobility", vc.mobility, {"system": swinging(), "start": {"j": 0.1}, "t": 0.0, "parameters": None})
    yield Call("first_integrals", vc.first_integrals, {"system": swinging(), "parameters": None, "fields": ()})
    yield Call("first_integrals, Lagrangian", vc.first_integrals,
               {"system": lagrangian(), "parameters": {"m": 1.0}, "fields": [lambda q: (-q[1], q[0])]})  # fmt: skip
    yield Call("linearize, Lagrangian", vc.linearize,
               {"system": lagrangian(), "at": {"x": 0.0}, "coordinates": (), "inputs": ("x",), "parameters": {"m": 1.0}, "t": 0.0,
                "settle": True})  # fmt: skip
    first = next(iter(vc.first_integrals(swinging()).integrals))
    swing = vc.simulate(swinging(), 0.1, grid=3, method="dop853", progress=False)
    yield Call("FirstIntegral.along", first.along, {"motion": swing})
    yield Call("FirstIntegral.value", first.value, {"q": [0.1], "v": [0.0], "t": 0.0})
    for function in (vc.constraints.integrability, vc.constraints.adiabaticity):
        yield Call(function.__name__, function,
                   {"system": rolled(), "name": "blade", "start": {"plane": (0, 0, 0)}, "parameters": None, "t": 0.0},
                   places=("system", "name"))  # fmt: skip
    yield Call("audit_invariance", vc.audit_invariance, {"system": pendulum(), "parameters": {"m": 1.0}})
    a, b = vc.MassPoint("a", 1.0), vc.MassPoint("b", 1.0)
    spring = vc.Spring("s", a, b, stiffness=1.0)
    yield Call("reduce_invariant", vc.potentials.reduce_invariant, {"potential": spring, "pivot": None, "system": None})
    reduced = vc.potentials.reduce_invariant(spring)
    yield Call(
        "ReducedPotential.energy", reduced.energy, {"first": [[0, 0, 0], [1, 0, 0]], "second": None, "parameters": None}
    )
    yield Call(
        "ReducedPotential.efforts", reduced.efforts, {"x": [[0, 0, 0], [1, 0, 0]], "Q": None, "parameters": None}
    )
    yield Call("ReducedPotential.invariants", reduced.invariants, {"x": [[0, 0, 0], [1, 0, 0]], "Q": None})
    yield Call(
        "solve_power_balance",
        vc.constraints.solve_power_balance,
        {"C": np.eye(2), "g": [1.0, 2.0], "f": 1.0, "tolerance": 1e-12},
    )
    balance = vc.constraints.solve_power_balance(np.array([[1.0, 0.0]]), [1.0], 1.0)
    yield Call("PowerBalance.efforts", balance.efforts, {"lam": None})
    yield Call("PowerBalance.multipliers", balance.multipliers, {"free": None})


def _measures():
    yield Call(
        "Measure.atoms", vc.Measure.atoms, {"points": [[0, 0, 0], [1, 0, 0]], "masses": [1.0, 2.0], "signed": False}
    )
    yield Call("Measure.solid", vc.Measure.solid,
               {"shape": vc.shapes.Sphere(1.0), "density": None, "mass": 1.0, "at": (0, 0, 0), "order": 4, "accuracy": None,
                "signed": False})  # fmt: skip
    place = {"density": None, "mass": 1.0, "at": (0, 0, 0), "accuracy": None}
    yield Call("Measure.mesh", vc.Measure.mesh, {"source": POINTS, "triangles": TRIANGLES, "scale": 1.0, **place})
    yield Call("Measure.surface", vc.Measure.surface, {"source": POINTS, "triangles": TRIANGLES, "over": None, **place})
    yield Call("Measure.line", vc.Measure.line, {"source": POINTS, "over": None, **place})
    yield Call(
        "Measure.restrict", measure().restrict, {"region": vc.shapes.Sphere(0.3), "at": (0, 0, 0), "accuracy": 0.01}
    )
    yield Call("Polyhedron", vc.shapes.Polyhedron, {"corners": POINTS, "triangles": TRIANGLES})
    yield Call("Polyhedron.read", vc.shapes.Polyhedron.read, {"path": "nowhere.stl", "scale": 1.0})
    yield Call("Tetrahedra", vc.shapes.Tetrahedra, {"corners": POINTS, "cells": [(0, 1, 2, 3)]})
    yield Call(
        "integral", vc.measures.integral, {"measure": measure(), "f_of_x": lambda x: x, "accuracy": 0.01, "order": 4}
    )
    yield Call("moments", vc.measures.moments, {"measure": measure(), "accuracy": 0.01})
    yield Call("kinetic_energy", vc.measures.kinetic_energy, {"measure": measure(), "V": [0.0] * 6, "accuracy": None})
    yield Call("ScrewMeasure", vc.measures.ScrewMeasure, {"terms": ()}, lambda x: x.reduce())
    yield Call("ScrewMeasure.of", vc.measures.ScrewMeasure.of,
               {"measure": measure(), "p_of_x": lambda x: x, "q_of_x": None}, lambda x: x.reduce(order=2))  # fmt: skip
    screws = vc.measures.ScrewMeasure.of(measure(), lambda x: x)
    yield Call("ScrewMeasure.reduce", screws.reduce, {"at": (0, 0, 0), "accuracy": None, "order": 2})
    yield Call(
        "ScrewMeasure.restrict", screws.restrict, {"region": vc.shapes.Sphere(0.3), "at": (0, 0, 0), "accuracy": 0.01}
    )
    one, two = (vc.Measure.atoms([x], [1.0]) for x in ((0, 0, 0), (1, 0, 0)))
    yield Call(
        "SkewBimeasure",
        vc.measures.SkewBimeasure,
        {"force": lambda x, y: y - x, "couple": None},
        lambda b: b.between(one, two),
    )
    yield Call(
        "SkewBimeasure.central",
        vc.measures.SkewBimeasure.central,
        {"attraction": lambda r: r},
        lambda b: b.between(one, two),
    )
    law = vc.measures.SkewBimeasure.central(lambda r: r)
    yield Call("SkewBimeasure.between", law.between, {"a": one, "b": two, "accuracy": 0.01})
    yield Call("Measure.integrate", measure().integrate,
               {"p_of_x": lambda x: x, "q_of_x": lambda x: x, "at": (0, 0, 0), "order": 4, "accuracy": None})  # fmt: skip
    yield Call("Measure.momentum", measure().momentum, {"V": [0.0] * 6})
    yield Call("Measure.transform", measure().transform, {"X": vc.Pose()})
    yield Call("Measure", vc.Measure, {"parts": ()})
    bump = vc.measures.Bump.at((0, 0, 0, 0), (1, 1, 1, 1))
    yield Call("Bump.at", vc.measures.Bump.at, {"center": (0, 0, 0, 0), "widths": (1, 1, 1, 1), "tilt": None})
    yield Call(
        "Bump.random",
        vc.measures.Bump.random,
        {"rng": np.random.default_rng(0), "center": (0, 0, 0, 0), "widths": (1, 1, 1, 1)},
    )
    yield Call("Bump.gradient", bump.gradient, {"xi": np.zeros((1, 4))})
    yield Call("Bump.__call__", bump, {"xi": np.zeros((1, 4))}, places=("xi",))
    vector = {"rng": np.random.default_rng(0), "center": (0, 0, 0, 0), "widths": (1, 1, 1, 1), "isochronous": True}
    yield Call("VectorBump.random", vc.measures.VectorBump.random, vector)
    field_ = vc.measures.VectorBump.random(**vector)
    yield Call("VectorBump.derivatives", field_.derivatives, {"xi": np.zeros((1, 4))})
    k = kinetic()
    yield Call("KineticMeasure.trajectory", vc.measures.KineticMeasure.trajectory,
               {"path": straight, "times": [0.0, 1.0], "mass": 1.0}, lambda x: x.total())  # fmt: skip
    yield Call("KineticMeasure.streams", vc.measures.KineticMeasure.streams,
               {"points": np.zeros((1, 4)), "velocities": np.ones((1, 4)), "weights": [1.0]}, lambda x: x.total())  # fmt: skip
    yield Call("KineticMeasure.tensors", vc.measures.KineticMeasure.tensors,
               {"points": np.zeros((1, 4)), "tensors": np.eye(4)[None]}, lambda x: x.total())  # fmt: skip
    yield Call("KineticMeasure.pair", k.pair, {"kappa": lambda xi: np.ones(len(xi)), "support": None})
    for name in ("divergence", "mass_input"):
        yield Call(f"KineticMeasure.{name}", getattr(k, name), {"test": bump})
    yield Call(
        "KineticMeasure.equilibrium",
        k.equilibrium,
        {"field": field_, "metric": lambda xi: np.broadcast_to(np.eye(4), (len(xi), 4, 4))},
    )
    yield Call("KineticMeasure.push_forward", k.push_forward, {"mapped": lambda xi: xi})
    yield Call("KineticMeasure.ranks", k.ranks, {"tolerance": 1e-9})
    yield Call("KineticMeasure.restrict", k.restrict, {"window": vc.measures.Window.since(0.5)}, lambda x: x.total())
    yield Call("EffortMeasure.along", vc.measures.EffortMeasure.along,
               {"measure": k, "density": still, "instants": [0.5], "contact_impulses": [[1.0, 0, 0]]})  # fmt: skip
    effort = vc.measures.EffortMeasure.along(k, still)
    yield Call("EffortMeasure.pair", effort.pair, {"test": bump})
    yield Call("EffortMeasure.power", effort.power, {"field": field_})
    yield Call("EffortMeasure.push_forward", effort.push_forward, {"mapped": lambda xi: xi})
    yield Call("EffortMeasure.restrict", effort.restrict, {"window": vc.measures.Window.since(0.5)})
    yield Call(
        "BoundaryAtoms",
        vc.measures.BoundaryAtoms,
        {"points": np.zeros((1, 4)), "vectors": np.zeros((1, 4))},
        lambda x: x.pair(bump),
    )
    yield Call("change_of_frame", vc.measures.change_of_frame,
               {"velocity": (1, 0, 0), "rotation": None, "shift": None}, lambda f: f(np.zeros((1, 4))))  # fmt: skip
    rest, one = lambda x, t: np.zeros((len(t), 3)), lambda x, t: np.ones(len(t))
    gas = vc.measures.Medium("gas", one, rest)
    yield Call("Medium", vc.measures.Medium, {"name": "gas", "density": one, "velocity": rest, "force": None, "stress": None,
               "source": None, "increment": None, "momentum": None, "spin": None, "couple": None, "couple_stress": None,
               "exchange": None, "exchange_couple": None})  # fmt: skip
    box, span = ((0, 0, 0), (1, 1, 1)), (0.0, 1.0)
    yield Call(
        "audit_media",
        vc.measures.audit_media,
        {"media": gas, "box": box, "window": span, "cells": 1, "point": (0, 0, 0)},
        str,
    )
    axes = tuple(np.linspace(0.0, 1.0, 7) for _ in range(4))
    yield Call("SampledField", vc.measures.SampledField, {"axes": axes, "values": np.zeros((7, 7, 7, 7))},
               lambda f: f(np.full((1, 3), 0.5), np.full(1, 0.5)))  # fmt: skip
    places = np.array([[[0.0, 0, 0], [1, 0, 0]], [[0, 1, 0], [1, 1, 0]]])
    tube = vc.measures.WorldTube([0.0, 1.0], places, ["a", "b"])
    yield Call("WorldTube", vc.measures.WorldTube, {"time": [0.0, 1.0], "places": places, "names": ["a", "b"]})
    yield Call("WorldTube.at", tube.at, {"t": 0.5})
    for name in ("part", "environment"):
        yield Call(f"WorldTube.{name}", getattr(tube, name), {"names": ["a"]})
    yield Call("Face", vc.measures.Face, {"b": lambda xi: xi[:, 0], "closed": True}, lambda x: x.at(np.zeros((1, 4))))
    yield Call("Window", vc.measures.Window, {"faces": ()}, lambda w: w.contains(np.zeros((1, 4))))
    yield Call("Window.contains", vc.measures.Window.since(0.0).contains, {"points": np.zeros((1, 4))})
    for name in ("since", "until"):
        yield Call(f"Window.{name}", getattr(vc.measures.Window, name), {"t": 0.0, "closed": True})
    yield Call(
        "Window.where",
        vc.measures.Window.where,
        {"b": lambda xi: xi[:, 0], "closed": True},
        lambda w: w.contains(np.zeros((1, 4))),
    )


@cache
def sphere() -> "vc.geometry.Metric":
    return vc.geometry.Metric("sphere", ["theta", "phi"], lambda theta: [[1.0, 0.0], [0.0, vc.math.sin(theta) ** 2]])


@cache
def bead() -> vc.LagrangianSystem:
    return vc.LagrangianSystem("bead", ["x"], lambda x, x_dot: (1.0 + x**2) * x_dot**2)


def _geometry():
    g, at = vc.geometry, {"q": (1.0, 0.2), "parameters": None}
    metric, turning = {"metric": sphere()}, lambda: (0.0, 1.0)
    stress = lambda theta: [[theta, 0.0], [0.0, 1.0]]
    atoms = g.TensorMeasure([[1.0, 0.2]], [[[1.0, 0.0], [0.0, 2.0]]])
    yield Call("Metric", g.Metric,
               {"name": "sphere", "coordinates": ["theta", "phi"], "components": lambda: np.eye(2), "domain": lambda theta: 3.0 - theta},
               lambda x: x.christoffel((1.0, 0.2)))  # fmt: skip
    yield Call("Metric.of", g.Metric.of, {"system": bead(), "coordinates": None, "domain": None, "at": None})
    yield Call(
        "Metric.of, bodies", g.Metric.of, {"system": pendulum(), "coordinates": None, "domain": None, "at": None}
    )
    yield Call("Metric.restrict", sphere().restrict,
               {"places": lambda u: (u, 2.0 * u), "coordinates": ["u"], "name": "line", "domain": None})  # fmt: skip
    yield Call("Metric.__call__", sphere(), at, places=("q",))
    yield Call("TensorField.__call__", sphere().christoffel, at, places=("q",))
    yield Call(
        "covariant_derivative",
        g.covariant_derivative,
        metric | {"tensor": turning, "indices": "^"},
        lambda x: x((1.0, 0.2)),
    )
    yield Call(
        "laplace_beltrami", g.laplace_beltrami, metric | {"function": lambda theta: theta}, lambda x: x((1.0, 0.2))
    )
    yield Call("deformation", g.deformation, metric | {"vector": turning}, lambda x: x((1.0, 0.2)))
    yield Call("divergence", g.divergence, metric | {"tensor": stress}, lambda x: x((1.0, 0.2)))
    yield Call("equilibrium", g.equilibrium, metric | {"tensor": stress}, lambda x: x((1.0, 0.2)))
    yield Call("Distribution.pair", g.equilibrium(sphere(), atoms).pair, {"test": turning, "parameters": None})
    yield Call("sectional_curvature", g.sectional_curvature, metric | at | {"u": (1.0, 0.0), "w": (0.0, 1.0)})
    yield Call(
        "geodesic",
        g.geodesic,
        metric | at | {"v": (0.1, 0.2), "until": 1.0, "method": "auto", "tolerance": 1e-9, "grid": 3},
    )
    yield Call("exponential", g.exponential, metric | at | {"v": (0.1, 0.2), "tolerance": 1e-9})
    yield Call("parallel_transport", g.parallel_transport,
               metric | {"curve": ((1.0, 0.2), (0.1, 0.2)), "w": (1.0, 0.0), "until": 1.0, "begin": 0.0, "parameters": None,
                         "method": "auto", "tolerance": 1e-9, "grid": 3})  # fmt: skip
    yield Call("first_integral", g.first_integral, metric | {"vector": turning, "parameters": None, "at": [(1.0, 0.2)]})
    yield Call(
        "killing_fields", g.killing_fields, metric | {"degree": 1, "functions": None, "parameters": None, "at": None}
    )
    yield from _quantum()
    yield from _boundary_values()
    yield from _carriers()
    yield Call("TensorMeasure", g.TensorMeasure, {"points": [[1.0, 0.2]], "tensors": [np.eye(2)]})
    yield Call("TensorMeasure.curve", g.TensorMeasure.curve,
               {"path": lambda s: (s, s), "begin": 0.0, "until": 1.0, "tensor": lambda s: np.eye(2), "panels": 2})  # fmt: skip
    yield Call("TensorMeasure.density", g.TensorMeasure.density,
               metric | {"tensor": stress, "box": [(0.5, 1.0), (0.0, 1.0)], "panels": 1, "parameters": None})  # fmt: skip
    yield Call("TensorMeasure.push_forward", atoms.push_forward, {"places": lambda q: 2.0 * q})
    yield Call("TensorMeasure.pair", atoms.pair, metric | {"kappa": None, "parameters": None})


@cache
def swung() -> vc.Motion:
    system = vc.System("swing", gravity=(0, 0, -9.81))
    system.add(vc.Revolute("phi", "ground", system.add(vc.MassPoint("bob", 1.0)), axis=(0, 1, 0), to=(0, 0, 1)))
    return vc.simulate(system, 1.0, {"phi": 0.3}, method="dop853", grid=3, progress=False)


def _carriers():
    g, measure = vc.geometry, vc.geometry.TensorMeasure([[1.0, 0.2]], [np.eye(2)])
    stir = g.Carrier(sphere(), lambda theta: (0.1, theta))
    at = {"q": (1.0, 0.2), "tau": 0.1, "parameters": None}
    yield Call(
        "Carrier",
        g.Carrier,
        {"metric": sphere(), "velocity": lambda theta: (0.1, theta), "support": [(0.5, 1.5), None]},
    )
    yield Call("Carrier.flow", stir.flow, at, places=("q",))
    yield Call("Carrier.convect", stir.convect, at | {"tensor": (1.0, 0.0), "indices": "^"}, places=("q",))
    yield Call("Carrier.convect_measure", stir.convect_measure, {"measure": measure, "tau": 0.1, "parameters": None})
    yield Call("lie_derivative", g.lie_derivative,
               {"metric": sphere(), "vector": lambda: (0.1, 1.0), "tensor": lambda theta: (theta, 0.0), "indices": "_"},
               lambda x: x((1.0, 0.2)))  # fmt: skip
    yield Call("trace_rate", g.trace_rate, {"carrier": stir, "measure": measure, "step": 0.01, "parameters": None})
    yield Call("second_trace_rate", g.second_trace_rate,
               {"metric": sphere(), "measure": measure, "vector": lambda: (0.1, 1.0), "parameters": None})  # fmt: skip
    yield Call("sign_condition", g.sign_condition, {"metric": sphere(), "measure": measure, "parameters": None})
    yield Call("action_rate", g.action_rate,
               {"motion": swung(), "velocity": lambda t: (t,), "time": lambda t: t, "support": (0.2, 0.8), "carry": "curve"})  # fmt: skip
    yield Call("audit_action", g.audit_action, {"motion": swung(), "carriers": 2, "seed": 0})
    yield Call("second_variation", g.second_variation, {"motion": swung(), "begin": 0.1, "until": 0.5, "modes": 2})


@cache
def oscillator() -> "vc.hamiltonian.Hamiltonian":
    k = vc.parameter("k", 1.0)
    return vc.hamiltonian.Hamiltonian("oscillator", ["x"], lambda x, p_x: (p_x**2 + k * x**2) / 2)


@cache
def rolling_bead() -> "vc.hamiltonian.Hamiltonian":
    return vc.hamiltonian.Hamiltonian("bead", ["x", "y"], lambda p, y: p @ p / 2 + y, {"circle": lambda q: q @ q - 1.0})


def _hamiltonian():
    h, state = vc.hamiltonian, {"q": [0.3], "p": [0.4], "parameters": {"k": 2.0}}
    at = {"q": [0.3], "p": [0.4], "t": 0.0, "parameters": None}
    own = {"hamiltonian": oscillator()}
    yield Call("Hamiltonian", h.Hamiltonian,
               {"name": "ball", "coordinates": ["x", "y"], "hamiltonian": lambda p: p @ p / 2, "constraints": {"c": lambda x, y: x - y}},
               lambda H: H([0.1, 0.1], [0.2, 0.2]))  # fmt: skip
    yield Call("Hamiltonian.of", h.Hamiltonian.of, {"system": bead(), "coordinates": None})
    yield Call("Hamiltonian.__call__", oscillator(), at, places=("q", "p"))
    yield Call(
        "Hamiltonian.function", oscillator().function, {"function": lambda x: x, "name": "f"}, lambda f: f([0.1], [0.2])
    )
    yield Call("Hamiltonian.bracket", oscillator().bracket, {"left": lambda x: x, "right": lambda p_x: p_x**2},
               lambda f: f([0.1], [0.2]))  # fmt: skip
    yield Call(
        "Hamiltonian.dirac_bracket", rolling_bead().dirac_bracket, {"left": lambda x: x, "right": lambda p_x: p_x**2}
    )
    yield Call(
        "Hamiltonian.momentum",
        h.Hamiltonian.of(bead()).momentum,
        {"q": [0.3], "v": [0.4], "t": 0.0, "parameters": None},
    )
    yield Call("PhaseFunction.__call__", oscillator().rates, at, places=("q", "p"))
    yield Call("Wall", h.Wall, {"gap": lambda x: x + 1.0, "restitution": 1.0})
    run = own | state | {"until": 2.0, "begin": 0.0}
    yield Call(
        "integrate", h.integrate, run | {"step": 0.1, "method": "gauss", "order": 4, "every": 2}, lambda x: x.energy
    )
    orbit = h.Hamiltonian("orbit", ["x", "y", "z"], lambda q, p: p @ p / 2 - 1 / vc.math.norm(q))
    yield Call("Kepler", h.Kepler, {"coordinates": ["x", "y", "z"], "mass": 1.0, "strength": 1.0},
               lambda part: h.integrate_perturbed(orbit, [part], 0.1, [1.0, 0, 0], [0, 1.0, 0], step=0.1))  # fmt: skip
    yield Call("Quadratic", h.Quadratic, {"coordinates": ["x"], "matrix": [1.0, 1.0]},
               lambda part: h.integrate_perturbed(oscillator(), [part], 0.1, [0.3], [0.4], step=0.1))  # fmt: skip
    yield Call("integrate_perturbed", h.integrate_perturbed,
               {"hamiltonian": orbit, "solved": [h.Kepler(["x", "y", "z"], 1.0, 1.0)], "until": 1.0, "q": [1.0, 0, 0], "p": [0, 1.0, 0],
                "step": 0.1, "order": (8, 6, 4), "begin": 0.0, "every": 2, "parameters": None}, lambda x: x.energy)  # fmt: skip
    planets = h.Planets("two", {"sun": 1.0, "earth": 1e-6})
    yield Call(
        "Planets",
        h.Planets,
        {"name": "two", "masses": {"sun": 1.0, "earth": 1e-6}, "G": 1.0},
        lambda x: (x.hamiltonian, x.solved),
    )
    yield Call("Planets.state", planets.state, {"x": np.eye(2, 3), "v": np.eye(2, 3)})
    yield Call("Planets.bodies", planets.bodies, {"q": np.ones(6), "p": np.ones(6)})
    yield Call("PhaseMotion.values", h.integrate(oscillator(), 1.0, [0.3], [0.4], step=0.1).values,
               {"function": oscillator().energy})  # fmt: skip
    run |= {"tolerance": 1e-9, "walls": ()}
    yield Call("lyapunov_spectrum", h.lyapunov_spectrum, run | {"grid": 3})
    yield Call("covariant_vectors", h.covariant_vectors,
               {key: x for key, x in run.items() if key != "walls"} | {"interval": 0.2, "transient": 0.5})  # fmt: skip
    yield Call("poincare_section", h.poincare_section, run | {"section": lambda x: x, "count": 3, "direction": 1})
    yield Call("periodic_orbit", h.periodic_orbit,
               own | state | {"period": 4.4, "at_energy": 0.2, "fixed": "energy", "shift": [0.0], "tolerance": 1e-12,
                              "walls": ()})  # fmt: skip
    yield Call("action_angles", h.action_angles, own | state | {"until": 20.0, "angles": (), "tolerance": 1e-10})
    yield Call(
        "frequencies", h.frequencies, {"signal": np.exp(0.3j * np.arange(64)), "step": 1.0, "count": 2, "window": 2}
    )
    yield Call("polynomial_integrals", h.polynomial_integrals,
               own | {"degree": 2, "functions": lambda x, p_x: [x, p_x], "names": ["x", "y"], "known": (), "at": None,
                      "parameters": None}, lambda x: x.latex())  # fmt: skip


def ring() -> "vc.geometry.Quantization":
    circle = vc.geometry.Embedding("ring", ["s"], lambda s: (vc.math.cos(s), vc.math.sin(s)))
    return vc.geometry.Quantization(circle, {"s": (0.0, 2.0 * np.pi, "periodic")})


def _quantum():
    g, few = vc.geometry, {"resolution": 4, "tolerance": 1e-3}
    circle = ring().space
    yield Call("Embedding", g.Embedding,
               {"name": "ring", "coordinates": ["s"], "places": lambda s: (vc.math.cos(s), vc.math.sin(s)),
                "domain": lambda s: 9.0 + s})  # fmt: skip
    yield Call("Embedding.points", circle.points, {"q": (0.3,), "parameters": None}, places=("q",))
    yield Call("Quantization", g.Quantization,
               {"space": circle, "ranges": {"s": (0.0, 2.0 * np.pi, "periodic")}, "potential": lambda s: vc.math.cos(s), "mass": 1.0,
                "hbar": 1.0, "confined": True, "frequency": lambda s: 2.0 + vc.math.cos(s), "parameters": None})  # fmt: skip
    yield Call("Quantization.states", ring().states, {"count": 3, "method": "spectral", **few})
    yield Call(
        "Quantization.states, elements", ring().states, {"count": 3, "method": "finite elements", "resolution": 6}
    )
    yield Call(
        "Quantization.evolve", ring().evolve, {"psi": lambda q: np.exp(1j * q[:, 0]), "times": [0.0, 1.0], **few}
    )
    yield Call("Quantization.potential_at", ring().potential_at, {"q": (0.3,)}, places=("q",))
    states = ring().states(3)
    yield Call("States.values", states.values, {"q": (0.3,)}, places=("q",))
    yield Call("States.picture", states.picture, {"number": 1})
    yield Call("Packet.values", ring().evolve(lambda q: np.ones(len(q)), [0.0]).values, {"q": (0.3,)}, places=("q",))
    yield Call("confine", g.confine, {"operator": ring(), "kappa": 2e3})
    yield Call("compare_confinement", g.compare_confinement,
               {"operator": ring(), "kappa": [2e3, 4e3], "count": 1, "tolerance": 1e-3})  # fmt: skip


def _boundary_values():
    g, free = vc.geometry, vc.LagrangianSystem("free", ["x"], lambda x_dot: 0.5 * x_dot**2)
    problem = {"system": free, "start": {"x": 0.0}, "end": {"x": 1.0}, "until": 1.0, "begin": 0.0,
               "integrals": {"sum": (lambda x: x, 0.7)}, "unilaterals": {"wall": lambda x: x + 1.0}}  # fmt: skip
    yield Call("BoundaryValueProblem", g.BoundaryValueProblem, problem)
    made = g.BoundaryValueProblem(free, {"x": 0.0}, {"x": 1.0}, 1.0)
    yield Call("BoundaryValueProblem.solve", made.solve,
               {"guess": lambda t: (t,), "kind": "least", "tolerance": 1e-6, "parameters": None})  # fmt: skip
    curve = g.BoundaryValueProblem(**problem).solve()
    yield Call("StationaryCurve.at", curve.at, {"t": 0.5})
    yield Call("StationaryCurve.velocity", curve.velocity, {"t": 0.5})
    yield Call("StationaryCurve.multiplier", curve.multiplier, {"constraint": "wall", "t": 0.5})
    yield Call("geodesic_between", g.geodesic_between,
               {"metric": sphere(), "first": (1.0, 0.2), "last": (1.1, 0.4), "guess": lambda t: (1.0 + 0.1 * t, 0.2 + 0.2 * t),
                "kind": "least", "tolerance": 1e-6, "parameters": None})  # fmt: skip


def _scalars():
    yield Call("parameter", vc.parameter, {"name": "m", "value": 1.0}, lambda m: alone(vc.MassPoint("p", m)))
    table = vc.Table("t", [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 1.0])
    yield Call(
        "Table",
        vc.Table,
        {"name": "t", "x": [0.0, 1.0, 2.0, 3.0], "y": [0.0, 1.0, 0.0, 1.0], "kind": "cubic", "outside": "refuse"},
    )
    yield Call("Table.of_polynomials", vc.Table.of_polynomials,
               {"name": "t", "knots": [0.0, 1.0], "coefficients": [[0.0, 1.0]], "outside": "refuse"})  # fmt: skip
    yield Call("Table.__call__", table, {"x": 0.5}, places=("x",))
    for name in dir(vc.math):
        function = getattr(vc.math, name)
        if (
            name.startswith("_")
            or not callable(function)
            or getattr(function, "__module__", "") != "vinculum.scalars.math"
        ):
            continue
        inputs = {"where": 3, "clip": 3}.get(name, 2 if name in TWO else 1)
        right = (1.0, 0.0, 0.0) if name in ("dot", "cross", "norm", "vector") else 0.5
        places = tuple("abc"[:inputs])
        yield Call(f"math.{name}", function, dict.fromkeys(places, right), places=places)


TWO = {"atan2", "hypot", "minimum", "maximum", "fmod", "copysign", "pow", "logical_and", "logical_or", "dot", "cross"}


class TooSlow(BaseException):
    """A call that went on for too long."""


@contextmanager
def at_most(seconds: float):
    """Stop what takes longer, in the main thread of a system that has alarms."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_):
        raise TooSlow(f"took more than {seconds:g} s")

    earlier = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)


LONGEST = 1200
"""Characters of a message: a sentence or two and a shortened value, never the whole of what was given."""


def fault(call: Call, argument: str, kind: str, seconds: float = 60.0) -> str | None:
    """What is wrong with the answer to a wrong value: anything but a result or an error of the house; None if nothing is."""
    try:
        with warnings.catch_warnings(), at_most(seconds):
            warnings.simplefilter("ignore")
            call.run(**{argument: WRONG[kind]()})
    except vc.errors.VinculumError as error:
        message = str(error)
        return f"a message of {len(message)} characters" if len(message) > LONGEST else None
    except TooSlow as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:150]}"
    return None
