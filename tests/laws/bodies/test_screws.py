"""Sliders, poses and rotation matrices: the laws that hold for every point, frame and angle."""

import numpy as np
import pytest

from vinculum.scalars import directional, replay, symbols
from vinculum.scalars.math import NUMERIC
from vinculum.screws import (
    Fedorov,
    L_tw,
    L_wr,
    Phi,
    Phi_tw,
    Pose,
    Psi,
    Psi_tw,
    Slider,
    axial,
    exp,
    frame_pose,
    is_rotation,
    log,
    power,
    rotation,
    rotation_onto,
    shift_twist,
    shift_wrench,
    skew,
    transform_twist,
    transform_wrench,
)

EPS = np.finfo(float).eps
ANGLES = (0.0, 1e-9, 1e-7, 0.03, 0.04, 1.0, np.pi / 2, 2.5, np.pi - 1e-7, np.pi - 1e-9, np.pi)
AXES = (
    *np.vstack([np.eye(3), -np.eye(3)]),
    np.array([1.0, 2.0, -2.0]) / 3.0,
    np.array([-0.8, 0.0, 0.6]),
    np.array([1e-8, 1.0, 0.0]),
)


def rng(seed=0):
    return np.random.default_rng(seed)


def random_pose(random):
    return Pose(random.normal(size=3), random.normal(size=4))


def traced(function, x):
    """The values of a function obtained by tracing it and replaying the graph."""
    x = np.asarray(x, dtype=float)
    leaves = symbols("x", x.size).reshape(x.shape)
    table = {id(leaf): number for leaf, number in zip(leaves.ravel(), x.ravel(), strict=True)}
    return replay(function(leaves), lambda leaf: table[id(leaf)], NUMERIC).astype(float)


def test_transport_of_a_slider_does_not_depend_on_the_path():
    random = rng()
    for shape in ((3,), (3, 3)):
        x, y, z = random.normal(size=(3, 3))
        slider = Slider(x, random.normal(size=shape), random.normal(size=shape))
        np.testing.assert_allclose(slider.at(y).at(z).q, slider.at(z).q, rtol=0, atol=64 * EPS)
        np.testing.assert_allclose(slider.at(y).at(x).q, slider.q, rtol=0, atol=64 * EPS)


def test_transport_of_a_slider_keeps_its_invariants():
    random = rng(1)
    for shape in ((3,), (3, 3)):
        slider = Slider(random.normal(size=3), random.normal(size=shape), random.normal(size=shape))
        for before, after in zip(slider.invariants(), slider.at(random.normal(size=3)).invariants(), strict=True):
            np.testing.assert_allclose(before, after, rtol=0, atol=128 * EPS)


def test_a_homogeneous_slider_has_no_moment_along_its_line():
    slider = Slider((1.0, 2.0, 3.0), (0.5, -1.0, 2.0))
    np.testing.assert_array_equal(slider.q, np.zeros(3))
    np.testing.assert_allclose(slider.at(slider.point + 4.0 * slider.p).q, np.zeros(3), rtol=0, atol=16 * EPS)
    np.testing.assert_allclose(slider.wrench((0, 0, 0)), np.r_[slider.p, np.cross(slider.point, slider.p)])
    np.testing.assert_allclose(slider.twist((0, 0, 0)), np.r_[np.cross(slider.point, slider.p), slider.p])


def test_sliders_add_as_fields():
    random = rng(2)
    sliders = [Slider(*random.normal(size=(3, 3))) for _ in range(4)]
    y = random.normal(size=3)
    np.testing.assert_allclose(sum(sliders).wrench(y), sum(s.wrench(y) for s in sliders), rtol=0, atol=128 * EPS)
    np.testing.assert_allclose(sliders[0].scale(-2.0).wrench(y), -2.0 * sliders[0].wrench(y), rtol=1e-15)


