"""Geodesics of an ellipsoid: those from an umbilic meet again opposite to it, others fill a band; all keep Joachimsthal's integral."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.special import ellipe

import vinculum as vc

AXES, VIEW = np.array([1.6, 1.1, 0.7]), np.radians([35.0, 25.0])
HALF_WAY = 2.0 * AXES[0] * ellipe(1.0 - (AXES[2] / AXES[0]) ** 2)
"""Half the length of the ellipse y = 0, which is a geodesic through the umbilics."""


def direction(u, w, order=(0, 1, 2)):
    """A point of the unit sphere by longitude and latitude; the poles are on the last axis of the order."""
    x = [vc.math.cos(u) * vc.math.cos(w), vc.math.sin(u) * vc.math.cos(w), vc.math.sin(w)]
    return [x[order.index(i)] for i in range(3)]


def draw(q):
    """A point of the ellipsoid in the chart of the band, for a view."""
    return [AXES * direction(*q)]


def geodesic(order, q, angle, length) -> tuple[np.ndarray, np.ndarray, vc.LagrangianMotion]:
    """Points (T, 3) of a geodesic of unit speed, (Σ xᵢ²/aᵢ⁴) (Σ vᵢ²/aᵢ²) along it, and the motion. The chart leaves out two poles."""
    space = vc.geometry.Metric("space", ["x", "y", "z"], lambda: np.eye(3))
    ellipsoid = space.restrict(
        lambda u, w: AXES * direction(u, w, order), ["u", "w"], "ellipsoid", lambda w: vc.math.cos(w)
    )
    v = np.linalg.solve(np.linalg.cholesky(ellipsoid(q)).T, [np.cos(angle), np.sin(angle)])
    motion = vc.geometry.geodesic(ellipsoid, q, v, length, grid=2001)
    (u, w), (u_dot, w_dot) = motion.q.T, motion.v.T
    x = AXES * np.stack(direction(u, w, order), axis=1)
    along_u, along_w = (np.stack(direction(*at, order), axis=1) for at in ((u + np.pi / 2, 0 * w), (u, w + np.pi / 2)))
    rate = AXES * ((u_dot * np.cos(w))[:, None] * along_u + w_dot[:, None] * along_w)
    return x, (x**2 / AXES**4).sum(axis=1) * (rate**2 / AXES**2).sum(axis=1), motion


def main(folder: Path) -> tuple[np.ndarray, vc.LagrangianMotion]:
    """The ends of the geodesics from an umbilic, after half the length of the ellipse through it; and one that fills a band."""
    a, b, c = AXES**2
    umbilic = np.array([np.arctan2(np.sqrt((b - c) / (a - c)), np.sqrt((a - b) / (a - c))), 0.0])
    angles = np.radians([0, 15, 35, 60, 80, -20, -45, -70, 180])
    fan = [geodesic((0, 2, 1), umbilic, angle, HALF_WAY) for angle in angles]
    band = geodesic((0, 1, 2), (0.0, 0.0), 0.45, 120.0)
    ends = np.array([x[-1] for x, *_ in fan])
    print(f"after {HALF_WAY:.6f} they are at most {np.abs(ends - ends[0]).max():.1e} apart")

    figure = Figure(figsize=(10, 4.8), layout="constrained")
    surface = direction(*np.meshgrid(np.linspace(0, 2 * np.pi, 60), np.linspace(-np.pi / 2, np.pi / 2, 30)))
    for column, (title, curves) in enumerate((("from an umbilic", fan), ("in a band", [band])), 1):
        drift = max(np.abs(P / P[0] - 1).max() for _, P, _ in curves)
        ax = figure.add_subplot(1, 2, column, projection="3d", proj_type="ortho", computed_zorder=False)
        ax.plot_surface(*(AXES[:, None, None] * surface), color="0.94", shade=False)
        ax.view_init(azim=35, elev=25)
        ax.set(
            title=f"{title}\nP / P(0) is 1 within {drift:.0e}",
            xlim=(-0.87, 0.87),
            ylim=(-0.87, 0.87),
            zlim=(-0.87, 0.87),
        )
        ax.set_box_aspect((1, 1, 1))
        ax.set_axis_off()
        for x, *_ in curves:
            front = ((x / AXES**2) @ direction(*VIEW) > 0)[:, None]
            ax.plot(*np.where(front, np.nan, x).T, lw=0.4, color="0.7")
            ax.plot(*np.where(front, x, np.nan).T, lw=1.0)
            ax.plot(*x[:1].T, ".", color="black")
    figure.savefig(folder / "ellipsoid_geodesics.png", dpi=120)
    return ends, band[2]


if __name__ == "__main__":
    main(Path.cwd())
