"""A double pendulum: described, set in motion, certified, stored, and falsified."""

import tempfile
from pathlib import Path

import numpy as np

import vinculum as vc


def double_pendulum() -> vc.System:
    """Two rods on hinges that swing in a vertical plane."""
    arm = vc.System("double pendulum", gravity=(0, 0, -9.81))
    upper = arm.add(vc.RigidBody("upper", mass=1.0, com=(0, 0, -0.5), inertia=np.diag([0.084, 0.084, 0.001])))
    lower = arm.add(vc.RigidBody("lower", mass=0.5, com=(0, 0, -0.4), inertia=np.diag([0.030, 0.030, 0.001])))
    arm.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
    arm.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
    return arm


def main(folder: Path) -> vc.Motion:
    """Ten seconds of the motion, everything one can ask of it, and its proof."""
    arm = double_pendulum()
    motion = vc.simulate(arm, until=10.0, start={"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)})

    tip = motion.body("lower").point((0, 0, -1)).position
    print("the tip ends at", tip[-1].round(6), "m, the elbow at", motion["elbow"][-1].round(6), "rad")
    print("the energy stays at", motion.energy[0].round(6), "J within", np.ptp(motion.energy))
    print(
        "the elbow carries at most", np.linalg.norm(motion.joint("elbow").reaction[:, :3], axis=1).max().round(3), "N"
    )
    print("the lower rod turns by up to", np.abs(motion.body("lower").twist[:, 4]).max().round(3), "rad/s")
    print(motion.audit())

    motion.save(folder / "run.zarr")
    again = vc.load(folder / "run.zarr")
    print("stored and loaded:", again)
    motion.plot("shoulder", "elbow", path=folder / "run.png")

    falsified = motion.replace(v=1.001 * motion.v)
    print("velocities too large by a thousandth:", "pass" if falsified.audit().passed else "found out")
    return motion


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(folder))
