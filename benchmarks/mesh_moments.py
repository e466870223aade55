"""Mass, center and inertia of a mesh of a million triangles: from arrays, with the check that it is closed, next to trimesh."""

import time

import numpy as np
from _cases import over, peer, report, sized

import vinculum as vc

trimesh = peer("trimesh")
ROWS = sized(708, 20)


def torus(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Corners and triangles of a torus with a wave on it, rows × rows squares."""
    u, v = np.meshgrid(*[2 * np.pi * np.arange(rows) / rows] * 2, indexing="ij")
    r = 0.3 + 0.02 * np.sin(7 * u + 3 * v)
    corners = np.stack([(1 + r * np.cos(v)) * np.cos(u), (1 + r * np.cos(v)) * np.sin(u), r * np.sin(v)], -1).reshape(
        -1, 3
    )
    i, j = (a.ravel() for a in np.meshgrid(np.arange(rows), np.arange(rows), indexing="ij"))
    a, b, c, d = (i % rows * rows + j % rows for i, j in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
    return corners, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def seconds(made, repeats: int = 3) -> tuple[float, object]:
    """The shortest of some times, and what was made."""
    best, found = np.inf, None
    for _ in range(repeats):
        began = time.perf_counter()
        found = made()
        best = min(best, time.perf_counter() - began)
    return best, found


def main() -> None:
    corners, triangles = torus(ROWS)
    whole, measure = seconds(lambda: vc.Measure.mesh(corners, triangles, density=1.0), sized(3, 1))
    shape = measure.parts[0].shape
    alone, _ = seconds(
        lambda: (vars(shape).pop("_moments", None), measure.mass, measure.center, measure.inertia), sized(3, 1)
    )
    theirs = None
    if trimesh is not None:
        theirs, found = seconds(
            lambda: (m := trimesh.Trimesh(corners, triangles, process=False), m.is_watertight, m.mass_properties)[2]
        )
        assert abs(found["volume"] - measure.mass) < 1e-9 * measure.mass
    report("mesh_moments", [
        {"what": f"{len(triangles)} triangles: closed, oriented, all moments [s]", "vinculum": whole, "trimesh": theirs,
         "ratio": over(theirs, whole)},
        {"what": f"{len(triangles)} triangles: mass, center and inertia alone [s]", "vinculum": alone, "trimesh": None, "ratio": None},
    ])  # fmt: skip


if __name__ == "__main__":
    main()
