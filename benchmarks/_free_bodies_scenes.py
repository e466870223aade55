"""Scenes of bodies that meet, as numbers for every engine. Nothing but NumPy is needed here, since each engine has a Python of its own.

BOX: spheres of radius 0.05 m and density 1000 on a lattice of pitch 0.12 m with offsets of ±5 mm, the lowest 0.1 m up, in an open box
0.12 n wide (n = 5, 10, 17), μ = 0.3, no restitution, 2 s. STICK: a block of 0.4 × 0.4 × 0.2 m on a slope of 20°, μ = 0.5, 1 s. STACK: ten
unit cubes, μ = 0.5, 5 s. BALL: dropped from 1 m, e = 0.8, its first ten impacts.
"""

from dataclasses import dataclass

import numpy as np

RADIUS, PITCH, DENSITY, GRAVITY = 0.05, 0.12, 1000.0, 9.81
SLOPE = np.radians(20.0)
RATIO, DROP, IMPACTS = 0.8, 1.0, 10


@dataclass(frozen=True)
class Scene:
    """Bodies of one shape, spheres (``size`` a radius) or boxes (edges), planes n · x ≥ offset, friction and restitution."""

    name: str
    shape: str
    size: tuple
    places: np.ndarray
    rotation: np.ndarray
    planes: tuple
    mu: float
    e: float
    step: float
    until: float

    @property
    def mass(self) -> float:
        volume = 4 / 3 * np.pi * self.size[0] ** 3 if self.shape == "sphere" else float(np.prod(self.size))
        return DENSITY * volume


def box(count: int, step: float, until: float = 2.0, layers: int | None = None) -> Scene:
    """Spheres in an open box."""
    n = {100: 5, 1000: 10, 5000: 17, 10000: 17}[count]
    rng, high = np.random.default_rng(0), -(-count // n**2)
    grid = np.stack(np.meshgrid(np.arange(high), np.arange(n), np.arange(n), indexing="ij"), -1).reshape(-1, 3)
    grid = grid[:count, ::-1]
    places = (grid + (0.5, 0.5, 0)) * PITCH + rng.uniform(-5e-3, 5e-3, grid.shape) + (0, 0, 0.1)
    side = PITCH * n
    planes = (((0, 0, 1), 0.0), ((1, 0, 0), 0.0), ((-1, 0, 0), -side), ((0, 1, 0), 0.0), ((0, -1, 0), -side))
    return Scene(f"BOX {count}", "sphere", (RADIUS,), places, np.eye(3), planes, 0.3, 0.0, step, until)


def stick(until: float = 1.0) -> Scene:
    """A block at rest on a slope."""
    c, s = np.cos(SLOPE), np.sin(SLOPE)
    R = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return Scene(
        "STICK", "box", (0.4, 0.4, 0.2), (R @ (0, 0, 0.1))[None], R, ((tuple(R[:, 2]), 0.0),), 0.5, 0.0, 1e-3, until
    )


def stack(until: float = 5.0) -> Scene:
    """Ten cubes on each other."""
    places = np.stack([np.zeros(10), np.zeros(10), 0.5 + np.arange(10)], axis=1)
    return Scene("STACK", "box", (1.0, 1.0, 1.0), places, np.eye(3), (((0, 0, 1), 0.0),), 0.5, 0.0, 1e-3, until)


def ball(step: float = 1e-3, until: float = 3.8) -> Scene:
    """A ball that bounces."""
    place = np.array([[0, 0, DROP + RADIUS]])
    return Scene("BALL", "sphere", (RADIUS,), place, np.eye(3), (((0, 0, 1), 0.0),), 0.0, RATIO, step, until)


def exact_impacts() -> np.ndarray:
    """Instants of the first impacts of BALL [s]."""
    first = np.sqrt(2 * DROP / GRAVITY)
    return first * (1 + 2 * np.concatenate([[0.0], np.cumsum(RATIO ** np.arange(1, IMPACTS))]))


def touchings(times: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """Instants of impacts: where the gap goes through zero, or the ball turns before it has."""
    gap, found, since = heights - RADIUS, [], 0
    for k in np.flatnonzero((np.diff(gap)[:-1] < 0.0) & (np.diff(gap)[1:] >= 0.0)) + 1:
        below = np.flatnonzero(gap[since : k + 1] <= 0.0)
        j = since + int(below[0]) if len(below) else 0
        crossed = (
            times[j - 1] + (times[j] - times[j - 1]) * gap[j - 1] / (gap[j - 1] - gap[j])
            if j and gap[j - 1] > 0.0
            else times[k]
        )
        found.append(crossed)
        since = int(k) + 1
    return np.array(found)


def worst_of_impacts(found: np.ndarray) -> float:
    """Largest error of the first impacts [s]; NaN where some are missing."""
    return float(np.abs(found[:IMPACTS] - exact_impacts()).max()) if len(found) >= IMPACTS else float("nan")


def penetration(scene: Scene, x: np.ndarray) -> float:
    """The deepest of spheres at x (n, 3) in planes and in each other [m]; measured in the same way for every engine."""
    r = scene.size[0]
    deepest = max(float((offset + r - x @ np.asarray(normal)).max()) for normal, offset in scene.planes)
    cells = np.floor(x / (2 * r)).astype(np.int64)
    cells -= cells.min(axis=0) - 1
    width = cells.max(axis=0) + 2
    keys = (cells[:, 0] * width[1] + cells[:, 1]) * width[2] + cells[:, 2]
    order = np.argsort(keys, kind="stable")
    ranked = keys[order]
    for a in (-1, 0, 1):
        for b in (-1, 0, 1):
            for c in (-1, 0, 1):
                wanted = keys + (a * width[1] + b) * width[2] + c
                low, high = np.searchsorted(ranked, wanted), np.searchsorted(ranked, wanted, side="right")
                for k in range(int((high - low).max(initial=0))):
                    i = np.flatnonzero(low + k < high)
                    j = order[low[i] + k]
                    i, j = i[j > i], j[j > i]
                    if len(i):
                        gap = np.sqrt(((x[i] - x[j]) ** 2).sum(axis=1)) - 2 * r
                        deepest = max(deepest, -float(gap.min()))
    return deepest
