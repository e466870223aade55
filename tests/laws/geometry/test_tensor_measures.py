"""Tensor measures: equilibrium and divergence against test fields, on one chart and across charts; the variational formula."""

import numpy as np
import pytest

import vinculum as vc
from metrics import euclidean, polar, random_field, random_metric, sphere
from vinculum import math as m

g = vc.geometry


def random_atoms(count, n, seed, at=0.0, spread=0.8):
    rng = np.random.default_rng(seed)
    T = rng.normal(size=(count, n, n))
    return g.TensorMeasure(at + spread * rng.uniform(-1.0, 1.0, (count, n)), T + np.swapaxes(T, 1, 2))


def test_equilibrium_of_atoms_is_minus_the_power_of_the_deformation():
    metric, T, eta = random_metric(3, 1), random_atoms(6, 3, 2), random_field((3,), 3, 3)
    expected = -np.einsum("nij,nij->", T.tensors, g.deformation(metric, eta)(T.points))
    np.testing.assert_allclose(g.equilibrium(metric, T).pair(eta), expected, rtol=1e-13)


def test_equilibrium_is_the_divergence_with_its_index_lowered_for_measures_too():
    metric, T, eta = random_metric(3, 1), random_atoms(6, 3, 2), random_field((3,), 3, 3)
    alpha = lambda q: metric_at(metric, q) @ eta(q)
    np.testing.assert_allclose(g.divergence(metric, T).pair(alpha), g.equilibrium(metric, T).pair(eta), rtol=1e-12)


def metric_at(metric, q):
    from vinculum.scalars import substitute

    return substitute(metric.chart.g, metric.chart.q, q)


def test_a_smooth_field_and_its_measure_have_the_same_equilibrium():
    """⟨equ T, η⟩ = ∫ (equ T)_k η^k √det g dq for a bump η inside the box: Moreau, (7.5) and (7.6)."""
    metric = random_metric(2, 4)
    stress = random_field((2, 2), 2, 8)
    T = lambda q: stress(q) + stress(q).T
    eta = vc.measures.VectorBump.random(np.random.default_rng(5), (0.1, -0.1), (0.8, 0.7), isochronous=False)
    center, widths = eta.bump.center, eta.bump.widths
    box = np.stack([center - widths, center + widths], axis=1)
    measure = g.TensorMeasure.density(metric, T, box, panels=8)
    weight = g.TensorMeasure.density(metric, lambda q: np.diag([1.0, 0.0]), box, panels=8).tensors[:, 0, 0]
    effort = g.equilibrium(metric, T)(measure.points)
    expected = np.einsum("n,nk,nk->", weight, effort, eta(measure.points))
    assert abs(expected) > 1e-3
    np.testing.assert_allclose(g.equilibrium(metric, measure).pair(eta), expected, atol=1e-9)


def test_bumps_and_functions_are_paired_alike():
    metric, T = random_metric(2, 4), random_atoms(5, 2, 1, spread=0.3)
    bump = vc.measures.VectorBump.random(np.random.default_rng(5), (0.0, 0.0), (1.5, 1.5), isochronous=False)
    inner = bump.bump

    def eta(q):
        s = (q - inner.center) / inner.widths
        form = bump.components + bump.slopes_of_components @ (q - inner.center)
        return (1.0 + inner.tilt @ (q - inner.center)) * m.exp(1.0 - 1.0 / (1.0 - s * s)).prod() * form

    for kind in (g.equilibrium, g.divergence):
        np.testing.assert_allclose(kind(metric, T).pair(bump), kind(metric, T).pair(eta), rtol=1e-11)


def test_a_straight_string_under_constant_tension_is_in_equilibrium():
    """Stress τ t ⊗ t along a segment: its efforts are those at the ends, −τ t · η there."""
    metric = euclidean(("x", "y"))
    string = g.TensorMeasure.curve(lambda s: (0.2 + 0.6 * s, -0.1 + 0.8 * s), 0.0, 1.0)
    eta = random_field((2,), 2, 3)
    ends = [np.asarray(eta(np.array(p)), dtype=float) @ [0.6, 0.8] for p in ((0.8, 0.7), (0.2, -0.1))]
    np.testing.assert_allclose(g.equilibrium(metric, string).pair(eta), ends[1] - ends[0], rtol=1e-12)


def test_the_kinetic_measure_of_a_geodesic_exerts_efforts_at_its_ends_only():
    """Along a great circle u ⊗ u ds is in equilibrium; along a circle of latitude it is not."""
    metric = sphere()
    bump = vc.measures.VectorBump.random(np.random.default_rng(1), (np.pi / 2, 0.5), (0.7, 0.6), isochronous=False)
    equator = g.TensorMeasure.curve(lambda s: (np.pi / 2 + 0.0 * s, s), -1.0, 2.0)
    assert abs(g.equilibrium(metric, equator).pair(bump)) < 1e-12
    latitude = g.TensorMeasure.curve(lambda s: (1.2 + 0.0 * s, s), -1.0, 2.0)
    assert abs(g.equilibrium(metric, latitude).pair(bump)) > 1e-3


