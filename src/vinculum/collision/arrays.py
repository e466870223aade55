"""The arrays of collision detection, by name. Compiled loops unpack these tuples without cost."""

from typing import NamedTuple

import numpy as np


class Shapes(NamedTuple):
    """Shapes at their present positions; the moving ones come first."""

    center: np.ndarray
    """Centers in the world (n, 3) [m]; for a plane, one of its points."""
    turn: np.ndarray
    """Axes in the world as columns (n, 3, 3); of shapes that deform they need not be orthonormal."""
    kind: np.ndarray
    """Kinds (n,), as in `broad_phase`."""
    size: np.ndarray
    """Lengths (n, 3) [m], the normal of a plane, or the number of a polytope or surface."""
    reach: np.ndarray
    """Radii of bounding spheres (n,) [m]."""


class Pairs(NamedTuple):
    """Pairs of shapes near each other."""

    first: np.ndarray
    second: np.ndarray
    start: np.ndarray
    """Index of the first contact of each pair."""
    counts: np.ndarray
    """Number of contacts of each pair."""


class Grid(NamedTuple):
    """A hashed grid of cells, and linked lists of the shapes in each cell."""

    head: np.ndarray
    """First shapes of the buckets; their number is a power of two."""
    following: np.ndarray
    """Next shapes in the same buckets (n,)."""
    cells: np.ndarray
    """Cells and levels of the shapes (n, 4)."""


class Contacts(NamedTuple):
    """Contacts, one per row. The normal points from the second shape to the first."""

    who: np.ndarray
    """Both shapes (cap, 2)."""
    frame: np.ndarray
    """Normal and two tangents as rows (cap, 3, 3)."""
    place: np.ndarray
    """Positions in the world, in the middle of the gaps (cap, 3) [m]."""
    gap: np.ndarray
    """Gaps, negative in penetration (cap,) [m]."""


class Approach(NamedTuple):
    """Largest distance at which pairs of shapes are checked."""

    velocity: np.ndarray
    """Velocities of the centers in the first columns (n, 8) [m/s]."""
    margin: float
    """Its smallest value [m]."""
    step: float
    """The time within which shapes may collide [s]."""


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
    """Triangles of surfaces, one surface after the other, and their trees of bounding boxes."""

    corners: np.ndarray
    triangles: np.ndarray
    normals: np.ndarray
    sharp: np.ndarray
    """Which triangles have edges that can be hit."""
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
    stack: np.ndarray
    """Nodes that are still to be looked at: scratch of a search."""


class Workspace(NamedTuple):
    """Scratch of the general narrow phase for one pair; see `workspace_of`."""

    first: np.ndarray
    """The core of the first shape."""
    second: np.ndarray
    simplex: np.ndarray
    vectors: np.ndarray
    """Direction and nearest points, and those of a second attempt, one per row."""
    ties: np.ndarray
    """Directions to which the normal is constrained to be perpendicular, and a trial direction."""
    axes: np.ndarray
    """Axes and origin of a face."""
    ring: np.ndarray
    """Corners of a face."""
    part: np.ndarray
    """Corners of the opposite face."""
    room: np.ndarray
    """Corners of the overlap of both."""
    other: np.ndarray


class Witness(NamedTuple):
    """A unit direction and the nearest points of two cores along it, (3,) each."""

    n: np.ndarray
    a: np.ndarray
    b: np.ndarray


class Polyhedra(NamedTuple):
    """Solids and surfaces of a pool, and the work array for pairs of solids."""

    solids: Solids
    workspace: np.ndarray
    surfaces: Surfaces
