"""A soft cube, an affine body, falls on a rough floor, bounces on its corners and wobbles; a certificate and a picture of it."""

from itertools import product
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import vinculum as vc

HALF = 0.2
CORNERS = np.array(list(product((-HALF, HALF), repeat=3)))
FACES = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))


def jelly() -> vc.System:
    """A cube of jelly of 2 kg above a floor that its corners cannot pass."""
    system = vc.System("jelly", gravity=(0, 0, -9.81))
    volume = (2 * HALF) ** 3
    cube = system.add(vc.AffineBody.solid(
        "cube", vc.shapes.Box((2 * HALF,) * 3), mass=2.0, energy=vc.energies.NeoHookean(volume, shear=500.0, lame=1000.0),
        dissipation=vc.energies.NewtonianViscosity(volume, shear=4.0)))  # fmt: skip
    for k, corner in enumerate(CORNERS):
        system.add(vc.Unilateral(f"corner {k}", cube, gap=lambda b, p=corner: b.point(p)[2], impact="inelastic", friction=0.4,
                                 point=lambda b, p=corner: b.point(p)))  # fmt: skip
    return system


def main(folder: Path) -> vc.Motion:
    """A throw, its certificate, and the cube at eight instants."""
    turn = np.array([[0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [-0.6, 0.0, 0.8]])
    start = {"cube": vc.At(((0, 0, 0.6), turn), ((4.0, 0, 0), np.zeros((3, 3))))}
    motion = vc.simulate(jelly(), until=0.7, start=start, grid=8)
    print(motion.audit())
    cube, figure = motion.body("cube"), Figure(figsize=(10, 3.2))
    axes = figure.add_subplot()
    places = np.stack([cube.point(corner).position for corner in CORNERS], axis=1)
    for k, (t, seen) in enumerate(zip(motion.time, places, strict=True)):
        color = f"C{k % 10}"
        for face in FACES:
            axes.fill(*seen[list(face)][:, [0, 2]].T, color=color, alpha=0.12, ec=color, lw=1)
        axes.text(seen[:, 0].mean(), seen[:, 2].max() + 0.03, f"{t:.1f} s", color=color, ha="center")
    axes.axhline(0.0, color="0.4")
    axes.margins(y=0.12)
    axes.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title="A soft cube on a rough floor")
    figure.savefig(folder / "jelly.png", dpi=130, bbox_inches="tight")
    return motion


if __name__ == "__main__":
    main(Path.cwd())
