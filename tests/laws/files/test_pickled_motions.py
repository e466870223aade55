"""A motion of every type of model is pickled and copied, with all that it is asked for."""

import copy
import pickle

import numpy as np
import pytest

import vinculum as vc
from free_bodies import free_bodies
from sameness import same_certificate


def swinging():
    system = vc.System("swing", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", vc.parameter("m", 1.0)))
    system.add(vc.Revolute("hinge", "ground", "bob", axis=(0, 1, 0), to=(0, 0, 1.0)))
    return vc.simulate(system, 0.2, {"hinge": 1.0}, progress=False)


def attraction(a, b):
    return -vc.parameter("G", 1.0) / vc.math.sqrt(vc.math.dot(a.position - b.position, a.position - b.position) + 0.1)


def attracting():
    system, rng = vc.System("cloud"), np.random.default_rng(3)
    points = [system.add(vc.MassPoint(f"p{i}", 1.0)) for i in range(41)]
    system.add(vc.potentials.PairPotential("attraction", points, attraction))
    return vc.simulate(system, 0.02, {p.name: rng.normal(size=3) for p in points}, method="rk4", step=1e-2)


def falling():
    system = free_bodies([vc.shapes.Sphere(0.05)] * 2, walls=[vc.shapes.HalfSpace((0, 0, 1))])
    start = {"b0": (0, 0, 0.051), "b1": (1, 0, 0.06)}
    return vc.simulate(system, 0.05, start, method="moreau", step=1e-3)


def lagrangian(x, x_dot):
    return x_dot**2 / 2 - x**2 / 2


def oscillating():
    return vc.simulate(vc.LagrangianSystem("oscillator", ["x"], lagrangian), 1.0, {"x": 1.0}, progress=False)


@pytest.mark.parametrize("made", [swinging, attracting, falling, oscillating])
def test_a_motion_is_the_same_after_pickling_and_copying(made):
    motion = made()
    certificate = motion.audit()
    for other in (pickle.loads(pickle.dumps(motion)), copy.deepcopy(motion), copy.copy(motion)):
        assert np.array_equal(other.q, motion.q) and np.array_equal(other.energy, motion.energy)
        assert repr(other) == repr(motion)
        same_certificate(other.audit(), certificate)


@pytest.mark.parametrize("made", [swinging, attracting, falling, oscillating])
def test_the_text_of_a_motion_is_one_short_line(made):
    motion = made()
    assert repr(motion).startswith(f"Motion of '{motion.record.model.name}', 0 … ")
    assert len(repr(motion)) < 120 and "\n" not in repr(motion)


def flat(x):
    return x[2]


def straight(x):
    return x[1], x[2]


READY = {
    "distance": lambda a, b: vc.constraints.distance("c", a, b, 1.0, realization="dalembert"),
    "knife_edge": lambda a, b: vc.constraints.knife_edge("c", a, realization="dalembert"),
    "no_twist": lambda a, b: vc.constraints.no_twist("c", a, b, realization="dalembert"),
    "constant_speed": lambda a, b: vc.constraints.constant_speed("c", a, 1.0, realization="chetaev"),
    "point_on_curve": lambda a, b: vc.constraints.point_on_curve("c", a, straight, realization="dalembert"),
    "point_on_surface": lambda a, b: vc.constraints.point_on_surface("c", a, flat, realization="dalembert"),
    "disc": lambda a, b: vc.constraints.Rolling.disc("c", a, 0.3, realization="dalembert"),
    "sphere": lambda a, b: vc.constraints.Rolling.sphere("c", a, 0.3, realization="dalembert"),
    "ellipsoid": lambda a, b: vc.constraints.Rolling.ellipsoid("c", a, (0.3, 0.2, 0.1), realization="dalembert"),
    "gear": lambda a, b: vc.constraints.gear("c", "turn", "wheel", 2.0, realization="dalembert"),
}
"""Constraints that come with the library, between two bodies or two joints."""
STARTS = {"distance": {"b": (1.0, 0, 0)}, "constant_speed": {"a": vc.At((0, 0, 0), rate=(1.0, 0, 0, 0, 0, 0))}}


@pytest.mark.parametrize("kind", READY)
def test_a_system_with_a_ready_constraint_is_pickled_before_and_after_it_was_used(kind):
    system = vc.System("held")
    a, b = (system.add(vc.RigidBody(name, 1.0, inertia=(0.1, 0.2, 0.25))) for name in "ab")
    if kind == "gear":
        system.add(vc.Revolute("turn", "ground", a))
        system.add(vc.Revolute("wheel", "ground", b))
    system.add(READY[kind](a, b))
    other = pickle.loads(pickle.dumps(system))
    wanted = vc.mobility(system, STARTS.get(kind))
    for one in (other, pickle.loads(pickle.dumps(system))):
        assert str(vc.mobility(one, STARTS.get(kind))) == str(wanted)
