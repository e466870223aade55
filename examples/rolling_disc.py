"""A thin disc that rolls without slipping: what it can reach, how it moves, and a falsified motion."""

from pathlib import Path

import numpy as np

import vinculum as vc

MASS, RADIUS, GRAVITY = 1.0, 0.3, 9.81


def rolling_disc() -> vc.System:
    """A uniform disc across the y axis of its frame, on the plane z = 0."""
    system = vc.System("rolling disc", gravity=(0, 0, -GRAVITY))
    inertia = MASS * RADIUS**2 * np.array([0.25, 0.5, 0.25])
    disc = system.add(vc.RigidBody("disc", MASS, inertia=inertia))
    system.add(vc.constraints.Rolling.disc("rolling", disc, RADIUS, axis=(0, 1, 0), realization=vc.DAlembert()))
    return system


def start(lean: float, yaw_rate: float, spin_rate: float) -> dict[str, vc.At]:
    """The disc leaning about x, turning about the vertical, and rolling along x."""
    c, s = np.cos(lean), np.sin(lean)
    center = RADIUS * np.array([0, -s, c])
    spin = np.array([0, yaw_rate * s + spin_rate, yaw_rate * c])  # in the disc's frame
    turned = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    velocity = np.cross(spin, turned.T @ center)
    return {"disc": vc.At((*center, np.cos(lean / 2), np.sin(lean / 2), 0, 0), rate=(*velocity, *spin))}


def lean_acceleration(q2, u1, u3):
    """Published: q2'' = 4 g sin q2 / 5 r + ½ sin 2 q2 q1'² + 6/5 cos q2 q1' q3'."""
    return 4 * GRAVITY * np.sin(q2) / (5 * RADIUS) + np.sin(2 * q2) * u1**2 / 2 + 6 / 5 * np.cos(q2) * u1 * u3


def main(folder: Path) -> tuple[float, vc.Motion]:
    """How far the lean is from its published equation, in rad/s², and the motion."""
    system, first = rolling_disc(), start(0.2, 0.4, 6.0)
    print(vc.constraints.integrability(system, "rolling", start=first))
    motion = vc.simulate(system, until=4.0, start=first, grid=4001)
    print(motion.audit())

    axis = motion.body("disc").rotation[:, :, 1]
    spin = np.einsum("tij,tj->ti", motion.body("disc").rotation, motion.body("disc").twist[:, 3:])
    lean = np.arcsin(axis[:, 2])
    ahead = np.stack([axis[:, 1], -axis[:, 0]], axis=1) / np.cos(lean)[:, None]
    lean_rate = np.sum(spin[:, :2] * ahead, axis=1)
    own = np.sum(spin * axis, axis=1)
    yaw_rate = (spin[:, 2] - own * axis[:, 2]) / np.cos(lean) ** 2
    h = motion.time[1]
    measured = (8 * (lean_rate[3:-1] - lean_rate[1:-3]) - (lean_rate[4:] - lean_rate[:-4])) / (12 * h)
    apart = np.abs(measured - lean_acceleration(lean, yaw_rate, own - yaw_rate * np.sin(lean))[2:-2]).max()
    print(f"from the published equation: {apart:.1e} rad/s²")
    print("velocities falsified by a thousandth are found out:", not motion.replace(v=1.001 * motion.v).audit().passed)
    motion.plot(("disc", (0, 0, 0)), kind="path", path=folder / "rolling_disc.png")
    return apart, motion


if __name__ == "__main__":
    main(Path.cwd())
