"""Rates of the action under carriers, and second variations, in closed form: Moreau, (11.3), (11.9), (11.10)."""

import numpy as np
import pytest

import vinculum as vc
from impacted import ball
from marks import needs_heyoka
from vinculum import math as m

g = vc.geometry
FIRST = np.sqrt(2.0 / 9.81)
FAST = 9.81 * FIRST


@pytest.fixture(scope="module")
def elastic():
    return vc.simulate(ball(vc.Newton(1.0)), 0.9, {"ball": (0, 0, 1.0)}, method="dop853", progress=False)


@pytest.fixture(scope="module")
def lossy():
    start = {"ball": vc.At((0, 0, 1.0), rate=(0.4, 0, 0))}
    return vc.simulate(ball(vc.Newton(0.5)), 0.8, start, method="dop853", progress=False)


def test_the_action_of_an_elastic_bounce_changes_as_its_impulse_says(elastic):
    """(11.9), (11.10), fact 13: 2 · 1.3 · 4.4294469 = 11.5166 for η^z = −1 at the first impact, positive as the carrier is outward."""
    found = g.action_rate(elastic, lambda t: (0.0, 0.0, -1.0), support=(FIRST - 0.3, FIRST + 0.3))
    assert found.by_transport == pytest.approx(11.5166, abs=5e-5)
    for value in (found.by_transport, found.by_lie_derivative, found.by_forces, found.by_impulses):
        assert value == pytest.approx(2.0 * 1.3 * FAST, rel=1e-9)
    assert found.holds and found.residual < 1e-10


def test_a_carrier_along_time_does_not_change_the_action_of_the_measure(elastic):
    """(11.3), fact 14: with η⁰ alone the rate is zero; added to another carrier it changes nothing."""
    inside = (FIRST - 0.3, FIRST + 0.3)
    still = lambda t: (0.0, 0.0, 0.0)
    clock = lambda t, q: 0.2 + 0.1 * q[2]
    alone = g.action_rate(elastic, still, time=clock, support=inside)
    assert max(abs(alone.by_transport), abs(alone.by_lie_derivative), abs(alone.by_forces)) < 1e-9
    push = lambda q: (0.0, q[2], -1.0 - q[2])
    both = g.action_rate(elastic, push, time=clock, support=inside)
    lone = g.action_rate(elastic, push, support=inside)
    assert both.holds and lone.holds
    assert both.by_transport == pytest.approx(lone.by_transport, rel=1e-9)


def test_a_curve_in_its_own_time_loses_the_energy_of_the_impact(lossy):
    """With η⁰ = 1 at the impact d/dτ ∫ L dt = P · (v⁻ + v⁺)/2, minus the energy that is lost, (1 − e²) m v²/2."""
    found = g.action_rate(
        lossy, lambda t: (0.0, 0.0, 0.0), time=lambda t: 1.0, support=(FIRST - 0.2, FIRST + 0.2), carry="curve"
    )
    lost = 0.5 * 1.3 * (1.0 - 0.25) * FAST**2
    assert found.by_impulses == pytest.approx(-lost, rel=1e-9)
    assert found.by_transport == pytest.approx(-lost, rel=1e-8)
    assert found.holds


def test_the_measure_and_the_curve_have_one_rate_without_time(lossy):
    push = lambda t, q: (0.3, t, -1.0 + q[0])
    rates = [g.action_rate(lossy, push, support=(0.1, 0.75), carry=kind) for kind in ("measure", "curve")]
    assert all(one.holds for one in rates)
    assert rates[0].by_transport == pytest.approx(rates[1].by_transport, rel=1e-10)


def test_a_carrier_between_impacts_finds_no_force(lossy):
    """Hamilton's principle in its classical form: ∫ (E_c − U) dt is stationary."""
    found = g.action_rate(lossy, lambda t, q: (m.sin(3.0 * t), q[0], 1.0 + q[2]), support=(0.05, FIRST - 0.05))
    assert found.by_forces == 0.0 and found.residual < 1e-12 and found.size > 1e-2


