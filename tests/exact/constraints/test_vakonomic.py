"""Vakonomic motions and added inertia: closed forms and digits of Gołubowska's examples."""

import numpy as np
import pytest
from scipy.special import ellipj

import vinculum as vc
from marks import needs_heyoka

G = 9.81


def knife_edge(realization, slope: float = 0.0) -> vc.System:
    system = vc.System("knife edge", gravity=(slope, 0, 0))
    blade = system.add(vc.RigidBody("blade", 1.0, inertia=(1.0, 1.0, 0.7)))
    system.add(vc.Planar("plane", "ground", blade))
    system.add(vc.Constraint("edge", [blade], velocity=lambda b: -vc.math.dot(b.velocity, b.rotation[:, 1]),
                             realization=realization))  # fmt: skip
    return system


def point(realization, velocity, gravity=(0, -G, 0)) -> vc.System:
    system = vc.System("point", gravity=gravity)
    p = system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Constraint("held", [p], velocity=velocity, realization=realization))
    return system


def fixed_speed(p):
    return vc.math.dot(p.velocity, p.velocity) - 4.0


def disk(realization) -> vc.System:
    """A vertical disk of mass 1, radius 0.5 and moments 0.4 about its axis, 0.2 about the vertical."""
    system = vc.System("disk")
    fork = system.add(vc.RigidBody("fork", 0.6, inertia=(0, 0, 0)))
    wheel = system.add(vc.RigidBody("wheel", 0.4, inertia=(0.2, 0.4, 0.2)))
    system.add(vc.Planar("plane", "ground", fork))
    system.add(vc.Revolute("roll", fork, wheel, axis=(0, 1, 0)))
    system.add(vc.Constraint("rolls", ["plane", "roll"], realization=realization, velocity=lambda p, r: (
        p.v[0] - 0.5 * vc.math.cos(p.q[2]) * r.v, p.v[1] - 0.5 * vc.math.sin(p.q[2]) * r.v)))  # fmt: skip
    return system


def test_a_vakonomic_knife_edge_swings_about_its_first_direction():
    """θ = am(ω₀ t | −m u₀²/J ω₀²), u = u₀ cos θ for μ(0) = 0."""
    motion = vc.simulate(
        knife_edge(vc.Vakonomic(multipliers=0.0)), 4.0, {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}
    )
    assert np.allclose(motion.q[-1, :3], [2.80999675, 0.32741435, 5.39047925], rtol=0, atol=6e-9)
    k = 1.3**2 / (0.7 * 0.9**2)
    # am(u | −k) by the imaginary-modulus transformation, whose modulus lies between 0 and 1
    _, cn, dn, _ = ellipj(np.sqrt(1 + k) * 0.9 * motion.time, k / (1 + k))
    assert np.abs(np.cos(motion.q[:, 2]) - cn / dn).max() < 1e-12
    forward = np.stack([np.cos(motion.q[:, 2]), np.sin(motion.q[:, 2])], axis=1)
    assert np.abs((motion.v[:, :2] * forward).sum(axis=1) - 1.3 * np.cos(motion.q[:, 2])).max() < 1e-12
    assert np.ptp(motion.energy) < 1e-13
    assert motion.audit().passed, str(motion.audit())


def test_a_vakonomic_knife_edge_goes_down_an_incline_that_dalembert_never_leaves():
    start = {"plane": vc.At((0, 0, 0), rate=(0, 0, 0.9))}
    kept = vc.simulate(knife_edge(vc.DAlembert(), 3.0), 12.0, start)
    motion = vc.simulate(knife_edge(vc.Vakonomic(multipliers=0.0), 3.0), 12.0, start)
    assert kept.q[:, 0].max() == pytest.approx(1.8519, abs=1e-4)
    assert motion.q[-1, 0] == pytest.approx(10.418, abs=1e-3)
    assert np.abs(motion.bond("edge").multiplier - 3.0 * motion.time * np.sin(motion.q[:, 2])).max() < 1e-11
    assert motion.audit().passed, str(motion.audit())


def test_a_rolling_disk_is_dalemberts_for_one_start_of_its_multipliers_only():
    start = {"plane": vc.At((0, 0, 0), rate=(0.7, 0, 0.8)), "roll": vc.At(0.0, rate=1.4)}
    ideal = vc.simulate(disk(vc.DAlembert()), 5.0, start)
    same = vc.simulate(disk(vc.Vakonomic(multipliers=(-0.7, 0.0))), 5.0, start)
    other = vc.simulate(disk(vc.Vakonomic(multipliers=0.0)), 5.0, start)
    assert np.abs(same.q[:, :4] - ideal.q).max() < 1e-12
    assert np.abs(same.bond("rolls").multiplier + same.v[:, :2]).max() < 1e-12
    assert np.all(np.abs(other.q[:, :4] - ideal.q).max(axis=1)[other.time >= 3.0] > 1.0)
    assert same.audit().passed and other.audit().passed


