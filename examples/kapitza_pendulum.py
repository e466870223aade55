"""Kapitza's pendulum: where a shaken pivot makes a pendulum stand on its head, as a map over amplitude and frequency."""

from pathlib import Path

import numpy as np

import vinculum as vc

LENGTH, TILT = 0.2, 0.1


def pendulum() -> vc.System:
    """A bob on a rod whose pivot moves up and down; the angle is counted from upright."""
    a, w = vc.parameter("amplitude", 0.02), vc.parameter("frequency", 150.0)
    system = vc.System("Kapitza's pendulum", gravity=(0, 0, -9.81))
    pivot = system.add(vc.PrescribedBody("pivot", position=lambda t: (0, 0, a * vc.math.cos(w * t))))
    bob = system.add(vc.MassPoint("bob", 0.1))
    system.add(vc.Revolute("lean", pivot, bob, axis=(0, 1, 0), to=(0, 0, -LENGTH), damping=2e-4))
    return system


def main(folder: Path, count: int = 32) -> tuple[vc.Motion, np.ndarray, np.ndarray]:
    """A motion that stays upright and its certificate; of ``count`` squared runs a² ω² / (2 g l), and whether they stood."""
    system = pendulum()
    motion = vc.simulate(system, 1.0, {"lean": TILT})
    print(motion.audit())
    a, w = (x.ravel() for x in np.meshgrid(np.linspace(0.005, 0.03, count), np.linspace(40.0, 240.0, count)))
    runs = vc.ensemble(
        system, 1.5, {"lean": TILT}, parameters={"amplitude": a, "frequency": w}, tolerance=1e-7, grid=301
    )
    stood = np.abs(runs.q[:, :, 0]).max(axis=1) < np.pi / 2
    over = ("amplitude", "frequency")
    runs.plot(kind="map", over=over, value=stood, label="stands on its head", path=folder / "kapitza_pendulum.png")
    return motion, (a * w) ** 2 / (2 * 9.81 * LENGTH), stood


if __name__ == "__main__":
    main(Path.cwd())
