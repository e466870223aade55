"""Identities of connection, curvature, deformation and equilibrium on random metrics."""

import copy
import pickle

import numpy as np
import pytest

import vinculum as vc
from metrics import random_field, random_metric

g = vc.geometry
PLACES = np.random.default_rng(0).uniform(-1.0, 1.0, (5, 3))
ROUND_OFF = {"rtol": 0.0, "atol": 1e-12}


@pytest.fixture(scope="module", params=[1, 2])
def metric(request):
    return random_metric(3, request.param)


def test_riemanns_tensor_has_its_symmetries(metric):
    R = metric.riemann(PLACES)
    assert np.abs(R).max() > 0.01
    np.testing.assert_allclose(R, -np.swapaxes(R, 1, 2), **ROUND_OFF)
    np.testing.assert_allclose(R, -np.swapaxes(R, 3, 4), **ROUND_OFF)
    np.testing.assert_allclose(R, np.transpose(R, (0, 3, 4, 1, 2)), **ROUND_OFF)
    cyclic = R + np.transpose(R, (0, 1, 3, 4, 2)) + np.transpose(R, (0, 1, 4, 2, 3))
    np.testing.assert_allclose(cyclic, 0.0, **ROUND_OFF)


def test_the_second_identity_of_bianchi_holds(metric):
    D = g.covariant_derivative(metric, metric.riemann)(PLACES)  # R_ijkl|m
    cyclic = D + np.transpose(D, (0, 1, 2, 4, 5, 3)) + np.transpose(D, (0, 1, 2, 5, 3, 4))
    assert np.abs(D).max() > 0.01
    np.testing.assert_allclose(cyclic, 0.0, **ROUND_OFF)


def test_einsteins_tensor_has_no_divergence(metric):
    """R^i_j|i = ½ R_,j."""
    ricci = g.covariant_derivative(metric, metric.ricci)(PLACES)
    slope = g.covariant_derivative(metric, metric.scalar_curvature)(PLACES)
    np.testing.assert_allclose(np.einsum("bik,bijk->bj", metric.inverse(PLACES), ricci), 0.5 * slope, **ROUND_OFF)


def test_the_metric_its_inverse_and_the_volume_are_constant(metric):
    np.testing.assert_allclose(g.covariant_derivative(metric, metric.tensor)(PLACES), 0.0, **ROUND_OFF)
    np.testing.assert_allclose(g.covariant_derivative(metric, metric.inverse)(PLACES), 0.0, **ROUND_OFF)
    np.testing.assert_allclose(
        metric.inverse(PLACES) @ metric(PLACES), np.broadcast_to(np.eye(3), (5, 3, 3)), **ROUND_OFF
    )
    np.testing.assert_allclose(metric.volume_density(PLACES) ** 2, np.linalg.det(metric(PLACES)), rtol=1e-12)


def test_second_covariant_derivatives_commute_up_to_the_curvature(metric):
    """v_i|kl − v_i|lk = R_mikl v^m with the sign of this library, up to the order of indices."""
    v = random_field((3,), 3, 7)
    first = g.covariant_derivative(metric, v, indices="_")
    second = g.covariant_derivative(metric, first)(PLACES)
    raised = np.einsum("bij,bj->bi", metric.inverse(PLACES), values_of(metric, v))
    found = second - np.swapaxes(second, 2, 3)
    np.testing.assert_allclose(found, np.einsum("bmikl,bm->bikl", metric.riemann(PLACES), raised), **ROUND_OFF)


def values_of(metric, v):
    return np.stack([np.asarray(v(q), dtype=float) for q in PLACES])


def test_deformation_is_the_symmetric_part_of_the_gradient(metric):
    v = random_field((3,), 3, 5)
    D = np.einsum("bij,bjk->bik", metric(PLACES), g.covariant_derivative(metric, v)(PLACES))
    np.testing.assert_allclose(g.deformation(metric, v)(PLACES), 0.5 * (D + np.swapaxes(D, 1, 2)), **ROUND_OFF)


def stress(seed):
    field = random_field((3, 3), 3, seed)
    return lambda q: field(q) + field(q).T


def test_equilibrium_by_components_is_the_divergence_with_its_index_lowered(metric):
    """Moreau, (7.6) with its last factor corrected to T^ij, and (7.7)."""
    T = stress(11)
    lowered = np.einsum("bij,bj->bi", metric(PLACES), g.divergence(metric, T)(PLACES))
    np.testing.assert_allclose(g.equilibrium(metric, T)(PLACES), lowered, **ROUND_OFF)
    printed = equilibrium_as_printed(metric, T)
    assert np.abs(printed - lowered).max() > 1e-2


