"""The metric of a system against its equations, its motions, and SymPy."""

import numpy as np
import pytest
import sympy

import vinculum as vc
from metrics import random_metric, schwarzschild, torus
from vinculum import math as m
from vinculum.scalars import formulas

g = vc.geometry


def double_pendulum(gravity=(0, -9.81, 0)) -> vc.System:
    system = vc.System("double pendulum", gravity=gravity)
    first = system.add(vc.MassPoint("first", vc.parameter("m1", 1.1)))
    second = system.add(vc.MassPoint("second", 0.7))
    system.add(vc.Revolute("theta1", "ground", first, to=(0, 1.3, 0)))
    system.add(vc.Revolute("theta2", first, second, to=(0, 0.8, 0)))
    return system


def test_the_metric_of_a_double_pendulum_is_its_mass_matrix():
    system = double_pendulum()
    metric, equations = g.Metric.of(system), vc.derive(system)
    places = np.random.default_rng(0).normal(size=(7, 2))
    np.testing.assert_allclose(metric(places), equations.mass_matrix(places), rtol=1e-13)
    assert metric.coordinates == ("theta1", "theta2") and metric.parameters == {"m1": 1.1}
    np.testing.assert_allclose(
        metric(places[0], {"m1": 2.0}), vc.derive(system).mass_matrix(places[0], parameters={"m1": 2.0}), rtol=1e-13
    )


def test_christoffel_symbols_are_the_terms_of_the_equations_without_forces():
    """M v̇ + h = 0 with h_k = Γ_k,ij v^i v^j where nothing acts."""
    system = double_pendulum(gravity=(0, 0, 0))
    metric = g.Metric.of(system)
    q, v = np.array([0.4, -0.9]), np.array([0.7, 1.1])
    np.testing.assert_allclose(
        -np.einsum("kij,i,j->k", metric.christoffel(q), v, v), vc.derive(system).accelerations(q, v), rtol=1e-12
    )


def test_geodesics_of_a_system_are_its_free_motions():
    system = double_pendulum(gravity=(0, 0, 0))
    free = vc.simulate(system, 3.0, {"theta1": vc.At(0.4, 0.7), "theta2": vc.At(-0.9, 1.1)}, grid=31, progress=False)
    motion = g.geodesic(g.Metric.of(system), [0.4, -0.9], [0.7, 1.1], 3.0, grid=31)
    np.testing.assert_allclose(motion.q, free.q, atol=1e-12)


def test_other_coordinates_of_a_pendulum_pull_its_metric_back():
    metric = g.Metric.of(double_pendulum(), coordinates=lambda a, b: {"theta1": a, "theta2": b - a})
    x = np.array([0.3, 1.0])
    m1, m2, l1, l2 = 1.1, 0.7, 1.3, 0.8
    coupling = m2 * l1 * l2 * np.cos(x[1] - x[0])
    np.testing.assert_allclose(metric(x), [[(m1 + m2) * l1**2, coupling], [coupling, m2 * l2**2]], rtol=1e-13)


@pytest.mark.parametrize("chart", ["zyx", "xyz", "zxz", "fedorov"])
def test_a_free_rigid_body_has_the_curvature_of_its_rotations(chart):
    """Milnor: K(e₁, e₂) = λ₃ μ₃ − μ₁ μ₂ with λᵢ = Iᵢ/√(I₁I₂I₃) and μᵢ = ½ Σλ − λᵢ, for unit vectors along the principal axes."""
    inertia = np.array([0.5, 0.8, 1.1])
    system = vc.System("top")
    body = system.add(vc.RigidBody("body", 1.0, (0, 0, 0), tuple(inertia)))
    joint = system.add(vc.Spherical("ball", "ground", body, chart=chart))
    metric, q = g.Metric.of(system), np.array([0.4, 0.7, -0.3])
    lam = inertia / np.sqrt(np.prod(inertia))
    mu = 0.5 * lam.sum() - lam
    axes = [np.asarray(joint.kind.coordinates.rates(q, w), dtype=float) for w in np.eye(3)]
    gram = np.array([[a @ metric(q) @ b for b in axes] for a in axes])
    np.testing.assert_allclose(gram, np.diag(inertia), atol=1e-13)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        expected = lam[k] * mu[k] - mu[i] * mu[j]
        np.testing.assert_allclose(g.sectional_curvature(metric, q, axes[i], axes[j]), expected, atol=1e-12)
    unit = [a / np.sqrt(x) for a, x in zip(axes, inertia, strict=True)]
    ricci = metric.ricci(q)
    np.testing.assert_allclose(unit[0] @ ricci @ unit[0], 2.0 * mu[1] * mu[2], atol=1e-12)


