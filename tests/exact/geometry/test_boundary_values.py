"""Curves of stationary action between given ends, in closed form or by a run from their start."""

import numpy as np
import pytest
from scipy.optimize import brentq

import vinculum as vc

sin, cos, sqrt = vc.math.sin, vc.math.cos, vc.math.sqrt
Problem = vc.geometry.BoundaryValueProblem
FREE = vc.Vakonomic(multipliers=0.0)
G = 9.81


def sliding() -> vc.LagrangianSystem:
    """A bead on a wire, of speed u and slope angle, whose time is the action."""

    def along(x_dot, y_dot, u, u_dot, angle):
        return x_dot - u * cos(angle), y_dot + u * sin(angle), u_dot - G * sin(angle)

    return vc.LagrangianSystem("slide", ["x", "y", "u", "angle"], lambda: 1.0, constraints={"along": (along, FREE)})


def cycloid(x: float, depth: float) -> tuple[float, float]:
    """Radius and last angle of the cycloid from the origin to (x, −depth)."""
    angle = brentq(lambda a: (a - np.sin(a)) / (1.0 - np.cos(a)) - x / depth, 1e-3, 2.0 * np.pi - 1e-3, xtol=1e-15)
    return depth / (1.0 - np.cos(angle)), angle


@pytest.mark.parametrize(("x", "depth"), [(1.0, 0.65), (2.0, 0.4)])
def test_the_brachistochrone_is_a_cycloid(x, depth):
    """The second one dips below its end. The angle itself is not compared: it may differ by full turns from point to point."""
    problem = Problem(sliding(), {"x": 0.0, "y": 0.0, "u": 0.0}, {"x": x, "y": -depth}, until=(0.1, 4.0))
    curve = problem.solve(lambda t: (x * t / 2.05, -depth * t / 2.05, 2.0 * t, 0.5), tolerance=1e-9)
    radius, last = cycloid(x, depth)
    assert curve.until == pytest.approx(last * np.sqrt(radius / G), abs=1e-8)
    assert curve.action == pytest.approx(curve.until, abs=1e-12)
    t = np.linspace(0.0, curve.until, 101)
    angle = t * np.sqrt(G / radius)
    exact = np.stack([radius * (angle - np.sin(angle)), -radius * (1.0 - np.cos(angle))], axis=1)
    assert np.abs(curve.at(t)[:, :2] - exact).max() < 1e-8
    assert np.abs(curve.velocity(t)[:, 1] + radius * np.sqrt(G / radius) * np.sin(angle)).max() < 1e-7
    assert curve.error < 1e-9


def test_no_curve_near_the_brachistochrone_is_faster():
    x, depth = 1.0, 0.65
    curve = Problem(sliding(), {"x": 0.0, "y": 0.0, "u": 0.0}, {"x": x, "y": -depth}, until=(0.1, 4.0)).solve(
        lambda t: (x * t / 2.05, -depth * t / 2.05, 2.0 * t, 0.5)
    )
    straight = np.sqrt(2.0 * (x**2 + depth**2) / (G * depth))
    assert curve.until < straight


@pytest.mark.parametrize("length", [2.1, 2.6, 3.0])
def test_dido_encloses_an_arc_of_a_circle(length):
    """The largest area between a straight shore of length 2 and a rope: the multiplier is the radius."""
    shore = vc.LagrangianSystem("dido", ["y"], lambda y: -y)
    rope = {"rope": (lambda y_dot: sqrt(1 + y_dot**2), length)}
    curve = Problem(shore, {"y": 0.0}, {"y": 0.0}, until=1.0, begin=-1.0, integrals=rope).solve(
        lambda t: (1.0 - t * t,)
    )
    half = brentq(lambda a: a / np.sin(a) - 0.5 * length, 1e-3, 3.0, xtol=1e-15)
    radius = 1.0 / np.sin(half)
    x = np.linspace(-1.0, 1.0, 51)
    assert np.abs(curve.at(x)[:, 0] - np.sqrt(radius**2 - x**2) + radius * np.cos(half)).max() < 1e-8
    assert curve.integral_multipliers["rope"] == pytest.approx(radius, abs=1e-7)
    assert -curve.action == pytest.approx(radius**2 * (half - np.sin(half) * np.cos(half)), abs=1e-9)