def test_a_tensor_slider_applied_to_a_normal_is_a_slider():
    random = rng(3)
    tensor = Slider(random.normal(size=3), random.normal(size=(3, 3)), random.normal(size=(3, 3)))
    n, y = random.normal(size=(2, 3))
    np.testing.assert_allclose(tensor.apply(n).at(y).q, tensor.at(y).apply(n).q, rtol=0, atol=64 * EPS)
    assert tensor.wrench(y).shape == (6, 3)


def test_poses_form_a_group():
    random = rng(4)
    X, Y, Z = (random_pose(random) for _ in range(3))
    r = random.normal(size=(5, 3))
    np.testing.assert_allclose(((X @ Y) @ Z).p, (X @ (Y @ Z)).p, rtol=0, atol=32 * EPS)
    np.testing.assert_allclose((X @ X.inverse()).p, np.zeros(3), rtol=0, atol=16 * EPS)
    np.testing.assert_allclose((X @ Y).apply(r), X.apply(Y.apply(r)), rtol=0, atol=64 * EPS)
    np.testing.assert_array_equal(X.apply(r[0]), X.apply(r)[0])


def test_wrench_and_twist_matrices_form_groups():
    random = rng(5)
    for _ in range(10):
        X, Y = random_pose(random), random_pose(random)
        for L in (L_wr, L_tw):
            np.testing.assert_allclose(L(X) @ L(Y), L(X @ Y), rtol=0, atol=1e-14)
            np.testing.assert_allclose(L(X.inverse()) @ L(X), np.eye(6), rtol=0, atol=1e-14)
        np.testing.assert_allclose(L_tw(X), np.linalg.inv(L_wr(X)).T, rtol=0, atol=1e-13)
        swap = np.block([[np.zeros((3, 3)), np.eye(3)], [np.eye(3), np.zeros((3, 3))]])
        np.testing.assert_array_equal(L_tw(X), swap @ L_wr(X) @ swap)


def moving_frame(seed):
    """A moving frame: pose, twist at its own origin, and the exact derivatives of both group matrices."""
    random = rng(seed)
    x, x_dot = random.normal(size=(2, 6))

    def pose(c):
        return Pose.of(Fedorov().matrix(c[:3]), c[3:])

    leaves = symbols("x", 6)
    table = dict(zip(map(id, leaves), x, strict=True))
    rates = [
        replay(directional(L(pose(leaves)), leaves, x_dot), lambda leaf: table[id(leaf)], NUMERIC).astype(float)
        for L in (L_wr, L_tw)
    ]
    X = pose(x)
    V = np.r_[X.R.T @ x_dot[3:], Fedorov().D(x[:3]) @ x_dot[:3]]
    return X, V, *rates


def test_derivative_of_the_group_matrices_is_that_of_the_moving_frame():
    for seed in range(10):
        X, V, L_wr_dot, L_tw_dot = moving_frame(seed)
        V_0 = transform_twist(X, V)
        for expected, right, left in (
            (L_wr_dot, L_wr(X) @ Phi(V), Psi(V_0) @ L_wr(X)),
            (L_tw_dot, L_tw(X) @ Phi_tw(V), Psi_tw(V_0) @ L_tw(X)),
        ):
            scale = 1.0 + np.abs(expected).max()
            np.testing.assert_allclose(right, expected, rtol=0, atol=1e-13 * scale)
            np.testing.assert_allclose(left, expected, rtol=0, atol=1e-13 * scale)
        np.testing.assert_array_equal(Phi_tw(V), -Phi(V).T)
        np.testing.assert_array_equal(Psi_tw(V_0), -Psi(V_0).T)


def test_the_printed_Psi_with_the_velocity_of_the_moving_origin_is_wrong():
    for seed in range(10):
        X, V, L_wr_dot, _ = moving_frame(seed)
        printed = np.r_[X.R @ V[:3], X.R @ V[3:]]
        assert np.abs(Psi(printed) @ L_wr(X) - L_wr_dot).max() > 1e-2


