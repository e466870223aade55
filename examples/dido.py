"""Dido's problem: the largest areas that ropes enclose with a straight shore, with and without a river that they must not cross."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import root_scalar

import vinculum as vc

ROPES, RIVER = (2.1, 2.4, 2.7, 3.0), 0.42


def half_angle(length: float) -> float:
    """Half the angle of the arc of a circle from -1 to 1 that is so long."""
    return root_scalar(lambda a: a / np.sin(a) - 0.5 * length, bracket=(1e-3, 3.0)).root


def draw(q):
    """The rope of a length between its ends, for a view."""
    half = half_angle(q[0])
    angle = np.linspace(-half, half, 41)
    return np.stack([np.sin(angle), np.cos(angle) - np.cos(half)], axis=1) / np.sin(half)


def main(folder: Path) -> tuple[float, vc.LagrangianMotion]:
    """The largest distance of a rope from the arc of a circle, and ropes that get longer evenly."""
    shore = vc.LagrangianSystem("shore", ["y"], lambda y: -y)
    figure = Figure(figsize=(10, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2, sharex=True, sharey=True)
    x, largest = np.linspace(-1.0, 1.0, 401), 0.0
    for length in ROPES:
        rope = {"rope": (lambda y_dot: vc.math.sqrt(1 + y_dot**2), length)}
        for ax, walls in ((left, None), (right, {"river": lambda y: RIVER - y})):
            problem = vc.geometry.BoundaryValueProblem(
                shore, {"y": 0}, {"y": 0}, begin=-1.0, until=1.0, integrals=rope, unilaterals=walls
            )
            if walls is not None and length > 2.4:
                continue  # beyond it such a rope would have to fold back
            curve = problem.solve(lambda t: (0.4 * (1.0 - t * t),), tolerance=1e-8 if walls is None else 1e-5)
            y = curve.at(x)[:, 0]
            (line,) = ax.plot(x, y)
            ax.text(
                0.0, y.max() - 0.11, f"rope {length}, area {-curve.action:.4f}", ha="center", color=line.get_color()
            )
            if walls is None:
                half = half_angle(length)
                radius = 1.0 / np.sin(half)
                largest = max(largest, float(np.abs(y - np.sqrt(radius**2 - x**2) + radius * np.cos(half)).max()))
                found = curve.integral_multipliers["rope"]
                print(f"rope {length}: area {-curve.action:.9f}, radius {radius:.6f}, multiplier {found:.6f}")
    right.axhline(RIVER, color="tab:blue", lw=6, alpha=0.25)
    for ax, title in ((left, "arcs of circles"), (right, "with a river")):
        ax.axhline(0.0, color="0.4", lw=3)
        ax.set(title=title, aspect="equal", xlabel="along the shore")
    figure.savefig(folder / "dido.png", dpi=120)
    longer = vc.LagrangianSystem("rope of Dido", ["length"], lambda length_dot: length_dot**2 / 2)
    return largest, vc.simulate(longer, 5.0, ([ROPES[0]], [(ROPES[-1] - ROPES[0]) / 5.0]))


if __name__ == "__main__":
    main(Path.cwd())