def test_dido_on_a_closed_island():
    """All of a circle, by a curve of constant and unknown speed c: the area is ℓ²/4π."""

    def speed(x_dot, y_dot, c, c_dot):
        return x_dot**2 + y_dot**2 - c**2, c_dot

    island = vc.LagrangianSystem(
        "island",
        ["x", "y", "c"],
        lambda x, y, x_dot, y_dot: 0.5 * (y * x_dot - x * y_dot),
        constraints={"speed": (speed, FREE)},
    )
    ends = {"x": 1.0, "y": 0.0}
    curve = Problem(island, ends, ends, until=1.0, integrals={"rope": (lambda c: c, 3.0)}).solve(
        lambda t: (1.0 + 0.4 * (np.cos(2 * np.pi * t) - 1.0), 0.4 * np.sin(2 * np.pi * t), 3.0)
    )
    assert -curve.action == pytest.approx(9.0 / (4.0 * np.pi), abs=1e-8)


def test_geodesics_between_points_of_a_sphere_are_great_circles():
    sphere = vc.geometry.Metric(
        "sphere", ["theta", "phi"], lambda theta: [[1, 0], [0, sin(theta) ** 2]], domain=lambda theta: sin(theta)
    )
    first, last = [1.0, 0.0], [1.2, 1.5]
    curve = vc.geometry.geodesic_between(sphere, first, last, tolerance=1e-10)
    angle = np.arccos(np.cos(1.0) * np.cos(1.2) + np.sin(1.0) * np.sin(1.2) * np.cos(1.5))
    assert np.sqrt(2.0 * curve.action) == pytest.approx(angle, abs=1e-10)
    assert vc.geometry.exponential(sphere, first, curve.velocity(0.0)) == pytest.approx(last, abs=1e-8)


def test_the_long_way_around_is_stationary_and_not_least():
    """Beyond the conjugate point a great circle is no shortest curve; it is found as stationary from a guess near it."""
    sphere = vc.geometry.Metric("sphere", ["theta", "phi"], lambda theta: [[1, 0], [0, sin(theta) ** 2]])
    around = lambda t: (np.pi / 2 + 0.02 * np.sin(np.pi * t), 4.0 * t)
    curve = vc.geometry.geodesic_between(sphere, [np.pi / 2, 0.0], [np.pi / 2, 4.0], around, kind="stationary")
    assert np.sqrt(2.0 * curve.action) == pytest.approx(4.0, abs=1e-9)
    assert np.abs(curve.q[:, 0] - np.pi / 2).max() < 1e-8


def test_an_oscillator_beyond_its_half_period_has_stationary_but_no_least_action():
    oscillator = vc.LagrangianSystem("oscillator", ["x"], lambda x, x_dot: 0.5 * (x_dot**2 - x**2))
    problem = Problem(oscillator, {"x": 0.3}, {"x": -0.7}, until=8.0)
    curve = problem.solve(kind="stationary", tolerance=1e-10)
    t = np.linspace(0.0, 8.0, 41)
    exact = 0.3 * np.cos(t) + (-0.7 - 0.3 * np.cos(8.0)) / np.sin(8.0) * np.sin(t)
    assert np.abs(curve.at(t)[:, 0] - exact).max() < 1e-9
    with pytest.raises(vc.errors.RunError, match="no least value"):
        problem.solve()


def test_a_straight_guess_that_is_only_stationary_is_left_for_a_shorter_geodesic():
    """Around a bulge the equator is stationary and, beyond its conjugate point, not shortest: the least way leads over the waist.

    That it is a geodesic follows from its two first integrals, the speed and Clairaut's.
    """
    bulge = vc.geometry.Metric("bulge", ["z", "phi"], lambda z: [[1, 0], [0, (1.2 + 0.5 * cos(z)) ** 2]])
    first, last = [0.0, 0.0], [0.0, 6.0]
    equator = vc.geometry.geodesic_between(bulge, first, last, kind="stationary")
    assert np.sqrt(2.0 * equator.action) == pytest.approx(1.7 * 6.0, abs=1e-9)
    shortest = vc.geometry.geodesic_between(bulge, first, last)
    assert np.sqrt(2.0 * shortest.action) < 9.0
    t = np.linspace(0.0, 1.0, 21)
    z_dot, phi_dot = shortest.velocity(t).T
    square = (1.2 + 0.5 * np.cos(shortest.at(t)[:, 0])) ** 2
    assert square * phi_dot == pytest.approx(np.full(21, square[0] * phi_dot[0]), rel=1e-5)
    assert z_dot**2 + square * phi_dot**2 == pytest.approx(np.full(21, 2.0 * shortest.action), rel=1e-5)


