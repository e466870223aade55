"""What metrics, fields, geodesics and tensor measures refuse, and in which words."""

import numpy as np
import pytest

import vinculum as vc
from mechanisms import four_bar
from metrics import euclidean, half_plane, polar, sphere, torus
from vinculum import math as m

g = vc.geometry
E = vc.errors


def bead(**extra):
    return vc.LagrangianSystem(
        "bead", ["x", "y"], **({"lagrangian": lambda x_dot, y_dot: 0.5 * x_dot**2 + 0.5 * y_dot**2} | extra)
    )


def welded():
    system = vc.System("statue")
    system.add(vc.Weld("base", "ground", system.add(vc.MassPoint("stone", 1.0))))
    return system


@pytest.mark.parametrize(("use", "words"), [
    (lambda: g.Metric("", ["x"], lambda x: [[1.0]]), "a metric is named ''"),
    (lambda: g.Metric("line", [], lambda x: [[1.0]]), r"metric 'line': coordinates is \[\]"),
    (lambda: g.Metric("line", ["q"], lambda q: [[1.0]]), "the name 'q' of a coordinate is taken"),
    (lambda: g.Metric("line", ["x"], 3), "components is 3; give a function"),
    (lambda: g.Metric("line", ["x"], lambda y: [[1.0]]), "has the argument 'y'"),
    (lambda: g.Metric("line", ["x"], lambda x_dot: [[x_dot]]), "it is a function of velocities"),
    (lambda: g.Metric("plane", ["x", "y"], lambda x: [1.0, x]), r"its function returned shape \(2,\); return a matrix \(2, 2\)"),
    (lambda: g.Metric("plane", ["x", "y"], lambda x: np.eye(3)), r"its function returned shape \(3, 3\)"),
    (lambda: g.Metric("plane", ["x", "y"], lambda x: [[1.0, x], [0.0, 1.0]]), r"it is not symmetric at x = .*g_0?1?"),
    (lambda: g.Metric("plane", ["x", "y"], lambda: np.eye(2), domain=lambda: 1.0), "domain must return one number that is positive"),
    (lambda: g.Metric("plane", ["x", "y"], lambda t: np.eye(2) * t), "it is a function of the time"),
    (lambda: sphere()([1.0, 2.0, 3.0]), r"q has shape \(3,\); give its 2 coordinates theta, phi"),
    (lambda: sphere()([np.nan, 0.0]), "not finite"),
    (lambda: sphere()([1.0, 0.0], {"R": 2.0}), "metric 'sphere' has no parameter 'R'"),
    (lambda: g.Metric.of(3), "a vc.System is needed, got int"),
    (lambda: g.Metric.of(vc.System("empty")), "system 'empty' has no bodies"),
    (lambda: g.Metric.of(welded()), "system 'statue' cannot move"),
    (lambda: g.Metric.of(bead(), coordinates=lambda a: {}), r"use its restrict\(places, coordinates\)"),
    (lambda: g.Metric.of(bead(lagrangian=lambda x, x_ddot, y_ddot: x * x_ddot**2 + y_ddot**2)), "is of order 2"),
    (lambda: g.Metric.of(bead(lagrangian=lambda x_dot, y_dot: x_dot**4 + y_dot**2)), "holds velocities, so that it is no metric"),
    (lambda: g.Metric.of(bead(lagrangian=lambda x_dot, y_dot, t: (1 + t) * x_dot**2 + y_dot**2)), "holds the time"),
    (lambda: g.Metric.of(bead(constraints={"line": (lambda x, y: x - y, vc.DAlembert())})), "constraints line bind .* with at="),
    (lambda: g.Metric.of(bead(constraints={"line": (lambda x, y: x - y, vc.DAlembert())}), at=[1.0]), r"at has shape \(1,\); give 2"),
    (lambda: g.Metric.of(bead(constraints={"blade": (lambda v: v[0] - v[1], vc.DAlembert())}), at=[1.0, 1.0]), "'blade' binds velocities"),
    (lambda: g.Metric.of(bead(constraints={"line": (lambda x, t: x - t, vc.DAlembert())}), at=[0.0, 0.0]), "constraints hold the time"),
    (lambda: g.Metric.of(bead(constraints={"nail": (lambda q: q, vc.DAlembert())}), at=[0.0, 0.0]), "leave no coordinates that move"),
    (lambda: g.Metric.of(bead(constraints={"line": (lambda x, y: x - y, vc.DAlembert())}), domain=lambda x: x, at=[1.0, 1.0]),
     "leave domain out"),
    (lambda: g.Metric.of(bead(constraints={"ring": (lambda q: q @ q - 1, vc.DAlembert())}), at=[0.0, 0.0]), "ring do not hold at"),
    (lambda: g.Metric.of(bead(constraints={"cross": (lambda x, y: x * y, vc.DAlembert())}), at=[0.0, 0.0]), "rank 0, and 1 beside it"),
    (lambda: g.Metric.of(bead(), at="here"), "at is 'here', which is not numeric"),
    (lambda: g.Metric.of(four_bar(), coordinates=lambda a: {"A": a}, at={"A": 1.0}), "coordinates= and at= both choose"),
    (lambda: g.Metric.of(four_bar(), at={"A": 1.0})([4.5]), "is outside its chart"),
    (lambda: euclidean().restrict(lambda u: (u, u), ["u"]), r"returned shape \(2,\); return 3 numbers"),
    (lambda: euclidean().restrict(lambda u_dot: (u_dot, 0, 0), ["u"]), "places is a function of velocities"),
    (lambda: g.sectional_curvature(sphere(), [1.0, 0.0], [1.0, 2.0], [2.0, 4.0]), "span no plane"),
    (lambda: g.sectional_curvature(sphere(), [1.0, 0.0], [1.0], [2.0, 4.0]), r"u has shape \(1,\); give 2 components along theta, phi"),
    (lambda: g.covariant_derivative(sphere(), lambda theta: (1.0, theta), indices="^_"), "has 1 indices, and indices is"),
    (lambda: g.covariant_derivative(sphere(), lambda theta: (1.0, theta), indices="x"), "give one sign for each"),
    (lambda: g.deformation(sphere(), lambda theta: 1.0), "must return 2 numbers"),
    (lambda: g.deformation(sphere(), torus().christoffel), "belongs to 'torus'"),
    (lambda: g.divergence(polar(), lambda r: 1.0), "divergence of indices ''"),
    (lambda: g.laplace_beltrami(sphere(), lambda theta: (theta, 1.0)), "must return one number"),
    (lambda: g.laplace_beltrami(sphere(), lambda theta: m.sqrt(theta - 2.0))([1.0, 0.0]), "is not finite at theta = 1, phi = 0"),
    (lambda: g.first_integral(torus(), lambda theta, phi: (1.0, 0.0)), "is not a Killing field: at theta = "),
    (lambda: g.killing_fields(sphere(), -1), "degree -1 of Killing fields"),
    (lambda: g.killing_fields(sphere(), 40), "at most 600 are solved for"),
    (lambda: g.killing_fields(sphere(), functions=lambda theta: (1.0, theta, 2.0 * theta)), "depend on each other at 24 places"),
    (lambda: g.killing_fields(sphere(), 1, at=[[1.0, 0.0]]), "1 places for 6 unknowns; give at least 3"),
    (lambda: g.killing_fields(g.Metric("far", ["r", "x"], lambda: np.eye(2), lambda r: r - 100.0)), "say with at= where to look"),
    (lambda: g.parallel_transport(sphere(), 3, [1.0, 0.0], 1.0), "the curve must be a function of t, or a pair"),
    (lambda: g.parallel_transport(sphere(), lambda t: (1.0, 2.0), [1.0, 0.0], 1.0), "the curve does not move"),
    (lambda: g.parallel_transport(sphere(), lambda t: (1.0, t, t), [1.0, 0.0], 1.0), "return 2 numbers"),
    (lambda: g.TensorMeasure([[0.0, 1.0]], [[[1.0]]]), r"give \(N, n\) and \(N, n, n\)"),
    (lambda: g.TensorMeasure([[0.0, 1.0]], [[[1.0, 2.0], [0.0, 1.0]]]), r"the tensor at \[0.0, 1.0\] is not symmetric"),
    (lambda: g.TensorMeasure.curve(lambda s: (s, s), 1.0, 0.0), "the smaller one first"),
    (lambda: g.TensorMeasure.curve(lambda s: (s, s), 0.0, 1.0, lambda s: s), r"tensor returned shape \(\); return \(2, 2\)"),
    (lambda: g.TensorMeasure.density(sphere(), lambda: np.eye(2), [(0, 1)]), r"give 2 pairs \(low, high\)"),
    (lambda: g.TensorMeasure.density(euclidean(), lambda: np.eye(3), [(0, 1)] * 3, panels=100), "at most .* nodes in 3 coordinates"),
    (lambda: g.equilibrium(sphere(), g.TensorMeasure([[0.0] * 3], [np.eye(3)])), "has 2 coordinates and the tensor measure 3"),
])  # fmt: skip
def test_the_message_says_what_is_wrong(use, words):
    with pytest.raises(E.VinculumError, match=words):
        use()


