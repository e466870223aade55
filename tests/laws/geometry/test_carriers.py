"""Carriers: flows, what they convect, Lie derivatives, and the rates of the trace integral of tensor measures."""

import numpy as np
import pytest

import vinculum as vc
from metrics import euclidean, polar, random_field, random_metric, sphere
from vinculum import math as m

g = vc.geometry
H = 1e-4
PLACE = np.array([0.2, -0.3, 0.4])


def random_carrier(seed=5, n=3):
    return g.Carrier(random_metric(n, 1), random_field((n,), n, seed))


def random_atoms(count, n, seed):
    rng = np.random.default_rng(seed)
    T = rng.normal(size=(count, n, n))
    return g.TensorMeasure(0.6 * rng.uniform(-1.0, 1.0, (count, n)), T + np.swapaxes(T, 1, 2))


def slopes(carrier, x):
    """η^i_,j by differences of values, which no derivative of a graph enters."""
    at = lambda y: carrier.field(y)
    return np.stack([(at(x + H * e) - at(x - H * e)) / (2 * H) for e in np.eye(len(x))], axis=1)


def test_the_flow_of_a_linear_field_is_its_exponential():
    from scipy.linalg import expm

    A = np.array([[0.2, -0.9], [0.7, 0.1]])
    carrier = g.Carrier(euclidean(("x", "y")), lambda q: A @ q)
    x, c = np.array([0.3, 0.8]), np.array([1.0, -2.0])
    J = expm(0.7 * A)
    np.testing.assert_allclose(carrier.flow(x, 0.7), J @ x, rtol=1e-12)
    np.testing.assert_allclose(carrier.convect(x, c, 0.7), J @ c, rtol=1e-12)
    np.testing.assert_allclose(carrier.convect(x, c, 0.7, "_"), np.linalg.solve(J.T, c), rtol=1e-12)


def test_a_velocity_that_changes_along_the_flow_is_followed():
    """Moreau, Remark 9.3: ẋ = cos(τ) x has the flow exp(sin τ) x."""
    carrier = g.Carrier(euclidean(("x",)), lambda x, t: (m.cos(t) * x,))
    np.testing.assert_allclose(carrier.flow([2.0], 1.3), [2.0 * np.exp(np.sin(1.3))], rtol=1e-12)
    np.testing.assert_allclose(carrier.convect([2.0], [3.0], 1.3), [3.0 * np.exp(np.sin(1.3))], rtol=1e-12)


def test_what_lies_outside_of_the_support_stays():
    carrier = g.Carrier(euclidean(("x", "y")), lambda x, y: (1.0 + y, x), support=[(-1.0, 1.0), (0.0, 2.0)])
    outside = [[1.5, 1.0], [0.0, -0.5], [1.0, 2.0]]
    np.testing.assert_array_equal(carrier.flow(outside, 3.0), outside)
    assert np.abs(carrier.flow([0.1, 1.0], 3.0) - [0.1, 1.0]).max() > 0.1
    partly = g.Carrier(euclidean(("x", "y")), lambda: (1.0, 0.0), support=[None, (0.0, 2.0)])
    np.testing.assert_allclose(partly.flow([7.0, 1.0], 2.0), [9.0, 1.0], rtol=1e-12)


def test_flows_follow_one_another():
    carrier = random_carrier()
    there = carrier.flow(PLACE, 0.4)
    np.testing.assert_allclose(carrier.flow(there, 0.3), carrier.flow(PLACE, 0.7), rtol=1e-11)
    np.testing.assert_allclose(carrier.flow(there, -0.4), PLACE, rtol=1e-11)


@pytest.mark.parametrize("indices", ["^", "_", "^_", "^^", "__", "^_^"])
def test_convected_tensors_change_at_the_rates_of_moreau(indices):
    """(9.2), (9.3) and Remark 9.3, with η^i_,j by differences of values."""
    carrier = random_carrier()
    T = np.random.default_rng(2).normal(size=(3,) * len(indices))
    rate = (carrier.convect(PLACE, T, H, indices) - carrier.convect(PLACE, T, -H, indices)) / (2 * H)
    D, expected = slopes(carrier, PLACE), 0.0
    for place, kind in enumerate(indices):
        turn = D if kind == "^" else -D.T
        expected = expected + np.moveaxis(np.tensordot(turn, T, axes=([1], [place])), 0, place)
    np.testing.assert_allclose(rate, expected, atol=1e-7)


