"""Curvature, geodesics and transport on surfaces with closed forms."""

import numpy as np
import pytest

import vinculum as vc
from metrics import ellipsoid, euclidean, half_plane, polar, schwarzschild, sphere, torus
from vinculum import math as m

g = vc.geometry
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def test_christoffel_symbols_of_a_sphere_are_those_of_the_books():
    theta = 0.8
    gamma = sphere(3.0).christoffel([theta, 0.4])
    expected = np.zeros((2, 2, 2))
    expected[0, 1, 1] = -np.sin(theta) * np.cos(theta)
    expected[1, 0, 1] = expected[1, 1, 0] = 1.0 / np.tan(theta)
    np.testing.assert_allclose(gamma, expected, **CLOSE)
    assert (
        sphere().christoffel.latex().splitlines()[1]
        == r"\Gamma^{\phi}{}_{\theta \phi} = \frac{1}{\tan{\left(\theta \right)}}"
    )


@pytest.mark.parametrize(("metric", "at", "gauss"), [
    (sphere(2.5), (0.9, 1.0), 1.0 / 2.5**2),
    (half_plane(), (0.3, 0.7), -1.0),
    (torus(2.0, 0.7), (0.6, 0.1), np.cos(0.6) / (0.7 * (2.0 + 0.7 * np.cos(0.6)))),
    (torus(2.0, 0.7), (2.8, 0.1), np.cos(2.8) / (0.7 * (2.0 + 0.7 * np.cos(2.8)))),
    (polar(), (1.3, 0.4), 0.0),
    (ellipsoid(1.0, 1.0, 1.0), (0.3, 0.4), 1.0),
])  # fmt: skip
def test_gaussian_curvature_is_the_known_one(metric, at, gauss):
    det = np.linalg.det(metric(at))
    np.testing.assert_allclose(metric.riemann(at)[0, 1, 0, 1], gauss * det, **CLOSE)
    np.testing.assert_allclose(metric.ricci(at), gauss * metric(at), **CLOSE)
    np.testing.assert_allclose(metric.scalar_curvature(at), 2.0 * gauss, **CLOSE)
    np.testing.assert_allclose(metric.volume_density(at), np.sqrt(det), **CLOSE)
    np.testing.assert_allclose(g.sectional_curvature(metric, at, (1.0, 0.3), (-0.2, 1.1)), gauss, **CLOSE)


def test_the_ellipsoid_has_the_curvature_of_its_semiaxes():
    """At the end of the first semiaxis the principal curvatures are a/b² and a/c²."""
    a, b, c = 1.0, 1.4, 0.7
    np.testing.assert_allclose(ellipsoid(a, b, c).scalar_curvature([0.0, 0.0]), 2.0 * (a / b**2) * (a / c**2), **CLOSE)


def test_space_around_a_mass_is_curved_and_has_no_scalar_curvature():
    metric, mass, r, theta = schwarzschild(0.3), 0.3, 1.7, 0.9
    ricci = np.diag([-2.0 * mass / (r**2 * (r - 2.0 * mass)), mass / r, mass * np.sin(theta) ** 2 / r])
    np.testing.assert_allclose(metric.ricci([r, theta, 0.2]), ricci, **CLOSE)
    np.testing.assert_allclose(metric.scalar_curvature([r, theta, 0.2]), 0.0, **CLOSE)


def test_geodesics_of_a_sphere_are_great_circles():
    theta, v = 1.0, np.array([0.3, 0.5])
    motion = g.geodesic(sphere(), [theta, 0.2], v, 4.0)

    def place(q):
        return np.stack(
            [np.sin(q[..., 0]) * np.cos(q[..., 1]), np.sin(q[..., 0]) * np.sin(q[..., 1]), np.cos(q[..., 0])], axis=-1
        )

    x = place(motion.q)
    speed = np.sqrt(v[0] ** 2 + (np.sin(theta) * v[1]) ** 2)
    along = v[0] * np.array([np.cos(theta) * np.cos(0.2), np.cos(theta) * np.sin(0.2), -np.sin(theta)])
    along = along + v[1] * np.sin(theta) * np.array([-np.sin(0.2), np.cos(0.2), 0.0])
    s = speed * motion.time[:, None]
    np.testing.assert_allclose(x, np.cos(s) * x[0] + np.sin(s) * along / speed, atol=1e-13)
    np.testing.assert_allclose(motion.energy, 0.5 * speed**2, atol=1e-14)
    assert motion.audit().passed


