"""Gaps and normals of shapes against the definition of signed distance, worked out from supports alone."""

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial import ConvexHull

import vinculum as vc
from free_bodies import free_bodies
from vinculum.collision.narrow_phase.entry import meet_pairs
from vinculum.contact.free_bodies.arrays import LISTED
from vinculum.contact.free_bodies.workspace import FreeBodiesWork
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model_cache import model_for

RNG = np.random.default_rng(11)
ROCK = vc.shapes.Polytope(RNG.normal(size=(14, 3)) * (0.3, 0.4, 0.25) + (1.0, 0.0, 0.0))
SHAPES = {
    "sphere": vc.shapes.Sphere(0.3),
    "capsule": vc.shapes.Capsule(0.2, 0.5),
    "box": vc.shapes.Box((0.5, 0.7, 0.3)),
    "polytope": ROCK,
    "cylinder": vc.shapes.Cylinder(0.3, 0.5),
    "cone": vc.shapes.Cone(0.3, 0.6),
}
EGG = {"ellipsoid": vc.shapes.Ellipsoid((0.25, 0.4, 0.3))}
APART, COUNT, FAVOR = 40.0, 40, 1e-3


def rotations(count, rng):
    Q = rng.normal(size=(count, 4))
    return Q / np.linalg.norm(Q, axis=1, keepdims=True)


def matrix(Q):
    w, x, y, z = Q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])  # fmt: skip


def support(shape, R, p, n):
    """max n · x over a shape, for directions n (k, 3)."""
    local = n @ R
    if isinstance(shape, vc.shapes.Sphere):
        own = np.full(len(n), shape.radius)
    elif isinstance(shape, vc.shapes.Capsule):
        own = shape.radius + 0.5 * shape.length * np.abs(local[:, 2])
    elif isinstance(shape, vc.shapes.Box):
        own = 0.5 * np.abs(local) @ shape.size
    elif isinstance(shape, vc.shapes.Cylinder):
        own = shape.radius * np.hypot(local[:, 0], local[:, 1]) + 0.5 * shape.length * np.abs(local[:, 2])
    elif isinstance(shape, vc.shapes.Cone):
        own = np.maximum(shape.height * local[:, 2], shape.radius * np.hypot(local[:, 0], local[:, 1]))
    elif isinstance(shape, vc.shapes.Ellipsoid):
        own = np.linalg.norm(local * shape.semiaxes, axis=1)
    else:
        own = (local @ shape.corners.T).max(1)
    return n @ p + own


def apart(A, B, n):
    """How far A is above B along directions n (k, 3): the signed distance is the largest of all."""
    return -support(*A, -n) - support(*B, n)


def signed_distance(A, B, rng):
    """The largest f(n), by a search over the whole sphere that closes in on its best places."""
    k = np.arange(2000) + 0.5
    polar, turn = np.arccos(1 - 2 * k / 2000), np.pi * (1 + 5**0.5) * k
    n = np.stack([np.cos(turn) * np.sin(polar), np.sin(turn) * np.sin(polar), np.cos(polar)], axis=1)
    starts = n[np.argsort(-apart(A, B, n))[:6]]
    best = -np.inf
    for start in starts:
        here, value, wide = start, apart(A, B, start[None])[0], 0.06
        while wide > 1e-11:
            tried = here + wide * rng.normal(size=(24, 3))
            tried /= np.linalg.norm(tried, axis=1, keepdims=True)
            values = apart(A, B, tried)
            if values.max() > value:
                here, value = tried[values.argmax()], values.max()
            else:
                wide *= 0.6
        best = max(best, value)
    return best


def anywhere(A, B, rng):
    """A direction."""
    return rng.normal(size=3), np.zeros(3)


def crosswise(A, B, rng):
    """The direction across both axes, and a way along them."""
    w, u = A[1][:, 2], B[1][:, 2]
    return np.cross(u, w), rng.uniform(-0.2, 0.2) * w + rng.uniform(-0.2, 0.2) * u


