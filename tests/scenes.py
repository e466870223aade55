"""Small random scenes with contact, one for every seed: their laws, friction, bodies and starts are drawn, and the kinds take turns."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

import vinculum as vc

G = 9.81
UPRIGHT = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))
"""A planar joint between such frames moves in the plane of x and z; its angle turns from x to z."""


@final
@dataclass(frozen=True, eq=False)
class Scene:
    """A system, its start and how long it runs [s]; ``name`` says the seed and what it is."""

    name: str
    system: vc.System
    start: dict[str, Any]
    until: float


def scene(seed: int) -> Scene:
    """The scene of a seed."""
    rng = np.random.default_rng(seed)
    kinds = list(KINDS)
    kind = kinds[seed % len(kinds)]
    return KINDS[kind](rng, f"{kind} {seed}")


@final
class _Laws:
    """Laws of the unilateral constraints of one scene, mostly the same for all of them."""

    def __init__(self, rng, smooth: float = 0.2):
        self._rng, self._mixed = rng, rng.random() < 0.2
        self._impact, self._mu = self._impacts(), None if rng.random() < smooth else self._friction()

    def _impacts(self):
        rng, treatment = self._rng, "sequential" if self._rng.random() < 0.25 else "simultaneous"
        which, e = rng.integers(4), round(float(rng.choice([0.0, 1.0, rng.uniform()], p=[0.1, 0.1, 0.8])), 3)
        return [vc.Inelastic(treatment), vc.Elastic(treatment), vc.Newton(e, treatment), vc.Poisson(e)][which]

    def _friction(self) -> float:
        return round(float(self._rng.uniform(0.0, 1.0)), 3)

    def of(self, point=None, along=None) -> dict:
        """Arguments of one unilateral constraint; friction where there is a ``point``. ``along``: a tangent, where the normal turns."""
        impact, mu = (
            (self._impacts(), self._mu and self._friction())
            if self._mixed and self._rng.random() < 0.5
            else (self._impact, self._mu)
        )
        if point is None or mu is None:
            return {"impact": impact}
        return {"impact": impact, "friction": vc.Coulomb(mu, along, None if along is None else mu), "point": point}


def _touch_floor(system, body, places, laws: _Laws, slope: float = 0.0) -> None:
    """Unilateral constraints between points of a body and the floor z = slope x."""
    for k, p in enumerate(places):
        where = lambda b, p=tuple(p): b.point(p)
        gap = lambda b, at=where: (at(b)[2] - slope * at(b)[0]) / np.sqrt(1.0 + slope**2)
        system.add(vc.Unilateral(f"{body.name} {k}", [body], gap=gap, **laws.of(where)))


def _lowest(places, R=None) -> float:
    """How high an origin must be for all places to be above the floor."""
    turned = np.asarray(places) if R is None else np.asarray(places) @ np.asarray(R).T
    return float(-turned[:, 2].min())


def _turn(rng, most: float) -> np.ndarray:
    """A rotation by at most an angle about a horizontal axis, after any about the vertical."""
    way, angle, about = rng.uniform(0, 2 * np.pi), rng.uniform(0, most), rng.uniform(0, 2 * np.pi)
    c, s = np.cos(about), np.sin(about)
    axis = np.array([np.cos(way), np.sin(way), 0.0])
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    tilt = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    return tilt @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _feet(rng, name: str) -> Scene:
    """A block on one to six feet: dropped tilted, standing and pulled more and more, or sliding and turning."""
    system, laws = vc.System(name, gravity=(0, 0, -G)), _Laws(rng)
    body = system.add(vc.RigidBody("block", mass=rng.uniform(0.5, 3), inertia=tuple(rng.uniform(0.1, 0.15, 3))))
    n, way = rng.integers(1, 7), rng.integers(3)
    angles = np.sort(rng.uniform(0, 2 * np.pi, n)) if rng.random() < 0.5 else 2 * np.pi * np.arange(n) / n
    radius = rng.uniform(0.2, 0.5, n) if rng.random() < 0.5 else np.full(n, rng.uniform(0.2, 0.5))
    places = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.full(n, -rng.uniform(0.1, 0.4))], axis=1)
    _touch_floor(system, body, places, laws)
    if way == 0:
        R = _turn(rng, 0.5)
        start = vc.At(
            vc.Pose((0, 0, _lowest(places, R) + rng.uniform(0, 0.2)), rotation=R), rate=tuple(rng.normal(size=6))
        )
    else:
        rate = (*rng.normal(size=2), 0, 0, 0, rng.normal()) if way == 2 else (0,) * 6
        start = vc.At((0, 0, _lowest(places)), rate=rate)
    if way == 1:
        force, moment = rng.normal(size=3) * (6, 6, 2), rng.normal(size=3) * (0.5, 0.5, 1)
        system.add(vc.Force("pull", body, lambda b, t: vc.Wrench(force=tuple(t * force), moment=tuple(t * moment))))
    return Scene(name, system, {"block": start}, 0.8)


def _rod(rng, name: str) -> Scene:
    """A thin rod that falls on a floor or a slope with its ends, in the plane or in space."""
    system, laws = vc.System(name, gravity=(0, 0, -G)), _Laws(rng)
    length, mass = rng.uniform(0.3, 1.0), rng.uniform(0.3, 2)
    J = mass * length**2 / 12
    body = system.add(vc.RigidBody("rod", mass=mass, inertia=(0.05 * J, J, J)))
    ends = np.array([[length / 2, 0, 0], [-length / 2, 0, 0]])
    flat, angle, above = rng.random() < 0.6, rng.uniform(-1.2, 1.2), rng.choice([0.0, rng.uniform(0, 0.3)])
    height = 0.5 * length * abs(np.sin(angle)) + above
    if flat:
        slope = rng.choice([0.0, rng.uniform(-0.3, 0.3)])
        _touch_floor(system, body, ends, laws, slope)
        system.add(vc.Planar("plane", "ground", body, at=UPRIGHT, to=UPRIGHT))
        height += 0.5 * length * abs(slope)
        return Scene(name, system, {"plane": vc.At((0, height, angle), rate=tuple(rng.normal(size=3)))}, 0.8)
    _touch_floor(system, body, ends, laws)
    c, s = np.cos(angle), np.sin(angle)
    pose = vc.Pose((0, 0, height), rotation=np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]]))
    return Scene(name, system, {"rod": vc.At(pose, rate=tuple(rng.normal(size=6)))}, 0.8)


def _box(rng, name: str) -> Scene:
    """A box thrown on a floor: on its eight corners in space, or on four in the plane."""
    system, laws = vc.System(name, gravity=(0, 0, -G)), _Laws(rng)
    size, mass = rng.uniform(0.1, 0.4, 3), rng.uniform(0.5, 3)
    body = system.add(vc.RigidBody.solid("box", vc.shapes.Box(tuple(size)), mass=mass))
    signs = np.array([[(-1) ** (k & 1), (-1) ** (k >> 1 & 1), (-1) ** (k >> 2 & 1)] for k in range(8)])
    if rng.random() < 0.5:
        corners = signs[:4, [0, 2, 1]] * (0.5 * size * (1, 0, 1))
        _touch_floor(system, body, corners, laws)
        system.add(vc.Planar("plane", "ground", body, at=UPRIGHT, to=UPRIGHT))
        angle = rng.choice([0.0, rng.uniform(-1.5, 1.5)])
        c, s = np.cos(angle), np.sin(angle)
        height = _lowest(corners, np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])) + rng.choice([0.0, rng.uniform(0, 0.3)])
        rate = np.array([rng.normal(), 0, 0]) if angle == 0.0 else rng.normal(size=3) * (1, 1, 4)
        return Scene(name, system, {"plane": vc.At((0, height, angle), rate=tuple(rate))}, 0.8)
    corners = signs * 0.5 * size
    _touch_floor(system, body, corners, laws)
    R = _turn(rng, rng.choice([0.1, 1.5]))
    pose = vc.Pose((0, 0, _lowest(corners, R) + rng.uniform(0, 0.3)), rotation=R)
    return Scene(name, system, {"box": vc.At(pose, rate=tuple(rng.normal(size=6) * (1, 1, 1, 3, 3, 3)))}, 0.7)


def _chain(rng, name: str) -> Scene:
    """A chain of two to ten links that hangs from a pivot or falls free, and meets the floor with its joints and its ends."""
    system, laws = vc.System(name, gravity=(0, 0, -G)), _Laws(rng)
    n = int(rng.integers(2, 11))
    length, mass, hung = 1.0 / n, rng.uniform(0.1, 0.5), rng.random() < 0.5
    links = []
    for k in range(n):
        J = mass * length**2 / 12
        links.append(system.add(vc.RigidBody(f"link {k}", mass=mass, com=(length / 2, 0, 0), inertia=(0.1 * J, J, J))))
    if hung:
        system.add(vc.Revolute("top", "ground", links[0], axis=(0, -1, 0)))
    else:
        system.add(vc.Planar("plane", "ground", links[0], at=UPRIGHT, to=UPRIGHT))
    for a, b in pairwise(links):
        system.add(vc.Revolute(f"hinge of {b.name}", a, b, axis=(0, -1, 0), at=(length, 0, 0)))
    first, turns = (rng.uniform(-0.4, 0.4), rng.uniform(-0.5, 0.5, n - 1))
    angles = first + np.concatenate([[0.0], np.cumsum(turns)])
    heights = length * np.concatenate([[0.0], np.cumsum(np.sin(angles))])
    above = float(-heights.min() + rng.uniform(0.02, 0.2))
    start: dict[str, Any] = {f"hinge of {b.name}": float(x) for b, x in zip(links[1:], turns, strict=True)}
    start |= {"top": first} if hung else {"plane": vc.At((0, above, first), rate=tuple(0.3 * rng.normal(size=3)))}
    for k, link in enumerate(links):
        for end, x in (("a", 0.0), ("b", length)):
            if end == "a" and (hung or k):
                continue
            where = lambda b, x=x: b.point((x, 0, 0))
            gap = lambda b, at=where: at(b)[2] + (above if hung else 0.0)
            system.add(vc.Unilateral(f"{link.name} {end}", [link], gap=gap, **laws.of(where)))
    return Scene(name, system, start, 0.5)


def _walker(rng, name: str) -> Scene:
    """Two legs with a hip between them, on feet with heel and toe or on points, that lands on a slope and walks or falls."""
    system, laws = vc.System(name, gravity=(0, 0, -G)), _Laws(rng, smooth=0.1)
    length, mass, slope = rng.uniform(0.5, 1.0), rng.uniform(0.5, 2), rng.choice([0.0, -rng.uniform(0, 0.1)])
    foot = rng.choice([0.0, 0.1])
    places = [(0, 0, -length)] if foot == 0.0 else [(-foot / 2, 0, -length), (foot, 0, -length)]
    legs = []
    for side in ("left", "right"):
        J = mass * length**2 / 12
        legs.append(system.add(vc.RigidBody(side, mass=mass, com=(0, 0, -0.4 * length), inertia=(J, J, 0.1 * J))))
        _touch_floor(system, legs[-1], places, laws, slope)
    system.add(vc.Planar("plane", "ground", legs[0], at=UPRIGHT, to=UPRIGHT))
    system.add(
        vc.Revolute(
            "hip",
            legs[0],
            legs[1],
            axis=(0, -1, 0),
            damping=float(rng.choice([0.0, 0.2])),
            stiffness=float(rng.choice([0.0, 5.0])),
        )
    )
    lean, apart = rng.uniform(-0.4, 0.4), rng.uniform(0.2, 0.8) * rng.choice([-1, 1])
    heights = []
    for angle in (lean, lean + apart):
        c, s = np.cos(angle), np.sin(angle)
        heights += [x * s + z * c - slope * (x * c - z * s) for x, _, z in places]
    height = -min(heights) + rng.choice([1e-12, rng.uniform(0, 0.1)])
    rate = (0.5 * rng.normal(), 0, 0.5 * rng.normal())
    return Scene(
        name, system, {"plane": vc.At((0, height, lean), rate=rate), "hip": vc.At(apart, rate=rng.normal())}, 0.8
    )


def _stops(rng, name: str) -> Scene:
    """A pendulum of one to three links with stops in its joints, and a wall for its tip."""
    system, laws = vc.System(name, gravity=(0, 0, -G)), _Laws(rng)
    n = int(rng.integers(1, 4))
    before, length, start, links = "ground", 0.5, {}, []
    for k in range(n):
        mass = rng.uniform(0.3, 1.5)
        links.append(system.add(vc.RigidBody(f"link {k}", mass, (0, 0, -length / 2), (mass * length**2 / 10,) * 3)))
        system.add(vc.Revolute(f"joint {k}", before, links[-1], axis=(0, 1, 0), at=(0, 0, -length if k else 0.0)))
        before = links[-1]
        limit, q = rng.uniform(0.2, 0.8), rng.uniform(-0.15, 0.15)
        start[f"joint {k}"] = vc.At(q, rate=3 * rng.normal())
        system.add(
            vc.Unilateral(f"upper stop {k}", [f"joint {k}"], gap=lambda j, limit=limit: limit - j.q, **laws.of())
        )
        system.add(
            vc.Unilateral(f"lower stop {k}", [f"joint {k}"], gap=lambda j, limit=limit: limit + j.q, **laws.of())
        )
    tip = lambda b: b.point((0, 0, -length))
    away = rng.uniform(0.3, 0.5) * n
    system.add(vc.Unilateral("wall", [links[-1]], gap=lambda b: away - tip(b)[0], **laws.of(tip)))
    return Scene(name, system, start, 1.0)


def _clearance(rng, name: str) -> Scene:
    """A slider with play in its guide, pushed to and fro; or a pendulum whose pin rolls and slips in a wider hole."""
    system, laws = vc.System(name, gravity=(0, 0, -G)), _Laws(rng)
    play = rng.uniform(1e-3, 2e-2)
    if rng.random() < 0.5:
        a, b = rng.uniform(0.1, 0.2), rng.uniform(0.03, 0.08)
        body = system.add(vc.RigidBody("slider", mass=1.0, inertia=(0.01,) * 3))
        system.add(vc.Planar("plane", "ground", body, at=UPRIGHT, to=UPRIGHT))
        for k, (x, up) in enumerate(((a, 1), (-a, 1), (a, -1), (-a, -1))):
            where = lambda s, p=(x, 0, up * b): s.point(p)
            gap = lambda s, at=where, up=up: b + play / 2 - up * at(s)[2]
            system.add(vc.Unilateral(f"corner {k}", [body], gap=gap, **laws.of(where)))
        force, rate, arm = rng.uniform(5, 20), rng.uniform(5, 15), rng.uniform(-0.1, 0.1)
        push = lambda s, t: vc.Wrench(
            force=(force * vc.math.sin(rate * t), 0, 0), moment=(0, arm * force * vc.math.cos(rate * t), 0)
        )
        system.add(vc.Force("push", body, push))
        return Scene(
            name, system, {"plane": vc.At((0, 0, 0), rate=(rng.normal(), 0.1 * rng.normal(), 0.2 * rng.normal()))}, 0.8
        )
    length, pin = rng.uniform(0.3, 0.6), rng.uniform(0.01, 0.03)
    body = system.add(vc.RigidBody("arm", mass=1.0, com=(0, 0, -length), inertia=(0.01, 0.02, 0.01)))
    system.add(vc.Planar("plane", "ground", body, at=UPRIGHT, to=UPRIGHT))
    way = lambda s: (s.position[0], s.position[2])
    gap = lambda s: play - vc.math.sqrt(way(s)[0] ** 2 + way(s)[1] ** 2)
    far = lambda s: (play + pin) / play
    where = lambda s: (way(s)[0] * far(s), 0, way(s)[1] * far(s))
    system.add(vc.Unilateral("hole", [body], gap=gap, **laws.of(where, along=(0, 1, 0))))
    angle = rng.uniform(-1, 1)
    return Scene(name, system, {"plane": vc.At((0, -0.8 * play, angle), rate=(0, 0, rng.normal()))}, 0.8)


def _cradle(rng, name: str) -> Scene:
    """Two to five pendulums or sliders in a row that hit each other, some of them touching at first, between walls or free."""
    system, laws = vc.System(name, gravity=(0, 0, -G)), _Laws(rng)
    n, hung, equal = int(rng.integers(2, 6)), rng.random() < 0.5, rng.random() < 0.6
    size, before, start = 0.1, None, {}
    close = rng.random() < 0.5
    apart = 0.0
    middle = lambda b: b.point((0, 0, -1.0 if hung else 0.0))[0]
    for k in range(n):
        ball = system.add(
            vc.RigidBody(
                f"ball {k}",
                1.0 if equal else rng.uniform(0.3, 2),
                inertia=(1e-3,) * 3,
                com=(0, 0, -1.0 if hung else 0.0),
            )
        )
        apart += 0.0 if close or not k else rng.uniform(0, 0.05)
        place = (k * size + (apart if hung else 0.0), 0, 0)
        kind = (
            vc.Revolute(f"joint {k}", "ground", ball, axis=(0, -1, 0), at=place)
            if hung
            else vc.Prismatic(f"joint {k}", "ground", ball, axis=(1, 0, 0), at=place)
        )
        system.add(kind)
        start[f"joint {k}"] = vc.At(0.0 if hung else apart, rate=0.0)
        if before is not None:
            gap = lambda a, b: middle(b) - middle(a) - size
            system.add(vc.Unilateral(f"gap {k}", [before, ball], gap=gap, **laws.of()))
        before = ball
    start["joint 0"] = vc.At(-rng.uniform(0.1, 0.3), rate=rng.uniform(0, 2))
    if rng.random() < 0.4:
        start[f"joint {n - 1}"] = vc.At(
            start[f"joint {n - 1}"].position + rng.uniform(0.1, 0.3), rate=-rng.uniform(0, 2)
        )
    if not hung:
        system.add(
            vc.Unilateral("wall", [before], gap=lambda b: (n - 1) * size + apart + 0.4 - b.position[0], **laws.of())
        )
    return Scene(name, system, start, 1.0)


def _stack(rng, name: str) -> Scene:
    """Two or three blocks on each other, the lowest on the floor, one of them pulled: mass points, or rigid bodies that slide and tilt on
    the tops of those below."""
    system, laws = vc.System(name, gravity=(0, 0, -G)), _Laws(rng, smooth=0.0)
    n, tall, start, below = int(rng.integers(2, 4)), 0.1, {}, "ground"
    solid, dropped = rng.random() < 0.5, rng.choice([0.0, 0.05])
    bodies = []
    for k in range(n):
        mass = rng.uniform(0.5, 2)
        body = vc.RigidBody(f"block {k}", mass, inertia=(0.1,) * 3) if solid else vc.MassPoint(f"block {k}", mass)
        bodies.append(system.add(body))
        height = (k + 0.5) * tall + (k + 1) * dropped
        if solid:
            system.add(vc.Planar(f"plane {k}", "ground", body, at=UPRIGHT, to=UPRIGHT))
        start[f"plane {k}" if solid else body.name] = vc.At(
            (0, height, 0) if solid else (0, 0, height), rate=(0.5 * rng.normal(), 0, 0)
        )
        for x in (-0.1, 0.1) if solid else (0.0,):
            where = lambda b, *_, x=x: b.point((x, 0, -tall / 2)) if solid else b.position - (0, 0, tall / 2)
            if k:
                top = lambda a: a.point((0, 0, 1.0)) - a.position if solid else np.array([0, 0, 1.0])
                gap = lambda b, a, at=where, top=top: vc.math.dot(at(b) - a.position, top(a)) - tall / 2
                law = laws.of(where, along=(0, 1, 0) if solid else None)
                system.add(vc.Unilateral(f"joint {k} at {x}", [body, below], gap=gap, **law))
            else:
                system.add(vc.Unilateral(f"floor at {x}", [body], gap=lambda b, at=where: at(b)[2], **laws.of(where)))
        below = body
    pulled, force = bodies[rng.integers(n)], rng.uniform(5, 40)
    steady = rng.random() < 0.5
    system.add(vc.Force("pull", pulled, lambda b, t: vc.Wrench(force=(force * (1.0 if steady else t), 0, 0))))
    return Scene(name, system, start, 0.8)


KINDS = {"feet": _feet, "rod": _rod, "box": _box, "chain": _chain, "walker": _walker, "stops": _stops, "clearance": _clearance,
         "cradle": _cradle, "stack": _stack}  # fmt: skip
