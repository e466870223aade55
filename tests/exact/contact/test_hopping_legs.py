"""A leg of three joints that hops on the ground: flight, landing and certificate."""

import numpy as np
import pytest

import vinculum as vc

G, H = 9.81, 1e-4
FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def leg() -> tuple[vc.System, dict]:
    """A hip on a vertical rail, thigh and shank with a spring in the knee that is bent at the start, and a ball as foot."""
    system = vc.System("leg", gravity=(0, 0, -G))
    hip = system.add(vc.RigidBody("hip", 2.0, inertia=(0.02, 0.02, 0.02)))
    thigh = system.add(vc.RigidBody("thigh", 0.5, com=(0, 0, -0.15), inertia=(0.004, 0.004, 0.0005)))
    shank = system.add(vc.RigidBody.solid("shank", vc.shapes.Sphere(0.03), density=4000, at=(0, 0, -0.3)))
    system.add(vc.Prismatic("rail", "ground", hip, axis=(0, 0, 1)))
    system.add(vc.Revolute("hip joint", hip, thigh, axis=(0, 1, 0), stiffness=25.0, rest=0.3, damping=0.3))
    system.add(
        vc.Revolute("knee", thigh, shank, axis=(0, 1, 0), at=(0, 0, -0.3), stiffness=25.0, rest=-0.5, damping=0.3)
    )
    system.add(vc.Contact("ground contact", [shank], walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.8)))
    bent = (0.8, -1.5)
    height = 0.3 * np.cos(bent[0]) + 0.3 * np.cos(bent[0] + bent[1]) + 0.03
    return system, {"rail": height, "hip joint": bent[0], "knee": bent[1]}


def mass_center(motion) -> np.ndarray:
    """Height of the mass center (T,), from positions and rotations of all bodies."""
    bodies = [
        (link.body.name, link.body.mass, np.asarray(link.body.com, dtype=float))
        for link in motion.record.model.tree.links
    ]
    total = sum(mass for _, mass, _ in bodies)
    places = sum(
        mass * (motion.body(name).position + np.einsum("tij,j->ti", motion.body(name).rotation, com))[:, 2]
        for name, mass, com in bodies
    )
    return places / total


def test_a_leg_hops_and_its_mass_center_falls_freely_between_its_steps():
    system, start = leg()
    motion = vc.simulate(system, 0.5, start, method="moreau", step=H, progress=False)
    hits = motion.bond("ground contact").impulses.times
    lifted = np.flatnonzero(np.diff(hits) > 0.02)
    assert len(lifted), "the leg does not leave the ground"
    off, on = hits[lifted[0]] + H, hits[lifted[0] + 1] - H
    time = np.linspace(off, on, 30)
    fit = np.polyfit(time - off, mass_center(motion.at(time)), 2)
    np.testing.assert_allclose(2.0 * fit[0], -G, rtol=1e-5)
    held = motion.bond("ground contact").impulses
    assert np.all(np.linalg.norm(held.tangential, axis=1) <= 0.8 * held.normal * (1 + 1e-6) + 1e-12)


@pytest.mark.parametrize("raised", [0.0, 5e-4], ids=["pushing off", "landing"])
def test_pushing_off_and_landing_of_a_leg_are_certified(raised):
    system, start = leg()
    motion = vc.simulate(
        system, 0.02, start | {"rail": start["rail"] + raised}, method="moreau", step=H / 4, progress=False
    )
    assert (motion.bond("ground contact").impulses.times[0] > 1e-3) == (raised > 0.0)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
