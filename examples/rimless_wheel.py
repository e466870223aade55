"""A rimless wheel walks down a slope on its spokes: every step costs energy, and the slope gives it back."""

from pathlib import Path

import numpy as np

import vinculum as vc

SPOKES, LENGTH, SLOPE, MASS, GYRATION, SPEED = 8, 0.5, 0.08, 2.0, 0.25, 1.2


def rimless_wheel() -> vc.System:
    """Spokes on a plane that is tilted: x is down the slope, z away from it."""
    system = vc.System("rimless wheel", gravity=(9.81 * np.sin(SLOPE), 0, -9.81 * np.cos(SLOPE)))
    tips = [(LENGTH * np.sin(a), 0, -LENGTH * np.cos(a)) for a in 2 * np.pi * np.arange(SPOKES) / SPOKES]
    wheel = system.add(vc.RigidBody("wheel", MASS, inertia=(0.1, MASS * GYRATION**2, 0.1)))
    turned = vc.Pose((0, 0, 0), np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]))
    system.add(vc.Planar("plane", "ground", wheel, at=turned, to=turned))
    for k, tip in enumerate(tips):
        spoke = system.add(vc.MassPoint(f"foot {k}", 1e-3))
        system.add(vc.Weld(f"spoke {k}", wheel, spoke, at=tip))
        system.add(vc.Unilateral(f"step {k}", [spoke], gap=lambda b: b.position[2], impact=vc.Inelastic(), friction=1.5,
                                 point=lambda b: b.position))  # fmt: skip
    return system


def main(folder: Path) -> vc.Motion:
    """A walk that starts on one spoke, its certificate, and when each spoke stood on the slope."""
    start = {"plane": vc.At((0, -LENGTH, 0), rate=(SPEED * LENGTH, 0, SPEED))}
    motion = vc.simulate(rimless_wheel(), 6.0, start)
    print(motion.audit())
    motion.plot(kind="contact", path=folder / "rimless_wheel.png")
    return motion


if __name__ == "__main__":
    main(Path.cwd())