def test_the_long_way_around_a_sphere_is_not_returned_as_least():
    """Over the pole a curve of the chart comes as near to length π as one likes; the equator has length 4."""
    sphere = vc.geometry.Metric("sphere", ["theta", "phi"], lambda theta: [[1, 0], [0, sin(theta) ** 2]])
    curve = vc.geometry.geodesic_between(sphere, [np.pi / 2, 0.0], [np.pi / 2, 4.0], tolerance=0.5)
    assert np.pi < np.sqrt(2.0 * curve.action) < 3.5


def test_a_second_valley_is_found_from_the_ridge_between_two():
    """x = 0 stays on the ridge of a double well; the least action goes into a valley: the first integral ẋ² − 2 U is constant."""
    valleys = vc.LagrangianSystem("valleys", ["x"], lambda x, x_dot: 0.5 * x_dot**2 + (x**2 - 1) ** 2)
    curve = Problem(valleys, {"x": 0.0}, {"x": 0.0}, until=6.0).solve()
    t = np.linspace(0.0, 6.0, 41)
    x, v = curve.at(t)[:, 0], curve.velocity(t)[:, 0]
    first = 0.5 * v**2 - (x**2 - 1.0) ** 2
    assert first == pytest.approx(np.full(41, first[0]), abs=1e-6)
    assert 1.88 < curve.action < 4.0 * np.sqrt(2.0) / 3.0 + 1e-3 < 6.0


@pytest.mark.parametrize(("until", "is_least"), [(3.1, True), (3.2, False)])
def test_an_oscillator_at_rest_has_least_action_for_half_a_period(until, is_least):
    oscillator = vc.LagrangianSystem("oscillator", ["x"], lambda x, x_dot: 0.5 * (x_dot**2 - x**2))
    problem = Problem(oscillator, {"x": 0.0}, {"x": 0.0}, until=until)
    if is_least:
        assert problem.solve().action == pytest.approx(0.0, abs=1e-12)
    else:
        with pytest.raises(vc.errors.RunError, match="no least value"):
            problem.solve()


def blade() -> vc.LagrangianSystem:
    return vc.LagrangianSystem(
        "sleigh", ["x", "y", "theta"], lambda v: 0.5 * (v[0] ** 2 + v[1] ** 2 + 0.5 * v[2] ** 2),
        constraints={"blade": (lambda x_dot, y_dot, theta: x_dot * sin(theta) - y_dot * cos(theta), FREE)},
    )  # fmt: skip


def test_a_sleigh_is_steered_sideways_and_its_multiplier_reaches_the_goal():
    """A run of the vakonomic equations from the start of the curve, with its multiplier, ends at the goal."""
    goal = {"x": 0.2, "y": 1.0, "theta": 0.5}
    curve = Problem(blade(), dict.fromkeys(goal, 0.0), goal, until=2.0).solve(
        lambda t: (0.1 * t, 0.5 * t, 1.2 * np.sin(0.5 * np.pi * t) + 0.25 * t), tolerance=1e-9
    )
    multiplier = float(curve.multiplier("blade", 0.0)[0])
    free = blade().with_realization("blade", vc.Vakonomic(multipliers=multiplier))
    motion = vc.simulate(free, 2.0, (curve.at(0.0), curve.velocity(0.0)))
    assert motion.q[-1] == pytest.approx([0.2, 1.0, 0.5], abs=1e-7)
    assert motion.audit().passed
    t = np.linspace(0.0, 2.0, 21)
    x_dot, y_dot, _ = curve.velocity(t).T
    theta = curve.at(t)[:, 2]
    assert np.abs(x_dot * np.sin(theta) - y_dot * np.cos(theta)).max() < 1e-7
    along = motion.bond("blade").multiplier
    assert np.interp(1.0, motion.time, along) == pytest.approx(curve.multiplier("blade", 1.0)[0], abs=1e-3)


