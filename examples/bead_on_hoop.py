"""A bead on a hoop that turns about its vertical diameter: beyond a speed the bottom is no rest any more, and two others appear."""

from pathlib import Path

import numpy as np

import vinculum as vc

RADIUS = 0.2


def hoop() -> vc.System:
    """A bead that slides with some friction on a hoop turning at a given speed."""
    speed = vc.parameter("speed", 10.0)
    system = vc.System("bead on a turning hoop", gravity=(0, 0, -9.81))
    ring = system.add(vc.PrescribedBody("hoop", rotation=((0, 0, 1), lambda t: speed * t)))
    bead = system.add(vc.MassPoint("bead", 0.05))
    system.add(vc.Revolute("angle", ring, bead, axis=(0, 1, 0), to=(0, 0, RADIUS), damping=0.01))
    return system


def main(folder: Path, count: int = 60) -> tuple:
    """A motion at one speed with its certificate, and the rests of the bead over the speed."""
    system = hoop()
    motion = vc.simulate(system, 5.0, {"angle": 0.1})
    print(motion.audit())
    speeds = np.repeat(np.linspace(2.0, 16.0, count), 2)
    starts = np.tile([-0.2, 0.2], count)
    runs = vc.ensemble(system, 30.0, {"angle": starts}, parameters={"speed": speeds}, grid=[0.0, 29.0, 30.0])
    runs.plot("angle", kind="bifurcation", over="speed", since=29.0, path=folder / "bead_on_hoop.png")
    return motion, runs


if __name__ == "__main__":
    main(Path.cwd())