def test_a_free_body_has_the_kinetic_energy_of_its_metric():
    system = vc.System("satellite")
    body = system.add(vc.RigidBody("body", 1.3, (0.1, -0.2, 0.3), (0.5, 0.8, 1.1)))
    system.add(vc.Free("pose", "ground", body, chart="zyx"))
    metric = g.Metric.of(system)
    start = vc.At((0.1, 0.2, 0.3, 0.2, -0.4, 0.6), (0.3, -0.2, 0.5, 0.7, -0.1, 0.4))
    motion = vc.simulate(system, 1.0, {"pose": start}, grid=101, progress=False)
    h = 1e-6
    rate = (motion.at(0.5 + h).q - motion.at(0.5 - h).q).ravel() / (2 * h)
    q = np.ravel(motion.at(0.5).q)
    np.testing.assert_allclose(0.5 * rate @ metric(q) @ rate, motion.energy[50], rtol=1e-8)
    assert metric.coordinates[0] == "pose_x"


def test_a_constrained_system_is_reduced_by_coordinates_that_satisfy_it():
    """A mass point in a plane at a fixed distance from a fixed point is a pendulum."""
    system = vc.System("held point", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("p", 1.4))
    system.add(vc.Translation("place", "ground", point))
    system.add(vc.constraints.distance("rod", "ground", point, length=0.9, realization="dalembert"))
    metric = g.Metric.of(
        system,
        coordinates=lambda a, b: {"place": (0.9 * m.cos(a) * m.cos(b), 0.9 * m.sin(a) * m.cos(b), 0.9 * m.sin(b))},
    )
    np.testing.assert_allclose(metric([0.3, 0.5]), 1.4 * 0.81 * np.diag([np.cos(0.5) ** 2, 1.0]), atol=1e-13)
    np.testing.assert_allclose(metric.scalar_curvature([0.3, 0.5]), 2.0 / (1.4 * 0.81), rtol=1e-12)
    with pytest.raises(vc.errors.MethodError, match=r"has constraint.*rod.*coordinates depend on each other"):
        g.Metric.of(system)
    with pytest.raises(vc.errors.MethodError, match=r"do not satisfy 'rod': its gap is"):
        g.Metric.of(system, coordinates=lambda a, b: {"place": (m.cos(a) * m.cos(b), m.sin(a) * m.cos(b), m.sin(b))})


def test_the_metric_of_a_lagrangian_is_its_hessian():
    system = vc.LagrangianSystem(
        "bead", ["r", "phi"], lambda r, r_dot, phi_dot: 0.5 * r_dot**2 + 0.5 * r**2 * phi_dot**2 + 1.0 / r
    )
    metric = g.Metric.of(system)
    np.testing.assert_allclose(metric([1.3, 0.2]), np.diag([1.0, 1.69]), rtol=1e-14)
    np.testing.assert_allclose(metric.riemann([1.3, 0.2]), 0.0, atol=1e-14)


