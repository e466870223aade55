"""Balls, sleighs and other bodies that roll or glide, against closed forms and against Newton and Euler."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from rolling import UP, G, ellipsoid_arm, offset_sphere, placed, rolled, sphere_arm

M, I, R0, A = 0.8, (0.02, 0.02, 0.03), 0.3, 0.08
"""Mass, moments, radius, and how far the mass center is below the middle."""


@pytest.mark.parametrize("height", [0.0, 0.25])
def test_a_ball_on_a_turntable_runs_on_circles(height):
    """A homogeneous ball: v' = 2/7 Ω e × v, period 7π/Ω, whatever its start."""
    turning, r = 2.1, 0.3
    system = vc.System("ball on a turntable", gravity=(0, 0, -G))
    table = system.add(vc.PrescribedBody("table", position=(0, 0, height), rotation=(UP, lambda t: turning * t)))
    ball = system.add(vc.RigidBody("ball", 1.7, inertia=(0.4 * 1.7 * r**2,) * 3))
    system.add(vc.constraints.Rolling.sphere("rolling", ball, r, on=table, realization=vc.DAlembert()))
    x, v = np.array([0.5, -0.2, height + r]), np.array([0.3, 0.4, 0.0])
    s = np.cross(turning * UP, x) - v
    w = np.array([s[1] / r, -s[0] / r, 0.6])
    period = 7 * np.pi / turning
    motion = vc.simulate(system, period, {"ball": placed(np.eye(3), w, x, v=v)})
    rate = 2 * turning / 7
    middle = x + np.cross(UP, v) / rate
    turns = Rotation.from_rotvec(np.outer(rate * motion.time, UP))
    np.testing.assert_allclose(motion.body("ball").position, middle + turns.apply(x - middle), rtol=0, atol=1e-10)
    np.testing.assert_allclose(motion.body("ball").position[-1], x, rtol=0, atol=1e-10)
    V = motion.body("ball").twist
    own = np.einsum("tij,tj->ti", motion.body("ball").rotation, V[:, :3])
    spin = np.einsum("tij,tj->ti", motion.body("ball").rotation, V[:, 3:])
    slip = own + np.cross(spin, -r * UP) - np.cross(turning * UP, motion.body("ball").position)
    assert np.abs(slip).max() < 1e-12
    assert motion.audit().passed


def test_the_sleigh_of_chaplygin_follows_its_hyperbolic_functions():
    m, J, a, w0 = 1.4, 0.5, 0.35, 1.8
    system = vc.System("sleigh")
    body = system.add(vc.RigidBody("sleigh", m, com=(a, 0, 0), inertia=(1, 1, J)))
    system.add(vc.Planar("ice", "ground", body))
    system.add(vc.constraints.knife_edge("blade", body, realization=vc.DAlembert()))
    motion = vc.simulate(system, 8.0, {"ice": vc.At((0, 0, 0), rate=(0, 0, w0))})
    fast = w0 * np.sqrt((J + m * a * a) / m)
    k = w0 * a * np.sqrt(m / (J + m * a * a))
    heading, (vx, vy, w) = motion["ice"][:, 2], motion.v.T
    np.testing.assert_allclose(w, w0 / np.cosh(k * motion.time), rtol=0, atol=1e-11)
    np.testing.assert_allclose(
        vx * np.cos(heading) + vy * np.sin(heading), fast * np.tanh(k * motion.time), rtol=0, atol=1e-11
    )
    np.testing.assert_allclose(heading, 2 * w0 / k * np.arctan(np.tanh(k * motion.time / 2)), rtol=0, atol=1e-11)
    assert motion.audit().passed


def test_the_body_of_suslov_changes_from_one_steady_turning_to_another():
    """I ω' + ω × I ω = λ e₃ with ω₃ = 0 and I₂₃ = 0: ω₁ is a hyperbolic secant, ω₂ a hyperbolic tangent."""
    inertia = np.array([[0.9, 0, 0.25], [0, 0.7, 0], [0.25, 0, 1.1]])
    system = vc.System("Suslov's problem")
    body = system.add(vc.RigidBody("body", 1.0, inertia=inertia))
    system.add(vc.Spherical("pivot", "ground", body))
    system.add(vc.constraints.no_twist("blade", body, axis=(0, 0, 1), realization=vc.DAlembert()))
    first = 1.6
    motion = vc.simulate(system, 12.0, {"pivot": vc.At((1, 0, 0, 0), rate=(first, 0, 0))})
    last = first * np.sqrt(inertia[0, 0] / inertia[1, 1])
    k = inertia[0, 2] * last / inertia[0, 0]
    w = motion.body("body").twist[:, 3:]
    expected = np.stack([first / np.cosh(k * motion.time), last * np.tanh(k * motion.time), 0 * motion.time], axis=1)
    np.testing.assert_allclose(w, expected, rtol=0, atol=1e-11)
    assert motion.audit().passed


def offset_start(lean=0.7, spin=(0.9, -0.5, 3.0)):
    R = Rotation.from_euler("ZXZ", [0.3, lean, 0.2]).as_matrix()
    return R, np.array(spin), R0 * UP - A * R[:, 2]


