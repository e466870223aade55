"""A robot arm that follows a program of its joints: its torques by inverse dynamics, and by servos that keep it there."""

from pathlib import Path

import numpy as np

import vinculum as vc

PROGRAM = {"base": (0.0, 0.8, 1.0), "shoulder": (-0.7, 0.3, 2.0), "elbow": (1.3, 0.4, 3.0)}
"""Of every joint the middle and the swing [rad], and the rate [rad/s]: q = middle + swing sin(rate t)."""
UPPER, LOWER = 0.5, 0.4
ALONG = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
"""Turns the z axis of a capsule to x."""


def arm(servos: bool) -> vc.System:
    """A column that turns about the vertical, and two arms; with ``servos`` in every joint."""
    system = vc.System("robot arm", gravity=(0, 0, -9.81))
    column = system.add(vc.RigidBody.solid("column", vc.shapes.Cylinder(0.08, 0.1), mass=4.0, at=(0, 0, -0.08)))
    upper, lower = (
        system.add(
            vc.RigidBody.solid(name, vc.shapes.Capsule(0.03, long), mass=mass, at=vc.Pose((long / 2, 0, 0), ALONG))
        )
        for name, long, mass in (("upper arm", UPPER, 3.0), ("lower arm", LOWER, 1.5))
    )
    system.add(vc.Revolute("base", "ground", column, axis=(0, 0, 1)))
    system.add(vc.Revolute("shoulder", column, upper, axis=(0, 1, 0)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(UPPER, 0, 0)))
    for joint, (middle, swing, rate) in PROGRAM.items() if servos else ():
        condition = lambda j, t, m=middle, s=swing, w=rate: j.q - m - s * vc.math.sin(w * t)
        system.add(vc.Constraint(f"{joint} servo", [joint], position=condition, realization=vc.Servo(joint)))
    return system


def main(folder: Path) -> tuple[vc.Motion, np.ndarray]:
    """The motion that servos keep, its certificate, a picture of the hand's path, and the torques (T, 3) of inverse dynamics."""
    start = {joint: vc.At(middle, rate=swing * rate) for joint, (middle, swing, rate) in PROGRAM.items()}
    motion = vc.simulate(arm(servos=True), 2 * np.pi, start)
    print(motion.audit())
    middle, swing, rate = (np.array(column) for column in zip(*PROGRAM.values(), strict=True))
    phase = motion.time[:, None] * rate
    q, v, a = middle + swing * np.sin(phase), swing * rate * np.cos(phase), -swing * rate**2 * np.sin(phase)
    torques = vc.inverse_dynamics(arm(servos=False), q, v, a).forces
    motion.plot(("lower arm", (LOWER, 0, 0)), kind="path", path=folder / "robot_arm.png")
    return motion, torques


if __name__ == "__main__":
    main(Path.cwd())
