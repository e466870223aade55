"""Parts and lines of a scene from the geometry of a model: solids, links, joints, springs, blades, walls."""

from collections.abc import Callable, Collection
from typing import final

import numpy as np

from vinculum.bodies import GROUND
from vinculum.models.geometry import Geometry, Mark
from vinculum.models.layout import Layout
from vinculum.screws import Pose, rotation_onto
from vinculum.show.drawing import meshes
from vinculum.show.scene import GROUND_BODY, Line, Mesh, Part, Poses

Z = np.array([0.0, 0.0, 1.0])
SOLIDS = ("ball", "box", "cylinder", "capsule", "cone", "ellipsoid", "disc", "mesh", "atom")
LINES = {"spring": lambda _: meshes.coil(), "damper": lambda _: meshes.damper(), "rod": meshes.cylinder}
SLENDER, WOUND = 0.2, 0.04
"""The radius of a spring, damper or rod is at most this part of its greatest length, so that short ones hide nothing; that of a spring at
least the second part, so that the turns of a long one are seen."""
SHAPES = {
    "ball": meshes.ball,
    "cylinder": meshes.cylinder,
    "cone": meshes.cone,
    "box": lambda _: meshes.box(),
    "plane": lambda _: meshes.plane(),
}
MANY = 600
"""Things to draw; beyond it round ones are coarser."""
JOINT_TINT, WALL_TINT, LINE_TINT = -1, -2, -3
THIN, JOINT, MASS = 0.008, 0.018, 0.026
"""Radii of rods, joints and balls, relative to the size of the system."""
STRAIGHT = 0.05
"""A mass center this near to the line between two joints, relative to their distance, lies on it."""


def plain_geometry(layout: Layout) -> Geometry:
    """The geometry of a run that was stored without one: its bodies as balls, joined as the joints join them."""
    eye = np.eye(3).ravel().tolist()
    origin = [0.0, 0.0, 0.0]
    marks = [Mark("body", name, [name], [origin], [eye], [1.0, 0.0, 0.0, 0.0]) for name in layout.bodies]
    marks += [Mark("ball joint" if entry.parent in layout.bodies else "free", name, [entry.parent, entry.child],
                   [origin, origin], [eye, eye]) for name, entry in layout.joints.items()]  # fmt: skip
    return Geometry([0.0, 0.0, 0.0], marks)


