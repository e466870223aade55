"""Contacts beside the mass center: what an impulse turns, and how bodies are moved and turned out of penetration."""

import numpy as np

import vinculum as vc
from free_bodies import free_bodies
from vinculum.screws import rotation

FLOOR = vc.shapes.HalfSpace((0, 0, 1))


M, INERTIA, BESIDE, RADIUS = 2.0, 0.03, np.array([0.02, 0.05, 0.01]), 0.1


def loaded_ball() -> vc.System:
    """A ball whose mass center is ``BESIDE`` its middle, above a floor and without weight."""
    system = vc.System("loaded ball")
    ball = system.add(vc.RigidBody("ball", M, tuple(BESIDE), 3 * (INERTIA,), shape=vc.shapes.Sphere(RADIUS)))
    system.add(vc.Contact("contact", [ball], walls=[FLOOR], impact=vc.Inelastic()))
    np.testing.assert_allclose(ball.inertia_at_center, INERTIA * np.eye(3), atol=1e-15)
    return system


def run(start, until, **options) -> vc.Motion:
    return vc.simulate(loaded_ball(), until, {"ball": start}, method="moreau", step=1e-3, tolerance=1e-12, **options)


def test_a_ball_whose_mass_center_is_beside_its_middle_turns_when_it_lands():
    """1/w = 1/m + |r × n|²/I with r from the mass center to below the middle; P = w v, ω = I⁻¹ (r × n) P."""
    v = 1.5
    motion = run(vc.At((0, 0, RADIUS + 10.5e-3 * v), rate=(0, 0, -v, 0, 0, 0)), 11e-3)
    arm = np.cross(np.array([0, 0, -RADIUS]) - BESIDE, (0, 0, 1))
    P = v / (1 / M + arm @ arm / INERTIA)
    turn = arm * P / INERTIA
    np.testing.assert_allclose(motion.body("ball").rotation[-1] @ motion.v[-1, 3:], turn, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(motion.body().momentum[-1, :3], (0, 0, P - M * v), atol=1e-9)


def test_a_loaded_ball_in_flight_turns_about_its_mass_center():
    v, w, T = np.array([0.3, -0.2, 0.5]), np.array([4.0, -3.0, 2.0]), 0.1
    motion = run(vc.At((0, 0, 1.0), rate=(*v, *w)), T)
    np.testing.assert_allclose(
        motion.body("ball").center[-1], BESIDE + (0, 0, 1.0) + T * (v + np.cross(w, BESIDE)), atol=1e-12
    )
    angle = T * np.linalg.norm(w)
    R = rotation(w / np.linalg.norm(w), angle)
    np.testing.assert_allclose(motion.body("ball").rotation[-1], R, atol=1e-12)
    np.testing.assert_allclose(R @ motion.v[-1, :3], v + np.cross(w, BESIDE) - np.cross(w, R @ BESIDE), atol=1e-12)


def test_a_loaded_ball_inside_the_floor_is_put_on_it():
    motion = run(vc.At((0.3, -0.2, RADIUS - 1e-4)), 1e-3, resolve=True)
    assert abs(motion.body("ball").position[0, 2] - RADIUS) < 1e-6
    assert np.linalg.norm(motion.body("ball").center[0, :2] - BESIDE[:2] - (0.3, -0.2)) < 1e-9


def test_a_corner_inside_the_floor_is_lifted_and_turned_out_by_the_least_move():
    """With the depth δ, λ = δ/(1/m + (r × n) · J⁻¹ (r × n)): a lift of λ/m and a turn by J⁻¹ (r × n) λ, to first order."""
    size, depth = np.array([0.4, 0.3, 0.2]), 1e-4
    R = rotation(np.array([2.0, 3.0, 6.0]) / 7.0, 0.9)
    corner = min(
        (R @ (0.5 * size * signs) for signs in np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T),
        key=lambda r: r[2],
    )
    system = free_bodies([vc.shapes.Box(tuple(size))], walls=[FLOOR], gravity=(0, 0, 0))
    x = np.array([0.1, -0.2, -corner[2] - depth])
    motion = vc.simulate(system, 1e-3, {"b0": vc.Pose(x, R)}, method="moreau", step=1e-3, resolve=True)
    m = 1000 * size.prod()
    J = R @ np.diag(m / 12 * ((size**2).sum() - size**2)) @ R.T
    arm = np.cross(corner, (0, 0, 1))
    pushed = depth / (1 / m + arm @ np.linalg.solve(J, arm))
    np.testing.assert_allclose(motion.body("b0").position[0] - x, (0, 0, pushed / m), rtol=2e-3, atol=1e-9)
    turned = motion.body("b0").rotation[0] @ R.T
    angles = 0.5 * np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]])
    np.testing.assert_allclose(angles, pushed * np.linalg.solve(J, arm), rtol=2e-3, atol=1e-8)


def test_a_sliding_block_is_pulled_back_along_its_second_tangent_and_its_impulses_are_told_apart():
    """Tangents of a normal z are y and −x. Four feet that stick have twelve impulses for six freedoms, four that slide have four."""
    mu, h, size = 0.3, 1e-3, np.array([0.4, 0.4, 0.2])
    system = free_bodies([vc.shapes.Box(tuple(size))], walls=[FLOOR], mu=mu)
    place = (0, 0, 0.5 * size[2])
    slides, rests = (
        vc.simulate(system, 5 * h, {"b0": start}, method="moreau", step=h, tolerance=1e-10)
        for start in (vc.At(place, rate=(1.0, 0, 0, 0, 0, 0)), place)
    )
    pressed = slides.bond("contact").impulses
    np.testing.assert_allclose(pressed.tangential[:, 1], mu * pressed.normal, rtol=1e-8)
    np.testing.assert_allclose(pressed.tangential[:, 0], 0.0, atol=1e-10)
    np.testing.assert_allclose(pressed.normal.sum(), 5 * h * 9.81 * 1000 * size.prod(), rtol=1e-8)
    assert np.all(slides.record.contact_solver.surplus == 0) and np.all(rests.record.contact_solver.surplus == 6)
