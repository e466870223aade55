"""Systems to draw, one of every kind, and what is read back from a page by another route than the page's own."""

import base64
import json
import re
import zlib

import numpy as np

import vinculum as vc
from vinculum.show.drawing import meshes
from vinculum.show.plots.panels import Panel
from vinculum.show.scene import Framing, Part, Poses, Scene


def pendulum():
    """Two rods without shapes, with parameters for lengths."""
    system, length = vc.System("pendulum", gravity=(0, 0, -9.81)), vc.parameter("length", 0.7)
    upper = system.add(vc.RigidBody("upper", 1.0, (0, 0, -length / 2), (0.05, 0.05, 0.001)))
    lower = system.add(vc.MassPoint("lower", 0.5))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0), at=(0.1, 0, 0.2)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -length), to=(0, 0, 0.4)))
    return vc.simulate(system, 2.0, {"shoulder": 1.0, "elbow": 0.5}, progress=False)


def closed_loop():
    """A four-bar linkage with a leg on a slider, springs, a damper and a rod."""
    system = vc.System("loop", gravity=(0, -9.81, 0))
    crank, coupler, rocker = (
        system.add(vc.RigidBody(name, m, (r, 0, 0), (0.001, m * r**2 / 3, m * r**2 / 3)))
        for name, m, r in (("crank", 1.0, 0.5), ("coupler", 2.5, 1.25), ("rocker", 2.0, 1.0))
    )
    system.add(vc.Revolute("A", "ground", crank))
    system.add(vc.Revolute("B", crank, coupler, at=(1, 0, 0)))
    system.add(vc.Revolute("D", "ground", rocker, at=(2.2, 0, 0)))
    system.add(vc.Revolute("C", coupler, rocker, at=(2.5, 0, 0), to=(2.0, 0, 0)))
    cart = system.add(vc.RigidBody("cart", 1.0, inertia=(0.02, 0.02, 0.02)))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0), at=(0, -1.5, 0)))
    bob = system.add(vc.MassPoint("bob", 0.2))
    system.add(vc.Spring("spring", cart, rocker, 30.0, 1.0, to=(1.0, 0, 0)))
    system.add(vc.Damper("damper", cart, "ground", 2.0, to=(-2, -1.5, 0)))
    system.add(vc.constraints.distance("rod", bob, cart, 0.5, realization="dalembert"))
    return vc.simulate(system, 1.0, {"A": vc.At(1.0, rate=1.0), "rail": 0.3, "bob": (0.3, -2.0, 0)}, progress=False)


def rolling_disc():
    system = vc.System("rolling disc", gravity=(0, 0, -9.81))
    disc = system.add(vc.RigidBody("disc", 1.0, inertia=(0.0225, 0.045, 0.0225)))
    system.add(vc.constraints.Rolling.disc("rolling", disc, 0.3, realization=vc.DAlembert()))
    c, s = np.cos(0.1), np.sin(0.1)
    start = vc.At((0, -0.3 * np.sin(0.2), 0.3 * np.cos(0.2), c, s, 0, 0), rate=(1.8, 0, 0, 0, 6.0, 0.0))
    return vc.simulate(system, 1.0, {"disc": start}, repair=True, progress=False)


def bouncing_ball():
    system = vc.System("bouncing ball", gravity=(0, 0, -9.81))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), mass=1.0))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2] - 0.1, impact=0.6))
    return vc.simulate(system, 1.5, {"ball": (0, 0, 1.0)}, progress=False)


def attracted_points():
    system = vc.System("points")
    points = [system.add(vc.MassPoint(f"p{k}", 1.0 + k)) for k in range(4)]
    system.add(vc.potentials.Gravitation("attraction", points, G=1.0))
    start = {f"p{k}": vc.At((np.cos(k), np.sin(2 * k), 0.1 * k), rate=(0, 0.1 * k, 0)) for k in range(4)}
    return vc.simulate(system, 0.5, start, progress=False)


def shapes_in_contact():
    system = vc.System("heap", gravity=(0, 0, -9.81))
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) * 0.1
    shapes = [vc.shapes.Sphere(0.1), vc.shapes.Box((0.2, 0.15, 0.1)), vc.shapes.Capsule(0.05, 0.2), vc.shapes.Cylinder(0.08, 0.2),
              vc.shapes.Polytope(corners)]  # fmt: skip
    bodies = [system.add(vc.RigidBody.solid(f"b{k}", shape, density=500)) for k, shape in enumerate(shapes)]
    walls = [vc.shapes.HalfSpace((0, 0, 1)), vc.shapes.FixedSolid(vc.shapes.Box((0.3, 0.3, 0.1)), (1.0, 0, 0.05)),
             vc.shapes.HeightField(np.full((3, 3), -1.0), 1.0, at=(-1, -1, 0))]  # fmt: skip
    system.add(vc.Contact("shapes", bodies, walls=walls, impact=vc.Inelastic(), friction=vc.Coulomb(0.4)))
    start = {f"b{k}": (0.4 * k, 0.02 * k, 0.3) for k in range(5)}
    return vc.simulate(system, 0.5, start, method="moreau", step=2e-3, progress=False)


