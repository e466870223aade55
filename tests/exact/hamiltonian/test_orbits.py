"""Actions, frequencies, periodic orbits and first integrals that are known in closed form."""

import numpy as np
import pytest
import sympy
from scipy.special import ellipe, ellipk

import vinculum as vc
from hamiltonians import euler_poisson, henon_heiles, henon_heiles_start, kepler, pendulum
from vinculum import math as m

h = vc.hamiltonian


@pytest.mark.parametrize("amplitude", [0.1, 1.5, 3.0])
def test_action_and_frequency_of_a_pendulum_that_swings(amplitude):
    found, k = h.action_angles(pendulum(), [amplitude], [0.0]), np.sin(amplitude / 2) ** 2
    assert found.actions[0] == pytest.approx(8 / np.pi * (ellipe(k) - (1 - k) * ellipk(k)), rel=1e-11)
    assert found.frequencies[0] == pytest.approx(np.pi / 2 / ellipk(k), rel=1e-12)
    assert found.angles[0] == 0.0


def test_action_and_frequency_of_a_pendulum_that_turns():
    for sign in (1.0, -1.0):
        found = h.action_angles(pendulum(), [0.5], [2.5 * sign], angles=["theta"])
        k = 2 / (1 + 2.5**2 / 2 - np.cos(0.5))
        assert found.actions[0] == pytest.approx(sign * 4 / np.pi / np.sqrt(k) * ellipe(k), rel=1e-11)
        assert found.frequencies[0] == pytest.approx(sign * np.pi / np.sqrt(k) / ellipk(k), rel=1e-12)


def test_angles_grow_evenly():
    motion = h.integrate(pendulum(), 2.0, [1.0], [0.4], step=0.01, order=8, every=50)
    found = [h.action_angles(pendulum(), q, p) for q, p in zip(motion.q, motion.p, strict=True)]
    angles = np.unwrap([one.angles[0] for one in found])
    assert np.diff(angles) == pytest.approx(0.5 * found[0].frequencies[0], abs=1e-11)
    assert np.ptp([one.actions[0] for one in found]) < 1e-12


def test_actions_of_kepler_in_the_plane():
    """H = −1/(2 (J_r + J_φ)²), so that both frequencies are (−2H)^(3/2)."""
    H = h.Hamiltonian("Kepler", ["r", "phi"], lambda r, p_r, p_phi: (p_r**2 + p_phi**2 / r**2) / 2 - 1 / r)
    q, p = [1.0, 0.3], [0.2, 1.1]
    found, E = h.action_angles(H, q, p, angles=["phi"]), H(q, p)
    assert found.actions == pytest.approx([1 / np.sqrt(-2 * E) - 1.1, 1.1], rel=1e-12)
    assert found.frequencies == pytest.approx(np.full(2, (-2 * E) ** 1.5), rel=1e-12)
    later = h.integrate(H, 1.5, q, p, step=0.005, order=8, every=1000)
    moved = h.action_angles(H, later.q[-1], later.p[-1], angles=["phi"]).angles - found.angles
    assert np.exp(1j * moved) == pytest.approx(np.exp(1.5j * found.frequencies), abs=1e-10)


def test_sums_of_oscillators_are_separable():
    H = h.Hamiltonian("two", ["x", "y"], lambda x, y, p_x, p_y: (p_x**2 + 4 * x**2) / 2 + (p_y**2 + 9 * y**2) / 2)
    found = h.action_angles(H, [0.3, 0.5], [0.7, -0.2])
    assert found.actions == pytest.approx([(0.49 + 0.36) / 4, (0.04 + 2.25) / 6], rel=1e-12)
    assert found.frequencies == pytest.approx([2.0, 3.0], rel=1e-12)


def test_frequency_analysis_finds_the_terms_of_a_signal():
    t = 0.1 * np.arange(4000)
    w, a = np.array([1.2345, -0.777, 3.1]), np.array([np.exp(0.3j), 0.5, 0.01])
    found = h.frequencies(np.exp(1j * np.outer(t, w)) @ a, 0.1, 3)
    assert found.frequencies == pytest.approx(w, abs=1e-12) and found.amplitudes == pytest.approx(a, abs=1e-10)
    assert found.remainder < 1e-10


def test_frequency_of_a_pendulum_from_its_motion():
    motion = h.integrate(pendulum(), 400.0, [1.5], [0.0], step=0.05, order=8)
    found = h.frequencies(motion["theta"] + 1j * motion["p_theta"], 0.05, 4)
    exact = np.pi / 2 / ellipk(np.sin(0.75) ** 2)
    assert np.sort(found.frequencies) == pytest.approx(exact * np.array([-3, -1, 1, 3]), rel=1e-11)