def test_geodesics_of_the_half_plane_are_half_circles():
    motion = g.geodesic(half_plane(), [0.0, 1.0], [1.0, 0.0], 3.0)
    np.testing.assert_allclose(np.hypot(motion.q[:, 0], motion.q[:, 1]), 1.0, atol=1e-13)
    np.testing.assert_allclose(motion.q[:, 0], np.tanh(motion.time), atol=1e-13)


def test_geodesics_in_polar_coordinates_are_straight():
    motion = g.geodesic(polar(), [1.0, 0.0], [-0.2, 0.9], 3.0)
    r, phi = motion.q.T
    np.testing.assert_allclose(r * np.cos(phi), 1.0 - 0.2 * motion.time, atol=1e-13)
    np.testing.assert_allclose(r * np.sin(phi), 0.9 * motion.time, atol=1e-13)


def test_the_exponential_map_reaches_the_point_at_the_distance_of_the_vector():
    at = g.exponential(sphere(2.0), [np.pi / 2, 0.0], [0.0, 0.6])
    np.testing.assert_allclose(at, [np.pi / 2, 0.6], atol=1e-14)
    np.testing.assert_allclose(g.exponential(half_plane(), [0.3, 1.0], [0.0, 1.5]), [0.3, np.exp(1.5)], rtol=1e-13)
    np.testing.assert_array_equal(g.exponential(sphere(), [1.0, 0.5], [0.0, 0.0]), [1.0, 0.5])


def test_a_vector_carried_around_a_circle_of_latitude_turns_by_the_enclosed_curvature():
    theta = 1.1
    carried = g.parallel_transport(sphere(), lambda t: (theta, t), [1.0, 0.0], 2.0 * np.pi)
    turned = 2.0 * np.pi * np.cos(theta)
    np.testing.assert_allclose(carried.w[-1], [np.cos(turned), -np.sin(turned) / np.sin(theta)], atol=1e-11)
    np.testing.assert_allclose(carried.q[-1], [theta, 2.0 * np.pi], atol=1e-15)


def test_transport_in_flat_space_leaves_cartesian_components():
    carried = g.parallel_transport(polar(), lambda t: (1.0 + 0.3 * m.sin(t), 1.3 * t), [0.4, -0.7], 3.0)
    r, phi = carried.q.T
    x = np.cos(phi) * carried.w[:, 0] - r * np.sin(phi) * carried.w[:, 1]
    y = np.sin(phi) * carried.w[:, 0] + r * np.cos(phi) * carried.w[:, 1]
    np.testing.assert_allclose(x, 0.4, atol=1e-12)
    np.testing.assert_allclose(y, -0.7, atol=1e-12)


@pytest.mark.parametrize(("degree", "harmonic"), [
    (1, lambda theta, phi: m.sin(theta) * m.cos(phi)),
    (2, lambda theta, phi: m.sin(theta) * m.cos(theta) * m.sin(phi)),
    (3, lambda theta, phi: m.sin(theta) ** 3 * m.cos(3.0 * phi)),
])  # fmt: skip
def test_spherical_harmonics_are_eigenfunctions_of_laplace_and_beltrami(degree, harmonic):
    found = g.laplace_beltrami(sphere(), harmonic)([0.7, 0.4])
    np.testing.assert_allclose(found, -degree * (degree + 1) * harmonic(0.7, 0.4), **CLOSE)


def test_the_laplacian_in_polar_coordinates_is_that_of_the_plane():
    """x³ − 3 x y² is harmonic, and Δ(x² + y²) = 4."""
    places = np.array([[0.3, 0.2], [1.7, -1.0]])
    np.testing.assert_allclose(
        g.laplace_beltrami(polar(), lambda r, phi: r**3 * m.cos(3.0 * phi))(places), 0.0, atol=1e-12
    )
    np.testing.assert_allclose(g.laplace_beltrami(polar(), lambda r: r**2)(places), 4.0, **CLOSE)
    assert g.laplace_beltrami(polar(), lambda r: r**2).latex() == r"\Delta f = 4"