def test_added_inertia_tends_to_the_vakonomic_motion_as_one_over_its_coefficient():
    start = {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}
    limit = vc.simulate(knife_edge(vc.Vakonomic(multipliers=0.25)), 2.0, start)
    errors = []
    for kappa in (1e2, 1e3, 1e4):
        loose = {"plane": vc.At((0, 0, 0), rate=(1.3, -0.25 / kappa, 0.9))}
        motion = vc.simulate(knife_edge(vc.constraints.AddedInertia(kappa)), 2.0, loose)
        assert motion.bond("edge").multiplier[0] == pytest.approx(0.25, abs=1e-12)
        assert motion.audit().passed, str(motion.audit())
        errors.append(np.abs(motion.q[-1] - limit.q[-1, :3]).max())
    assert np.allclose(errors, [8.9e-3, 9.0e-4, 9.0e-5], rtol=6e-3)


@pytest.mark.parametrize("start", [0.0, 0.4, -1.3])
@needs_heyoka
def test_a_vakonomic_point_of_fixed_speed_follows_its_momentum(start):
    """v = c P/|P| with P = (m + λ′) v: Gołubowska (78), with the right sign of its second term; opposite where m + λ′ < 0."""
    motion = vc.simulate(
        point(vc.Vakonomic(multipliers=start / 2), fixed_speed), 1.0, {"p": vc.At((0, 0, 0), rate=(2, 0, 0))}
    )
    P = np.stack([np.full_like(motion.time, 2 * (1 + start)), -G * motion.time], axis=1)
    velocity = np.sign(1 + start) * 2 * P / np.linalg.norm(P, axis=1)[:, None]
    assert np.abs(motion.v[:, :2] - velocity).max() < 1e-12
    assert np.ptp((1 + 2 * motion.bond("held").multiplier) * 4 + G * motion.q[:, 1]) < 1e-12
    assert motion.audit().passed, str(motion.audit())


def test_a_vakonomic_point_of_fixed_speed_falls_on_a_catenary():
    motion = vc.simulate(
        point(vc.Vakonomic(multipliers=0.0), fixed_speed), 1.0, {"p": vc.At((0, 0, 0), rate=(2, 0, 0))}
    )
    assert np.allclose(motion.q[-1, :2], [0.935223, -1.633394], rtol=0, atol=1e-6)
    x, y = motion.q[:, 0], motion.q[:, 1]
    assert np.abs(y + 4 / G * (np.cosh(G * x / 4) - 1)).max() < 1e-12


@pytest.mark.parametrize("start", [0.0, 0.3, 2.0, -0.2])
def test_a_cone_of_directions_falls_uniformly_whatever_its_multiplier(start):
    """ẋ² + ẏ² = α² ż²: z̈ = −g/(1 + α²); with μ = 2 the whole inertia is singular on the way, but not along the cone."""
    motion = vc.simulate(
        point(vc.Vakonomic(multipliers=start), lambda p: p.velocity[0] ** 2 + p.velocity[1] ** 2 - 0.49 * p.velocity[2] ** 2,
              (0, 0, -G)), 1.0, {"p": vc.At((0, 0, 0), rate=(0.42, 0.56, -1.0))})  # fmt: skip
    t = motion.time
    assert np.abs(motion.q[:, 2] + t + 0.5 * G / 1.49 * t * t).max() < 1e-12
    assert np.ptp(motion.energy) < 1e-12
    assert motion.audit().passed, str(motion.audit())


def test_energy_changes_by_what_the_constraint_holds():
    """E[L] + μ v·∂F/∂v changes by −μ ∂F/∂t alone: Gołubowska (87), (89)."""

    def F(p, t):
        x, v = p.position, p.velocity
        return v[0] * v[1] + 0.3 * v[2] ** 2 * v[0] + 0.5 * vc.math.sin(x[0]) * v[2] - 0.4 - 0.1 * vc.math.sin(t)

    motion = vc.simulate(
        point(vc.Vakonomic(multipliers=0.4), F, (0, 0, -1)), 2.0, {"p": vc.At((0.1, 0, 0), rate=(0.8, 0.5, 0))}
    )
    x, v, mu = motion.q[:, :3], motion.v, motion.bond("held").multiplier
    F_v = np.stack([v[:, 1] + 0.3 * v[:, 2] ** 2, v[:, 0], 0.6 * v[:, 2] * v[:, 0] + 0.5 * np.sin(x[:, 0])], axis=1)
    held = motion.energy + mu * (F_v * v).sum(axis=1)
    rate = mu * 0.1 * np.cos(motion.time)
    h = motion.time[1] - motion.time[0]
    gained = h / 3 * (rate[0] + rate[-1] + 4 * rate[1:-1:2].sum() + 2 * rate[2:-1:2].sum())
    assert abs(held[-1] - held[0] - gained) < 1e-11
    assert np.ptp(motion.energy) > 0.1
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("start", [0.0, -0.8])
def test_integrable_constraints_have_one_motion_whatever_the_multiplier(start):
    """The surface z = x² + y², written as eˣ (2x ẋ + 2y ẏ − ż) = 0."""

    def velocity(p):
        (x, y, _), v = p.position, p.velocity
        return vc.math.exp(x) * (2 * x * v[0] + 2 * y * v[1] - v[2])

    first = {"p": vc.At((0.5, 0.2, 0.29), rate=(0.3, 0.8, 0.62))}
    ideal = vc.simulate(point(vc.DAlembert(), velocity, (0, 0, -G)), 2.0, first)
    motion = vc.simulate(point(vc.Vakonomic(multipliers=start), velocity, (0, 0, -G)), 2.0, first)
    assert np.abs(motion.q[:, :3] - ideal.q).max() < 1e-11
