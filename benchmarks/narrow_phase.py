"""Distances and contacts of pairs of shapes, next to the collision library coal (which Pinocchio brings with it).

Ours finds all contacts of a pair (a face on a face has up to a dozen), coal one distance. Coal is called from Python once for
each pair, so what such a call costs at least, for two spheres, stands beside it and is taken off.
"""

import time
from functools import cache

import numpy as np
from _cases import peer, report, sized

import vinculum as vc
from vinculum.collision.narrow_phase.entry import meet_pairs
from vinculum.contact.free_bodies.arrays import LISTED
from vinculum.contact.free_bodies.workspace import FreeBodiesWork
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model_cache import model_for

coal = peer("coal")
PAIRS, REPEATS, APART, NEAR = sized(2000, 4), sized(60, 1), 3.0, 0.02
CORNERS = np.random.default_rng(11).normal(size=(14, 3)) * (0.3, 0.4, 0.25)
SHAPES = {
    "sphere": vc.shapes.Sphere(0.3),
    "capsule": vc.shapes.Capsule(0.2, 0.5),
    "box": vc.shapes.Box((0.5, 0.7, 0.3)),
    "cylinder": vc.shapes.Cylinder(0.3, 0.5),
    "rock": vc.shapes.Polytope(CORNERS),
}


@cache
def coal_shape(name: str):
    """The same shape for coal, which does not keep the shapes that it is given alive."""
    if name == "rock":
        points = coal.StdVec_Vec3s()
        for corner in SHAPES["rock"].corners:
            points.append(corner)
        return coal.Convex.convexHull(points, True, "Qt")
    return {"sphere": lambda: coal.Sphere(0.3), "capsule": lambda: coal.Capsule(0.2, 0.5),
            "box": lambda: coal.Box(0.5, 0.7, 0.3), "cylinder": lambda: coal.Cylinder(0.3, 0.5)}[name]()  # fmt: skip


def matrices(Q: np.ndarray) -> np.ndarray:
    w, x, y, z = Q.T
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)  # fmt: skip


def apart() -> tuple[np.ndarray, np.ndarray]:
    """Pairs in random attitudes with their centers 0.6 m from each other: places and attitudes."""
    rng = np.random.default_rng(3)
    Q, way = rng.normal(size=(2 * PAIRS, 4)), rng.normal(size=(PAIRS, 3))
    x = np.repeat(APART * np.arange(PAIRS)[:, None] * np.eye(3)[0], 2, axis=0)
    x[::2] += 0.6 * way / np.linalg.norm(way, axis=1, keepdims=True)
    return x, Q / np.linalg.norm(Q, axis=1, keepdims=True)


def placed(first: str, second: str) -> tuple:
    """Pairs whose distance, by coal, is between 0.1 mm and 15 mm: coal's functor, its poses, and our places and attitudes."""
    rng = np.random.default_rng(3)
    one, two = coal_shape(first), coal_shape(second)
    compute, asked = coal.ComputeDistance(one, two), coal.DistanceRequest()
    poses, x, Q = [], [], []
    while len(poses) < PAIRS:
        attitudes = rng.normal(size=(2, 4))
        attitudes /= np.linalg.norm(attitudes, axis=1, keepdims=True)
        R, way = matrices(attitudes), rng.normal(size=3)
        far = 1.2 * way / np.linalg.norm(way)
        for _ in range(8):  # along the way until the shapes are some millimeters apart
            A, B = coal.Transform3s(R[0], far), coal.Transform3s(R[1], np.zeros(3))
            found = coal.DistanceResult()
            away = compute(A, B, asked, found)
            if 1e-4 < away < 0.015:
                base = np.array([APART * len(poses), 0.0, 0.0])
                poses.append((A, B))
                x += [base + far, base]
                Q += [*attitudes]
                break
            far = far * (1.0 - (away - 0.005) / np.linalg.norm(far))
    return compute, poses, np.array(x), np.array(Q)