@pytest.mark.parametrize("kind", ["atoms", "curve", "field"])
def test_equilibrium_is_the_same_in_two_charts(kind):
    """Measures and test fields of the plane, seen in Cartesian and in polar coordinates."""
    plane, other = euclidean(("x", "y")), polar()
    if kind == "atoms":
        measure = g.TensorMeasure([[1.0, 0.3], [0.4, 1.2]], [[[1.0, 0.2], [0.2, -0.4]], [[0.3, 0.1], [0.1, 2.0]]])
    elif kind == "curve":
        measure = g.TensorMeasure.curve(lambda s: (1.0 + 0.2 * s, s**2), 0.0, 1.0, lambda s: [[s, 1.0], [1.0, s * s]])
    else:
        measure = g.TensorMeasure.density(
            plane, lambda x, y: [[x * y, x], [x, 1.0 + y]], [(0.5, 1.0), (0.2, 1.1)], panels=2
        )
    eta = lambda x, y: (m.sin(x) * y, x * x - y)

    def in_polar(r, phi):
        x, y = r * m.cos(phi), r * m.sin(phi)
        a, b = eta(x, y)
        return m.cos(phi) * a + m.sin(phi) * b, (-m.sin(phi) * a + m.cos(phi) * b) / r

    carried = measure.push_forward(lambda q: (m.sqrt(q @ q), m.atan2(q[1], q[0])))
    np.testing.assert_allclose(
        g.equilibrium(other, carried).pair(in_polar), g.equilibrium(plane, measure).pair(eta), rtol=1e-12
    )
    np.testing.assert_allclose(carried.pair(other), measure.pair(plane), rtol=1e-12)
    back = carried.push_forward(lambda q: (q[0] * m.cos(q[1]), q[0] * m.sin(q[1])))
    np.testing.assert_allclose(back.points, measure.points, atol=1e-14)
    np.testing.assert_allclose(back.tensors, measure.tensors, atol=1e-12)


@pytest.mark.parametrize("count", [1, 100])
def test_the_variational_formula_of_moreau_holds_for_atoms(count):
    """(10.1): d/dτ ∫ g : dT_τ = −2 ⟨equ T, η⟩, by central differences of the flow x → exp(τA) x of a linear field."""
    metric, T = random_metric(2, 6), random_atoms(count, 2, 3)
    A, h = np.array([[0.2, -0.9], [0.7, 0.1]]), 1e-4

    def flow(tau):
        one = np.eye(2) + tau * A + tau**2 / 2 * A @ A + tau**3 / 6 * A @ A @ A
        return lambda q: one @ q

    rate = (T.push_forward(flow(h)).pair(metric) - T.push_forward(flow(-h)).pair(metric)) / (2 * h)
    np.testing.assert_allclose(rate, -2.0 * g.equilibrium(metric, T).pair(lambda q: A @ q), rtol=1e-6)


def bouncing_ball(mass=1.3, gravity=9.81, height=1.0):
    """The kinetic measure of a ball on time-space until its second flight, its impact, and the metric with g_00 = 1."""
    t1 = np.sqrt(2.0 * height / gravity)
    speed = gravity * t1
    metric = g.Metric("time and height", ["time", "z"], lambda: [[1.0, 0.0], [0.0, mass]])
    falling = g.TensorMeasure.curve(lambda s: (s, height - 0.5 * gravity * s * s), 0.0, t1)
    rising = g.TensorMeasure.curve(lambda s: (s, speed * (s - t1) - 0.5 * gravity * (s - t1) ** 2), t1, 2.0 * t1)
    return metric, falling + rising, t1, speed


def test_the_action_of_a_bounce_changes_at_the_rate_of_its_impulse():
    """(11.9): with the weight E, −⟨equ C, η⟩ + ⟨E, η⟩ = −R · η, which is 11.5166 for η^z = −1 at the first elastic impact."""
    metric, C, t1, speed = bouncing_ball()
    bump = vc.measures.Bump.at((t1, 0.0), (0.4, np.inf))
    eta = vc.measures.VectorBump(bump, np.array([0.0, -1.0]), np.zeros((2, 2)))
    rate = -g.equilibrium(metric, C).pair(eta)
    s, w = np.polynomial.legendre.leggauss(400)
    weight = 0.4 * (w * -1.3 * 9.81 * eta(np.stack([t1 + 0.4 * s, 0.0 * s], axis=1))[:, 1]).sum()
    np.testing.assert_allclose(rate + weight, 11.5166, atol=5e-5)
    np.testing.assert_allclose(rate + weight, 2.0 * 1.3 * speed, rtol=1e-10)


def test_a_carrier_along_time_alone_finds_no_effort():
    """(11.3) with η⁰ ≠ 0: (equ C)_0 = div(uθ) = 0, through the impact too."""
    metric, C, t1, _ = bouncing_ball()
    bump = vc.measures.Bump.at((t1 + 0.05, 0.1), (0.4, 2.0))
    eta = vc.measures.VectorBump(bump, np.array([0.7, 0.0]), np.array([[0.3, -0.2], [0.0, 0.0]]))
    assert abs(g.equilibrium(metric, C).pair(eta)) < 1e-10
    both = vc.measures.VectorBump(bump, np.array([0.7, -1.0]), np.array([[0.3, -0.2], [0.1, 0.4]]))
    alone = vc.measures.VectorBump(bump, np.array([0.0, -1.0]), np.array([[0.0, 0.0], [0.1, 0.4]]))
    np.testing.assert_allclose(g.equilibrium(metric, C).pair(both), g.equilibrium(metric, C).pair(alone), atol=1e-9)


def test_measures_are_added_and_scaled():
    metric, a, b = random_metric(2, 6), random_atoms(3, 2, 3), random_atoms(2, 2, 4)
    np.testing.assert_allclose((2.0 * a + b * -1.0).pair(metric), 2.0 * a.pair(metric) - b.pair(metric), rtol=1e-13)
    kappa = random_field((2, 2), 2, 1)
    expected = sum(np.sum(T * np.asarray(kappa(x), dtype=float)) for x, T in zip(a.points, a.tensors, strict=True))
    np.testing.assert_allclose(a.pair(metric, kappa), expected, rtol=1e-13)
