"""Cylinders, polytopes, planes, meshes and height fields in contact: closed forms, worked out from the description alone."""

import numpy as np
import pytest

import vinculum as vc
from free_bodies import G, free_bodies

STEP = 1e-3
FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def run(system, until, start, tolerance=1e-10, step=STEP, **options):
    return vc.simulate(system, until=until, start=start, method="moreau", step=step, tolerance=tolerance, **options)


def flat_mesh(n=12, side=0.25, jitter=0.3, seed=3):
    """A plane z = 0 of triangles of many sizes about the origin."""
    rng = np.random.default_rng(seed)
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    x = side * (np.stack([i, j], axis=-1) - 0.5 * (n - 1)) + jitter * side * rng.uniform(-1, 1, (n, n, 2))
    corners = np.concatenate([x, np.zeros((n, n, 1))], axis=-1).reshape(-1, 3)
    a = (i[:-1, :-1] * n + j[:-1, :-1]).ravel()
    triangles = np.concatenate([np.stack([a, a + n, a + n + 1], axis=1), np.stack([a, a + n + 1, a + 1], axis=1)])
    return vc.shapes.Mesh(corners, triangles)


WALLS = {
    "half-space": FLOOR,
    "plane": vc.shapes.TwoSidedPlane((0, 0, -1)),
    "block": vc.shapes.FixedSolid(vc.shapes.Box((8, 8, 1)), at=(0, 0, -0.5)),
    "polytope": vc.shapes.FixedSolid(
        vc.shapes.Polytope([(x, y, z) for x in (-4, 4) for y in (-4, 4) for z in (-1, 0)])
    ),
    "mesh": flat_mesh(),
    "height field": vc.shapes.HeightField(np.zeros((17, 17)), 0.25, at=(-2.03, -2.07, 0)),
}


