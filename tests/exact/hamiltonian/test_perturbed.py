"""Splitting about a solved part: Kepler's motion in closed form, orders as claimed, and other routes to the same motion."""

import numpy as np
import pytest
from scipy.optimize import brentq

import vinculum as vc
from hamiltonians import kepler
from vinculum import math as m
from vinculum.geometry.hamiltonian.symplectic.coefficients import PERTURBED, perturbed_lengths

h = vc.hamiltonian
ORBIT = h.Kepler(["x", "y", "z"], 1.0, 1.0)
SUN = {"sun": 1.0, "one": 1e-3, "two": 4e-4}
X = np.array([[0.01, 0.02, 0.0], [1.0, 0.1, 0.05], [-0.3, 1.9, -0.1]])
V = np.array([[0.0, -0.001, 0.0], [-0.05, 1.0, 0.02], [-0.7, -0.1, 0.01]])
ELLIPSE = ([1.0, 0.1, -0.2], [0.1, 0.9, 0.3])


def ellipse(e: float, M: float) -> tuple[np.ndarray, np.ndarray]:
    """Position and velocity at mean anomaly M of an ellipse with a = μ = 1."""
    E = brentq(lambda E: E - e * np.sin(E) - M, M - 1.1, M + 1.1, xtol=1e-15, rtol=1e-15)
    b, r = np.sqrt(1 - e * e), 1 - e * np.cos(E)
    return np.array([np.cos(E) - e, b * np.sin(E), 0]), np.array([-np.sin(E), b * np.cos(E), 0]) / r


@pytest.mark.parametrize("e", [0.0, 0.3, 0.9, 0.99])
@pytest.mark.parametrize("span", [0.01, 1.0, 3.0, 6.0, 100.0])
def test_one_flow_is_the_ellipse_of_kepler(e, span):
    """Kepler's equation solved by bracketing, over a part of a period and over many."""
    for begin in (0.0, 0.4, 3.0, 5.5):
        motion = h.integrate_perturbed(kepler(), [ORBIT], span, *ellipse(e, begin), step=span)
        q, p = ellipse(e, begin + span)
        assert motion.q[-1] == pytest.approx(q, abs=2e-13 * max(1.0, span) / (1 - e))
        assert motion.p[-1] == pytest.approx(p, abs=2e-13 * max(1.0, span) / (1 - e) ** 2.5)


def test_one_flow_is_the_parabola_of_barker_and_the_hyperbola():
    D = 0.7  # tan(ν/2), with q = μ = 1: t = √2 (D + D³/3)
    t = np.sqrt(2) * (D + D**3 / 3)
    motion = h.integrate_perturbed(kepler(), [ORBIT], t, [1.0, 0, 0], [0, np.sqrt(2), 0], step=t)
    assert motion.q[-1] == pytest.approx([1 - D**2, 2 * D, 0], abs=1e-13)
    e, F = 1.5, 2.0  # a = −1
    t = e * np.sinh(F) - F
    motion = h.integrate_perturbed(kepler(), [ORBIT], t, [e - 1, 0, 0], [0, np.sqrt((e + 1) / (e - 1)), 0], step=t)
    assert motion.q[-1] == pytest.approx([e - np.cosh(F), np.sqrt(e * e - 1) * np.sinh(F), 0], abs=1e-12)


@pytest.mark.parametrize("order", PERTURBED)
def test_lengths_are_a_quadrature_of_their_order(order):
    """To first order in ε a step integrates B along the motion of A: Σ bᵢ cᵢᵏ = 1/(k + 1) for k below the order."""
    flows, kicks = perturbed_lengths(order)
    assert flows == pytest.approx(flows[::-1], abs=0) and kicks == pytest.approx(kicks[::-1], abs=0)
    assert flows.sum() == pytest.approx(1.0, abs=1e-15) and kicks.sum() == pytest.approx(1.0, abs=1e-15)
    nodes = np.cumsum(flows)[:-1]
    missed = [abs(kicks @ nodes**k - 1 / (k + 1)) for k in range(order[0] + 2)]
    assert max(missed[: order[0]]) < 1e-14 < 1e-7 < missed[order[0]]


