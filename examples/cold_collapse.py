"""Four hundred mass points fall together under their own gravity: a cold sphere collapses and comes apart again."""

from pathlib import Path

import numpy as np

import vinculum as vc

COUNT, RADIUS, SOFTENING = 400, 1.0, 0.05
FREE_FALL = np.pi / 2 * np.sqrt(RADIUS**3 / 2)
"""Until a sphere of mass one without pressure has fallen into its center, G = 1."""


def gravitation(a, b):
    """Energy of two bodies, softened so that close encounters stay smooth."""
    d = a.position - b.position
    return -a.mass * b.mass / vc.math.sqrt(vc.math.dot(d, d) + SOFTENING**2)


def sphere() -> tuple[vc.System, dict]:
    """Bodies of equal mass, and a start at rest all over a ball."""
    cloud = vc.System("cold sphere")
    bodies = [cloud.add(vc.MassPoint(f"star{i}", 1.0 / COUNT)) for i in range(COUNT)]
    cloud.add(vc.potentials.PairPotential("gravitation", bodies, gravitation))
    rng = np.random.default_rng(1)
    places = rng.normal(size=(COUNT, 3))
    places *= RADIUS * rng.uniform(size=(COUNT, 1)) ** (1 / 3) / np.linalg.norm(places, axis=1, keepdims=True)
    return cloud, {body.name: place for body, place in zip(bodies, places, strict=True)}


def main(folder: Path) -> vc.Motion:
    """Two free-fall times, the radii that hold a tenth, half and nine tenths of the mass, and the proof of the motion."""
    cloud, start = sphere()
    motion = vc.simulate(cloud, 2 * FREE_FALL, start, tolerance=1e-9, grid=201)
    distances = np.linalg.norm(motion.q.reshape(-1, COUNT, 3) - motion.body().center[:, None], axis=2)
    radii = np.quantile(distances, (0.1, 0.5, 0.9), axis=1).T
    smallest = motion.time[np.argmin(radii[:, 1])]
    print(f"half of the mass is closest together at {smallest:.3f} s; free fall takes {FREE_FALL:.3f} s")
    print(f"energy {motion.energy[0]:.6f} J, changed by {np.ptp(motion.energy):.1e} J")
    print(motion.audit())

    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3), layout="constrained")
    left, *frames = figure.subplots(1, 4, width_ratios=(1.4, 1, 1, 1))
    left.plot(motion.time, radii, label=("10 %", "50 %", "90 %"))
    left.set(xlabel="time [s]", ylabel="radius [m]")
    left.legend(title="of the mass within")
    for ax, t in zip(frames, (0.0, smallest, motion.time[-1]), strict=True):
        x, y, _ = motion.at(t).q.reshape(COUNT, 3).T
        ax.plot(x, y, ".", markersize=2)
        ax.set(title=f"{t:.2f} s", xlabel="x [m]", xlim=(-1.5, 1.5), ylim=(-1.5, 1.5), aspect="equal")
    figure.savefig(folder / "collapse.png")
    return motion


if __name__ == "__main__":
    main(Path.cwd())
