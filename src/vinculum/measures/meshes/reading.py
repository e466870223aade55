"""Triangles from files."""

from os import PathLike
from pathlib import Path

import numpy as np

from vinculum.errors import FileError, ModelError, shorten
from vinculum.screws.entries import entries

FORMATS = (".stl", ".obj", ".ply")


def read_triangles(path) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) and triangles (t, 3) of an STL, OBJ or PLY file, in the units of the file."""
    if not isinstance(path, (str, PathLike)) or "\0" in str(path):
        raise FileError(f"mesh: {shorten(path)} is no path; give that of a file, or corners and triangles")
    file = Path(path)
    if file.suffix.lower() not in FORMATS:
        raise FileError(f"mesh: {shorten(str(path))} is none of {', '.join(FORMATS)}; convert it to one of them")
    if not file.is_file():
        raise FileError(f"mesh: there is no file {shorten(str(path))}; check the path")
    import trimesh

    try:
        found = trimesh.load_mesh(file, process=False)
        corners, triangles = np.asarray(found.vertices, dtype=float), np.asarray(found.faces, dtype=np.int64)
    except Exception as error:
        raise FileError(
            f"mesh: {shorten(str(path))} cannot be read: {type(error).__name__}: {shorten(str(error))}; is it complete?"
        ) from error
    if not len(triangles):
        raise FileError(f"mesh: {shorten(str(path))} has no triangles; export its surface as triangles")
    return corners, triangles


def check_simplices(what: str, corners, cells, per_cell: int) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) and cells (t, per_cell) that name them, as read-only arrays."""
    points = np.array(_rows(what, corners))
    bad = np.flatnonzero(~np.isfinite(points).all(1))
    if len(bad):
        k = int(bad[0])
        raise ModelError(
            f"{what}: corner {k} is {points[k].tolist()} ({len(bad)} of {len(points)} corners are not finite); mend the "
            "file or the computation that made it"
        )
    numbers = np.asarray(cells)
    if numbers.ndim != 2 or numbers.shape[1] != per_cell or not len(numbers) or numbers.dtype.kind not in "iu":
        raise ModelError(
            f"{what}: cells {shorten(cells)} must be whole numbers of shape (t, {per_cell}), t ≥ 1, which name corners"
        )
    out = np.any((numbers < 0) | (numbers >= len(points)), axis=1)
    if out.any():
        t = int(np.argmax(out))
        raise ModelError(
            f"{what}: cell {t} is {numbers[t].tolist()}, but there are corners 0 to {len(points) - 1}; count corners from 0"
        )
    numbers = numbers.astype(np.int64)
    points.flags.writeable = numbers.flags.writeable = False
    return points, numbers


def _rows(what: str, corners) -> np.ndarray:
    try:
        points = np.asarray(corners, dtype=float)
    except Exception:
        points = entries(f"{what}: corners", corners)
    if points.ndim != 2 or points.shape[1] != 3 or points.dtype != float:
        raise ModelError(f"{what}: corners {shorten(corners)} must be numbers of shape (n, 3) [m]")
    return points