def test_a_quaternion_is_no_chart_and_others_are_named():
    system = vc.System("top")
    body = system.add(vc.RigidBody("body", 1.0, (0, 0, 0), (1.0, 1.0, 1.5)))
    system.add(vc.Spherical("ball", "ground", body))
    with pytest.raises(
        E.MethodError, match=r"joint 'ball' has 4 coordinates for 3 velocities, as a quaternion has.*chart='zyx'"
    ):
        g.Metric.of(system)


def test_a_rolling_constraint_has_no_coordinates():
    system = vc.System("skate")
    body = system.add(vc.RigidBody("blade", 1.0, (0, 0, 0), (1.0, 1.0, 1.0)))
    system.add(vc.Planar("plane", "ground", body))
    system.add(vc.constraints.knife_edge("edge", body, realization="dalembert"))
    with pytest.raises(E.MethodError, match="constraint 'edge' binds velocities and not positions"):
        g.Metric.of(system, coordinates=lambda a, b, c: {"plane": (a, b, c)})


@pytest.mark.parametrize(("components", "at", "words"), [
    (lambda x: [[1.0, 0.0], [0.0, x]], (-0.5, 0.0), r"g is not positive definite at x = -0.5, y = 0, its eigenvalues are -0.5 to 1"),
    (lambda x: [[1.0, 0.0], [0.0, x]], (0.0, 0.3), r"g is singular at x = 0, y = 0.3"),
    (lambda x: [[x, 0.0], [0.0, -x]], (0.2, 0.3), r"g is not positive definite at x = 0.2, y = 0.3, its eigenvalues are -0.2 to 0.2"),
    (lambda x: [[1.0 / x, 0.0], [0.0, 1.0]], (0.0, 0.3), r"g is not finite at x = 0"),
])  # fmt: skip
def test_a_singular_or_indefinite_metric_is_refused_with_its_place(components, at, words):
    metric = g.Metric("bad", ["x", "y"], components)
    for use in (metric, metric.christoffel, metric.riemann, lambda q: g.geodesic(metric, q, [1.0, 0.0], 1.0)):
        with pytest.raises(E.StartError, match=words):
            use(at)