@final
class Builder:
    """Parts and lines of a geometry; ``size`` [m] is that of the system, ``poses`` its motion."""

    def __init__(self, geometry: Geometry, bodies: tuple[str, ...], poses: Poses, size: float):
        self._number = {name: i for i, name in enumerate(bodies)}
        self._poses, self._size = poses, size
        self._geometry, self._marks = geometry, geometry.marks
        self._thickness = _thicknesses(geometry)
        self._meshes: dict[str, int] = {}
        self._kept: list[Mesh] = []
        self.parts: list[Part] = []
        self.lines: list[Line] = []

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        return tuple(self._kept)

    def build(self) -> None:
        """Make all parts and lines."""
        solid = {mark.on[0] for mark in self._marks if mark.kind in SOLIDS}
        ends, joined = self._ends(), self._ends(LINES)
        masses = [mark.sizes[0] for mark in self._marks if mark.kind == "body"]
        heaviest = max(masses, default=1.0) or 1.0
        for mark in self._marks:
            if mark.kind in SOLIDS:
                self._solid(mark)
            elif mark.kind == "plane":
                self._plane(mark)
            elif mark.kind in LINES:
                self._line(mark)
            elif mark.kind == "blade":
                self._blade(mark)
            elif mark.kind == "body" and mark.name not in solid:
                self._link(mark, ends.get(mark.name, []), heaviest, len(masses))
            elif mark.kind == "body" and mark.name in joined:
                self._threads(mark, joined[mark.name])
            elif len(mark.on) == 2:
                self._joint(mark)
            elif mark.kind in ("guided point", "prescribed"):
                self._put("ball", mark, 0, 1.2 * JOINT * self._size * np.ones(3), "joint", JOINT_TINT)

    def _ends(self, without: Collection[str] = ()) -> dict[str, list[np.ndarray]]:
        """Places of joints and of ends of rods and springs on every body, in its frame; ``without``: kinds that do not count."""
        found: dict[str, list[np.ndarray]] = {}
        for mark in self._marks:
            if mark.kind in SOLIDS or mark.kind in ("body", "plane", "free", *without):
                continue
            for name, point in zip(mark.on, mark.points, strict=True):
                found.setdefault(name, []).append(np.array(point))
        return found

    def _mesh(self, key: str, make: Callable[[int], Mesh]) -> int:
        """The number of a mesh, which ``make`` makes with so many corners of a circle."""
        if key not in self._meshes:
            self._meshes[key] = len(self._kept)
            self._kept.append(make(meshes.FINE if len(self._marks) <= MANY else meshes.COARSE))
        return self._meshes[key]

    def _body(self, name: str) -> int:
        return self._number.get(name, GROUND_BODY)

    def _put(
        self, shape: str, mark: Mark, end: int, scale, role: str, tint: int | None = None, placed: Pose | None = None
    ) -> None:
        """A unit shape at one end of a mark, stretched; ``placed``: its pose in the axes of the mark."""
        body = self._body(mark.on[end])
        R, p = np.reshape(mark.axes[end], (3, 3)), np.array(mark.points[end])
        if placed is not None:
            R, p = R @ placed.R, p + R @ placed.p
        mesh = self._mesh(shape, SHAPES[shape])
        own = (WALL_TINT if body == GROUND_BODY else body) if tint is None else tint
        role = "wall" if body == GROUND_BODY and role == "solid" else role
        self.parts.append(Part(mesh, body, p, R, np.asarray(scale, dtype=float), role, mark.name, own))

    def _solid(self, mark: Mark) -> None:
        a, b, c = (*mark.sizes, 0.0, 0.0, 0.0)[:3]
        if mark.kind == "ball":
            self._put("ball", mark, 0, [a, a, a], "solid")
        elif mark.kind == "ellipsoid":
            self._put("ball", mark, 0, [a, b, c], "solid")
        elif mark.kind == "box":
            self._put("box", mark, 0, [a, b, c], "solid")
        elif mark.kind in ("cylinder", "cone"):
            self._put(mark.kind, mark, 0, [a, a, b], "solid")
        elif mark.kind == "disc":
            self._put("cylinder", mark, 0, [a, a, 0.06 * a], "solid")
            self._put("box", mark, 0, [1.7 * a, 0.08 * a, 0.075 * a], "solid", JOINT_TINT)
        elif mark.kind == "atom":
            self._put("ball", mark, 0, MASS * self._size * np.ones(3), "mass")
        elif mark.kind == "capsule":
            self._own(
                mark,
                f"capsule {b / a if a else 0.0:.6g}",
                lambda around: meshes.capsule(b / a if a else 0.0, around),
                a,
            )
        else:
            facets = self._geometry.surfaces[mark.facets[0]]
            corners, triangles = (
                np.array(facets.corners, dtype=float).reshape(-1, 3),
                np.array(facets.triangles).reshape(-1, 3),
            )
            smooth = mark.on[0] not in self._number
            self._own(
                mark,
                f"surface {mark.facets[0]}",
                lambda _: Mesh(corners, triangles) if smooth else Mesh(corners, triangles).flat(),
                1.0,
            )

    def _own(self, mark: Mark, key: str, make: Callable[[int], Mesh], scale: float) -> None:
        """A mesh of the mark's own."""
        body = self._body(mark.on[0])
        tint, role = (WALL_TINT, "wall") if body == GROUND_BODY else (body, "solid")
        R = np.reshape(mark.axes[0], (3, 3))
        self.parts.append(
            Part(self._mesh(key, make), body, np.array(mark.points[0]), R, scale * np.ones(3), role, mark.name, tint)
        )

    def _plane(self, mark: Mark) -> None:
        """A half-space or plane: a square under the middle of what moves."""
        R, p = np.reshape(mark.axes[0], (3, 3)), np.array(mark.points[0])
        flat = self._poses.positions.reshape(-1, 3)
        low, high = (flat.min(axis=0), flat.max(axis=0)) if len(flat) else (p, p)
        middle = 0.5 * (low + high)
        place = middle - ((middle - p) @ R[:, 2]) * R[:, 2]
        width = 2.2 * max(float(np.linalg.norm(high - low)), self._size)
        mesh = self._mesh("plane", SHAPES["plane"])
        self.parts.append(Part(mesh, GROUND_BODY, place, R, np.array([width, width, 1.0]), "wall", "plane", WALL_TINT))

    def _line(self, mark: Mark) -> None:
        ends = (self._body(mark.on[0]), self._body(mark.on[1]))
        points = (np.array(mark.points[0]), np.array(mark.points[1]))
        a, b = (self._poses.points(body, point) for body, point in zip(ends, points, strict=True))
        longest = float(np.linalg.norm(a - b, axis=-1).max(initial=0.0))
        self.lines.append(
            Line(
                self._mesh(mark.kind, LINES[mark.kind]),
                ends,
                points,
                self._line_radius(mark.kind, longest),
                mark.kind,
                mark.name,
            )
        )

    def _line_radius(self, kind: str, longest: float) -> float:
        """The radius of a spring, damper or rod with this greatest length."""
        usual = self._size * (0.5 * THIN if kind == "rod" else 1.6 * JOINT)
        least = WOUND * longest if kind == "spring" else 0.0
        return min(max(usual, least), SLENDER * longest) if longest > 0.0 else usual

    def _blade(self, mark: Mark) -> None:
        """A thin plate whose axis is across it."""
        self._put("box", mark, 0, self._size * np.array([0.3, 0.06, 0.008]), "joint", JOINT_TINT)

    def _joint(self, mark: Mark) -> None:
        r = self._joint_radius(mark)
        if mark.kind == "hinge":
            self._put("cylinder", mark, 1, [r, r, 3.2 * r], "joint", JOINT_TINT)
        elif mark.kind in ("cylindrical", "screw", "sprung cylindrical"):
            self._put("cylinder", mark, 1, [r, r, 6.0 * r], "joint", JOINT_TINT)
            self._guide(mark)
        elif mark.kind in ("slider", "sprung slider"):
            self._put("box", mark, 1, [2.4 * r, 2.4 * r, 4.0 * r], "joint", JOINT_TINT)
            self._guide(mark)
        elif mark.kind == "universal":
            for axis in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]):
                along = Pose.of(rotation_onto(Z, np.array(axis)), np.zeros(3))
                self._put("cylinder", mark, 1, [0.6 * r, 0.6 * r, 4.0 * r], "joint", JOINT_TINT, along)
        elif mark.kind in ("ball joint", "bushing"):
            self._put("ball", mark, 1, 1.3 * r * np.ones(3), "joint", JOINT_TINT)
        elif mark.kind == "torsion spring":
            self._put("cylinder", mark, 1, [1.6 * r, 1.6 * r, r], "joint", JOINT_TINT)
        elif mark.kind == "weld":
            self._put("box", mark, 1, 1.6 * r * np.ones(3), "joint", JOINT_TINT)

    def _joint_radius(self, mark: Mark) -> float:
        """The radius of a joint's symbol; it covers no solid that it connects."""
        thin = [self._thickness[name] for name in mark.on if name in self._thickness]
        return min([JOINT * self._size, *(1.25 * x for x in thin)])

    def _guide(self, mark: Mark) -> None:
        """What leads a joint along its axis: a coil if a spring acts in it, or a rail."""
        parent, child = self._body(mark.on[0]), self._body(mark.on[1])
        R, p = (
            self._poses.axes(parent, np.reshape(mark.axes[0], (3, 3))),
            self._poses.points(parent, np.array(mark.points[0])),
        )
        along = np.einsum("fi,fi->f", self._poses.points(child, np.array(mark.points[1])) - p, R[:, :, 2])
        low, high = (float(along.min()), float(along.max())) if len(along) else (0.0, 0.0)
        if mark.kind.startswith("sprung"):
            self._coil(mark, low, high)
        else:
            self._rail(mark, low, high)

    def _rail(self, mark: Mark, low: float, high: float) -> None:
        """A rod on the parent along the axis, as long as the joint moves; from a body it begins where the joint is on it."""
        if self._body(mark.on[0]) != GROUND_BODY:
            low, high = min(low, 0.0), max(high, 0.0)
        beyond = self._joint_radius(mark)
        radius = 0.6 * THIN * self._size
        middle = Pose.of(np.eye(3), np.array([0.0, 0.0, 0.5 * (low + high)]))
        self._put("cylinder", mark, 0, [radius, radius, high - low + 2.0 * beyond], "joint", JOINT_TINT, middle)

    def _coil(self, mark: Mark, low: float, high: float) -> None:
        """A spring to where the joint is on the parent. If the joint passes there, as one that is measured from its equilibrium does, to
        the level of the parent's mass center; if it passes there too, to a place as far beyond as it moves, on the upper side."""
        axis, place = np.reshape(mark.axes[0], (3, 3))[:, 2], np.array(mark.points[0])
        far = max(high - low, 8.0 * JOINT * self._size)
        gravity = np.array(self._geometry.gravity)
        rises = mark.on[0] not in self._number and (-gravity if gravity.any() else Z) @ axis > 0.0
        centers = [np.array(one.points[0]) for one in self._marks if one.kind == "body" and one.name == mark.on[0]]
        levels = [0.0, *(float((center - place) @ axis) for center in centers)]
        beyond = [level for level in levels if not low <= level <= high]
        anchor = beyond[0] if beyond else high + far if rises else low - far
        points = (place + anchor * axis, np.array(mark.points[1]))
        radius = self._line_radius("spring", max(abs(high - anchor), abs(low - anchor)))
        ends = (self._body(mark.on[0]), self._body(mark.on[1]))
        self.lines.append(Line(self._mesh("spring", LINES["spring"]), ends, points, radius, "spring", mark.name))

    def _link(self, mark: Mark, ends: list[np.ndarray], heaviest: float, count: int) -> None:
        """A body without a shape: rods between its joints and its mass center, or a box with its inertia."""
        center, size = np.array(mark.points[0]), self._size
        mass, edges = mark.sizes[0], np.array(mark.sizes[1:4])
        small = THIN * size
        places: list[np.ndarray] = []
        for point in ends:
            if all(np.linalg.norm(point - other) > small for other in places):
                places.append(point)
        away = [point for point in places if np.linalg.norm(point - center) > small]
        if not away and edges.any():
            least, most = 0.5 * MASS * size, 0.18 * size
            # a symbol, so it may not cover what it stands for
            self._put("box", mark, 0, np.clip(edges * min(1.0, most / edges.max()), least, None), "solid")
            return
        if len(places) == 2 and _is_between(center, *places):
            self._rod(mark, places[0], places[1])
        else:
            for point in away:
                self._rod(mark, point, center)
            if len(places) == 1:
                center = self._far_end(mark, places[0], center)
        share = np.clip(np.cbrt(mass / heaviest), 0.4, 1.0) if mass > 0.0 else 0.4
        crowd = 1.0 if count <= 30 else 0.6
        radius = MASS * size * share * crowd * (1.0 if not edges.any() or len(places) < 2 else 0.6)
        self._put("ball", mark, 0, radius * np.ones(3), "mass")

    def _far_end(self, mark: Mark, joint: np.ndarray, center: np.ndarray) -> np.ndarray:
        """The mass center, after a rod from it to the end that a uniform body with this inertia has, if it is slender and hangs from its
        other end."""
        edges, axes = np.array(mark.sizes[1:4]), np.reshape(mark.axes[0], (3, 3))
        arm = center - joint
        distance, longest = float(np.linalg.norm(arm)), int(np.argmax(edges))
        others = np.delete(edges, longest).max()
        along = distance > 0.0 and abs(arm @ axes[:, longest]) > 0.99 * distance
        if along and others < 0.5 * edges[longest] and abs(0.5 * edges[longest] - distance) < 0.2 * distance:
            self._rod(mark, center, center + arm * (0.5 * edges[longest] / distance))
        return center

    def _threads(self, mark: Mark, ends: list[np.ndarray]) -> None:
        """Rods from joints that lie outside the solids of a body to its mass center."""
        center = np.array(mark.points[0])
        reach = max((np.linalg.norm(np.array(one.points[0]) - center) + self._solid_reach(one)
                     for one in self._marks if one.kind in SOLIDS and one.on[0] == mark.name), default=0.0)  # fmt: skip
        for point in ends:
            if np.linalg.norm(point - center) > 1.05 * reach:
                self._rod(mark, point, center, 0.5)

    def _solid_reach(self, mark: Mark) -> float:
        if mark.facets:
            return float(np.linalg.norm(self._geometry.surfaces[mark.facets[0]].corners, axis=1).max(initial=0.0))
        a, b, _ = (*mark.sizes, 0.0, 0.0, 0.0)[:3]
        return {"box": 0.5 * float(np.linalg.norm(mark.sizes)), "capsule": a + 0.5 * b, "cylinder": float(np.hypot(a, 0.5 * b)),
                "cone": float(np.hypot(a, b))}.get(mark.kind, max(mark.sizes, default=0.0))  # fmt: skip

    def _rod(self, mark: Mark, a: np.ndarray, b: np.ndarray, thin: float = 1.0) -> None:
        body, length = self._body(mark.on[0]), float(np.linalg.norm(b - a))
        R = rotation_onto(Z, (b - a) / length)
        radius = thin * THIN * self._size
        mesh = self._mesh("cylinder", meshes.cylinder)
        self.parts.append(
            Part(mesh, body, 0.5 * (a + b), R, np.array([radius, radius, length]), "link", mark.name, body)
        )


def _thicknesses(geometry: Geometry) -> dict[str, float]:
    """Half of the least width of the solids of every body that has some."""
    found: dict[str, float] = {}
    for mark in geometry.marks:
        if mark.kind not in SOLIDS or mark.kind in ("atom", "disc") or mark.on[0] == GROUND:
            continue
        half = 0.5 if mark.kind == "box" else 1.0
        widths = mark.sizes[:1] if mark.kind in ("cylinder", "capsule", "cone") else mark.sizes
        if mark.facets:
            widths = (0.5 * np.ptp(np.array(geometry.surfaces[mark.facets[0]].corners).reshape(-1, 3), axis=0)).tolist()
        found[mark.on[0]] = min(found.get(mark.on[0], np.inf), half * min(widths, default=np.inf))
    return found


def _is_between(center: np.ndarray, a: np.ndarray, b: np.ndarray) -> bool:
    """Whether a mass center lies on the line between two joints, nearly."""
    d = b - a
    share = float(np.clip((center - a) @ d / (d @ d), 0.0, 1.0))
    return bool(np.linalg.norm(center - a - share * d) < STRAIGHT * np.linalg.norm(d))
