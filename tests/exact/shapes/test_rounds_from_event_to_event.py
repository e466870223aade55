"""Balls and capsules among each other, on planes with two sides and on fixed solids, from event to event: closed forms."""

import numpy as np
import pytest
from scipy.optimize import minimize

import vinculum as vc
from marks import needs_heyoka
from vinculum.models.shapes.round_gaps import nearest_points

G, E = 9.81, 0.5
ALONG_X, ALONG_Y = (
    vc.Pose(rotation=[[0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
    vc.Pose(rotation=[[1, 0, 0], [0, 0, 1], [0, -1, 0]]),
)
ROD = vc.shapes.Capsule(0.05, 0.4)


def run(system, until, start, method="dop853", **options):
    return vc.simulate(system, until, start, method=method, progress=False, **options)


@pytest.mark.parametrize("case", ["any", "parallel", "nearly parallel"])
def test_nearest_points_of_segments_are_those_of_a_search(case):
    rng = np.random.default_rng(8)
    for _ in range(12):
        p, q, u, w = rng.normal(size=(4, 3))
        u, w = u / np.linalg.norm(u), w / np.linalg.norm(w)
        if case != "any":
            w = u + (1e-7 * rng.normal(size=3) if case == "nearly parallel" else 0.0)
            w = w / np.linalg.norm(w)
        half, other = rng.uniform(0.1, 1.5, 2)
        a, b = nearest_points((p, u, half), (q, w, other))
        away = lambda x, p=p, u=u, q=q, w=w: np.linalg.norm(p + x[0] * u - q - x[1] * w)
        found = [
            minimize(away, x, bounds=[(-half, half), (-other, other)], tol=1e-14).fun for x in rng.normal(size=(3, 2))
        ]
        assert np.linalg.norm(a - b) == pytest.approx(min(found), abs=1e-6)
        assert abs(u @ (a - p)) <= half * (1 + 1e-12) and abs(w @ (b - q)) <= other * (1 + 1e-12)


def crossed(fixed, impact=E, friction=None):
    """A rod along y falls on a rod along x that is welded to the ground or a fixed solid."""
    system = vc.System("rods", gravity=(0, 0, -G))
    top = system.add(vc.RigidBody.solid("top", ROD, mass=0.7, at=ALONG_Y))
    if fixed:
        walls = [vc.shapes.FixedSolid(ROD, at=ALONG_X)]
        system.add(vc.Contact("hit", [top], walls=walls, impact=impact, friction=friction))
    else:
        below = system.add(vc.RigidBody.solid("below", ROD, mass=1.0, at=ALONG_X))
        system.add(vc.Weld("post", "ground", below))
        system.add(vc.Contact("hit", [below, top], impact=impact, friction=friction))
    return system


@pytest.mark.parametrize("fixed", [False, True], ids=["welded", "fixed solid"])
def test_a_rod_falls_across_another(fixed):
    system, aside, height = crossed(fixed), 0.08, 0.3
    motion = run(system, 0.25, {"top": (0.03, aside, height)})
    fall = np.sqrt(2 * (height - 2 * ROD.radius) / G)
    body = system.bodies["top"]
    impulse = (1 + E) * G * fall / (1 / 0.7 + aside**2 / body.inertia[0, 0])
    hits = motion.bond("hit: top on wall 1" if fixed else "hit: below and top").impulses
    assert hits.times[0] == pytest.approx(fall, abs=1e-12)
    assert hits.normal[0] == pytest.approx(impulse, rel=1e-11)
    assert motion.audit().passed


def test_a_rod_tumbles_over_another_as_by_time_stepping():
    start = {"top": vc.At((0.03, 0.08, 0.12), rate=(0, 0, 0, 0, 0, 1.0))}
    exact = run(crossed(True, 0.0, 0.3), 0.15, start, grid=16)
    stepped = run(crossed(True, 0.0, 0.3), 0.15, start, "moreau", step=1e-4, grid=16)
    np.testing.assert_allclose(stepped.q, exact.q, atol=2e-4)
    assert exact.audit().passed


SHAPES = {
    "ball": vc.shapes.Sphere(0.05),
    "capsule": vc.shapes.Capsule(0.03, 0.1),
    "box": vc.shapes.Box((0.1, 0.08, 0.06)),
    "polytope": vc.shapes.Polytope(
        [(0.06, 0, 0), (-0.05, 0.02, 0), (0, -0.07, 0.01), (0, 0.01, 0.06), (0, 0.06, -0.02)]
    ),
    "ellipsoid": vc.shapes.Ellipsoid((0.06, 0.04, 0.05)),
}


def thrown_at(wall, shape, side):
    """A tilted body that gravity pulls onto a wall at the height of 0.1 m, from above (1) or from below (−1)."""
    q = np.array([0.9, 0.3, 0.2, 0.1])
    q /= np.linalg.norm(q)
    system = vc.System("plane", gravity=(0, 0, -side * G))
    body = system.add(vc.RigidBody.solid("body", SHAPES[shape], density=700.0))
    system.add(vc.Contact("hit", [body], walls=[wall], impact=E, friction=0.3))
    motion = run(system, 0.22, {"body": np.r_[0, 0, 0.1 + side * 0.2, q]}, grid=6)
    assert len(motion.record.atoms.times) >= 1 and motion.audit().passed
    return motion.q


@pytest.mark.parametrize(
    ("shape", "side"), [*((shape, 1.0) for shape in SHAPES), ("capsule", -1.0), ("ellipsoid", -1.0)]
)
def test_a_plane_with_two_sides_is_a_half_space_on_each(shape, side):
    half, plane = vc.shapes.HalfSpace((0, 0, side), side * 0.1), vc.shapes.TwoSidedPlane((0, 0, -1), -0.1)
    np.testing.assert_allclose(thrown_at(plane, shape, side), thrown_at(half, shape, side), atol=1e-10)


def test_a_ball_bounces_between_two_planes_with_two_sides():
    system = vc.System("planes")
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), density=700.0))
    walls = [vc.shapes.TwoSidedPlane((1, 0, 0), x) for x in (0.0, 1.0)]
    system.add(vc.Contact("hit", [ball], walls=walls, impact=1.0))
    motion = run(system, 2.0, {"ball": vc.At((0.5, 0, 0), rate=(1, 0, 0, 0, 0, 0))})
    np.testing.assert_allclose(motion.record.atoms.times, [0.4, 1.2, 2.0][: len(motion.record.atoms.times)], atol=1e-12)
    assert len(motion.record.atoms.times) >= 2