def equilibrium_as_printed(metric, T):
    """(7.6) with T^ij_,i as the last factor, on components with the volume density, per unit of volume."""
    h = 1e-6
    result = []
    for q in PLACES:

        def weighed(x):
            return np.asarray(T(x), dtype=float) * metric.volume_density(x)

        first = np.stack([(weighed(q + h * e) - weighed(q - h * e)) / (2 * h) for e in np.eye(3)], axis=-1)
        slopes = np.stack([(metric(q + h * e) - metric(q - h * e)) / (2 * h) for e in np.eye(3)], axis=-1)
        div = np.einsum("iji->j", first)
        bracket = slopes - 0.5 * np.transpose(slopes, (0, 2, 1))  # g_ik,j − ½ g_ij,k as (i, k, j)
        result.append((metric(q) @ div + np.einsum("ikj,j->k", bracket, div)) / metric.volume_density(q))
    return np.array(result)


def test_the_divergence_of_a_vector_field_is_that_of_its_volume(metric):
    v, h = random_field((3,), 3, 9), 1e-5

    def weighed(q, i):
        return metric.volume_density(q) * np.float64(v(q)[i])

    for q, found in zip(PLACES, g.divergence(metric, v)(PLACES), strict=True):
        rate = sum((weighed(q + h * e, i) - weighed(q - h * e, i)) / (2 * h) for i, e in enumerate(np.eye(3)))
        np.testing.assert_allclose(found, rate / metric.volume_density(q), atol=1e-8)


def test_the_laplacian_is_the_divergence_of_the_gradient(metric):
    f = random_field((), 3, 4)
    gradient = g.covariant_derivative(metric, f)
    raised = np.einsum("ij,j->i", metric.chart.inverse, gradient.components)
    assert gradient.indices == "_"
    by_parts = g.divergence(metric, lambda q: graphs_at(metric, raised, q))(PLACES)
    np.testing.assert_allclose(g.laplace_beltrami(metric, f)(PLACES), by_parts, **ROUND_OFF)


def graphs_at(metric, graphs, q):
    from vinculum.scalars import substitute

    return substitute(graphs, metric.chart.q, q)


def test_transport_keeps_lengths_and_angles(metric):
    a = g.parallel_transport(metric, ([0.1, 0.2, -0.3], [0.4, -0.2, 0.5]), [1.0, 0.0, 0.3], 2.0, grid=21)
    b = g.parallel_transport(metric, ([0.1, 0.2, -0.3], [0.4, -0.2, 0.5]), [0.2, -0.6, 0.1], 2.0, grid=21)
    G = metric(a.q)
    for x, y in ((a.w, a.w), (a.w, b.w), (b.w, b.w), (a.motion.v[:, :3], a.w)):
        product = np.einsum("tij,ti,tj->t", G, x, y)
        np.testing.assert_allclose(product, product[0], **ROUND_OFF)


def test_the_velocity_of_a_geodesic_is_carried_parallel(metric):
    start = [0.1, 0.2, -0.3], [0.4, -0.2, 0.5]
    carried = g.parallel_transport(metric, start, start[1], 2.0, grid=21)
    motion = g.geodesic(metric, *start, 2.0, grid=21)
    np.testing.assert_allclose(carried.w, motion.v, **ROUND_OFF)
    np.testing.assert_allclose(carried.q, motion.q, **ROUND_OFF)


def frame(q):
    return [[1.0 + q[0] ** 2, 0.1 * q[1]], [0.1 * q[1], 2.0]]


def test_a_metric_and_its_fields_survive_copies_and_pickles():
    own = g.Metric("frame", ["x", "y"], frame)
    before = own.riemann([0.3, 0.4])
    kept, field = pickle.loads(pickle.dumps(own)), pickle.loads(pickle.dumps(own.christoffel))
    np.testing.assert_array_equal(kept.riemann([0.3, 0.4]), before)
    np.testing.assert_array_equal(field([0.3, 0.4]), own.christoffel([0.3, 0.4]))
    other = g.Metric("frame", ["x", "y"], frame)
    again = pickle.loads(pickle.dumps(other.tensor))
    chart = again.chart
    np.testing.assert_allclose(g.covariant_derivative(_with_chart(other, chart), again)([0.3, 0.4]), 0.0, **ROUND_OFF)
    assert copy.deepcopy(own) is own
    with pytest.raises(pickle.PicklingError, match="metric 'random 3' cannot be pickled, because of components"):
        pickle.dumps(random_metric(3, 1))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-170, 1e-60, 1.0, 1e90, 1e300])
