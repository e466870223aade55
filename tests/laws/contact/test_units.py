"""The same scenes in other units of length, mass and time, as micrometers and milliseconds: motions and verdicts agree."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

UNITS = [
    pytest.param((1e-6, 1e-9, 1e-3), id="micrometers"),
    pytest.param((1e6, 1e9, 1e3), id="thousands of kilometers"),
]
ENGINES = [
    pytest.param("taylor", {}, 1e-9, marks=needs_heyoka),
    ("dop853", {}, 1e-9),
    ("moreau", {"step": 1e-3}, 1e-9),
]
CORNERS = [(x, y, -0.1) for x in (-0.2, 0.2) for y in (-0.15, 0.15)]


def box(length: float, mass: float, time: float) -> tuple[vc.System, dict, float]:
    """A box that lands tilted on four corners with friction, slides and comes to rest."""
    system = vc.System("box", gravity=(0, 0, -9.81 * length / time**2))
    shape = vc.shapes.Box((0.4 * length, 0.3 * length, 0.2 * length))
    body = system.add(vc.RigidBody.solid("box", shape, density=1000.0 * mass / length**3))
    for i, corner in enumerate(CORNERS):
        at = tuple(x * length for x in corner)
        system.add(vc.Unilateral(f"corner {i}", [body], gap=lambda p, at=at: p.point(at)[2],
                                 point=lambda p, at=at: p.point(at), impact=0.6, friction=0.4))  # fmt: skip
    rate = (0.4 * length / time, 0, 0, 0, 0.3 / time, 0.1 / time)
    return system, {"box": vc.At((0, 0, 0.15 * length), rate=rate)}, 0.6 * time


def rod(length: float, mass: float, time: float) -> tuple[vc.System, dict, float]:
    """A hanging chain of two rods that swings against a wall: coordinates are angles alone."""
    system = vc.System("rods", gravity=(0, 0, -9.81 * length / time**2))
    parent, end = "ground", (0.0, 0.0, 0.0)
    for k in range(2):
        inertia = mass * length**2 * np.array([0.02, 0.02, 0.001])
        body = system.add(vc.RigidBody(f"rod {k}", mass=mass, com=(0, 0, -0.25 * length), inertia=inertia))
        system.add(vc.Revolute(f"hinge {k}", parent, body, at=vc.Pose(end), axis=(0, 1, 0)))
        parent, end = body, (0.0, 0.0, -0.5 * length)
    tip = lambda p: p.point((0.0, 0.0, -0.5 * length))
    system.add(
        vc.Unilateral("wall", [body], gap=lambda p: tip(p)[0] + 0.1 * length, point=tip, impact=0.5, friction=0.2)
    )
    return system, {"hinge 0": vc.At(-0.8), "hinge 1": vc.At(-0.4)}, 1.0 * time


def foot(length: float, mass: float, time: float) -> tuple[vc.System, dict, float]:
    """A foot at rest on heel and toe that carries a swinging leg: coordinates are lengths and angles."""
    system = vc.System("foot", gravity=(0, 0, -9.81 * length / time**2))
    sole = system.add(vc.RigidBody("foot", 3 * mass, inertia=mass * length**2 * np.array([0.1, 0.1, 0.1])))
    hanging = mass * length**2 * np.array([0.01, 0.01, 0.001])
    system.add(vc.RigidBody("leg", mass, (0, 0, -0.2 * length), hanging))
    upright = vc.Pose((0, 0, 0), rotation=(np.sqrt(0.5), np.sqrt(0.5), 0, 0))
    system.add(vc.Planar("plane", "ground", sole, at=upright, to=upright))
    system.add(vc.Revolute("hip", sole, "leg", axis=(0, 1, 0)))
    for name, x in (("heel", -0.3), ("toe", 0.4)):
        at = lambda b, x=x: b.point((x * length, 0, -0.5 * length))
        system.add(vc.Unilateral(name, [sole], gap=lambda b, at=at: at(b)[2], impact=vc.Inelastic(), point=at,
                                 friction=vc.Coulomb(0.8)))  # fmt: skip
    return system, {"plane": (0, 0.5 * length, 0), "hip": vc.At(0.3)}, 0.4 * time


BODIES = {box: ["box"], rod: ["rod 0", "rod 1"], foot: ["foot", "leg"]}


def places(make, units, method, options) -> tuple[np.ndarray, vc.Motion]:
    system, start, until = make(*units)
    step = {"step": options["step"] * units[2]} if options else {}
    motion = vc.simulate(system, until, start, method=method, grid=13, progress=False, **step)
    names = BODIES[make]
    return np.stack([motion.body(name).position for name in names]) / units[0], motion


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("make", [box, rod])
@pytest.mark.parametrize("method, options, near", ENGINES)
def test_a_motion_with_contact_does_not_depend_on_units(make, method, options, near, units):
    usual, _ = places(make, (1.0, 1.0, 1.0), method, options)
    found, motion = places(make, units, method, options)
    np.testing.assert_allclose(found, usual, rtol=0, atol=near)
    certificate = motion.audit()
    assert certificate.verdict == "passed", str(certificate)


@pytest.mark.parametrize("units", UNITS)
def test_forces_and_impulses_of_a_step_agree_in_any_units(units):
    """Coordinates are lengths and angles. Their velocities are compared as speeds, not as numbers."""
    options = {"step": 1e-3}
    usual, _ = places(foot, (1.0, 1.0, 1.0), "moreau", options)
    found, motion = places(foot, units, "moreau", options)
    np.testing.assert_allclose(found, usual, rtol=0, atol=1e-9)
    certificate = motion.audit()
    assert certificate.verdict == "passed", str(certificate)
