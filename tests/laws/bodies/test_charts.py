"""Every chart of the rotations: matrix, rates, composition and conversions, at the bad angles too."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from vinculum.errors import StartError
from vinculum.scalars import directional, replay, symbols
from vinculum.scalars.math import NUMERIC
from vinculum.screws import (
    SEQUENCES,
    Chart,
    Fedorov,
    Quaternion,
    axial,
    chart,
    conjugate,
    convert,
    exp,
    gibbs_vector,
    quaternion_product,
    rodrigues_vector,
    skew,
)

EPS = np.finfo(float).eps
NAMES = ("quaternion", "fedorov", *SEQUENCES)
ANGLES = (0.0, 1e-9, 1e-7, 1.0, np.pi / 2, 2.5, np.pi - 1e-7, np.pi - 1e-9, np.pi)
AXES = (*np.vstack([np.eye(3), -np.eye(3)]), np.array([1.0, 2.0, -2.0]) / 3.0, np.array([-0.8, 0.0, 0.6]))


def attitudes(name):
    """Unit quaternions at the bad angles, and at and near the places where the chart is singular."""
    for axis in AXES:
        for angle in ANGLES:
            if name != "fedorov" or angle < np.pi:
                yield np.r_[np.cos(angle / 2) if angle < np.pi else 0.0, np.sin(angle / 2) * axis]
    if name in SEQUENCES:
        for lock in (0.0, np.pi / 2, -np.pi / 2, np.pi):
            for off in (0.0, 1e-12, -1e-9, 1e-7):
                yield chart(name).quaternion((0.3, lock + off, -1.1))


def same_rotation(p, q):
    """Distance of two unit quaternions as rotations."""
    return min(np.abs(p - q).max(), np.abs(p + q).max())


def numbers(graph, leaves, values):
    table = dict(zip(map(id, leaves), values, strict=True))
    return replay(graph, lambda leaf: table[id(leaf)], NUMERIC).astype(float)


def regular_points(name, least=1e-8):
    for q in attitudes(name):
        c = chart(name).from_quaternion(q)
        if chart(name).condition(c) > least:
            yield c


@pytest.mark.parametrize("name", NAMES)
def test_the_matrix_of_a_chart_is_a_rotation_and_comes_back(name):
    to = chart(name)
    for q in attitudes(name):
        R = to.matrix(to.from_quaternion(q))
        np.testing.assert_allclose(R.T @ R, np.eye(3), rtol=0, atol=16 * EPS)
        np.testing.assert_allclose(R, Quaternion().matrix(q), rtol=0, atol=16 * EPS)
        np.testing.assert_allclose(to.matrix(to.from_matrix(R)), R, rtol=0, atol=16 * EPS)


@pytest.mark.parametrize("name", NAMES)
def test_coordinates_come_back_to_round_off_over_the_conditioning(name):
    to = chart(name)
    for c in regular_points(name):
        back = to.from_matrix(to.matrix(c))
        if name == "quaternion":
            back = back if back @ c > 0 else -back
        gap = back - c
        if name in SEQUENCES:
            gap = np.remainder(gap + np.pi, 2 * np.pi) - np.pi
        np.testing.assert_allclose(gap, 0.0, rtol=0, atol=16 * EPS / to.condition(c))


@pytest.mark.parametrize("name", [name for name in NAMES if chart(name).condition(chart(name).identity) > 0])
def test_small_rotations_keep_their_digits(name):
    to = chart(name)
    for size in (1e-7, 1e-9):
        w = size * np.array([1.0, -2.0, 0.5])
        c = to.from_matrix(exp(w))
        rate = to.D(to.identity) @ (c - np.array(to.identity))
        np.testing.assert_allclose(rate, w, rtol=0, atol=8 * EPS * size + 4 * size**2)


@pytest.mark.parametrize("name", NAMES)
def test_D_and_its_inverse_are_inverse(name):
    to = chart(name)
    for c in regular_points(name):
        np.testing.assert_allclose(to.D(c) @ to.D_inverse(c), np.eye(3), rtol=0, atol=16 * EPS / to.condition(c))


@pytest.mark.parametrize("name", NAMES)
def test_D_gives_the_angular_velocity_of_the_body(name):
    to = chart(name)
    leaves, rates = symbols("c", to.size), symbols("r", to.size)
    R_dot = directional(to.matrix(leaves), leaves, rates)
    random = np.random.default_rng(1)
    for c in regular_points(name, least=0.0):
        c_dot = random.normal(size=to.size)
        if name == "quaternion":
            c_dot = c_dot - (c_dot @ c) * c
        R = to.matrix(c)
        spin = R.T @ numbers(R_dot, [*leaves, *rates], [*c, *c_dot])
        tolerance = 64 * EPS * (1.0 + np.abs(c).max())
        np.testing.assert_allclose(spin + spin.T, 0.0, rtol=0, atol=tolerance)
        np.testing.assert_allclose(to.D(c) @ c_dot, axial(spin), rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_rates_from_an_angular_velocity_turn_the_matrix_by_it(name):
    to = chart(name)
    leaves = symbols("c", to.size)
    omega = np.array([0.4, -1.2, 0.7])
    R_dot = directional(to.matrix(leaves), leaves, to.D_inverse(leaves) @ omega)
    for c in regular_points(name, least=1e-3):
        R = to.matrix(c)
        tolerance = 64 * EPS / to.condition(c) ** 2
        np.testing.assert_allclose(R.T @ numbers(R_dot, leaves, c), skew(omega), rtol=0, atol=tolerance)


def test_the_rate_of_a_quaternion_keeps_its_length():
    for q in attitudes("quaternion"):
        np.testing.assert_allclose(q @ Quaternion().D_inverse(q), np.zeros(3), rtol=0, atol=2 * EPS)
        D, back = Quaternion().D(q), Quaternion().D_inverse(q)
        np.testing.assert_allclose(back @ D, np.eye(4) - np.outer(q, q), rtol=0, atol=4 * EPS)
        np.testing.assert_allclose(D @ D.T, 4.0 * np.eye(3), rtol=0, atol=8 * EPS)
        np.testing.assert_allclose(D @ q, np.zeros(3), rtol=0, atol=4 * EPS)


@pytest.mark.parametrize("source", NAMES)
@pytest.mark.parametrize("target", NAMES)
def test_conversions_keep_the_rotation_at_every_bad_place(source, target):
    for q in attitudes(source):
        c = chart(source).from_quaternion(q)
        start = Quaternion().from_quaternion(chart(source).quaternion(c))
        assert same_rotation(start, q) < 8 * EPS
        try:
            there = convert(c, source, target)
        except StartError:
            assert target == "fedorov"
            assert abs(start[0]) < 8 * EPS
            continue
        assert same_rotation(chart(target).quaternion(there), start) < 8 * EPS
        if source == "fedorov" or abs(start[0]) > 8 * EPS:
            back = convert(there, target, source)
            assert same_rotation(chart(source).quaternion(back), start) < 16 * EPS


@pytest.mark.parametrize("name", NAMES)
def test_composition_in_a_chart_is_the_product_of_matrices(name):
    to = chart(name)
    random = np.random.default_rng(2)
    for _ in range(50):
        a, b = (to.from_matrix(exp(random.normal(size=3))) for _ in range(2))
        np.testing.assert_allclose(to.matrix(to.compose(a, b)), to.matrix(a) @ to.matrix(b), rtol=0, atol=64 * EPS)


@pytest.mark.parametrize("name", SEQUENCES)
def test_at_gimbal_lock_the_third_angle_is_zero(name):
    to = chart(name)
    locks = (0.0, np.pi) if name[0] == name[2] else (np.pi / 2, -np.pi / 2)
    for lock in locks:
        R = to.matrix((0.4, lock, 0.9))
        c = to.from_matrix(R)
        assert c[2] == 0.0
        np.testing.assert_allclose(to.matrix(c), R, rtol=0, atol=8 * EPS)


def test_the_condition_vanishes_where_a_chart_is_singular():
    assert Quaternion().condition((0, 0, 0, 0)) == 0.0
    assert Fedorov().condition((1e9, 0, 0)) < 1e-17
    for name in SEQUENCES:
        lock = 0.0 if name[0] == name[2] else np.pi / 2
        assert chart(name).condition((0.1, lock, 0.2)) < 1e-15
        assert chart(name).condition((0.1, lock + 0.5, 0.2)) == pytest.approx(np.sin(0.5))


@pytest.mark.parametrize("name", NAMES)
def test_identity_coordinates_give_no_rotation(name):
    to = chart(name)
    assert isinstance(to, Chart)
    assert to.name == name
    assert len(to.labels) == len(to.identity) == to.size
    np.testing.assert_array_equal(to.matrix(to.identity), np.eye(3))
    assert chart(to) is to
    assert chart(name) == to


@pytest.mark.parametrize("name", NAMES)
def test_the_traced_chart_computes_the_same_numbers(name):
    to = chart(name)
    leaves = symbols("c", to.size)
    for c in regular_points(name, least=1e-6):
        for function in (to.matrix, to.D, to.D_inverse, to.quaternion):
            direct = function(c)
            np.testing.assert_allclose(numbers(function(leaves), leaves, c), direct, rtol=1e-13, atol=8 * EPS)


def test_traced_compositions_and_conversions_compute_the_same_numbers():
    x = np.random.default_rng(3).normal(size=8)
    leaves = symbols("x", 8)
    table = [
        lambda x: quaternion_product(x[:4], x[4:]),
        lambda x: conjugate(x[:4]),
        lambda x: Quaternion().compose(x[:4], x[4:]),
        lambda x: Fedorov().compose(x[:3], x[3:6]),
        lambda x: convert(x[:4], "quaternion", "fedorov"),
        lambda x: convert(x[:3], "fedorov", "quaternion"),
        lambda x: convert(x[:3], "zxz", "quaternion"),
        lambda x: convert(x[:3], "xyz", "fedorov"),
        lambda x: gibbs_vector(x[:3]),
        lambda x: rodrigues_vector(x[:3], Fedorov().matrix(x[3:6])),
    ]
    for function in table:
        np.testing.assert_allclose(numbers(function(leaves), leaves, x), function(x), rtol=1e-13, atol=8 * EPS)


def test_all_charts_and_the_matrix_equation_give_one_attitude():
    def omega(t):
        return np.array([0.5 * np.cos(t), 0.3 * np.sin(2 * t), 0.4 - 0.2 * t])

    def final(rate, start):
        return solve_ivp(rate, (0.0, 2.0), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]

    start = exp(np.array([0.2, 0.5, -0.3]))
    C = final(lambda t, c: (c.reshape(3, 3) @ skew(omega(t))).ravel(), start.ravel()).reshape(3, 3)
    for name in ("quaternion", "fedorov", "xyz", "zxz"):
        to = chart(name)
        end = final(lambda t, c, to=to: to.D_inverse(c) @ omega(t), to.from_matrix(start))
        np.testing.assert_allclose(to.matrix(end), C, rtol=0, atol=1e-10)


def test_the_vector_of_Rodrigues_lies_on_the_axis_and_that_of_Gibbs_does_not():
    R_0p, R_pk = exp(np.array([0.3, -0.4, 1.0])), exp(np.array([0.7, 0.1, -0.2]))
    f = Fedorov().from_matrix(R_pk)
    R_0k = R_0p @ R_pk
    r, g = rodrigues_vector(f, R_0p), gibbs_vector(f)
    np.testing.assert_allclose(r, rodrigues_vector(f, R_0k), rtol=0, atol=8 * EPS)
    turn = R_0k @ R_0p.T
    np.testing.assert_allclose(turn @ r, r, rtol=0, atol=8 * EPS)
    assert np.abs(turn @ g - g).max() > 0.1


def test_vector_parameters_do_not_add_by_the_parallelogram():
    a, b = np.array([0.1, 0.2, 0.3]), np.array([-0.4, 0.5, 0.1])
    assert np.abs(Fedorov().compose(a, b) - (a + b)).max() > 0.05
    np.testing.assert_allclose(Fedorov().compose(a, -a), np.zeros(3), rtol=0, atol=EPS)