def sympy_geometry(metric):
    """Christoffel symbols and R_ijkl by SymPy, from the definition with derivatives of Γ."""
    q = sympy.symbols(metric.coordinates, real=True)
    G = sympy.Matrix(formulas(metric.chart.g))
    inverse, n = G.inv(), len(q)

    def lowered(m, i, j):
        return (sympy.diff(G[m, i], q[j]) + sympy.diff(G[m, j], q[i]) - sympy.diff(G[i, j], q[m])) / 2

    indices = range(n)
    gamma = [
        [[sum(inverse[k, m] * lowered(m, i, j) for m in indices) for j in indices] for i in indices] for k in indices
    ]

    def mixed(i, j, k, l):
        terms = sympy.diff(gamma[i][l][j], q[k]) - sympy.diff(gamma[i][k][j], q[l])
        return terms + sum(gamma[i][k][p] * gamma[p][l][j] - gamma[i][l][p] * gamma[p][k][j] for p in range(n))

    raised = [[[[mixed(i, j, k, l) for l in range(n)] for k in range(n)] for j in range(n)] for i in range(n)]
    return sympy.lambdify(q, [G, gamma, raised], "numpy", cse=True)


def polynomial_metric(seed):
    """A random metric of two coordinates: one plus squares, whose coefficients are short decimals."""
    a = np.random.default_rng(seed).integers(-4, 5, 6) / 10.0
    return g.Metric("polynomials", ["x", "y"], lambda x, y: [
        [1.0 + (a[0] * x + a[1] * y) ** 2, a[2] * x * y], [a[2] * x * y, 1.0 + (a[3] * x + a[4] * y**2) ** 2]])  # fmt: skip


@pytest.mark.parametrize(("metric", "place"), [
    (polynomial_metric(5), (0.3, -0.4)), (torus(), (0.4, 0.1)), (schwarzschild(), (1.5, 0.8, 0.3)),
], ids=["random", "torus", "Schwarzschild"])  # fmt: skip
def test_christoffel_symbols_and_curvature_agree_with_sympy(metric, place):
    G, gamma, raised = sympy_geometry(metric)(*place)
    np.testing.assert_allclose(metric.christoffel(place), np.array(gamma, dtype=float), atol=1e-12)
    R = np.einsum("im,mjkl->ijkl", np.array(G, dtype=float), np.array(raised, dtype=float))
    np.testing.assert_allclose(metric.riemann(place), R, atol=1e-11)


def test_the_curvature_of_an_arm_is_that_of_differences_of_its_christoffel_symbols():
    system, parent = vc.System("arm"), "ground"
    for i, axis in enumerate([(0, 0, 1), (0, 1, 0), (1, 0, 0.3), (0.2, 1, 0)]):
        link = system.add(vc.RigidBody(f"link{i}", 1.0 + 0.1 * i, (0.1, 0.05, 0.2), (0.1, 0.12, 0.08)))
        system.add(vc.Revolute(f"q{i}", parent, link, axis=axis, at=(0.1, 0, 0.4)))
        parent = link
    metric, q, h = g.Metric.of(system), np.array([0.3, -0.5, 0.8, 0.4]), 1e-5
    steps = h * np.eye(4)
    slopes = np.moveaxis((metric.christoffel(q + steps) - metric.christoffel(q - steps)) / (2 * h), 0, -1)
    G = metric.christoffel(q)
    mixed = np.einsum("iljk->ijkl", slopes) - np.einsum("ikjl->ijkl", slopes)
    mixed += np.einsum("ikp,plj->ijkl", G, G) - np.einsum("ilp,pkj->ijkl", G, G)
    R = np.einsum("im,mjkl->ijkl", metric(q), mixed)
    assert np.abs(R).max() > 0.05
    np.testing.assert_allclose(metric.riemann(q), R, atol=1e-8)


