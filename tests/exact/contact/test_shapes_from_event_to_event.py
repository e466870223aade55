"""Shapes in runs from event to event: their gaps are unilateral constraints. Closed forms, and time stepping as another route."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

ENGINES = [pytest.param("taylor", marks=needs_heyoka), "dop853"]
G, FLOOR = 9.81, vc.shapes.HalfSpace((0, 0, 1))


def falling(shape, impact=0.0, friction=None, **options) -> vc.System:
    system = vc.System("falling", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody.solid("body", shape, density=700.0, **options))
    system.add(vc.Contact("floor", [body], walls=[FLOOR], impact=impact, friction=friction))
    return system


@pytest.mark.parametrize("method", ENGINES)
def test_a_ball_bounces_when_it_should(method):
    motion = vc.simulate(
        falling(vc.shapes.Sphere(0.05), 0.5), 0.85, {"body": (0, 0, 0.55)}, method=method, progress=False
    )
    first = np.sqrt(2 * 0.5 / G)
    np.testing.assert_allclose(motion.record.atoms.times, [first, 2 * first, 2.5 * first], rtol=1e-13)
    assert motion.audit().verdict == "passed", str(motion.audit())


@pytest.mark.parametrize("method", ENGINES)
def test_a_ball_begins_to_roll(method):
    """It slides with v₀ and rolls after t = 2 v₀/(7 μ g), with 5/7 of the speed."""
    speed, mu = 1.4, 0.25
    start = {"body": vc.At((0, 0, 0.05), rate=(speed, 0, 0, 0, 0, 0))}
    motion = vc.simulate(falling(vc.shapes.Sphere(0.05), 0.0, mu), 0.4, start, method=method, progress=False)
    assert motion.record.phases[1].begin == pytest.approx(2 * speed / (7 * mu * G), rel=1e-10)
    assert motion.body("body").velocity[-1, 0] == pytest.approx(5 / 7 * speed, rel=1e-11)


@pytest.mark.parametrize("method", ENGINES)
def test_spheres_exchange_velocities(method):
    system = vc.System("two")
    balls = [system.add(vc.RigidBody.solid(f"ball {i}", vc.shapes.Sphere(0.05), density=700.0)) for i in range(2)]
    system.add(vc.Contact("hit", balls, impact=1.0))
    start = {"ball 0": vc.At((0, 0, 0), rate=(1, 0, 0, 0, 0, 0)), "ball 1": (0.3, 0.05, 0)}
    motion = vc.simulate(system, 0.5, start, method=method, progress=False)
    across = np.sqrt(0.1**2 - 0.05**2)
    n = np.array([across, 0.05, 0]) / 0.1
    assert motion.record.atoms.times == pytest.approx([0.3 - across], rel=1e-13)
    np.testing.assert_allclose(motion.body("ball 1").velocity[-1], n[0] * n, atol=1e-12)
    np.testing.assert_allclose(motion.body("ball 0").velocity[-1], np.array([1.0, 0, 0]) - n[0] * n, atol=1e-12)


@pytest.mark.parametrize(
    "shape, height",
    [(vc.shapes.Capsule(0.05, 0.2), 0.3), (vc.shapes.Box((0.2, 0.1, 0.05)), 0.3)],
    ids=["capsule", "box"],
)
def test_a_tilted_body_falls_as_by_time_stepping(shape, height):
    """Frictionless and inelastic, until both ends have hit the floor."""
    system = vc.System("tilted", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody.solid("body", shape, density=700.0))
    upright = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))
    system.add(vc.Planar("plane", "ground", body, at=upright, to=upright))
    system.add(vc.Contact("floor", [body], walls=[FLOOR], impact=0.0))
    start = {"plane": (0.0, height, 0.6)}
    exact = vc.simulate(system, 0.35, start, method="dop853", progress=False, grid=21)
    stepped = vc.simulate(system, 0.35, start, method="moreau", step=1e-4, progress=False, grid=21)
    np.testing.assert_allclose(stepped.q, exact.q, atol=2e-3)
    assert exact.audit().verdict == "passed", str(exact.audit())


def test_a_box_slides_to_rest():
    """It lies on four corners that share its load; v²/(2 μ g) is its way."""
    start = {"body": vc.At((0, 0, 0.05), rate=(1, 0, 0, 0, 0, 0))}
    system = falling(vc.shapes.Box((0.2, 0.2, 0.1)), 0.0, 0.4)
    motion = vc.simulate(system, 0.4, start, method="dop853", progress=False)
    assert motion.body("body").position[-1, 0] == pytest.approx(1 / (2 * 0.4 * G), rel=1e-9)
    assert motion.audit().verdict == "passed", str(motion.audit())


def test_an_ellipsoid_rocks_with_the_period_of_a_rolling_body():
    """ω² = g (a²/c − c) / ((a² + c²)/5 + c²) for small angles on a rough floor."""
    a, c, tilt = 0.1, 0.06, 1e-4
    omega = np.sqrt(G * (a**2 / c - c) / ((a**2 + c**2) / 5 + c**2))
    system = falling(vc.shapes.Ellipsoid((a, 0.08, c)), 0.0, 0.9)
    height = np.hypot(a * np.sin(tilt), c * np.cos(tilt))
    start = {"body": (0, 0, height, np.cos(tilt / 2), 0, np.sin(tilt / 2), 0)}
    motion = vc.simulate(system, np.pi / omega, start, method="dop853", progress=False, grid=41)
    assert np.abs(2 * motion.q[:, 5] - tilt * np.cos(omega * motion.time)).max() < 1e-6 * tilt
    assert motion.audit().verdict == "passed", str(motion.audit())


@pytest.mark.parametrize(("along", "distance"), [(0.1, 0.0), (0.26, 0.06)], ids=["side", "end"])
def test_a_ball_falls_on_a_capsule_where_the_nearest_point_of_its_axis_says(along, distance):
    """Radii 0.05 and 0.03: the centers' distance from the axis is 0.08 at the impact, over its end the ball is 0.06 beside it."""
    system = vc.System("rod", gravity=(0, 0, -G))
    lying = vc.Pose(rotation=[[0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    rod = system.add(vc.RigidBody.solid("rod", vc.shapes.Capsule(0.05, 0.4), mass=1.0, at=lying))
    system.add(vc.Weld("post", "ground", rod))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.03), mass=0.2))
    system.add(vc.Contact("hit", [rod, ball], impact=0.5))
    motion = vc.simulate(system, 0.2, {"ball": (along, 0, 0.2)}, method="dop853", progress=False)
    height = np.sqrt(0.08**2 - distance**2)
    fall = np.sqrt(2 * (0.2 - height) / G)
    hits = motion.bond("hit: ball and rod").impulses
    assert hits.times[0] == pytest.approx(fall, abs=1e-12)
    # the normal velocity is g t cos of the slope there
    assert hits.normal[0] == pytest.approx(0.2 * 1.5 * G * fall * height / 0.08, rel=1e-12)
    assert motion.audit().verdict == "passed", str(motion.audit())