SOLIDS = {
    "edge of a box": (vc.shapes.FixedSolid(vc.shapes.Box((0.2, 0.4, 0.2)), at=(0.02, 0, -0.1)), 0.12, 0.0, 0.1),
    "corner of a box": (vc.shapes.FixedSolid(vc.shapes.Box((0.2, 0.2, 0.2)), at=(0.02, 0.02, -0.1)), 0.12, 0.12, 0.1),
    "sphere": (vc.shapes.FixedSolid(vc.shapes.Sphere(0.1), at=(0.1, 0.1, 0)), 0.1, 0.1, 0.2),
    "capsule": (vc.shapes.FixedSolid(vc.shapes.Capsule(0.1, 0.3), at=ALONG_X), 0.0, 0.0, 0.2),
}
"""Fixed solids, the place of their point that is nearest to the falling ball, and the distance of both at the impact."""


@pytest.mark.parametrize(
    ("solid", "method"),
    [*((solid, "dop853") for solid in SOLIDS), pytest.param("sphere", "taylor", marks=needs_heyoka)],
)
def test_a_ball_falls_on_a_fixed_solid(solid, method):
    wall, x, y, away = SOLIDS[solid]
    system = vc.System("solid", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), mass=0.4))
    system.add(vc.Contact("hit", [ball], walls=[wall], impact=E))
    aside = np.array([0.03, 0.04])
    if solid == "edge of a box":
        aside[1] = 0.0
    if solid == "capsule":
        aside[0] = 0.0
    motion = run(system, 0.25, {"ball": (x + aside[0], y + aside[1], 0.3)}, method)
    height = np.sqrt(away**2 - aside @ aside)
    fall = np.sqrt(2 * (0.3 - height) / G)
    hits = motion.bond("hit: ball on wall 1").impulses
    assert hits.times[0] == pytest.approx(fall, abs=1e-12)
    assert hits.normal[0] == pytest.approx(0.4 * (1 + E) * G * fall * height / away, rel=1e-11)
    assert motion.audit().passed


@pytest.mark.parametrize(
    ("shape", "wall"),
    [(ROD, vc.shapes.Box((1, 1, 1))), (SHAPES["box"], vc.shapes.Sphere(0.1)), (SHAPES["ball"], SHAPES["ellipsoid"])],
)
def test_other_pairs_are_refused_with_a_remedy(shape, wall):
    system = vc.System("other")
    body = system.add(vc.RigidBody.solid("body", shape, density=700.0))
    system.add(vc.Contact("hit", [body], walls=[vc.shapes.FixedSolid(wall, at=(0, 0, -2))], impact=E))
    with pytest.raises(vc.errors.MethodError, match=rf"{type(wall).__name__}.*use method='moreau'"):
        run(system, 0.1, {})