@pytest.mark.parametrize(("components", "words"), [
    (lambda: [[1.0, 1.0], [1.0, 1.0]], "g is singular at x = "),
    (lambda x: [[x * x, x], [x, 1.0]], "g is singular at x = "),
    (lambda: [[-1.0, 0.0], [0.0, 1.0]], "g is not positive definite at x = "),
    (lambda x: [[0.0, x], [x, 0.0]], "some velocity has no kinetic energy at any place"),
])  # fmt: skip
def test_a_metric_that_is_bad_everywhere_is_refused_before_it_is_used(components, words):
    with pytest.raises(E.VinculumError, match=words):
        g.Metric("bad", ["x", "y"], components).christoffel


def test_a_place_outside_the_chart_is_refused():
    with pytest.raises(E.StartError, match=r"x = 0\.3, y = -1 is outside its chart"):
        half_plane()([0.3, -1.0])


def test_a_geodesic_that_leaves_its_chart_says_where_and_keeps_the_part_inside():
    with pytest.raises(
        E.RunError, match=r"the motion leaves the chart at t = 2\.14159, where theta = 3\.14159, phi = 0\.3"
    ) as caught:
        g.geodesic(sphere(), [1.0, 0.3], [1.0, 0.0], 5.0)
    np.testing.assert_allclose(caught.value.motion.q[-1, 0], 1.0 + caught.value.motion.time[-1], atol=1e-12)
    with pytest.raises(E.RunError, match="leaves the chart"):
        g.parallel_transport(sphere(), ([1.0, 0.3], [1.0, 0.0]), [0.0, 1.0], 5.0)


def test_a_geodesic_into_the_part_where_the_metric_is_indefinite_stops():
    metric = g.Metric("signs", ["x", "y"], lambda x: [[1.0, 0.0], [0.0, 1.0 - x * x]])
    with pytest.raises(
        E.RunError, match=r"leaves the chart or g becomes singular|g is (singular|not positive definite) at x"
    ):
        g.geodesic(metric, [0.5, 0.0], [1.0, 0.0], 2.0)


def test_a_curve_that_leaves_the_chart_is_named():
    with pytest.raises(E.VinculumError, match="x = 1, y = 0 is outside its chart"):
        g.parallel_transport(half_plane(), lambda t: (t, 1.0 - t), [1.0, 0.0], 2.0)
