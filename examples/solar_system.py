"""The outer solar system for 250 years: six mass points under Newton's attraction, in au, days and masses of the sun."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import vinculum as vc

# Positions [au] and velocities [au/day] on September 5, 1994: Hairer, Lubich and Wanner, Geometric Numerical Integration,
# section I.2.4. The sun carries the inner planets.
BODIES = {
    "sun": (1.00000597682, (0, 0, 0), (0, 0, 0)),
    "jupiter": (0.000954786104043, (-3.5023653, -3.8169847, -1.5507963), (0.00565429, -0.00412490, -0.00190589)),
    "saturn": (0.000285583733151, (9.0755314, -3.0458353, -1.6483708), (0.00168318, 0.00483525, 0.00192462)),
    "uranus": (0.0000437273164546, (8.3101420, -16.2901086, -7.2521278), (0.00354178, 0.00137102, 0.00055029)),
    "neptune": (0.0000517759138449, (11.4707666, -25.7294829, -10.8169456), (0.00288930, 0.00114527, 0.00039677)),
    "pluto": (1 / 1.3e8, (-15.5387357, -25.2225594, -3.1902382), (0.00276725, -0.00170702, -0.00136504)),
}
G = 2.95912208286e-4
YEAR = 365.25


def solar_system() -> vc.System:
    """Sun and five planets that attract each other."""
    system = vc.System("outer solar system")
    points = [system.add(vc.MassPoint(name, mass)) for name, (mass, _, _) in BODIES.items()]
    system.add(vc.potentials.Gravitation("attraction", points, G=G))
    return system


def main(folder: Path) -> tuple[dict[str, float], vc.Motion]:
    """The periods of the planets in years, the motion with its certificate, and a picture of the orbits."""
    start = {name: vc.At(place, rate=velocity) for name, (_, place, velocity) in BODIES.items()}
    rounds = [vc.Event(name, ["sun", name], lambda sun, planet: planet.position[1] - sun.position[1], direction=1)
              for name in list(BODIES)[1:]]  # fmt: skip
    motion = vc.simulate(solar_system(), 250 * YEAR, start, events=rounds, grid=5001)
    print(motion.audit())
    passed = {name: [c.time for c in motion.record.crossings if c.name == name] for name in list(BODIES)[1:]}
    periods = {name: float(np.mean(np.diff(times))) / YEAR for name, times in passed.items() if len(times) > 1}
    for name, years in periods.items():
        print(f"{name} goes round in {years:.2f} years")

    figure = Figure(figsize=(8, 6), layout="constrained")
    axes = figure.add_subplot(aspect="equal", xlabel="x [au]", ylabel="y [au]", title="250 years seen from the sun")
    for name in BODIES:
        x, y, _ = (motion.body(name).position - motion.body("sun").position).T
        axes.plot(x, y, marker="o" if name == "sun" else None, label=name)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(folder / "orbits.png", dpi=120)
    return periods, motion


if __name__ == "__main__":
    main(Path.cwd())