def flattened(strength: float) -> "vc.hamiltonian.Hamiltonian":
    """A satellite of a planet that is not round."""
    return h.Hamiltonian(
        "flat",
        ["x", "y", "z"],
        lambda q, p: p @ p / 2 - 1 / m.norm(q) + strength * (3 * q[2] ** 2 / (q @ q) - 1) / m.norm(q) ** 3,
    )


@pytest.mark.parametrize("order", PERTURBED)
@pytest.mark.parametrize(("strength", "steps", "claimed"), [(1e-5, (1.0, 0.5), 8), (0.05, (0.1, 0.05), 4)])
def test_the_order_is_eight_for_weak_perturbations_and_four_for_strong_ones(order, strength, steps, claimed):
    """That of (10, 6, 4) in ε alone is measured by its quadrature: in a motion its errors are soon of second order in ε."""
    H = flattened(strength)
    exact = h.integrate(H, 6.0, *ELLIPSE, step=0.005, order=8).q[-1]
    errors = [np.abs(h.integrate_perturbed(H, [ORBIT], 6.0, *ELLIPSE, step=s, order=order).q[-1] - exact).max()
              for s in steps]  # fmt: skip
    assert np.log2(errors[0] / errors[1]) > claimed - 0.6


def test_a_wrong_strength_of_the_solved_part_is_made_up_by_kicks():
    """H − A is kicked whatever A is: the motion is the same, and costs shorter steps."""
    H = flattened(0.01)
    ends = [h.integrate_perturbed(H, [h.Kepler(["x", "y", "z"], 1.0, k)], 2.0, *ELLIPSE, step=0.01).q[-1]
            for k in (1.0, 0.9)]  # fmt: skip
    assert ends[0] == pytest.approx(ends[1], abs=1e-10)
    assert not np.array_equal(ends[0], ends[1])


def test_planets_move_as_their_bodies_do():
    """Jacobi's coordinates, kicks and Kepler's motions next to Newton's equations by Taylor series."""
    system = vc.System("planets")
    bodies = [system.add(vc.MassPoint(name, mass)) for name, mass in SUN.items()]
    system.add(vc.potentials.Gravitation("gravitation", bodies, G=1.0))
    start = {name: vc.At(x, rate=v) for name, x, v in zip(SUN, X, V, strict=True)}
    other = vc.simulate(system, 20.0, start, grid=[0.0, 20.0])
    planets = h.Planets("planets", SUN)
    q, p = planets.state(X, V)
    motion = h.integrate_perturbed(planets.hamiltonian, planets.solved, 20.0, q, p, step=0.1)
    x, v = planets.bodies(motion.q[-1], motion.p[-1])
    assert x.ravel() == pytest.approx(other.q[-1], abs=1e-10)
    assert v.ravel() == pytest.approx(other.v[-1], abs=1e-10)
    assert planets.hamiltonian(q, p) == pytest.approx(other.energy[0], rel=1e-14)


def test_jacobis_coordinates_come_back_and_are_those_of_the_legendre_transform():
    planets = h.Planets("planets", SUN)
    q, p = planets.state(X, V)
    x, v = planets.bodies(q, p)
    assert x == pytest.approx(X, abs=1e-15) and v == pytest.approx(V, abs=1e-15)
    system = vc.System("planets")
    ends = [system.add(vc.MassPoint(name, mass)) for name, mass in SUN.items()]
    system.add(vc.potentials.Gravitation("gravitation", ends, G=1.0))
    H = h.Hamiltonian.of(system)
    mass = np.repeat([*SUN.values()], 3)
    assert H(X.ravel(), mass * V.ravel()) == pytest.approx(planets.hamiltonian(q, p), rel=1e-14)


