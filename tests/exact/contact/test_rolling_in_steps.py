"""Balls and discs on a rough floor by time stepping: closed forms of rolling, and of sliding that turns into it."""

import numpy as np
import pytest

import vinculum as vc

G, MU = 9.81, 0.3


def ball(radius: float) -> vc.System:
    system = vc.System("ball", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(radius), mass=0.17))
    system.add(vc.Unilateral("floor", [body], gap=lambda b: b.position[2] - radius, impact=vc.Inelastic(), friction=vc.Coulomb(MU),
                           point=lambda b: b.position - np.array([0, 0, radius])))  # fmt: skip
    return system


def rolled(system, start, until, h, **options):
    return vc.simulate(system, until, start, method="moreau", step=h, progress=False, **options)


@pytest.mark.parametrize("h", [2e-3, 5e-4])
@pytest.mark.parametrize("impacts", ["located", "stepped"])
def test_a_ball_that_rolls_fast_keeps_its_speed_and_presses_in_every_step(h, impacts):
    r = 0.028
    motion = rolled(ball(r), {"ball": vc.At((0, 0, r), rate=(1, 0, 0, 0, 1 / r, 0))}, 1.0, h, impacts=impacts)
    np.testing.assert_allclose(np.linalg.norm(motion.v[-1, :3]), 1.0, rtol=1e-11)
    np.testing.assert_allclose(motion.v[-1, 4] * r, 1.0, rtol=1e-11)
    hits = motion.bond("floor").impulses
    assert len(hits.times) == round(1.0 / h)
    np.testing.assert_allclose(
        hits.normal, 0.17 * G * h, rtol=(h / r) ** 2 / G / r
    )  # (hω)² V ω/g, as axes turn with the ball
    assert abs(motion.body("ball").position[-1, 0] - 1.0) < 0.2 * (h / r) ** 2


@pytest.mark.parametrize("spin", [0.0, -6.0])
def test_a_struck_ball_slides_and_then_rolls_with_five_sevenths_and_is_certified(spin):
    r = 0.1
    motion = rolled(ball(r), {"ball": vc.At((0, 0, r), rate=(1, 0, 0, 0, spin, 0))}, 1.0, 2e-4)
    final = (5.0 + 2.0 * spin * r) / 7.0
    rolling = (1.0 - final) / (MU * G)
    t = motion.time
    way = np.where(t < rolling, t - 0.5 * MU * G * t**2, rolling * 0.5 * (1.0 + final) + final * (t - rolling))
    np.testing.assert_allclose(motion.body("ball").position[:, 0], way, atol=2e-5)
    np.testing.assert_allclose(np.linalg.norm(motion.v[-1, :3]), final, atol=2e-6)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


def test_errors_of_a_struck_ball_are_of_the_second_order():
    r = 0.028
    errors = []
    for h in (2e-3, 5e-4):
        motion = rolled(ball(r), {"ball": vc.At((0, 0, r), rate=(1, 0, 0, 0, 0, 0))}, 0.5, h)
        errors.append(abs(np.linalg.norm(motion.v[-1, :3]) - 5.0 / 7.0))
    assert np.log(errors[0] / errors[1]) / np.log(4.0) == pytest.approx(2.0, abs=0.3)


def test_an_upright_disc_rolls_on():
    r = 0.05
    system = vc.System("disc", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody("disc", 0.2, inertia=(1.3e-4, 2.5e-4, 1.3e-4)))
    system.add(vc.Unilateral("floor", [body], gap=lambda b: b.position[2] - r, impact=vc.Inelastic(), friction=vc.Coulomb(MU),
                           point=lambda b: b.position - np.array([0, 0, r])))  # fmt: skip
    motion = rolled(system, {"disc": vc.At((0, 0, r), rate=(2, 0, 0, 0, 2 / r, 0))}, 0.5, 1e-3)
    np.testing.assert_allclose(np.linalg.norm(motion.v[-1, :3]), 2.0, rtol=1e-11)
    np.testing.assert_allclose(motion.v[-1, 3:], (0, 2 / r, 0), atol=1e-9)


@pytest.mark.parametrize("impacts", ["located", "stepped"])
def test_an_arm_at_rest_on_a_soft_stop_neither_sinks_nor_drifts(impacts):
    h = 5e-4
    system = vc.System("arm", gravity=(0, 0, -G))
    rod = system.add(vc.RigidBody("rod", 1.0, (0.5, 0, 0), (0.001, 0.084, 0.084)))
    system.add(vc.Revolute("hinge", "ground", rod, axis=(0, 1, 0)))
    system.add(vc.Unilateral("stop", [rod], gap=lambda b: b.point((1, 0, 0))[2] + 0.5, impact=vc.Inelastic()))
    motion = rolled(system, {"hinge": 0.3}, 2.0, h, impacts=impacts)
    edges = np.asarray(motion.record.pieces.times)[:-1]
    begun = np.array(motion.record.pieces.coefficients)[:, 0, 0][~np.isin(edges, motion.record.atoms.times)]
    gaps = 0.5 - np.sin(begun)
    assert gaps.min() > -1e-12
    resting = gaps[-2000:]
    assert resting.max() < G * h**2
    assert np.ptp(resting) < 1e-11
