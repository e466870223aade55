"""Closed surfaces of triangles: open edges, orientation, and bodies with cavities."""

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.meshes.winding import winding_numbers
from vinculum.tolerances.sizes import EDGES_SHOWN, MOST_SHELLS

OPEN = "a solid needs a closed surface: fill the hole there (in a CAD program, or with trimesh.repair), or give it no inside with "


def close_surface(corners: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """The triangles of a closed surface, counterclockwise from outside.

    Corners that coincide are merged if edges are open without it, triangles that face the other way than their neighbors are
    turned, and a surface that is inside out as a whole is turned too. Open edges, surfaces with one side only and shells that
    cover the same space twice are refused.
    """
    if is_oriented(triangles, len(corners)):
        return _turn_shells(corners, triangles, sides_are_given=True)
    triangles = merge_corners(corners, triangles)
    if is_oriented(triangles, len(corners)):
        return _turn_shells(corners, triangles, sides_are_given=True)
    _refuse_open_edges(corners, triangles)
    return _turn_shells(corners, _agree(corners, triangles), sides_are_given=False)


def is_oriented(triangles: np.ndarray, count: int) -> bool:
    """Whether every edge is passed as often in one direction as in the other: the boundary of the surface is zero."""
    a, b = _edges(triangles)
    return np.array_equal(np.sort(a * count + b), np.sort(b * count + a))


def merge_corners(corners: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """The triangles with one corner for each position, the first of those that coincide; triangles without area are left out."""
    plain = corners + 0.0  # −0 is 0
    order = np.lexsort(plain.T)
    new = np.any(plain[order][1:] != plain[order][:-1], axis=1)
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.concatenate([[0], np.cumsum(new)])
    first = np.full(group.max() + 1, len(order))
    np.minimum.at(first, group, np.arange(len(order)))
    named = first[group][triangles]
    a, b, c = named.T
    return named[(a != b) & (b != c) & (c != a)]


def _edges(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return triangles.ravel(), triangles[:, [1, 2, 0]].ravel()


def _edge_counts(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges (e, 2), the edge of each side (3 t,), and how many triangles each has (e,)."""
    a, b = _edges(triangles)
    low, high = np.minimum(a, b), np.maximum(a, b)
    size = int(high.max()) + 1
    keys, which, counts = np.unique(low * size + high, return_inverse=True, return_counts=True)
    return np.stack([keys // size, keys % size], axis=1), which.reshape(-1), counts


def _refuse_open_edges(corners: np.ndarray, triangles: np.ndarray) -> None:
    if not len(triangles):
        raise ModelError(
            "mesh: every triangle has two corners at one position, so there is no surface; check its units"
        )
    edges, _, counts = _edge_counts(triangles)
    bad = np.flatnonzero(counts % 2)
    if not len(bad):
        return
    named = "; ".join(
        f"({a}, {b}) from {corners[a].tolist()} to {corners[b].tolist()}" for a, b in edges[bad[:EDGES_SHOWN]].tolist()
    )
    more = f" and {len(bad) - EDGES_SHOWN} more" if len(bad) > EDGES_SHOWN else ""
    raise ModelError(
        f"mesh: it is not watertight: {len(bad)} edges have an odd number of triangles, between the corners {named}{more}; "
        + OPEN
        + "vc.Measure.surface"
    )


def _agree(corners: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """The triangles with neighbors that agree about the outer side.

    Each triangle is two nodes of a graph, as it is and turned. Neighbors that pass their edge in opposite directions are joined as
    they are, others crosswise; a triangle that is connected with its own turned form has no outer side.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    edges, which, counts = _edge_counts(triangles)
    many = np.flatnonzero(counts > 2)
    if len(many):
        a, b = edges[many[0]].tolist()
        raise ModelError(
            f"mesh: {counts[many[0]]} triangles meet at the edge ({a}, {b}) from {corners[a].tolist()} to {corners[b].tolist()}, and "
            "they disagree about the outer side; divide the mesh there into separate solids"
        )
    a, _ = _edges(triangles)
    sides = np.argsort(which, kind="stable").reshape(-1, 2)
    one, other = sides[:, 0] // 3, sides[:, 1] // 3
    same = a[sides[:, 0]] == a[sides[:, 1]]
    count = len(triangles)
    rows = np.concatenate([one, one + count])
    columns = np.concatenate([np.where(same, other + count, other), np.where(same, other, other + count)])
    graph = coo_matrix((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(2 * count, 2 * count))
    _, parts = connected_components(graph, directed=False)
    stuck = np.flatnonzero(parts[:count] == parts[count:])
    if len(stuck):
        t = int(stuck[0])
        raise ModelError(
            f"mesh: the surface at triangle {t}, {triangles[t].tolist()}, has one side only, as Möbius's strip, so it has no inside; "
            "mend the triangles there"
        )
    turned = parts[:count] > parts[count:]
    return np.where(turned[:, None], triangles[:, ::-1], triangles)


def _turn_shells(corners: np.ndarray, triangles: np.ndarray, sides_are_given: bool) -> np.ndarray:
    """The triangles with every shell counterclockwise from outside, or from inside if it bounds a cavity.

    ``sides_are_given``: the shells agree with each other as they are, up to a turn of all of them; what covers space twice is refused.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    a, b = _edges(triangles)
    once = a < b  # of the two passes of an edge
    graph = coo_matrix((np.ones(int(once.sum()), dtype=np.int8), (a[once], b[once])), shape=(len(corners),) * 2)
    _, parts = connected_components(graph, directed=False)
    part, volumes = parts[triangles[:, 0]], signed_volumes(corners, triangles)
    if (part == part[0]).all():
        return triangles if volumes.sum() >= 0.0 else triangles[:, ::-1]
    shells, shell = np.unique(part, return_inverse=True)
    if len(shells) > MOST_SHELLS:
        raise ModelError(
            f"mesh: it has {len(shells)} separate shells, more than {MOST_SHELLS}; join them, or add up the measures of its parts"
        )
    faces_inward = np.bincount(shell, volumes) < 0.0
    is_cavity = _depths(corners, triangles, shell, faces_inward) % 2 == 1
    wrong = faces_inward != is_cavity
    if sides_are_given and wrong.any() and not wrong.all():
        k = int(np.argmax(wrong))
        t = int(np.argmax(shell == k))
        place = (
            "inside another one and faces outward, so that its space would count twice"
            if is_cavity[k]
            else "in no other one but faces inward"
        )
        raise ModelError(
            f"mesh: the shell of triangle {t}, {triangles[t].tolist()}, is {place}; turn its triangles over, or leave it out"
        )
    return np.where(wrong[shell][:, None], triangles[:, ::-1], triangles)


def _depths(corners: np.ndarray, triangles: np.ndarray, shell: np.ndarray, faces_inward: np.ndarray) -> np.ndarray:
    """In how many other shells each shell is, (s,)."""
    found = np.zeros(len(faces_inward), dtype=int)
    starts = corners[[triangles[np.argmax(shell == k), 0] for k in range(len(faces_inward))]]
    for k, inward in enumerate(faces_inward):
        around = np.rint(winding_numbers(corners, triangles[shell == k], starts)).astype(int)
        around[k] = 0
        found += -around if inward else around
    return found


def signed_volumes(corners: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Volumes (t,) of the tetrahedra from the mean of the triangles' corners to each triangle."""
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    middle = a.mean(0)
    return np.einsum("ti,ti->t", a - middle, np.cross(b - middle, c - middle)) / 6.0