def test_power_is_the_same_in_every_frame():
    random = rng(6)
    for _ in range(20):
        X, F, V = random_pose(random), random.normal(size=6), random.normal(size=6)
        here = power(F, V)
        assert abs(power(transform_wrench(X, F), transform_twist(X, V)) - here) < 1e-13
        np.testing.assert_allclose(transform_wrench(X, F), L_wr(X) @ F, rtol=0, atol=32 * EPS)
        np.testing.assert_allclose(transform_twist(X, V), L_tw(X) @ V, rtol=0, atol=32 * EPS)


def test_power_is_the_same_at_every_point():
    random = rng(7)
    for _ in range(20):
        F, V, p = random.normal(size=6), random.normal(size=6), random.normal(size=3)
        assert abs(power(shift_wrench(F, p), shift_twist(V, p)) - power(F, V)) < 1e-13


def test_shifts_are_the_reductions_of_sliders():
    random = rng(8)
    f, m, p = random.normal(size=(3, 3))
    np.testing.assert_allclose(shift_wrench(np.r_[f, m], p), Slider(np.zeros(3), f, m).wrench(p), rtol=0, atol=16 * EPS)
    np.testing.assert_allclose(shift_twist(np.r_[m, f], p), Slider(np.zeros(3), f, m).twist(p), rtol=0, atol=16 * EPS)


def test_skew_is_the_vector_product_and_axial_its_inverse():
    f, g = rng(9).normal(size=(2, 3))
    np.testing.assert_allclose(skew(f) @ g, np.cross(f, g), rtol=0, atol=4 * EPS)
    np.testing.assert_array_equal(axial(skew(f)), f)
    np.testing.assert_allclose(axial(skew(f) + np.outer(g, g)), f, rtol=0, atol=4 * EPS)


@pytest.mark.parametrize("angle", ANGLES)
def test_exp_and_log_are_inverse_at_every_angle(angle):
    for axis in AXES:
        w = angle * axis
        R = exp(w)
        assert is_rotation(R, 8 * EPS)
        np.testing.assert_allclose(R, rotation(axis / np.linalg.norm(axis), angle), rtol=0, atol=4 * EPS)
        back = log(R)
        assert np.linalg.norm(back) <= np.pi * (1 + EPS)
        if np.pi - angle < 1e-12:
            back = back if back @ w > 0 else -back
        np.testing.assert_allclose(back, w, rtol=0, atol=16 * EPS * max(angle, EPS))


def test_small_rotations_keep_all_their_digits():
    for size in (1e-3, 1e-9, 1e-30, 1e-160):
        w = size * np.array([1.0, -2.0, 0.5])
        np.testing.assert_allclose(log(exp(w)), w, rtol=4 * EPS)


@pytest.mark.parametrize("k", range(3))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_rotation_about_a_coordinate_axis_has_exact_entries(k, sign):
    R = rotation(sign * np.eye(3)[k], 0.7)
    i, j = (k + 1) % 3, (k + 2) % 3
    expected = np.zeros((3, 3))
    expected[k, k] = 1.0
    expected[i, i] = expected[j, j] = np.cos(0.7)
    expected[i, j], expected[j, i] = -sign * np.sin(0.7), sign * np.sin(0.7)
    np.testing.assert_array_equal(R, expected)
    angle = symbols("a", 1)[0]
    graph = rotation(sign * np.eye(3)[k], angle)
    assert graph[i, i].op == graph[j, j].op == "cos"
    assert {graph[i, j].op, graph[j, i].op} == {"sin", "neg"}
    np.testing.assert_array_equal([graph[k, k], graph[i, k], graph[k, j]], [1.0, 0.0, 0.0])


def test_rotation_onto_carries_one_direction_to_the_other():
    random = rng(10)
    pairs = [(a, b) for a in AXES for b in AXES]
    pairs += [
        (a, sign * a + size * random.normal(size=3)) for a in AXES for sign in (1, -1) for size in (1e-15, 1e-9, 1e-3)
    ]
    for a, b in pairs:
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        R = rotation_onto(a, b)
        assert is_rotation(R, 16 * EPS)
        np.testing.assert_allclose(R @ a, b, rtol=0, atol=8 * EPS)
        assert abs(np.linalg.norm(log(R)) - np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)) < 1e-11
    np.testing.assert_array_equal(rotation_onto((0, 0, 2), (0, 0, 5)), np.eye(3))