def test_geodesics_of_an_ellipsoid_keep_joachimsthals_integral():
    """With the point x and velocity v in space, P = (Σ xᵢ²/aᵢ⁴) (Σ vᵢ²/aᵢ²) is constant."""
    axes = np.array([1.0, 1.4, 0.7])
    motion = g.geodesic(ellipsoid(*axes), [0.3, 0.2], [0.8, 0.5], 20.0)
    u, w = motion.q.T
    x = axes * np.stack([np.cos(u) * np.cos(w), np.sin(u) * np.cos(w), np.sin(w)], axis=1)
    du, dw = motion.v.T
    rates = [-np.sin(u) * np.cos(w) * du - np.cos(u) * np.sin(w) * dw, np.cos(u) * np.cos(w) * du - np.sin(u) * np.sin(w) * dw,
             np.cos(w) * dw]  # fmt: skip
    v = axes * np.stack(rates, axis=1)
    P = (x**2 / axes**4).sum(axis=1) * (v**2 / axes**2).sum(axis=1)
    np.testing.assert_allclose(P, P[0], rtol=1e-12)
    assert np.ptp((x**2 / axes**4).sum(axis=1)) > 0.3


ROTATIONS = [
    lambda theta, phi: (0.0, 1.0),
    lambda theta, phi: (m.sin(phi), m.cos(phi) * m.cos(theta) / m.sin(theta)),
    lambda theta, phi: (m.cos(phi), -m.sin(phi) * m.cos(theta) / m.sin(theta)),
]


@pytest.mark.parametrize("k", range(3))
def test_rotations_of_a_sphere_deform_nothing_and_give_angular_momentum(k):
    metric = sphere(1.7)
    assert np.abs(g.deformation(metric, ROTATIONS[k])([[0.5, 0.2], [2.1, 3.0]])).max() < 1e-14
    motion = g.geodesic(metric, [1.0, 0.2], [0.3, 0.5], 4.0)
    integral = g.first_integral(metric, ROTATIONS[k])
    values = integral.along(motion)
    np.testing.assert_allclose(values, values[0], atol=1e-14)
    x, v = _in_space(motion, 1.7)
    L = np.cross(x, v)
    np.testing.assert_allclose(values, (L[:, 2], -L[:, 0], L[:, 1])[k], atol=1e-13)


def _in_space(motion, radius):
    (theta, phi), (dt, dp) = motion.q.T, motion.v.T
    e_r = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=1)
    e_t = np.stack([np.cos(theta) * np.cos(phi), np.cos(theta) * np.sin(phi), -np.sin(theta)], axis=1)
    e_p = np.stack([-np.sin(phi), np.cos(phi), 0.0 * phi], axis=1)
    return radius * e_r, radius * (dt[:, None] * e_t + (np.sin(theta) * dp)[:, None] * e_p)


def test_all_rigid_motions_of_space_are_found():
    metric = euclidean()
    fields = g.killing_fields(metric, 1)
    assert len(fields) == 6
    assert len(g.killing_fields(metric, 0)) == 3
    for field in fields:
        assert np.abs(g.deformation(metric, field)([[0.3, 0.2, -1.0]])).max() < 1e-14


def test_the_three_isometries_of_the_half_plane_are_polynomials_of_second_degree():
    metric = half_plane()
    fields = g.killing_fields(metric, 2)
    assert len(fields) == 3
    motion = g.geodesic(metric, [0.2, 0.9], [0.3, 0.5], 2.0)
    for field in fields:
        values = g.first_integral(metric, field).along(motion)
        np.testing.assert_allclose(values, values[0], atol=1e-12)


def test_a_torus_has_one_isometry_and_a_triaxial_ellipsoid_none():
    assert [field.latex() for field in g.killing_fields(torus(), 1)] == [r"\xi_{1}^{\phi} = 1"]
    assert g.killing_fields(ellipsoid(), 1) == ()


def test_rotations_of_a_sphere_are_found_among_given_functions():
    def functions(theta, phi):
        cot = m.cos(theta) / m.sin(theta)
        return 1.0, m.sin(phi), m.cos(phi), cot * m.sin(phi), cot * m.cos(phi)

    assert len(g.killing_fields(sphere(), functions=functions)) == 3