def test_the_product_of_a_convected_vector_and_a_convected_covector_stays():
    carrier = random_carrier()
    c, d = np.random.default_rng(3).normal(size=(2, 3))
    before = c @ d
    after = carrier.convect(PLACE, c, 1.2) @ carrier.convect(PLACE, d, 1.2, "_")
    np.testing.assert_allclose(after, before, rtol=1e-11)


def test_a_convected_field_changes_at_a_place_by_minus_its_lie_derivative():
    """Moreau, after Remark 9.4: ∂z/∂τ = (Dη) z − (Dz) η = −L_η z."""
    carrier, z = random_carrier(), random_field((3,), 3, 9)
    value = lambda x: np.asarray(z(x), dtype=float)
    back = {tau: carrier.flow(PLACE, -tau) for tau in (H, -H)}
    pushed = {tau: carrier.convect(x, value(x), tau) for tau, x in back.items()}
    found = g.lie_derivative(carrier.metric, carrier.field, z)(PLACE)
    np.testing.assert_allclose((pushed[H] - pushed[-H]) / (2 * H), -found, atol=1e-7)


@pytest.mark.parametrize("indices", ["", "^", "_", "_^", "__"])
def test_the_lie_derivative_is_the_rate_of_the_pull_back(indices):
    carrier, z = random_carrier(), random_field((3,) * len(indices), 3, 9)
    value = lambda x: np.asarray(z(x), dtype=float)
    pulled = {
        tau: carrier.convect(carrier.flow(PLACE, tau), value(carrier.flow(PLACE, tau)), -tau, indices)
        for tau in (H, -H)
    }
    found = g.lie_derivative(carrier.metric, carrier.field, z, indices)(PLACE)
    np.testing.assert_allclose((pulled[H] - pulled[-H]) / (2 * H), found, atol=1e-7)


def test_the_lie_derivative_of_the_metric_is_twice_the_deformation():
    """Moreau, (7.2): two routes to one field."""
    metric, eta = random_metric(3, 1), random_field((3,), 3, 5)
    np.testing.assert_allclose(
        g.lie_derivative(metric, eta, metric.tensor)(PLACE), 2.0 * g.deformation(metric, eta)(PLACE), atol=1e-13
    )


def test_gradients_of_convected_scalars_are_convected_covectors():
    """d(L_η f) = L_η(df)."""
    metric, eta, f = random_metric(3, 1), random_field((3,), 3, 5), random_field((), 3, 6)
    slope = g.covariant_derivative(metric, f)
    left = g.covariant_derivative(metric, g.lie_derivative(metric, eta, f))(PLACE)
    np.testing.assert_allclose(left, g.lie_derivative(metric, eta, slope)(PLACE), atol=1e-12)


def test_a_convected_measure_and_convected_covariant_tensors_have_the_same_pairing():
    """⟨p T, p κ⟩ = ⟨T, κ⟩, end of section 9."""
    carrier, T = random_carrier(), random_atoms(7, 3, 2)
    kappa = np.random.default_rng(4).normal(size=(7, 3, 3))
    moved = carrier.convect_measure(T, 0.8)
    np.testing.assert_allclose(moved.points, carrier.flow(T.points, 0.8), atol=1e-14)
    carried = carrier.convect(T.points, kappa, 0.8, "__")
    before, after = np.sum(T.tensors * kappa), np.sum(moved.tensors * carried)
    np.testing.assert_allclose(after, before, rtol=1e-11)


def test_a_carrier_is_the_same_in_two_charts():
    plane, other = euclidean(("x", "y")), polar()
    inside = g.Carrier(plane, lambda x, y: (m.sin(y), x * y))

    def turned(r, phi):
        x, y = r * m.cos(phi), r * m.sin(phi)
        a, b = m.sin(y), x * y
        return m.cos(phi) * a + m.sin(phi) * b, (m.cos(phi) * b - m.sin(phi) * a) / r

    r, phi = g.Carrier(other, turned).flow([1.1, 0.4], 0.5)
    x, y = inside.flow([1.1 * np.cos(0.4), 1.1 * np.sin(0.4)], 0.5)
    np.testing.assert_allclose([r * np.cos(phi), r * np.sin(phi)], [x, y], rtol=1e-11)