def pairs(first, second, count, rng, placed=anywhere):
    """Many pairs far from each other, by penetration and gaps along random directions: poses and the contacts that are found."""
    one, other = ((SHAPES | EGG)[name] for name in (first, second))
    poses, low = [], []
    for k in range(count):
        QA, QB = rotations(2, rng)
        between = matrix(QB) @ other.center - matrix(QA) @ one.center
        A, B = (one, matrix(QA), between), (other, matrix(QB), np.zeros(3))
        n, aside = placed(A, B, rng)
        n = n[None] / np.linalg.norm(n)
        gap = rng.choice([rng.uniform(-0.05, 0.0), rng.uniform(-1e-5, 1e-5), rng.uniform(0.0, 0.02)])
        p = between + (gap - apart(A, B, n)[0]) * n[0] + aside + np.array([APART * k, 0, 0])
        poses += [(A[0], A[1], p), (B[0], B[1], np.array([APART * k, 0.0, 0.0]))]
        low += [np.concatenate([p, QA]), np.concatenate([poses[-1][2], QB])]
    system = free_bodies([one, other] * count, gravity=(0, 0, 0))
    found = free_bodies_of(model_for(system))
    q = np.array(low)
    centers = np.einsum("nij,nj->ni", np.array([R for _, R, _ in poses]), found.centers)
    work = FreeBodiesWork(found, q[:, :3] + centers, q[:, 3:], np.zeros((2 * count, 3)), np.zeros((2 * count, 3)))
    work.deepest()
    while True:
        now = work.arrays()
        m = meet_pairs(now.entry, int(now.counts[LISTED]), 0.02, 0.0)
        if m <= len(now.contacts.gap):
            break
        work._grow_contacts()
    who, frame, place, gap = (x[:m].copy() for x in now.contacts)
    return poses, who, frame, place, gap


KINDS = [(a, b) for i, a in enumerate(SHAPES) for b in list(SHAPES)[i:]]
KINDS += [("ellipsoid", round) for round in ("capsule", "cylinder", "cone")]


