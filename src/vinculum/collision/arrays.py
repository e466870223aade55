"""The arrays of collision detection, by name. Compiled loops unpack these tuples without cost."""

from typing import NamedTuple

import numpy as np


class Shapes(NamedTuple):
    """Shapes where they stand; the moving ones come first."""

    center: np.ndarray
    """Centers in the world (n, 3) [m]; of a plane, a point of it."""
    turn: np.ndarray
    """Axes in the world as columns (n, 3, 3)."""
    kind: np.ndarray
    """Kinds (n,), as in `broad_phase`."""
    size: np.ndarray
    """Lengths (n, 3) [m], the normal of a plane, or the number of a polytope or surface."""
    reach: np.ndarray
    """Radii of bounding spheres (n,) [m]."""


class Pairs(NamedTuple):
    """Pairs of shapes that are near each other."""

    first: np.ndarray
    second: np.ndarray
    start: np.ndarray
    """Where the contacts of each pair begin."""
    counts: np.ndarray
    """How many contacts each pair has."""


class Grid(NamedTuple):
    """A hashed grid of cells, and lists of the shapes in each."""

    head: np.ndarray
    """First shapes of the buckets, a power of two of them."""
    following: np.ndarray
    """Next shapes in the same buckets (n,)."""
    cells: np.ndarray
    """Cells and levels of the shapes (n, 4)."""


class Contacts(NamedTuple):
    """Contacts, a row each. The normal points from the second shape to the first."""

    who: np.ndarray
    """Both shapes (cap, 2)."""
    frame: np.ndarray
    """Normal and two tangents as rows (cap, 3, 3)."""
    place: np.ndarray
    """Places in the world, in the middle of the gaps (cap, 3) [m]."""
    gap: np.ndarray
    """Gaps, negative in penetration (cap,) [m]."""


class Approach(NamedTuple):
    """How far apart shapes may be to be looked at."""

    velocity: np.ndarray
    """Velocities of the centers in the first columns (n, 8) [m/s]."""
    margin: float
    """The least of such distances [m]."""
    step: float
    """The time within which shapes may meet [s]."""


class Solids(NamedTuple):
    """Corners and faces of convex polytopes, one solid after the other."""

    points: np.ndarray
    point_of: np.ndarray
    """Where the points of each solid begin."""
    normals: np.ndarray
    """Outward normals of the faces."""
    face_of: np.ndarray
    """Where the faces of each solid begin."""
    loops: np.ndarray
    """Corners of the faces, counterclockwise from outside."""
    loop_of: np.ndarray
    """Where the loop of each face begins."""


class Surfaces(NamedTuple):
    """Triangles of surfaces, one surface after the other, and trees of boxes around them."""

    corners: np.ndarray
    triangles: np.ndarray
    normals: np.ndarray
    sharp: np.ndarray
    """Which triangles have edges to be hit."""
    rings: np.ndarray
    """Neighbors of the corners."""
    ring_of: np.ndarray
    """Where the neighbors of each corner begin."""
    bounds: np.ndarray
    """Boxes of the nodes."""
    nodes: np.ndarray
    order: np.ndarray
    """Triangles leaf by leaf."""
    roots: np.ndarray
    """First node of each surface."""


class Workspace(NamedTuple):
    """Where the narrow phase of shapes of all kinds works on one pair; see `workspace_of`."""

    first: np.ndarray
    """The core of the first shape."""
    second: np.ndarray
    simplex: np.ndarray
    vectors: np.ndarray
    """Direction and nearest points, those of a second attempt, one a row."""
    ties: np.ndarray
    """Directions across which a normal is constrained, and a trial direction."""
    axes: np.ndarray
    """Axes and origin of a face."""
    ring: np.ndarray
    """Corners of a face."""
    part: np.ndarray
    """Corners of what faces it."""
    room: np.ndarray
    """Corners of what both have in common."""
    other: np.ndarray


class Witness(NamedTuple):
    """A unit direction and the nearest points of two cores along it, (3,) each."""

    n: np.ndarray
    a: np.ndarray
    b: np.ndarray


class Polyhedra(NamedTuple):
    """Solids and surfaces of a pool, and the array for work on pairs of solids."""

    solids: Solids
    workspace: np.ndarray
    surfaces: Surfaces