def of_coal(compute, poses) -> tuple[float, np.ndarray]:
    """Seconds a pair, the least of some repetitions, and distances."""
    asked, found, spent = coal.DistanceRequest(), coal.DistanceResult(), []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        for A, B in poses:
            found.clear()
            compute(A, B, asked, found)
        spent.append(time.perf_counter() - begun)
    away = []
    for A, B in poses:
        found.clear()
        away.append(compute(A, B, asked, found))
    return min(spent) / len(poses), np.array(away)


def of_ours(first: str, second: str, x: np.ndarray, Q: np.ndarray) -> tuple[float, np.ndarray, int]:
    """Seconds a pair, the least gap of each, and how many contacts were found."""
    system = vc.System("pairs")
    shapes = [SHAPES[name] for name in (first, second)] * PAIRS
    bodies = [system.add(vc.RigidBody.solid(f"b{i}", shape, density=1000.0)) for i, shape in enumerate(shapes)]
    system.add(vc.Contact("contact", bodies, impact=vc.Inelastic()))
    free_bodies = free_bodies_of(model_for(system))
    work = FreeBodiesWork(
        free_bodies, x + np.einsum("nij,nj->ni", matrices(Q), free_bodies.centers), Q, *np.zeros((2, len(x), 3))
    )
    work.deepest()
    now, m, spent = work.arrays(), 0, []
    near = int(now.counts[LISTED])
    while m == 0 or m > len(now.contacts.gap):
        if m:
            work._grow_contacts()
            now = work.arrays()
        m = meet_pairs(now.entry, near, NEAR, 0.0)
    contacts = now.contacts
    for _ in range(REPEATS):
        begun = time.perf_counter()
        meet_pairs(now.entry, near, NEAR, 0.0)
        spent.append(time.perf_counter() - begun)
    who, gap, least = contacts.who[:m], contacts.gap[:m], np.full(PAIRS, np.inf)
    np.minimum.at(least, who[:, 0] // 2, gap)
    return min(spent) / near, least, m


def nearer(x: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Places with the first of each pair moved toward the second."""
    way = x[1::2] - x[::2]
    moved = x.copy()
    moved[::2] += by[:, None] * way / np.linalg.norm(way, axis=1, keepdims=True)
    return moved


def main() -> None:
    if not coal:
        found = {names: of_ours(*names, *apart()) for names in (("rock", "cylinder"), ("capsule", "box"))}
        report("narrow_phase", [{"pair": f"{one} and {two}", "vinculum µs": 1e6 * s, "contacts a pair": m / PAIRS}
                                for (one, two), (s, _, m) in found.items()])  # fmt: skip
        return
    rows = []
    call = of_coal(*placed("sphere", "sphere")[:2])[0]
    for first, second in (("box", "box"), ("rock", "rock"), ("box", "cylinder"), ("capsule", "cylinder"), ("cylinder", "cylinder"),
                          ("rock", "cylinder"), ("capsule", "box")):  # fmt: skip
        compute, poses, x, Q = placed(first, second)
        theirs, away = of_coal(compute, poses)
        ours, least, contacts = of_ours(first, second, x, Q)
        touching, inside = (of_ours(first, second, nearer(x, away + by), Q)[0] for by in (1e-6, 0.01))
        rows.append({"pair": f"{first} and {second}", "vinculum µs": 1e6 * ours, "touching": 1e6 * touching,
                     "10 mm nearer": 1e6 * inside, "contacts a pair": contacts / PAIRS,
                     "coal µs": 1e6 * (theirs - call), "of which the call": 1e6 * call, "coal / vinculum": (theirs - call) / ours,
                     "median difference m": float(np.median(np.abs(least - away))),
                     "largest difference m": float(np.abs(least - away).max())})  # fmt: skip
    report("narrow_phase", rows)


if __name__ == "__main__":
    main()
