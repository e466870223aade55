"""Rows of bodies from the elements of a mesh: its elements themselves, or their edges or faces, each once."""

from itertools import combinations
from typing import Any

import numpy as np

from vinculum.bodies import BodyGroup
from vinculum.errors import ModelError, shorten


def mesh_rows(where: str, mesh: Any, groups: tuple[BodyGroup, ...]) -> np.ndarray:
    """Rows (n, g) for a bond with g groups, from elements (m, k) that name the bodies at their k corners; triangles or tetrahedra for
    edges and faces."""
    elements = _read_elements(where, mesh)
    corners, count = elements.shape[1], len(groups)
    if count == corners:
        return elements
    if not (2 <= count < corners <= 4):
        raise ModelError(
            f"{where}: elements with {corners} corners have no parts for a bond with {count} group{'s' if count > 1 else ''}; give "
            f"elements with {count} corners, or triangles and tetrahedra for their edges and faces"
        )
    _check_one_group(where, groups)
    parts = np.concatenate([elements[:, list(part)] for part in combinations(range(corners), count)])
    return np.unique(np.sort(parts, axis=1), axis=0)


def _read_elements(where: str, mesh: Any) -> np.ndarray:
    given = getattr(mesh, "triangles", mesh)
    try:
        elements = np.asarray(given)
    except Exception as error:  # whatever an object says when it is asked for an array
        raise ModelError(f"{where}: mesh is no array, or its elements differ in their corners") from error
    if elements.ndim != 2 or elements.dtype.kind not in "iu" or not elements.size:
        raise ModelError(
            f"{where}: mesh is {shorten(given)}; give whole numbers with shape (m, k), the bodies at the k corners of m elements"
        )
    return elements


def _check_one_group(where: str, groups: tuple[BodyGroup, ...]) -> None:
    if any(group.bodies != groups[0].bodies for group in groups):
        raise ModelError(
            f"{where}: edges and faces of a mesh have no first corner, so all bodies of the bond must be one group, that of the corners"
        )
