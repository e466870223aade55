"""The thin disc that rolls, against its published equations and against Newton and Euler."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from rolling import MASS, RADIUS, THIN, UP, G, disc, disc_arm, disc_spin, disc_start, rolled, turned

ANGLES, RATES = (0.3, 0.25, 0.1), (0.7, -0.4, 5.0)


def published(t, y):
    """Yaw q1, lean q2, spin q3 and their rates."""
    _, q2, _, u1, u2, u3 = y
    return [
        u1, u2, u3,
        -2 * u2 * u3 / np.cos(q2),
        4 * G * np.sin(q2) / (5 * RADIUS) + np.sin(2 * q2) * u1**2 / 2 + 6 / 5 * np.cos(q2) * u1 * u3,
        -(10 * np.cos(q2) * u1 - 12 * np.tan(q2) * u3) * u2 / 6,
    ]  # fmt: skip


def without_multipliers(sign):
    """Lagrange's equations in the three angles alone, as if nothing else moved: the velocities of rolling put into the energies."""
    I1, I2 = THIN[0], THIN[1] + MASS * RADIUS**2

    def rate(t, y):
        _, q2, _, u1, u2, u3 = y
        s, c = np.sin(q2), np.cos(q2)
        M = np.array([[I2 * s * s + I1 * c * c, 0, I2 * s], [0, I1 + MASS * RADIUS**2, 0], [I2 * s, 0, I2]])
        turn = 2 * (I2 - I1) * s * c * u1 + I2 * c * u3
        force = [
            -turn * u2,
            (I2 - I1) * s * c * u1**2 + I2 * c * u1 * u3 + sign * MASS * G * RADIUS * s,
            -I2 * c * u1 * u2,
        ]
        return np.concatenate([[u1, u2, u3], np.linalg.solve(M, force)])

    return rate


def angles_of(motion):
    """Yaw, lean and spin of a motion, and their rates, from attitude and angular velocity alone."""
    R, w = (
        motion.body("disc").rotation,
        np.einsum("tij,tj->ti", motion.body("disc").rotation, motion.body("disc").twist[:, 3:]),
    )
    e = R[:, :, 1]
    lean, yaw = np.arcsin(e[:, 2]), np.unwrap(np.arctan2(-e[:, 0], e[:, 1]))
    ahead = np.stack([np.cos(yaw), np.sin(yaw), 0 * yaw], axis=1)
    spin = np.unwrap(np.arctan2(np.sum(ahead * R[:, :, 2], axis=1), np.sum(ahead * R[:, :, 0], axis=1)))
    u2 = np.sum(w * ahead, axis=1)
    u1 = (w[:, 2] - np.sum(w * e, axis=1) * np.sin(lean)) / np.cos(lean) ** 2
    return np.stack([yaw, lean, spin, u1, u2, np.sum(w * e, axis=1) - u1 * np.sin(lean)], axis=1)


@pytest.fixture(scope="module")
def run():
    return vc.simulate(disc(), 4.0, disc_start(ANGLES, RATES), grid=401)


def test_yaw_lean_and_spin_obey_their_published_equations(run):
    y = solve_ivp(published, (0, 4), [*ANGLES, *RATES], "DOP853", run.time, rtol=1e-13, atol=1e-13).y.T
    np.testing.assert_allclose(angles_of(run), y, rtol=0, atol=1e-10)


def test_the_disc_moves_as_newton_and_euler_say(run):
    R, w = turned(*ANGLES), disc_spin(ANGLES, RATES)
    center = RADIUS * turned(*ANGLES[:2], 0.0)[:, 2]
    attitudes, _, centers = rolled(MASS, THIN, disc_arm(RADIUS), R, w, center, run.time)
    np.testing.assert_allclose(run.body("disc").rotation, attitudes, rtol=0, atol=1e-10)
    np.testing.assert_allclose(run.body("disc").position, centers, rtol=0, atol=1e-10)


def test_the_disc_neither_slips_nor_leaves_the_floor(run):
    R, V = run.body("disc").rotation, run.body("disc").twist
    arms = np.array([disc_arm(RADIUS)(one, UP)[0] for one in R])
    w = np.einsum("tij,tj->ti", R, V[:, 3:])
    slip = np.einsum("tij,tj->ti", R, V[:, :3]) + np.cross(w, arms)
    assert np.abs(slip).max() < 1e-12
    assert np.abs((run.body("disc").position + arms)[:, 2]).max() < 1e-12
    assert run.audit().passed


def test_a_coin_runs_on_a_circle_at_the_lean_that_balances_it():
    lean, yaw = 0.3, -1.1
    spin = -(4 * G * np.sin(lean) / (5 * RADIUS) + np.sin(2 * lean) * yaw**2 / 2) / (6 / 5 * np.cos(lean) * yaw)
    motion = vc.simulate(disc(), 2 * np.pi / abs(yaw), disc_start((0, lean, 0), (yaw, 0, spin)))
    found = angles_of(motion)
    np.testing.assert_allclose(found[:, 1], lean, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found[:, 3:], np.broadcast_to([yaw, 0, spin], (len(found), 3)), rtol=0, atol=1e-9)
    touch = motion.body("disc").position + [disc_arm(RADIUS)(R, UP)[0] for R in motion.body("disc").rotation]
    middle = np.array([0, RADIUS * spin / yaw, 0])
    np.testing.assert_allclose(np.linalg.norm(touch - middle, axis=1), RADIUS * abs(spin / yaw), rtol=0, atol=1e-9)


def given(rate, count=2001, slip=0.0):
    """A disc moved by equations for its angles; where it is follows from rolling, or from rolling with some slip [m/s]."""

    def all_rates(t, y):
        along = RADIUS * y[5] + slip
        return [*rate(t, y[:6]), along * np.cos(y[0]), along * np.sin(y[0])]

    t = np.linspace(0, 2, count)
    y = solve_ivp(all_rates, (0, 2), [*ANGLES, *RATES, 0, 0], "DOP853", t, rtol=1e-13, atol=1e-13).y.T
    states = []
    for row in y:
        start = disc_start(row[:3], row[3:6])["disc"]
        place = np.array(start.position)
        place[:2] += row[6:]
        drift = turned(*row[:3]).T @ [slip * np.cos(row[0]), slip * np.sin(row[0]), 0]
        states.append((place, start.rate + np.concatenate([drift, np.zeros(3)])))
    q = np.array([place for place, _ in states])
    flips = np.cumprod(np.sign(np.sum(q[1:, 3:] * q[:-1, 3:], axis=1)))
    q[1:, 3:] *= flips[:, None]
    return vc.given_motion(disc(), t, q, np.array([v for _, v in states]))


def test_a_motion_of_the_published_equations_passes_its_audit():
    assert given(published).audit().passed


@pytest.mark.parametrize("sign", [-1, 1], ids=["wrong sign of the weight too", "right weight"])
def test_a_motion_of_lagrange_equations_without_multipliers_fails_its_audit(sign):
    """SymPy's tutorial for the rolling disc (sympy issue 27631): two constraints are put into the Lagrangian and their reactions
    are lost; its potential has the wrong sign besides."""
    certificate = given(without_multipliers(sign)).audit()
    assert not certificate.passed
    broken = {line.law for line in certificate.lines if line.verdict == "broken"}
    assert any("momentum" in law or "energy" in law for law in broken), broken


def test_a_disc_that_slips_fails_its_audit_by_the_rates_of_its_constraints():
    certificate = given(published, slip=1e-4).audit()
    broken = [line for line in certificate.lines if line.verdict == "broken"]
    assert any("rates" in line.law and "'rolling'" in line.detail for line in broken), str(certificate)
