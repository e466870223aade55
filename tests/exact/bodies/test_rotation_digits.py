"""Published and high-precision digits of the rotation parameters, and the misprints of the paper shown to be such."""

import mpmath
import numpy as np
import pytest

from vinculum.measures.measure import Measure
from vinculum.measures.solids.elementary import Box
from vinculum.screws import (
    Euler,
    Fedorov,
    Quaternion,
    conjugate,
    exp,
    log,
    quaternion_product,
    rotation,
    skew,
)

EPS = np.finfo(float).eps


def test_digits_of_a_vector_parameter():
    f = (0.1, 0.2, 0.3)
    C = np.array([[0.88, -0.56, 0.46], [0.64, 0.94, -0.08], [-0.34, 0.32, 1.04]]) / 1.14
    np.testing.assert_allclose(Fedorov().matrix(f), C, rtol=0, atol=2 * EPS)
    np.testing.assert_allclose(Fedorov().from_matrix(C), f, rtol=0, atol=2 * EPS)
    np.testing.assert_allclose(Fedorov().D_inverse(f) @ (1, 0, 0), (0.505, 0.16, -0.085), rtol=0, atol=EPS)
    np.testing.assert_allclose(skew(f), (C - np.eye(3)) @ np.linalg.inv(C + np.eye(3)), rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(skew(f), (C - C.T) / (1.0 + np.trace(C)), rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(C @ f, f, rtol=0, atol=4 * EPS)


def test_digits_of_a_quaternion():
    q = np.array([1.0, 2.0, 3.0, 4.0]) / np.sqrt(30.0)
    C = np.array([[-10.0, 2.0, 11.0], [10.0, -5.0, 10.0], [5.0, 14.0, 2.0]]) / 15.0
    np.testing.assert_allclose(Quaternion().matrix(q), C, rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(Quaternion().from_matrix(C), q, rtol=0, atol=2 * EPS)
    v = np.array([0.3, -0.7, 0.2])
    turned = quaternion_product(quaternion_product(q, np.r_[0.0, v]), conjugate(q))
    np.testing.assert_allclose(turned, np.r_[0.0, C @ v], rtol=0, atol=4 * EPS)


def test_digits_of_euler_angles():
    C = Euler("xyz").matrix((0.1, 0.2, 0.3))
    assert C[0, 2] == pytest.approx(0.198669330795, abs=5e-13)
    assert C[0, 0] == pytest.approx(0.936293363584, abs=5e-13)
    s, c, t = np.sin(0.3), np.cos(0.3), np.tan(0.2)
    inverse = [[c / np.cos(0.2), -s / np.cos(0.2), 0], [s, c, 0], [-t * c, t * s, 1]]
    np.testing.assert_allclose(Euler("xyz").D_inverse((0.1, 0.2, 0.3)), inverse, rtol=0, atol=2 * EPS)
    assert np.linalg.det(Euler("xyz").D((0.1, 0.2, 0.3))) == pytest.approx(np.cos(0.2), abs=4 * EPS)


def test_composition_of_vector_parameters_is_exact_on_rationals():
    a, b = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    np.testing.assert_array_equal(Fedorov().compose(a, b), (1.0, 1.0, 1.0))
    np.testing.assert_array_equal(Fedorov().compose(b, a), (1.0, 1.0, -1.0))
    np.testing.assert_array_equal(Fedorov().matrix((1.0, 1.0, 1.0)), [[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    np.testing.assert_array_equal(Fedorov().compose((0.5, 0, 0), (0.5, 0, 0)), (1.0 / 0.75, 0, 0))


def rates_of(f, f_dot):
    """Angular velocity in the body and in the parent, from C by a complex step."""
    step = 1e-30
    C = Fedorov().matrix(f)
    z = np.array(f) + 1j * step * np.array(f_dot)
    K = np.array([[0, -z[2], z[1]], [z[2], 0, -z[0]], [-z[1], z[0], 0]])
    C_dot = np.imag(((1 - z @ z) * np.eye(3) + 2 * np.outer(z, z) + 2 * K) / (1 + z @ z)) / step
    body, parent = C.T @ C_dot, C_dot @ C.T
    return np.array([body[2, 1], body[0, 2], body[1, 0]]), np.array([parent[2, 1], parent[0, 2], parent[1, 0]])


F, F_DOT = np.array([0.1, 0.2, 0.3]), np.array([0.7, -0.4, 0.5])


def test_the_printed_D_of_the_vector_parameter_belongs_to_the_parent_frame():
    body, parent = rates_of(F, F_DOT)
    printed = 2.0 / (1.0 + F @ F) * (np.eye(3) + skew(F))
    np.testing.assert_allclose(Fedorov().D(F) @ F_DOT, body, rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(printed @ F_DOT, parent, rtol=0, atol=4 * EPS)
    assert np.abs(printed @ F_DOT - body).max() > 0.1


def test_the_angular_velocity_is_not_along_the_vector_of_Rodrigues():
    body, parent = rates_of(F, F_DOT)
    assert np.linalg.norm(np.cross(F, body)) > 0.1
    body, parent = rates_of(F, 2.0 * F)
    np.testing.assert_allclose(np.cross(F, body), np.zeros(3), rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(body, parent, rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(
        2.0 * F, 2.0 * np.tan(0.5 * np.linalg.norm(log(Fedorov().matrix(F)))) * F / np.linalg.norm(F)
    )


def test_the_printed_rate_of_the_vector_parameter_lacks_an_inverse():
    body, _ = rates_of(F, F_DOT)
    K, square = skew(F), F @ F
    right = 0.5 * (1 + square) * np.linalg.inv(np.eye(3) - K @ K) @ (np.eye(3) + K) @ body
    printed = 0.5 * (1 + square) * (np.eye(3) - K) @ (np.eye(3) - K) @ (np.eye(3) + K) @ body
    np.testing.assert_allclose(Fedorov().D_inverse(F) @ body, F_DOT, rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(right, F_DOT, rtol=0, atol=4 * EPS)
    assert np.abs(printed - F_DOT).max() > 0.1


def test_quaternion_rates_need_the_conjugate_and_the_right_frame():
    q = np.array([1.0, 2.0, 3.0, 4.0]) / np.sqrt(30.0)
    omega_body = np.array([0.3, -0.2, 0.9])
    omega_parent = Quaternion().matrix(q) @ omega_body
    q_dot = Quaternion().D_inverse(q) @ omega_body
    body, parent = np.r_[0.0, omega_body], np.r_[0.0, omega_parent]
    np.testing.assert_allclose(q_dot, 0.5 * quaternion_product(q, body), rtol=0, atol=2 * EPS)
    np.testing.assert_allclose(q_dot, 0.5 * quaternion_product(parent, q), rtol=0, atol=2 * EPS)
    np.testing.assert_allclose(parent, 2.0 * quaternion_product(q_dot, conjugate(q)), rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(parent, -2.0 * quaternion_product(q, conjugate(q_dot)), rtol=0, atol=4 * EPS)
    assert np.abs(q_dot - 0.5 * quaternion_product(body, q)).max() > 0.1
    assert np.abs(quaternion_product(quaternion_product(q, body), q) - parent).max() > 0.1
    w1, w2, w3 = omega_body
    eq34 = 0.5 * np.array([[0, -w1, -w2, -w3], [w1, 0, w3, -w2], [w2, -w3, 0, w1], [w3, w2, -w1, 0]])
    np.testing.assert_allclose(q_dot, eq34 @ q, rtol=0, atol=2 * EPS)


def test_the_quaternion_mass_matrix_of_one_body_has_rank_six():
    q = np.array([1.0, 2.0, 3.0, 4.0]) / np.sqrt(30.0)
    Theta = Measure.solid(Box((1, 2, 3)), density=0.5, at=(0.1, 0.2, 0.3)).Theta
    M = np.block([[Quaternion().matrix(q).T, np.zeros((3, 4))], [np.zeros((3, 3)), Quaternion().D(q)]])
    A = M.T @ Theta @ M
    assert A.shape == (7, 7)
    assert np.linalg.matrix_rank(A) == 6
    np.testing.assert_allclose(A @ np.r_[np.zeros(3), q], np.zeros(7), rtol=0, atol=1e-14 * np.abs(A).max())


AXIS = (2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0)


@pytest.mark.parametrize("angle", [1e-160, 1e-9, 1e-7, 0.0316, 0.0317, 1.0, 3.0, np.pi - 1e-9, 3.5, 20.0])
def test_exp_agrees_with_fifty_digits(angle):
    w = angle * np.array(AXIS)
    with mpmath.workdps(50):
        exact = [mpmath.mpf(float(x)) for x in w]
        theta = mpmath.sqrt(sum(x * x for x in exact))
        K = mpmath.matrix([[0, -exact[2], exact[1]], [exact[2], 0, -exact[0]], [-exact[1], exact[0], 0]])
        C = mpmath.eye(3) + mpmath.sin(theta) / theta * K + (1 - mpmath.cos(theta)) / theta**2 * K * K
        C = np.array([[float(C[i, j]) for j in range(3)] for i in range(3)])
    np.testing.assert_allclose(exp(w), C, rtol=0, atol=2 * EPS * max(1.0, angle))
    np.testing.assert_allclose(exp(w) - exp(w).T, C - C.T, rtol=0, atol=4 * EPS * max(min(angle, 1.0), EPS))


@pytest.mark.parametrize("short", [1e-3, 1e-6, 1e-9])
def test_the_vector_parameter_near_a_half_turn_is_as_good_as_its_conditioning(short):
    with mpmath.workdps(50):
        angle = mpmath.pi - mpmath.mpf(short)
        exact = float(mpmath.tan(angle / 2))
        near = float(angle)
    f = Fedorov().from_matrix(rotation(AXIS, near))
    error = np.abs(f - exact * np.array(AXIS)).max()
    assert error < 4 * EPS * exact**2
    C = rotation(AXIS, near)
    by_trace = np.array([C[2, 1] - C[1, 2], C[0, 2] - C[2, 0], C[1, 0] - C[0, 1]]) / (1.0 + np.trace(C) + 1e-300)
    assert error <= np.abs(by_trace - exact * np.array(AXIS)).max()
