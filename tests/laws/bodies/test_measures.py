"""Mass measures: closed form and quadrature, atoms and densities, every pose."""

import numpy as np
import pytest

from vinculum.measures.integrals import moments
from vinculum.measures.measure import Measure
from vinculum.measures.solids.elementary import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from vinculum.scalars import parameter, parameters, replay, symbols, value
from vinculum.scalars.math import NUMERIC
from vinculum.screws import L_tw, L_wr, Pose, exp, rotation, skew

EPS = np.finfo(float).eps
SOLIDS = {
    "sphere": (Sphere, (0.7,)),
    "box": (lambda a, b, c: Box((a, b, c)), (0.4, 1.1, 2.3)),
    "cylinder": (Cylinder, (0.5, 2.0)),
    "flat cylinder": (Cylinder, (2.0, 1e-3)),
    "capsule": (Capsule, (0.5, 2.0)),
    "short capsule": (Capsule, (0.5, 1e-6)),
    "cone": (Cone, (0.6, 1.7)),
    "ellipsoid": (lambda a, b, c: Ellipsoid((a, b, c)), (0.4, 1.1, 2.3)),
}
POSES = (
    Pose(),
    Pose((0.3, -1.2, 2.0)),
    Pose((1.0, 2.0, 3.0), (1.0, 2.0, -3.0, 0.5)),
    Pose((0.0, 0.0, 1.0), rotation((1, 0, 0), np.pi)),
    Pose((1e3, 0.0, 0.0), exp(1e-9 * np.array([1.0, 2.0, 3.0]))),
)


def solid(name):
    make, dimensions = SOLIDS[name]
    return make(*dimensions)


def mixed_measure():
    """A solid of one density, a solid of varying density and two atoms."""
    return (
        Measure.solid(Cone(0.6, 1.7), density=2.0, at=POSES[2])
        + Measure.solid(Box((1, 2, 3)), density=lambda x: 2.0 + x[0] + x[1] * x[2], at=(0.5, 0.5, -1.0), order=4)
        + Measure.atoms([(1, 2, 3), (-0.3, 0.2, 0.9)], [0.7, 1.4])
    )


@pytest.mark.parametrize("name", SOLIDS)
@pytest.mark.parametrize("order", [2, 5, 8])
def test_closed_form_and_quadrature_agree(name, order):
    shape = solid(name)
    x, w = shape.quadrature(order)
    size = np.abs(x).max()
    assert w.sum() == pytest.approx(shape.volume, rel=32 * EPS)
    np.testing.assert_allclose(w @ x / w.sum(), shape.center, rtol=0, atol=32 * EPS * size)
    np.testing.assert_allclose(
        (x.T * w) @ x, shape.second_moment, rtol=64 * EPS, atol=32 * EPS * shape.volume * size**2
    )


@pytest.mark.parametrize("name", SOLIDS)
def test_quadrature_is_exact_to_its_order(name):
    shape = solid(name)
    size = np.abs(shape.quadrature(2)[0]).max()
    fine, fine_weights = shape.quadrature(14)
    for order in (2, 3, 4, 5, 6):
        x, w = shape.quadrature(order)
        for i in range(order + 1):
            for j in range(order + 1 - i):
                k = order - i - j
                here, there = (
                    m @ (p[:, 0] ** i * p[:, 1] ** j * p[:, 2] ** k) for p, m in ((x, w), (fine, fine_weights))
                )
                assert abs(here - there) < 1e-13 * shape.volume * max(1.0, (2 * size) ** order)


@pytest.mark.parametrize("name", SOLIDS)
def test_moments_with_parameters_have_the_same_values(name):
    make, dimensions = SOLIDS[name]
    letters = [parameter(f"d{i}", d) for i, d in enumerate(dimensions)]
    shape, plain = make(*letters), make(*dimensions)
    for field in ("volume", "center", "second_moment", "mean_square"):
        np.testing.assert_allclose(value(getattr(shape, field)), getattr(plain, field), rtol=8 * EPS)
    assert set(parameters(shape.second_moment)) == {f"d{i}" for i in range(len(dimensions))}
    for a, b in zip(shape.quadrature(4), plain.quadrature(4), strict=True):
        np.testing.assert_allclose(value(a), b, rtol=8 * EPS, atol=8 * EPS)


