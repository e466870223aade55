"""Starts of trees in penetration, moved as little as it takes: closed forms of where they end."""

import numpy as np
import pytest

import vinculum as vc

G = 9.81
STEPPED = {"method": "moreau", "step": 1e-3, "progress": False}


def two_on_rails(masses, at) -> tuple[vc.System, dict]:
    system = vc.System("rails")
    for name, mass in zip("ab", masses, strict=True):
        system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(0.05), mass=mass))
        system.add(vc.Prismatic(f"rail {name}", "ground", name, axis=(1, 0, 0)))
    system.add(vc.Contact("meeting", ["a", "b"], impact=vc.Inelastic()))
    return system, {"rail a": at[0], "rail b": at[1]}


def test_two_spheres_part_by_ways_that_are_inverse_to_their_masses():
    system, start = two_on_rails((1.0, 3.0), (0.0, 0.06))
    with pytest.raises(vc.errors.StartError, match=r"start 0\.04 m inside each other.*resolve=True"):
        vc.simulate(system, 0.01, start, **STEPPED)
    motion = vc.simulate(system, 0.01, start, resolve=True, **STEPPED)
    assert motion.q[0] == pytest.approx([-0.03, 0.07], abs=1e-8)
    assert any("inside each other: coordinates were moved by up to 0.03" in line for line in motion.log)


def test_an_arm_in_the_floor_is_turned_until_its_tip_touches():
    """A capsule whose end is 0.7 m from the hinge, 0.05 m thick, above a floor 0.6 m below it: cos θ = 0.55/0.7."""
    system = vc.System("pendulum", gravity=(0, 0, -G))
    arm = system.add(vc.RigidBody.solid("arm", vc.shapes.Capsule(0.05, 0.6), density=1000, at=(0, 0, -0.4)))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), at=(0, 0, 0.5)))
    system.add(vc.Contact("floor", [arm], walls=[vc.shapes.HalfSpace((0, 0, 1), -0.1)], impact=vc.Inelastic()))
    motion = vc.simulate(system, 0.01, {"hinge": vc.At(-0.4, rate=-0.3)}, resolve=True, **STEPPED)
    assert motion.q[0, 0] == pytest.approx(-np.arccos(0.55 / 0.7), abs=1e-7)
    assert motion.v[0, 0] == -0.3


@pytest.mark.parametrize("options", [{"method": "dop853", "progress": False}, STEPPED], ids=["event-driven", "moreau"])
def test_a_point_beyond_two_walls_is_moved_into_their_corner(options):
    """The corner of x ≥ 0 and x + z ≥ 0 from (−1, −1): least moves push on both walls."""
    system = vc.System("corner", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("point", 2.0))
    system.add(vc.Unilateral("side", [point], gap=lambda b: b.position[0], impact=vc.Inelastic()))
    system.add(vc.Unilateral("slope", [point], gap=lambda b: b.position[0] + b.position[2], impact=vc.Inelastic()))
    motion = vc.simulate(system, 0.01, {"point": (-1, 0.5, -0.2)}, resolve=True, **options)
    assert motion.q[0] == pytest.approx([0.0, 0.5, 0.0], abs=1e-8)
    apart = vc.simulate(system, 0.01, {"point": (1, 0.5, 0.2)}, resolve=True, **options)
    assert apart.q[0].tolist() == [1, 0.5, 0.2]


def test_what_constraints_hold_is_not_moved_but_refused():
    system = vc.System("held")
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(vc.Constraint("wire", [point], position=lambda p: p.position[1], realization=vc.DAlembert()))
    system.add(vc.Unilateral("floor", [point], gap=lambda p: p.position[2], impact=vc.Inelastic()))
    with pytest.raises(
        vc.errors.StartError,
        match=r"'floor' is -0\.1 at the start, and coordinates in loops or constraints are not moved",
    ):
        vc.simulate(system, 0.1, {"point": (0, 0, -0.1)}, resolve=True, **STEPPED)
