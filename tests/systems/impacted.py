"""Small systems with unilateral constraints, audited in many tests."""

from dataclasses import replace

import numpy as np

import vinculum as vc
from records import altered


def ball(impact, mass=1.3) -> vc.System:
    system = vc.System("ball", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("ball", mass))
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=impact))
    return system


def block(mu: float, impact=None) -> vc.System:
    """A block on a slope of 0.5 rad, on its four corners."""
    system = vc.System("block", gravity=(9.81 * np.sin(0.5), 0, -9.81 * np.cos(0.5)))
    body = system.add(vc.RigidBody.solid("block", vc.shapes.Box((0.4, 0.4, 0.2)), mass=2.0))
    for k, (x, y) in enumerate(((0.2, 0.2), (0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2))):
        corner = lambda b, p=(x, y, -0.1): b.point(p)
        system.add(vc.Unilateral(f"corner {k}", [body], gap=lambda b, at=corner: at(b)[2], impact=impact or vc.Inelastic(),
                               friction=vc.Coulomb(mu), point=corner))  # fmt: skip
    return system


def die(mu: float | None = 0.3, e: float = 0.4) -> vc.System:
    """A box thrown on a floor, on any of its corners."""
    system = vc.System("die", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody.solid("die", vc.shapes.Box((0.2, 0.3, 0.4)), mass=2.0))
    for k in range(8):
        p = tuple(np.array([0.1, 0.15, 0.2]) * [(-1) ** (k & 1), (-1) ** (k >> 1 & 1), (-1) ** (k >> 2 & 1)])
        corner = lambda b, p=p: b.point(p)
        rough = {} if mu is None else {"friction": vc.Coulomb(mu), "point": corner}
        system.add(
            vc.Unilateral(f"corner {k}", [body], gap=lambda b, at=corner: at(b)[2], impact=vc.Newton(e), **rough)
        )
    return system


THROWN = {"die": vc.At(vc.Pose((0, 0, 0.8), rotation=(0.9, 0.3, 0.2, 0.1)), rate=(1, 0, 0, 3, 2, 1))}


def stopped_arm(e: float = 0.6) -> vc.System:
    """A double pendulum that hits a wall, with a stop in its elbow."""
    system = vc.System("arm", gravity=(0, 0, -9.81))
    upper = system.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), (0.084, 0.084, 0.001)))
    lower = system.add(vc.RigidBody("lower", 0.5, (0, 0, -0.4), (0.030, 0.030, 0.001)))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
    system.add(vc.Unilateral("wall", [lower], gap=lambda b: b.point((0, 0, -0.8))[0] + 0.4, impact=vc.Newton(e)))
    system.add(vc.Unilateral("stop", ["elbow"], gap=lambda j: 1.0 - j.q, impact=vc.Newton(e)))
    return system


LIFTED = {"shoulder": -1.2, "elbow": 0.3}


def forged(motion, factor: float, which=slice(None)):
    """The same motion with some of its impulses multiplied."""
    contact_impulses = motion.record.atoms.contact_impulses.copy()
    contact_impulses[which] *= factor
    return altered(motion, atoms=replace(motion.record.atoms, contact_impulses=contact_impulses))


def tumbling(chart: str, start=None, *, method: str = "dop853", friction=None) -> vc.Motion:
    """A body that turns through the singularity of Euler angles and then falls on two of its points."""
    system = vc.System("tumbling", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("body", 1.0, (0, 0, 0), (0.02, 0.03, 0.04)))
    system.add(vc.Free("free", "ground", body, chart=chart))
    for name, foot in (("left", (0.3, 0, 0)), ("right", (-0.3, 0, 0.05))):
        system.add(vc.Unilateral.on_plane(name, body, foot, impact=0.6, friction=friction))
    given = {"free": vc.At((0, 0, 0.6, 0.1, 1.4, 0.3), rate=(0.3, 0, 0, 0.3, 2.0, 0.3))}
    return vc.simulate(system, 0.5, given if start is None else start, method=method, grid=51, progress=False)