def test_a_swing_is_a_periodic_orbit_with_multipliers_one():
    orbit = h.periodic_orbit(pendulum(), [1.5], [0.01], 7.0)
    assert orbit.period == pytest.approx(4 * ellipk((1 + orbit.energy) / 2), rel=1e-12)
    assert orbit.monodromy.trace() == pytest.approx(2.0, abs=1e-11)
    assert np.linalg.det(orbit.monodromy) == pytest.approx(1.0, abs=1e-11)


@pytest.mark.parametrize("tolerance", [1e-13, 1e-11, 1e-9, 1e-7, 1e-5])
def test_periodic_orbits_are_found_to_the_tolerance_that_is_asked_for(tolerance):
    for amplitude in (0.3, 1.0, 2.0):
        exact = 4.0 * ellipk(np.sin(amplitude / 2) ** 2)
        orbit = h.periodic_orbit(pendulum(), [amplitude], [0.0], period=1.02 * exact, tolerance=tolerance)
        assert orbit.period == pytest.approx(exact, rel=200 * tolerance) and orbit.residual <= 200 * tolerance


def test_the_straight_orbit_of_henon_and_heiles_has_its_elliptic_period():
    """On x = 0 y oscillates alone; its period is an elliptic integral, and two of its multipliers are one."""
    E = 0.05
    orbit = h.periodic_orbit(henon_heiles(), [0.0, 0.0], [0.0, np.sqrt(2 * E)], 6.4, at_energy=E)
    roots = np.sort(np.real(np.roots([1 / 3, -0.5, 0.0, E])))
    assert orbit.period == pytest.approx(
        np.sqrt(24.0) / np.sqrt(roots[2] - roots[0]) * ellipk((roots[1] - roots[0]) / (roots[2] - roots[0])), rel=1e-11
    )
    assert np.abs(orbit.multipliers) == pytest.approx(1.0, abs=1e-5)
    coefficients = np.poly(orbit.monodromy)
    assert coefficients == pytest.approx(coefficients[::-1], abs=1e-9)


def test_a_ball_that_bounces_has_a_shear_as_its_monodromy():
    """T = 2 v/g with v = √(2E). Neighbors on other levels come late: Y(T) − 1 = −f (dT/dE) ∂H."""
    ball = h.Hamiltonian("ball", ["z"], lambda z, p_z: p_z**2 / 2 + 9.81 * z)
    orbit = h.periodic_orbit(ball, [1.0], [0.1], 0.9, walls=[h.Wall(lambda z: z)])
    v = np.sqrt(2 * orbit.energy)
    assert orbit.impacts == 1 and orbit.period == pytest.approx(2 * v / 9.81, rel=1e-13)
    assert orbit.monodromy.trace() == pytest.approx(2.0, abs=1e-11)
    slope = 2 / (9.81 * v)  # dT/dE along the family
    assert orbit.monodromy - np.eye(2) == pytest.approx(
        -slope * np.outer([orbit.p[0], -9.81], [9.81, orbit.p[0]]), abs=1e-10
    )


def test_the_laplace_vector_is_found():
    H = kepler()
    cross = lambda q, p: np.array(m.cross(q, p))
    found = h.polynomial_integrals(
        H, 3, functions=lambda q, p: [*q, *p, 1 / m.sqrt(q @ q)], names=["x", "y", "z", "p_x", "p_y", "p_z", "s"],
        known=[H.energy, cross],
    )  # fmt: skip
    assert len(found) == 3 and found.independent == 1
    x, y, z, px, py, pz, s = sympy.symbols("x y z p_x p_y p_z s", real=True)
    q, p = sympy.Matrix([x, y, z]), sympy.Matrix([px, py, pz])
    laplace = p.cross(q.cross(p)) - q * s
    for one, expected in zip(found.polynomials, laplace, strict=True):
        assert sympy.expand(one + expected) == 0
    rng = np.random.default_rng(1)
    states = rng.normal(size=(2, 20, 3))
    assert h.polynomial_integrals(H, 1, functions=cross, names=["a", "b", "c"]).known == 1
    for one in found:
        assert np.abs(H.bracket(one, H.energy)(*states)).max() < 1e-10 * np.abs(one(*states)).max()