def test_sectional_curvature_is_that_of_a_plane_whatever_the_size_of_its_vectors(metric, size):
    n = len(metric.coordinates)
    q, u, w = np.random.default_rng(2).uniform(-0.5, 0.5, (3, n))
    K = g.sectional_curvature(metric, q, u, w)
    assert g.sectional_curvature(metric, q, size * u, w - 2.0 * u) == pytest.approx(K, rel=1e-9)
    assert g.sectional_curvature(metric, q, w, size * (u + w)) == pytest.approx(K, rel=1e-9)
    for parallel in (np.zeros(n), size * u):
        with pytest.raises(vc.errors.StartError, match="span no plane"):
            g.sectional_curvature(metric, q, u, parallel)


@pytest.mark.parametrize("scale", [1e-47, 1.0, 1e42])
@pytest.mark.parametrize("n", [2, 5, 9])
def test_volumes_of_many_coordinates_in_any_units(n, scale):
    """det g of nine coordinates of atoms in kg and m is below the smallest float; its root is not."""
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, n)) + 2.0 * np.eye(n)
    atoms = g.Metric("atoms", [f"x{i}" for i in range(n)], lambda x0: scale * (1.0 + x0**2) * (A @ A.T))
    q = rng.normal(size=n)
    size = np.linalg.slogdet(A)[1] + 0.5 * n * np.log(scale * (1.0 + q[0] ** 2))
    assert np.log(atoms.volume_density(q)) == pytest.approx(size, rel=1e-12)


def _with_chart(metric, chart):
    vars(metric)["chart"] = chart
    return metric


def test_parameters_of_a_metric_are_given_by_name_everywhere():
    R, scale = vc.parameter("R", 2.0), vc.parameter("scale", 1.0)
    ball = g.Metric("ball", ["theta", "phi"], lambda theta: [[R**2, 0.0], [0.0, R**2 * vc.math.sin(theta) ** 2]])
    assert ball.parameters == {"R": 2.0}
    at, given = [1.0, 0.3], {"R": 3.0}
    np.testing.assert_allclose(ball.scalar_curvature(at, given), 2.0 / 9.0, rtol=1e-13)
    np.testing.assert_allclose(g.sectional_curvature(ball, at, [1, 0], [0, 1], given), 1.0 / 9.0, rtol=1e-13)
    np.testing.assert_allclose(g.exponential(ball, at, [0.5, 0.0], parameters=given), [1.5, 0.3], rtol=1e-13)
    motion = g.geodesic(ball, at, [0.2, 0.3], 1.0, parameters=given, grid=11)
    np.testing.assert_allclose(motion.energy[0], 0.5 * 9.0 * (0.04 + 0.09 * np.sin(1.0) ** 2), rtol=1e-13)
    integral = g.first_integral(ball, lambda: (0.0, scale), parameters={"R": 3.0, "scale": 2.0})
    np.testing.assert_allclose(integral.along(motion), 2.0 * 9.0 * np.sin(1.0) ** 2 * 0.3, rtol=1e-12)
    stretched = g.deformation(ball, lambda theta: (scale * theta, 0.0))
    assert stretched.parameters == {"R": 2.0, "scale": 1.0}
    np.testing.assert_allclose(stretched(at, {"scale": 5.0})[0, 0], 4.0 * 5.0, rtol=1e-13)
    carried = g.parallel_transport(ball, lambda t: (1.0, t), [1.0, 0.0], 1.0, parameters=given, grid=3)
    np.testing.assert_allclose(carried.w[-1][0], np.cos(np.cos(1.0)), rtol=1e-12)
    atoms = g.TensorMeasure([at], [np.diag([1.0, 0.0])])
    np.testing.assert_allclose(atoms.pair(ball, parameters=given), 9.0, rtol=1e-13)
    np.testing.assert_allclose(
        g.equilibrium(ball, atoms).pair(lambda theta: (scale * theta, 0.0), {"scale": 5.0}), -20.0, rtol=1e-13
    )
