"""Rolling and spinning resistance against closed forms."""

import numpy as np
import pytest

import vinculum as vc
from records import altered

G, R, DELTA, SIGMA = 9.81, 0.1, 0.004, 0.003
KINDS = ("contact", "unilateral")


def ball_on_slope(kind: str, slope: float = 0.0, **resistance) -> tuple[vc.System, np.ndarray]:
    """A ball on a plane that falls along x, and the plane's normal."""
    n = np.array([np.sin(slope), 0.0, np.cos(slope)])
    system = vc.System("ball on a slope", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(R), density=1000))
    laws = {"impact": vc.Inelastic(), "friction": vc.Coulomb(0.5, **resistance)}
    if kind == "contact":
        system.add(vc.Contact("floor", [ball], walls=[vc.shapes.HalfSpace(n)], **laws))
    else:
        system.add(
            vc.Unilateral("floor", [ball], gap=lambda b: n @ b.position - R, point=lambda b: b.position - R * n, **laws)
        )
    return system, n


@pytest.mark.parametrize("kind", KINDS)
def test_a_rolling_ball_slows_down_at_five_sevenths_of_g_delta_over_r_and_stays_at_rest(kind):
    system, _ = ball_on_slope(kind, rolling=DELTA)
    errors = []
    for h in (1e-3, 5e-4):
        start = {"ball": vc.At(vc.Pose((0, 0, R)), rate=(0.15, 0, 0, 0, 1.5, 0))}
        motion = vc.simulate(system, until=0.8, start=start, method="moreau", step=h, grid=round(0.8 / h) + 1)
        slowing = 5.0 / 7.0 * G * DELTA / R
        rest = 0.15 / slowing
        exact = np.where(motion.time < rest, 0.15 * motion.time - 0.5 * slowing * motion.time**2, 0.075 * rest)
        x = motion.body("ball").position[:, 0]
        errors.append(np.abs(x - exact).max())
        still = motion.time > rest + 0.1
        assert np.abs(motion.v[still]).max() < 1e-12
        assert np.ptp(x[still]) < 1e-12
        if kind == "unilateral" and h == 5e-4:
            assert motion.audit().passed, str(motion.audit())
    assert errors[1] < 0.03 * 0.075 * rest
    assert errors[1] < 0.6 * errors[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_ball_stays_on_a_slope_that_is_no_steeper_than_delta_over_r(kind):
    for part, stays in ((0.98, True), (1.02, False)):
        slope = np.arctan(part * DELTA / R)
        system, n = ball_on_slope(kind, slope, rolling=DELTA)
        motion = vc.simulate(
            system, until=0.4, start={"ball": vc.Pose(tuple(R * n))}, method="moreau", step=2e-3, grid=201
        )
        way = np.linalg.norm(motion.body("ball").position[-1] - R * n)
        expected = 0.5 * 0.4**2 * 5.0 / 7.0 * G * (np.sin(slope) - np.cos(slope) * DELTA / R)
        assert way < 1e-12 if stays else abs(way / expected - 1.0) < 0.03


@pytest.mark.parametrize("kind", KINDS)
def test_a_spinning_ball_stops_at_sigma_g_m_over_its_inertia(kind):
    system, _ = ball_on_slope(kind, spinning=SIGMA)
    start = {"ball": vc.At(vc.Pose((0, 0, R)), rate=(0, 0, 0, 0, 0, 3.0))}
    motion = vc.simulate(system, until=0.8, start=start, method="moreau", step=1e-3, grid=801)
    slowing = SIGMA * G / (0.4 * R * R)
    assert np.abs(motion.v[:, 5] - np.maximum(3.0 - slowing * motion.time, 0.0)).max() < 2.0 * slowing * 1e-3
    assert np.abs(motion.v[-1]).max() < 1e-12
    hits = motion.bond("floor").impulses
    assert np.all(np.abs(hits.moments[:, 0]) <= SIGMA * hits.normal * (1 + 1e-9))
    turning = hits.times < 3.0 / slowing - 2e-3
    np.testing.assert_allclose(np.abs(hits.moments[turning, 0]), SIGMA * hits.normal[turning], rtol=1e-9)


def test_a_moment_beyond_its_limit_or_along_the_turn_breaks_the_certificate():
    from dataclasses import replace

    from vinculum.motion.impulses.meetings import Meetings

    system, _ = ball_on_slope("contact", rolling=DELTA, spinning=SIGMA)
    start = {"ball": vc.At(vc.Pose((0, 0, R)), rate=(0.15, 0, 0, 0, 1.5, 2.0))}
    motion = vc.simulate(system, until=0.2, start=start, method="moreau", step=1e-3)
    lines = {line.law: line for line in motion.audit().lines}
    for law in ("rolling |M_T| ≤ δ P_N", "spinning |M_N| ≤ σ P_N", "rolling and spinning M · ω⁺ ≤ 0"):
        assert lines[law].verdict == "holds"
    for factor, law in ((1.01, "rolling |M_T| ≤ δ P_N"), (-1.0, "rolling and spinning M · ω⁺ ≤ 0")):
        rows = motion.record.atoms.meetings.rows.copy()
        rows[:, 19:] *= factor
        wrong = altered(motion, atoms=replace(motion.record.atoms, meetings=Meetings(rows)))
        broken = {line.law: line.verdict for line in wrong.audit().lines}
        assert broken[law] == "broken"
        assert broken["impulses M [v] = Hᵀ P"] == "broken"


def test_every_unilateral_constraint_that_resists_has_moments_of_its_own():
    """One ball rests and has none; the other spins, and a moment σ P_N is against it."""
    system = vc.System("two balls", gravity=(0, 0, -G))
    for name in ("resting", "spinning"):
        ball = system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(R), density=1000))
        system.add(vc.Unilateral(f"{name} floor", [ball], gap=lambda b: b.position[2] - R, point=lambda b: b.position - (0, 0, R),
                               impact=vc.Inelastic(), friction=vc.Coulomb(0.5, spinning=SIGMA)))  # fmt: skip
    start = {"resting": vc.Pose((0, 0, R)), "spinning": vc.At(vc.Pose((0, 1, R)), rate=(0, 0, 0, 0, 0, 5.0))}
    motion = vc.simulate(system, 5e-3, start, method="moreau", step=1e-3)
    resting, spinning = (motion.bond(f"{name} floor").impulses for name in ("resting", "spinning"))
    np.testing.assert_allclose(resting.moments, 0.0, atol=1e-12)
    np.testing.assert_allclose(spinning.moments[:, 0], -SIGMA * spinning.normal, rtol=1e-8)
    np.testing.assert_allclose(spinning.normal, 1e-3 * G * 1000 * 4 / 3 * np.pi * R**3, rtol=1e-8)