def test_bodies_of_a_joint_do_not_meet():
    system = vc.System("jointed", gravity=(0, 0, -G))
    one, two = (system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(0.05), density=700.0)) for name in ("one", "two"))
    system.add(vc.Translation("carried", "ground", one))
    system.add(vc.Revolute("hinge", one, two, axis=(0, 1, 0), to=(0.01, 0, 0)))
    system.add(vc.Contact("floor", [one, two], walls=[FLOOR], impact=0.3))
    motion = vc.simulate(system, 0.1, {"carried": (0, 0, 0.5)}, method="dop853", progress=False)
    assert set(motion.record.model.layout.unilaterals) == {"floor: one on wall 1", "floor: two on wall 1"}


@pytest.mark.parametrize(
    "shape, other", [(vc.shapes.Cylinder(0.1, 0.2), None), (vc.shapes.Box((0.1,) * 3), vc.shapes.Sphere(0.1))]
)
def test_pairs_without_a_smooth_gap_are_named(shape, other):
    system = falling(shape)
    if other is not None:
        ball = system.add(vc.RigidBody.solid("other", other, density=700.0))
        system.add(vc.Contact("both", [system.bodies["body"], ball], impact=0.0))
    with pytest.raises(vc.errors.MethodError, match=r"'body' \((Cylinder|Box)\).*use method='moreau'"):
        vc.simulate(system, 0.1, {"body": (0, 0, 1.0)}, method="dop853", progress=False)


def test_too_many_gaps_are_counted():
    system = vc.System("many", gravity=(0, 0, -G))
    balls = [system.add(vc.RigidBody.solid(f"ball {i}", vc.shapes.Sphere(0.05), density=700.0)) for i in range(12)]
    system.add(vc.Contact("all", balls, walls=[FLOOR], impact=0.0))
    with pytest.raises(vc.errors.MethodError, match="78 gaps"):
        vc.simulate(system, 0.1, {f"ball {i}": (0.2 * i, 0, 1) for i in range(12)}, method="dop853", progress=False)