@pytest.mark.parametrize("first, second", KINDS)
def test_gaps_and_normals_are_those_of_the_definition(first, second):
    rng = np.random.default_rng(5)
    poses, who, frame, place, gap = pairs(first, second, COUNT, rng)
    favored = 0
    for k in range(COUNT):
        A, B = poses[2 * k], poses[2 * k + 1]
        mine = np.flatnonzero(who[:, 0] // 2 == k)
        assert np.all(who[mine] == (2 * k, 2 * k + 1))
        searched = signed_distance(A, B, rng)
        if searched > 0.018:
            continue
        assert len(mine), f"pair {k} at {searched} has no contact"
        lowest = mine[np.argmin(gap[mine])]
        along = apart(A, B, frame[lowest, 0][None])[0]
        exact = max(searched, along)
        np.testing.assert_allclose([gap[lowest], along], exact, atol=FAVOR, err_msg=f"pair {k}")
        favored += abs(gap[lowest] - exact) > 1e-6
        for c in mine:
            for shape, sign in ((A, 1.0), (B, -1.0)):
                out = outside(shape, place[c] + 0.5 * sign * gap[c] * frame[c, 0])
                assert out < 1e-3, f"pair {k}: a point of contact is {out} m outside of the {type(shape[0]).__name__}"
    assert favored <= 0.1 * COUNT


STONE = vc.shapes.Polytope(np.random.default_rng(11).normal(size=(14, 3)) * (0.3, 0.4, 0.25))
BESIDE = [
    (
        "box",
        "box",
        (-0.2303, -0.5602, -0.5283, -0.5949),
        (-0.5069, -0.1182, -0.6784, -0.5185),
        (-0.1278, 0.772, 0.0166),
    ),
    ("box", "box", (-0.2357, 0.3763, -0.0435, 0.895), (-0.1643, -0.4028, -0.8319, 0.3445), (0.1431, 0.3402, -0.6604)),
    ("box", "box", (0.7024, 0.5727, 0.4099, 0.1036), (0.4268, -0.4352, -0.516, 0.6018), (0.2499, 0.6564, 0.1378)),
    (
        "stone",
        "stone",
        (-0.7121, -0.3829, 0.2671, -0.5244),
        (-0.0673, 0.732, -0.1005, -0.6705),
        (0.1343, -0.7699, 0.6743),
    ),
    ("stone", "stone", (0.7225, -0.2524, 0.333, 0.5508), (0.445, -0.416, -0.1094, 0.7855), (1.1508, 0.0892, 0.0694)),
    (
        "box",
        "cylinder",
        (0.6633, 0.1636, -0.6367, -0.3576),
        (-0.2616, 0.6908, 0.1268, 0.662),
        (0.4718, -0.4108, 0.0302),
    ),
    (
        "box",
        "cylinder",
        (0.1902, 0.5589, -0.4838, 0.646),
        (0.1308, 0.9457, 0.2957, -0.0324),
        (0.5476, -0.2658, -0.0527),
    ),
    (
        "capsule",
        "cylinder",
        (0.2652, -0.2159, -0.9243, 0.1694),
        (-0.2212, -0.3818, -0.8962, 0.0457),
        (0.2353, 0.0587, -0.5866),
    ),
    (
        "capsule",
        "cylinder",
        (-0.5427, 0.5919, -0.5822, 0.1271),
        (-0.4962, -0.4186, -0.7349, 0.1961),
        (0.5217, -0.3153, -0.0152),
    ),
    (
        "cylinder",
        "cylinder",
        (0.0348, 0.6011, -0.7787, 0.1765),
        (0.326, 0.704, -0.0113, 0.6309),
        (0.1973, 0.0329, -0.6341),
    ),
    (
        "cylinder",
        "cylinder",
        (-0.1523, 0.8947, -0.3809, -0.1769),
        (0.2482, 0.3989, 0.7992, 0.3749),
        (0.2579, -0.0307, 0.6608),
    ),
    (
        "stone",
        "cylinder",
        (0.0148, 0.4096, -0.7077, 0.5754),
        (0.5202, 0.6996, -0.4805, 0.0951),
        (0.5114, 0.2849, -0.2571),
    ),
    (
        "stone",
        "cylinder",
        (0.4107, 0.7289, 0.2488, 0.488),
        (0.1941, -0.3205, -0.2525, -0.8921),
        (0.163, 0.7101, -0.6774),
    ),
]
"""Two shapes, their attitudes, and the place of the first relative to the second, some millimeters apart."""


def test_nearest_points_beside_a_face_are_among_the_contacts():
    """A face is favored, but what is nearest lies beside it: contacts above the face alone were up to 15 mm too far, or none."""
    shapes = SHAPES | {"stone": STONE}
    Q = np.array([q for row in BESIDE for q in row[2:4]])
    Q /= np.linalg.norm(Q, axis=1, keepdims=True)
    R = np.array([matrix(own) for own in Q])
    x = np.array(
        [
            APART * np.array([k, 0, 0]) + (row[4] if first else np.zeros(3))
            for k, row in enumerate(BESIDE)
            for first in (True, False)
        ]
    )
    found = free_bodies_of(
        model_for(free_bodies([shapes[name] for row in BESIDE for name in row[:2]], gravity=(0, 0, 0)))
    )
    work = FreeBodiesWork(found, x + np.einsum("nij,nj->ni", R, found.centers), Q, *np.zeros((2, len(x), 3)))
    work.deepest()
    now = work.arrays()
    m = meet_pairs(now.entry, int(now.counts[LISTED]), 0.02, 0.0)
    who, frame, gap = now.contacts.who[:m], now.contacts.frame[:m], now.contacts.gap[:m]
    for k, (first, second, *_) in enumerate(BESIDE):
        A, B = ((shapes[name], R[i], x[i] - x[2 * k + 1]) for name, i in ((first, 2 * k), (second, 2 * k + 1)))
        mine = np.flatnonzero(who[:, 0] // 2 == k)
        assert len(mine), f"pair {k} has no contact"
        lowest = mine[np.argmin(gap[mine])]
        expected = signed_distance(A, B, np.random.default_rng(k))
        np.testing.assert_allclose(gap[lowest], expected, atol=1e-4, err_msg=f"pair {k}")
        np.testing.assert_allclose(apart(A, B, frame[lowest, 0][None])[0], expected, atol=1e-4, err_msg=f"pair {k}")


def test_a_capsule_across_the_side_of_a_cylinder_has_the_normal_of_both_axes():
    poses, who, frame, place, gap = pairs("capsule", "cylinder", COUNT, np.random.default_rng(6), crosswise)
    seen = 0
    for k in range(COUNT):
        (rod, A, p), (drum, B, c) = poses[2 * k], poses[2 * k + 1]
        w, u, between = A[:, 2], B[:, 2], p - c
        square = 1.0 - (u @ w) ** 2
        along = ((u @ w) * (u @ between) - w @ between) / square
        on = u @ between + along * (u @ w)
        mine = np.flatnonzero(who[:, 0] // 2 == k)
        if len(mine) != 1 or square < 0.2:
            continue
        way = between + along * w - on * u
        seen += 1
        np.testing.assert_allclose(gap[mine[0]], np.linalg.norm(way) - rod.radius - drum.radius, atol=1e-12)
        np.testing.assert_allclose(frame[mine[0], 0], way / np.linalg.norm(way), atol=1e-11)
        middle = c + on * u + (drum.radius + 0.5 * gap[mine[0]]) * frame[mine[0], 0]
        np.testing.assert_allclose(place[mine[0]], middle, atol=1e-10)
    assert seen > 15


def test_the_lowest_corner_of_a_rock_over_a_table_is_among_its_contacts():
    """Also in attitudes in which it is no corner of the face that looks down most."""
    rng = np.random.default_rng(7)
    points = rng.normal(size=(14, 3))
    rock = vc.shapes.Polytope(0.12 * points / np.linalg.norm(points, axis=1, keepdims=True))
    hull, Q = ConvexHull(rock.corners), rotations(4000, rng)
    R = np.array([matrix(own) for own in Q])
    z, face = R[:, 2] @ rock.corners.T, hull.simplices[np.argmin(R[:, 2] @ hull.equations[:, :3].T, axis=1)]
    above = np.take_along_axis(z, face, axis=1).min(axis=1) - z.min(axis=1)
    chosen = np.flatnonzero((above > 1e-4) & (above < 0.015))
    count, Q, R = len(chosen), Q[chosen], R[chosen]
    assert count > 10
    height, far = rng.uniform(-1e-3, 1e-3, count), 5.0 * (np.arange(count) - 0.5 * count)
    table = vc.shapes.FixedSolid(vc.shapes.Box((10.0 * count, 8.0, 1.0)), at=(0, 0, -0.5))
    found = free_bodies_of(model_for(free_bodies([rock] * count, walls=[table])))
    x = np.stack([far, np.zeros(count), height - z[chosen].min(axis=1)], axis=1)
    work = FreeBodiesWork(found, x + R @ found.centers[0], Q, np.zeros((count, 3)), np.zeros((count, 3)))
    work.deepest()
    now = work.arrays()
    m = meet_pairs(now.entry, int(now.counts[LISTED]), 0.02, 0.0)
    who, gap = now.contacts.who[:m], now.contacts.gap[:m]
    np.testing.assert_allclose([gap[who[:, 0] == k].min() for k in range(count)], height, atol=1e-9)


def outside(shape, x):
    """How far a point is outside of a shape at least, in the directions of its faces."""
    solid, R, p = shape
    x, y, z = local = R.T @ (x - p)
    if isinstance(solid, vc.shapes.Sphere):
        return np.linalg.norm(local) - solid.radius
    if isinstance(solid, vc.shapes.Capsule):
        return np.linalg.norm(local - (0, 0, np.clip(z, -0.5 * solid.length, 0.5 * solid.length))) - solid.radius
    if isinstance(solid, vc.shapes.Box):
        return (np.abs(local) - 0.5 * solid.size).max()
    if isinstance(solid, vc.shapes.Cylinder):
        return max(np.hypot(x, y) - solid.radius, abs(z) - 0.5 * solid.length)
    if isinstance(solid, vc.shapes.Cone):
        slant = np.hypot(solid.radius, solid.height)
        return max((solid.height * np.hypot(x, y) + solid.radius * (z - solid.height)) / slant, -z)
    if isinstance(solid, vc.shapes.Ellipsoid):
        level = np.linalg.norm(local / solid.semiaxes)
        return (level - 1.0) * level / np.linalg.norm(local / solid.semiaxes**2)
    hull = ConvexHull(solid.corners)
    return (hull.equations[:, :3] @ local + hull.equations[:, 3]).max()


DEEP = [
    ((0.34975, -0.15564, -0.53493, -0.75319), (-0.16616, -0.95248, -0.17129, -0.18932), (0.154726, 0.493306, 0.009555)),
    ((0.2413, 0.13184, 0.90434, 0.32644), (0.38423, 0.73045, 0.3618, 0.43348), (-0.400731, -1.111539, -0.108367)),
    ((-0.50342, -0.44284, 0.31905, 0.66982), (0.38967, 0.26123, 0.67902, 0.56466), (0.385202, -0.093163, 0.824702)),
]
"""Attitudes of two stones that are some centimeters inside each other, and the place of the first relative to the second."""


def test_deep_stones_part_across_their_edges_where_that_is_the_shortest_way():
    """A search from the best face and from the line of centers missed these ways by up to a quarter of the depth."""
    Q = np.array([q for row in DEEP for q in row[:2]])
    Q /= np.linalg.norm(Q, axis=1, keepdims=True)
    R = np.array([matrix(own) for own in Q])
    x = np.array(
        [p for k, row in enumerate(DEEP) for p in (np.array(row[2]) + (APART * k, 0, 0), (APART * k, 0.0, 0.0))]
    )
    found = free_bodies_of(model_for(free_bodies([STONE] * len(x), gravity=(0, 0, 0))))
    work = FreeBodiesWork(
        found, x + np.einsum("nij,nj->ni", R, found.centers), Q, np.zeros((len(x), 3)), np.zeros((len(x), 3))
    )
    work.deepest()
    now = work.arrays()
    m = meet_pairs(now.entry, int(now.counts[LISTED]), 0.02, 0.0)
    who, gap = now.contacts.who[:m], now.contacts.gap[:m]
    for k in range(len(DEEP)):
        one, other = (STONE.corners @ R[i].T + x[i] for i in (2 * k, 2 * k + 1))
        exact = ConvexHull((one[:, None] - other[None]).reshape(-1, 3)).equations[:, 3].max()
        np.testing.assert_allclose(gap[who[:, 0] // 2 == k].min(), exact, atol=FAVOR)


def test_distances_of_polytopes_are_those_of_the_hull_of_differences():
    rng = np.random.default_rng(6)
    poses, who, _frame, _place, gap = pairs("box", "polytope", 300, rng)
    for k in range(300):
        corners = []
        for shape, R, p in poses[2 * k : 2 * k + 2]:
            own = (
                shape.corners
                if isinstance(shape, vc.shapes.Polytope)
                else 0.5 * shape.size * np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T
            )
            corners.append(own @ R.T + p)
        hull = ConvexHull((corners[0][:, None] - corners[1][None]).reshape(-1, 3))
        N, c = hull.equations[:, :3], hull.equations[:, 3]
        exact = c.max()
        if exact > 0.0:
            E = np.concatenate([-N.T, c[None]])
            u, _ = nnls(E, np.array([0, 0, 0, 1.0]))
            r = E @ u - np.array([0, 0, 0, 1.0])
            exact = float(np.linalg.norm(r[:3] / r[3]))
        mine = gap[who[:, 0] // 2 == k]
        if exact < 0.019:
            np.testing.assert_allclose(mine.min(), exact, atol=2e-3)