def offset_integrals(motion):
    """Energy, and Jellett's and Routh's integrals of a sphere with its mass center aside, from attitudes and spins alone."""
    R, V = motion.body("ball").rotation, motion.body("ball").twist
    w = V[:, 3:]
    spins = np.einsum("tij,tj->ti", R, w * np.array(I))
    arms = A * R[:, :, 2] - R0 * UP
    cos = R[:, 2, 2]
    inside = I[0] * I[2] + M * (I[0] * R0**2 * (1 - cos**2) + I[2] * (R0 * cos - A) ** 2)
    return np.sum(spins * arms, axis=1), w[:, 2] * np.sqrt(inside)


def test_the_sphere_of_routh_keeps_three_integrals_and_moves_as_newton_and_euler_say():
    system = offset_sphere(M, I, R0, A, vc.DAlembert())
    R, w, x = offset_start()
    arm = sphere_arm(R0, A)(R, w)[0]
    motion = vc.simulate(system, 3.0, {"ball": placed(R, w, x, com=(0, 0, -A), v=-np.cross(w, arm))}, grid=301)
    attitudes, _, centers = rolled(M, I, sphere_arm(R0, A), R, w, x, motion.time)
    np.testing.assert_allclose(motion.body("ball").rotation, attitudes, rtol=0, atol=1e-10)
    np.testing.assert_allclose(motion.body("ball").center, centers, rtol=0, atol=1e-10)
    for kept in (*offset_integrals(motion), motion.energy):
        np.testing.assert_allclose(kept, kept[0], rtol=1e-12)
    assert motion.audit().passed


def test_a_tippe_top_that_slides_keeps_the_integral_of_jellett_and_loses_energy():
    """Any force at the contact keeps it; Routh's integral is lost with the rolling."""
    system = offset_sphere(M, I, R0, A, vc.constraints.ViscousFriction(0.4), contact=vc.DAlembert())
    R, w, x = offset_start(0.3, (0.0, 0.0, 20.0))
    motion = vc.simulate(system, 2.0, {"ball": placed(R, w, x, com=(0, 0, -A))})
    jellett, routh = offset_integrals(motion)
    np.testing.assert_allclose(jellett, jellett[0], rtol=1e-11)
    assert np.ptp(routh) > 1e-3 * abs(routh[0])
    assert np.all(np.diff(motion.energy) < 0.0)
    assert motion.audit().passed


def test_an_ellipsoid_rolls_as_newton_and_euler_say():
    m, axes = 0.9, np.array([0.2, 0.3, 0.25])
    inertia = m / 5 * np.array([axes[1] ** 2 + axes[2] ** 2, axes[0] ** 2 + axes[2] ** 2, axes[0] ** 2 + axes[1] ** 2])
    R, w = Rotation.from_euler("XYZ", [0.4, -0.3, 0.8]).as_matrix(), np.array([2.0, -1.0, 0.7])
    arm = ellipsoid_arm(axes)(R, w)[0]
    start = {"egg": placed(R, w, -arm[2] * UP, v=-np.cross(w, arm))}
    free = lambda u: vc.math.sqrt(sum((a * x) ** 2 for a, x in zip(axes, u, strict=True)))
    runs = []
    for own in (
        vc.constraints.Rolling.ellipsoid,
        lambda name, body, axes, **rest: vc.constraints.Rolling(name, body, free, **rest),
    ):
        system = vc.System("egg", gravity=(0, 0, -G))
        body = system.add(vc.RigidBody("egg", m, inertia=inertia))
        system.add(own("rolling", body, axes, realization=vc.DAlembert()))
        runs.append(vc.simulate(system, 2.0, start, grid=201))
    attitudes, _, centers = rolled(m, inertia, ellipsoid_arm(axes), R, w, -arm[2] * UP, runs[0].time)
    for motion in runs:
        np.testing.assert_allclose(motion.body("egg").rotation, attitudes, rtol=0, atol=1e-10)
        np.testing.assert_allclose(motion.body("egg").position, centers, rtol=0, atol=1e-10)
    assert runs[0].audit().passed


def test_a_ball_on_a_slope_falls_five_sevenths_as_fast_as_one_that_glides():
    slope, r = 0.4, 0.2
    system = vc.System("ball on a slope", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody("ball", 0.5, inertia=(0.4 * 0.5 * r**2,) * 3))
    n = np.array([np.sin(slope), 0, np.cos(slope)])
    system.add(
        vc.constraints.Rolling.sphere("rolling", ball, r, normal=3 * n, through=(1, 2, 3), realization=vc.DAlembert())
    )
    x = np.array([1.0, 2.0, 3.0]) + r * n
    motion = vc.simulate(system, 1.5, {"ball": tuple(x) + (1, 0, 0, 0)})
    down = np.array([np.cos(slope), 0, -np.sin(slope)])
    fallen = 5 / 14 * G * np.sin(slope) * motion.time**2
    np.testing.assert_allclose(motion.body("ball").position, x + np.outer(fallen, down), rtol=0, atol=1e-12)
    assert motion.audit().passed
