"""Vakonomic multipliers that start by a rule: d'Alembert's where there are any, those that reach a place, and zero."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import vinculum as vc

G = 9.81
EDGE = {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}
DISK = {"plane": vc.At((0, 0, 0), rate=(0.7, 0, 0.8)), "roll": vc.At(0.0, rate=1.4)}


def knife_edge(multipliers) -> vc.System:
    system = vc.System("knife edge")
    blade = system.add(vc.RigidBody("blade", 1.0, inertia=(1.0, 1.0, 0.7)))
    system.add(vc.Planar("plane", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, realization=vc.Vakonomic(multipliers=multipliers)))
    return system


def disk(realization) -> vc.System:
    """A vertical disk of mass 1, radius 0.5 and moments 0.4 about its axis, 0.2 about the vertical."""
    system = vc.System("disk")
    fork = system.add(vc.RigidBody("fork", 0.6, inertia=(0, 0, 0)))
    wheel = system.add(vc.RigidBody("wheel", 0.4, inertia=(0.2, 0.4, 0.2)))
    system.add(vc.Planar("plane", "ground", fork))
    system.add(vc.Revolute("roll", fork, wheel, axis=(0, 1, 0)))
    system.add(vc.Constraint("rolls", ["plane", "roll"], realization=realization, velocity=lambda p, r: (
        p.v[0] - 0.5 * vc.math.cos(p.q[2]) * r.v, p.v[1] - 0.5 * vc.math.sin(p.q[2]) * r.v)))  # fmt: skip
    return system


def point(multipliers, velocity, gravity) -> vc.System:
    system = vc.System("point", gravity=gravity)
    p = system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Constraint("held", [p], velocity=velocity, realization=vc.Vakonomic(multipliers=multipliers)))
    return system


def test_a_rolling_disk_finds_the_multipliers_of_dalemberts_circle():
    """μ(0) = −m (ẋ, ẏ)."""
    motion = vc.simulate(disk(vc.Vakonomic(multipliers="dalembert")), 5.0, DISK)
    ideal = vc.simulate(disk(vc.DAlembert()), 5.0, DISK)
    assert np.abs(motion.bond("rolls").multiplier[0] - [-0.7, 0.0]).max() < 1e-11
    assert np.abs(motion.q[:, :4] - ideal.q).max() < 1e-9
    assert "by the rule 'dalembert'" in motion.log[0] and "'rolls' start at [-0.7, 0.0]" in motion.log[0]
    assert motion.audit().passed, str(motion.audit())


def test_a_knife_edge_has_no_multipliers_of_dalemberts_motion():
    with pytest.raises(
        vc.errors.StartError, match=r"no multipliers of 'edge' make .* accelerations still differ by \d"
    ):
        vc.simulate(knife_edge("dalembert"), 4.0, EDGE)


def test_an_integrable_constraint_may_start_with_any_multipliers():
    def bowl(p):
        (x, y, _), v = p.position, p.velocity
        return vc.math.exp(x) * (2 * x * v[0] + 2 * y * v[1] - v[2])

    start = {"p": vc.At((0.5, 0.2, 0.29), rate=(0.3, 0.8, 0.62))}
    motion = vc.simulate(point("dalembert", bowl, (0, 0, -G)), 1.0, start)
    assert "1 of 1 may be anything" in motion.log[0]
    assert motion.bond("held").multiplier[0] == 0.0


def test_a_straight_knife_edge_is_dalemberts_motion_with_no_multiplier():
    motion = vc.simulate(knife_edge("dalembert"), 2.0, {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0))})
    assert abs(motion.bond("edge").multiplier[0]) < 1e-12


def test_a_knife_edge_reaches_the_place_that_a_program_of_its_own_reaches():
    """(m u)˙ = …, written out for q = (x, y, θ, u, ω, μ) and shot with SciPy alone."""

    def rates(t, y):
        _, _, a, u, w, mu = y
        # L + μ F with F = −ẋ sin θ + ẏ cos θ, reduced by ẋ = u cos θ, ẏ = u sin θ
        return [u * np.cos(a), u * np.sin(a), w, mu * w, -mu * u / 0.7, -u * w]

    def reached(mu):
        return solve_ivp(rates, (0, 1.5), [0, 0, 0, 1.3, 0.9, mu], "DOP853", rtol=1e-12, atol=1e-12).y[0, -1]

    expected = brentq(lambda mu: reached(mu) - 1.6, -1.0, 1.0, xtol=1e-12)
    rule = vc.constraints.Reaching({"plane": (1.6, None, None)}, at=1.5, guess=0.4)
    motion = vc.simulate(knife_edge(rule), 3.0, EDGE)
    other = vc.simulate(knife_edge(vc.constraints.Reaching({"plane": (1.6, None, None)}, at=1.5)), 1.5, EDGE)
    assert reached(other.bond("edge").multiplier[0]) == pytest.approx(1.6, abs=1e-10)
    assert motion.bond("edge").multiplier[0] == pytest.approx(expected, abs=1e-9)
    assert motion.at([1.5]).q[0, 0] == pytest.approx(1.6, abs=1e-12)
    assert "reaching plane[0] = 1.6 at t = 1.5 s: found in" in motion.log[0]
    assert motion.audit().passed


def test_a_point_of_fixed_speed_reaches_a_place_by_the_multiplier_of_its_closed_form():
    """v = c P/|P|, P = ((1 + λ′) c, −g t), so x(1) = c² (1 + λ′)/g · arsinh(g/(c (1 + λ′)))."""

    def x(a):
        return 4.0 * a / G * np.arcsinh(G / (2.0 * a))

    expected = (brentq(lambda a: x(a) - 1.0, 0.5, 3.0, xtol=1e-14) - 1.0) / 2.0
    rule = vc.constraints.Reaching({"p": (1.0, None, None)}, at=1.0)
    system = point(rule, lambda p: vc.math.dot(p.velocity, p.velocity) - 4.0, (0, -G, 0))
    motion = vc.simulate(system, 1.0, {"p": vc.At((0, 0, 0), rate=(2, 0, 0))})
    assert motion.bond("held").multiplier[0] == pytest.approx(expected, abs=1e-11)


def test_two_multipliers_reach_two_coordinates_and_the_guess_chooses_among_solutions():
    known = vc.simulate(disk(vc.Vakonomic(multipliers=(-0.2, 0.3))), 1.5, DISK).q[-1]
    target = {"plane": (known[0], known[1], None)}
    found = []
    for guess in ((-0.25, 0.25), 0.0):
        motion = vc.simulate(
            disk(vc.Vakonomic(multipliers=vc.constraints.Reaching(target, at=1.5, guess=guess))), 1.5, DISK
        )
        assert np.abs(motion.q[-1, :2] - known[:2]).max() < 1e-11
        found.append(motion.bond("rolls").multiplier[0])
    assert np.abs(found[0] - [-0.2, 0.3]).max() < 1e-9
    assert np.abs(found[1] - found[0]).max() > 0.1


def test_the_rule_zero_is_the_number_zero():
    by_rule, by_number = (vc.simulate(knife_edge(x), 2.0, EDGE) for x in ("zero", 0.0))
    assert np.array_equal(by_rule.q, by_number.q)
    assert by_rule.record.log == ("vakonomic multipliers of 'edge' start at [0.0], by the rule 'zero'",)
    assert by_number.record.log == ()


def test_realizations_are_compared_by_rules_too():
    both = vc.constraints.compare_realizations(
        disk(vc.DAlembert()), "rolls", [vc.DAlembert(), vc.Vakonomic(multipliers="dalembert")], 3.0, DISK
    )
    assert both.distance("vakonomic").max() < 1e-9


def test_a_lagrangian_system_reaches_a_place_by_the_multiplier_of_its_closed_form():
    def x(a):
        return 4.0 * a / G * np.arcsinh(G / (2.0 * a))

    expected = (brentq(lambda a: x(a) - 1.0, 0.5, 3.0, xtol=1e-14) - 1.0) / 2.0
    rule = vc.Vakonomic(multipliers=vc.constraints.Reaching({"x": 1.0}, at=1.0))
    system = vc.LagrangianSystem(
        "speed", ["x", "y"], lambda q, v: v @ v / 2 - G * q[1], constraints={"c": (lambda v: v @ v - 4.0, rule)}
    )
    motion = vc.simulate(system, 1.0, ((0.0, 0.0), (2.0, 0.0)))
    assert motion.bond("c").multiplier[0] == pytest.approx(expected, abs=1e-10)
    assert "reaching x = 1 at t = 1 s: found in" in motion.log[0]
    assert motion.audit().passed, str(motion.audit())
