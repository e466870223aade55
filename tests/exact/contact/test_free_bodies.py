"""Contact between shapes: closed forms, worked out from the description alone."""

import numpy as np
import pytest

import vinculum as vc
from free_bodies import G, free_bodies, on_slope, settled_box

STEP = 1e-3


def run(system, until, start, tolerance=1e-10, step=STEP, **options):
    return vc.simulate(system, until=until, start=start, method="moreau", step=step, tolerance=tolerance, **options)


@pytest.mark.parametrize("e", [0.0, 0.4, 1.0])
def test_two_spheres_collide_as_in_every_textbook(e):
    system = free_bodies([vc.shapes.Sphere(0.05), vc.shapes.Sphere(0.08)], gravity=(0, 0, 0), impact=vc.Newton(e))
    motion = run(
        system,
        0.2,
        {"b0": vc.At((0, 0, 0), rate=(2, 0, 0, 0, 0, 0)), "b1": vc.At((0.2, 0, 0), rate=(-1, 0, 0, 0, 0, 0))},
    )
    m, n = 0.05**3, 0.08**3
    common = (2 * m - n) / (m + n)
    expected = common - e * n * 3 / (m + n), common + e * m * 3 / (m + n)
    np.testing.assert_allclose(motion.v[-1].reshape(2, 6)[:, 0], expected, rtol=0, atol=1e-12)
    kept = np.abs(motion.body().momentum - motion.body().momentum[0]).max(axis=0)
    np.testing.assert_allclose(kept, 0, atol=1e-14)
    if e == 1.0:
        np.testing.assert_allclose(motion.energy, motion.energy[0], rtol=1e-13)


def test_a_grazing_collision_with_friction_follows_coulomb():
    m, R, mu, e = 4 / 3 * np.pi * 0.05**3 * 1000, 0.05, 0.2, 0.5
    system = free_bodies(
        [vc.shapes.Sphere(R)], walls=[vc.shapes.HalfSpace((0, 0, 1))], gravity=(0, 0, 0), impact=vc.Newton(e), mu=mu
    )
    v = np.array([3.0, 0, -1.0])
    motion = run(system, 0.1, {"b0": vc.At((0, 0, R + 0.03), rate=(*v, 0, 0, 0))})
    normal = m * (1 + e)
    stop = v[0] / (1 / m + R**2 / (0.4 * m * R**2))
    pull = min(mu * normal, stop)
    velocity = motion.body("b0").rotation[-1] @ motion.v[-1, :3]
    np.testing.assert_allclose(velocity, (v[0] - pull / m, 0, e), atol=1e-12)
    np.testing.assert_allclose(
        motion.v[-1, 4], R * pull / (0.4 * m * R**2), rtol=2e-2
    )  # the hit comes up to half a step early


def test_a_sliding_ball_ends_rolling_with_five_sevenths_of_its_speed():
    R = 0.05
    system = free_bodies([vc.shapes.Sphere(R)], walls=[vc.shapes.HalfSpace((0, 0, 1))], mu=0.3)
    motion = run(system, 0.5, {"b0": vc.At((0, 0, R), rate=(1.4, 0, 0, 0, 0, 0))})
    velocity = np.einsum("tij,tj->ti", motion.body("b0").rotation, motion.v[:, :3])
    np.testing.assert_allclose(velocity[-1], (1.0, 0, 0), atol=1e-9)
    np.testing.assert_allclose(velocity[100, 0], 1.4 - 0.3 * G * 0.1, atol=1e-9)
    np.testing.assert_allclose(motion.v[-1, 4], 1.0 / R, rtol=1e-9)


def test_a_block_sticks_on_a_slope():
    system, start = on_slope(np.radians(20), 0.5)
    motion = run(system, 0.5, start, tolerance=1e-13)
    assert np.abs(motion.v).max() < 1e-12
    assert np.linalg.norm(motion.body("b0").position - motion.body("b0").position[0], axis=1).max() < 1e-9


def test_a_block_slides_down_a_slope_as_it_should():
    system, start = on_slope(0.5, 0.3)
    motion = run(system, 1.0, start, tolerance=1e-12)
    np.testing.assert_allclose(motion.v[-1, 0], G * (np.sin(0.5) - 0.3 * np.cos(0.5)), atol=1e-9)