def test_formulas_and_numbers_come_from_one_trace():
    metric = torus()
    q = sympy.symbols(metric.coordinates, real=True)
    printed = metric.christoffel.sympy()
    values = np.vectorize(lambda x: float(x.subs(dict(zip(q, (0.4, 0.1), strict=True)))))(printed)
    np.testing.assert_allclose(metric.christoffel([0.4, 0.1]), values, atol=1e-14)


def test_long_formulas_have_named_values_and_the_same_numbers():
    metric, place = random_metric(3, 2), np.array([0.3, -0.4, 0.2])
    lines = metric.christoffel.latex().splitlines()
    assert any(line.startswith("z_{") for line in lines) and lines[0].startswith(r"\Gamma^{x_{0}}{}_{x_{0} x_{0}} = ")
    formulas_of_parts, values = metric.christoffel._named_values()
    table = dict(zip(sympy.symbols(metric.coordinates, real=True), place, strict=True))
    for z, x in values:
        table[z] = float(x.subs(table))
    found = np.vectorize(lambda x: float(x.subs(table)))(formulas_of_parts)
    np.testing.assert_allclose(found, metric.christoffel(place), atol=1e-13)


def test_rotations_of_a_rigid_body_about_axes_in_space_give_its_angular_momentum():
    system = vc.System("top")
    body = system.add(vc.RigidBody("body", 1.0, (0, 0, 0), (0.5, 0.8, 1.1)))
    joint = system.add(vc.Spherical("ball", "ground", body, chart="zyx"))
    metric = g.Metric.of(system)
    motion = vc.simulate(system, 0.5, {"ball": vc.At((0.2, 0.3, -0.4), (0.6, -0.5, 0.9))}, grid=6, progress=False)
    R = motion.body("body").rotation
    L = np.einsum("tij,j,tj->ti", R, [0.5, 0.8, 1.1], motion.v)
    rate = np.stack(
        [np.asarray(joint.kind.coordinates.rates(q, v), dtype=float) for q, v in zip(motion.q, motion.v, strict=True)]
    )
    for axis in np.eye(3):
        turn = lambda q, e=axis: joint.kind.coordinates.rates(q, joint.chart.matrix(q).T @ e)
        assert np.abs(g.deformation(metric, turn)(motion.q)).max() < 1e-12
        integral = g.first_integral(metric, turn, at=motion.q)
        np.testing.assert_allclose(integral.value(motion.q, rate), L @ axis, atol=1e-12)
    constant = g.killing_fields(metric, 0, at=motion.q)
    assert [field.latex() for field in constant] == [r"\xi_{1}^{\mathrm{ball}_{\phi}} = 1"]


def test_a_closed_loop_is_reduced_by_coordinates_that_close_it():
    """A parallelogram: crank and rocker turn alike, the coupler only moves along."""
    system, length = vc.System("parallelogram"), 0.5
    for name in ("crank", "coupler", "rocker"):
        system.add(vc.RigidBody(name, 1.2, (0.25, 0, 0), (0.01, 0.04, 0.05)))
    system.add(vc.Revolute("a", "ground", "crank"))
    system.add(vc.Revolute("b", "crank", "coupler", at=(length, 0, 0)))
    system.add(vc.Revolute("c", "ground", "rocker", at=(0.8, 0, 0)))
    system.add(vc.Revolute("closing", "coupler", "rocker", at=(0.8, 0, 0), to=(length, 0, 0)))
    metric = g.Metric.of(system, coordinates=lambda turn: {"a": turn, "b": -turn, "c": turn})
    swinging = 0.05 + 1.2 * 0.25**2
    np.testing.assert_allclose(metric([0.7]), [[2.0 * swinging + 1.2 * length**2]], rtol=1e-12)
    with pytest.raises(vc.errors.MethodError, match=r"has loops closed by.*closing"):
        g.Metric.of(system)
    with pytest.raises(vc.errors.MethodError, match="do not satisfy 'closing'"):
        g.Metric.of(system, coordinates=lambda turn: {"a": turn, "b": 0.5 * turn, "c": turn})