@pytest.mark.parametrize("count", [1, 100])
def test_the_variational_formula_holds_for_nonlinear_carriers(count):
    """(10.1), fact 12: one atom and a hundred of them; the first route moves measures and knows no derivative of g."""
    carrier = g.Carrier(random_metric(2, 6), random_field((2,), 2, 3), support=[(-2.0, 2.0), (-1.5, 1.5)])
    found = g.trace_rate(carrier, random_atoms(count, 2, 3))
    assert abs(found.by_equilibrium) > 1e-2
    np.testing.assert_allclose(found.by_transport, found.by_equilibrium, rtol=1e-8)


def test_the_variational_formula_holds_along_a_curve_and_fails_without_the_derivative_of_the_metric():
    metric = sphere()
    carrier = g.Carrier(metric, lambda theta, phi: (m.sin(phi), m.cos(theta)))
    curve = g.TensorMeasure.curve(lambda s: (1.0 + 0.3 * s, s * s), 0.0, 1.0, panels=2)
    found = g.trace_rate(carrier, curve)
    np.testing.assert_allclose(found.by_transport, found.by_equilibrium, rtol=1e-9)
    flat = g.Metric("flat", ["theta", "phi"], lambda: np.diag([1.0, np.sin(1.0) ** 2]))
    wrong = g.equilibrium(flat, curve).pair(lambda theta, phi: (m.sin(phi), m.cos(theta)))
    assert abs(-2.0 * wrong - found.by_transport) > 1e-2


def test_the_second_rate_is_the_same_by_curvature_by_lie_derivatives_and_by_transport():
    """Remark 2.2: a field and a metric at random, with atoms that are not in equilibrium."""
    metric, eta, T = random_metric(3, 2), random_field((3,), 3, 8), random_atoms(5, 3, 6)
    found = g.second_trace_rate(metric, T, eta)
    np.testing.assert_allclose(found.total, found.by_lie_derivatives, rtol=1e-11)
    carrier, h = g.Carrier(metric, eta), 2e-3
    ahead, here, behind = (carrier.convect_measure(T, tau).pair(metric) for tau in (h, 0.0, -h))
    np.testing.assert_allclose((ahead - 2.0 * here + behind) / h**2, found.total, rtol=1e-4)
    assert abs(found.curving) > 1e-3 and abs(found.pushing) > 1e-3


def test_the_second_rate_along_the_equator_is_the_index_form():
    """2 ∫ (f′² − f²) ds for η = f(φ) ∂_θ on the unit sphere, and equ T = 0 there."""
    equator = g.TensorMeasure.curve(lambda s: (np.pi / 2 + 0.0 * s, s), 0.0, np.pi, panels=4)
    for k in (1, 2, 3):
        found = g.second_trace_rate(sphere(), equator, lambda phi, k=k: (m.sin(k * phi), 0.0))
        np.testing.assert_allclose(found.total, np.pi * (k * k - 1.0), atol=1e-11)
        np.testing.assert_allclose(found.curving, -np.pi, rtol=1e-11)
        assert abs(found.pushing) < 1e-12


def test_measures_of_motions_and_mixtures_are_nonnegative_and_a_wrong_sign_is_found():
    """Remark 2.2: where T(κ, κ) < 0 a carrier that oscillates along κ makes the second rate negative; T ≥ 0 makes it positive."""
    plane = euclidean(("x", "y"))
    rng = np.random.default_rng(1)
    streams = rng.normal(size=(5, 40, 2))
    points = rng.uniform(-1.0, 1.0, (40, 2))
    mixture = g.TensorMeasure(points, np.einsum("sni,snj->nij", streams, streams))
    assert g.sign_condition(plane, mixture).holds
    for seed in range(8):
        assert g.second_trace_rate(plane, mixture, random_field((2,), 2, seed)).stretching > 0.0
    tension = g.TensorMeasure.density(plane, lambda: [[2.0, 0.3], [0.3, -1.0]], [(-1.0, 1.0), (-1.0, 1.0)], panels=2)
    found = g.sign_condition(plane, tension)
    kappa = found.direction / np.linalg.norm(found.direction)
    assert not found.holds
    np.testing.assert_allclose(
        kappa @ [[2.0, 0.3], [0.3, -1.0]] @ kappa, np.linalg.eigvalsh([[2.0, 0.3], [0.3, -1.0]])[0]
    )

    def waves(x, y):
        bump = (1.0 - x * x) ** 4 * (1.0 - y * y) ** 4
        return bump * m.sin(12.0 * (kappa[0] * x + kappa[1] * y)) * np.array([1.0, 0.0])

    second = g.second_trace_rate(plane, tension, waves)
    assert second.total < -1.0 and abs(second.pushing) < 1e-9 * abs(second.total)