def test_a_stack_of_cubes_stands_still():
    system = free_bodies([vc.shapes.Box((1, 1, 1))] * 6, walls=[vc.shapes.HalfSpace((0, 0, 1))], mu=0.5)
    motion = run(system, 0.5, {f"b{i}": (0, 0, 0.5 + i) for i in range(6)}, tolerance=1e-8)
    assert np.abs(motion.body("b5").position - motion.body("b5").position[0]).max() < 1e-8
    assert motion.record.contact_solver.residual.max() <= 1e-8
    assert (
        motion.record.contact_solver.sweeps[2:].max() < 0.1 * motion.record.contact_solver.sweeps[0]
    )  # begun with the impulses of the step before


def test_a_ball_falls_on_a_parabola_and_stops_on_the_ground():
    system = free_bodies([vc.shapes.Sphere(0.05)], walls=[vc.shapes.HalfSpace((0, 0, 1))])
    motion = run(system, 1.0, {"b0": (0, 0, 1.05)})
    hit = np.sqrt(2 / G)
    before = motion.time < hit - 2 * STEP
    np.testing.assert_allclose(
        motion.body("b0").position[before, 2], 1.05 - 0.5 * G * motion.time[before] ** 2, atol=1e-12
    )
    after = motion.time > hit + 3 * STEP
    np.testing.assert_allclose(motion.body("b0").position[after, 2], 0.05, atol=1e-9)
    np.testing.assert_allclose(motion.v[after], 0, atol=1e-9)


@pytest.mark.parametrize(
    "shape, height",
    [(vc.shapes.Sphere(0.1), 0.1), (vc.shapes.Box((0.2, 0.3, 0.4)), 0.2), (vc.shapes.Capsule(0.1, 0.3), 0.25)],
)
@pytest.mark.parametrize(
    "wall", [vc.shapes.HalfSpace((0, 0, 1), 0.5), vc.shapes.FixedSolid(vc.shapes.Box((3, 3, 1)), at=(0, 0, 0))]
)
def test_every_shape_comes_to_rest_on_planes_and_blocks(shape, height, wall):
    motion = run(free_bodies([shape], walls=[wall], mu=0.4), 0.4, {"b0": (0.1, 0, 0.5 + height + 0.1)}, tolerance=1e-8)
    np.testing.assert_allclose(motion.body("b0").position[-1], (0.1, 0, 0.5 + height), atol=1e-6)


def test_a_capsule_lies_on_another_and_a_ball_on_a_capsule():
    lying = vc.Pose((0, 0, 0.1), [[0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    above = vc.Pose((0, 0, 0.3), [[0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    system = free_bodies(
        [vc.shapes.Capsule(0.1, 0.4), vc.shapes.Capsule(0.1, 0.4), vc.shapes.Sphere(0.1)],
        walls=[vc.shapes.HalfSpace((0, 0, 1))],
        mu=0.4,
    )
    motion = run(system, 0.2, {"b0": lying, "b1": above, "b2": (0, 0, 0.5)}, tolerance=1e-9)
    heights = [motion.body(f"b{i}").position[-1, 2] for i in range(3)]
    np.testing.assert_allclose(heights, (0.1, 0.3, 0.5), atol=1e-7)


def test_the_residual_knows_no_units():
    system, start = settled_box()
    heavy = vc.System("heavy", gravity=(0, 0, -G))
    bodies = [heavy.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(0.05), density=1e6)) for i in range(len(start))]
    contact = system.contacts["contact"]
    heavy.add(vc.Contact("contact", bodies, walls=contact.walls, impact=contact.impact, friction=contact.friction))
    a, b = (run(one, 0.25, start, tolerance=1e-5, step=2e-3) for one in (system, heavy))
    np.testing.assert_array_equal(a.record.contact_solver.sweeps, b.record.contact_solver.sweeps)
    np.testing.assert_allclose(
        a.record.contact_solver.residual, b.record.contact_solver.residual, rtol=1e-3, atol=1e-12
    )
    np.testing.assert_allclose(a.q, b.q, atol=1e-9)


def test_spheres_in_a_box_settle_without_penetration_and_lose_energy():
    system, start = settled_box()
    motion = run(system, 1.0, start, tolerance=1e-5, step=2e-3)
    assert motion.record.contact_solver.residual.max() <= 1e-5
    assert motion.record.contact_solver.penetration.max() < 1e-5
    assert np.diff(motion.energy).max() < 1e-6 * motion.energy[0]  # of the size of what is left of the law
    x = motion.q[-1].reshape(-1, 7)[:, :3]
    distances = np.linalg.norm(x[:, None] - x[None], axis=2) + np.eye(len(x))
    assert distances.min() > 0.1 - 1e-5 and x[:, 2].min() > 0.05 - 1e-5
