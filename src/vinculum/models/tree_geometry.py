"""The geometry of a tree: solids, mass centers, joints, springs, constraints and walls, with the parameters of a run."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from vinculum.bodies import GROUND, Body
from vinculum.bodies.body import second_moment
from vinculum.bodies.shape_pose import center_pose, shape_pose
from vinculum.bonds import end_name
from vinculum.bonds.joints import Joint
from vinculum.bonds.joints.kind import JointKind
from vinculum.bonds.symbol import Symbol
from vinculum.bonds.unilaterals.surfaces import HeightField, Mesh
from vinculum.bonds.unilaterals.walls import FixedSolid
from vinculum.measures.meshes.coarsening import coarsen
from vinculum.measures.meshes.polyhedron import Polyhedron
from vinculum.measures.meshes.polytope import Polytope
from vinculum.measures.meshes.tetrahedra import Tetrahedra
from vinculum.measures.parts import Atoms
from vinculum.measures.solids.elementary import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from vinculum.models.geometry import Facets, Geometry, Mark
from vinculum.models.model import Model
from vinculum.scalars import value
from vinculum.screws import Pose, rotation_onto
from vinculum.systems import Tree
from vinculum.systems.contacts import is_same_wall
from vinculum.systems.loops import child_name, parent_name
from vinculum.tolerances.shapes import FREE_DIRECTION

SIZES: dict[type, tuple[str, Any]] = {
    Sphere: ("ball", lambda s: [s.radius]),
    Box: ("box", lambda s: list(s.size)),
    Cylinder: ("cylinder", lambda s: [s.radius, s.length]),
    Capsule: ("capsule", lambda s: [s.radius, s.length]),
    Cone: ("cone", lambda s: [s.radius, s.height]),
    Ellipsoid: ("ellipsoid", lambda s: list(s.semiaxes)),
}
"""Kind and sizes of the mark of every solid that has no corners."""
JOINTS = {(0, 0, 0): "weld", (1, 0, 1): "hinge", (0, 1, 1): "slider", (1, 1, 1): "screw", (1, 1, 2): "cylindrical",
          (2, 0, 2): "universal", (3, 0, 3): "ball joint", (1, 2, 3): "planar"}  # fmt: skip
"""Symbols of joints by the numbers of their axes of rotation, of translation, and of their velocities."""
SLIDING = ("slider", "cylindrical")
"""Joints that slide along an axis; with a spring along it they are "sprung"."""


def geometry_at(model: Model, values: Mapping[str, float]) -> Geometry | None:
    """The geometry of a model with these parameters; of a loaded run the stored one, None if there is none."""
    return model.geometry if model.tree is None else _Drawer(dict(values)).geometry(model.tree)


class _Drawer:
    """Marks of a tree; ``values``: its parameters."""

    def __init__(self, values: Mapping[str, float]):
        self._values, self._marks = values, list[Mark]()
        self._surfaces: dict[int, tuple[int, Facets]] = {}
        self._symbols: dict[int, tuple[JointKind, str, Pose]] = {}

    def geometry(self, tree: Tree) -> Geometry:
        for link in tree.links:
            self._body(link.body)
        for joint in [*(link.joint for link in tree.links), *(one.joint for one in tree.closures)]:
            self._joint(joint)
        for acting in tree.actions:
            ends = [end_name(end) for end in acting.action.ends]
            self._symbol(acting.action.name, ends, acting.action.law.symbol())
        for one in tree.constraints:
            self._symbol(one.constraint.name, list(one.constraint.names), one.constraint.symbol)
        for wall in _walls(tree):
            self._wall(wall)
        gravity = self._numbers(tree.gravity)
        return Geometry(gravity, self._marks, [facets for _, facets in self._surfaces.values()])

    def _numbers(self, given) -> list[float]:
        """Numbers with the parameters of the run; what is not finite there is drawn at zero."""
        known = isinstance(given, np.ndarray) and given.dtype == np.float64
        numbers = np.ravel(given if known else value(given, self._values))
        if not np.all(np.isfinite(numbers)):
            numbers = np.nan_to_num(numbers, posinf=0.0, neginf=0.0)
        return numbers.astype(float).tolist()

    def _mark(self, kind: str, name: str, on: Sequence[str], poses: Sequence[Pose], sizes: Any = (), facets=None):
        points, axes = [self._numbers(X.p) for X in poses], [self._numbers(X.R) for X in poses]
        number = [] if facets is None else [self._surface(*facets)]
        lengths = self._numbers(list(sizes)) if len(sizes) else []
        self._marks.append(Mark(kind, name, list(on), points, axes, lengths, number))

    def _surface(self, thing: Any, corners, triangles) -> int:
        """The number of a surface; things that several bodies share have one."""
        if id(thing) not in self._surfaces:
            facets = Facets(np.asarray(corners, dtype=float).tolist(), np.asarray(triangles).tolist())
            self._surfaces[id(thing)] = (len(self._surfaces), facets)
        return self._surfaces[id(thing)][0]

    def _body(self, body: Body) -> None:
        shape, name = getattr(body, "shape", None), body.name
        if shape is not None:
            self._solid(name, shape, shape_pose(body))
        elif body.measure is not None:
            for part in body.measure.parts:
                look = part.drawn
                if look is not None and look.shape is not None:
                    self._solid(name, look.shape, center_pose(look.X, look.shape))
                elif look is not None and look.facets is not None:
                    self._mark("mesh", name, [name], [look.X], facets=(part, *coarsen(*look.facets)))
                elif isinstance(part, Atoms) and body.turns:
                    for point in part.points:
                        self._mark("atom", name, [name], [Pose(point)])
        mass = float(value(body.mass, self._values))
        axes, edges = np.eye(3), np.zeros(3)
        if body.turns and mass > 0.0:
            S = np.reshape(self._numbers(second_moment(body)), (3, 3))
            squares, axes = np.linalg.eigh(0.5 * (S + S.T))
            axes = axes * np.sign(np.linalg.det(axes))
            edges = np.sqrt(np.maximum(12.0 / mass * squares, 0.0))
        self._mark("body", name, [name], [Pose.of(axes, body.center)], [mass, *edges])

    def _solid(self, name: str, shape: Any, X: Pose) -> None:
        if type(shape) in SIZES:
            kind, sizes = SIZES[type(shape)]
            self._mark(kind, name, [name], [X], sizes(shape))
        elif isinstance(shape, Polytope):
            triangles = [(loop[0], a, b) for loop in shape.faces for a, b in pairwise(loop[1:])]
            self._mark("mesh", name, [name], [X], facets=(shape, shape.corners - shape.center, triangles))
        elif isinstance(shape, Polyhedron):
            self._mark("mesh", name, [name], [X], facets=(shape, *coarsen(shape.corners, shape.triangles)))
        elif isinstance(shape, Tetrahedra):
            self._mark("mesh", name, [name], [X], facets=(shape, *coarsen(shape.corners, shape.surface)))

    def _joint(self, joint: Joint) -> None:
        kind = joint.kind
        if kind.path is not None:
            self._mark("prescribed", child_name(joint), [child_name(joint)], [joint.to])
            return
        symbol, tilt = self._symbol_of(kind)
        if symbol in SLIDING and self._has_spring(joint):
            symbol = f"sprung {symbol}"
        ends = [(parent_name(joint), joint.at), (child_name(joint), joint.to)]
        self._mark(symbol, joint.name, [n for n, _ in ends], [X @ kind.alignment @ tilt for _, X in ends])

    def _symbol_of(self, kind: JointKind) -> tuple[str, Pose]:
        """The symbol of a kind of joint, and the pose of its axis; joints of one kind share them."""
        if id(kind) not in self._symbols:
            S = np.asarray(value(kind.subspace(kind.coordinates.identity), self._values), dtype=float).reshape(6, -1)
            turning, shifting = _rank(S[3:]), _rank(S[:3])
            symbol = JOINTS.get((turning, shifting, S.shape[1]))
            if symbol is None:
                symbol = "ball joint" if shifting == 0 else "free"
            direction = S[3:, 0] if turning == 1 and shifting == 0 else S[:3, 0] if shifting == 1 else np.eye(3)[2]
            tilt = Pose.of(rotation_onto(np.eye(3)[2], direction / (np.linalg.norm(direction) or 1.0)), np.zeros(3))
            self._symbols[id(kind)] = kind, symbol, tilt
        return self._symbols[id(kind)][1:]

    def _has_spring(self, joint: Joint) -> bool:
        """Whether a spring acts along a joint."""
        along = joint.kind.coordinates.v_units.index("m/s")
        return float(value(np.asarray(joint.stiffness)[along], self._values)) != 0.0

    def _symbol(self, name: str, on: list[str], symbol: Symbol | None) -> None:
        if symbol is None:
            return
        poses = [
            Pose.of(rotation_onto(np.eye(3)[2], np.array(self._numbers(axis))), point)
            for point, axis in zip(symbol.points, symbol.axes, strict=False)
        ]
        if symbol.corners is None:
            self._mark(symbol.kind, name, on[: len(poses)], poses, symbol.sizes)
            return
        facets = _hull(symbol.corners(self._values))
        if facets is not None:
            self._mark("mesh", name, on[: len(poses)], poses, facets=(symbol.corners, *facets))

    def _wall(self, wall: Any) -> None:
        if isinstance(wall, FixedSolid):
            center = wall.pose @ Pose(wall.shape.center) if isinstance(wall.shape, Polytope) else wall.pose
            self._solid(GROUND, wall.shape, center)
        elif isinstance(wall, (Mesh, HeightField)):
            self._mark("mesh", GROUND, [GROUND], [Pose()], facets=(wall, *wall.placed))
        else:
            X = Pose.of(rotation_onto(np.eye(3)[2], wall.normal), wall.offset * wall.normal)
            self._mark("plane", GROUND, [GROUND], [X])


def _hull(points: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Corners and triangles of the convex hull of points, counterclockwise from outside; None for points in a plane or without end."""
    from scipy.spatial import ConvexHull, QhullError

    if not np.all(np.isfinite(points)):
        return None
    try:
        hull = ConvexHull(points)
    except QhullError:
        return None
    a, b, c = (points[hull.simplices[:, k]] for k in range(3))
    inward = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(1) < 0.0
    return points, np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)


def _rank(directions: np.ndarray) -> int:
    if not directions.size:
        return 0
    return int(np.sum(np.linalg.svd(directions, compute_uv=False) > FREE_DIRECTION))


def _walls(tree: Tree) -> list:
    found: list = []
    for contact in tree.contacts if tree.contact is None else (tree.contact,):
        found += [wall for wall in contact.walls if not any(is_same_wall(wall, other) for other in found)]
    return found