@pytest.mark.parametrize("wall", WALLS)
def test_a_cylinder_rolls_down_a_slope_at_two_thirds(wall):
    angle, r = 0.3, 0.1
    gravity = G * np.array([np.sin(angle), 0, -np.cos(angle)])
    lying = vc.Pose((-1.0, 0.02, r), [[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    motion = run(
        free_bodies([vc.shapes.Cylinder(r, 0.4)], walls=[WALLS[wall]], gravity=tuple(gravity), mu=0.5),
        0.6,
        {"b0": lying},
    )
    velocity = np.einsum("tij,tj->ti", motion.body("b0").rotation, motion.v[:, :3])
    expected = 2 / 3 * G * np.sin(angle) * 0.6
    np.testing.assert_allclose(velocity[-1], (expected, 0, 0), atol=2e-7)
    np.testing.assert_allclose(np.linalg.norm(motion.v[-1, 3:]), expected / r, rtol=1e-6)


@pytest.mark.parametrize("wall", WALLS)
def test_a_standing_cylinder_slides_with_friction_and_stays_upright(wall):
    motion = run(
        free_bodies([vc.shapes.Cylinder(0.1, 0.1)], walls=[WALLS[wall]], mu=0.3),
        0.3,
        {"b0": vc.At((-0.5, 0, 0.05), rate=(1, 0, 0, 0, 0, 0))},
    )
    np.testing.assert_allclose(motion.v[-1, :3], (1 - 0.3 * G * 0.3, 0, 0), atol=1e-7)
    np.testing.assert_allclose(motion.body("b0").rotation[-1], np.eye(3), atol=1e-6)


@pytest.mark.parametrize("wall", ["mesh", "height field"])
def test_a_ball_feels_no_edges_between_triangles_in_one_plane(wall):
    start = {"b0": vc.At((-0.9, -0.4, 0.05), rate=(1.4, 0.6, 0, 0, 0, 0))}
    smooth, tiled = (
        run(free_bodies([vc.shapes.Sphere(0.05)], walls=[w], mu=0.3), 1.0, start) for w in (FLOOR, WALLS[wall])
    )
    np.testing.assert_allclose(tiled.q, smooth.q, rtol=0, atol=1e-12)
    np.testing.assert_allclose(tiled.v, smooth.v, rtol=0, atol=1e-11)


@pytest.mark.parametrize("wall", ["mesh", "height field"])
def test_a_sliding_block_feels_no_edges_either(wall):
    c, s = np.cos(0.4), np.sin(0.4)
    start = {"b0": vc.At(vc.Pose((-0.9, -0.4, 0.05), [[c, -s, 0], [s, c, 0], [0, 0, 1]]), rate=(1.0, 0.3, 0, 0, 0, 0))}
    smooth, tiled = (
        run(free_bodies([vc.shapes.Box((0.3, 0.2, 0.1))], walls=[w], mu=0.1), 0.5, start, tolerance=1e-12)
        for w in (FLOOR, WALLS[wall])
    )
    np.testing.assert_allclose(tiled.q, smooth.q, rtol=0, atol=1e-8)


def test_a_polytope_with_the_corners_of_a_box_moves_like_the_box():
    size = np.array([0.3, 0.2, 0.1])
    corners = 0.5 * size * np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T
    start = {"b0": (0.05, 0.02, 0.16), "b1": (0, 0, 0.05), "b2": vc.At((2, 0, 0.3), rate=(0.5, 0.1, 0, 3, 1, 2))}
    box, hull = (
        run(free_bodies([shape] * 3, walls=[FLOOR], mu=0.3), 0.3, start, tolerance=1e-12)
        for shape in (vc.shapes.Box(size), vc.shapes.Polytope(corners))
    )
    np.testing.assert_allclose(hull.q, box.q, atol=1e-6)


def test_a_tetrahedron_comes_to_rest_on_a_face():
    corners = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]) * 0.1
    system = free_bodies([vc.shapes.Polytope(corners)], walls=[FLOOR], mu=0.6)
    motion = run(system, 1.2, {"b0": vc.At((0, 0, 0.3), rate=(0, 0, 0, 1, 2, 0.5))}, tolerance=1e-9)
    heights = np.sort((corners @ motion.body("b0").rotation[-1].T + motion.body("b0").position[-1])[:, 2])
    np.testing.assert_allclose(heights, (0, 0, 0, 0.2 * np.sqrt(2) * np.sqrt(2 / 3)), atol=2e-6)
    assert np.abs(motion.v[-1]).max() < 1e-6


def test_inertia_of_a_polytope_is_that_of_the_box_with_its_corners():
    size = np.array([0.3, 0.2, 0.1])
    corners = 0.5 * size * np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T
    box, hull = (
        vc.Measure.solid(vc.shapes.Box(size), density=700),
        vc.Measure.solid(vc.shapes.Polytope(corners + (1, 2, 3)), density=700),
    )
    np.testing.assert_allclose(hull.mass, box.mass, rtol=1e-12)
    np.testing.assert_allclose(hull.center, (1, 2, 3), rtol=1e-12)
    np.testing.assert_allclose(hull.inertia_at_center, box.inertia_at_center, rtol=1e-9, atol=1e-12)
    points, weights = vc.shapes.Polytope(corners).quadrature(4)
    np.testing.assert_allclose(weights @ points[:, 0] ** 4, size.prod() * size[0] ** 4 / 80, rtol=1e-10)
    assert sorted(len(face) for face in vc.shapes.Polytope(corners).faces) == [4] * 6


def test_a_ball_in_a_parabolic_bowl_swings_like_its_pendulum():
    a, r, side = 0.5, 0.02, 0.01
    x = side * (np.arange(121) - 60)
    heights = 0.5 / a * (x[:, None] ** 2 + x[None] ** 2)
    bowl = vc.shapes.HeightField(heights, side, at=(x[0], x[0], 0))
    system = free_bodies([vc.shapes.Sphere(r)], walls=[bowl])
    motion = run(system, 1.5, {"b0": (0.08, 0.0003, 0.5 / a * 0.08**2 + r * np.hypot(1, 0.08 / a) + 1e-4)}, step=5e-4)
    z = motion.body("b0").position[:, 0]
    turns = motion.time[1:][np.diff(np.sign(z)) != 0]
    np.testing.assert_allclose(np.diff(turns).mean(), np.pi * np.sqrt((a - r) / G), rtol=0.03)


@pytest.mark.parametrize(
    "shape", [vc.shapes.Sphere(0.05), vc.shapes.Capsule(0.04, 0.05), vc.shapes.Box((0.08, 0.09, 0.1))]
)
def test_bodies_do_not_sink_into_ground_that_bends_both_ways(shape):
    x = 0.05 * (np.arange(31) - 15)
    saddle = vc.shapes.HeightField(0.5 * (x[:, None] ** 2 - x[None] ** 2) + 0.02 * np.sin(20 * x[:, None]) * np.sin(20 * x[None]), 0.05,
                            at=(x[0], x[0], 0))  # fmt: skip
    start = {f"b{i}": (0.19 * (i % 3 - 1) + 0.013, 0.17 * (i // 3 - 1) + 0.007, 0.25) for i in range(9)}
    motion = run(free_bodies([shape] * 9, walls=[saddle], mu=0.5), 0.3, start, tolerance=1e-6, step=1e-3)
    assert motion.record.contact_solver.penetration.max() < 1e-3


def test_a_beam_lies_on_the_two_ridges_beneath_it_that_are_highest():
    """Ridges a tenth of a millimeter lower at both its ends are near, outermost, and carry nothing."""
    x, heights = np.linspace(-0.6, 0.6, 25), np.zeros((25, 9))
    for place, height in ((-0.45, 0.0499), (-0.15, 0.05), (0.2, 0.05), (0.45, 0.0499)):
        heights[np.argmin(np.abs(x - place))] = height
    system = free_bodies(
        [vc.shapes.Box((1, 0.1, 0.1))], walls=[vc.shapes.HeightField(heights, 0.05, at=(-0.6, -0.2, 0))], mu=0.3
    )
    motion = vc.simulate(
        system, 0.2, {"b0": (0, 0, 0.1001)}, method="moreau", step=2e-3, tolerance=1e-9, progress=False
    )
    assert motion.record.contact_solver.penetration.max() < 1e-8 and np.abs(motion.v[-1]).max() < 1e-9
    assert motion.body("b0").position[-1, 2] == pytest.approx(0.1, abs=1e-8) and motion.audit().passed


def test_logs_and_caps_carry_each_other():
    log = vc.shapes.Cylinder(0.1, 0.6)
    along = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    system = free_bodies(
        [log, log, log, vc.shapes.Cylinder(0.1, 0.2), vc.shapes.Cylinder(0.1, 0.2), vc.shapes.Box((0.3, 0.3, 0.1))],
        walls=[FLOOR],
        mu=0.8,
    )
    high = 0.1 + np.sqrt(3) * 0.1
    start = {"b0": vc.Pose((-0.1, 0, 0.1), along), "b1": vc.Pose((0.1, 0, 0.1), along), "b2": vc.Pose((0, 0, high), along),
             "b3": (2, 0, 0.1), "b4": (2.03, 0.01, 0.3), "b5": (2, 0, 0.45)}  # fmt: skip
    motion = run(system, 0.3, start, tolerance=1e-9)
    for name in system.tree().bodies:
        moved = np.abs(motion.body(name).position - motion.body(name).position[0]).max()
        assert moved < 1e-5, f"{name} moved by {moved} m"


def test_the_sheet_of_a_plane_keeps_bodies_on_both_sides():
    system = free_bodies(
        [vc.shapes.Sphere(0.1), vc.shapes.Cylinder(0.1, 0.2)],
        walls=[vc.shapes.TwoSidedPlane((1, 0, 0))],
        gravity=(0, 0, 0),
        impact=vc.Elastic(),
    )
    start = {"b0": vc.At((0.3, 0, 0), rate=(-1, 0, 0, 0, 0, 0)), "b1": vc.At((-0.3, 0, 0), rate=(1, 0, 0, 0, 0, 0))}
    motion = run(system, 0.5, start)
    np.testing.assert_allclose(motion.v[-1].reshape(2, 6)[:, 0], (1, -1), atol=1e-9)


def test_a_block_stops_at_a_step_of_a_mesh_and_is_held_by_its_edge():
    stairs = np.array([(x, y, z) for x, z in ((-1, 0), (0, 0), (0, 0.1), (1, 0.1)) for y in (-1, 1)], dtype=float)
    triangles = [t for k in (0, 2, 4) for t in ((k, k + 2, k + 3), (k, k + 3, k + 1))]
    system = free_bodies([vc.shapes.Box((0.2, 0.2, 0.4))], walls=[vc.shapes.Mesh(stairs, triangles)], mu=0.0)
    motion = run(system, 0.4, {"b0": vc.At((-0.3, 0, 0.2), rate=(0.5, 0, 0, 0, 0, 0))}, tolerance=1e-9)
    assert motion.body("b0").position[:, 0].max() < -0.1 + 1e-6
    assert motion.body("b0").position[:, 2].min() > 0.2 - 1e-6


def test_bodies_of_mixed_shapes_are_certified_and_stored(tmp_path):
    rng = np.random.default_rng(4)
    shapes = [vc.shapes.Sphere(0.06), vc.shapes.Box((0.1, 0.12, 0.08)), vc.shapes.Capsule(0.04, 0.1), vc.shapes.Cylinder(0.05, 0.12),
              vc.shapes.Polytope(0.07 * rng.normal(size=(12, 3)))] * 3  # fmt: skip
    x = 0.1 * (np.arange(25) - 12)
    ground = vc.shapes.HeightField(0.25 * (x[:, None] ** 2 + x[None] ** 2), 0.1, at=(x[0], x[0], 0))
    start = {f"b{i}": (0.25 * (i % 3 - 1), 0.25 * (i // 3 % 3 - 1), 0.3 + 0.22 * (i // 9)) for i in range(len(shapes))}
    motion = run(free_bodies(shapes, walls=[ground], mu=0.4), 0.6, start, tolerance=1e-6, step=1e-3)
    assert motion.audit().passed, str(motion.audit())
    motion.save(tmp_path / "free bodies")
    again = vc.load(tmp_path / "free bodies")
    assert again.audit().passed
    assert len(again.plot.picture().axes) == 1
