"""Lagrangians of the textbooks against their closed forms."""

from math import factorial

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from marks import as_close_as

cos, sin, exp, sqrt = vc.math.cos, vc.math.sin, vc.math.exp, vc.math.sqrt


def moved(system, until, *start):
    motion = vc.simulate(system, until, start, progress=False)
    assert motion.audit().passed
    return motion


def test_the_oscillator_of_pais_and_uhlenbeck_has_two_frequencies():
    """L = ½ẍ² − ½(ω₁² + ω₂²)ẋ² + ½ω₁²ω₂²x² with ω = 1, 2, and with both 3/2, where the amplitude grows."""
    two = vc.LagrangianSystem("two", ["x"], lambda x, x_dot, x_ddot: (x_ddot**2 - 5 * x_dot**2 + 4 * x**2) / 2)
    motion = moved(two, 10.0, [1.0], [0.0], [-1.0], [0.3])
    t = motion.time
    np.testing.assert_allclose(motion["x"], np.cos(t) + 0.1 * np.sin(t) - 0.05 * np.sin(2 * t), rtol=0, atol=1e-13)
    # Ostrogradsky: E = ẋ p − …, with p₀ = −5ẋ − x⃛ and p₁ = ẍ
    x, v, a, j = 1.0, 0.0, -1.0, 0.3
    assert motion.total_energy[0] == pytest.approx(
        v * (-5 * v - j) + a * a - (a * a - 5 * v * v + 4 * x * x) / 2, abs=1e-14
    )
    assert np.ptp(motion.total_energy) < 1e-13
    w = 1.5
    equal = vc.LagrangianSystem(
        "equal", ["x"], lambda x, x_dot, x_ddot: (x_ddot**2 - 2 * w**2 * x_dot**2 + w**4 * x**2) / 2
    )
    motion = moved(equal, 10.0, [0.0], [0.0], [0.0], [1.0])
    t = motion.time
    np.testing.assert_allclose(motion["x"], (np.sin(w * t) - w * t * np.cos(w * t)) / (2 * w**3), rtol=0, atol=1e-13)


def test_least_jerk_is_a_polynomial_of_the_fifth_degree():
    start = [1.0, 0.5, -0.2, 0.3, 0.1, -0.4]
    motion = moved(vc.LagrangianSystem("jerk", ["x"], lambda j: j[0] ** 2 / 2), 2.0, *([x] for x in start))
    known = sum(a * motion.time**k / factorial(k) for k, a in enumerate(start))
    np.testing.assert_allclose(motion["x"], known, rtol=0, atol=1e-14)


def test_a_spherical_pendulum_is_its_routhian_and_its_restriction():
    g = 9.81
    full = vc.LagrangianSystem(
        "angles",
        ["theta", "phi"],
        lambda theta, theta_dot, phi_dot: (theta_dot**2 + sin(theta) ** 2 * phi_dot**2) / 2 + g * cos(theta),
    )
    motion = moved(full, 5.0, [1.0, 0.0], [0.2, 2.0])
    J = 2.0 * np.sin(1.0) ** 2
    np.testing.assert_allclose(motion.record.momenta[:, 1], J, rtol=0, atol=as_close_as(1e-13, 1e-12))
    routh = vc.LagrangianSystem(
        "Routh", ["theta"], lambda theta, theta_dot: theta_dot**2 / 2 - J**2 / (2 * sin(theta) ** 2) + g * cos(theta)
    )
    np.testing.assert_allclose(moved(routh, 5.0, [1.0], [0.2])["theta"], motion["theta"], rtol=0, atol=1e-12)
    space = vc.LagrangianSystem(
        "space",
        ["x", "y", "z"],
        lambda q, v: v @ v / 2 - g * q[2],
        constraints={"rod": (lambda q: q @ q - 1.0, vc.DAlembert())},
    )
    on_sphere = space.restrict(
        lambda theta, phi: [sin(theta) * cos(phi), sin(theta) * sin(phi), -cos(theta)], ["theta", "phi"]
    )
    np.testing.assert_allclose(moved(on_sphere, 5.0, [1.0, 0.0], [0.2, 2.0]).q, motion.q, rtol=0, atol=1e-12)


