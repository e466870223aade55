"""Brachistochrones: wires on which a bead falls fastest, found by collocation and compared with cycloids."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import root_scalar

import vinculum as vc

G, DEPTH, ENDS = 9.81, 0.6, (0.4, 0.8, 1.4, 2.2)


def along(x_dot, y_dot, u, u_dot, angle):
    """A bead of speed u on a wire that falls with an angle."""
    return x_dot - u * vc.math.cos(angle), y_dot + u * vc.math.sin(angle), u_dot - G * vc.math.sin(angle)


def cycloid(end: float) -> float:
    """The radius of the circle whose cycloid goes through the end [m]."""
    last = root_scalar(lambda a: (a - np.sin(a)) / (1 - np.cos(a)) - end / DEPTH, bracket=(1e-3, 6.28)).root
    return DEPTH / (1.0 - np.cos(last))


RADIUS = cycloid(ENDS[-1])


def draw(q):
    """The middle of the circle that rolls below the start, and its bead, for a view; q is the length of wire from the lowest point."""
    phase = 2.0 * np.arccos(np.clip(-q[0] / (4.0 * RADIUS), -1.0, 1.0))
    return RADIUS * np.array([(phase, -1.0), (phase - np.sin(phase), np.cos(phase) - 1.0)])


def main(folder: Path) -> tuple[float, vc.LagrangianMotion]:
    """The largest distance of a curve from its cycloid [m], and the fall along the last one."""
    wire = {"along": (along, vc.Vakonomic(multipliers=0.0))}
    bead = vc.LagrangianSystem("bead", ["x", "y", "u", "angle"], lambda: 1.0, constraints=wire)
    figure = Figure(figsize=(9, 5.2), layout="constrained")
    ax, below = figure.subplots(2, 1, height_ratios=(2.4, 1))
    largest, until = 0.0, 0.0
    for end in ENDS:
        ends = {"x": 0, "y": 0, "u": 0}, {"x": end, "y": -DEPTH}
        problem = vc.geometry.BoundaryValueProblem(bead, *ends, until=(0.1, 4.0))
        curve = problem.solve(lambda t, end=end: (end * t / 2.05, -DEPTH * t / 2.05, 2.0 * t, 0.5), tolerance=1e-10)
        radius = cycloid(end)
        t = np.linspace(0.0, curve.until, 400)
        (x, y, *_), (x_dot, y_dot, *_) = curve.at(t).T, curve.velocity(t).T
        phase = t * np.sqrt(G / radius)
        apart = np.hypot(x - radius * (phase - np.sin(phase)), y + radius * (1.0 - np.cos(phase)))
        largest, until = max(largest, float(apart.max())), curve.until
        straight = np.sqrt(2.0 * (end**2 + DEPTH**2) / (G * DEPTH))
        print(f"to x = {end}: {curve.until:.10f} s, straight {straight:.4f} s; cycloid within {apart.max():.0e} m")
        (line,) = ax.plot(x, y, label=f"{curve.until:.3f} s, straight {straight:.3f} s")
        ax.plot([0.0, end], [0.0, -DEPTH], ":", color=line.get_color(), lw=1.0)
        ax.plot([end], [-DEPTH], "o", color=line.get_color(), ms=4)
        below.plot(t[1:], np.degrees(np.arctan2(-y_dot, x_dot))[1:], color=line.get_color())
    ax.set(aspect="equal", xlabel="x [m]", ylabel="y [m]")
    ax.legend(frameon=False, fontsize="small", loc="lower left")
    below.set(xlabel="time [s]", ylabel="slope of the wire [°]")
    figure.savefig(folder / "brachistochrone.png", dpi=120)
    wire = vc.LagrangianSystem("bead on a cycloid", ["s"], lambda s, s_dot: (s_dot**2 - G * s**2 / (4 * RADIUS)) / 2)
    return largest, vc.simulate(wire, until, ([-4.0 * RADIUS], [0.0]))


if __name__ == "__main__":
    main(Path.cwd())