def shapes_and_joints():
    """A prescribed crank, a cone on a ball joint, an ellipsoid on a universal joint, and other joints."""
    system = vc.System("joints", gravity=(0, 0, -9.81))
    crank = system.add(vc.PrescribedBody("crank", rotation=((0, 0, 1), lambda t: 3 * t)))
    rod = system.add(vc.RigidBody("rod", 0.3, (0.1, 0, 0), (0.001, 0.01, 0.01)))
    system.add(vc.Revolute("pin", crank, rod, at=(0.2, 0, 0), axis=(0, 1, 0)))
    top = system.add(vc.RigidBody.solid("top", vc.shapes.Cone(0.1, 0.3), density=300))
    system.add(vc.Spherical("tip", "ground", top, at=(1, 0, 0)))
    egg = system.add(vc.RigidBody.solid("egg", vc.shapes.Ellipsoid((0.1, 0.2, 0.1)), density=300, at=(0, 0, -0.5)))
    system.add(vc.Universal("cross", "ground", egg, at=(0, 1, 0)))
    nut = system.add(vc.RigidBody.solid("nut", vc.shapes.Box((0.1, 0.1, 0.05)), density=300))
    system.add(vc.Helical("thread", "ground", nut, pitch=0.05, at=(0, -1, 0)))
    tube = system.add(vc.RigidBody.solid("tube", vc.shapes.Cylinder(0.05, 0.2), density=300))
    system.add(vc.Cylindrical("sleeve", "ground", tube, axis=(1, 0, 0), at=(0, -2, 0)))
    skate = system.add(vc.RigidBody("skate", 1.0, inertia=(0.1, 0.1, 0.1)))
    system.add(vc.Planar("ice", "ground", skate, at=(2, 2, 0)))
    system.add(vc.constraints.knife_edge("blade", skate, realization="dalembert"))
    return vc.simulate(system, 0.5, {"ice": vc.At((0, 0, 0), rate=(1, 0, 2))}, progress=False)


MOTIONS = (
    pendulum,
    closed_loop,
    rolling_disc,
    bouncing_ball,
    attracted_points,
    shapes_in_contact,
    shapes_and_joints,
)


def crowd(count, frames):
    """The scene of bodies that swing and tumble, each in its own way."""
    rng, t = np.random.default_rng(1), np.linspace(0, 0.01 * frames, frames)[:, None, None]
    places = rng.uniform(-5, 5, (count, 3)) + np.sin(rng.uniform(0.3, 3, (count, 3)) * t) * rng.uniform(
        0.2, 2, (count, 3)
    )
    axis = rng.normal(size=(count, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    half = rng.uniform(0.5, 5, count) * t[:, :, 0]
    turns = np.concatenate([axis * np.sin(half)[..., None], np.cos(half)[..., None]], axis=2)
    parts = tuple(Part(0, i, np.zeros(3), np.eye(3), 0.1 * np.ones(3), "solid", f"body {i}", i) for i in range(count))
    framing = Framing(np.full(3, -7.0), np.full(3, 7.0), 12.0, np.eye(3)[2], np.eye(3)[2], -7.0, -1, True)
    panel = Panel("energy [J]", ["total"], np.ones((frames, 1)))
    names = tuple(f"body {i}" for i in range(count))
    return Scene("crowd", names, np.ones(count), Poses(t[:, 0, 0], places, turns), (meshes.ball(meshes.COARSE),), parts, framing,
                 panels=(panel,))  # fmt: skip


class ReadPage:
    """Header and arrays of a page."""

    def __init__(self, text):
        found = {
            name: re.search(rf'<script type="[\w/]+" id="{name}">(.*?)</script>', text, re.S)[1]
            for name in ("head", "block")
        }
        self.head = json.loads(found["head"])
        self._block = zlib.decompress(base64.b64decode(found["block"]))

    def array(self, place):
        dtype = {"f4": "<f4", "i4": "<i4", "u1": "u1"}[place["type"]]
        return np.frombuffer(self._block, dtype, place["count"], place["at"])

    @property
    def time(self):
        return self.array(self.head["time"])

    @property
    def positions(self):
        """(F, B, 3)"""
        frames, bodies = self.head["frames"], len(self.head["bodies"])
        planes = self.array(self.head["positions"]).reshape(4, bodies, 3, frames).astype(np.uint32)
        steps = (planes[0] | planes[1] << 8 | planes[2] << 16 | planes[3] << 24).view(np.int32).cumsum(axis=-1)
        found = np.array(self.head["origins"])[:, :, None] + np.array(self.head["steps"])[:, None, None] * steps
        return np.moveaxis(found, -1, 0)

    @property
    def quaternions(self):
        """(F, B, 4), vector first"""
        frames = self.head["frames"]
        found = np.repeat(np.array(self.head["attitudes"])[None], frames, axis=0)
        turning = self.head["turning"]
        planes = self.array(self.head["quaternions"]).reshape(2, len(turning), 4, frames).astype(np.uint16)
        steps = np.cumsum((planes[0] | planes[1] << 8).view(np.int16), axis=-1, dtype=np.int16)
        found[:, turning] = np.moveaxis(steps, -1, 0) / 32767.0
        return found