def test_a_bead_on_a_rotating_hoop_rests_at_its_angle_and_keeps_jacobis_integral():
    """cos θ = g/RΩ²; the hoop may also turn by a surface that depends on time (27)–(31)."""
    g, R, W = 9.81, 0.5, 6.0
    hoop = vc.LagrangianSystem(
        "hoop",
        ["theta"],
        lambda theta, theta_dot: R**2 * (theta_dot**2 + W**2 * sin(theta) ** 2) / 2 + g * R * cos(theta),
    )
    rest = np.arccos(g / (R * W**2))
    np.testing.assert_allclose(moved(hoop, 5.0, [rest], [0.0])["theta"], rest, rtol=0, atol=1e-12)
    motion = moved(hoop, 5.0, [0.7], [0.3])
    assert np.ptp(motion.energy) < 1e-13
    free = vc.LagrangianSystem("free", ["x", "y", "z"], lambda q, v: v @ v / 2 - g * q[2])
    turning = free.restrict(
        lambda theta, t: [R * sin(theta) * cos(W * t), R * sin(theta) * sin(W * t), -R * cos(theta)], ["theta"]
    )
    np.testing.assert_allclose(moved(turning, 5.0, [0.7], [0.3]).q, motion.q, rtol=0, atol=1e-12)


def test_foucaults_pendulum_turns_its_plane():
    """z̈ + 2iΩ ż + ω² z = 0 in the complex plane."""
    W, w = 0.05, 1.0
    system = vc.LagrangianSystem(
        "Foucault",
        ["x", "y"],
        lambda x, y, x_dot, y_dot: (x_dot**2 + y_dot**2) / 2 + W * (x * y_dot - y * x_dot) - w**2 * (x**2 + y**2) / 2,
    )
    motion = moved(system, 30.0, [1.0, 0.0], [0.0, 0.0])
    roots = np.roots([1, 2j * W, w**2])
    parts = np.linalg.solve(np.array([[1, 1], roots]), [1.0, 0.0])
    z = sum(a * np.exp(root * motion.time) for a, root in zip(parts, roots, strict=True))
    np.testing.assert_allclose(motion["x"] + 1j * motion["y"], z, rtol=0, atol=1e-13)
    x, y, p, s = 1.0, 2.0, 0.3, 0.4
    known = ((p + W * y) ** 2 + (s - W * x) ** 2) / 2 + w**2 * (x**2 + y**2) / 2
    assert system.legendre.hamiltonian([x, y], [p, s]) == pytest.approx(known, abs=1e-14)


def test_todas_lattice_keeps_the_spectrum_of_its_lax_matrix():
    n = 6

    def spectrum(q, p):
        L = np.diag(-p / 2)
        for i in range(n):
            k = (i + 1) % n
            L[i, k] += 0.5 * np.exp((q[i] - q[k]) / 2)
            L[k, i] += 0.5 * np.exp((q[i] - q[k]) / 2)
        return np.linalg.eigvalsh(L)

    toda = vc.LagrangianSystem(
        "Toda", [f"q{i}" for i in range(n)], lambda q, v: v @ v / 2 - sum(exp(q[i] - q[(i + 1) % n]) for i in range(n))
    )
    rng = np.random.default_rng(1)
    motion = moved(toda, 10.0, rng.normal(size=n), rng.normal(size=n))
    np.testing.assert_allclose(
        spectrum(motion.q[-1], motion.v[-1]), spectrum(motion.q[0], motion.v[0]), rtol=0, atol=1e-12
    )