def test_a_parameter_mass_stays_exactly_itself():
    m, r = parameter("m", 2.0), parameter("r", 0.3)
    body = Measure.solid(Sphere(r), mass=m, at=(0, 0, r))
    assert body.mass is m or value(body.mass) == 2.0
    assert set(parameters(body.inertia_at_center)) == {"m", "r"}
    np.testing.assert_allclose(value(body.inertia_at_center), 0.4 * 2.0 * 0.09 * np.eye(3), rtol=4 * EPS)
    np.testing.assert_allclose(
        value(body.Theta), Measure.solid(Sphere(0.3), mass=2.0, at=(0, 0, 0.3)).Theta, rtol=4 * EPS
    )
    assert value(body.Theta, {"m": 4.0})[0, 0] == 4.0


@pytest.mark.parametrize("name", SOLIDS)
@pytest.mark.parametrize("X", POSES)
def test_Theta_is_the_integral_of_lemma_one(name, X):
    body = Measure.solid(solid(name), density=3.0, at=X)
    x, w = solid(name).quadrature(4)
    total = np.zeros((6, 6))
    for point, weight in zip(X.apply(x), 3.0 * w, strict=True):
        r = skew(point)
        total += weight * np.block([[np.eye(3), -r], [r, -r @ r]])
    np.testing.assert_allclose(body.Theta, total, rtol=0, atol=256 * EPS * np.abs(total).max())
    m, r_c = body.mass, skew(body.center)
    built = np.block([[m * np.eye(3), -m * r_c], [m * r_c, body.inertia]])
    np.testing.assert_allclose(body.Theta, built, rtol=0, atol=8 * EPS * np.abs(built).max())
    np.testing.assert_array_equal(body.Theta, body.Theta.T)


def test_Theta_of_a_mixed_measure_is_the_integral_of_lemma_one():
    body = mixed_measure()
    total = np.zeros((6, 6))
    for part in body.parts:
        for point, weight in zip(*part.nodes(6), strict=True):
            r = skew(point)
            total += weight * np.block([[np.eye(3), -r], [r, -r @ r]])
    np.testing.assert_allclose(body.Theta, total, rtol=0, atol=256 * EPS * np.abs(total).max())
    assert np.linalg.eigvalsh(body.Theta).min() > 0


def test_a_constant_function_is_a_constant_density():
    for X in POSES[:4]:
        plain, function = (Measure.solid(Capsule(0.5, 2.0), density=d, at=X) for d in (2.5, lambda x: 2.5))
        np.testing.assert_allclose(function.Theta, plain.Theta, rtol=0, atol=64 * EPS * np.abs(plain.Theta).max())


def test_a_density_belongs_to_the_frame_of_its_solid():
    heavy_top = Measure.solid(
        Cylinder(0.1, 2.0), density=lambda x: 1.0 + x[2], at=Pose((5, 0, 0), rotation((0, 1, 0), np.pi))
    )
    np.testing.assert_allclose(heavy_top.center, (5.0, 0.0, -1.0 / 3.0), rtol=0, atol=16 * EPS)


@pytest.mark.parametrize("X", POSES)
def test_parallel_axes_and_turned_frames(X):
    body = mixed_measure()
    moved = body.transform(X)
    assert moved.mass == pytest.approx(body.mass, rel=8 * EPS)
    scale = 64 * EPS * (1.0 + np.abs(X.p).max())
    np.testing.assert_allclose(moved.center, X.apply(body.center), rtol=0, atol=scale)
    J = body.inertia_at_center
    np.testing.assert_allclose(moved.inertia_at_center, X.R @ J @ X.R.T, rtol=0, atol=scale * np.abs(J).max())
    c = skew(moved.center)
    shifted = moved.inertia_at_center - moved.mass * c @ c
    np.testing.assert_allclose(moved.inertia, shifted, rtol=0, atol=16 * EPS * np.abs(shifted).max())
    Theta = L_wr(X) @ body.Theta @ np.linalg.inv(L_tw(X))
    np.testing.assert_allclose(moved.Theta, Theta, rtol=0, atol=256 * EPS * np.abs(Theta).max())


def test_second_moment_and_inertia_say_the_same():
    body = mixed_measure()
    S = moments(body).second
    np.testing.assert_allclose(body.inertia, np.trace(S) * np.eye(3) - S, rtol=0, atol=16 * EPS * np.trace(S))
    np.testing.assert_array_equal(body.inertia, body.inertia.T)


