"""Contacts of shapes in trees against unilateral constraints by hand, against the loop of free bodies, and against NumPy alone."""

import numpy as np
import pytest

import vinculum as vc
from free_bodies import free_bodies

G = 9.81


def pendulum(by_hand: bool) -> vc.System:
    """A capsule on a hinge above a floor; its two ends as unilateral constraints, or as a contact."""
    system = vc.System("pendulum", gravity=(0, 0, -G))
    arm = system.add(vc.RigidBody.solid("arm", vc.shapes.Capsule(0.05, 0.6), density=1000, at=(0, 0, -0.4)))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), at=(0, 0, 0.5)))
    laws = {"impact": vc.Newton(0.5), "friction": vc.Coulomb(0.3)}
    if not by_hand:
        system.add(vc.Contact("floor", [arm], walls=[vc.shapes.HalfSpace((0, 0, 1), -0.1)], **laws))
        return system
    for name, z in (("top", -0.1), ("tip", -0.7)):

        def end(b, z=z):
            return b.position + b.rotation @ np.array([0, 0, z])

        system.add(
            vc.Unilateral(
                name,
                [arm],
                gap=lambda b, end=end: end(b)[2] + 0.05,
                point=lambda b, end=end: end(b) - (0, 0, 0.05),
                **laws,
            )
        )
    return system


def test_a_pendulum_that_hits_the_floor_moves_as_with_unilateral_constraints_by_hand_to_the_order_of_the_step():
    """Laws of unilateral constraints are about the ends of a step, those of contacts about its middle."""
    apart = []
    for h in (1e-3, 2.5e-4):
        runs = [
            vc.simulate(pendulum(hand), 0.6, {"hinge": -1.3}, method="moreau", step=h, impacts="stepped")
            for hand in (False, True)
        ]
        apart.append(np.abs(runs[0].q - runs[1].q).mean())
        one, other = runs[0].bond("floor").impulses, runs[1].bond("tip").impulses
        np.testing.assert_allclose(one.times, other.times, atol=3 * h)
        np.testing.assert_allclose(one.normal, other.normal, rtol=15 * h)
        assert set(one.shapes.ravel()) == {"arm", "wall 1"}
    assert apart[1] < 3e-4
    assert 3.0 < apart[0] / apart[1] < 5.0


def test_impulses_of_a_pendulum_stop_what_numpy_says():
    """Soft hit of the tip: the hinge takes part, so the impulse is the angular momentum over the lever."""
    system = vc.System("pendulum", gravity=(0, 0, -G))
    arm = system.add(vc.RigidBody.solid("arm", vc.shapes.Capsule(0.05, 0.6), mass=2.0, at=(0, 0, -0.4)))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), at=(0, 0, 0.5)))
    system.add(vc.Contact("floor", [arm], walls=[vc.shapes.HalfSpace((0, 0, 1), -0.1)], impact=vc.Inelastic()))
    motion = vc.simulate(system, until=0.4, start={"hinge": -1.3}, method="moreau", step=1e-4)
    hit = motion.bond("floor").impulses
    caps, rod = 4.0 / 3.0 * np.pi * 0.05**3, np.pi * 0.05**2 * 0.6
    density = 2.0 / (caps + rod)
    half = density * caps / 2.0
    across = density * rod * (0.6**2 / 12 + 0.05**2 / 4) + 2 * half * (83 / 320 * 0.05**2 + (0.3 + 3 / 8 * 0.05) ** 2)
    inertia = across + 2.0 * 0.4**2
    angle = np.arccos(0.55 / 0.7)  # where the tip, 0.05 m around its end, touches z = −0.1
    speed = np.sqrt(2.0 * 2.0 * G * 0.4 * (np.cos(angle) - np.cos(1.3)) / inertia)
    assert hit.normal[0] == pytest.approx(inertia * speed / (0.7 * np.sin(angle)), rel=2e-3)
    assert abs(motion.v[-1, 0]) < 1e-10


@pytest.mark.parametrize("shape", [vc.shapes.Sphere(0.05), vc.shapes.Box((0.1, 0.12, 0.08))], ids=["ball", "box"])
def test_free_bodies_as_a_tree_move_as_in_their_own_loop_to_the_order_of_the_step(shape):
    """A body that takes no part makes a tree of free bodies, which is stepped by other code."""
    apart = []
    for h in (2e-3, 5e-4):
        ends = []
        for as_tree in (False, True):
            system = free_bodies([shape] * 2, walls=[vc.shapes.HalfSpace((0, 0, 1))], mu=0.3)
            start = {"b0": vc.At(vc.Pose((0, 0, 0.1)), rate=(0.6, 0.1, 0, 0, 0, 0)), "b1": vc.Pose((0.02, 0, 0.3))}
            if as_tree:
                system.add(vc.RigidBody.solid("other", vc.shapes.Sphere(0.1), density=1))
                start["other"] = (5, 5, 5)
            motion = vc.simulate(system, until=0.3, start=start, method="moreau", step=h)
            ends.append(np.concatenate([motion.body("b0").position[-1], motion.body("b1").position[-1]]))
        apart.append(np.abs(ends[1] - ends[0]).max())
    assert apart[1] < 1e-3
    assert apart[1] < 0.6 * apart[0] or apart[1] < 1e-5
