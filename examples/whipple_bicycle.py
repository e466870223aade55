"""The Whipple bicycle without hands: its published stability, and a run after a push."""

from pathlib import Path

import numpy as np

import vinculum as vc

WHEELBASE, TRAIL, TILT, GRAVITY, REAR, FRONT = 1.02, 0.08, np.pi / 10, 9.81, 0.3, 0.35


def bicycle() -> vc.System:
    """The benchmark of Meijaard, Papadopoulos, Ruina and Schwab (2007): x ahead, y right, z down, from the rear contact."""
    system = vc.System("Whipple bicycle", gravity=(0, 0, GRAVITY))
    frame = system.add(vc.RigidBody("frame", 85, (0.3, 0, -0.9), ((9.2, 0, 2.4), (0, 11, 0), (2.4, 0, 2.8))))
    held = ((0.05892, 0, -0.00756), (0, 0.06, 0), (-0.00756, 0, 0.00708))
    fork = system.add(vc.RigidBody("fork", 4, (0.9, 0, -0.7), held))
    rear = system.add(vc.RigidBody("rear wheel", 2, inertia=(0.0603, 0.12, 0.0603)))
    front = system.add(vc.RigidBody("front wheel", 3, inertia=(0.1405, 0.28, 0.1405)))
    head, axis = (WHEELBASE + TRAIL, 0, 0), (np.sin(TILT), 0, np.cos(TILT))
    system.add(vc.Revolute("steer", frame, fork, axis=axis, at=head, to=head))
    system.add(vc.Revolute("rear axle", frame, rear, axis=(0, 1, 0), at=(0, 0, -REAR)))
    system.add(vc.Revolute("front axle", fork, front, axis=(0, 1, 0), at=(WHEELBASE, 0, -FRONT)))
    rolls = {"normal": (0, 0, -1), "realization": vc.DAlembert()}
    system.add(vc.constraints.Rolling.disc("rear rolling", rear, REAR, **rolls))
    system.add(vc.constraints.Rolling.disc("front rolling", front, FRONT, **rolls))
    return system


def upright(speed: float, lean_rate: float = 0.0) -> dict[str, vc.At]:
    """Straight on at a speed [m/s], with a push sideways that gives a rate of lean [rad/s]."""
    return {"frame": vc.At((0, 0, 0, 1, 0, 0, 0), rate=(speed, 0, 0, lean_rate, 0, 0)), "steer": vc.At(0, rate=0),
            "rear axle": vc.At(0, rate=-speed / REAR), "front axle": vc.At(0, rate=-speed / FRONT)}  # fmt: skip


def main(folder: Path) -> tuple[np.ndarray, vc.Motion]:
    """Eigenvalues at 5 m/s, and the motion after a push; a picture of them over the speed, and of a run."""
    from matplotlib.figure import Figure

    system, own = bicycle(), ("frame.wx", "steer")
    print(vc.linearize(system, upright(5.0), coordinates=own).part(*own))
    speeds = np.linspace(0.0, 10.0, 51)
    values = np.array([vc.linearize(system, upright(v), coordinates=own).part(*own).eigenvalues for v in speeds])
    motion = vc.simulate(system, 5.0, upright(5.0, lean_rate=0.5), repair=True)
    print(motion.audit())
    lowest = motion.body("front wheel").position[:, 2] + FRONT * np.sqrt(
        1 - motion.body("front wheel").rotation[:, 2, 1] ** 2
    )
    print(f"the front wheel stays on the ground to {np.abs(lowest).max():.1e} m")
    left, right = (figure := Figure(figsize=(10, 4), layout="constrained")).subplots(1, 2)
    real, imaginary = np.real(values), np.imag(values)
    left.plot(speeds, real, "k.", speeds, np.where(imaginary > 1e-6, imaginary, np.nan), "r.", markersize=3)
    left.axvspan(4.292382536, 6.024262015, color="0.9")  # published: it rides without hands
    left.set(xlabel="speed [m/s]", ylabel="eigenvalues [1/s]", ylim=(-10, 10), title="real (black), imaginary (red)")
    right.plot(motion.time, np.stack([2 * np.arcsin(motion.q[:, 4]), motion["steer"]], axis=1), label=("lean", "steer"))
    right.set(xlabel="time [s]", ylabel="angle [rad]", title="after a push at 5 m/s")
    right.legend()
    figure.savefig(folder / "bicycle.png", dpi=150)
    return values[25], motion


if __name__ == "__main__":
    main(Path.cwd())