def test_a_thin_needle_keeps_the_digits_of_its_small_moment():
    needle = Measure.solid(Cylinder(1e-6, 1.0), mass=1.0, at=(10.0, 20.0, 30.0))
    assert needle.inertia_at_center[2, 2] == pytest.approx(0.5e-12, rel=4 * EPS)
    pair = Measure.atoms([(1e6, 0, 0), (1e6 + 1, 0, 0)], [1.0, 1.0])
    np.testing.assert_allclose(pair.inertia_at_center, np.diag([0.0, 0.5, 0.5]), rtol=0, atol=16 * EPS)


def test_atoms_are_sums():
    random = np.random.default_rng(0)
    points, masses = random.normal(size=(7, 3)), random.uniform(1, 2, size=7)
    body = Measure.atoms(points, masses)
    assert body.mass == pytest.approx(masses.sum(), rel=4 * EPS)
    np.testing.assert_allclose(body.center, masses @ points / masses.sum(), rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(moments(body).second, (points.T * masses) @ points, rtol=0, atol=64 * EPS)
    split = Measure.atoms(points[:3], masses[:3]) + Measure.atoms(points[3:], masses[3:])
    np.testing.assert_allclose(split.Theta, body.Theta, rtol=0, atol=64 * EPS)
    np.testing.assert_allclose(split.inertia_at_center, body.inertia_at_center, rtol=0, atol=64 * EPS)


def test_momentum_is_one_integral_of_sliders_and_equals_Theta_V():
    V = np.array([0.3, -1.0, 2.0, 0.7, 0.2, -0.5])
    for body in (mixed_measure(), *(Measure.solid(solid(name), density=2.0, at=POSES[2]) for name in SOLIDS)):
        P = body.Theta @ V
        np.testing.assert_allclose(
            body.momentum(V), P, rtol=0, atol=128 * EPS * np.abs(body.Theta).max() * np.abs(V).max()
        )


def test_the_momentum_screw_transports_as_a_slider():
    body, V = mixed_measure(), np.array([0.3, -1.0, 2.0, 0.7, 0.2, -0.5])

    def velocity(x):
        return V[:3] + np.cross(V[3:], x)

    def spin(x):
        return np.array([x[1], -x[2], x[0] * x[1]])

    y, z = np.array([0.4, -2.0, 1.0]), np.array([-3.0, 0.1, 0.2])
    here, there = (body.integrate(velocity, spin, at=point) for point in (y, z))
    scale = np.abs(there.q).max()
    np.testing.assert_allclose(here.at(z).q, there.q, rtol=0, atol=256 * EPS * scale)
    np.testing.assert_allclose(here.invariants()[1], there.invariants()[1], rtol=0, atol=1e-13 * scale**2)
    np.testing.assert_allclose(
        body.integrate(velocity).wrench(np.zeros(3)), body.momentum(V), rtol=0, atol=1e-13 * scale
    )


def test_uniform_gravity_is_Theta_times_its_acceleration():
    body, g = mixed_measure(), np.array([0.0, 0.3, -9.81])
    weight = body.integrate(lambda x: g).wrench(np.zeros(3))
    np.testing.assert_allclose(weight, body.Theta @ np.r_[g, np.zeros(3)], rtol=0, atol=1e-13 * np.abs(weight).max())


def test_momentum_of_a_traced_twist_computes_the_same_numbers():
    body, V = mixed_measure(), np.array([0.3, -1.0, 2.0, 0.7, 0.2, -0.5])
    leaves = symbols("V", 6)
    table = dict(zip(map(id, leaves), V, strict=True))
    for graph in (body.momentum(leaves), body.Theta @ leaves):
        np.testing.assert_allclose(
            replay(graph, lambda x: table[id(x)], NUMERIC).astype(float), body.momentum(V), rtol=1e-12
        )


def test_a_measure_moved_by_a_traced_pose_computes_the_same_numbers():
    body = mixed_measure()
    x = np.array([0.2, -0.3, 0.5, 1.0, 2.0, -1.0])
    leaves = symbols("x", 6)
    table = dict(zip(map(id, leaves), x, strict=True))
    for field in ("Theta", "center", "inertia_at_center", "inertia"):
        graph = getattr(body.transform(Pose.of(exp(leaves[:3]), leaves[3:])), field)
        direct = getattr(body.transform(Pose.of(exp(x[:3]), x[3:])), field)
        traced = replay(graph, lambda leaf: table[id(leaf)], NUMERIC).astype(float)
        np.testing.assert_allclose(traced, direct, rtol=0, atol=64 * EPS * np.abs(direct).max())