def test_a_long_run_keeps_energy_momentum_and_its_mass_center():
    planets = h.Planets("planets", SUN)
    q, p = planets.state(X, V)
    motion = h.integrate_perturbed(
        planets.hamiltonian, planets.solved, 5000.0, q, p, step=0.25, every=20, order=(10, 6, 4)
    )
    assert np.ptp(motion.energy) < 2e-9 * abs(motion.energy[0])
    first, last = motion.energy[: len(motion.energy) // 2], motion.energy[len(motion.energy) // 2 :]
    assert abs(first.mean() - last.mean()) < 1e-11
    x, v = planets.bodies(motion.q, motion.p)
    L = np.einsum("k,tki->ti", [*SUN.values()], np.cross(x, v))
    assert np.abs(L - L[0]).max() < 1e-14 * len(L) ** 0.5
    center = motion.q[:, :3] - motion.time[:, None] * motion.p[0, :3] / sum(SUN.values())
    assert np.abs(center - center[0]).max() < 1e-12


def test_steps_go_back_where_they_came_from():
    H = flattened(0.05)
    there = h.integrate_perturbed(H, [ORBIT], 30.0, *ELLIPSE, step=0.3)
    back = h.integrate_perturbed(H, [ORBIT], 30.0, there.q[-1], -there.p[-1], step=0.3)
    assert back.q[-1] == pytest.approx(ELLIPSE[0], abs=1e-12) and -back.p[-1] == pytest.approx(ELLIPSE[1], abs=1e-12)


def test_oscillators_are_a_solved_part():
    """A Duffing oscillator about its linear part, and a charge in a magnetic field with a weak trap."""
    duffing = h.Hamiltonian("duffing", ["x"], lambda x, p_x: (p_x**2 + x**2) / 2 + 1e-3 * x**4)
    exact = h.integrate(duffing, 20.0, [1.0], [0.3], step=0.01, order=8).q[-1]
    found = h.integrate_perturbed(duffing, [h.Quadratic(["x"], [1.0, 1.0])], 20.0, [1.0], [0.3], step=0.25).q[-1]
    assert found == pytest.approx(exact, abs=1e-10)
    trap = h.Hamiltonian(
        "trap", ["x", "y"], lambda x, y, p_x, p_y: ((p_x + y) ** 2 + (p_y - x) ** 2) / 2 + 1e-3 * m.cos(x - y)
    )
    S = np.array([[1, 0, 0, -1], [0, 1, 1, 0], [0, 1, 1, 0], [-1, 0, 0, 1.0]])
    state = ([0.4, -0.2], [0.3, 0.5])
    exact = h.integrate(trap, 10.0, *state, step=0.01, order=8).q[-1]
    assert h.integrate_perturbed(trap, [h.Quadratic(["x", "y"], S)], 10.0, *state, step=0.2).q[-1] == pytest.approx(
        exact, abs=1e-11
    )


def test_kicks_may_depend_on_time():
    H = h.Hamiltonian("tide", ["x", "y", "z"], lambda q, p, t: p @ p / 2 - 1 / m.norm(q) + 1e-4 * q[0] ** 2 * m.cos(t))
    exact = h.integrate(H, 6.0, *ELLIPSE, step=0.005, order=8, begin=1.0).q[-1]
    found = h.integrate_perturbed(H, [ORBIT], 6.0, *ELLIPSE, step=0.1, begin=1.0).q[-1]
    assert found == pytest.approx(exact, abs=1e-11)


def test_many_runs_have_the_bits_of_each_alone():
    H = flattened(0.01)
    rng = np.random.default_rng(3)
    q, p = (np.array(one) + 0.05 * rng.normal(size=(11, 3)) for one in ELLIPSE)
    every = h.integrate_perturbed(H, [ORBIT], 5.0, q, p, step=0.2)
    for k in (0, 7, 8, 10):
        alone = h.integrate_perturbed(H, [ORBIT], 5.0, q[k], p[k], step=0.2)
        assert np.array_equal(alone.q, every.q[k]) and np.array_equal(alone.p, every.p[k])
