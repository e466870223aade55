"""A plate in an ideal fluid, a point-body: it drifts, flutters or tumbles, as Kirchhoff's equations say; a picture of three paths."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import vinculum as vc

MASS, MOVED, SPUN = 1.0, (1.1, 3.0, 1.1), (0.4, 0.1, 0.4)
"""Mass of the plate [kg]; with what the fluid adds: A along the plate and across it [kg], C about its axes [kg m²]."""


def plate() -> vc.System:
    """The plate, its normal along y, without weight in the fluid."""
    system = vc.System("plate")
    system.add(vc.PointBody("plate", MOVED, 0.0, SPUN, mass=MASS))
    return system


def main(folder: Path) -> list[vc.Motion]:
    """Three starts with the impulse along x: a small flutter, a large one, and a tumble."""
    motions, figure = [], Figure(figsize=(9, 4.2))
    for k, (angle, spin, name) in enumerate(((0.2, 0.0, "flutter"), (1.2, 0.0, "large flutter"), (1.2, 2.5, "tumble"))):
        c, s, impulse = np.cos(angle), np.sin(angle), 2.0
        # the plate first moves broadside on, its normal at an angle to the impulse
        pose = vc.Pose(rotation=[[s, c, 0.0], [-c, s, 0.0], [0.0, 0.0, 1.0]])
        velocity = np.array([impulse * s / MOVED[0], impulse * c / MOVED[1], 0.0])
        start = {"plate": vc.At(pose, (*velocity, 0.0, 0.0, spin))}
        motion = vc.simulate(plate(), until=12.0, start=start, grid=121)
        print(f"{name}:", "certified" if motion.audit().passed else "not certified")
        seen, axes = motion.body("plate"), figure.add_subplot(3, 1, k + 1)
        ends = [seen.point((side * 0.3, 0.0, 0.0)).position for side in (-1, 1)]
        axes.plot(*seen.position[:, :2].T, color="0.6", lw=1)
        for one, other in zip(*(x[::2, :2] for x in ends), strict=True):
            axes.plot(*np.array([one, other]).T, color=f"C{k}", lw=1)
        axes.set(ylabel="y [m]", aspect="equal", title=name)
        motions.append(motion)
    figure.axes[-1].set_xlabel("x [m]")
    figure.tight_layout()
    figure.savefig(folder / "plate.png", dpi=130)
    return motions


if __name__ == "__main__":
    main(Path.cwd())
