"""A rocket with a grain that burns from its rear end, and a nozzle that is a little askew; a certificate and a picture of its flight."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import vinculum as vc

SHELL, GRAIN, BURNING = 20.0, 30.0, 7.5  # masses of shell and grain [kg], and how fast the grain burns [kg/s]
LENGTH, RADIUS, FRONT, GRAIN_LENGTH = (
    2.0,
    0.12,
    0.9,
    1.6,
)  # of the shell along z; where the grain begins in it, its first length [m]


def center(m):
    """The mass center of shell and grain."""
    left = m - SHELL
    return (0.0, 0.0, left * (FRONT - 0.5 * GRAIN_LENGTH * left / GRAIN) / m)


def inertia(m):
    """About the origin: a hollow shell, and a cylinder that gets shorter."""
    left, long = m - SHELL, GRAIN_LENGTH * (m - SHELL) / GRAIN
    across = SHELL * (RADIUS**2 / 2 + LENGTH**2 / 12) + left * (RADIUS**2 / 4 + long**2 / 12 + (FRONT - long / 2) ** 2)
    return (across, across, SHELL * RADIUS**2 + left * RADIUS**2 / 2)


def rocket(askew=0.0004) -> vc.System:
    """The rocket; ``askew``: angle of the nozzle [rad]."""
    gas = vc.MassSource(-BURNING, relative=(2000 * np.sin(askew), 0, -2000 * np.cos(askew)), at=(0, 0, -LENGTH / 2))
    shape = vc.shapes.Cylinder(RADIUS, LENGTH)
    system = vc.System("rocket", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("rocket", SHELL + GRAIN, center, inertia, about="origin", sources=gas, shape=shape))
    return system


def main(folder: Path) -> vc.Motion:
    """A flight until the grain is burnt, its certificate, and pictures of it beside one with a straight nozzle that turns at first."""
    motion = vc.simulate(rocket(), until=3.9, grid=196)
    straight = vc.simulate(rocket(0.0), until=3.9, start={"rocket": vc.At(rate=(0, 0, 0, 0, 0.6, 0))}, grid=196)
    print(motion.audit())
    body, figure = motion.body("rocket"), Figure(figsize=(10, 4.5))
    path, turn = figure.subplots(1, 2)
    path.plot(body.position[:, 0], body.position[:, 2], color="0.7", lw=1)
    for k in range(45, 196, 30):
        ends = np.array([body.point((0, 0, z)).position[k] for z in (-60.0, 60.0)])
        path.plot(ends[:, 0], ends[:, 2], color="C0", lw=3, solid_capstyle="round")
        path.text(*ends.mean(axis=0)[[0, 2]] + (-150, 60), f"{motion.time[k]:.1f} s, {body.mass[k]:.0f} kg", ha="right")
    path.axis((-800, 1500, -50, 2350))
    path.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title="Flight (rocket 60 times as long)")
    for flight, label in ((motion, "nozzle askew"), (straight, "straight, damped by the jet")):
        turn.plot(flight.time, flight.body("rocket").angular_velocity[:, 1], label=label)
    turn.set(xlabel="t [s]", ylabel="rate of turn [rad/s]", ylim=(0, 1))
    turn.legend(loc="upper left")
    figure.savefig(folder / "burning_rocket.png", dpi=130, bbox_inches="tight")
    return motion


if __name__ == "__main__":
    main(Path.cwd())
