"""An asteroid whose mass, center and inertia come from its triangles tumbles about its middle axis; a certificate and pictures."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import vinculum as vc

DENSITY = 2000.0  # [kg/m³]
RATE = 0.05  # about the middle axis [rad/s]


def surface(rows: int = 40, columns: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) [m] and triangles (t, 3) of a lumpy ellipsoid: a grid of latitudes and longitudes, and two poles."""
    polar, turn = np.linspace(0, np.pi, rows + 1)[1:-1, None], 2 * np.pi * np.arange(columns) / columns
    lumps = (
        1 + 0.12 * np.sin(3 * turn + 1) * np.sin(polar) ** 3 + 0.1 * np.cos(4 * polar) * np.sin(turn) * np.sin(polar)
    )
    x, y, z = np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn), np.cos(polar) + 0 * turn
    ring = (lumps[..., None] * np.stack([140 * x, 90 * y, 70 * z], axis=-1)).reshape(-1, 3)
    k, j = (a.ravel() for a in np.meshgrid(np.arange(rows - 2), np.arange(columns), indexing="ij"))
    a, b = k * columns + j, k * columns + (j + 1) % columns
    north, south, j = len(ring), len(ring) + 1, np.arange(columns)
    last = (rows - 2) * columns
    caps = [
        (np.full(columns, north), j, (j + 1) % columns),
        (np.full(columns, south), last + (j + 1) % columns, last + j),
    ]
    sides = [(a, a + columns, b), (b, a + columns, b + columns)]
    return np.concatenate([ring, [(0, 0, 70), (0, 0, -70)]]), np.concatenate(
        [np.stack(t, axis=1) for t in caps + sides]
    )


def asteroid() -> vc.System:
    """The asteroid, with its mass center at the origin of its frame."""
    measure = vc.Measure.mesh(*surface(), density=DENSITY)
    system = vc.System("asteroid")
    system.add(vc.RigidBody.of("asteroid", measure.transform(vc.Pose(-measure.center))))
    return system


def main(folder: Path) -> vc.Motion:
    """The motion until it has flipped twice, its certificate, and pictures of it before, within and after a flip."""
    system = asteroid()
    axes = np.linalg.eigh(system.bodies["asteroid"].inertia_at_center)[1]
    spin = axes @ (0.01 * RATE, RATE, 0.01 * RATE)
    motion = vc.simulate(system, until=1500.0, start={"asteroid": vc.At(rate=(0, 0, 0, *spin))}, grid=1501)
    print(motion.audit())
    rates, figure = motion.v[:, 3:] @ axes, Figure(figsize=(7, 3))
    plot = figure.subplots()
    plot.plot(motion.time, rates, label=["least", "middle", "largest"])
    plot.set(xlabel="t [s]", ylabel="rate [rad/s]", title="Angular velocity along the principal axes")
    plot.legend(title="moment of inertia", loc="upper right")
    figure.savefig(folder / "asteroid_rates.png", dpi=130, bbox_inches="tight")
    motion.plot.picture(0.0, folder / "asteroid.png")
    return motion


if __name__ == "__main__":
    main(Path.cwd())