def test_a_string_over_an_obstacle_leaves_it_along_the_tangent():
    """y ≥ ½ − x²: the string touches where |x| ≤ 1 − √½, and presses with its curvature there."""
    string = vc.LagrangianSystem("string", ["y"], lambda y_dot: 0.5 * y_dot**2)
    ground = {"ground": lambda y, t: y - 0.5 + t * t}
    curve = Problem(string, {"y": 0.0}, {"y": 0.0}, begin=-1.0, until=1.0, unilaterals=ground).solve(
        lambda t: (0.6 * (1.0 - t * t),), tolerance=1e-6
    )
    edge = 1.0 - np.sqrt(0.5)
    x = np.linspace(-1.0, 1.0, 201)
    exact = np.where(np.abs(x) < edge, 0.5 - x**2, 2.0 * edge * (1.0 - np.abs(x)))
    assert np.abs(curve.at(x)[:, 0] - exact).max() < 1e-6
    pressed, apart = curve.multiplier("ground", [0.1, 0.8])[:, 0]
    assert pressed == pytest.approx(-2.0, abs=1e-3) and abs(apart) < 1e-5


def test_a_pendulum_of_bodies_moves_as_simulated():
    system = vc.System("pendulum", gravity=(0, -9.81, 0))
    bob = system.add(vc.MassPoint("bob", vc.parameter("m", 1.0)))
    system.add(vc.Revolute("alpha", "ground", bob, to=(0, 1, 0)))
    curve = Problem(system, {"alpha": 0.2}, {"alpha": 1.0}, until=0.4).solve(tolerance=1e-10, parameters={"m": 2.0})
    motion = vc.simulate(system, 0.4, {"alpha": vc.At(0.2, float(curve.velocity(0.0)[0]))}, parameters={"m": 2.0})
    assert motion.q[-1, 0] == pytest.approx(1.0, abs=1e-9)


def test_a_point_on_a_sphere_by_a_constraint_has_the_reaction_of_its_curve():
    """A great circle of speed π/2 in unit time, with λ = −v²/2 for F = q² − 1."""
    space = vc.LagrangianSystem(
        "point",
        ["x", "y", "z"],
        lambda v: 0.5 * (v @ v),
        constraints={"sphere": (lambda q: q @ q - 1.0, vc.DAlembert())},
    )
    curve = Problem(space, {"x": 1, "y": 0, "z": 0}, {"x": 0.0, "y": 0.6, "z": 0.8}, until=1.0).solve(
        lambda t: (1.0 - t, 0.6 * t, 0.8 * t)
    )
    assert curve.action == pytest.approx(np.pi**2 / 8.0, abs=1e-12)
    assert curve.multiplier("sphere", [0.0, 0.3, 1.0])[:, 0] == pytest.approx(np.full(3, -(np.pi**2) / 8.0), abs=1e-8)


def test_a_free_end_is_met_at_right_angles():
    """Where y is free at the end, ∂L/∂ẏ vanishes there: the shortest way to a line is perpendicular."""
    plane = vc.LagrangianSystem("plane", ["y"], lambda y, y_dot: 0.5 * y_dot**2 + y)
    curve = Problem(plane, {"y": 0.0}, {}, until=2.0).solve()
    t = np.linspace(0.0, 2.0, 11)
    assert curve.at(t)[:, 0] == pytest.approx(0.5 * t**2 - 2.0 * t, abs=1e-9)
    assert curve.velocity(2.0)[0] == pytest.approx(0.0, abs=1e-9)


def test_the_stated_error_bounds_the_true_one():
    catenary = vc.LagrangianSystem("soap", ["y"], lambda y, y_dot: y * sqrt(1 + y_dot**2))
    ends = {"y": float(np.cosh(1.0))}
    for tolerance in (1e-4, 1e-7, 1e-10):
        curve = Problem(catenary, ends, ends, begin=-1.0, until=1.0).solve(
            lambda t: (1.2 + 0.3 * t * t,), tolerance=tolerance
        )
        x = np.linspace(-1.0, 1.0, 61)
        assert np.abs(curve.at(x)[:, 0] - np.cosh(x)).max() <= np.cosh(1.0) * curve.error + 1e-12
        assert curve.error <= tolerance