def test_kovalevskaya_has_her_integral_and_others_have_none():
    names = ["M1", "M2", "M3", "g1", "g2", "g3"]
    H, functions = euler_poisson(2.0, 2.0, 1.0)
    found = h.polynomial_integrals(H, 4, functions=functions, names=names, known=[H.energy, lambda p_phi: p_phi])
    assert len(found) == 1 and found.independent == 1
    M1, M2, g1, g2 = sympy.symbols("M1 M2 g1 g2", real=True)
    expected = ((M1**2 - M2**2) / 4 - g1) ** 2 + (M1 * M2 / 2 - g2) ** 2
    assert sympy.expand(found.polynomials[0] - expected) == 0
    other, functions = euler_poisson(2.2, 2.2, 1.0)
    none = h.polynomial_integrals(other, 4, functions=functions, names=names, known=[other.energy, lambda p_phi: p_phi])
    assert len(none) == 0 and none.known == found.known


def test_lagranges_top_has_its_spin():
    H, functions = euler_poisson(2.0, 2.0, 0.7, weight=(0.0, 0.0, 1.0))
    found = h.polynomial_integrals(H, 2, functions=functions, known=[H.energy, lambda p_phi: p_phi])
    assert found.independent == 1 and str(found.polynomials[0]) == "z_3"


def test_an_ordered_orbit_tends_to_zero_and_a_chaotic_one_does_not():
    ordered = h.lyapunov_spectrum(
        henon_heiles(), 4000.0, *henon_heiles_start(1 / 12, 0.1, 0.0), grid=[500.0, 4000.0], tolerance=1e-11
    )
    assert ordered.history[0, 0] > 5 * ordered.history[1, 0] > 0.0 and ordered.exponents[0] < 0.003
    chaotic = h.lyapunov_spectrum(henon_heiles(), 1000.0, *henon_heiles_start(1 / 6, -0.1, 0.2), tolerance=1e-11)
    assert chaotic.exponents[0] > 0.08


def test_exponents_of_a_saddle():
    H = h.Hamiltonian("saddle", ["x", "y"], lambda q, p, x, y: p @ p / 2 - x**2 / 2 + 2 * y**2)
    found = h.lyapunov_spectrum(H, 300.0, [0.0, 0.3], [0.0, 0.1])
    assert found.exponents == pytest.approx([1.0, 0.0, 0.0, -1.0], abs=0.02)


def test_polynomial_integrals_of_systems_and_under_constraints():
    """The Laplace vector of a Lagrangian; Uhlenbeck's integral of Neumann's motion on a sphere, and none for other springs."""
    system = vc.LagrangianSystem("Kepler", ["x", "y", "z"], lambda q, v: v @ v / 2 + 1 / m.sqrt(q @ q))
    found = h.polynomial_integrals(
        system, 3, functions=lambda q, p: [*q, *p, 1 / m.sqrt(q @ q)], known=[lambda q, p: m.cross(q, p)]
    )
    q, p = np.array([0.3, -0.7, 0.5]), np.array([0.4, 0.9, -0.2])
    laplace = np.cross(p, np.cross(q, p)) - q / np.linalg.norm(q)
    values = [one(q, p) for one in found]
    assert len(found) == 3 and np.abs(values) == pytest.approx(np.abs(laplace), rel=1e-10)

    def neumann(power):
        return vc.LagrangianSystem(
            "Neumann", ["x", "y", "z"], lambda q, v: v @ v / 2 - (q[0] ** power + 2.0 * q[1] ** power + 3.5 * q[2] ** power) / 2,
            constraints={"sphere": (lambda q: q @ q - 1.0, vc.DAlembert())},
        )  # fmt: skip

    found = h.polynomial_integrals(neumann(2), 4)
    assert found.independent == 1
    a = np.array([1.0, 2.0, 3.5])
    rng = np.random.default_rng(0)
    q = rng.normal(size=(20, 3))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    p = rng.normal(size=(20, 3))
    p -= (p * q).sum(axis=1, keepdims=True) * q
    L = np.cross(q, p)
    first = q[:, 0] ** 2 + L[:, 2] ** 2 / (a[0] - a[1]) + L[:, 1] ** 2 / (a[0] - a[2])
    span = np.column_stack([np.ones(20), (p * p).sum(axis=1) + (a * q * q).sum(axis=1), *(one(q, p) for one in found)])
    c, *_ = np.linalg.lstsq(span, first, rcond=None)
    assert np.abs(span @ c - first).max() < 1e-9
    assert len(h.polynomial_integrals(neumann(4), 4)) == 0