def test_the_derivative_of_exp_is_finite_and_right_at_zero():
    leaves, rate = symbols("w", 3), np.array([0.3, -0.2, 0.9])
    R_dot = directional(exp(leaves), leaves, rate)
    for size in (0.0, 1e-9, 1e-7):
        values = dict(zip(map(id, leaves), size * np.array([0.6, 0.0, 0.8]), strict=True))
        number = replay(R_dot, lambda leaf, values=values: values[id(leaf)], NUMERIC).astype(float)
        np.testing.assert_allclose(axial(number), rate, rtol=0, atol=2 * size + 4 * EPS)


def test_is_rotation_tells_reflections_and_shears_apart():
    assert is_rotation(np.eye(3))
    assert not is_rotation(np.diag([1.0, 1.0, -1.0]))
    assert not is_rotation(np.eye(3) + 1e-6)
    assert not is_rotation(np.full((3, 3), np.nan))
    assert not is_rotation(np.eye(2))


def test_a_position_or_a_pose_places_a_frame():
    X = Pose((1, 2, 3), (1, 1, 0, 0))
    assert frame_pose(X) is X
    np.testing.assert_array_equal(frame_pose((1, 2, 3)).p, [1, 2, 3])
    np.testing.assert_array_equal(frame_pose((1, 2, 3)).R, np.eye(3))
    np.testing.assert_array_equal(X.R, [[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    np.testing.assert_array_equal(Pose(rotation=X.R).R, X.R)


def pose_of(x):
    return Pose.of(Fedorov().matrix(x[:3]), x[3:6])


FUNCTIONS = {
    "skew": (3, skew),
    "axial": (9, lambda x: axial(x.reshape(3, 3))),
    "rotation": (4, lambda x: rotation(x[:3], x[3])),
    "exp": (3, exp),
    "Pose product": (12, lambda x: (pose_of(x) @ pose_of(x[6:])).p),
    "Pose inverse": (6, lambda x: pose_of(x).inverse().p),
    "Pose apply": (12, lambda x: pose_of(x).apply(x[6:].reshape(2, 3))),
    "L_wr": (6, lambda x: L_wr(pose_of(x))),
    "L_tw": (6, lambda x: L_tw(pose_of(x))),
    "Phi": (6, Phi),
    "Psi": (6, Psi),
    "Phi_tw": (6, Phi_tw),
    "Psi_tw": (6, Psi_tw),
    "shift_twist": (9, lambda x: shift_twist(x[:6], x[6:])),
    "shift_wrench": (9, lambda x: shift_wrench(x[:6], x[6:])),
    "transform_twist": (12, lambda x: transform_twist(pose_of(x), x[6:])),
    "transform_wrench": (12, lambda x: transform_wrench(pose_of(x), x[6:])),
    "power": (12, lambda x: power(x[:6], x[6:])),
    "Slider wrench": (12, lambda x: Slider(x[:3], x[3:6], x[6:9]).wrench(x[9:])),
    "Slider twist": (12, lambda x: Slider(x[:3], x[3:6], x[6:9]).twist(x[9:])),
    "Slider sum": (12, lambda x: (Slider(x[:3], x[3:6]) + Slider(x[6:9], x[9:])).q),
    "Slider invariants": (9, lambda x: Slider(x[:3], x[3:6], x[6:9]).invariants()[1]),
    "Slider apply": (24, lambda x: Slider(x[:3], x[3:12].reshape(3, 3), x[12:21].reshape(3, 3)).apply(x[21:]).q),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_traced_formula_computes_the_same_numbers(name):
    size, function = FUNCTIONS[name]
    x = rng(11).normal(size=size)
    for scale in (1.0, 1e-9):
        np.testing.assert_allclose(traced(function, scale * x), function(scale * x), rtol=1e-13, atol=8 * EPS * scale)
