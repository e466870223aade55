"""Rolling bodies of the literature: rattlebacks, Chaplygin's ball, golf balls in their hole, drift on a tilted turntable, Euler's disc."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from marks import as_close_as
from rolling import UP, G, ellipsoid_arm, placed, rolled, spin_rate

AXES, COM, STONE = (
    (0.2, 0.03, 0.02),
    np.array([0, 0, -0.01]),
    np.array([[2e-4, -2e-5, 0], [-2e-5, 1.6e-3, 0], [0, 0, 1.7e-3]]),
)
"""The stone of Kane and Levinson, Int. J. Non-Linear Mech. 17 (1982) 175: its long axis is not that of its inertia."""


def rattleback() -> vc.System:
    system = vc.System("rattleback", gravity=(0, 0, -G))
    stone = system.add(vc.RigidBody("stone", 1.0, com=COM, inertia=STONE))
    system.add(vc.constraints.Rolling.ellipsoid("rolling", stone, AXES, realization=vc.DAlembert()))
    return system


def rattleback_start(R, w):
    arm = ellipsoid_arm(AXES, COM)(R, w)[0]
    return {"stone": placed(R, w, -arm[2] * UP, com=COM, v=-np.cross(w, arm))}, -arm[2] * UP


def test_a_rattleback_turns_as_newton_and_euler_say():
    R, w = Rotation.from_euler("xyz", [0.02, 0.02, 0]).as_matrix(), np.array([0.1, 0.1, -3.0])
    start, center = rattleback_start(R, w)
    motion = vc.simulate(rattleback(), 1.0, start, grid=51)
    attitudes, _, _ = rolled(1.0, STONE, ellipsoid_arm(AXES, COM), R, w, center, motion.time)
    np.testing.assert_allclose(motion.body("stone").rotation, attitudes, rtol=0, atol=1e-9)
    assert motion.audit().passed


@pytest.mark.parametrize("spin", [3.0, -3.0])
def test_a_rattleback_rattles_in_one_direction_of_spin_and_rolls_in_the_other(spin):
    """Eigenvalues of (γ, ω) in axes of the stone, γ its upward direction; zeros and the turns of the place are not among them."""

    def rate(y):
        up = y[:3] / np.linalg.norm(y[:3])
        first = np.array([1.0, 0, 0]) - up[0] * up
        first /= np.linalg.norm(first)
        R = np.stack([first, np.cross(up, first), up])
        return np.concatenate(
            [np.cross(up, y[3:]), R.T @ spin_rate(1.0, STONE, ellipsoid_arm(AXES, COM), R, R @ y[3:])[0]]
        )

    steady, h = np.array([0, 0, 1, 0, 0, spin]), 1e-4
    slopes = np.stack([(rate(steady + h * e) - rate(steady - h * e)) / (2 * h) for e in np.eye(6)], axis=1)
    known = np.linalg.eigvals(slopes)
    found = vc.linearize(rattleback(), rattleback_start(np.eye(3), np.array([0, 0, spin]))[0]).eigenvalues
    for value in known[np.abs(known) > 1e-3]:
        assert np.abs(found - value).min() < 1e-4 * abs(value)
    slow, fast = found[np.abs(np.abs(found.imag) - 34) < 1].real, found[np.abs(np.abs(found.imag) - 108) < 1].real
    assert np.all(slow * spin > 0) and np.all(fast * spin < 0)


def test_chaplygins_ball_keeps_its_angular_momentum_about_the_contact_in_space():
    m, r, I = 1.7, 0.3, np.diag([0.05, 0.07, 0.1])
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody("ball", m, inertia=I))
    system.add(vc.constraints.Rolling.sphere("rolling", ball, r, realization=vc.DAlembert()))
    R, w = Rotation.from_euler("xyz", [0.3, 0.8, -0.4]).as_matrix(), np.array([2.0, -1, 3])
    motion = vc.simulate(system, 5.0, {"ball": placed(R, w, r * UP, v=r * np.cross(w, UP))})
    Q = motion.body("ball").rotation
    w = np.einsum("tij,tj->ti", Q, motion.v[:, 3:])
    momentum = np.einsum("tij,jk,tlk,tl->ti", Q, I, Q, w) + m * r**2 * (w - np.outer(w[:, 2], UP))
    np.testing.assert_allclose(momentum, momentum[[0] * len(w)], rtol=0, atol=1e-13)
    assert np.ptp(w, axis=0).min() > 0.3


def test_a_ball_in_a_hole_rises_again_and_again_with_the_frequency_of_root_two_sevenths_of_its_turns():
    """Gualtieri, Tokieda, Advis-Gaete, Carry, Reffet and Guthmann, Am. J. Phys. 74 (2006) 497."""
    m, r, wide, turning, rise = 0.8, 0.1, 0.5, 3.0, 0.4
    system = vc.System("golf", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody("ball", m, inertia=(0.4 * m * r**2,) * 3))
    hole = lambda x: x[0] ** 2 + x[1] ** 2 - wide**2
    system.add(vc.constraints.point_on_surface("hole", ball, hole, realization=vc.DAlembert()))

    def slip(ball):
        n = np.array([ball.position[0] / wide, ball.position[1] / wide, 0.0])
        v = ball.velocity + vc.math.cross(ball.angular_velocity, r * n)
        return n[0] * v[1] - n[1] * v[0], v[2]

    system.add(vc.Constraint("rolling", [ball], velocity=slip, realization=vc.DAlembert()))
    w, v = np.array([0.7, rise / r, -turning * wide / r]), np.array([0, turning * wide, rise])
    motion = vc.simulate(system, 5.0, {"ball": placed(np.eye(3), w, np.array([wide, 0, 0]), v=v)})
    x, y, z = motion.body("ball").position.T
    np.testing.assert_allclose(
        np.unwrap(np.arctan2(y, x)), turning * motion.time, rtol=0, atol=as_close_as(1e-11, 1e-10)
    )
    nu = turning * np.sqrt(2 / 7)
    # (7/5) z̈ = −g − (2/5) r Ω ω_n, and r ω̇_n = Ω ż for the spin ω_n about the outward normal
    lowest = -(5 * G / 7 + 2 / 7 * r * turning * w[0]) / nu**2
    expected = lowest * (1 - np.cos(nu * motion.time)) + rise / nu * np.sin(nu * motion.time)
    np.testing.assert_allclose(z, expected, rtol=0, atol=as_close_as(1e-11, 1e-10))
    assert motion.audit().passed


@pytest.mark.parametrize("away", [0.0, 1e6])
def test_a_ball_on_a_tilted_turntable_drifts_level_along_cycloids_however_far_away(away):
    """Across gravity at 5 g sin α / 2Ω: Burns, Am. J. Phys. 49 (1981) 56. Its energy is not kept."""
    m, r, slope, turning = 0.8, 0.1, 0.25, 1.7
    T, origin = Rotation.from_euler("x", slope).as_matrix(), away * np.array([1, -1 / 2, 1 / 4])
    sin, cos = vc.math.sin, vc.math.cos
    across = lambda t: np.array([[cos(t), -sin(t), 0], [sin(t), cos(t), 0], [0, 0, 1]])
    turned = lambda t: T @ across(turning * t)
    system = vc.System("tilted turntable", gravity=(0, 0, -G))
    table = system.add(vc.PrescribedBody("table", position=tuple(origin), rotation=turned))
    ball = system.add(vc.RigidBody("ball", m, inertia=(0.4 * m * r**2,) * 3))
    system.add(vc.constraints.Rolling.sphere("rolling", ball, r, on=table, realization=vc.DAlembert()))
    x, v = np.array([0.3, 0.2, 0]), np.array([0.1, -0.2, 0])
    w = np.cross(UP, v - turning * np.cross(UP, x)) / r + np.array([0, 0, 0.9])
    start = {"ball": placed(np.eye(3), T @ w, origin + T @ (x + r * UP), v=T @ v)}
    motion = vc.simulate(system, 4.0, start, grid=41)
    along = (motion.body("ball").position - origin) @ T
    drift, k = 5 * G * np.sin(slope) / (2 * turning), 2 * turning / 7
    z, z_dot = complex(*x[:2]), complex(*v[:2]) - drift
    expected = z + drift * motion.time + z_dot * (np.exp(1j * k * motion.time) - 1) / (1j * k)
    np.testing.assert_allclose(
        along[:, 0] + 1j * along[:, 1], expected, rtol=0, atol=as_close_as(1e-11, 1e-10) if not away else 1e-8
    )
    found = vc.first_integrals(system)
    below = f"through the point (0, 0, {-r * np.cos(slope):.4g}) from the mass center of 'ball'"
    beside = f"through the point (0, {r * np.sin(slope):.4g}, 0) from the mass center of 'ball'"
    assert found.names == (f"angular momentum about y {below}", f"angular momentum about z {beside}"), (
        "gravity turns it about x"
    )
    for one in found:
        values = one.along(motion)
        assert np.ptp(values) < 1e-9 * max(1.0, away) * np.abs(values).max()
    broken = [line.law for line in motion.audit().lines if line.verdict == "broken"]
    assert not broken


def test_eulers_disc_goes_round_about_its_center_that_rests():
    """Ω² sin α = 4 g / a for a thin disc that rolls with its center at rest: Moffatt, Nature 404 (2000) 833."""
    m, a, inclined = 0.44, 0.0375, 0.3
    turning = np.sqrt(4 * G / (a * np.sin(inclined)))
    system = vc.System("Euler's disc", gravity=(0, 0, -G))
    disc = system.add(vc.RigidBody("disc", m, inertia=m * a**2 * np.array([0.25, 0.5, 0.25])))
    system.add(vc.constraints.Rolling.disc("rolling", disc, a, axis=(0, 1, 0), realization=vc.DAlembert()))
    R = Rotation.from_euler("x", np.pi / 2 - inclined).as_matrix()
    w = turning * (UP - np.cos(inclined) * R[:, 1])
    motion = vc.simulate(system, 1.0, {"disc": placed(R, w, a * np.sin(inclined) * UP)})
    axis = motion.body("disc").rotation[:, :, 1]
    round_ = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    np.testing.assert_allclose(round_ - round_[0], turning * motion.time, rtol=0, atol=1e-10)
    np.testing.assert_allclose(axis[:, 2], np.cos(inclined), rtol=0, atol=1e-13)
    assert motion.audit().passed
