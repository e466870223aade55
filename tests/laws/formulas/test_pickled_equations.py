"""Equations and Lagrangian systems go to other processes as they are, or say what in them cannot."""

import copy
import pickle

import numpy as np
import pytest

import vinculum as vc


def turned(a, b):
    return {"shoulder": a, "elbow": b - a}


def lagrangian(q, v):
    return v @ v / 2 - vc.parameter("k", 2.0) * (q @ q) / 2


def friction(v):
    return -0.1 * v


def length(q):
    return q @ q - 1.0


def arm() -> vc.System:
    system = vc.System("arm", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("upper", vc.parameter("m", 1.0), (0, 0, -0.5), (0.084, 0.084, 0.001)))
    system.add(vc.RigidBody("lower", 0.5, (0, 0, -0.4), (0.030, 0.030, 0.001)))
    system.add(vc.Revolute("shoulder", "ground", "upper", axis=(0, 1, 0)))
    system.add(vc.Revolute("elbow", "upper", "lower", axis=(0, 1, 0), at=(0, 0, -1.0), stiffness=2.0))
    system.add(vc.Spring("spring", "lower", "ground", 40.0, 0.2, to=(1, 0, 0)))
    return system


def sent(thing):
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("coordinates", [None, turned])
@pytest.mark.parametrize("form", ["newton-euler", "lagrange", "telegin", "hamilton"])
def test_equations_are_the_same_after_a_journey(form, coordinates):
    equations = vc.derive(arm(), form, coordinates=coordinates)
    again = sent(equations)
    q, v = np.random.default_rng(2).normal(size=(2, 5, 2))
    for m in (None, {"m": 1.7}):
        assert np.array_equal(equations.accelerations(q, v, parameters=m), again.accelerations(q, v, parameters=m))
    assert again.coordinates == equations.coordinates and again.form == form


def test_a_lagrangian_system_is_the_same_after_a_journey():
    system = vc.LagrangianSystem("bead", ["x", "y"], lagrangian, friction, {"length": (length, vc.DAlembert())})
    again = sent(sent(system))
    q, v = np.array([0.6, 0.8]), np.array([-0.8, 0.6])
    assert np.array_equal(system.accelerations(q, v), again.accelerations(q, v))
    assert again.parameters == system.parameters and list(again.constraints) == ["length"]


@pytest.mark.parametrize(("make", "said"), [
    (lambda: vc.LagrangianSystem("bead", ["x"], lambda v: v @ v), "Lagrangian system 'bead' .* because of lagrangian"),
    (lambda: vc.LagrangianSystem("bead", ["x"], lagrangian, lambda v: -v), "because of dissipation"),
    (lambda: vc.LagrangianSystem("bead", ["x"], lagrangian, None, {"held": (lambda q: q[0], vc.DAlembert())}), "because of constraints"),
    (lambda: vc.derive(arm(), coordinates=lambda a, b: {"shoulder": a, "elbow": b}), "equations of 'arm' .* because of coordinates"),
    (lambda: vc.derive(driven()), "equations of 'arm' .* because of the system"),
])  # fmt: skip
def test_what_cannot_travel_is_named_with_the_remedy(make, said):
    thing = make()
    with pytest.raises(pickle.PicklingError, match=said + r".*by `def` at the top of a module"):
        pickle.dumps(thing)
    assert copy.copy(thing) is thing and copy.deepcopy(thing) is thing


def driven() -> vc.System:
    system = arm()
    system.add(vc.Potential("field", ["lower"], lambda body: body.position[2] ** 2))
    return system


def test_equations_say_where_they_are_not_as_in_books():
    (note,) = vc.derive(arm()).graphs.notes
    assert note.startswith("spring 'spring': the length |d| is computed as √(d·d + 1e-24 ℓ₀²)")
    assert note in str(vc.derive(arm()))
    plain = vc.System("plain")
    plain.add(vc.MassPoint("p", 1.0))
    plain.add(vc.Spring("soft", "p", "ground", 1.0))
    assert vc.derive(plain).graphs.notes == ()