def test_kepler_in_polar_coordinates_closes_and_has_its_hamiltonian():
    kepler = vc.LagrangianSystem(
        "Kepler", ["r", "phi"], lambda r, r_dot, phi_dot: (r_dot**2 + r**2 * phi_dot**2) / 2 + 1 / r
    )
    e = 0.6
    motion = moved(kepler, 2 * np.pi, [1 - e, 0], [0, np.sqrt((1 + e) / (1 - e)) / (1 - e)])
    np.testing.assert_allclose(motion.q[-1], [1 - e, 2 * np.pi], rtol=0, atol=1e-12)
    r, p, J = 0.7, 0.3, 0.9
    assert kepler.legendre.hamiltonian([r, 0.2], [p, J]) == pytest.approx(
        p**2 / 2 + J**2 / (2 * r**2) - 1 / r, abs=1e-14
    )
    np.testing.assert_allclose(kepler.legendre.velocity([r, 0.2], [p, J]), [p, J / r**2], rtol=0, atol=1e-14)


def test_a_charge_in_crossed_fields_drifts():
    B, E = 2.0, 0.5
    charge = vc.LagrangianSystem(
        "charge", ["x", "y", "z"], lambda q, v: v @ v / 2 + B * (q[0] * v[1] - q[1] * v[0]) / 2 + E * q[0]
    )
    motion = moved(charge, 10.0, np.zeros(3), [1.0, 0.0, 0.3])
    rate = lambda t, y: [*y[3:], B * y[4] + E, -B * y[3], 0.0]
    known = solve_ivp(rate, (0, 10), [0, 0, 0, 1, 0, 0.3], "DOP853", motion.time, rtol=1e-13, atol=1e-13).y[:3].T
    np.testing.assert_allclose(motion.q, known, rtol=0, atol=1e-11)
    np.testing.assert_allclose(
        charge.legendre.momentum([1, 2, 3], [0.1, 0.2, 0.3]), [0.1 - 2, 0.2 + 1, 0.3], rtol=0, atol=1e-15
    )
    assert charge.legendre.hamiltonian([1, 2, 3], [0.5, 0.6, 0.7]) == pytest.approx(
        (2.5**2 + 0.4**2 + 0.7**2) / 2 - 0.5, abs=1e-14
    )


def test_a_relativistic_mass_has_its_momentum_and_energy():
    mass = vc.LagrangianSystem("mass", ["x"], lambda x, x_dot: -sqrt(1 - x_dot**2) - x**2 / 2)
    assert mass.legendre.momentum([0], [0.6]) == pytest.approx([0.75], abs=1e-15)
    assert mass.legendre.velocity([0], [0.75]) == pytest.approx([0.6], abs=1e-15)
    assert mass.legendre.hamiltonian([0.5], [0.75]) == pytest.approx(np.sqrt(1 + 0.75**2) + 0.125, abs=1e-14)
    assert np.ptp(moved(mass, 10.0, [1.0], [0.0]).energy) < as_close_as(1e-13, 1e-12)


def test_caldirolas_lagrangian_has_the_motion_of_a_damped_oscillator():
    system = vc.LagrangianSystem("Caldirola", ["x"], lambda x, x_dot, t: exp(0.2 * t) * (x_dot**2 - x**2) / 2)
    motion = moved(system, 10.0, [1.0], [0.0])
    w, t = np.sqrt(1 - 0.01), motion.time
    np.testing.assert_allclose(
        motion["x"], np.exp(-0.1 * t) * (np.cos(w * t) + 0.1 / w * np.sin(w * t)), rtol=0, atol=1e-13
    )


def test_a_lagrangian_of_first_order_in_time_has_no_hamiltonian_of_this_kind():
    plane = vc.LagrangianSystem("plane", ["x", "y"], lambda x, y, x_dot, y_dot: x * y_dot - y * x_dot - x**2 - y**2)
    with pytest.raises(vc.errors.StartError, match="the Hessian ∂²L/∂v∂v is singular"):
        plane.legendre.hamiltonian([1, 2], [0.3, 0.4])
