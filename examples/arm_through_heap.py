"""A robot arm with four motors pushes a blade through a heap of balls and blocks: a tree of joints in contact with free bodies."""

from pathlib import Path

import numpy as np

import vinculum as vc

BALLS, BLOCKS, UNTIL, SWEEP = 90, 60, 1.6, 1.5
UPPER, LOWER, HEIGHT = 0.45, 0.36, 0.5
ALONG = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
"""Turns the z axis of a capsule to x."""
GAINS = {"base": (800.0, 60.0), "shoulder": (1500.0, 80.0), "elbow": (800.0, 40.0), "wrist": (40.0, 1.5)}
"""Stiffness [N m/rad] and damping [N m s/rad] of the motors."""
TARGETS = {"base": -0.75, "shoulder": 0.25, "elbow": 0.38, "wrist": -0.63}


def motor(name):
    """The torque that pulls a joint to its target; the target of the base moves from one side of the heap to the other."""
    stiffness, damping = GAINS[name]
    sweep = (lambda t: SWEEP * vc.math.sin(0.5 * np.pi * t / UNTIL) ** 2) if name == "base" else (lambda t: 0.0)
    return lambda t, q, v: stiffness * (TARGETS[name] + sweep(t) - q) - damping * v


def arm_in_heap() -> tuple[vc.System, dict]:
    """The arm, the heap, and their start."""
    system, rng = vc.System("arm through a heap", gravity=(0, 0, -9.81)), np.random.default_rng(4)
    column = system.add(vc.RigidBody.solid("column", vc.shapes.Cylinder(0.07, 0.1), mass=6.0))
    rods = [("upper arm", UPPER, 3.0), ("lower arm", LOWER, 2.0)]
    upper, lower = (
        system.add(vc.RigidBody.solid(n, vc.shapes.Capsule(0.03, long), mass=m, at=vc.Pose((long / 2, 0, 0), ALONG)))
        for n, long, m in rods
    )
    blade = system.add(vc.RigidBody.solid("blade", vc.shapes.Box((0.2, 0.03, 0.16)), mass=1.0, at=(0, 0, -0.08)))
    system.add(vc.Revolute("base", "ground", column, axis=(0, 0, 1), at=(0, 0, HEIGHT), drive=motor("base")))
    system.add(vc.Revolute("shoulder", column, upper, axis=(0, 1, 0), drive=motor("shoulder")))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(UPPER, 0, 0), drive=motor("elbow")))
    system.add(vc.Revolute("wrist", lower, blade, axis=(0, 1, 0), at=(LOWER, 0, 0), drive=motor("wrist")))
    balls = system.add_many(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.03), density=1200), BALLS)
    blocks = system.add_many(vc.RigidBody.solid("block", vc.shapes.Box((0.05, 0.05, 0.05)), density=900), BLOCKS)
    things, floor = [*balls, *blocks], vc.shapes.HalfSpace((0, 0, 1))
    system.add(vc.Contact("heap", things, walls=[floor], impact=vc.Inelastic(), friction=vc.Coulomb(0.5)))
    system.add(vc.Contact("arm", [blade, lower], against=things, impact=vc.Inelastic(), friction=vc.Coulomb(0.2)))
    place = [(i, j, k) for k in range(5) for i in range(5) for j in range(6)]
    x = np.array(place) * (0.075, 0.075, 0.08) + (0.5, -0.19, 0.06) + rng.uniform(-4e-3, 4e-3, (len(place), 3))
    x = rng.permutation(x)
    return system, {**TARGETS, balls: x[:BALLS], blocks: x[BALLS:]}


def main(folder=".") -> tuple[float, vc.Motion]:
    """The angle [rad] through which the base has turned at the end, and the motion."""
    system, start = arm_in_heap()
    motion = vc.simulate(system, until=UNTIL, start=start, method="moreau", step=2e-3, tolerance=1e-5)
    pushes = motion.bond("arm").impulses
    print(f"{len(pushes)} pushes, {pushes.normal.sum():.3g} N s together")
    print(motion.audit())
    motion.plot.picture(UNTIL, path=Path(folder) / "arm_through_heap.png", azimuth=-35, elevation=28)
    return float(motion.joint("base").q[-1] - motion.joint("base").q[0]), motion


if __name__ == "__main__":
    main()
