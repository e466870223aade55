"""The derivative of a function of a rotation: nine entries, every chart, a quaternion, and a difference along a turn."""

import numpy as np
import pytest

from vinculum.errors import StartError
from vinculum.scalars import gradient, math, symbols, value
from vinculum.scalars.graph import substitute
from vinculum.screws import axial, exp
from vinculum.screws.charts import SEQUENCES, Quaternion, chart
from vinculum.screws.rotation_derivatives import (
    chart_gradient,
    dual_turning_basis,
    quaternion_gradient,
    rotation_gradient,
    turning_basis,
)

RNG = np.random.default_rng(41)
K, L = RNG.normal(size=(2, 3, 3))
CHARTS = ("quaternion", "fedorov", *SEQUENCES)


def function(R):
    """A function of a rotation that has no symmetry."""
    return np.sum(K * R) + math.sin(np.sum(L * (R @ R))) + 0.3 * R[0, 1] * math.exp(R[2, 2])


def continued(R):
    """The same on the rotations, but another function of nine entries."""
    det = math.dot(math.cross(R[:, 0], R[:, 1]), R[:, 2])
    return function(R) + (np.trace(R.T @ R) - 3.0) * R[0, 0] + 2.7 * (det - 1.0)


def slopes_at(of, letters, numbers) -> np.ndarray:
    """∂Σ/∂c of a function of symbols, as numbers."""
    return value(substitute(gradient(of, letters), letters, numbers))


def by_entries(of, R) -> np.ndarray:
    letters = symbols("R", 9).reshape(3, 3)
    return rotation_gradient(slopes_at(of(letters), letters, R), R)


def point(which: str) -> np.ndarray:
    c = RNG.uniform(0.3, 1.2, chart(which).size)
    return c / np.linalg.norm(c) if which == "quaternion" else c


@pytest.mark.parametrize("which", CHARTS)
def test_every_chart_gives_the_slope_of_the_nine_entries(which):
    own = chart(which)
    for _ in range(5):
        c = point(which)
        letters = symbols("c", own.size)
        slopes = slopes_at(function(own.matrix(letters)), letters, c)
        R = own.matrix(c)
        assert np.abs(chart_gradient(slopes, own, c) - by_entries(function, R)).max() < 1e-12


@pytest.mark.parametrize("which", CHARTS)
def test_the_basis_of_a_chart_is_the_axial_vector_of_its_slopes(which):
    """(5): g_i is the vector of ∂R/∂c^i Rᵀ; for three coordinates the dual basis is its inverse."""
    own = chart(which)
    c, letters = point(which), symbols("c", own.size)
    R = own.matrix(c)
    moved = np.array([[slopes_at(entry, letters, c) for entry in row] for row in own.matrix(letters)])
    if which != "quaternion":
        expected = np.stack([axial(moved[:, :, i] @ R.T) for i in range(own.size)], axis=1)
        assert np.abs(turning_basis(own, c) - expected).max() < 1e-12
        assert np.abs(dual_turning_basis(own, c) @ turning_basis(own, c) - np.eye(3)).max() < 1e-12
    assert np.abs(turning_basis(own, c) @ dual_turning_basis(own, c) - np.eye(3)).max() < 1e-12


def test_the_basis_of_the_angles_3_1_3_is_the_one_in_the_paper():
    psi, theta, _ = c = np.array([0.4, 0.9, -1.3])
    columns = [(0, 0, 1), (np.cos(psi), np.sin(psi), 0),
               (np.sin(psi) * np.sin(theta), -np.cos(psi) * np.sin(theta), np.cos(theta))]  # fmt: skip
    found = turning_basis(chart("zxz"), c)
    assert np.abs(found - np.array(columns).T).max() < 1e-15
    assert np.linalg.det(found) == pytest.approx(-np.sin(theta), abs=1e-15)


def test_the_quaternion_gives_the_slope_of_the_nine_entries_however_it_is_continued():
    letters = symbols("q", 4)
    plain = function(Quaternion().matrix(letters))
    scaled = function(Quaternion().matrix(letters) / (letters @ letters)) + 3.1 * (letters @ letters - 1.0) * letters[1]
    for _ in range(10):
        q = RNG.normal(size=4)
        q /= np.linalg.norm(q)
        expected = by_entries(function, Quaternion().matrix(q))
        for of in (plain, scaled):
            assert np.abs(quaternion_gradient(slopes_at(of, letters, q), q) - expected).max() < 1e-12


def test_the_slope_does_not_depend_on_how_the_function_is_continued():
    for _ in range(10):
        R = exp(RNG.normal(size=3))
        assert np.abs(by_entries(function, R) - by_entries(continued, R)).max() < 1e-12


def test_the_slope_times_the_angular_velocity_is_the_derivative_along_the_turn():
    h = 2e-4
    for _ in range(10):
        R, w = exp(RNG.normal(size=3)), RNG.normal(size=3)
        f = {k: function(exp(k * h * w) @ R) for k in (-2, -1, 1, 2)}
        rate = (8.0 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12.0 * h)
        assert by_entries(function, R) @ w == pytest.approx(rate, abs=1e-8)


def test_nine_entries_have_a_slope_where_the_angles_have_none():
    own, c = chart("zxz"), np.array([0.3, 0.0, 0.2])
    assert np.all(np.isfinite(by_entries(function, own.matrix(c))))
    with pytest.raises(StartError, match=r"chart 'zxz' is singular at \[0.3, 0.0, 0.2\].*rotation_gradient"):
        chart_gradient(np.ones(3), own, c)
