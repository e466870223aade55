"""Quantum states on a torus: levels, pictures, and what a strong confining potential adds to the operator of the surface."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure

import vinculum as vc

sin, cos = vc.math.sin, vc.math.cos
AROUND, SHOWN = (0.0, 2.0 * np.pi, "periodic"), (0, 1, 5, 6, 9, 13)


def place(u, w):
    """A point of the torus with radii 2 and 1."""
    return (2 + cos(u)) * cos(w), (2 + cos(u)) * sin(w), sin(u)


def draw(q):
    """A point that moves on the torus, for a view."""
    return [place(*q)]


def main(folder: Path) -> tuple[np.ndarray, vc.LagrangianMotion]:
    """The lowest levels of −Δ, and a geodesic, which is what a particle without forces does on the torus."""
    torus = vc.geometry.Embedding("torus", ["u", "w"], place)
    ranges = {"u": AROUND, "w": AROUND}
    plain = vc.geometry.Quantization(torus, ranges, mass=0.5)
    states = plain.states(14)
    confined = vc.geometry.Quantization(torus, ranges, mass=0.5, confined=True).states(14)
    for (level, count), (other, _) in zip(states.multiplicities(), confined.multiplicities(), strict=False):
        print(f"level {level:.8f}, {count} times; with the geometric potential {other:.8f}")

    u, w = np.linspace(0.0, 2.0 * np.pi, 81), np.linspace(0.0, 2.0 * np.pi, 161)
    places = np.stack([x.ravel() for x in np.meshgrid(u, w, indexing="ij")], axis=1)
    points = torus.points(places).reshape(len(u), len(w), 3)
    values = states.values(places).reshape(len(u), len(w), -1)
    figure = Figure(figsize=(10, 6), layout="constrained")
    for panel, number in enumerate(SHOWN):
        psi = values[:, :, number]
        ax: Any = figure.add_subplot(2, 3, panel + 1, projection="3d", proj_type="ortho")
        colors = colormaps["coolwarm"](0.5 + 0.5 * psi / np.abs(psi).max())
        ax.plot_surface(
            *np.moveaxis(points, 2, 0), facecolors=colors, rcount=81, ccount=161, shade=False, antialiased=False
        )
        ax.set_box_aspect((3, 3, 1), zoom=1.5)
        ax.view_init(elev=42)
        ax.set_axis_off()
        ax.set_title(f"E = {states.levels[number]:.5f}", y=0.93)
    figure.savefig(folder / "torus_states.png", dpi=120)
    return states.levels, vc.geometry.geodesic(torus.metric, (0.0, 0.0), (1.0, 0.2), 60.0)


if __name__ == "__main__":
    main(Path.cwd())