def test_a_damper_is_counted_by_its_virtual_power():
    """m ẍ = −c ẋ from v₀: ⟨F, η⟩ = −c ∫ ẋ η dt in closed form."""
    mass, c, speed = 1.5, 0.8, 2.0
    system = vc.System("sled")
    body = system.add(vc.MassPoint("sled", mass))
    system.add(vc.Prismatic("track", "ground", body, axis=(1, 0, 0), damping=c))
    motion = vc.simulate(system, 1.0, {"track": vc.At(0.0, rate=speed)}, method="dop853", progress=False)
    found = g.action_rate(motion, lambda t: (m.sin(np.pi * t) ** 2,))
    k = c / mass
    integral = 0.5 * ((1 - np.exp(-k)) / k - k * (1 - np.exp(-k)) / (k**2 + 4 * np.pi**2))
    assert found.by_forces == pytest.approx(c * speed * integral, rel=1e-11)
    assert found.by_transport == pytest.approx(c * speed * integral, rel=1e-9)
    assert found.holds


def test_bodies_and_their_lagrangian_have_one_action():
    """A damped pendulum as a body on a hinge and as L(φ, φ̇) with a force, under a carrier with a component along time."""
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    bob = system.add(vc.MassPoint("bob", 0.5))
    system.add(vc.Revolute("phi", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3), damping=0.02))
    energy = lambda phi, phi_dot: 0.5 * 0.5 * 0.09 * phi_dot**2 + 0.5 * 9.81 * 0.3 * m.cos(phi)
    swing = vc.LagrangianSystem("swing", ["phi"], energy, lambda phi_dot: (-0.02 * phi_dot,))
    push, clock = lambda t, phi: (1.0 + phi,), lambda phi: 0.2 * phi
    rates = []
    for one, start in ((system, {"phi": 0.7}), (swing, ([0.7], [0.0]))):
        motion = vc.simulate(one, 1.0, start, method="dop853", progress=False)
        rates.append(g.action_rate(motion, push, time=clock, support=(0.2, 0.9), carry="curve"))
    assert all(one.holds for one in rates) and abs(rates[0].by_forces) > 1e-4
    for way in ("by_forces", "by_transport", "by_lie_derivative"):
        assert getattr(rates[0], way) == pytest.approx(getattr(rates[1], way), rel=1e-8)


@pytest.mark.parametrize("span", [0.8, 2.5, 4.0])
def test_the_second_variation_of_an_oscillator_counts_its_conjugate_points(span):
    """(kπ/T)² − ω² on sin(kπt/T): negative for the half periods that fit into T."""
    omega = 2.1
    spring = vc.LagrangianSystem("spring", ["x"], lambda x, x_dot: 0.7 * (x_dot**2 - omega**2 * x**2))
    motion = vc.simulate(spring, span, ([0.3], [0.5]), method="dop853", progress=False)
    found = g.second_variation(motion, modes=5)
    expected = (np.arange(1, 6) * np.pi / span) ** 2 - omega**2
    np.testing.assert_allclose(found.eigenvalues, expected, rtol=1e-9, atol=1e-9)
    assert found.index == int(omega * span / np.pi) and found.is_minimum == (omega * span < np.pi)
    assert found.by_transport == pytest.approx(found.by_hessian, rel=1e-7)
    assert found.legendre == pytest.approx(1.0)


def test_the_second_variation_of_a_double_pendulum_is_the_same_in_two_ways():
    from machines import double_pendulum

    motion = vc.simulate(double_pendulum(), 1.0, {"theta1": 1.0, "theta2": 0.4}, method="dop853", progress=False)
    short, long = (g.second_variation(motion, 0.0, until, modes=6) for until in (0.1, 1.0))
    assert short.is_minimum and short.legendre > 0.0
    for one in (short, long):
        assert one.by_transport == pytest.approx(one.by_hessian, rel=1e-6)


@needs_heyoka
def test_great_circles_longer_than_half_way_round_are_not_the_shortest():
    from metrics import sphere

    geodesic = g.geodesic(sphere(), [np.pi / 2, 0.0], [0.0, 1.0], until=4.0)
    assert g.second_variation(geodesic, 0.0, 3.0).is_minimum
    assert g.second_variation(geodesic, 0.0, 4.0).index == 1
